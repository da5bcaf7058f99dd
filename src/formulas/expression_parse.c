/* From text to expression: recursive descent over the grammar in expression.h, its depth bounded. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "formulas/expression_build.h"

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_QUOTED,
    TOKEN_IF,
    TOKEN_ELSE,
    TOKEN_SYMBOL
} token_kind;

typedef struct lexeme {
    token_kind kind;
    const char *text;
    size_t length;
    cm_expression_place place;
} lexeme;

typedef struct expression_parser {
    const char *at; /* behind `token` */
    cm_expression_place place;
    lexeme token; /* the next one to be taken */
    size_t depth;
    const cm_expression_source *source;
    cm_expression_resolve resolve;
    void *data;
    cm_expression *expression;
    cm_error *error;
} expression_parser;

/* ---- tokens ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(const expression_parser *parser, char c)
{
    const char *more = parser->source->name_characters;
    return is_letter(c) || is_digit(c) || (c != '\0' && more != NULL && strchr(more, c) != NULL);
}

/* The bytes of the UTF-8 character at `text`, as far as they are there. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    if (((unsigned char)text[0] & 0xC0) == 0xC0)
        while (length < 4 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length++;
    return length;
}

static void advance(expression_parser *parser, size_t bytes)
{
    for (const char *end = parser->at + bytes; parser->at < end; parser->at++)
        if (*parser->at == '\n')
            parser->place = (cm_expression_place){parser->place.line + 1, 1};
        else if (((unsigned char)*parser->at & 0xC0) != 0x80)
            parser->place.column++;
}

static size_t number_length(const char *text)
{
    size_t length = strspn(text, "0123456789");
    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, "0123456789");
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        length += digits != 0 ? 1 + sign + digits : 0;
    }
    return length;
}

static bool is(const lexeme *token, const char *text)
{
    return strlen(text) == token->length && strncmp(token->text, text, token->length) == 0;
}

static void next_token(expression_parser *parser)
{
    advance(parser, strspn(parser->at, " \t\r\n"));
    const char *text = parser->at;
    lexeme token = {TOKEN_SYMBOL, text, character_length(text), parser->place};
    if (text[0] == '\0') {
        token.kind = TOKEN_END;
        token.length = 0;
    } else if (is_digit(text[0]) || (text[0] == '.' && is_digit(text[1]))) {
        token.kind = TOKEN_NUMBER;
        token.length = number_length(text);
    } else if (is_letter(text[0])) {
        while (continues_name(parser, text[token.length]))
            token.length++;
        token.kind = is(&token, "if") ? TOKEN_IF : is(&token, "else") ? TOKEN_ELSE : TOKEN_NAME;
    } else if (strchr("<>=!", text[0]) != NULL && text[1] == '=') {
        token.length = 2;
    } else if (text[0] == '\'' && text[1 + strcspn(text + 1, "'\r\n")] == '\'' && text[1] != '\'') {
        token.kind = TOKEN_QUOTED;
        token.text = text + 1;
        token.length = strcspn(text + 1, "'");
    }
    parser->token = token;
    advance(parser, token.length + (token.kind == TOKEN_QUOTED ? 2 : 0));
}

static bool next_is(const expression_parser *parser, const char *symbol)
{
    return parser->token.kind == TOKEN_SYMBOL && is(&parser->token, symbol);
}

/* ---- faults ---- */

static cm_status fault(const expression_parser *parser, cm_expression_place place, const char *format, ...)
    CM_PRINTF(3, 4);

static cm_status fault(const expression_parser *parser, cm_expression_place place, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cm_error_set(parser->error, CM_BAD_INPUT, parser->source->file, place.line, place.column, "%s", text);
}

static cm_status unexpected(const expression_parser *parser, const char *expected)
{
    enum { SHOWN = 60 };
    const lexeme *token = &parser->token;
    if (token->kind == TOKEN_END)
        return fault(parser, token->place, "the expression ends here, expected %s", expected);
    return fault(parser, token->place, "unexpected '%.*s%s', expected %s",
                 (int)(token->length < SHOWN ? token->length : SHOWN), token->text, token->length < SHOWN ? "" : "...",
                 expected);
}

/* ---- grammar ---- */

static cm_status parse_expression(expression_parser *parser, size_t *node);

static cm_status add_operation(expression_parser *parser, cm_expression_kind kind, cm_expression_place place,
                               size_t left, size_t right, size_t *node)
{
    cm_expression_node operation = {.kind = kind, .left = left, .right = right, .place = place};
    return cm_expression_add(parser->expression, &operation, node, parser->error);
}

