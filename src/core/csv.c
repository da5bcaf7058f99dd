/* CSV files read row by row, with line and column of each field. */
#include "core/csv.h"

#include <csv.h>

struct cm_csv {
    char *path;
    cm_lines *lines;
    cm_csv_fields *fields;
    char *provenance;
    cm_csv_texts *row; /* the row of `fields` */
    cm_csv_texts header;
    size_t header_line, row_line, row_bytes;
    size_t quote_line; /* line of the open quote; 0: none is open */
};

static cm_status set_fault(const cm_csv *csv, size_t line, cm_error *error, const char *text)
{
    return cm_error_set(error, CM_BAD_INPUT, csv->path, line, 0, "%s", text);
}

/* In a row that libcsv accepts, quotes come in pairs: after an odd number of them one is open. */
static void follow_quotes(cm_csv *csv, const char *text, size_t length, size_t line)
{
    for (const char *at = text; (at = memchr(at, '"', length - (size_t)(at - text))) != NULL; at++)
        csv->quote_line = csv->quote_line == 0 ? line : 0;
}

/* CM_BAD_INPUT for text that libcsv refuses; it points to the quote that was opened in an earlier line, if one was. */
static cm_status bad_quote(const cm_csv *csv, size_t line, size_t column, cm_error *error)
{
    if (csv->quote_line != 0)
        return cm_error_set(error, CM_BAD_INPUT, csv->path, csv->quote_line, 0,
                            "unclosed quote: the next one, in line %zu, does not end the field", line);
    return cm_error_set(error, CM_BAD_INPUT, csv->path, line, column,
                        "stray quote: quote the whole field, and double each quote in it");
}

/* Feeds one line to libcsv. */
static cm_status parse_line(cm_csv *csv, const char *text, size_t length, cm_error *error)
{
    size_t line = cm_lines_number(csv->lines);
    csv->row_bytes += length;
    if (csv->row_bytes > CM_CSV_ROW_LIMIT) /* several lines, joined by a quote: each alone is short enough */
        return cm_error_set(error, CM_BAD_INPUT, csv->path, csv->quote_line, 0,
                            "unclosed quote: more than %d bytes follow it", CM_CSV_ROW_LIMIT);
    size_t done = 0;
    cm_csv_fed fed = cm_csv_fields_feed(csv->fields, text, length, &done);
    if (fed == CM_CSV_MALFORMED)
        return bad_quote(csv, line, cm_lines_column(text, done), error);
    if (fed == CM_CSV_NO_MEMORY)
        return cm_error_no_memory(error);
    follow_quotes(csv, text, length, line);
    return CM_OK;
}

