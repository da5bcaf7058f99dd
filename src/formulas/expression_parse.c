/* Parses text into an expression, by recursive descent over the grammar in expression.h, with bounded depth. */
#include "formulas/formulas.h"

enum { SHOWN = 60 }; /* bytes of a token in a message */

typedef struct expression_parser {
    cm_lexer lexer; /* behind `token` */
    cm_token token; /* the next token */
    char comparing; /* '<', '>', '=' or '!' if the last token is that alone, else 0 */
    size_t depth;
    const cm_expression_source *source;
    cm_expression_resolve resolve;
    void *data;
    cm_expression *expression;
    cm_error *error;
} expression_parser;

static void next_token(expression_parser *parser)
{
    const cm_token *token = &parser->token;
    bool compares = token->kind == CM_TOKEN_SYMBOL && token->length == 1 && strchr("<>=!", token->text[0]) != NULL;
    parser->comparing = compares ? token->text[0] : '\0';
    parser->token = cm_lexer_next(&parser->lexer);
}

static bool next_is(const expression_parser *parser, const char *symbol)
{
    return parser->token.kind == CM_TOKEN_SYMBOL && cm_token_is(&parser->token, symbol);
}

/* ---- faults ---- */

static cm_status report_fault(const expression_parser *parser, cm_expression_location location, const char *format, ...)
    CM_PRINTF(3, 4);

static cm_status report_fault(const expression_parser *parser, cm_expression_location location, const char *format, ...)
{
    char text[256];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    return cm_error_set(parser->error, CM_BAD_INPUT, parser->source->file, location.line, location.column, "%s", text);
}

/* CM_BAD_INPUT at the next token. */
static cm_status unexpected(const expression_parser *parser, const char *expected)
{
    const cm_token *token = &parser->token;
    if (token->kind == CM_TOKEN_END)
        return report_fault(parser, token->location, "the expression ends here, expected %s", expected);
    if (parser->comparing != 0 && token->length == 1 && token->text[0] == '=')
        return report_fault(parser, token->location, "a blank parts '%c' from '=', expected '%c='", parser->comparing,
                            parser->comparing);
    return report_fault(parser, token->location, "unexpected '%.*s%s', expected %s",
                        (int)(token->length < SHOWN ? token->length : SHOWN), token->text,
                        token->length < SHOWN ? "" : "...", expected);
}

/* ---- grammar ---- */

static cm_status parse_expression(expression_parser *parser, size_t *node);

static cm_status add_operation(expression_parser *parser, cm_expression_kind kind, cm_expression_location location,
                               size_t left, size_t right, size_t *node)
{
    cm_expression_node operation = {.kind = kind, .left = left, .right = right, .location = location};
    return cm_expression_add(parser->expression, &operation, node, parser->error);
}

static cm_status deeper(expression_parser *parser, cm_expression_location location)
{
    if (parser->depth == CM_EXPRESSION_DEPTH)
        return report_fault(parser, location, "the expression is nested more than %d deep", CM_EXPRESSION_DEPTH);
    parser->depth++;
    return CM_OK;
}

/* Parses a number. */
static cm_status parse_number(expression_parser *parser, size_t *node)
{
    enum { LONGEST = 400 };
    const cm_token token = parser->token;
    char text[LONGEST + 1];
    if (token.length > LONGEST)
        return report_fault(parser, token.location, "the number has more than %d characters", LONGEST);
    memcpy(text, token.text, token.length);
    text[token.length] = '\0';
    cm_expression_node number = {.kind = CM_EXPRESSION_NUMBER, .location = token.location};
    cm_error inner = {0};
    cm_status status = cm_number_parse(text, &number.number, &inner);
    if (status != CM_OK)
        return cm_error_set(parser->error, status, parser->source->file, token.location.line, token.location.column,
                            "%s", inner.text);
    next_token(parser);
    return cm_expression_add(parser->expression, &number, node, parser->error);
}

/* Adds a name that the expression does not have yet; returns its index. */
static cm_status take_name(expression_parser *parser, const char *text, cm_expression_location location, size_t *index)
{
    ptrdiff_t resolved = parser->resolve != NULL ? parser->resolve(text, parser->data)
                                                 : (ptrdiff_t)cm_expression_name_count(parser->expression);
    if (resolved == CM_RESOLVED_NO_MEMORY)
        return cm_error_no_memory(parser->error);
    if (resolved < 0)
        return report_fault(parser, location, "unknown %s '%.100s'",
                            parser->source->names_are != NULL ? parser->source->names_are : "name", text);
    cm_status status = cm_expression_intern(parser->expression, text, (size_t)resolved, parser->error);
    if (status == CM_OK)
        *index = (size_t)resolved;
    return status;
}

static cm_status add_name(expression_parser *parser, const char *text, cm_expression_location location, size_t *node)
{
    cm_expression_node used = {.kind = CM_EXPRESSION_NAME, .location = location};
    cm_status status = CM_OK;
    if (!cm_expression_find(parser->expression, text, &used.name))
        status = take_name(parser, text, location, &used.name);
    return status == CM_OK ? cm_expression_add(parser->expression, &used, node, parser->error) : status;
}

