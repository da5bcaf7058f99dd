#include "validation/manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json_build.h"
#include "core/record.h"
#include "tables/measured.h"

/* A member that must be there. Kinds: s text, i whole number, n number, b truth, a array, o object; ? or null. */
struct member {
    const char *key, *kinds;
};

static const struct member swept[] = {
    {"catmint", "s"},    {"machine", "o"},     {"pmu", "s"},        {"pmu_reason", "s"}, {"papi_version", "s?"},
    {"model", "o?"},     {"repetitions", "i"}, {"benchmarks", "a"}, {"events", "o"},     {"prefixed_events", "a"},
    {"components", "a"}, {"options", "o"},     {"shard", "o?"},     {"started", "s"},    {"seconds", "n"},
    {"findings", "a?"},  {"files", "a"},       {"checksum", "s"},
};
static const struct member imported[] = {{"catmint", "s"}, {"repetitions", "i"}, {"files", "a"}, {"checksum", "s"}};
static const struct member foreign[] = {{"machine", "o"}, {"pmu", "s"}, {"benchmarks", "a"}};
static const struct member machine[] = {
    {"vendor", "s?"}, {"model_name", "s?"},       {"family", "i"},          {"model", "i"},        {"stepping", "i"},
    {"cores", "i?"},  {"processing_units", "i?"}, {"kernel_release", "s?"}, {"architecture", "s"},
};
static const struct member options[] = {{"events", "a"},      {"events_file", "s?"},      {"components", "a"},
                                        {"qualifiers", "i?"}, {"repetitions", "i"},       {"threads", "i"},
                                        {"max_buffer", "i"},  {"max_kernel_seconds", "n"}};
static const struct member events[] = {{"counted", "i"}, {"unavailable", "i"}};
static const struct member benchmark[] = {{"benchmark", "s"},   {"file", "s"},    {"threads", "i"},
                                          {"repetitions", "i"}, {"kernels", "a"}, {"left_out", "a"}};
static const struct member kernel[] = {{"kernel", "s"}, {"iterations", "i"}};

static bool is_of(const json_t *value, const char *kinds)
{
    bool fits = json_is_null(value) && strchr(kinds, '?') != NULL;
    switch (kinds[0]) {
    case 's': return fits || json_is_string(value);
    case 'i': return fits || json_is_integer(value);
    case 'n': return fits || json_is_number(value);
    case 'a': return fits || json_is_array(value);
    default: return fits || json_is_object(value);
    }
}

static cm_status broken(const char *path, const char *what, const char *key, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "the bundle was changed: '%.200s' %s%s", path, what, key);
}

static cm_status check_members(const json_t *object, const struct member *members, size_t count, const char *path,
                               cm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!is_of(json_object_get(object, members[i].key), members[i].kinds))
            return broken(path, "is no manifest of catmint, which has another member ", members[i].key, error);
    return CM_OK;
}

#define CHECK(object, members, path, error)                                                                            \
    check_members(object, members, sizeof members / sizeof members[0], path, error)

static cm_status check_benchmark(const json_t *manifest, const json_t *one, const char *path, cm_error *error)
{
    cm_file_mark mark;
    cm_status status = CHECK(one, benchmark, path, error);
    const json_t *kernels = json_object_get(one, "kernels");
    for (size_t i = 0; status == CM_OK && i < json_array_size(kernels); i++)
        status = CHECK(json_array_get(kernels, i), kernel, path, error);
    const char *file = json_string_value(json_object_get(one, "file"));
    if (status == CM_OK && !cm_record_find(manifest, file, &mark))
        status = broken(path, "does not list the table ", file, error);
    return status;
}

static cm_status check_sweep(const json_t *manifest, const char *path, cm_error *error)
{
    cm_status status = CHECK(manifest, swept, path, error);
    if (status == CM_OK)
        status = CHECK(json_object_get(manifest, "machine"), machine, path, error);
    if (status == CM_OK)
        status = CHECK(json_object_get(manifest, "options"), options, path, error);
    if (status == CM_OK)
        status = CHECK(json_object_get(manifest, "events"), events, path, error);
    return status;
}

/* Its checksum, and what it says of its tables. */
static cm_status check_record(const json_t *manifest, const char *path, cm_error *error)
{
    const json_t *benchmarks = json_object_get(manifest, "benchmarks");
    cm_status status = CM_OK;
    if (!cm_record_is_sealed(manifest))
        status = errno == ENOMEM ? cm_error_no_memory(error)
                                 : broken(path, "does not have the checksum that it says", "", error);
    for (size_t i = 0; status == CM_OK && i < json_array_size(benchmarks); i++)
        status = check_benchmark(manifest, json_array_get(benchmarks, i), path, error);
    return status;
}

static bool has(const json_t *manifest, const char *key)
{
    return json_object_get(manifest, key) != NULL;
}

cm_status cm_manifest_check(const char *file, const char *path, cm_error *error)
{
    json_t *manifest = NULL;
    cm_status status = cm_json_load(file, JSON_REJECT_DUPLICATES, "the manifest of a sweep", &manifest, error);
    if (status != CM_OK)
        return status;
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    bool written = has(manifest, "catmint") || has(manifest, "files") || has(manifest, "checksum");
    if (schema == NULL || (strcmp(schema, CM_SWEEP_SCHEMA) != 0 && strcmp(schema, CM_IMPORT_SCHEMA) != 0))
        status = broken(path, "is no manifest of catmint, which has another member ", "schema", error);
    else if (strcmp(schema, CM_IMPORT_SCHEMA) == 0)
        status = CHECK(manifest, imported, path, error);
    else
        status = written ? check_sweep(manifest, path, error) : CHECK(manifest, foreign, path, error);
    if (status == CM_OK && written)
        status = check_record(manifest, path, error);
    json_decref(manifest);
    return status;
}
