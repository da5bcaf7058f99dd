/* Access to a file of formulas, for programs. */
#include "formulas/formulas.h"

CM_GETTER(const char *cm_formulas_format(const cm_formulas *formulas), formulas->format)
CM_GETTER(const char *cm_formulas_format_title(const cm_formulas *formulas), formulas->rules->title)
CM_GETTER(const char *cm_formulas_file(const cm_formulas *formulas), formulas->file)
CM_GETTER(size_t cm_formulas_fault_count(const cm_formulas *formulas), formulas->fault_count)
CM_GETTER(const cm_formula_fault *cm_formulas_fault(const cm_formulas *formulas, size_t index),
          &formulas->faults[index])
CM_GETTER(size_t cm_formulas_quantity_count(const cm_formulas *formulas), formulas->quantity_count)
CM_GETTER(const char *cm_formulas_quantity_name(const cm_formulas *formulas, size_t quantity),
          formulas->quantities[quantity].name)
CM_GETTER(cm_quantity_kind cm_formulas_quantity_kind(const cm_formulas *formulas, size_t quantity),
          formulas->quantities[quantity].kind)
CM_GETTER(size_t cm_formulas_count(const cm_formulas *formulas), formulas->count)
CM_GETTER(const cm_formula_info *cm_formulas_info(const cm_formulas *formulas, size_t formula),
          &formulas->formulas[formula].info)

const size_t *cm_formulas_needs(const cm_formulas *formulas, size_t formula, size_t *count)
{
    *count = formulas->formulas[formula].need_count;
    return formulas->formulas[formula].needs;
}

cm_formula_shape cm_formulas_shape(const cm_formulas *formulas, size_t formula, cm_linear_form *numerator,
                                   cm_linear_form *denominator)
{
    *numerator = formulas->formulas[formula].numerator;
    *denominator = formulas->formulas[formula].denominator;
    return formulas->formulas[formula].shape;
}

/* Marks the metrics that the formula uses. */
static bool mark_metrics(const cm_formulas *formulas, const cm_formula *formula, bool *needed)
{
    bool any = false;
    for (size_t i = 0; i < cm_expression_name_count(formula->expression); i++) {
        const cm_quantity *used = &formulas->quantities[cm_expression_name_index(formula->expression, i)];
        if (used->kind == CM_QUANTITY_METRIC)
            any = needed[used->formula] = true;
    }
    return any;
}

/* Evaluates the metrics that a formula uses, in the order of their dependencies. */
static cm_status evaluate_metrics(const cm_formulas *formulas, size_t formula, bool *needed, double *values,
                                  cm_error *error)
{
    for (size_t i = formulas->count; i-- > 0;)
        if (needed[formulas->order[i]])
            mark_metrics(formulas, &formulas->formulas[formulas->order[i]], needed);
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->count && status == CM_OK && formulas->order[i] != formula; i++) {
        const cm_formula *metric = &formulas->formulas[formulas->order[i]];
        if (needed[formulas->order[i]])
            status = cm_expression_try(metric->expression, values, &values[metric->quantity], error);
    }
    return status;
}

cm_status cm_formulas_evaluate(const cm_formulas *formulas, size_t formula, const double *values, double *value,
                               cm_error *error)
{
    const cm_formula *wanted = &formulas->formulas[formula];
    cm_status status = CM_OK;
    double *own = NULL;
    bool *needed = calloc(formulas->count, sizeof *needed);
    if (needed == NULL)
        return cm_error_no_memory(error);
    if (mark_metrics(formulas, wanted, needed)) {
        own = malloc(formulas->quantity_count * sizeof *own);
        if (own != NULL) {
            memcpy(own, values, formulas->quantity_count * sizeof *own);
            status = evaluate_metrics(formulas, formula, needed, own, error);
        } else {
            status = cm_error_no_memory(error);
        }
    }
    CM_THEN(status, cm_expression_try(wanted->expression, own != NULL ? own : values, value, error));
    CM_FREE(own, needed);
    return status;
}

const char *cm_formula_fault_kind_name(cm_formula_fault_kind kind)
{
    static const char *const names[] = {
        [CM_FAULT_SYNTAX] = "syntax",
        [CM_FAULT_UNKNOWN_COUNTER] = "unknown counter",
        [CM_FAULT_NUMBER] = "number",
        [CM_FAULT_STACK] = "stack",
        [CM_FAULT_CIRCLE] = "circle",
        [CM_FAULT_USES_FAULTY] = "uses faulty",
        [CM_FAULT_DUPLICATE] = "duplicate",
        [CM_FAULT_ONE_TERM] = "one term",
        [CM_FAULT_TERMS] = "terms",
        [CM_FAULT_PRESETS] = "presets",
        [CM_FAULT_DIVISION] = "division",
        [CM_FAULT_UNUSED] = "unused",
        [CM_FAULT_UNTERMINATED] = "unterminated",
        [CM_FAULT_IGNORED] = "ignored",
        [CM_FAULT_MISREAD] = "misread",
        [CM_FAULT_UNKNOWN_PRESET] = "unknown preset",
        [CM_FAULT_DOCUMENTED] = "documented",
        [CM_FAULT_UNKNOWN_EVENT] = "unknown event",
        [CM_FAULT_FOREIGN] = "foreign",
        [CM_FAULT_QUANTITY] = "quantity",
    };
    return names[kind];
}

bool cm_formula_fault_is_error(cm_formula_fault_kind kind)
{
    return kind <= CM_FAULT_USES_FAULTY || kind == CM_FAULT_UNKNOWN_EVENT;
}
