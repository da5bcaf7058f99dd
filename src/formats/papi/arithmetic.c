/* Builds expressions for PAPI's derived types, and for its infix arithmetic. */
#include "formats/papi/papi.h"

/* Adds a node for a term. */
static cm_status add_term(const cm_papi_definition *definition, cm_expression *expression, size_t term, size_t *node,
                          cm_error *error)
{
    const char *name = definition->formulas->quantities[definition->terms[term]].name;
    cm_expression_node used = {.kind = CM_EXPRESSION_NAME,
                               .name = definition->terms[term],
                               .location = {definition->line, definition->columns[term]}};
    size_t index = 0;
    cm_status status = CM_OK;
    if (!cm_expression_find(expression, name, &index))
        status = cm_expression_intern(expression, name, used.name, error);
    return status == CM_OK ? cm_expression_add(expression, &used, node, error) : status;
}

static cm_status add_operation(const cm_papi_definition *definition, cm_expression *expression, cm_expression_kind kind,
                               size_t right, size_t *node, cm_error *error)
{
    cm_expression_node operation = {
        .kind = kind, .left = *node, .right = right, .location = {definition->line, definition->columns[0]}};
    return cm_expression_add(expression, &operation, node, error);
}

/* Joins all terms from `first` on by the operation. */
static cm_status join_terms(const cm_papi_definition *definition, cm_expression *expression, cm_expression_kind kind,
                            size_t first, size_t *node, cm_error *error)
{
    cm_status status = add_term(definition, expression, first, node, error);
    for (size_t i = first + 1; i < definition->term_count && status == CM_OK; i++) {
        size_t right = 0;
        status = add_term(definition, expression, i, &right, error);
        CM_THEN(status, add_operation(definition, expression, kind, right, node, error));
    }
    return status;
}

/* Multiplies the node by PAPI's '#' and divides it by the first term. */
static cm_status make_rate(const cm_papi_definition *definition, cm_expression *expression, size_t *node,
                           cm_error *error)
{
    size_t frequency = 0, cycles = 0;
    ptrdiff_t quantity = cm_formulas_quantity(definition->formulas, CM_QUANTITY_VARIABLE, "#");
    if (quantity < 0)
        return cm_error_no_memory(error);
    cm_expression_node used = {
        .kind = CM_EXPRESSION_NAME, .name = (size_t)quantity, .location = {definition->line, definition->columns[0]}};
    cm_status status = cm_expression_intern(expression, "#", used.name, error);
    CM_THEN(status, cm_expression_add(expression, &used, &frequency, error));
    CM_THEN(status, add_operation(definition, expression, CM_EXPRESSION_MULTIPLY, frequency, node, error));
    CM_THEN(status, add_term(definition, expression, 0, &cycles, error));
    CM_THEN(status, add_operation(definition, expression, CM_EXPRESSION_DIVIDE, cycles, node, error));
    return status;
}

cm_status cm_papi_derive(cm_papi_definition *definition, cm_papi_type type, cm_error *error)
{
    cm_expression *expression = NULL;
    cm_papi_definition taken = *definition;
    bool rate = type == CM_PAPI_PS || type == CM_PAPI_ADD_PS;
    cm_formula *formula = &definition->formulas->formulas[definition->formula];
    if (rate && definition->term_count < 2)
        return cm_formulas_add_fault(definition->formulas, CM_FAULT_ONE_TERM, definition->line, definition->columns[0],
                                     formula->info.metric,
                                     "a rate needs a term after the cycles: PAPI reads one that does not exist");
    if (type == CM_PAPI_PS)
        taken.term_count = 2;
    if (type == CM_PAPI_NOT_DERIVED || type == CM_PAPI_CMPD)
        taken.term_count = 1;
    size_t node = 0;
    cm_status status = cm_expression_create(definition->formulas->file, &expression, error);
    CM_THEN(status, join_terms(&taken, expression, type == CM_PAPI_SUB ? CM_EXPRESSION_SUBTRACT : CM_EXPRESSION_ADD,
                               rate, &node, error));
    if (status == CM_OK && rate)
        status = make_rate(&taken, expression, &node, error);
    if (status == CM_OK)
        formula->expression = expression;
    else
        cm_expression_free(expression);
    return status;
}

