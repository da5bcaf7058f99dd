/* Evaluates formulas run by run, in the order of their dependencies. */
#include "formulas/evaluate/evaluation.h"

#include <catmint/names.h>

#include "formulas/events/events.h"

/* The first formula that needs the quantity. */
static const cm_formula_info *user_of(const cm_formulas *set, size_t quantity)
{
    for (size_t i = 0; i < set->count; i++) {
        size_t count;
        const size_t *needs = cm_formulas_needs(set, i, &count);
        for (size_t j = 0; j < count; j++)
            if (needs[j] == quantity)
                return cm_formulas_info(set, i);
    }
    return NULL;
}

/* Finds the row of an event by any spelling of its name, or of a variable by its name. */
static cm_status find_quantity_row(const cm_formulas *set, size_t quantity, const cm_event_names *names,
                                   const cm_table *counts, size_t *row, cm_error *error)
{
    cm_error ambiguous;
    size_t found = CM_NO_NAME;
    const char *name = set->quantities[quantity].name;
    *row = counts->row_count;
    if (set->quantities[quantity].kind == CM_QUANTITY_METRIC)
        return CM_OK;
    bool exact = set->quantities[quantity].kind == CM_QUANTITY_VARIABLE;
    if (cm_event_names_resolve(names, name, &found, &ambiguous) != CM_OK && !exact) {
        const cm_formula_info *user = user_of(set, quantity);
        return cm_error_set(error, CM_BAD_INPUT, set->file, user != NULL ? user->line : 0, 0, "%s", ambiguous.text);
    }
    if (found != CM_NO_NAME && (!exact || strcmp(cm_table_text(counts, found, 0), name) == 0))
        *row = found;
    return CM_OK;
}

/* CM_BAD_INPUT if two components count events of one name: these would share a row. */
static cm_status check_components(const cm_formulas *set, const cm_table *counts, const size_t *rows, cm_error *error)
{
    for (size_t i = 0; i < set->quantity_count; i++) {
        const char *name = set->quantities[i].name;
        size_t length = rows[i] < counts->row_count ? cm_spelling_component(name) : 0;
        for (size_t j = 0; j < i && length > 0; j++) {
            const char *other = set->quantities[j].name;
            size_t other_length = rows[j] == rows[i] ? cm_spelling_component(other) : 0;
            if (other_length == 0 || (other_length == length && strncasecmp(name, other, length) == 0))
                continue;
            const cm_formula_info *user = user_of(set, i);
            return cm_error_set(
                error, CM_BAD_INPUT, set->file, user != NULL ? user->line : 0, 0,
                "'%.100s' and '%.100s' are events of two components, expected counts of both, found only '%.100s'",
                other, name, cm_table_text(counts, rows[i], 0));
        }
    }
    return CM_OK;
}

/* The row of each event and variable in the counts; row_count if it is missing. */
static cm_status find_rows(const cm_formulas *set, const cm_table *counts, size_t *rows, cm_error *error)
{
    cm_event_names *names = NULL;
    const char **events = calloc(counts->row_count + 1, sizeof *events);
    cm_status status = events != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < counts->row_count && status == CM_OK; i++)
        events[i] = cm_table_text(counts, i, 0);
    CM_THEN(status, cm_event_names_create(events, counts->row_count, &names, error));
    for (size_t i = 0; i < set->quantity_count && status == CM_OK; i++)
        status = find_quantity_row(set, i, names, counts, &rows[i], error);
    CM_THEN(status, check_components(set, counts, rows, error));
    cm_event_names_free(names);
    free(events);
    return status;
}

/* Evaluates a metric; `cells` are those of all quantities in one run. */
static cm_cell evaluate_metric(const cm_formula *metric, const cm_cell *cells, double *values)
{
    for (size_t i = 0; i < cm_expression_name_count(metric->expression); i++) {
        size_t used = cm_expression_name_index(metric->expression, i);
        values[used] = cells[used].value;
        if (cells[used].state != CM_CELL_VALUE)
            return cells[used];
    }
    cm_cell cell = {.offending = metric->info.metric};
    if (cm_expression_try(metric->expression, values, &cell.value, NULL) != CM_OK)
        cell.state = CM_CELL_DIVISION;
    else if (!isfinite(cell.value))
        cell.state = CM_CELL_NOT_FINITE;
    return cell;
}

/* Evaluates all metrics in one run. */
static void evaluate_run(cm_evaluation *evaluation, size_t run, const size_t *rows, cm_cell *cells, double *values)
{
    const cm_formulas *set = evaluation->set;
    for (size_t i = 0; i < set->quantity_count; i++) {
        const cm_table *counts = evaluation->counts;
        cells[i] = (cm_cell){.state = CM_CELL_MISSING, .offending = set->quantities[i].name};
        if (rows[i] >= counts->row_count)
            continue;
        if (!isnan(cm_table_values(counts, rows[i])[run]))
            cells[i] = (cm_cell){.value = cm_table_values(counts, rows[i])[run]};
        else if (counts->reasons != NULL)
            cells[i].because = counts->reasons[rows[i]];
    }
    for (size_t i = 0; i < set->count; i++) {
        const cm_formula *metric = &set->formulas[set->order[i]];
        cm_cell cell = evaluate_metric(metric, cells, values);
        if (metric->quantity != CM_FORMULAS_NONE)
            cells[metric->quantity] = cell;
        evaluation->cells[set->order[i] * evaluation->run_count + run] = cell;
    }
}