/* The name without escapes, between `before` and `after`; the caller frees it. */
static char *spell_name(const expression_parser *parser, const char *before, const cm_token *name, const char *after)
{
    bool escapes = parser->lexer.dialect->symbols;
    char *text = malloc(strlen(before) + name->length + strlen(after) + 1);
    if (text == NULL)
        return NULL;
    char *to = stpcpy(text, before);
    for (size_t i = 0; i < name->length; i++)
        if (escapes && name->text[i] == '\\' && i + 1 < name->length)
            *to++ = name->text[++i];
        else
            *to++ = escapes && name->text[i] == '@' ? '/' : name->text[i];
    strcpy(to, after);
    return text;
}

/* Reads the ")" of the parenthesis opened at `open`. */
static cm_status close_bracket(expression_parser *parser, cm_expression_location open, const char *expected)
{
    if (parser->token.kind == CM_TOKEN_END)
        return report_fault(parser, open, "unclosed '('");
    if (!next_is(parser, ")"))
        return unexpected(parser, expected);
    parser->depth--;
    next_token(parser);
    return CM_OK;
}

/* Parses has_event(X), which is a name. */
static cm_status parse_word(expression_parser *parser, const cm_function *function, cm_expression_location location,
                            size_t *node)
{
    char before[32];
    cm_expression_location open = parser->token.location;
    cm_status status = deeper(parser, open);
    if (status != CM_OK)
        return status;
    next_token(parser);
    const cm_token argument = parser->token;
    if (argument.kind != CM_TOKEN_NAME)
        return unexpected(parser, "the name of an event");
    next_token(parser);
    snprintf(before, sizeof before, "%s(", function->name);
    char *text = spell_name(parser, before, &argument, ")");
    status = text != NULL ? add_name(parser, text, location, node) : cm_error_no_memory(parser->error);
    free(text);
    return status == CM_OK ? close_bracket(parser, open, "')'") : status;
}

/* Joins an argument with those before it. */
static cm_status join_argument(expression_parser *parser, const cm_function *function, cm_expression_location location,
                               size_t count, size_t argument, size_t *node)
{
    bool median = function->form == CM_FUNCTION_MEDIAN;
    cm_expression_kind kind = median ? CM_EXPRESSION_ARGUMENT : function->kind;
    if (median)
        return add_operation(parser, kind, location, argument,
                             count == 0 ? cm_expression_node_count(parser->expression) : *node, node);
    if (count == 0) {
        *node = argument;
        return CM_OK;
    }
    return add_operation(parser, kind, location, *node, argument, node);
}

/* Turns the joined arguments into the function. */
static cm_status finish_function(expression_parser *parser, const cm_function *function,
                                 cm_expression_location location, size_t count, size_t *node)
{
    cm_expression_node number = {.kind = CM_EXPRESSION_NUMBER, .number = (double)count, .location = location};
    size_t divisor = 0;
    switch (function->form) {
    case CM_FUNCTION_UNARY:
    case CM_FUNCTION_MEDIAN: return add_operation(parser, function->kind, location, *node, 0, node);
    case CM_FUNCTION_MEAN: {
        cm_status status = cm_expression_add(parser->expression, &number, &divisor, parser->error);
        return status == CM_OK ? add_operation(parser, CM_EXPRESSION_DIVIDE, location, *node, divisor, node) : status;
    }
    case CM_FUNCTION_BINARY:
    case CM_FUNCTION_FOLD:
    case CM_FUNCTION_WORD: break;
    }
    return CM_OK;
}

/* Parses a function and its arguments. */
static cm_status parse_function(expression_parser *parser, const cm_function *function, cm_expression_location location,
                                size_t *node)
{
    if (function->form == CM_FUNCTION_WORD)
        return parse_word(parser, function, location, node);
    size_t least = function->form == CM_FUNCTION_BINARY ? 2 : 1;
    size_t most = function->form == CM_FUNCTION_UNARY ? 1 : function->form == CM_FUNCTION_BINARY ? 2 : SIZE_MAX;
    size_t count = 0;
    cm_expression_location open = parser->token.location;
    cm_status status = deeper(parser, open);
    do {
        size_t argument = 0;
        if (status != CM_OK)
            return status;
        next_token(parser);
        status = parse_expression(parser, &argument);
        CM_THEN(status, join_argument(parser, function, location, count++, argument, node));
    } while (status != CM_OK || (count < most && next_is(parser, ",")));
    if (count < least)
        return unexpected(parser, "',' and another argument");
    status = finish_function(parser, function, location, count, node);
    return status == CM_OK
               ? close_bracket(parser, open, count < most ? "an operator, ',' or ')'" : "an operator or ')'")
               : status;
}

/* Parses an expression in parentheses. */
static cm_status parse_parenthesis(expression_parser *parser, size_t *node)
{
    cm_expression_location open = parser->token.location;
    cm_status status = deeper(parser, open);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_expression(parser, node);
    if (status == CM_OK)
        cm_expression_parenthesise(parser->expression);
    return status == CM_OK ? close_bracket(parser, open, "an operator or ')'") : status;
}

