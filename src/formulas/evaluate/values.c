#include "formulas/evaluate/evaluation.h"

#include "core/json.h"

/* Places the tree for drawing, from the end, since parts are behind their parents. */
static void place_values(cm_formula_values *values)
{
    for (size_t i = 0; i < values->metric_count; i++)
        if (values->metrics[i].parts == 0 && values->metrics[i].above != CM_FORMULAS_NONE)
            values->metrics[i].row = (double)values->leaf_count++;
    for (size_t i = 0; i < values->metric_count; i++)
        values->metrics[i].first_row = INFINITY;
    for (size_t i = values->metric_count; i-- > 0;) {
        cm_valued_metric *metric = &values->metrics[i];
        if (metric->parts > 0)
            metric->row = (metric->first_row + metric->last_row) / 2.0;
        if (metric->above == CM_FORMULAS_NONE)
            continue;
        cm_valued_metric *parent = &values->metrics[metric->above];
        parent->first_row = fmin(parent->first_row, metric->row);
        parent->last_row = fmax(parent->last_row, metric->row);
    }
}

/* ---- from an evaluation ---- */

/* The index of the formula in the order of the tree, searched before that of its parts. */
static size_t row_of(const cm_evaluation *evaluation, size_t formula)
{
    size_t row = 0;
    while (row < evaluation->set->count && evaluation->rows[row] != formula)
        row++;
    return formula != CM_FORMULAS_NONE ? row : CM_FORMULAS_NONE;
}

/* Copies a metric with its values. */
static bool copy_metric(const cm_evaluation *evaluation, cm_formula_values *values, size_t row)
{
    const size_t index = evaluation->rows[row], runs = evaluation->run_count;
    const cm_formula *formula = &evaluation->set->formulas[index];
    double *numbers = cm_arena_allocate(&values->arena, (runs + 1) * sizeof *numbers);
    const char **reasons = cm_arena_allocate(&values->arena, (runs + 1) * sizeof *reasons);
    if (numbers == NULL || reasons == NULL)
        return false;
    for (size_t run = 0; run < runs; run++) {
        const cm_cell *cell = &evaluation->cells[index * runs + run];
        char text[256] = "";
        numbers[run] = cell->state == CM_CELL_VALUE ? cell->value : NAN;
        if (cell->state != CM_CELL_VALUE)
            cm_cell_reason(cell, text, sizeof text);
        reasons[run] = cm_arena_text(&values->arena, text);
        if (reasons[run] == NULL)
            return false;
    }
    const char *of = formula->of_name[0] != '\0' ? formula->of_name : NULL;
    const char *parent = formula->parent_name[0] != '\0' ? formula->parent_name : NULL;
    values->metrics[row] = (cm_valued_metric){.metric = formula->info.metric,
                                              .unit = formula->info.unit,
                                              .parent = parent,
                                              .of = of,
                                              .depth = (double)formula->depth,
                                              .above = row_of(evaluation, formula->parent),
                                              .values = numbers,
                                              .reasons = reasons};
    if (formula->parent != CM_FORMULAS_NONE)
        values->metrics[values->metrics[row].above].parts++;
    return true;
}

/* Texts remain owned by the evaluation. */
cm_status cm_formula_values_of(const cm_evaluation *evaluation, cm_formula_values **values, cm_error *error)
{
    cm_formula_values *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->formulas = evaluation->set->file;
    made->run_count = evaluation->run_count;
    made->runs = evaluation->counts != NULL ? (const char *const *)evaluation->counts->value_names : NULL;
    made->metric_count = evaluation->set->count;
    made->metrics = cm_arena_allocate(&made->arena, (made->metric_count + 1) * sizeof *made->metrics);
    cm_status status = made->metrics != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < made->metric_count && status == CM_OK; i++)
        status = copy_metric(evaluation, made, i) ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        place_values(made);
    CM_HAND_OVER(status, values, made, cm_formula_values_free);
    return status;
}

/* ---- from a document ---- */

/* Finds the parent among the metrics before; a part is one level below its parent. */
static bool find_parent(cm_formula_values *values, size_t index)
{
    cm_valued_metric *metric = &values->metrics[index];
    metric->above = CM_FORMULAS_NONE;
    if (metric->parent == NULL)
        return metric->depth == 0.0;
    for (size_t i = index; i-- > 0;)
        if (strcmp(values->metrics[i].metric, metric->parent) == 0 && metric->depth == values->metrics[i].depth + 1.0) {
            metric->above = i;
            values->metrics[i].parts++;
            return metric->depth < CM_FORMULAS_DEPTH;
        }
    return false;
}

