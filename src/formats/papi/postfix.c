/* Reads PAPI's postfix arithmetic as PAPI's calculator does: a stack of 12 values, integers, no unary minus. */
#include "formats/papi/papi.h"

typedef struct postfix_reader {
    cm_papi_definition *definition;
    cm_expression *expression;
    cm_error *error;
    const char *text, *at;
    size_t column; /* of the text's first character */
    size_t stack[CM_PAPI_TERMS], top;
    bool faulty;
} postfix_reader;

static cm_expression_location location_of(const postfix_reader *postfix, const char *at)
{
    return (cm_expression_location){postfix->definition->line,
                                    postfix->column + cm_lines_column(postfix->text, (size_t)(at - postfix->text)) - 1};
}

static cm_status refuse_token(postfix_reader *postfix, cm_formula_fault_kind kind, const char *at, const char *text)
{
    cm_formulas *formulas = postfix->definition->formulas;
    cm_expression_location location = location_of(postfix, at);
    postfix->faulty = true;
    return cm_formulas_add_fault(formulas, kind, location.line, location.column,
                                 formulas->formulas[postfix->definition->formula].info.metric, "%s", text);
}

/* Pushes a node of the expression; a fault if PAPI's stack is full. */
static cm_status push_node(postfix_reader *postfix, const cm_expression_node *node, const char *start)
{
    size_t location = 0;
    if (postfix->top == CM_PAPI_TERMS)
        return refuse_token(postfix, CM_FAULT_STACK, start,
                            "more than 12 values at a time, the most that PAPI's stack holds");
    cm_status status = cm_expression_add(postfix->expression, node, &location, postfix->error);
    if (status == CM_OK)
        postfix->stack[postfix->top++] = location;
    return status;
}

/* Reads a number that PAPI's int can hold; false if it is larger. */
static bool read_integer(const char **at, long *value)
{
    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (*value <= INT32_MAX)
            *value = *value * 10 + (**at - '0');
    return *value <= INT32_MAX;
}

static cm_status unknown_term(postfix_reader *postfix, const char *start)
{
    char text[128];
    int digits = (int)strspn(start + 1, "0123456789");
    snprintf(text, sizeof text, "no term N%.*s: there are %zu, and the first is N0", digits < 20 ? digits : 20,
             start + 1, postfix->definition->term_count);
    return refuse_token(postfix, CM_FAULT_UNKNOWN_COUNTER, start, text);
}

/* Pushes a term, N and its number. */
static cm_status push_term(postfix_reader *postfix)
{
    const char *start = postfix->at;
    long term = 0;
    postfix->at++;
    size_t digits = strspn(postfix->at, "0123456789");
    if (digits == 0)
        return refuse_token(postfix, CM_FAULT_SYNTAX, start,
                            "'N' without a number, expected the number of a term, as in N0");
    if (!read_integer(&postfix->at, &term) || (size_t)term >= postfix->definition->term_count)
        return unknown_term(postfix, start);
    cm_expression_node node = {
        .kind = CM_EXPRESSION_NAME, .name = postfix->definition->terms[term], .location = location_of(postfix, start)};
    return push_node(postfix, &node, start);
}

/* Pushes an integer. */
static cm_status push_number(postfix_reader *postfix)
{
    const char *start = postfix->at;
    long value = 0;
    bool fits = read_integer(&postfix->at, &value);
    if (*postfix->at == '.')
        return refuse_token(postfix, CM_FAULT_NUMBER, start,
                            "a decimal, which PAPI's arithmetic rejects; write 3/2 as 3|*|2|/|");
    if (!fits)
        return refuse_token(postfix, CM_FAULT_NUMBER, start,
                            "a number above 2147483647, the largest of PAPI's integers");
    cm_expression_node node = {
        .kind = CM_EXPRESSION_NUMBER, .number = (double)value, .location = location_of(postfix, start)};
    return push_node(postfix, &node, start);
}

