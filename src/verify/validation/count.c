/* Counts programs like kernels: a sweep in a directory of the sweep's directory. */
#include "sweep/run/run.h"
#include "verify/validation/validation.h"

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
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "0 programs, expected at least one");
    if (options->event_count == 0)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "no definition has an event that could be counted");
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
    counted->options = cm_validation_describe_options(options, &counted->subjects);
    counted->manifest = cm_validation_describe(options, counted->origin, &counted->subjects, &counted->facts);
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
