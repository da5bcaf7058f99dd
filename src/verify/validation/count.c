/* Counts programs like kernels: a sweep in a directory of the sweep's directory. */
#include "sweep/run/run.h"
#include "verify/validation/validation.h"

/* Workloads are the same for all seeds. */
static json_int_t seed_of(const cm_validation_options *options)
{
    return options->stage == CM_STAGE_WORKLOADS ? 0 : (json_int_t)cm_validation_seed(options->stage, options->seed);
}

/* {"seed", "programs"}, {"workloads"}: their number; NULL without memory. */
static json_t *describe_options(const cm_validation_options *options, const cm_subjects *subjects)
{
    if (options->stage == CM_STAGE_WORKLOADS)
        return json_pack("{s:I}", "workloads", (json_int_t)subjects->count);
    return json_pack("{s:I, s:I}", "seed", seed_of(options), "programs", (json_int_t)options->programs);
}

static json_t *describe_fact(double value, double range)
{
    if (isinf(range))
        return json_null();
    const double interval[] = {value, range};
    return range > 0.0 ? cm_json_numbers(interval, 2) : cm_json_number(value);
}

static json_t *describe_facts(const double *values, const double *ranges)
{
    json_t *object = json_object();
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (values[i] != 0.0 || ranges[i] != 0.0)
            object = cm_json_set(object, cm_fact_name(i), describe_fact(values[i], ranges[i]));
    return object;
}

/* {"validation": {"sweep", "seed", "programs": [{"program", "description", "facts": {"loads": 5, "l1d_load_hit":
 * null}}]}}: facts that are not exact are [value, range], unknown ones null; those that are 0 are left out. NULL
 * without memory. */
static json_t *validation_describe(const cm_validation_options *options, const json_t *origin,
                                   const cm_subjects *subjects, const cm_program_facts *facts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < facts->count; i++) {
        char text[256];
        cm_subjects_describe(subjects, i + 1, text, sizeof text);
        list = cm_json_append(
            list, json_pack("{s:s, s:s, s:s, s:o}", "program", subjects->kernels[i + 1]->name, "class",
                            cm_subjects_class(subjects, i + 1), "description", text, "facts",
                            describe_facts(facts->values + i * cm_fact_count(), facts->ranges + i * cm_fact_count())));
    }
    return json_pack("{s:{s:O, s:I, s:o}}", CM_VALIDATION_MEMBER, "sweep", origin, "seed", seed_of(options), "programs",
                     list);
}

struct counted {
    cm_subjects subjects;
    cm_program_facts facts;
    json_t *origin, *options, *manifest;
    char *path;
};

static cm_status check_options(const cm_validation_options *options, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_validation_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (options->programs == 0 && options->stage != CM_STAGE_WORKLOADS)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "0 programs, expected at least one");
    if (options->event_count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "no definition has an event that could be counted");
    return CM_OK;
}

bool cm_validation_available(void)
{
    return cm_programs_available();
}

/* The GPU whose kernels the session runs; NULL: none. */
static const cm_pmu_machine *describe_gpu(const cm_counting *counting, cm_pmu_machine *gpu)
{
    if (counting->gpu == NULL)
        return NULL;
    *gpu = (cm_pmu_machine){.gpu_target = counting->gpu->devices[0].version};
    snprintf(gpu->gpu, sizeof gpu->gpu, "%s", counting->gpu->backend->maker);
    return gpu;
}

/* Creates the programs, their facts and the manifest's entries. */
static cm_status prepare_counting(cm_counting *counting, const cm_validation_options *options, struct counted *counted,
                                  cm_error *error)
{
    const cm_pmu_model *model = cm_counting_model(counting);
    const cm_pmu_machine *machine = model != NULL ? cm_pmu_model_machine(model) : NULL;
    cm_pmu_machine gpu;
    cm_status status = cm_subjects_create(options, machine, describe_gpu(counting, &gpu), &counted->subjects, error);
    CM_THEN(status, cm_program_facts_find(&counted->subjects, machine, options->repetitions, &counted->facts, error));
    CM_THEN(status, cm_sweep_checksum(options->directory, &counted->origin, error));
    if (status != CM_OK)
        return status;
    counted->path = cm_validation_path(options->directory, options->stage);
    counted->options = describe_options(options, &counted->subjects);
    counted->manifest = validation_describe(options, counted->origin, &counted->subjects, &counted->facts);
    bool whole = counted->path != NULL && counted->options != NULL && counted->manifest != NULL;
    return whole ? CM_OK : cm_error_no_memory(error);
}

/* Sweeps the programs into the stage's directory. */
static cm_status sweep_programs(cm_counting *counting, const cm_validation_options *options,
                                const struct counted *counted, cm_sweep_summary *summary, cm_error *error)
{
    const cm_sweep_extension extension = {.benchmark = counted->subjects.benchmark,
                                          .kernel_count = counted->subjects.count + 1,
                                          .kernels = counted->subjects.kernels,
                                          .buffers = counted->subjects.buffers,
                                          .options = counted->options,
                                          .manifest = counted->manifest};
    cm_sweep_options sweep_options;
    cm_sweep_options_default(&sweep_options);
    sweep_options.directory = counted->path;
    sweep_options.benchmarks = &counted->subjects.benchmark;
    sweep_options.benchmark_count = 1;
    sweep_options.events = options->events;
    sweep_options.events_count = options->event_count;
    sweep_options.repetitions = options->repetitions;
    sweep_options.workers = options->workers;
    sweep_options.resume = options->resume;
    sweep_options.progress = options->progress;
    sweep_options.progress_data = options->progress_data;
    sweep_options.message = options->message;
    sweep_options.message_data = options->message_data;
    sweep_options.stop = options->stop;
    return cm_sweep_extended(counting, &sweep_options, &extension, summary, error);
}

cm_status cm_validation_count(cm_counting *counting, const cm_validation_options *options, cm_sweep_summary *summary,
                              cm_error *error)
{
    struct counted counted = {0};
    cm_status status = check_options(options, error);
    CM_THEN(status, cm_sweep_check_pmu(counting, options->directory, error));
    CM_THEN(status, prepare_counting(counting, options, &counted, error));
    CM_THEN(status, sweep_programs(counting, options, &counted, summary, error));
    json_decref(counted.origin);
    json_decref(counted.options);
    json_decref(counted.manifest);
    cm_program_facts_clear(&counted.facts);
    cm_subjects_clear(&counted.subjects);
    free(counted.path);
    return status;
}
