#include "tables/tables.h"

/* The text behind the mark at the beginning of a line; NULL: no line begins with it. */
static const char *find_mark(const char *lines)
{
    const size_t length = strlen(CM_NOT_COMPARABLE_MARK);
    for (const char *line = lines; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, CM_NOT_COMPARABLE_MARK, length) == 0)
            return line + length;
    }
    return NULL;
}

cm_status cm_table_not_comparable(const char *path, char **why, cm_error *error)
{
    cm_csv *csv = NULL;
    *why = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status != CM_OK)
        return status == CM_NO_MEMORY ? status : CM_OK;
    const char *mark = find_mark(cm_csv_provenance(csv));
    *why = mark != NULL ? strndup(mark, strcspn(mark, "\n")) : NULL;
    status = mark != NULL && *why == NULL ? cm_error_no_memory(error) : CM_OK;
    cm_csv_close(csv);
    return status;
}