/* Parses a number, a name, a function or a parenthesis. */
static cm_status parse_primary(expression_parser *parser, size_t *node)
{
    const cm_token token = parser->token;
    if (token.kind == CM_TOKEN_NUMBER)
        return parse_number(parser, node);
    if (token.kind == CM_TOKEN_NAME || token.kind == CM_TOKEN_QUOTED) {
        next_token(parser);
        if (token.kind == CM_TOKEN_NAME && next_is(parser, "("))
            for (const cm_function *function = parser->lexer.dialect->functions; function->name != NULL; function++)
                if (cm_token_is(&token, function->name))
                    return parse_function(parser, function, token.location, node);
        char *text = spell_name(parser, "", &token, "");
        cm_status status =
            text != NULL ? add_name(parser, text, token.location, node) : cm_error_no_memory(parser->error);
        free(text);
        if (status == CM_OK && token.kind == CM_TOKEN_NAME && next_is(parser, "("))
            return report_fault(parser, parser->token.location,
                                "unexpected '(': '%.*s' is no function, or a ')' is missing",
                                (int)(token.length < SHOWN ? token.length : SHOWN), token.text);
        return status;
    }
    if (next_is(parser, "("))
        return parse_parenthesis(parser, node);
    return unexpected(parser,
                      parser->lexer.dialect->negation ? "a number, a name, '-' or '('" : "a number, a name or '('");
}

/* Parses a primary, with minus signs before it. */
static cm_status parse_unary(expression_parser *parser, size_t *node)
{
    if (!parser->lexer.dialect->negation || !next_is(parser, "-"))
        return parse_primary(parser, node);
    cm_expression_location location = parser->token.location;
    cm_status status = deeper(parser, location);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_unary(parser, node);
    parser->depth--;
    return status == CM_OK ? add_operation(parser, CM_EXPRESSION_NEGATE, location, *node, 0, node) : status;
}

static const cm_operator *next_operator(const expression_parser *parser)
{
    const cm_operator *operators = parser->lexer.dialect->operators;
    while (operators->symbol != NULL && !next_is(parser, operators->symbol))
        operators++;
    return operators->symbol != NULL ? operators : NULL;
}

/* Parses operators of at least the strength `weakest`. */
static cm_status parse_binary(expression_parser *parser, unsigned weakest, size_t *node)
{
    cm_status status = parse_unary(parser, node);
    unsigned alone = 0;
    const cm_operator *found;
    while (status == CM_OK && (found = next_operator(parser)) != NULL && found->strength >= weakest) {
        cm_expression_location location = parser->token.location;
        size_t right = 0;
        if (found->alone && found->strength == alone)
            return report_fault(parser, location, "comparisons cannot be chained, expected parentheses");
        alone = found->alone ? found->strength : 0;
        if (found->from_right && (status = deeper(parser, location)) != CM_OK)
            return status;
        next_token(parser);
        status = parse_binary(parser, found->strength + !found->from_right, &right);
        parser->depth -= found->from_right;
        CM_THEN(status, add_operation(parser, found->kind, location, *node, right, node));
    }
    return status;
}

/* Parses a conditional, or an expression without one. */
static cm_status parse_expression(expression_parser *parser, size_t *node)
{
    cm_status status = parse_binary(parser, 0, node);
    if (status != CM_OK || parser->token.kind != CM_TOKEN_IF)
        return status;
    cm_expression_node conditional = {
        .kind = CM_EXPRESSION_CONDITIONAL, .left = *node, .location = parser->token.location};
    status = deeper(parser, parser->token.location);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_binary(parser, 0, &conditional.condition);
    if (status == CM_OK && parser->token.kind != CM_TOKEN_ELSE)
        return unexpected(parser, "an operator or 'else'");
    if (status == CM_OK) {
        next_token(parser);
        status = parse_expression(parser, &conditional.right);
    }
    parser->depth--;
    return status == CM_OK ? cm_expression_add(parser->expression, &conditional, node, parser->error) : status;
}

cm_status cm_expression_parse(const char *text, const cm_expression_source *source, cm_expression_resolve resolve,
                              void *data, cm_expression **expression, cm_error *error)
{
    expression_parser parser = {
        .lexer = {.at = text,
                  .location = {source->line != 0 ? source->line : 1, source->column != 0 ? source->column : 1},
                  .dialect = cm_dialect_get(source->dialect),
                  .name_characters = source->name_characters},
        .source = source,
        .resolve = resolve,
        .data = data,
        .error = error};
    cm_status status = cm_expression_create(source->file, &parser.expression, error);
    if (status != CM_OK)
        return status;
    size_t node = 0;
    next_token(&parser);
    status = parse_expression(&parser, &node);
    if (status == CM_OK && parser.token.kind != CM_TOKEN_END)
        status = unexpected(&parser, "an operator or the end");
    CM_HAND_OVER(status, expression, parser.expression, cm_expression_free);
    return status;
}
