/* The programs of a validation: workloads, random programs, or kernels for GPUs. */
#include "verify/validation/validation.h"

/* Iterations of each program: enough that overhead is small, and predictors do not learn random branches. */
enum { HARDWARE_ITERATIONS = 1 << 12, SOFTWARE_ITERATIONS = 1 << 9 };

/* The model's geometry of caches, or this machine's. */
static cm_status find_geometry(const cm_pmu_machine *model, cm_geometry *geometry, cm_error *error)
{
    cm_cores cores = {0};
    if (model != NULL) {
        cm_model_geometry(model, geometry);
        return CM_OK;
    }
    cm_status status = cm_cores_find("", 1, &cores, error);
    if (status == CM_OK)
        cm_cores_geometry(&cores, geometry);
    cm_cores_clear(&cores);
    return status;
}

/* Makes workloads that fit the caches of the model, or else of this machine. */
static cm_status create_workloads(const cm_pmu_machine *model, cm_subjects *subjects, cm_error *error)
{
    cm_geometry geometry = {0};
    cm_status status = find_geometry(model, &geometry, error);
    CM_THEN(status, cm_workloads_create(geometry.caches, &subjects->workloads, error));
    if (status == CM_OK)
        subjects->count = cm_workloads_count(subjects->workloads);
    subjects->benchmark = CM_WORKLOADS_BENCHMARK;
    return status;
}

static cm_status create_programs(const cm_validation_options *options, bool software, cm_subjects *subjects,
                                 cm_error *error)
{
    subjects->benchmark = CM_PROGRAMS_BENCHMARK;
    subjects->count = options->programs;
    return cm_programs_create(cm_validation_seed(options->stage, options->seed), options->programs,
                              software ? SOFTWARE_ITERATIONS : HARDWARE_ITERATIONS, &subjects->programs, error);
}

/* The last family of kernels that the sweep has counts of. */
static cm_gpu_family swept_family(const char *directory)
{
    cm_gpu_family family = CM_GPU_FAMILIES - 1;
    char path[PATH_MAX];
    for (; family != CM_GPU_FLOPS; family--) {
        snprintf(path, sizeof path, "%s/%s.csv", directory, cm_gpu_benchmarks[family]);
        if (access(path, F_OK) == 0)
            break;
    }
    return family;
}

/* Makes random programs for a GPU; workloads there are none. */
static cm_status create_for_gpu(const cm_validation_options *options, const cm_pmu_machine *gpu, cm_subjects *subjects,
                                cm_error *error)
{
    if (options->stage == CM_STAGE_WORKLOADS)
        return CM_FAIL(error, CM_UNSUPPORTED, "there are no workloads for GPUs");
    subjects->benchmark = CM_PROGRAMS_BENCHMARK;
    subjects->count = options->programs;
    subjects->machine = *gpu;
    return cm_gpu_programs_create(cm_validation_seed(options->stage, options->seed), options->programs,
                                  cm_gpu_backend_find(gpu->gpu)->vendor, gpu->gpu_target,
                                  swept_family(options->directory), &subjects->gpu, error);
}

/* Lists the kernel and its buffer, of whichever kind of programs the subjects are. */
static void take_kernel(cm_subjects *subjects, size_t kernel)
{
    if (subjects->gpu != NULL) {
        subjects->kernels[kernel] = cm_gpu_programs_kernel(subjects->gpu, kernel);
        subjects->buffers[kernel] = (void *)(uintptr_t)cm_gpu_programs_description(subjects->gpu, kernel);
    } else if (subjects->workloads != NULL) {
        subjects->kernels[kernel] = cm_workloads_kernel(subjects->workloads, kernel);
        subjects->buffers[kernel] = cm_workloads_buffer(subjects->workloads, kernel);
    } else {
        subjects->kernels[kernel] = cm_programs_kernel(subjects->programs, kernel);
    }
}

cm_status cm_subjects_create(const cm_validation_options *options, const cm_pmu_machine *model,
                             const cm_pmu_machine *gpu, cm_subjects *subjects, cm_error *error)
{
    cm_status status = CM_OK;
    *subjects = (cm_subjects){.line_size = model != NULL ? model->line_size : CM_WORK_LINE};
    if (gpu != NULL)
        status = create_for_gpu(options, gpu, subjects, error);
    else if (options->stage == CM_STAGE_WORKLOADS)
        status = create_workloads(model, subjects, error);
    else
        status = create_programs(options, model != NULL, subjects, error);
    if (status != CM_OK)
        return status;
    subjects->kernels = calloc(subjects->count + 1, sizeof(const cm_kernel *));
    subjects->buffers = calloc(subjects->count + 1, sizeof *subjects->buffers);
    if (subjects->kernels == NULL || subjects->buffers == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i <= subjects->count; i++)
        take_kernel(subjects, i);
    return CM_OK;
}

void cm_subjects_clear(cm_subjects *subjects)
{
    cm_programs_free(subjects->programs);
    cm_workloads_free(subjects->workloads);
    cm_gpu_programs_free(subjects->gpu);
    CM_FREE(subjects->kernels, subjects->buffers);
    *subjects = (cm_subjects){0};
}

const char *cm_subjects_class(const cm_subjects *subjects, size_t kernel)
{
    return subjects->programs != NULL ? cm_programs_class(subjects->programs, kernel) : "";
}

void cm_subjects_describe(const cm_subjects *subjects, size_t kernel, char *text, size_t size)
{
    if (subjects->gpu != NULL)
        cm_gpu_programs_describe(subjects->gpu, kernel, text, size);
    else if (subjects->programs != NULL)
        cm_programs_describe(subjects->programs, kernel, text, size);
    else
        cm_workloads_describe(subjects->workloads, kernel, text, size);
}

/* An access that crosses a line of the programs' own crosses a longer one of the machine each time that it has moved on
 * by the longer line's length: buffers are passed in odd multiples of the programs' line, and runs are multiples of a
 * machine's. On a machine with shorter lines construction does not determine which accesses cross them, and on one with
 * longer lines not if a natural program skips some. */
static void cross_lines(uint64_t line_size, bool natural, double *values, double *ranges)
{
    static const cm_fact facts[] = {CM_FACT_SPLIT_LOADS, CM_FACT_SPLIT_STORES};
    for (size_t i = 0; i < CM_COUNT_OF(facts); i++) {
        if (line_size < CM_WORK_LINE || (line_size > CM_WORK_LINE && natural && values[facts[i]] != 0.0))
            ranges[facts[i]] = INFINITY;
        else
            values[facts[i]] *= (double)CM_WORK_LINE / (double)line_size;
    }
}

void cm_subjects_facts(const cm_subjects *subjects, size_t kernel, double *values, double *ranges)
{
    if (subjects->programs != NULL) {
        cm_programs_facts(subjects->programs, kernel, values, ranges);
        cross_lines(subjects->line_size, cm_programs_class(subjects->programs, kernel)[0] != '\0', values, ranges);
        return;
    }
    for (size_t i = 0; i < cm_fact_count(); i++) {
        values[i] = 0.0;
        ranges[i] = subjects->gpu != NULL ? 0.0 : INFINITY;
    }
    if (subjects->gpu != NULL)
        cm_gpu_programs_facts(subjects->gpu, kernel, values);
}

double cm_subjects_operations(const cm_subjects *subjects, size_t kernel)
{
    return subjects->workloads != NULL ? cm_workloads_operations(subjects->workloads, kernel) : NAN;
}