static cm_status finish_parsing(cm_csv *csv, cm_error *error)
{
    cm_csv_fed fed = cm_csv_fields_end(csv->fields);
    if (fed == CM_CSV_MALFORMED)
        return set_fault(csv, csv->quote_line, error, "unclosed quote");
    return fed == CM_CSV_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* Reads one row into csv->row; *found is false at the end of the file. */
static cm_status read_row(cm_csv *csv, bool *found, cm_error *error)
{
    cm_csv_fields_begin(csv->fields);
    while (!cm_csv_fields_ended(csv->fields)) {
        const char *text;
        size_t length;
        cm_status status = cm_lines_next(csv->lines, &text, &length, error);
        if (csv->quote_line == 0) {
            csv->row_line = cm_lines_number(csv->lines);
            csv->row_bytes = 0;
        }
        if (status == CM_OK && text != NULL)
            status = parse_line(csv, text, length, error);
        else if (status == CM_OK)
            status = finish_parsing(csv, error);
        if (status != CM_OK)
            return status;
        if (text == NULL && !cm_csv_fields_ended(csv->fields)) {
            *found = false;
            return CM_OK;
        }
    }
    csv->row = cm_csv_fields_point(csv->fields);
    *found = true;
    return CM_OK;
}

/* Adds a `#` line, without `#` and the blank behind it, to the provenance. */
static cm_status append_provenance(cm_csv *csv, const char *text, size_t length, cm_error *error)
{
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    size_t skip = length > 1 && text[1] == ' ' ? 2 : 1;
    size_t before = csv->provenance != NULL ? strlen(csv->provenance) : 0;
    if (before + length > CM_CSV_ROW_LIMIT)
        return cm_error_set(error, CM_BAD_INPUT, csv->path, cm_lines_number(csv->lines), 0,
                            "more than %d bytes of '#' lines", CM_CSV_ROW_LIMIT);
    char *grown = realloc(csv->provenance, before + length + 2);
    if (grown == NULL)
        return cm_error_no_memory(error);
    if (csv->provenance != NULL)
        grown[before++] = '\n';
    memcpy(grown + before, text + skip, length - skip);
    grown[before + length - skip] = '\0';
    csv->provenance = grown;
    return CM_OK;
}

/* Reads the `#` lines above the header. */
static cm_status read_provenance(cm_csv *csv, cm_error *error)
{
    int next = -1;
    cm_status status = cm_lines_peek(csv->lines, &next, error);
    while (status == CM_OK && next == '#') {
        const char *text;
        size_t length;
        status = cm_lines_next(csv->lines, &text, &length, error);
        CM_THEN(status, append_provenance(csv, text, length, error));
        CM_THEN(status, cm_lines_peek(csv->lines, &next, error));
    }
    return status;
}

/* CM_BAD_INPUT if a column of the header has no name, or the name of another. */
static cm_status check_header(const cm_csv *csv, cm_error *error)
{
    cm_csv_row header = cm_csv_header(csv);
    cm_name_index *names = NULL;
    cm_status status = cm_name_index_create(&names, error);
    for (size_t i = 0; i < header.count && status == CM_OK; i++) {
        size_t first;
        status = cm_csv_name(csv, &header, i, error);
        if (status == CM_OK && cm_name_index_find(names, header.fields[i], &first))
            status = cm_error_set(error, CM_BAD_INPUT, csv->path, header.line, 0,
                                  "column '%s' appears twice in the header", header.fields[i]);
        CM_THEN(status, cm_name_index_add(names, header.fields[i], i, error));
    }
    cm_name_index_free(names);
    return status;
}

/* Reads the `#` lines and the header, and checks the header. */
static cm_status read_header(cm_csv *csv, cm_error *error)
{
    cm_status status = read_provenance(csv, error);
    bool found = false;
    CM_THEN(status, read_row(csv, &found, error));
    if (status != CM_OK)
        return status;
    if (!found)
        return set_fault(csv, cm_lines_number(csv->lines), error,
                         csv->provenance == NULL ? "the file is empty, expected a header line"
                                                 : "there is no header line");
    csv->header = *csv->row;
    csv->header_line = csv->row_line;
    *csv->row = (cm_csv_texts){0};
    return check_header(csv, error);
}

cm_status cm_csv_open(const char *path, cm_csv **csv, cm_error *error)
{
    cm_csv *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    opened->path = strdup(path);
    opened->fields = cm_csv_fields_create();
    if (opened->path == NULL || opened->fields == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_lines_open(opened->path, CM_CSV_ROW_LIMIT, &opened->lines, error));
    CM_THEN(status, read_header(opened, error));
    CM_HAND_OVER(status, csv, opened, cm_csv_close);
    return status;
}

void cm_csv_close(cm_csv *csv)
{
    if (csv == NULL)
        return;
    cm_csv_fields_free(csv->fields);
    cm_lines_close(csv->lines);
    cm_csv_texts_clear(&csv->header);
    CM_FREE(csv->provenance, csv->path, csv);
}

CM_GETTER(const char *cm_csv_path(const cm_csv *csv), csv->path)

const char *cm_csv_provenance(const cm_csv *csv)
{
    return csv->provenance != NULL ? csv->provenance : "";
}

cm_csv_row cm_csv_header(const cm_csv *csv)
{
    return (cm_csv_row){.line = csv->header_line, .count = csv->header.count, .fields = csv->header.fields};
}

size_t cm_csv_find_column(const cm_csv *csv, const char *name)
{
    const size_t column = CM_FIND(name, csv->header.fields, csv->header.count);
    return column < csv->header.count ? column : SIZE_MAX;
}

size_t cm_csv_offset(const cm_csv *csv)
{
    return cm_lines_offset(csv->lines);
}

cm_status cm_csv_expect(const cm_csv *csv, size_t count, const char *const *columns, bool more, cm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (i >= csv->header.count || strcmp(csv->header.fields[i], columns[i]) != 0)
            return cm_error_set(error, CM_BAD_INPUT, csv->path, csv->header_line, 0,
                                "column %zu is '%s', expected '%s'", i + 1,
                                i < csv->header.count ? csv->header.fields[i] : "(missing)", columns[i]);
    if (!more && csv->header.count > count)
        return cm_error_set(error, CM_BAD_INPUT, csv->path, csv->header_line, 0, "unknown column '%s' after '%s'",
                            csv->header.fields[count], columns[count - 1]);
    return CM_OK;
}

bool cm_csv_more(cm_csv *csv, cm_csv_row *row, cm_status *status, cm_error *error)
{
    bool found = false;
    if (*status == CM_OK)
        *status = cm_csv_next(csv, row, &found, error);
    return *status == CM_OK && found;
}

cm_status cm_csv_next(cm_csv *csv, cm_csv_row *row, bool *found, cm_error *error)
{
    bool any = false;
    cm_status status = read_row(csv, &any, error);
    if (status != CM_OK)
        return status;
    if (any && csv->row->count != csv->header.count)
        return cm_error_set(error, CM_BAD_INPUT, csv->path, csv->row_line, 0,
                            "%zu fields in this row, expected %zu as in the header", csv->row->count,
                            csv->header.count);
    *found = any;
    if (any)
        *row = (cm_csv_row){.line = csv->row_line, .count = csv->row->count, .fields = csv->row->fields};
    return CM_OK;
}

cm_status cm_csv_look_ahead(cm_csv *csv, char **text, size_t *length, cm_error *error)
{
    return cm_lines_look_ahead(csv->lines, text, length, error);
}

size_t cm_csv_pass_line(cm_csv *csv, size_t length)
{
    cm_lines_pass(csv->lines, length);
    return cm_lines_number(csv->lines);
}

static cm_status name_field(const cm_csv *csv, const cm_csv_row *row, size_t field, cm_status status,
                            const cm_error *inner, cm_error *error)
{
    if (status != CM_BAD_INPUT)
        return CM_FAIL(error, status, "%s", inner->text);
    return cm_error_set(error, status, csv->path, row->line, 0, "column '%s': %s", csv->header.fields[field],
                        inner->text);
}

cm_status cm_csv_number(const cm_csv *csv, const cm_csv_row *row, size_t field, double *value, cm_error *error)
{
    cm_error inner;
    cm_status status = cm_number_parse(row->fields[field], value, &inner);
    return status == CM_OK ? status : name_field(csv, row, field, status, &inner, error);
}

cm_status cm_csv_size(const cm_csv *csv, const cm_csv_row *row, size_t field, size_t *value, cm_error *error)
{
    cm_error inner;
    cm_status status = cm_number_parse_size(row->fields[field], value, &inner);
    return status == CM_OK ? status : name_field(csv, row, field, status, &inner, error);
}

cm_status cm_csv_name(const cm_csv *csv, const cm_csv_row *row, size_t field, cm_error *error)
{
    const char *text = row->fields[field];
    const char *problem = *text == '\0'                     ? "is empty"
                          : strpbrk(text, "\r\n\t") != NULL ? "holds a line break or tab"
                                                            : NULL;
    if (problem == NULL)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, csv->path, row->line, 0, "field %zu %s, expected a name", field + 1,
                        problem);
}

void cm_csv_write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool blank_end = length > 0 && (strchr(" \t#", text[0]) != NULL || strchr(" \t", text[length - 1]) != NULL);
    if (blank_end || strpbrk(text, ",\"\r\n") != NULL)
        csv_fwrite(stream, text, length);
    else
        fwrite(text, 1, length, stream);
}

void cm_csv_write_row(FILE *stream, const char *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i != 0 ? "," : "", stream);
        cm_csv_write_field(stream, fields[i]);
    }
    fputc('\n', stream);
}

void cm_csv_write_cell(FILE *stream, const char *text)
{
    double number;
    if (text[0] == '\0' || strchr("=+-@\t\r", text[0]) == NULL || cm_number_parse(text, &number, NULL) == CM_OK) {
        cm_csv_write_field(stream, text);
        return;
    }
    fputs("\"'", stream);
    for (const char *c = text; *c != '\0'; c++)
        fputs(*c == '"' ? "\"\"" : (const char[]){*c, '\0'}, stream);
    fputc('"', stream);
}
