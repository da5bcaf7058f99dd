#include "verify/validation/validation.h"

#include "software_pmu/gpu/engine.h"
#include "sweep/run/run.h"

/* Runs of all programs, one after another. */
struct stepping {
    const cm_subjects *subjects;
    size_t repetitions;
    cm_software_pmu *pmu;
    cm_gpu_session *gpu; /* NULL: they are the processor's */
    uint64_t *before;
    double *runs; /* [kernel][fact][repetition] */
};

/* Runs a program once to fetch its code, then counts a run. */
static cm_status step_in(struct stepping *stepping, size_t kernel, size_t repetition, void *buffer, cm_error *error)
{
    size_t count = cm_fact_count();
    const uint64_t *facts = cm_software_pmu_facts(stepping->pmu);
    const cm_kernel *of = stepping->subjects->kernels[kernel];
    cm_kernel_data data = {.buffer = buffer};
    cm_kernel_call call = {of->body, 1, &data}; /* fetches its code before anything is counted, as in a sweep */
    cm_status status = cm_software_pmu_run(stepping->pmu, cm_kernel_call_run, &call, error);
    call.iterations = of->software_iterations;
    memcpy(stepping->before, facts, count * sizeof *facts);
    CM_THEN(status, cm_software_pmu_run(stepping->pmu, cm_kernel_call_run, &call, error));
    CM_THEN(status, cm_gpu_run_outcome(of, &data, error));
    for (size_t i = 0; i < count; i++)
        stepping->runs[(kernel * count + i) * stepping->repetitions + repetition] =
            (double)(facts[i] - stepping->before[i]);
    return status;
}

/* Runs it with its data; loads a GPU's program first. */
static cm_status step_kernel(struct stepping *stepping, size_t kernel, size_t repetition, cm_error *error)
{
    cm_gpu_run loaded;
    void *buffer = stepping->subjects->buffers[kernel];
    if (stepping->gpu == NULL)
        return step_in(stepping, kernel, repetition, buffer, error);
    cm_status status = cm_gpu_run_open(&loaded, stepping->gpu, buffer, error);
    CM_THEN(status, step_in(stepping, kernel, repetition, &loaded, error));
    cm_gpu_run_close(&loaded);
    return status;
}

static cm_status step_all(struct stepping *stepping, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t r = 0; r < stepping->repetitions; r++) {
        cm_software_pmu_seed(stepping->pmu, r + 1);
        for (size_t i = 0; status == CM_OK && i <= stepping->subjects->count; i++)
            status = step_kernel(stepping, i, r, error);
    }
    return status;
}

/* Compares a fact with the construction; no error is allowed, since both are whole numbers. */
static cm_status prove_fact(const struct stepping *stepping, size_t kernel, size_t fact, double expected, double found,
                            cm_error *error)
{
    if (found == expected)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "%s does not do the work it was composed of: %s is %.0f, expected %.0f",
                   stepping->subjects->kernels[kernel]->name, cm_fact_name(fact), found, expected);
}

/* A multiply-add is two operations on each element. */
static double operations_of(const double *facts)
{
    static const double bytes[CM_FP_PRECISIONS] = {2, 4, 8}, widths[CM_FP_WIDTHS] = {0, 16, 32, 64, 16, 32, 64};
    double sum = 0.0;
    for (size_t p = 0; p < CM_FP_PRECISIONS; p++)
        for (size_t w = 0; w < CM_FP_WIDTHS; w++)
            for (size_t o = CM_FP_ADD; o < CM_FP_OPERATIONS; o++)
                sum += facts[cm_fact_fp((cm_fp_precision)p, (cm_fp_width)w, (cm_fp_operation)o)] *
                       (w == CM_FP_SCALAR ? 1.0 : widths[w] / bytes[p]) * (o == CM_FP_FMA ? 2.0 : 1.0);
    return sum;
}

/* CM_UNSUPPORTED if a workload did not execute as many operations as its algorithm has. */
static cm_status prove_operations(const struct stepping *stepping, const cm_program_facts *facts, cm_error *error)
{
    for (size_t i = 0; i < facts->count; i++) {
        double expected = cm_subjects_operations(stepping->subjects, i + 1);
        double found = operations_of(facts->values + i * cm_fact_count());
        if (!isnan(expected) && found != expected)
            return CM_FAIL(
                error, CM_UNSUPPORTED,
                "%s does not do the work of its algorithm: it has %.0f floating-point operations, expected %.0f",
                stepping->subjects->kernels[i + 1]->name, found, expected);
    }
    return CM_OK;
}

