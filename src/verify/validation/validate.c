/* Definitions held against programs that were not used for fitting; metrics whose definitions these refute solved again
 * with them, and held against fresh ones; then against workloads. */
#include "verify/validation/validation.h"

enum { MOST_CONTROLS = 64 };

/* Programs that chose a definition are none to judge it on: each round has its own. */
static const struct round {
    cm_validation_stage programs, controls;
} rounds[] = {
    {CM_STAGE_PROGRAMS, CM_STAGE_CONTROLS},
    {CM_STAGE_PROGRAMS_2, CM_STAGE_CONTROLS_2},
    {CM_STAGE_PROGRAMS_3, CM_VALIDATION_STAGES},
};

enum { ROUNDS = CM_COUNT_OF(rounds) };

/* ---- programs as controls ---- */

/* Marks programs that refute a definition; returns how many there are then. */
static size_t mark_refuting(const double *deviations, double limit, size_t count, size_t marked, bool *chosen)
{
    for (size_t i = 0; i < count && marked < MOST_CONTROLS; i++) {
        bool refutes = deviations[i] > limit && !chosen[i];
        chosen[i] |= refutes;
        marked += refutes;
    }
    return marked;
}

/* Chooses the programs that refute a definition as controls, for all refuted metrics. */
static cm_status choose_controls(const cm_benchmark_result *result, const bool *refuted, const cm_program_table *table,
                                 bool *chosen, cm_error *error)
{
    double limit = CM_VALIDATION_FACTOR * result->thresholds.residual;
    double *deviations = calloc(table->program_count + 1, sizeof *deviations);
    cm_status status = deviations != NULL ? CM_OK : cm_error_no_memory(error);
    size_t marked = 0;
    for (size_t m = 0; status == CM_OK && m < result->signatures->metric_count; m++) {
        if (!refuted[m])
            continue;
        const cm_event_sum sum = cm_definition_sum(result, m);
        status = cm_deviations_of(result, m, &sum, table, deviations, error);
        if (status == CM_OK)
            marked = mark_refuting(deviations, limit, table->program_count, marked, chosen);
    }
    free(deviations);
    return status;
}

static cm_status solve_again(cm_benchmark_result *result, size_t metric, cm_error *error)
{
    bool found = false;
    cm_status status = cm_solve_again(result, metric, NULL, &found, error);
    if (status == CM_OK && found) {
        result->validations[metric] = (cm_validation){.median = NAN, .worst = NAN, .pending = true};
        result->fits[metric]->composable = false; /* until other programs have been asked */
    }
    return status;
}

/* Adds controls that refute the definitions to the evidence, and solves these metrics again. */
static cm_status solve_with(cm_benchmark_result *result, const bool *refuted, const cm_program_table *controls,
                            cm_error *error)
{
    bool *chosen = calloc(controls->program_count + 1, sizeof *chosen);
    cm_status status =
        chosen != NULL ? choose_controls(result, refuted, controls, chosen, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_evidence_add_programs(result->evidence, controls, chosen, error));
    for (size_t m = 0; status == CM_OK && m < result->signatures->metric_count; m++)
        if (refuted[m])
            status = solve_again(result, m, error);
    free(chosen);
    return status;
}

/* ---- rounds ---- */

/* `judged`: the metrics of this round; `refuted`: those of them that it refutes, returns whether there are any. */
static bool list_refuted(const cm_benchmark_result *result, const bool *judged, bool *refuted)
{
    bool any = false;
    for (size_t m = 0; m < result->signatures->metric_count; m++) {
        refuted[m] = judged[m] && result->validations[m].refuted;
        any |= refuted[m];
    }
    return any;
}

/* Judges the metrics on one table of programs; one that was pending is composable if programs decided it. */
static cm_status judge_round(cm_benchmark_result *result, const bool *judged, const cm_program_table *table,
                             cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t m = 0; status == CM_OK && m < result->signatures->metric_count; m++) {
        cm_validation *validation = &result->validations[m];
        if (!judged[m])
            continue;
        bool pending = validation->pending;
        if (pending)
            result->fits[m]->composable = true;
        status = cm_judge_metric(result, m, table, error);
        validation->pending = pending && validation->programs == 0;
        if (validation->pending)
            result->fits[m]->composable = false;
        if (result->proofs != NULL && result->proofs[m].open_questions != NULL)
            result->proofs[m].open_questions->held = validation->programs != 0 && !validation->refuted;
    }
    return status;
}

