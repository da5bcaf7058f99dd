/* Whether an llvm-mca knows the processor for which it predicts. */
#include "machines/roofline.h"

struct names {
    const char *identity, *host;
    bool fit;
};

static cm_status match_names(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    (void)error;
    struct names *names = data;
    names->fit = names->fit || (cm_pattern_fits_whole(row->fields[0], names->identity) &&
                                cm_pattern_fits_whole(row->fields[1], names->host));
    return CM_OK;
}

cm_status cm_mca_knows(const char *printed, const char *identity, char host[CM_MCA_NAME], bool *knows, cm_error *error)
{
    static const char *const columns[] = {"identity", "llvm"};
    static const char label[] = "Host CPU: ";
    const char *found = strstr(printed, label);
    char *path = NULL;
    snprintf(host, CM_MCA_NAME, "%.*s", found != NULL ? (int)strcspn(found + strlen(label), " \r\n") : 0,
             found != NULL ? found + strlen(label) : "");
    struct names names = {identity, host, false};
    cm_status status = cm_data_path("data/llvm-processors.csv", &path, error);
    CM_THEN(status, cm_csv_each(path, 2, columns, match_names, &names, error));
    free(path);
    if (status == CM_OK)
        *knows = names.fit;
    return status;
}