static cm_status deeper(expression_parser *parser, cm_expression_place place)
{
    if (parser->depth == CM_EXPRESSION_DEPTH)
        return fault(parser, place, "the expression is nested more than %d deep", CM_EXPRESSION_DEPTH);
    parser->depth++;
    return CM_OK;
}

static cm_status parse_number(expression_parser *parser, size_t *node)
{
    enum { LONGEST = 400 };
    const lexeme token = parser->token;
    char text[LONGEST + 1];
    if (token.length > LONGEST)
        return fault(parser, token.place, "the number has more than %d characters", LONGEST);
    memcpy(text, token.text, token.length);
    text[token.length] = '\0';
    cm_expression_node number = {.kind = CM_EXPRESSION_NUMBER, .place = token.place};
    cm_error inner = {0};
    cm_status status = cm_number_parse(text, &number.number, &inner);
    if (status != CM_OK)
        return cm_error_set(parser->error, status, parser->source->file, token.place.line, token.place.column, "%s",
                            inner.text);
    next_token(parser);
    return cm_expression_add(parser->expression, &number, node, parser->error);
}

/* The index of a name that the expression does not have yet. */
static cm_status take_name(expression_parser *parser, const lexeme *name, size_t *index)
{
    char *text = strndup(name->text, name->length);
    if (text == NULL)
        return cm_error_no_memory(parser->error);
    ptrdiff_t resolved = parser->resolve != NULL ? parser->resolve(text, parser->data)
                                                 : (ptrdiff_t)cm_expression_name_count(parser->expression);
    cm_status status = CM_OK;
    if (resolved < 0)
        status = fault(parser, name->place, "unknown %s '%.100s'",
                       parser->source->names_are != NULL ? parser->source->names_are : "name", text);
    else
        status = cm_expression_intern(parser->expression, text, (size_t)resolved, parser->error);
    free(text);
    if (status == CM_OK)
        *index = (size_t)resolved;
    return status;
}

static cm_status parse_name(expression_parser *parser, const lexeme *name, size_t *node)
{
    cm_expression_node used = {.kind = CM_EXPRESSION_NAME, .place = name->place};
    cm_status status = CM_OK;
    if (!cm_expression_find(parser->expression, name->text, name->length, &used.name))
        status = take_name(parser, name, &used.name);
    return status == CM_OK ? cm_expression_add(parser->expression, &used, node, parser->error) : status;
}

/* Takes the ")" of the parenthesis that was opened at `open`. */
static cm_status close(expression_parser *parser, cm_expression_place open, const char *expected)
{
    if (parser->token.kind == TOKEN_END)
        return fault(parser, open, "unclosed '('");
    if (!next_is(parser, ")"))
        return unexpected(parser, expected);
    parser->depth--;
    next_token(parser);
    return CM_OK;
}

/* min(a, b, c) is min(min(a, b), c). */
static cm_status parse_extreme(expression_parser *parser, cm_expression_kind kind, cm_expression_place place,
                               size_t *node)
{
    cm_expression_place open = parser->token.place;
    cm_status status = deeper(parser, open);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_expression(parser, node);
    while (status == CM_OK && next_is(parser, ",")) {
        size_t right = 0;
        next_token(parser);
        status = parse_expression(parser, &right);
        if (status == CM_OK)
            status = add_operation(parser, kind, place, *node, right, node);
    }
    return status == CM_OK ? close(parser, open, "an operator, ',' or ')'") : status;
}

static cm_status parse_parenthesis(expression_parser *parser, size_t *node)
{
    cm_expression_place open = parser->token.place;
    cm_status status = deeper(parser, open);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_expression(parser, node);
    return status == CM_OK ? close(parser, open, "an operator or ')'") : status;
}

static cm_status parse_primary(expression_parser *parser, size_t *node)
{
    if (parser->token.kind == TOKEN_NUMBER)
        return parse_number(parser, node);
    if (parser->token.kind == TOKEN_NAME) {
        const lexeme name = parser->token;
        next_token(parser);
        if (next_is(parser, "(") && is(&name, "min"))
            return parse_extreme(parser, CM_EXPRESSION_MIN, name.place, node);
        if (next_is(parser, "(") && is(&name, "max"))
            return parse_extreme(parser, CM_EXPRESSION_MAX, name.place, node);
        return parse_name(parser, &name, node);
    }
    if (parser->token.kind == TOKEN_QUOTED) {
        const lexeme name = parser->token;
        next_token(parser);
        return parse_name(parser, &name, node);
    }
    if (next_is(parser, "("))
        return parse_parenthesis(parser, node);
    return unexpected(parser, "a number, a name, '-' or '('");
}

