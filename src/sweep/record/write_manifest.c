/* manifest.json: machine, options and kernels of a sweep. */
#include "counting/doctor/doctor.h"
#include "sweep/record/record.h"

#include <hwloc.h>

#include <catmint/version.h>

#include "cat-kernels/registry.h"

/* The GPU that counts, or the number of GPUs; NULL: none does. */
static json_t *describe_gpu(const cm_counting *counting)
{
    char text[2 * sizeof counting->gpu->devices[0].name] = "";
    if (!cm_counting_stays(counting))
        return NULL;
    const cm_gpu_session *gpu = counting->gpu;
    if (gpu->device_count > 1)
        snprintf(text, sizeof text, "%zu x ", gpu->device_count);
    cm_text_append(text, sizeof text, "", "%s (%s)", gpu->devices[0].name, gpu->devices[0].target);
    return cm_json_text(text);
}

/* The processor, its topology, and the system. */
static json_t *describe_machine(const cm_counting *counting)
{
    cm_machine machine;
    cm_machine_read(&machine);
    int cores = 0, units = 0;
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0) {
            cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
            units = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
        }
        hwloc_topology_destroy(topology);
    }
    return json_pack("{s:o, s:o, s:i, s:i, s:i, s:b, s:o, s:o, s:b, s:o, s:o, s:o, s:s, s:o*}", "vendor",
                     cm_json_name(machine.vendor), "model_name", cm_json_name(machine.model_name), "family",
                     (int)machine.family, "model", (int)machine.model, "stepping", (int)machine.stepping, "emulated",
                     (int)machine.emulated, "cores", cores > 0 ? json_integer(cores) : json_null(), "processing_units",
                     units > 0 ? json_integer(units) : json_null(), "virtual", (int)machine.hypervisor, "hypervisor",
                     cm_json_name(machine.hypervisor_name), "kernel_release", cm_json_name(machine.kernel_release),
                     "microcode", cm_json_name(machine.microcode), "architecture", cm_kernel_architecture, "gpu",
                     describe_gpu(counting));
}

/* The kernels that ran, with iterations and chains. */
static json_t *describe_kernels(const cm_sweep_benchmark *benchmark)
{
    json_t *kernels = json_array();
    for (size_t i = 0; i < benchmark->kernel_count && kernels != NULL; i++) {
        json_t *kernel = json_pack("{s:s, s:I}", "kernel", benchmark->kernels[i]->name, "iterations",
                                   (json_int_t)benchmark->iterations[i]);
        if (benchmark->kernels[i]->level != 0) {
            kernel = cm_json_set(kernel, "buffer", json_integer((json_int_t)benchmark->placements[i].extent));
            kernel = cm_json_set(kernel, "stride", json_integer((json_int_t)benchmark->placements[i].stride));
        }
        kernels = cm_json_append(kernels, kernel);
    }
    return kernels;
}

/* The kernels that were left out, each with the reason. */
static json_t *describe_left_out(const cm_sweep_benchmark *benchmark)
{
    json_t *kernels = json_array();
    unsigned available = cm_isa_available();
    for (size_t i = 0; i < benchmark->left_out_count; i++) {
        const cm_left_out *out = &benchmark->left_out[i];
        char missing[128];
        cm_isa_names(out->kernel->isa & ~available, missing, sizeof missing);
        bool placed = out->reason[0] == '\0';
        kernels = cm_json_append(kernels, json_pack("{s:s, s:s}", "kernel", out->kernel->name,
                                                    placed ? "missing" : "reason", placed ? missing : out->reason));
    }
    return kernels;
}

/* The benchmarks, but those without a table. */
static json_t *describe_benchmarks(const cm_sweep_state *state)
{
    json_t *benchmarks = json_array();
    for (size_t i = 0; i < state->benchmark_count; i++) {
        const cm_sweep_benchmark *benchmark = &state->benchmarks[i];
        size_t threads = benchmark->threads != 0 ? benchmark->threads : 1;
        if (state->ended_early && cm_sweep_count_kept(state, benchmark) == 0)
            continue; /* no table */
        benchmarks = cm_json_append(
            benchmarks, json_pack("{s:s, s:o, s:I, s:I, s:o, s:o}", "benchmark", benchmark->name, "file",
                                  json_sprintf("%s.csv", benchmark->name), "threads", (json_int_t)threads,
                                  "repetitions", (json_int_t)cm_sweep_repetitions(state, benchmark), "kernels",
                                  describe_kernels(benchmark), "left_out", describe_left_out(benchmark)));
    }
    return benchmarks;
}

/* The components, with the reasons of those that failed. */
static json_t *describe_components(const cm_sweep_state *state)
{
    json_t *components = json_array();
    for (size_t i = 0; i < cm_counting_component_count(state->counting); i++) {
        cm_component_info component = cm_counting_component(state->counting, i);
        components = cm_json_append(
            components, json_pack("{s:o, s:b, s:o, s:o, s:I}", "component", cm_json_text(component.name), "enabled",
                                  (int)component.enabled, "reason", cm_json_text(component.reason), "hint",
                                  cm_json_text(component.hint), "events", (json_int_t)component.event_count));
    }
    return components;
}

