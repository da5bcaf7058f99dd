/* The names of PAPI's presets: data/papi-presets.csv. */
#include <catmint/data_path.h>

#include "formats/papi/papi.h"

struct cm_papi_presets {
    size_t count;
    char **names;
};

static cm_status take_preset(const char *name, cm_papi_presets *presets, cm_error *error)
{
    if (!CM_GROW_BY_ONE(presets->names, presets->count))
        return cm_error_no_memory(error);
    presets->names[presets->count] = strdup(name);
    return presets->names[presets->count] != NULL ? (presets->count++, CM_OK) : cm_error_no_memory(error);
}

/* Reads the names. */
static cm_status read_file(const char *path, cm_papi_presets *presets, cm_error *error)
{
    static const char *const columns[] = {"preset"};
    cm_csv *csv = NULL;
    cm_csv_row row;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, cm_csv_expect(csv, 1, columns, true, error));
    while (cm_csv_more(csv, &row, &status, error))
        status = take_preset(row.fields[0], presets, error);
    cm_csv_close(csv);
    return status;
}

cm_status cm_papi_presets_load(cm_papi_presets **presets, cm_error *error)
{
    char *path = NULL;
    cm_papi_presets *loaded = calloc(1, sizeof *loaded);
    cm_status status = loaded != NULL ? cm_data_path("data/papi-presets.csv", &path, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        status = read_file(path, loaded, error);
    else if (status == CM_IO)
        status = CM_OK; /* the user's own data */
    free(path);
    CM_HAND_OVER(status, presets, loaded, cm_papi_presets_free);
    return status;
}

void cm_papi_presets_free(cm_papi_presets *presets)
{
    if (presets == NULL)
        return;
    cm_free_list(presets->names, presets->count);
    free(presets);
}

bool cm_papi_presets_know(const cm_papi_presets *presets, const char *name)
{
    for (size_t i = 0; i < presets->count; i++)
        if (strcasecmp(presets->names[i], name) == 0)
            return true;
    return presets->count == 0;
}