static cm_status parse_unary(expression_parser *parser, size_t *node)
{
    if (!next_is(parser, "-"))
        return parse_primary(parser, node);
    cm_expression_place place = parser->token.place;
    cm_status status = deeper(parser, place);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_unary(parser, node);
    parser->depth--;
    return status == CM_OK ? add_operation(parser, CM_EXPRESSION_NEGATE, place, *node, 0, node) : status;
}

typedef struct binary {
    const char *symbol;
    cm_expression_kind kind;
} binary;

static const binary products[] = {{"*", CM_EXPRESSION_MULTIPLY}, {"/", CM_EXPRESSION_DIVIDE}, {NULL, 0}};
static const binary sums[] = {{"+", CM_EXPRESSION_ADD}, {"-", CM_EXPRESSION_SUBTRACT}, {NULL, 0}};
static const binary comparisons[] = {
    {"<", CM_EXPRESSION_LESS},
    {"<=", CM_EXPRESSION_LESS_EQUAL},
    {">", CM_EXPRESSION_GREATER},
    {">=", CM_EXPRESSION_GREATER_EQUAL},
    {"==", CM_EXPRESSION_EQUAL},
    {"!=", CM_EXPRESSION_NOT_EQUAL},
    {NULL, 0},
};

static const binary *next_operator(const expression_parser *parser, const binary *operators)
{
    while (operators->symbol != NULL && !next_is(parser, operators->symbol))
        operators++;
    return operators->symbol != NULL ? operators : NULL;
}

static cm_status parse_chain(expression_parser *parser, const binary *operators,
                             cm_status (*parse_operand)(struct expression_parser *parser, size_t *node), size_t *node)
{
    cm_status status = parse_operand(parser, node);
    const binary *found;
    while (status == CM_OK && (found = next_operator(parser, operators)) != NULL) {
        cm_expression_place place = parser->token.place;
        size_t right = 0;
        next_token(parser);
        status = parse_operand(parser, &right);
        if (status == CM_OK)
            status = add_operation(parser, found->kind, place, *node, right, node);
    }
    return status;
}

static cm_status parse_product(expression_parser *parser, size_t *node)
{
    return parse_chain(parser, products, parse_unary, node);
}

static cm_status parse_sum(expression_parser *parser, size_t *node)
{
    return parse_chain(parser, sums, parse_product, node);
}

static cm_status parse_comparison(expression_parser *parser, size_t *node)
{
    cm_status status = parse_sum(parser, node);
    const binary *found = status == CM_OK ? next_operator(parser, comparisons) : NULL;
    if (found == NULL)
        return status;
    cm_expression_place place = parser->token.place;
    size_t right = 0;
    next_token(parser);
    status = parse_sum(parser, &right);
    if (status == CM_OK)
        status = add_operation(parser, found->kind, place, *node, right, node);
    if (status == CM_OK && next_operator(parser, comparisons) != NULL)
        return fault(parser, parser->token.place, "comparisons cannot be chained, expected parentheses");
    return status;
}

static cm_status parse_expression(expression_parser *parser, size_t *node)
{
    cm_status status = parse_comparison(parser, node);
    if (status != CM_OK || parser->token.kind != TOKEN_IF)
        return status;
    cm_expression_node conditional = {.kind = CM_EXPRESSION_CONDITIONAL, .left = *node, .place = parser->token.place};
    status = deeper(parser, parser->token.place);
    if (status != CM_OK)
        return status;
    next_token(parser);
    status = parse_comparison(parser, &conditional.condition);
    if (status == CM_OK && parser->token.kind != TOKEN_ELSE)
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
    expression_parser parser = {.at = text, .source = source, .resolve = resolve, .data = data, .error = error};
    parser.place.line = source->line != 0 ? source->line : 1;
    parser.place.column = source->column != 0 ? source->column : 1;
    cm_status status = cm_expression_create(source->file, &parser.expression, error);
    if (status != CM_OK)
        return status;
    size_t node = 0;
    next_token(&parser);
    status = parse_expression(&parser, &node);
    if (status == CM_OK && parser.token.kind != TOKEN_END)
        status = unexpected(&parser, "an operator or the end");
    if (status == CM_OK)
        *expression = parser.expression;
    else
        cm_expression_free(parser.expression);
    return status;
}
