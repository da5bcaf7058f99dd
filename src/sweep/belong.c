#include "sweep/belong.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/json_build.h"

/* A machine's kind: what is another on each machine of a cluster is not in it. */
static const char *const machine_keys[] = {"vendor",   "model_name", "family",           "model",
                                           "stepping", "cores",      "processing_units", "kernel_release"};
static const char *const keys[] = {"schema", "catmint", "pmu", "papi_version", "repetitions", "options", "model"};
static const char *const benchmark_keys[] = {"benchmark", "threads", "kernels"};

/* NULL where memory is short. */
static json_t *copy_keys(const json_t *from, const char *const *names, size_t count)
{
    json_t *copied = json_object();
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(from, names[i]);
        copied = cm_json_set(copied, names[i], value != NULL ? json_incref(value) : json_null());
    }
    return copied;
}

json_t *cm_sweep_identity(const json_t *manifest)
{
    json_t *identity = copy_keys(manifest, keys, sizeof keys / sizeof keys[0]), *benchmarks = json_array();
    json_t *machine =
        copy_keys(json_object_get(manifest, "machine"), machine_keys, sizeof machine_keys / sizeof machine_keys[0]);
    const json_t *all = json_object_get(manifest, "benchmarks");
    for (size_t i = 0; i < json_array_size(all) && benchmarks != NULL; i++)
        benchmarks = cm_json_append(benchmarks, copy_keys(json_array_get(all, i), benchmark_keys,
                                                          sizeof benchmark_keys / sizeof benchmark_keys[0]));
    identity = cm_json_set(identity, "machine", machine);
    return cm_json_set(identity, "benchmarks", benchmarks);
}

static void write_value(const json_t *value, char *text, size_t size)
{
    char *dump = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    snprintf(text, size, "%.120s", dump != NULL ? dump : "nothing");
    free(dump);
}

static bool compare(const json_t *first, const json_t *second, const char *name, char *text, size_t size);

static bool compare_members(const json_t *first, const json_t *second, const char *name, char *text, size_t size)
{
    char path[256];
    const char *key;
    json_t *value;
    json_t *members = (json_t *)(uintptr_t)first; /* json_object_foreach wants it so, and changes nothing */
    json_object_foreach(members, key, value)
    {
        snprintf(path, sizeof path, "%s%s%s", name, name[0] != '\0' ? "." : "", key);
        if (!compare(value, json_object_get(second, key), path, text, size))
            return false;
    }
    return true;
}

static bool compare(const json_t *first, const json_t *second, const char *name, char *text, size_t size)
{
    if (json_is_object(first) && json_is_object(second))
        return compare_members(first, second, name, text, size);
    if (json_is_array(first) && json_is_array(second) && json_array_size(first) == json_array_size(second)) {
        for (size_t i = 0; i < json_array_size(first); i++) {
            char path[256];
            snprintf(path, sizeof path, "%s[%zu]", name, i);
            if (!compare(json_array_get(first, i), json_array_get(second, i), path, text, size))
                return false;
        }
        return true;
    }
    if (first != NULL && second != NULL && json_equal(first, second))
        return true;
    char ours[128], theirs[128];
    write_value(first, ours, sizeof ours);
    write_value(second, theirs, sizeof theirs);
    snprintf(text, size, "%s is %s here and was %s", name, theirs, ours);
    return false;
}

bool cm_same_identity(const json_t *first, const json_t *second, char *text, size_t size)
{
    return compare(first, second, "", text, size);
}

cm_status cm_sweeps_belong(const json_t *first, const json_t *second, const char *path, cm_error *error)
{
    char text[512];
    json_t *ours = cm_sweep_identity(first), *theirs = cm_sweep_identity(second);
    bool complete = ours != NULL && theirs != NULL;
    bool same = complete && cm_same_identity(ours, theirs, text, sizeof text);
    json_decref(ours);
    json_decref(theirs);
    if (!complete)
        return cm_error_no_memory(error);
    return same ? CM_OK : cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "does not belong to the first sweep: %s", text);
}
