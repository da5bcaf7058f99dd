#include "sweep/record/record.h"

/* Members that describe the kind of a machine; they are the same on all machines of a cluster. */
static const char *const machine_keys[] = {"vendor", "model_name",       "family",         "model", "stepping",
                                           "cores",  "processing_units", "kernel_release", "gpu"};
static const char *const keys[] = {"schema", "catmint",         "pmu", "papi_version", "repetitions", "options",
                                   "model",  "prefixed_events", "core"};
static const char *const benchmark_keys[] = {"benchmark", "threads", "repetitions", "kernels"};

/* NULL without memory. */
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
    json_t *identity = copy_keys(manifest, keys, CM_COUNT_OF(keys)), *benchmarks = json_array();
    json_t *machine = copy_keys(json_object_get(manifest, "machine"), machine_keys, CM_COUNT_OF(machine_keys));
    const json_t *all = json_object_get(manifest, "benchmarks");
    for (size_t i = 0; i < json_array_size(all) && benchmarks != NULL; i++)
        benchmarks =
            cm_json_append(benchmarks, copy_keys(json_array_get(all, i), benchmark_keys, CM_COUNT_OF(benchmark_keys)));
    identity = cm_json_set(identity, "machine", machine);
    return cm_json_set(identity, "benchmarks", benchmarks);
}

json_t *cm_sweep_request(const json_t *manifest)
{
    static const char *const asked[] = {"pmu", "repetitions", "options", "shard"}, *const named[] = {"benchmark"};
    json_t *request = copy_keys(manifest, asked, CM_COUNT_OF(asked)), *benchmarks = json_array();
    const json_t *all = json_object_get(manifest, "benchmarks");
    for (size_t i = 0; i < json_array_size(all) && benchmarks != NULL; i++)
        if (json_object_get(json_array_get(all, i), CM_EARLIER_KEY) == NULL)
            benchmarks = cm_json_append(benchmarks, copy_keys(json_array_get(all, i), named, 1));
    return cm_json_set(request, "benchmarks", benchmarks);
}

json_t *cm_sweep_ground(const json_t *manifest)
{
    static const char *const same[] = {"schema", "pmu", "papi_version", "model", "prefixed_events", "core", "shard"};
    static const char *const chosen[] = {"uncore", "raw"};
    json_t *ground = copy_keys(manifest, same, CM_COUNT_OF(same));
    ground = cm_json_set(ground, "options", copy_keys(json_object_get(manifest, "options"), chosen, 2));
    return cm_json_set(ground, "machine",
                       copy_keys(json_object_get(manifest, "machine"), machine_keys, CM_COUNT_OF(machine_keys)));
}

/* The selected events: with the same options another model, or another PAPI, has others. */
static json_t *list_selected(const cm_sweep_state *state)
{
    json_t *array = json_array();
    bool complete = array != NULL;
    for (size_t i = 0; i < state->event_count; i++)
        if (state->selected[i])
            complete = complete && json_array_append_new(array, json_string(cm_sweep_key(state, i))) == 0;
    if (complete)
        return array;
    json_decref(array);
    return NULL;
}

json_t *cm_sweep_describe_identity(const cm_sweep_state *state)
{
    json_t *manifest = cm_sweep_describe(state);
    if (manifest == NULL)
        return NULL;
    json_t *identity = cm_sweep_identity(manifest);
    identity = cm_json_set(identity, "shard", json_incref(json_object_get(manifest, "shard")));
    json_decref(manifest);
    identity = cm_json_set(identity, "selected events", list_selected(state));
    return cm_json_set(identity, "max_buffer", json_integer((json_int_t)state->max_buffer));
}
