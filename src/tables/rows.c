/* Reads the rows of a measurement table. Rows of plain names and whole numbers, as nearly all are, are read here;
 * libcsv splits rows with quotes, blanks or other rare parts, and faulty ones. */
#include "tables/tables.h"

enum { EVENT, REPETITION, THREAD, ROW_COLUMNS };
enum { NUMBER_SIZE = 64, EXACT_DIGITS = 15 };

static const char iterations[] = "iterations";

cm_status cm_rows_open(const char *path, cm_rows *rows, cm_error *error)
{
    static const char *const columns[ROW_COLUMNS] = {"event", "repetition", "thread"};
    *rows = (cm_rows){0};
    cm_status status = cm_csv_open(path, &rows->csv, error);
    CM_THEN(status, cm_csv_expect(rows->csv, ROW_COLUMNS, columns, true, error));
    if (status != CM_OK)
        return status;
    const cm_csv_row header = cm_csv_header(rows->csv);
    if (header.count == ROW_COLUMNS)
        return cm_error_set(error, CM_BAD_INPUT, path, header.line, 0, "no kernel follows the column 'thread'");
    rows->kernel_count = header.count - ROW_COLUMNS;
    rows->kernels = header.fields + ROW_COLUMNS;
    rows->values = malloc(rows->kernel_count * sizeof *rows->values);
    return rows->values != NULL ? CM_OK : cm_error_no_memory(error);
}

void cm_rows_close(cm_rows *rows)
{
    cm_csv_close(rows->csv);
    cm_csv_fields_free(rows->fields);
    free(rows->values);
}

cm_status cm_rows_head(const cm_rows *rows, cm_measurements *head, cm_error *error)
{
    head->file = strdup(cm_csv_path(rows->csv));
    if (head->file == NULL)
        return cm_error_no_memory(error);
    head->header_line = cm_csv_header(rows->csv).line;
    head->kernel_count = rows->kernel_count;
    return cm_names_create(rows->kernel_count, rows->kernels, &head->kernels, error);
}

/* ---- usual rows ---- */

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

/* Reads the values from `at` to `end`. False if they are unusual. */
static bool read_values(const cm_rows *rows, char *at, const char *end, double *values)
{
    for (size_t i = 0; at != NULL && at != end && i < rows->kernel_count; i++)
        at = take_number(at, i + 1 == rows->kernel_count, &values[i]);
    for (size_t i = 0; at == end && rows->row.has_iterations && i < rows->kernel_count; i++)
        if (values[i] == 0.0)
            return false;
    return at == end;
}

/* Reads the row up to `end`, behind its line feed. False, with the text unchanged, if the row is unusual. */
static bool read_usual(cm_rows *rows, char *text, const char *end, cm_row_part part, double *values)
{
    cm_row *row = &rows->row;
    char *name_end = NULL, *at = take_name(text, &row->event, &name_end);
    at = at != NULL ? take_size(at, &row->repetition) : NULL;
    at = at != NULL ? take_size(at, &row->thread) : NULL;
    if (at == NULL)
        return false;
    const size_t length = (size_t)(name_end - row->event);
    row->has_iterations = length == sizeof iterations - 1 && memcmp(row->event, iterations, length) == 0;
    if ((part == CM_ROW_WHOLE || row->has_iterations) && !read_values(rows, at, end, values))
        return false;
    *name_end = '\0';
    return true;
}

/* ---- any rows ---- */

/* Reads a count, which must not be negative, or iterations, which must not be 0. */
static cm_status read_value(const cm_rows *rows, const cm_csv_row *row, size_t kernel, double *value, cm_error *error)
{
    cm_status status = cm_csv_number(rows->csv, row, ROW_COLUMNS + kernel, value, error);
    if (status == CM_OK && *value < 0.0)
        return CM_CSV_FAULT(rows->csv, row->line, error, "column '%s': %s is negative, counts are not",
                            rows->kernels[kernel], row->fields[ROW_COLUMNS + kernel]);
    if (status == CM_OK && *value == 0.0 && rows->row.has_iterations)
        return CM_CSV_FAULT(rows->csv, row->line, error, "column '%s': 0 iterations, expected more",
                            rows->kernels[kernel]);
    return status;
}

/* Reads the fields of a row. */
static cm_status read_fields(cm_rows *rows, const cm_csv_row *row, cm_row_part part, double *values, cm_error *error)
{
    size_t repetition = 0, thread = 0;
    cm_status status = cm_csv_name(rows->csv, row, EVENT, error);
    CM_THEN(status, cm_csv_size(rows->csv, row, REPETITION, &repetition, error));
    CM_THEN(status, cm_csv_size(rows->csv, row, THREAD, &thread, error));
    rows->row = (cm_row){.event = row->fields[EVENT],
                         .repetition = repetition,
                         .thread = thread,
                         .line = row->line,
                         .has_iterations = strcmp(row->fields[EVENT], iterations) == 0};
    const size_t count = part == CM_ROW_WHOLE || rows->row.has_iterations ? rows->kernel_count : 0;
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = read_value(rows, row, i, &values[i], error);
    return status;
}

cm_status cm_rows_next(cm_rows *rows, cm_error *error)
{
    char *text = NULL;
    size_t length = 0;
    cm_csv_row row;
    cm_status status = cm_csv_look_ahead(rows->csv, &text, &length, error);
    if (status == CM_OK && length > 0 && length <= CM_CSV_ROW_LIMIT && text[length - 1] == '\n' &&
        read_usual(rows, text, text + length, CM_ROW_WHOLE, rows->values)) {
        rows->row.line = cm_csv_pass_line(rows->csv, length);
        rows->found = true;
        return CM_OK;
    }
    CM_THEN(status, cm_csv_next(rows->csv, &row, &rows->found, error));
    return status == CM_OK && rows->found ? read_fields(rows, &row, CM_ROW_WHOLE, rows->values, error) : status;
}

/* Reads a row of text by libcsv. */
static cm_row_found read_any(cm_rows *rows, const char *text, size_t length, cm_row_part part, double *values)
{
    size_t at = 0;
    if (rows->fields == NULL && (rows->fields = cm_csv_fields_create()) == NULL)
        return CM_ROW_BAD;
    cm_csv_fields_begin(rows->fields);
    if (cm_lines_fault(text, length, &at) != NULL || cm_csv_fields_feed(rows->fields, text, length, &at) != CM_CSV_FED)
        return CM_ROW_BAD;
    const cm_csv_texts *texts = cm_csv_fields_point(rows->fields);
    const cm_csv_row row = {.count = texts->count, .fields = texts->fields};
    if (!cm_csv_fields_ended(rows->fields))
        return row.count == 0 && strspn(text, " \t\r\n") >= length ? CM_ROW_BLANK : CM_ROW_BAD;
    return row.count == ROW_COLUMNS + rows->kernel_count && read_fields(rows, &row, part, values, NULL) == CM_OK
               ? CM_ROW_FOUND
               : CM_ROW_BAD;
}

cm_row_found cm_rows_read_text(cm_rows *rows, char **text, cm_row_part part, double *values)
{
    char *begin = *text, *end = strchr(begin, '\n');
    if (end == NULL || end - begin >= CM_CSV_ROW_LIMIT)
        return CM_ROW_BAD;
    *text = ++end;
    return read_usual(rows, begin, end, part, values) ? CM_ROW_FOUND
                                                      : read_any(rows, begin, (size_t)(end - begin), part, values);
}
