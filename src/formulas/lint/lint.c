/* Finds faults in a file of formulas: those of its reader, and those of the formulas. */
#include "formulas/lint/lint.h"

/* Some consumers replace a division by zero by 0 or nothing, or report it. A constant 0 is a fault for all. */
static cm_status check_divisions(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula)
{
    cm_division *divisions = NULL;
    size_t count = 0;
    cm_status status = cm_expression_divisions_create(formula->expression, &divisions, &count, NULL);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        if (divisions[i].zero || formulas->rules->divides_unchecked)
            status = cm_lint_add(
                lint, CM_FAULT_DIVISION, divisions[i].location.line, divisions[i].location.column, &formula->info,
                divisions[i].zero ? "this divides by zero"
                                  : "this divides by a value that may be zero, which %s does not check",
                formulas->rules->title);
    free(divisions);
    return status;
}

/* Presets in terms add their own events. */
static cm_status check_event_count(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula)
{
    size_t events = 0, metrics = 0, most = formulas->most_events;
    for (size_t i = 0; i < formula->need_count; i++)
        events += formulas->quantities[formula->needs[i]].kind == CM_QUANTITY_EVENT;
    for (size_t i = 0; i < cm_expression_name_count(formula->expression); i++)
        metrics += formulas->quantities[cm_expression_name_index(formula->expression, i)].kind == CM_QUANTITY_METRIC;
    if (most == 0 || metrics == 0 || events <= most)
        return CM_OK;
    return cm_lint_add(lint, CM_FAULT_TERMS, formula->info.line, formula->info.column, &formula->info,
                       "%zu events, including those of presets that are terms; %s takes %zu", events,
                       formulas->rules->title, most);
}

/* Finds numbers behind which the consumer would read a sign as part of the exponent. */
static cm_status check_exponents(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula)
{
    const char *text = formula->info.text;
    cm_status status = CM_OK;
    if (!formulas->rules->joins_exponents)
        return CM_OK;
    for (const char *at = text; (at = strpbrk(at, "eE")) != NULL && status == CM_OK; at++) {
        const char *digits = at + 1 + (at[1] == '-' || at[1] == '+');
        const char *end = digits + strspn(digits, "0123456789");
        if (at > text && strchr("0123456789.", at[-1]) != NULL && end > digits && (*end == '+' || *end == '-'))
            status = cm_lint_add(lint, CM_FAULT_MISREAD, formula->info.line,
                                 formula->info.column + (size_t)(end - text), &formula->info,
                                 "%s reads a sign right after an exponent, and the digits after it, as part of the "
                                 "number; write the number last",
                                 formulas->rules->title);
    }
    return status;
}

/* Finds names that are defined twice, if they must be unique. */
static cm_status check_names(cm_lint *lint, const cm_formulas *formulas)
{
    cm_name_index *names = NULL;
    cm_status status = CM_OK;
    if (!formulas->rules->names_are_unique)
        return CM_OK;
    status = cm_name_index_create(&names, NULL);
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula_info *info = &formulas->formulas[i].info;
        size_t first = 0;
        if (cm_name_index_find(names, info->metric, &first))
            status = cm_lint_add(lint, CM_FAULT_DUPLICATE, info->line, 0, info,
                                 "metric '%.100s' is already defined in line %zu", info->metric,
                                 formulas->formulas[first].info.line);
        else
            status = cm_name_index_add(names, info->metric, i, NULL);
    }
    cm_name_index_free(names);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const cm_formula_fault *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->kind > right->kind) - (left->kind < right->kind);
}

/* Adds faults that show in the formulas alone. */
static cm_status check_formulas(cm_lint *lint, const cm_formulas *formulas, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &formulas->formulas[i];
        status = check_divisions(lint, formulas, formula);
        CM_THEN(status, check_event_count(lint, formulas, formula));
        CM_THEN(status, check_exponents(lint, formulas, formula));
        CM_THEN(status, cm_lint_check_spelling(lint, formulas, formula));
    }
    CM_THEN(status, check_names(lint, formulas));
    return status == CM_OK ? cm_lint_check_quantities(lint, formulas, error) : status;
}

/* Adds faults that the processors' lists of events show. */
static cm_status check_lists(cm_lint *lint, const cm_formulas *formulas, const cm_lint_options *options,
                             cm_error *error)
{
    cm_event_lists *lists = NULL;
    cm_status status = cm_event_lists_create(formulas, options, &lists, error);
    CM_THEN(status, cm_lint_check_events(lint, formulas, lists, error));
    if (status == CM_OK && cm_event_lists_counters(lists) != NULL)
        status = cm_lint_check_counters(lint, formulas, cm_event_lists_counters(lists), cm_event_lists_events(lists));
    cm_event_lists_free(lists);
    return status;
}

cm_status cm_lint_create_for(const cm_formulas *formulas, const cm_lint_options *options, cm_lint **lint,
                             cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_lint_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_lint *created = calloc(1, sizeof *created);
    cm_status status = created != NULL ? CM_OK : CM_NO_MEMORY;
    for (size_t i = 0; i < formulas->fault_count && status == CM_OK; i++)
        status = cm_lint_append(created, &formulas->faults[i], formulas->faults[i].text);
    for (size_t i = 0; i < formulas->remark_count && status == CM_OK; i++)
        status = cm_lint_append(created, &formulas->remarks[i], formulas->remarks[i].text);
    CM_THEN(status, check_formulas(created, formulas, error));
    CM_THEN(status, check_lists(created, formulas, options, error));
    CM_THEN(status, cm_lint_check_notes(created, formulas, options, error));
    if (status != CM_OK) {
        cm_lint_free(created);
        return status == CM_NO_MEMORY ? cm_error_no_memory(error) : status;
    }
    if (created->count > 1)
        qsort(created->faults, created->count, sizeof *created->faults, by_place);
    *lint = created;
    return CM_OK;
}

cm_status cm_lint_create(const cm_formulas *formulas, cm_lint **lint, cm_error *error)
{
    return cm_lint_create_for(formulas, &(cm_lint_options){.size = sizeof(cm_lint_options)}, lint, error);
}
