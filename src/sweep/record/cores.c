/* cores.json: the types of cores that were swept into a directory, each into a directory of its name. */
#include <catmint/sweep.h>

#include "core/json.h"
#include "software_pmu/model/model.h"

#define SCHEMA "catmint.cores/1"

static char *file_in(const char *directory)
{
    return cm_path_join(directory, "cores", ".json");
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool cm_sweep_has_cores(const char *directory)
{
    char *path = file_in(directory);
    bool found = path != NULL && is_file(path);
    free(path);
    return found;
}

static bool take_text(const json_t *item, const char *key, char text[CM_CORE_TEXT])
{
    const char *value = json_string_value(json_object_get(item, key));
    if (value == NULL || strlen(value) >= CM_CORE_TEXT)
        return false;
    strcpy(text, value);
    return true;
}

static bool take_core(const json_t *item, const cm_core_type *before, size_t count, cm_core_type *core)
{
    bool taken = take_text(item, "core", core->name) && take_text(item, "cpus", core->cpus) &&
                 take_text(item, "pmu", core->pmu) && cm_core_is_word(core->name);
    for (size_t i = 0; i < count && taken; i++)
        taken = strcmp(before[i].name, core->name) != 0;
    return taken;
}

/* Reads the types from the document. */
static cm_status take_list(const json_t *document, const char *path, cm_core_type types[CM_CORE_TYPES], size_t *count,
                           cm_error *error)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    const json_t *list = json_object_get(document, "cores");
    if (schema == NULL || strcmp(schema, SCHEMA) != 0 || json_array_size(list) == 0 ||
        json_array_size(list) > CM_CORE_TYPES)
        return cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                            "expected the schema \"" SCHEMA "\" and 1 to %d types of cores", CM_CORE_TYPES);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!take_core(json_array_get(list, i), types, i, &types[i]))
            return cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                                "core %zu has no core, cpus and pmu, or repeats another one's name", i + 1);
    *count = json_array_size(list);
    return CM_OK;
}

cm_status cm_sweep_cores_read(const char *directory, cm_core_type types[CM_CORE_TYPES], size_t *count, cm_error *error)
{
    json_t *document = NULL;
    char *path = file_in(directory);
    *count = 0;
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    if (is_file(path))
        status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the list of core types of a sweep", &document, error);
    if (status == CM_OK && document != NULL)
        status = take_list(document, path, types, count, error);
    json_decref(document);
    free(path);
    return status;
}

cm_status cm_sweep_cores_write(const char *directory, const cm_core_type *types, size_t count, cm_error *error)
{
    json_t *list = json_array();
    char *path = file_in(directory);
    for (size_t i = 0; i < count; i++)
        list = cm_json_append(
            list, json_pack("{s:s, s:s, s:s}", "core", types[i].name, "cpus", types[i].cpus, "pmu", types[i].pmu));
    json_t *document = json_pack("{s:s, s:o}", "schema", SCHEMA, "cores", list);
    cm_status status = path != NULL ? cm_json_save(document, path, error) : cm_error_no_memory(error);
    json_decref(document);
    free(path);
    return status;
}