/* `found`: medians of all kernels, one a fact. */
static cm_status compare_facts(const struct stepping *stepping, const double *found, bool truth,
                               cm_program_facts *facts, cm_error *error)
{
    size_t count = cm_fact_count();
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < facts->count * count; i++) {
        size_t fact = i % count;
        double value = found[i + count] - found[fact];
        if (facts->ranges[i] == 0.0)
            status = prove_fact(stepping, i / count + 1, fact, facts->values[i], value, error);
        else if (truth || (stepping->subjects->workloads != NULL && !cm_fact_is_of_machine(fact))) {
            facts->values[i] = value;
            facts->ranges[i] = fact == CM_FACT_TSC_CYCLES ? INFINITY : 0.0;
        }
    }
    return status == CM_OK ? prove_operations(stepping, facts, error) : status;
}

/* Runs all programs and compares the medians with the construction. */
static cm_status step_and_compare(struct stepping *stepping, bool truth, cm_program_facts *facts, cm_error *error)
{
    size_t count = (stepping->subjects->count + 1) * cm_fact_count();
    double *found = calloc(count + 1, sizeof *found);
    stepping->before = calloc(cm_fact_count() + 1, sizeof *stepping->before);
    stepping->runs = calloc(count * stepping->repetitions + 1, sizeof *stepping->runs);
    cm_status status =
        found != NULL && stepping->before != NULL && stepping->runs != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, step_all(stepping, error));
    for (size_t i = 0; status == CM_OK && i < count; i++)
        found[i] = cm_median(stepping->runs + i * stepping->repetitions, stepping->repetitions);
    CM_THEN(status, compare_facts(stepping, found, truth, facts, error));
    CM_FREE(found, stepping->before, stepping->runs);
    return status;
}

/* Facts by construction, less those of the empty program. */
static cm_status construct_kernels(const cm_subjects *subjects, cm_program_facts *facts, cm_error *error)
{
    size_t count = cm_fact_count();
    double *empty = calloc(2 * count + 1, sizeof *empty);
    if (empty == NULL)
        return cm_error_no_memory(error);
    cm_subjects_facts(subjects, 0, empty, empty + count);
    for (size_t i = 0; i < facts->count; i++) {
        cm_subjects_facts(subjects, i + 1, facts->values + i * count, facts->ranges + i * count);
        for (size_t f = 0; f < count; f++)
            facts->values[i * count + f] -= empty[f];
    }
    free(empty);
    return CM_OK;
}

/* Facts by construction are the same on any machine. */
static const cm_pmu_machine plain = {.line_size = 64, .page_size = 4096, .predictor = "none"};

cm_status cm_program_facts_find(const cm_subjects *subjects, const cm_pmu_machine *model, size_t repetitions,
                                cm_program_facts *facts, cm_error *error)
{
    const size_t count = subjects->count;
    struct stepping stepping = {.subjects = subjects, .repetitions = model != NULL ? repetitions : 1};
    *facts = (cm_program_facts){.count = count,
                                .values = calloc(count * cm_fact_count() + 1, sizeof(double)),
                                .ranges = calloc(count * cm_fact_count() + 1, sizeof(double))};
    cm_status status = facts->values != NULL && facts->ranges != NULL ? construct_kernels(subjects, facts, error)
                                                                      : cm_error_no_memory(error);
    /* Programs of a real GPU are proven on the software GPU of its target. */
    const cm_pmu_machine *gpu = subjects->gpu != NULL ? &subjects->machine : NULL;
    const cm_pmu_machine *machine = model != NULL ? model : gpu != NULL ? gpu : &plain;
    CM_THEN(status, cm_software_pmu_create(machine, &stepping.pmu, error));
    if (status == CM_OK && gpu != NULL)
        status = cm_software_gpu_open(machine, &stepping.gpu, error);
    CM_THEN(status, step_and_compare(&stepping, model != NULL, facts, error));
    cm_gpu_session_close(stepping.gpu);
    cm_software_pmu_free(stepping.pmu);
    return status;
}

void cm_program_facts_clear(cm_program_facts *facts)
{
    CM_FREE(facts->values, facts->ranges);
    *facts = (cm_program_facts){0};
}