/* ---- infix ---- */

/* Finds a term: N0 is the first. */
static ptrdiff_t resolve_name(const char *name, void *data)
{
    const cm_papi_definition *definition = data;
    if (strcmp(name, "#") == 0)
        return cm_formulas_quantity(definition->formulas, CM_QUANTITY_VARIABLE, "#");
    size_t term = 0, digits = strspn(name + 1, "0123456789");
    if (name[0] != 'N' || digits == 0 || digits > 2 || name[1 + digits] != '\0')
        return -1;
    for (const char *digit = name + 1; *digit != '\0'; digit++)
        term = 10 * term + (size_t)(*digit - '0');
    return term < definition->term_count ? (ptrdiff_t)definition->terms[term] : -1;
}

/* The first part of correct infix arithmetic that PAPI's calculator refuses. */
static const char *find_refused(const char *text, const char **at, cm_formula_fault_kind *kind)
{
    *kind = CM_FAULT_NUMBER;
    *at = strchr(text, '.');
    if (*at != NULL)
        return "a decimal, which PAPI's arithmetic rejects; write N0*3/2";
    for (*at = text; **at != '\0'; *at += **at != '\0') {
        size_t digits = strspn(*at, "0123456789");
        if (digits > 10 || (digits == 10 && strncmp(*at, "2147483647", 10) > 0))
            return "a number above 2147483647, the largest of PAPI's integers";
        *at += digits > 0 ? digits - 1 : 0;
    }
    *kind = CM_FAULT_SYNTAX;
    *at = strpbrk(text, " \t");
    return *at != NULL ? "a blank within infix arithmetic, which PAPI's calculator rejects" : NULL;
}

/* Whether PAPI applies operators in another order than usual: a - b - c, a / b * c. */
static bool is_misread(const cm_expression *expression)
{
    for (size_t i = 0; i < cm_expression_node_count(expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind != CM_EXPRESSION_SUBTRACT && node->kind != CM_EXPRESSION_DIVIDE)
            continue;
        const cm_expression_node *right = cm_expression_get_node(expression, node->right);
        bool sum = right->kind == CM_EXPRESSION_ADD || right->kind == CM_EXPRESSION_SUBTRACT;
        bool product = right->kind == CM_EXPRESSION_MULTIPLY || right->kind == CM_EXPRESSION_DIVIDE;
        if ((node->kind == CM_EXPRESSION_SUBTRACT ? sum : product) && !right->parenthesised)
            return true;
    }
    return false;
}

cm_status cm_papi_infix(cm_papi_definition *definition, const cm_papi_field *arithmetic, cm_error *error)
{
    cm_formulas *formulas = definition->formulas;
    const char *at = NULL, *metric = formulas->formulas[definition->formula].info.metric;
    cm_formula_fault_kind kind;
    const char *refused = find_refused(arithmetic->text, &at, &kind);
    if (refused != NULL)
        return cm_formulas_add_fault(formulas, kind, definition->line,
                                     arithmetic->column +
                                         cm_lines_column(arithmetic->text, (size_t)(at - arithmetic->text)) - 1,
                                     metric, "%s", refused);
    cm_expression_source source = {.dialect = CM_EXPRESSION_PAPI,
                                   .file = formulas->file,
                                   .line = definition->line,
                                   .column = arithmetic->column,
                                   .names_are = "term"};
    kind = CM_FAULT_SYNTAX;
    cm_status status = cm_formulas_parse(formulas, definition->formula, arithmetic->text, &kind, &source, resolve_name,
                                         definition, error);
    const cm_expression *parsed = formulas->formulas[definition->formula].expression;
    if (status == CM_OK && parsed != NULL && is_misread(parsed))
        status = cm_formulas_add_remark(formulas, CM_FAULT_MISREAD, definition->line, arithmetic->column, metric,
                                        "PAPI applies operators of equal precedence from the right: it reads N0-N1-N2 "
                                        "as N0-(N1-N2); use DERIVED_POSTFIX or parentheses");
    return status;
}