/* `marks`: room for two a metric. The paper's method has no second try. */
static cm_status run_rounds(cm_benchmark_result *result, const cm_program_tables *tables, bool *marks, cm_error *error)
{
    size_t metrics = result->signatures->metric_count;
    bool *judged = marks, *refuted = marks + metrics;
    cm_status status = CM_OK;
    for (size_t m = 0; m < metrics; m++)
        judged[m] = true;
    for (size_t r = 0; status == CM_OK && r < ROUNDS; r++) {
        const cm_program_table *table = tables->stages[rounds[r].programs];
        const cm_program_table *controls = r + 1 < ROUNDS ? tables->stages[rounds[r].controls] : NULL;
        if (table == NULL)
            break;
        status = judge_round(result, judged, table, error);
        if (status != CM_OK || !list_refuted(result, judged, refuted) || result->evidence == NULL || controls == NULL)
            break;
        status = solve_with(result, refuted, controls, error);
        for (size_t m = 0; m < metrics; m++)
            judged[m] = result->validations[m].pending;
    }
    return status;
}

/* ---- workloads ---- */

/* Holds each composable definition against workloads. */
static cm_status judge_workloads(cm_benchmark_result *result, const cm_program_table *table, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t m = 0; status == CM_OK && m < result->signatures->metric_count; m++) {
        cm_fit *fit = result->fits[m];
        if (fit == NULL || !fit->composable)
            continue;
        status = cm_judge_definition(result, m, table, &result->workloads[m], error);
        fit->composable = !result->workloads[m].refuted;
    }
    return status;
}

/* ---- a benchmark ---- */

/* Judges all definitions of a benchmark by both kinds of programs. */
static cm_status validate_metrics(cm_benchmark_result *result, const cm_program_tables *tables, cm_error *error)
{
    size_t metrics = result->signatures->metric_count;
    cm_validation *validations = calloc(metrics + 1, sizeof *validations);
    cm_validation *workloads = calloc(metrics + 1, sizeof *workloads);
    bool *marks = calloc(2 * metrics + 1, sizeof *marks);
    cm_status status = validations != NULL && workloads != NULL && marks != NULL ? CM_OK : cm_error_no_memory(error);
    CM_FREE(result->validations, result->workloads);
    result->validations = validations;
    result->workloads = workloads;
    CM_THEN(status, run_rounds(result, tables, marks, error));
    if (status == CM_OK && tables->stages[CM_STAGE_WORKLOADS] != NULL)
        status = judge_workloads(result, tables->stages[CM_STAGE_WORKLOADS], error);
    free(marks);
    return status;
}

cm_status cm_results_validate(cm_results *results, const cm_program_tables *tables, cm_error *error)
{
    const cm_program_table *programs = tables->stages[CM_STAGE_PROGRAMS];
    const cm_program_table *workloads = tables->stages[CM_STAGE_WORKLOADS];
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < results->benchmark_count; i++)
        status = validate_metrics(results->benchmarks[i], tables, error);
    if (status == CM_OK && results->tried != NULL)
        status = cm_tried_sets_finish(results->tried, error);
    results->program_count = status == CM_OK && programs != NULL ? programs->program_count : 0;
    results->program_seed = programs != NULL ? programs->seed : 0;
    results->workload_count = status == CM_OK && workloads != NULL ? workloads->program_count : 0;
    if (results->whole != NULL) {
        results->whole->program_count = results->program_count;
        results->whole->program_seed = results->program_seed;
        results->whole->workload_count = results->workload_count;
    }
    return status;
}

static const cm_validation *looked_at(const cm_validation *validations, size_t metric)
{
    return validations != NULL && validations[metric].programs != 0 ? &validations[metric] : NULL;
}

const cm_validation *cm_benchmark_result_validation(const cm_benchmark_result *result, size_t metric)
{
    return looked_at(result->validations, metric);
}

const cm_validation *cm_benchmark_result_workloads(const cm_benchmark_result *result, size_t metric)
{
    return looked_at(result->workloads, metric);
}

bool cm_benchmark_result_pending(const cm_benchmark_result *result, size_t metric)
{
    return result->validations != NULL && result->validations[metric].pending;
}
