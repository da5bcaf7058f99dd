/* Evaluates formulas run by run, each behind those that it uses. */
#include "results/evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static cm_status check_counts(const cm_table *counts, cm_error *error)
{
    for (size_t row = 0; row < counts->row_count; row++)
        for (size_t run = 0; run < counts->value_columns; run++)
            if (cm_table_values(counts, row)[run] < 0.0)
                return cm_error_set(error, CM_BAD_INPUT, counts->file, counts->lines[row], 0,
                                    "a count of '%.100s' is negative, expected 0 or more",
                                    cm_table_text(counts, row, 0));
    return CM_OK;
}

/* The row of each event in the counts; row_count where it is missing. */
static cm_status find_events(const cm_formula_set *set, const cm_table *counts, size_t *rows, cm_error *error)
{
    cm_name_index *index = NULL;
    cm_status status = cm_name_index_create(&index, error);
    for (size_t i = 0; i < counts->row_count && status == CM_OK; i++)
        status = cm_name_index_add(index, cm_table_text(counts, i, 0), i, error);
    for (size_t i = 0; i < set->event_count && status == CM_OK; i++)
        if (!cm_name_index_find(index, set->events[i], &rows[i]))
            rows[i] = counts->row_count;
    cm_name_index_free(index);
    return status;
}

/* `cells` are those of all metrics and events in one run. */
static void evaluate_metric(const cm_formula_set *set, size_t metric, cm_cell *cells, double *values)
{
    const cm_expression *expression = set->metrics[metric].expression;
    cm_cell *cell = &cells[metric];
    for (size_t i = 0; i < cm_expression_name_count(expression); i++) {
        size_t used = cm_expression_name_index(expression, i);
        values[used] = cells[used].value;
        if (cells[used].state != CM_CELL_VALUE) {
            *cell = cells[used];
            return;
        }
    }
    *cell = (cm_cell){.culprit = metric};
    if (cm_expression_try(expression, values, &cell->value, NULL) != CM_OK)
        cell->state = CM_CELL_DIVISION;
    else if (!isfinite(cell->value))
        cell->state = CM_CELL_NOT_FINITE;
}

static cm_status evaluate_runs(cm_evaluation *evaluation, cm_error *error)
{
    const cm_formula_set *set = evaluation->set;
    const cm_table *counts = evaluation->counts;
    size_t all = set->metric_count + set->event_count;
    cm_cell *cells = calloc(all, sizeof *cells);
    double *values = calloc(all, sizeof *values);
    size_t *rows = calloc(set->event_count + 1, sizeof *rows);
    cm_status status = cells != NULL && values != NULL && rows != NULL ? find_events(set, counts, rows, error)
                                                                       : cm_error_no_memory(error);
    for (size_t run = 0; run < evaluation->run_count && status == CM_OK; run++) {
        for (size_t i = 0; i < set->event_count; i++) {
            cm_cell *cell = &cells[set->metric_count + i];
            *cell = (cm_cell){.state = CM_CELL_MISSING, .culprit = set->metric_count + i};
            if (rows[i] < counts->row_count)
                *cell = (cm_cell){.value = cm_table_values(counts, rows[i])[run]};
        }
        for (size_t i = 0; i < set->metric_count; i++) {
            evaluate_metric(set, set->order[i], cells, values);
            evaluation->cells[set->order[i] * evaluation->run_count + run] = cells[set->order[i]];
        }
    }
    free(cells);
    free(values);
    free(rows);
    return status;
}

/* Parents, each followed by its parts; at most CM_FORMULAS_DEPTH deep. */
static size_t walk(const cm_formula_set *set, size_t parent, size_t *rows, size_t count)
{
    for (size_t i = 0; i < set->metric_count; i++)
        if (set->metrics[i].parent == parent) {
            rows[count++] = i;
            count = walk(set, i, rows, count);
        }
    return count;
}

cm_status cm_evaluation_create(const char *formulas, const char *counts, double tolerance, cm_evaluation **evaluation,
                               cm_error *error)
{
    static const char *const columns[] = {"event"};
    cm_evaluation *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_formula_set_load(formulas, &made->set, error);
    if (status == CM_OK)
        status = cm_table_load(counts, 1, columns, &made->counts, error);
    if (status == CM_OK)
        status = check_counts(made->counts, error);
    if (status == CM_OK) {
        made->run_count = made->counts->value_columns;
        made->cells = calloc(made->set->metric_count, made->run_count * sizeof *made->cells);
        made->rows = calloc(made->set->metric_count, sizeof *made->rows);
        if (made->cells == NULL || made->rows == NULL)
            status = cm_error_no_memory(error);
    }
    if (status == CM_OK) {
        walk(made->set, CM_FORMULAS_NONE, made->rows, 0);
        status = evaluate_runs(made, error);
    }
    if (status == CM_OK)
        status = cm_evaluation_check(made, tolerance, error);
    if (status == CM_OK)
        *evaluation = made;
    else
        cm_evaluation_free(made);
    return status;
}

void cm_evaluation_free(cm_evaluation *evaluation)
{
    if (evaluation == NULL)
        return;
    cm_formula_set_free(evaluation->set);
    cm_table_free(evaluation->counts);
    free(evaluation->cells);
    free(evaluation->rows);
    free(evaluation->faults);
    free(evaluation);
}
