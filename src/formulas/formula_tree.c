/* What the metrics of a file have to do with each other: what is computed before what, and what is part of what. */
#include <stdlib.h>

#include "core/error.h"
#include "formulas/formula_set.h"

static bool is_ready(const cm_formula_set *set, const cm_formula *metric, const bool *done)
{
    for (size_t i = 0; i < cm_expression_name_count(metric->expression); i++) {
        size_t used = cm_expression_name_index(metric->expression, i);
        if (used < set->metric_count && !done[used])
            return false;
    }
    return true;
}

static cm_status put_in_order(cm_formula_set *set, cm_error *error)
{
    bool *done = calloc(set->metric_count, sizeof *done);
    set->order = calloc(set->metric_count, sizeof *set->order);
    if (done == NULL || set->order == NULL) {
        free(done);
        return cm_error_no_memory(error);
    }
    size_t count = 0;
    for (bool progress = true; progress && count < set->metric_count;) {
        progress = false;
        for (size_t i = 0; i < set->metric_count; i++)
            if (!done[i] && is_ready(set, &set->metrics[i], done)) {
                done[i] = progress = true;
                set->order[count++] = i;
            }
    }
    cm_status status = CM_OK;
    for (size_t i = 0; i < set->metric_count && status == CM_OK; i++)
        if (!done[i])
            status = cm_error_set(error, CM_BAD_INPUT, set->file, set->metrics[i].line, 0,
                                  "the formula of metric '%.100s' needs its own value, or that of one that does",
                                  set->metrics[i].metric);
    free(done);
    return status;
}

static cm_status find_relations(const cm_formula_set *set, cm_formula *metric, cm_error *error)
{
    if (metric->parent_name[0] != '\0' &&
        (!cm_name_index_find(set->names, metric->parent_name, &metric->parent) || metric->parent >= set->metric_count))
        return cm_error_set(error, CM_BAD_INPUT, set->file, metric->line, 0,
                            "the parent '%.100s' is no metric of this file", metric->parent_name);
    if (metric->of_name[0] != '\0' && !cm_name_index_find(set->names, metric->of_name, &metric->of))
        return cm_error_set(error, CM_BAD_INPUT, set->file, metric->line, 0,
                            "a fraction of '%.100s', which is no metric and no event of this file", metric->of_name);
    return CM_OK;
}

static cm_status measure_depth(const cm_formula_set *set, cm_formula *metric, cm_error *error)
{
    for (size_t up = metric->parent; up != CM_FORMULAS_NONE; up = set->metrics[up].parent)
        if (++metric->depth > CM_FORMULAS_DEPTH)
            return cm_error_set(error, CM_BAD_INPUT, set->file, metric->line, 0,
                                "the parents of metric '%.100s' go round in a circle, or more than %d levels up",
                                metric->metric, CM_FORMULAS_DEPTH);
    return CM_OK;
}

/* Parts add up only where they are measured alike. */
static cm_status compare_parts(const cm_formula_set *set, cm_error *error)
{
    size_t *first = malloc((set->metric_count + 1) * sizeof *first);
    if (first == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < set->metric_count; i++)
        first[i] = CM_FORMULAS_NONE;
    cm_status status = CM_OK;
    for (size_t i = 0; i < set->metric_count && status == CM_OK; i++) {
        const cm_formula *metric = &set->metrics[i];
        if (metric->parent == CM_FORMULAS_NONE)
            continue;
        size_t *one = &first[metric->parent];
        if (*one == CM_FORMULAS_NONE)
            *one = i;
        else if (set->metrics[*one].of != metric->of)
            status = cm_error_set(
                error, CM_BAD_INPUT, set->file, metric->line, 0,
                "a fraction of '%.100s', but the metric in line %zu, of the same parent, is one of '%.100s'",
                metric->of_name, set->metrics[*one].line, set->metrics[*one].of_name);
    }
    free(first);
    return status;
}

cm_status cm_formula_set_link(cm_formula_set *set, cm_error *error)
{
    cm_status status = put_in_order(set, error);
    for (size_t i = 0; i < set->metric_count && status == CM_OK; i++)
        status = find_relations(set, &set->metrics[i], error);
    for (size_t i = 0; i < set->metric_count && status == CM_OK; i++)
        status = measure_depth(set, &set->metrics[i], error);
    return status == CM_OK ? compare_parts(set, error) : status;
}