/* Finds the rows and evaluates all runs. */
static cm_status evaluate_runs(cm_evaluation *evaluation, cm_error *error)
{
    size_t all = evaluation->set->quantity_count;
    cm_cell *cells = calloc(all + 1, sizeof *cells);
    double *values = calloc(all + 1, sizeof *values);
    size_t *rows = calloc(all + 1, sizeof *rows);
    cm_status status = CM_OK;
    if (cells == NULL || values == NULL || rows == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, find_rows(evaluation->set, evaluation->counts, rows, error));
    for (size_t run = 0; run < evaluation->run_count && status == CM_OK; run++)
        evaluate_run(evaluation, run, rows, cells, values);
    CM_FREE(cells, values, rows);
    return status;
}

/* Lists the parts of `parent`, each followed by its own; at most CM_FORMULAS_DEPTH levels. */
static size_t walk_metrics(const cm_formulas *set, size_t parent, size_t *rows, size_t count)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->formulas[i].parent == parent) {
            rows[count++] = i;
            count = walk_metrics(set, i, rows, count);
        }
    return count;
}

/* CM_BAD_INPUT if the file has faults. */
static cm_status load_formulas(const char *path, cm_formulas **formulas, cm_error *error)
{
    cm_status status = cm_formulas_load(path, NULL, formulas, error);
    if (status != CM_OK || (*formulas)->fault_count == 0)
        return status;
    const cm_formula_fault *fault = &(*formulas)->faults[0];
    return cm_error_set(error, CM_BAD_INPUT, path, fault->line, fault->column, "%s", fault->text);
}

/* Refuses options that name no counts, or counts in two ways. */
static cm_status check_options(const cm_evaluate_options *options, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_evaluate_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    bool counted = options->counts != NULL || options->file_count > 0;
    if (options->formulas != NULL && counted != options->hierarchy && options->tolerance >= 0.0 &&
        (options->counts == NULL || options->file_count == 0))
        return CM_OK;
    return CM_FAIL(error, CM_BAD_ARGUMENT,
                   "formulas must be given, one way of counts or their hierarchy alone, and a tolerance of 0 or more");
}

/* Copies the names of the files of counts. */
static cm_status keep_names(const cm_evaluate_options *options, cm_evaluation *made, cm_error *error)
{
    made->files = calloc(options->file_count + 1, sizeof *made->files);
    for (size_t i = 0; i < options->file_count && made->files != NULL; i++) {
        made->files[i] = cm_arena_text(&made->arena, options->files[i].path);
        if (made->files[i] == NULL)
            return cm_error_no_memory(error);
    }
    made->file_count = options->file_count;
    return made->files != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Loads the counts and allocates the cells. */
static cm_status load_counts(const cm_evaluate_options *options, cm_evaluation *made, cm_error *error)
{
    cm_status status = keep_names(options, made, error);
    if (status == CM_OK && options->file_count > 0)
        status = cm_counts_load_joined(options->files, options->file_count, options->sum ? made->set : NULL,
                                       &made->counts, error);
    else if (status == CM_OK && options->counts != NULL)
        status = cm_counts_load_checked(options->counts, &made->counts, error);
    if (status != CM_OK)
        return status;
    made->counted = options->counted;
    made->run_count = made->counts != NULL ? made->counts->value_columns : 0;
    made->cells = calloc(made->set->count + 1, (made->run_count + 1) * sizeof *made->cells);
    made->rows = calloc(made->set->count + 1, sizeof *made->rows);
    return made->cells != NULL && made->rows != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_evaluation_create(const cm_evaluate_options *options, cm_evaluation **evaluation, cm_error *error)
{
    cm_status status = check_options(options, error);
    if (status != CM_OK)
        return status;
    cm_evaluation *made = calloc(1, sizeof *made);
    status = made != NULL ? load_formulas(options->formulas, &made->set, error) : cm_error_no_memory(error);
    CM_THEN(status, load_counts(options, made, error));
    if (status == CM_OK)
        walk_metrics(made->set, CM_FORMULAS_NONE, made->rows, 0);
    if (status == CM_OK && made->counts != NULL)
        status = evaluate_runs(made, error);
    CM_THEN(status, cm_evaluation_check(made, options->tolerance, error));
    CM_HAND_OVER(status, evaluation, made, cm_evaluation_free);
    return status;
}

void cm_evaluation_free(cm_evaluation *evaluation)
{
    if (evaluation == NULL)
        return;
    cm_formulas_free(evaluation->set);
    cm_table_free(evaluation->counts);
    CM_FREE(evaluation->cells, evaluation->rows, evaluation->faults, evaluation->files);
    cm_arena_clear(&evaluation->arena);
    free(evaluation);
}

CM_GETTER(size_t cm_evaluation_metric_count(const cm_evaluation *evaluation), evaluation->set->count)
CM_GETTER(size_t cm_evaluation_run_count(const cm_evaluation *evaluation), evaluation->run_count)
CM_GETTER(size_t cm_evaluation_fault_count(const cm_evaluation *evaluation), evaluation->fault_count)
