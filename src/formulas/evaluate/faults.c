/* Finds faults in values: missing ones, parts that do not add up to the whole, fractions outside 0 to 1. */
#include "formulas/evaluate/evaluation.h"

static const cm_cell *cell_of(const cm_evaluation *evaluation, size_t metric, size_t run)
{
    return &evaluation->cells[metric * evaluation->run_count + run];
}

const char *cm_cell_reason(const cm_cell *cell, char *text, size_t size)
{
    static const char *const formats[] = {[CM_CELL_VALUE] = "%.100s",
                                          [CM_CELL_MISSING] = "event '%.100s' is not among the counts",
                                          [CM_CELL_DIVISION] = "division by zero in '%.100s'",
                                          [CM_CELL_NOT_FINITE] = "'%.100s' is too large for a number"};
    if (cell->state == CM_CELL_MISSING && cell->because != NULL)
        cm_text_print(text, size, "'%.100s' has no value: %.140s", cell->offending, cell->because);
    else
        cm_text_print(text, size, formats[cell->state], cell->offending);
    return text;
}

static cm_value_fault *add_fault(cm_evaluation *evaluation, size_t metric, size_t run)
{
    if (!CM_GROW_BY_ONE(evaluation->faults, evaluation->fault_count))
        return NULL;
    cm_value_fault *fault = &evaluation->faults[evaluation->fault_count++];
    *fault = (cm_value_fault){.metric = metric, .run = run};
    return fault;
}

typedef struct parts {
    size_t count, of;
    double sum, largest;
    bool known; /* all values exist */
} parts;

/* Adds up the parts of a metric. */
static parts add_up_parts(const cm_evaluation *evaluation, size_t parent, size_t run)
{
    parts all = {.of = CM_FORMULAS_NONE, .known = true};
    for (size_t i = 0; i < evaluation->set->count; i++) {
        const cm_formula *metric = &evaluation->set->formulas[i];
        const cm_cell *cell = cell_of(evaluation, i, run);
        if (metric->parent != parent)
            continue;
        all.count++;
        all.of = metric->of;
        all.sum += cell->value;
        all.largest = fmax(all.largest, fabs(cell->value));
        all.known = all.known && cell->state == CM_CELL_VALUE;
    }
    return all;
}

/* Checks the sum of the parts: it is the parent's value if they have its measure, else 1. */
static bool check_sum(cm_evaluation *evaluation, size_t metric, size_t run, double tolerance)
{
    const cm_cell *cell = cell_of(evaluation, metric, run);
    parts all = add_up_parts(evaluation, metric, run);
    bool alike = all.of == evaluation->set->formulas[metric].of;
    double whole = alike ? cell->value : 1.0;
    if (all.count == 0 || !all.known || cell->state != CM_CELL_VALUE ||
        fabs(all.sum - whole) <= tolerance * fmax(fabs(whole), all.largest))
        return true;
    cm_value_fault *fault = add_fault(evaluation, metric, run);
    if (fault == NULL)
        return false;
    const char *of = all.of != CM_FORMULAS_NONE && !alike ? evaluation->set->quantities[all.of].name : NULL;
    cm_text_print(fault->text, sizeof fault->text, "its parts add up to %.6g, expected %.6g%s%.100s", all.sum, whole,
                  of != NULL ? ", all of " : "", of != NULL ? of : "");
    return true;
}

/* Whether the value is missing in all runs: tables have each event in every run, but counts of regions need not. */
static bool is_missing_in_all(const cm_evaluation *evaluation, size_t metric)
{
    for (size_t run = 0; run < evaluation->run_count; run++)
        if (cell_of(evaluation, metric, run)->state != CM_CELL_MISSING)
            return false;
    return true;
}

/* Checks one value; false without memory. */
static bool check_value(cm_evaluation *evaluation, size_t metric, size_t run, double tolerance)
{
    const cm_cell *cell = cell_of(evaluation, metric, run);
    bool fraction = evaluation->set->formulas[metric].of != CM_FORMULAS_NONE;
    bool inside = !fraction || (cell->value >= -tolerance && cell->value <= 1.0 + tolerance);
    if (cell->state == CM_CELL_VALUE && inside)
        return true;
    bool missing = is_missing_in_all(evaluation, metric); /* then reported once */
    if (missing && run > 0)
        return true;
    cm_value_fault *fault = add_fault(evaluation, metric, missing ? CM_FORMULAS_NONE : run);
    if (fault == NULL)
        return false;
    if (cell->state != CM_CELL_VALUE)
        cm_cell_reason(cell, fault->text, sizeof fault->text);
    else
        snprintf(fault->text, sizeof fault->text, "the fraction is %.6g, expected 0 to 1", cell->value);
    return true;
}

cm_status cm_evaluation_check(cm_evaluation *evaluation, double tolerance, cm_error *error)
{
    for (size_t i = 0; i < evaluation->set->count; i++)
        for (size_t run = 0; run < evaluation->run_count; run++)
            if (!check_value(evaluation, evaluation->rows[i], run, tolerance) ||
                !check_sum(evaluation, evaluation->rows[i], run, tolerance))
                return cm_error_no_memory(error);
    return CM_OK;
}

const char *cm_evaluation_fault(const cm_evaluation *evaluation, size_t index, char *text, size_t size)
{
    const cm_value_fault *fault = &evaluation->faults[index];
    bool every = fault->run == CM_FORMULAS_NONE;
    cm_text_print(text, size, "%.100s, %s%.100s: %s", evaluation->set->formulas[fault->metric].info.metric,
                  every ? "every run" : "run ", every ? "" : evaluation->counts->value_names[fault->run], fault->text);
    return text;
}
