/* Builds a file of formulas. */
#include "formulas/formulas.h"

const char *cm_formulas_keep(cm_formulas *formulas, const char *text, size_t length)
{
    if (!CM_GROW_BY_ONE(formulas->texts, formulas->text_count))
        return NULL;
    char *copy = strndup(text, length);
    if (copy != NULL)
        formulas->texts[formulas->text_count++] = copy;
    return copy;
}

static bool keep_text(cm_formulas *formulas, const char **text)
{
    if (*text == NULL)
        *text = "";
    else
        *text = cm_formulas_keep(formulas, *text, strlen(*text));
    return *text != NULL;
}

cm_status cm_formulas_add(cm_formulas *formulas, const cm_formula_info *info, size_t *formula, cm_error *error)
{
    size_t index = formulas->count;
    if (index == CM_FORMULAS_BYTES / sizeof(cm_formula))
        return cm_error_set(error, CM_BAD_INPUT, formulas->file, info->line, 0,
                            "the definitions take more than %d MiB of memory", CM_FORMULAS_BYTES >> 20);
    if (!CM_GROW_BY_ONE(formulas->formulas, index))
        return cm_error_no_memory(error);
    cm_formula added = {.info = *info,
                        .quantity = CM_FORMULAS_NONE,
                        .parent_name = "",
                        .of_name = "",
                        .parent = CM_FORMULAS_NONE,
                        .of = CM_FORMULAS_NONE};
    const char **texts[] = {&added.info.metric,      &added.info.preset, &added.info.section, &added.info.unit,
                            &added.info.description, &added.info.source, &added.info.text};
    for (size_t i = 0; i < CM_COUNT_OF(texts); i++)
        if (!keep_text(formulas, texts[i]))
            return cm_error_no_memory(error);
    formulas->formulas[formulas->count++] = added;
    *formula = index;
    return CM_OK;
}

/* Appends a fault, with copies of its texts. */
static cm_status append_fault(cm_formulas *formulas, cm_formula_fault **faults, size_t *count,
                              const cm_formula_fault *fault)
{
    if (!CM_GROW_BY_ONE(*faults, *count))
        return CM_NO_MEMORY;
    cm_formula_fault *added = &(*faults)[*count];
    *added = *fault;
    if (!keep_text(formulas, &added->metric) || !keep_text(formulas, &added->text))
        return CM_NO_MEMORY;
    ++*count;
    return CM_OK;
}

cm_status cm_formulas_add_fault(cm_formulas *formulas, cm_formula_fault_kind kind, size_t line, size_t column,
                                const char *metric, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE];
    const cm_formula_fault fault = {line, column, metric, text, kind};
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    return append_fault(formulas, &formulas->faults, &formulas->fault_count, &fault);
}

cm_status cm_formulas_add_remark(cm_formulas *formulas, cm_formula_fault_kind kind, size_t line, size_t column,
                                 const char *metric, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE];
    const cm_formula_fault remark = {line, column, metric, text, kind};
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    return append_fault(formulas, &formulas->remarks, &formulas->remark_count, &remark);
}

cm_status cm_formulas_parse(cm_formulas *formulas, size_t formula, const char *text, const cm_formula_fault_kind *kind,
                            const cm_expression_source *source, cm_expression_resolve resolve, void *data,
                            cm_error *error)
{
    cm_error fault = {0};
    cm_formula *parsed = &formulas->formulas[formula];
    cm_status status = cm_expression_parse(text, source, resolve, data, &parsed->expression, &fault);
    if (status == CM_BAD_INPUT)
        status =
            cm_formulas_add_fault(formulas, *kind, fault.line, fault.column, parsed->info.metric, "%s", fault.text);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : status;
}

static ptrdiff_t add_quantity(cm_formulas *formulas, const cm_quantity *quantity)
{
    size_t index = formulas->quantity_count;
    if (!CM_GROW_BY_ONE(formulas->quantities, index))
        return CM_RESOLVED_NO_MEMORY;
    formulas->quantities[formulas->quantity_count++] = *quantity;
    return (ptrdiff_t)index;
}

ptrdiff_t cm_formulas_quantity(cm_formulas *formulas, cm_quantity_kind kind, const char *name)
{
    size_t index = 0;
    if (cm_name_index_find(formulas->names, name, &index))
        return (ptrdiff_t)index;
    cm_quantity added = {
        .name = cm_formulas_keep(formulas, name, strlen(name)), .kind = kind, .formula = CM_FORMULAS_NONE};
    ptrdiff_t kept = added.name != NULL ? add_quantity(formulas, &added) : CM_RESOLVED_NO_MEMORY;
    if (kept < 0 || cm_name_index_add(formulas->names, added.name, (size_t)kept, NULL) == CM_OK)
        return kept;
    formulas->quantity_count--;
    return CM_RESOLVED_NO_MEMORY;
}

ptrdiff_t cm_formulas_metric(cm_formulas *formulas, size_t formula)
{
    cm_formula *used = &formulas->formulas[formula];
    if (used->quantity == CM_FORMULAS_NONE) {
        cm_quantity added = {.name = used->info.metric, .kind = CM_QUANTITY_METRIC, .formula = formula};
        ptrdiff_t index = add_quantity(formulas, &added);
        if (index < 0)
            return index;
        used->quantity = (size_t)index;
    }
    return (ptrdiff_t)used->quantity;
}

void cm_formula_clear(cm_formula *formula)
{
    cm_expression_free(formula->expression);
    free(formula->needs);
    cm_linear_form *const forms[] = {&formula->numerator, &formula->denominator};
    for (size_t i = 0; i < 2; i++) {
        CM_FREE((void *)forms[i]->quantities, (void *)forms[i]->coefficients);
    }
}

void cm_formulas_free(cm_formulas *formulas)
{
    if (formulas == NULL)
        return;
    for (size_t i = 0; i < formulas->count; i++)
        cm_formula_clear(&formulas->formulas[i]);
    cm_free_list(formulas->texts, formulas->text_count);
    cm_name_index_free(formulas->names);
    CM_FREE(formulas->faults, formulas->remarks, formulas->quantities, formulas->formulas, formulas->order,
            formulas->file, formulas);
}
