/* The law of a benchmark's evidence. */
#include "law/evidence.h"

static bool is_kernel(const cm_evidence *evidence, size_t row)
{
    const cm_evidence_row *known = &evidence->rows[row];
    return known->kernel != NULL && known->means == NULL;
}

/* Makes a row a kernel of the law, if its facts are known. */
static void take_row(cm_evidence *evidence, size_t row, bool is_free)
{
    const cm_kernel_facts *kernel = evidence->rows[row].kernel;
    if (!is_kernel(evidence, row))
        return;
    evidence->law_rows[evidence->law_count] = row;
    evidence->law_kernels[evidence->law_count++] =
        (cm_law_kernel){.facts = kernel,
                        .home = strcmp(kernel->benchmark, evidence->benchmark) == 0,
                        .free = is_free,
                        .loops = strcmp(kernel->kernel, "empty") != 0,
                        .twins = {evidence->rows[row].twins[0], evidence->rows[row].twins[1]}};
}

/* Makes the rows the kernels of the law, and behind them those of facts that vendors disagree about. */
static cm_status take_kernels(cm_evidence *evidence, cm_error *error)
{
    size_t rows = evidence->problem.rows, most = rows + evidence->free_count + 1;
    evidence->law_rows = cm_arena_allocate(&evidence->arena, most * sizeof *evidence->law_rows);
    evidence->law_kernels = cm_arena_allocate(&evidence->arena, most * sizeof *evidence->law_kernels);
    if (evidence->law_rows == NULL || evidence->law_kernels == NULL)
        return cm_error_no_memory(error);
    for (size_t r = 0; r < rows + evidence->free_count; r++)
        take_row(evidence, r, r >= rows);
    return CM_OK;
}

cm_status cm_evidence_make_law(cm_evidence *evidence, cm_error *error)
{
    evidence->law_known = evidence->problem.rows;
    cm_status status = take_kernels(evidence, error);
    cm_counted_setup setup = {.facts = evidence->facts,
                              .problem = &evidence->problem,
                              .kernel_count = evidence->law_count,
                              .kernels = evidence->law_kernels,
                              .rows = evidence->law_rows,
                              .known = evidence->law_known,
                              .metrics = evidence->metrics,
                              .meant = evidence->meant,
                              .metric_count = evidence->signatures->metric_count};
    if (status != CM_OK)
        return status;
    setup.interference = cm_find_interference(&setup, evidence->looked, evidence->looked_count);
    evidence->problem.interference = setup.interference;
    status = cm_counted_law_create(&setup, &evidence->law, error);
    if (status == CM_OK) {
        evidence->problem.judge = cm_counted_law_describe;
        evidence->problem.judge_context = evidence->law;
    }
    return status;
}

/* ---- for others ---- */

const char *const cm_kernel_part_texts[CM_PART_COUNT] = {
    [CM_PART_FITTED] = "fitted",
    [CM_PART_CONTROL] = "control",
    [CM_PART_FREE] = "free",
    [CM_PART_DIFFERENCE] = "difference",
};

size_t cm_evidence_law_row(const cm_evidence *evidence, size_t kernel)
{
    size_t row = evidence->law_rows[kernel];
    return row < evidence->law_known ? row : row + evidence->problem.rows - evidence->law_known;
}

cm_kernel_part cm_evidence_law_part(const cm_evidence *evidence, size_t kernel, size_t twins[2])
{
    const cm_law_kernel *looked = &evidence->law_kernels[kernel];
    for (size_t i = 0; i < 2 && looked->twins[0] != NULL; i++)
        for (size_t k = 0; k < kernel; k++)
            twins[i] = evidence->law_kernels[k].facts == looked->twins[i] ? k : twins[i];
    if (looked->twins[0] != NULL)
        return CM_PART_DIFFERENCE;
    return looked->free                                            ? CM_PART_FREE
           : evidence->law_rows[kernel] < evidence->problem.fitted ? CM_PART_FITTED
                                                                   : CM_PART_CONTROL;
}

cm_status cm_evidence_law_sight(const cm_evidence *evidence, const cm_usable_event *event, cm_law_sight *sight,
                                cm_error *error)
{
    size_t most = evidence->law_count + 1;
    *sight = (cm_law_sight){.places = calloc(most, sizeof *sight->places),
                            .means = calloc(most, sizeof *sight->means),
                            .errors = calloc(most, sizeof *sight->errors)};
    if (sight->places == NULL || sight->means == NULL || sight->errors == NULL) {
        cm_law_sight_clear(sight);
        return cm_error_no_memory(error);
    }
    for (size_t k = 0; k < evidence->law_count; k++) {
        size_t row = cm_evidence_law_row(evidence, k);
        if (event->mean[row] == 0.0 && event->error[row] == 0.0)
            continue;
        sight->places[sight->count] = k;
        sight->means[sight->count] = event->mean[row];
        sight->errors[sight->count++] = event->error[row];
    }
    return CM_OK;
}

void cm_law_sight_clear(cm_law_sight *sight)
{
    free(sight->places);
    free(sight->means);
    free(sight->errors);
    *sight = (cm_law_sight){0};
}
