/* Relations of metrics in catmint's own files: parents and wholes. */
#include "formats/format.h"

/* Records a fault of the relation; the metric loses its expression. */
static cm_status refuse_relation(cm_formulas *formulas, cm_formula *formula, const char *format, const char *name)
{
    cm_expression_free(formula->expression);
    formula->expression = NULL;
    formula->parent = CM_FORMULAS_NONE;
    return cm_formulas_add_fault(formulas, CM_FAULT_SYNTAX, formula->info.line, 0, formula->info.metric, format, name,
                                 CM_FORMULAS_DEPTH);
}

/* Finds the parent and the whole of a metric. */
static cm_status find_names(cm_formulas *formulas, cm_formula *formula)
{
    size_t parent = 0;
    if (formula->parent_name[0] != '\0') {
        if (!cm_name_index_find(formulas->names, formula->parent_name, &parent) ||
            formulas->quantities[parent].kind != CM_QUANTITY_METRIC)
            return refuse_relation(formulas, formula, "the parent '%.100s' is not a metric of this file",
                                   formula->parent_name);
        formula->parent = formulas->quantities[parent].formula;
    }
    if (formula->of_name[0] != '\0' && !cm_name_index_find(formulas->names, formula->of_name, &formula->of))
        return refuse_relation(formulas, formula,
                               "a fraction of '%.100s', which is neither a metric nor an event of this file",
                               formula->of_name);
    return CM_OK;
}

static bool is_too_deep(const cm_formulas *formulas, const cm_formula *formula)
{
    size_t depth = 0;
    for (size_t up = formula->parent; up != CM_FORMULAS_NONE; up = formulas->formulas[up].parent)
        if (++depth > CM_FORMULAS_DEPTH)
            return true;
    return false;
}

/* Records parts that are measured differently and cannot be added. `first`: the first part of each metric. */
static cm_status compare_parts(cm_formulas *formulas, size_t *first)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->count; i++)
        first[i] = CM_FORMULAS_NONE;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &formulas->formulas[i];
        if (formula->parent == CM_FORMULAS_NONE)
            continue;
        size_t *one = &first[formula->parent];
        if (*one == CM_FORMULAS_NONE)
            *one = i;
        const cm_formula *other = &formulas->formulas[*one];
        if (other->of != formula->of)
            status = cm_formulas_add_fault(
                formulas, CM_FAULT_SYNTAX, formula->info.line, 0, formula->info.metric,
                "a fraction of '%.100s', but the metric in line %zu, with the same parent, is a fraction of '%.100s'",
                formula->of_name, other->info.line, other->of_name);
    }
    return status;
}

cm_status cm_csv_find_relations(cm_formulas *formulas, cm_error *error)
{
    size_t *first = malloc((formulas->count + 1) * sizeof *first);
    bool *deep = calloc(formulas->count + 1, sizeof *deep);
    cm_status status = first != NULL && deep != NULL ? CM_OK : CM_NO_MEMORY;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        status = find_names(formulas, &formulas->formulas[i]);
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        deep[i] = is_too_deep(formulas, &formulas->formulas[i]);
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        if (deep[i])
            status = refuse_relation(formulas, &formulas->formulas[i],
                                     "the parents of metric '%.100s' form a cycle, or more than %d levels",
                                     formulas->formulas[i].info.metric);
    CM_THEN(status, compare_parts(formulas, first));
    free(first);
    free(deep);
    return status == CM_OK ? CM_OK : cm_error_no_memory(error);
}
