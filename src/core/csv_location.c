#include "core/csv.h"

/* A walk through a row; an open quote continues it on the next line. */
typedef struct row_walk {
    size_t fields; /* commas passed */
    bool quoted;
} row_walk;

/* The offset behind the comma before the field; `length` if the field is not on this line. */
static size_t walk_line(row_walk *walk, const char *text, size_t length, size_t field)
{
    size_t at = 0;
    for (; at < length && walk->fields < field; at++) {
        if (text[at] == '"')
            walk->quoted = !walk->quoted;
        else if (text[at] == ',' && !walk->quoted)
            walk->fields++;
    }
    return at;
}

cm_status cm_csv_locate(const char *path, size_t row_line, size_t field, size_t *line, size_t *column, cm_error *error)
{
    cm_lines *lines = NULL;
    row_walk walk = {0, false};
    cm_status status = cm_lines_open(path, CM_CSV_ROW_LIMIT, &lines, error);
    while (status == CM_OK) {
        const char *text = NULL;
        size_t length = 0;
        status = cm_lines_next(lines, &text, &length, error);
        if (status == CM_OK && text == NULL)
            status = cm_error_set(error, CM_BAD_INPUT, path, row_line, 0, "the row has no field %zu", field + 1);
        if (status != CM_OK || cm_lines_number(lines) < row_line)
            continue;
        size_t at = walk_line(&walk, text, length, field);
        if (walk.fields < field)
            continue;
        while (at < length && (text[at] == ' ' || text[at] == '\t'))
            at++;
        at += at < length && text[at] == '"';
        *line = cm_lines_number(lines);
        *column = cm_lines_column(text, at);
        break;
    }
    cm_lines_close(lines);
    return status;
}
