/* CSV files of fixed columns, read by one function a row. */
#include "core/csv.h"

#include <catmint/data_path.h>

cm_status cm_csv_each_row(cm_csv *csv, size_t count, const char *const *columns, cm_csv_take take, void *data,
                          cm_error *error)
{
    cm_csv_row row;
    cm_status status = cm_csv_expect(csv, count, columns, false, error);
    while (cm_csv_more(csv, &row, &status, error))
        status = take(csv, &row, data, error);
    return status;
}

cm_status cm_csv_each(const char *path, size_t count, const char *const *columns, cm_csv_take take, void *data,
                      cm_error *error)
{
    cm_csv *csv = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, cm_csv_each_row(csv, count, columns, take, data, error));
    cm_csv_close(csv);
    return status;
}

cm_status cm_csv_each_data(const char *name, size_t count, const char *const *columns, cm_csv_take take, void *data,
                           cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path(name, &path, error);
    CM_THEN(status, cm_csv_each(path, count, columns, take, data, error));
    free(path);
    return status;
}
