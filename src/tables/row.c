#include "tables/tables.h"

enum { FIXED_COLUMNS = 3, NUMBER_SIZE = 64, EXACT_DIGITS = 15 };

struct cm_row_reader {
    size_t kernels;
    cm_csv_fields *fields; /* for rows with quotes, blanks and other rare parts */
};

cm_row_reader *cm_row_reader_create(size_t kernels)
{
    cm_row_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return NULL;
    reader->kernels = kernels;
    reader->fields = cm_csv_fields_create();
    if (reader->fields == NULL) {
        free(reader);
        return NULL;
    }
    return reader;
}

void cm_row_reader_free(cm_row_reader *reader)
{
    if (reader == NULL)
        return;
    cm_csv_fields_free(reader->fields);
    free(reader);
}

/* The position behind the number: a comma, or the end of the line. NULL if neither follows. */
static char *take_end(char *at, bool last)
{
    if (!last)
        return *at == ',' ? at + 1 : NULL;
    at += *at == '\r';
    return *at == '\n' ? at + 1 : NULL;
}

/* Reads up to 15 digits. */
static char *take_digits(char *at, uint64_t *digits)
{
    char *start = at;
    *digits = 0;
    while ((unsigned)(*at - '0') < 10)
        *digits = *digits * 10 + (uint64_t)(*at++ - '0');
    return at > start && at - start <= EXACT_DIGITS ? at : NULL;
}

/* Each of these returns the position behind its text; NULL if the row is unusual. */
static char *take_size(char *at, size_t *value)
{
    uint64_t digits;
    at = take_digits(at, &digits);
    *value = (size_t)digits;
    return at != NULL ? take_end(at, false) : NULL;
}

/* Reads a number that is not negative. */
static char *take_number(char *at, bool last, double *value)
{
    uint64_t digits;
    char *end = take_digits(at, &digits);
    end = end != NULL ? take_end(end, last) : NULL;
    if (end != NULL) {
        *value = (double)digits;
        return end;
    }
    char copy[NUMBER_SIZE];
    size_t length = 0;
    for (; at[length] > ' ' && at[length] != ','; length++) {
        if (length + 1 == NUMBER_SIZE)
            return NULL;
        copy[length] = at[length];
    }
    copy[length] = '\0';
    end = take_end(at + length, last);
    return end != NULL && cm_number_parse(copy, value, NULL) == CM_OK && !(*value < 0.0) ? end : NULL;
}

/* Reads a name up to its comma or closing quote, *end. Doubled quotes, and blanks around names, are libcsv's. */
static char *take_name(char *at, const char **name, char **end)
{
    bool quoted = *at == '"';
    *name = at += quoted;
    for (; *at != (quoted ? '"' : ','); at++) {
        unsigned char c = (unsigned char)*at;
        if (c >= ' ' && c < 0x7F && c != '"')
            continue;
        size_t length = c >= 0x80 ? cm_utf8_length(at, 4) : 0;
        if (length == 0)
            return NULL;
        at += length - 1;
    }
    *end = at;
    if (at == *name || (!quoted && (**name == ' ' || at[-1] == ' ')))
        return NULL;
    at += quoted;
    return *at == ',' ? at + 1 : NULL;
}

static bool has_values(cm_row_part part, const char *name, size_t length)
{
    return part == CM_ROW_WHOLE || (length == 10 && memcmp(name, "iterations", length) == 0);
}

/* False, with nothing changed, if the row is unusual. */
static bool read_usual(const cm_row_reader *reader, char **text, char *end, cm_row_part part, cm_row *row,
                       double *values)
{
    char *name_end = NULL, *at = take_name(*text, &row->event, &name_end);
    at = at != NULL ? take_size(at, &row->repetition) : NULL;
    at = at != NULL ? take_size(at, &row->thread) : NULL;
    if (at != NULL && !has_values(part, row->event, (size_t)(name_end - row->event)))
        at = end;
    for (size_t i = 0; at != NULL && at != end && i < reader->kernels; i++)
        at = take_number(at, i + 1 == reader->kernels, &values[i]);
    if (at != end)
        return false;
    *name_end = '\0';
    *text = end;
    return true;
}

/* Reads any row by libcsv, like all other tables. */
static cm_row_found read_any(cm_row_reader *reader, const char *text, size_t length, cm_row_part part, cm_row *row,
                             double *values)
{
    size_t at = 0;
    if (cm_lines_fault(text, length, &at) != NULL)
        return CM_ROW_BAD;
    cm_csv_fields_begin(reader->fields);
    if (cm_csv_fields_feed(reader->fields, text, length, &at) != CM_CSV_FED)
        return CM_ROW_BAD;
    const cm_csv_texts *texts = cm_csv_fields_point(reader->fields);
    if (!cm_csv_fields_ended(reader->fields))
        return texts->count == 0 && strspn(text, " \t\r\n") >= length ? CM_ROW_BLANK : CM_ROW_BAD;
    const char *const *fields = texts->fields;
    if (texts->count != FIXED_COLUMNS + reader->kernels || *fields[0] == '\0' || strpbrk(fields[0], "\r\n\t") != NULL ||
        cm_number_parse_size(fields[1], &row->repetition, NULL) != CM_OK ||
        cm_number_parse_size(fields[2], &row->thread, NULL) != CM_OK)
        return CM_ROW_BAD;
    row->event = fields[0];
    for (size_t i = 0; has_values(part, fields[0], strlen(fields[0])) && i < reader->kernels; i++)
        if (cm_number_parse(fields[FIXED_COLUMNS + i], &values[i], NULL) != CM_OK || values[i] < 0.0)
            return CM_ROW_BAD;
    return CM_ROW_FOUND;
}

cm_row_found cm_row_read(cm_row_reader *reader, char **text, cm_row_part part, cm_row *row, double *values)
{
    char *end = strchr(*text, '\n');
    if (end == NULL || end - *text >= CM_CSV_ROW_LIMIT)
        return CM_ROW_BAD;
    end++;
    if (read_usual(reader, text, end, part, row, values))
        return CM_ROW_FOUND;
    cm_row_found found = read_any(reader, *text, (size_t)(end - *text), part, row, values);
    *text = end;
    return found;
}