/* Pushes '#', the frequency. */
static cm_status push_frequency(postfix_reader *postfix)
{
    cm_expression_node node = {.kind = CM_EXPRESSION_NAME, .location = location_of(postfix, postfix->at)};
    ptrdiff_t quantity = cm_formulas_quantity(postfix->definition->formulas, CM_QUANTITY_VARIABLE, "#");
    if (quantity < 0)
        return cm_error_no_memory(postfix->error);
    node.name = (size_t)quantity;
    cm_status status = push_node(postfix, &node, postfix->at);
    postfix->at++;
    return status;
}

/* Applies an operator to the two topmost values. */
static cm_status apply_operator(postfix_reader *postfix, cm_expression_kind kind)
{
    if (postfix->top < 2)
        return refuse_token(postfix, CM_FAULT_STACK, postfix->at, "an operator with fewer than two values before it");
    cm_expression_node node = {.kind = kind,
                               .left = postfix->stack[postfix->top - 2],
                               .right = postfix->stack[postfix->top - 1],
                               .location = location_of(postfix, postfix->at)};
    postfix->top -= 2;
    cm_status status = push_node(postfix, &node, postfix->at);
    postfix->at++;
    return status;
}

/* Reads one token. */
static cm_status take_token(postfix_reader *postfix)
{
    switch (*postfix->at) {
    case '|': postfix->at++; return CM_OK;
    case 'N': return push_term(postfix);
    case '#': return push_frequency(postfix);
    case '+': return apply_operator(postfix, CM_EXPRESSION_ADD);
    case '-': return apply_operator(postfix, CM_EXPRESSION_SUBTRACT);
    case '*': return apply_operator(postfix, CM_EXPRESSION_MULTIPLY);
    case '/': return apply_operator(postfix, CM_EXPRESSION_DIVIDE);
    default: break;
    }
    if (*postfix->at >= '0' && *postfix->at <= '9')
        return push_number(postfix);
    if (*postfix->at == '.')
        return refuse_token(postfix, CM_FAULT_NUMBER, postfix->at, "a decimal, which PAPI's arithmetic rejects");
    return refuse_token(postfix, CM_FAULT_SYNTAX, postfix->at,
                        "PAPI cannot read this, expected N and a number, an integer, '#', '+', '-', '*', '/' or '|'");
}

/* Makes the terms the names of the expression. */
static cm_status name_terms(const cm_papi_definition *definition, cm_expression *expression, cm_error *error)
{
    const cm_formulas *formulas = definition->formulas;
    cm_status status = CM_OK;
    for (size_t i = 0; i < cm_expression_node_count(expression) && status == CM_OK; i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        size_t index = 0;
        if (node->kind != CM_EXPRESSION_NAME)
            continue;
        const char *name = formulas->quantities[node->name].name;
        if (!cm_expression_find(expression, name, &index))
            status = cm_expression_intern(expression, name, node->name, error);
    }
    return status;
}

cm_status cm_papi_postfix(cm_papi_definition *definition, const cm_papi_field *arithmetic, cm_error *error)
{
    postfix_reader postfix = {.definition = definition,
                              .error = error,
                              .text = arithmetic->text,
                              .at = arithmetic->text,
                              .column = arithmetic->column};
    cm_formula *formula = &definition->formulas->formulas[definition->formula];
    cm_status status = cm_expression_create(definition->formulas->file, &postfix.expression, error);
    while (status == CM_OK && !postfix.faulty && *postfix.at != '\0')
        status = take_token(&postfix);
    if (status == CM_OK && !postfix.faulty && postfix.top != 1)
        status = refuse_token(&postfix, CM_FAULT_STACK, postfix.text,
                              postfix.top == 0 ? "no value is left at the end, expected one"
                                               : "several values are left at the end, expected one");
    if (status == CM_OK && !postfix.faulty)
        status = name_terms(definition, postfix.expression, error);
    if (status == CM_OK && !postfix.faulty && postfix.at[-1] != '|') {
        cm_expression_location location = location_of(&postfix, postfix.at);
        status = cm_formulas_add_remark(definition->formulas, CM_FAULT_UNTERMINATED, location.line, location.column,
                                        formula->info.metric, "the arithmetic lacks its final '|'");
    }
    if (status == CM_OK && !postfix.faulty) {
        formula->expression = postfix.expression;
        postfix.expression = NULL;
    }
    cm_expression_free(postfix.expression);
    return status;
}