/* Reads values and reasons, one a run. */
static cm_status read_runs(cm_json_reader *reader, const json_t *item, size_t runs, cm_valued_metric *metric)
{
    const json_t *values = json_object_get(item, "values"), *reasons = json_object_get(item, "reasons");
    double *numbers = cm_arena_allocate(reader->arena, (runs + 1) * sizeof *numbers);
    const char **texts = cm_arena_allocate(reader->arena, (runs + 1) * sizeof *texts);
    if (numbers == NULL || texts == NULL)
        return cm_error_no_memory(reader->error);
    if (json_array_size(values) != runs || json_array_size(reasons) != runs)
        return cm_json_fault(reader, "needs lists of %zu values and reasons, one a run", runs);
    for (size_t run = 0; run < runs; run++) {
        const json_t *value = json_array_get(values, run), *reason = json_array_get(reasons, run);
        if (!json_is_number(value) && !json_is_string(reason))
            return cm_json_fault(reader, "has neither a value nor a reason of run %zu", run + 1);
        numbers[run] = json_is_number(value) ? json_number_value(value) : NAN;
        texts[run] = cm_arena_text(reader->arena, json_is_number(value) ? "" : json_string_value(reason));
        if (texts[run] == NULL)
            return cm_error_no_memory(reader->error);
    }
    metric->values = numbers;
    metric->reasons = texts;
    return CM_OK;
}

/* Reads the texts of a metric. */
static cm_status read_metric(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_valued_metric *metric = (cm_valued_metric *)items + index;
    cm_status status = cm_json_read_text(reader, item, "metric", CM_JSON_NOT_NULL, &metric->metric);
    CM_THEN(status, cm_json_read_text(reader, item, "unit", CM_JSON_NOT_NULL, &metric->unit));
    CM_THEN(status, cm_json_read_text(reader, item, "parent", CM_JSON_OR_NULL, &metric->parent));
    CM_THEN(status, cm_json_read_text(reader, item, "of", CM_JSON_OR_NULL, &metric->of));
    CM_THEN(status, cm_json_read_figure(reader, item, "depth", CM_JSON_NOT_NULL, &metric->depth));
    return status;
}

/* Reads the values of all metrics. */
static cm_status read_values(cm_formula_values *values, cm_json_reader *reader, const json_t *document)
{
    const json_t *list = json_object_get(document, "metrics");
    cm_status status = CM_OK;
    for (size_t i = 0; i < values->metric_count && status == CM_OK; i++) {
        cm_json_enter(reader, "metrics", i);
        status = read_runs(reader, json_array_get(list, i), values->run_count, &values->metrics[i]);
        if (status == CM_OK && !find_parent(values, i))
            status = cm_json_fault(reader, "has a parent or a depth that the metrics before it do not fit");
        cm_json_leave(reader);
    }
    return status;
}

/* Reads a document of catmint.evaluate/1. */
static cm_status read_document(cm_json_reader *reader, const json_t *document, void *made)
{
    cm_formula_values *values = made;
    const char *schema = NULL;
    void *items = NULL;
    cm_status status = cm_json_read_text(reader, document, "schema", CM_JSON_NOT_NULL, &schema);
    if (status == CM_OK && strcmp(schema, "catmint.evaluate/1") != 0)
        return cm_json_fault(reader, "has the schema '%s', expected catmint.evaluate/1", schema);
    CM_THEN(status, cm_json_read_text(reader, document, "formulas", CM_JSON_NOT_NULL, &values->formulas));
    CM_THEN(status, cm_json_read_names(reader, document, "runs", &values->run_count, &values->runs));
    CM_THEN(status, cm_json_read_items(reader, document, "metrics", sizeof(cm_valued_metric), read_metric,
                                       &values->metric_count, &items));
    values->metrics = items;
    return status == CM_OK ? read_values(values, reader, document) : status;
}

cm_status cm_formula_values_load(const char *path, cm_formula_values **values, cm_error *error)
{
    cm_formula_values *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? cm_json_read_file(path, 0, "the JSON that catmint evaluate writes", &made->arena,
                                                        read_document, made, error)
                                    : cm_error_no_memory(error);
    if (status == CM_OK)
        place_values(made);
    CM_HAND_OVER(status, values, made, cm_formula_values_free);
    return status;
}

void cm_formula_values_free(cm_formula_values *values)
{
    if (values == NULL)
        return;
    cm_arena_clear(&values->arena);
    free(values);
}

/* ---- display ---- */

bool cm_formula_values_have_tree(const cm_formula_values *values)
{
    for (size_t i = 0; i < values->metric_count; i++)
        if (values->metrics[i].parts > 0)
            return true;
    return false;
}

const char *cm_formula_values_title(const cm_formula_values *values)
{
    const char *slash = strrchr(values->formulas, '/');
    return slash != NULL ? slash + 1 : values->formulas;
}

const char *cm_value_text(const cm_valued_metric *metric, double value, char text[CM_VALUE_SIZE])
{
    snprintf(text, CM_VALUE_SIZE, isnan(value) ? "-" : metric->of != NULL ? "%.3f" : "%.6g", value);
    return text;
}