/* Adds the members of `more`, which may be NULL. */
static json_t *add_members(json_t *object, const json_t *more)
{
    const char *key;
    json_t *value;
    json_t *members = (json_t *)(uintptr_t)more; /* it is not changed */
    json_object_foreach(members, key, value) object = cm_json_set(object, key, json_incref(value));
    return object;
}

/* The options, as far as they decide on the counts. */
static json_t *describe_options(const cm_sweep_options *options)
{
    bool listed = options->qualifiers == CM_QUALIFIERS_AS_LISTED;
    const char *file = options->events_file;
    json_t *described = json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:f}", "events", cm_json_strings(options->events, options->events_count),
        "events_file", file != NULL ? cm_json_text(file) : json_null(), "components",
        cm_json_strings(options->components, options->component_count), "qualifiers",
        listed ? json_null() : json_integer((json_int_t)options->qualifiers), "repetitions",
        (json_int_t)options->repetitions, "threads", (json_int_t)options->threads, "max_buffer",
        (json_int_t)options->max_buffer, "max_kernel_seconds", options->max_kernel_seconds);
    if (options->uncore)
        described = cm_json_set(described, "uncore", json_true());
    return options->raw != NULL ? cm_json_set(described, "raw", cm_json_text(options->raw)) : described;
}

static json_t *describe_shard(const cm_sweep_options *options)
{
    if (options->shard == 0)
        return json_null();
    return json_pack("{s:I, s:I}", "number", (json_int_t)options->shard, "of", (json_int_t)options->shards);
}

void cm_sweep_model_checksum(const cm_pmu_model *model, char text[CM_MODEL_CHECKSUM_SIZE])
{
    snprintf(text, CM_MODEL_CHECKSUM_SIZE, "fnv1a64:%016llx", (unsigned long long)cm_pmu_model_checksum(model));
}

void cm_sweep_machine_checksum(const cm_pmu_model *model, char text[CM_MODEL_CHECKSUM_SIZE])
{
    snprintf(text, CM_MODEL_CHECKSUM_SIZE, "fnv1a64:%016llx", (unsigned long long)cm_pmu_model_machine_checksum(model));
}

/* The model's machine; null for hardware. */
static json_t *describe_model(const cm_sweep_state *state)
{
    const cm_pmu_model *model = cm_counting_model(state->counting);
    if (model == NULL)
        return json_null();
    const cm_pmu_machine *machine = cm_pmu_model_machine(model);
    char checksum[CM_MODEL_CHECKSUM_SIZE];
    cm_sweep_model_checksum(model, checksum);
    return json_pack("{s:I, s:I, s:I, s:I, s:s, s:f, s:s}", "l1d_size", (json_int_t)machine->l1d_size, "l2_size",
                     (json_int_t)machine->l2_size, "l3_size", (json_int_t)machine->l3_size, "counters",
                     (json_int_t)machine->counters, "predictor", machine->predictor, "interference",
                     machine->interference, "checksum", checksum);
}

json_t *cm_sweep_describe(const cm_sweep_state *state)
{
    char started[32] = "";
    struct tm utc;
    if (gmtime_r(&state->started, &utc) != NULL)
        strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    cm_sweep_summary summary = cm_sweep_summarise(state);
    const json_t *options = state->extension != NULL ? state->extension->options : NULL;
    const json_t *more = state->extension != NULL ? state->extension->manifest : NULL;
    json_t *manifest = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:s, s:f, s:o}", "schema",
        CM_SWEEP_SCHEMA, "catmint", CATMINT_VERSION, "machine", describe_machine(state->counting), "pmu",
        cm_json_text(cm_counting_pmu(state->counting)), "pmu_reason", cm_json_text(cm_counting_reason(state->counting)),
        "papi_version", cm_json_text(cm_counting_papi_version(state->counting)), "model", describe_model(state),
        "repetitions", (json_int_t)cm_sweep_repetitions(state, NULL), "benchmarks", describe_benchmarks(state),
        "events", "counted", (json_int_t)summary.counted, "unavailable", (json_int_t)summary.unavailable,
        "prefixed_events", cm_sweep_describe_prefixed(state), "components", describe_components(state), "options",
        add_members(describe_options(state->options), options), "shard", describe_shard(state->options), "started",
        started, "seconds", cm_sweep_seconds(state), "findings",
        state->doctor != NULL ? cm_doctor_json(state->doctor) : json_null());
    const cm_core_type *core = cm_counting_core(state->counting);
    if (core != NULL) {
        manifest = cm_json_set(manifest, "core", cm_json_text(core->name));
        manifest = cm_json_set(manifest, "core_cpus", cm_json_text(core->cpus));
    }
    if (state->ended_early)
        manifest = cm_json_set(manifest, CM_INCOMPLETE_KEY, cm_sweep_describe_incomplete(state));
    if (state->line != 0)
        manifest = cm_json_set(manifest, CM_LINE_KEY, json_integer((json_int_t)state->line));
    if (state->cache_levels != 0)
        manifest = cm_json_set(manifest, CM_LEVELS_KEY, json_integer((json_int_t)state->cache_levels));
    json_t *foreign = cm_sweep_describe_foreign(state);
    if (foreign != NULL)
        manifest = cm_json_set(manifest, CM_NOT_COMPARABLE_KEY, foreign);
    if (state->screening != NULL)
        manifest = cm_json_set(manifest, "raw", json_incref(state->screening));
    return add_members(manifest, more);
}
