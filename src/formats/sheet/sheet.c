/* Cells of a foreign table. */
#include "formats/sheet/sheet.h"

#include "core/files.h"

void cm_sheet_clear(cm_sheet *sheet)
{
    free(sheet->rows);
    cm_arena_clear(&sheet->arena);
}

const char *cm_sheet_cell(const cm_sheet_row *row, size_t column)
{
    return column < row->count ? row->cells[column] : "";
}

/* Reads a field from *text on and removes its quotes. Returns its end: a separator or that of the line. */
static char *take_field(char **text, char separator, char **field)
{
    char *from = *text, *to = from;
    bool quoted = false;
    *field = from;
    for (; *from != '\0' && (quoted || (separator == ' ' ? !isblank((unsigned char)*from) : *from != separator));
         from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"')
            quoted = !quoted;
        else
            *to++ = *from;
    }
    char *end = from;
    bool last = *end == '\0';
    *text = last ? end : end + 1;
    if (separator == ' ')
        *text += strspn(*text, " \t");
    *to = '\0';
    return last ? NULL : end;
}

static char *trim_text(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* The end of a field; doubled quotes inside of quotes do not end it. */
static const char *end_of_field(const char *text, char separator)
{
    bool quoted = false;
    for (; *text != '\0' && (quoted || (separator == ' ' ? !isblank((unsigned char)*text) : *text != separator));
         text++)
        quoted ^= *text == '"';
    return text;
}

static size_t count_fields(const char *line, char separator)
{
    size_t count = 1;
    for (const char *end = end_of_field(line, separator); *end != '\0'; count++) {
        end++;
        end = end_of_field(separator == ' ' ? end + strspn(end, " \t") : end, separator);
    }
    return count;
}

/* The number of lines with as many cells, more than one, as the line before. */
static size_t agreeing(char *const *lines, size_t count, char separator)
{
    size_t agreed = 0;
    for (size_t i = 1; i < count; i++) {
        size_t cells = count_fields(lines[i], separator);
        agreed += cells > 1 && cells == count_fields(lines[i - 1], separator);
    }
    return agreed;
}

/* The separator of most lines. A sign of names counts only if all lines agree and no other sign separates any. */
static char find_separator(char *const *lines, size_t count)
{
    static const char usual[] = "\t;,|", unusual[] = ":^~!/&%$*";
    char best = ' ';
    size_t most = 0;
    for (const char *one = usual; *one != '\0'; one++) {
        size_t agreed = agreeing(lines, count, *one);
        best = agreed > most ? *one : best;
        most = agreed > most ? agreed : most;
    }
    if (most > 0 || agreeing(lines, count, ' ') > 0)
        return best;
    for (const char *one = unusual; *one != '\0'; one++)
        if (count > 1 && agreeing(lines, count, *one) == count - 1)
            return *one;
    return best;
}

/* Adds a row of cells. */
static cm_status add_row(cm_sheet *sheet, char *line, size_t number, cm_error *error)
{
    size_t count = count_fields(line, sheet->separator), used = 0;
    const bool grown = CM_GROW_BY_ONE(sheet->rows, sheet->count);
    const char **cells = cm_arena_allocate(&sheet->arena, count * sizeof *cells);
    char *copy = cm_arena_text(&sheet->arena, line);
    if (!grown || cells == NULL || copy == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        char *field;
        take_field(&copy, sheet->separator, &field);
        cells[i] = trim_text(field);
        if (cells[i][0] != '\0')
            used = i + 1;
    }
    if (used > 0)
        sheet->rows[sheet->count++] = (cm_sheet_row){number, used, cells};
    return CM_OK;
}

/* Splits the text into lines and cells. */
static cm_status read_lines(cm_sheet *sheet, char *text, cm_error *error)
{
    size_t most = 1, *numbers = NULL;
    for (const char *c = text; *c != '\0'; c++)
        most += *c == '\n';
    char **lines = calloc(most, sizeof *lines);
    numbers = calloc(most, sizeof *numbers);
    cm_status status = lines != NULL && numbers != NULL ? CM_OK : cm_error_no_memory(error);
    size_t count = status == CM_OK ? cm_sheet_lines(text, lines, numbers, &sheet->separator) : 0;
    if (sheet->separator == '\0')
        sheet->separator = find_separator(lines, count);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = add_row(sheet, sheet->separator == ' ' ? trim_text(lines[i]) : lines[i], numbers[i], error);
    CM_FREE(lines, numbers);
    return status;
}

cm_status cm_sheet_read(const char *path, char separator, cm_sheet *sheet, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *sheet = (cm_sheet){.file = path, .separator = separator};
    cm_status status = cm_file_text_read(path, &text, &size, error);
    if (status != CM_OK)
        return cm_error_of_input(status, error);
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (strlen(text) < size)
        status = cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                              "this is no text in UTF-8: save the spreadsheet as CSV in UTF-8");
    else
        status = read_lines(sheet, text + mark, error);
    free(text);
    if (status == CM_OK && sheet->count < 2)
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "expected a row of headings and rows of counts");
    return status;
}
