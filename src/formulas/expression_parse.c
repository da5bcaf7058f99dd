/* Recursive descent: sum := product {+- product}; product := factor {*\/ factor}; factor := [+-] factor | number | name
 * | min or max ( sum , sum ) | ( sum ). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "formulas/expression.h"
#include "formulas/expression_node.h"

enum { DEPTH_LIMIT = 200, NAME_LIMIT = 256 };

typedef struct parser {
    const char *text;
    const char *at;
    const cm_expression_source *source;
    cm_expression_resolve resolve;
    void *data;
    cm_expression *expression;
    cm_error *error;
    cm_status status;
    int depth;
} parser_state;

static size_t parse_sum(parser_state *parser);

static size_t column_of(const parser_state *parser, const char *at)
{
    return (size_t)(at - parser->text) + 1;
}

static size_t fail(parser_state *parser, const char *at, const char *format, const char *what)
{
    if (parser->status == CM_OK)
        parser->status = cm_error_set(parser->error, CM_BAD_INPUT, parser->source->file, parser->source->line,
                                      column_of(parser, at), format, what);
    return 0;
}

static size_t add_node(parser_state *parser, cm_node node)
{
    cm_expression *expression = parser->expression;
    if (parser->status != CM_OK)
        return 0;
    if (expression->count == expression->capacity) {
        size_t capacity = expression->capacity != 0 ? 2 * expression->capacity : 16;
        cm_node *nodes = realloc(expression->nodes, capacity * sizeof *nodes);
        if (nodes == NULL) {
            parser->status = cm_error_no_memory(parser->error);
            return 0;
        }
        expression->nodes = nodes;
        expression->capacity = capacity;
    }
    expression->nodes[expression->count] = node;
    return expression->count++;
}

static void skip_blanks(parser_state *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t')
        parser->at++;
}

static bool take(parser_state *parser, char expected)
{
    skip_blanks(parser);
    if (*parser->at != expected)
        return false;
    parser->at++;
    return true;
}

static size_t unexpected(parser_state *parser, const char *expected)
{
    char text[128], found[8] = "the end";
    skip_blanks(parser);
    if (*parser->at != '\0') {
        found[0] = found[2] = '\'';
        found[1] = *parser->at;
        found[3] = '\0';
    }
    size_t length = strlen(found);
    memcpy(text, found, length);
    strncpy(text + length, ", expected ", sizeof text - length - 1);
    text[sizeof text - 1] = '\0';
    strncat(text, expected, sizeof text - strlen(text) - 1);
    return fail(parser, parser->at, "%s", text);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t parse_number(parser_state *parser)
{
    const char *start = parser->at, *end = start;
    while (is_digit(*end) || *end == '.')
        end++;
    if ((*end == 'e' || *end == 'E') && (is_digit(end[1]) || ((end[1] == '-' || end[1] == '+') && is_digit(end[2])))) {
        end += 2;
        while (is_digit(*end))
            end++;
    }
    char text[64];
    double value = 0.0;
    cm_error why;
    size_t length = (size_t)(end - start);
    if (length >= sizeof text)
        return fail(parser, start, "%s", "too long a number");
    memcpy(text, start, length);
    text[length] = '\0';
    if (cm_number_parse(text, &value, &why) != CM_OK)
        return fail(parser, start, "%s", why.text);
    parser->at = end;
    return add_node(parser, (cm_node){.kind = CM_OPERATOR_NUMBER, .number = value, .column = column_of(parser, start)});
}

static size_t parse_two(parser_state *parser, cm_operator kind, size_t column)
{
    size_t left = parse_sum(parser);
    if (parser->status == CM_OK && !take(parser, ','))
        return unexpected(parser, "','");
    size_t right = parser->status == CM_OK ? parse_sum(parser) : 0;
    if (parser->status == CM_OK && !take(parser, ')'))
        return unexpected(parser, "')'");
    return add_node(parser, (cm_node){.kind = kind, .left = left, .right = right, .column = column});
}

static size_t parse_name(parser_state *parser)
{
    const char *start = parser->at;
    char name[NAME_LIMIT];
    size_t length = 0;
    while (is_letter(start[length]) || is_digit(start[length]))
        length++;
    if (length >= sizeof name)
        return fail(parser, start, "%s", "too long a name");
    memcpy(name, start, length);
    name[length] = '\0';
    parser->at += length;
    size_t column = column_of(parser, start);
    if (take(parser, '(')) {
        bool smaller = strcmp(name, "min") == 0;
        if (smaller || strcmp(name, "max") == 0)
            return parse_two(parser, smaller ? CM_OPERATOR_MIN : CM_OPERATOR_MAX, column);
        return fail(parser, start, "unknown function \"%s\", expected min or max", name);
    }
    ptrdiff_t index = parser->resolve(name, parser->data);
    if (index < 0)
        return fail(parser, start, "unknown name \"%s\"", name);
    return add_node(parser, (cm_node){.kind = CM_OPERATOR_NAME, .name = (size_t)index, .column = column});
}

static size_t parse_factor(parser_state *parser)
{
    skip_blanks(parser);
    const char *start = parser->at;
    size_t node = 0;
    if (parser->status != CM_OK)
        return 0;
    if (++parser->depth > DEPTH_LIMIT)
        return fail(parser, start, "%s", "nested too deeply, expected at most 200 levels");
    if (take(parser, '(')) {
        node = parse_sum(parser);
        if (parser->status == CM_OK && !take(parser, ')'))
            unexpected(parser, "')'");
    } else if (take(parser, '-')) {
        size_t left = parse_factor(parser);
        node =
            add_node(parser, (cm_node){.kind = CM_OPERATOR_NEGATE, .left = left, .column = column_of(parser, start)});
    } else if (take(parser, '+')) {
        node = parse_factor(parser);
    } else if (is_digit(*start) || *start == '.') {
        node = parse_number(parser);
    } else if (is_letter(*start)) {
        node = parse_name(parser);
    } else {
        unexpected(parser, "a number, a name or '('");
    }
    parser->depth--;
    return node;
}

typedef struct binary {
    char sign;
    cm_operator kind;
} binary;

static size_t parse_chain(parser_state *parser, const binary operators[2], size_t (*parse_operand)(parser_state *))
{
    size_t left = parse_operand(parser);
    while (parser->status == CM_OK) {
        skip_blanks(parser);
        size_t column = column_of(parser, parser->at), i = 0;
        while (i < 2 && *parser->at != operators[i].sign)
            i++;
        if (i == 2)
            break;
        parser->at++;
        size_t right = parse_operand(parser);
        left = add_node(parser, (cm_node){.kind = operators[i].kind, .left = left, .right = right, .column = column});
    }
    return left;
}

static size_t parse_product(parser_state *parser)
{
    static const binary operators[] = {{'*', CM_OPERATOR_MULTIPLY}, {'/', CM_OPERATOR_DIVIDE}};
    return parse_chain(parser, operators, parse_factor);
}

static size_t parse_sum(parser_state *parser)
{
    static const binary operators[] = {{'+', CM_OPERATOR_ADD}, {'-', CM_OPERATOR_SUBTRACT}};
    return parse_chain(parser, operators, parse_product);
}

/* The evaluation descends along chains of operators too; a chain longer than this would be as deep. */
enum { NODE_LIMIT = 20000 };

cm_status cm_expression_parse(const char *text, const cm_expression_source *source, cm_expression_resolve resolve,
                              void *data, cm_expression **expression, cm_error *error)
{
    cm_expression *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    parser_state parser = {.text = text,
                           .at = text,
                           .source = source,
                           .resolve = resolve,
                           .data = data,
                           .expression = created,
                           .error = error};
    created->root = parse_sum(&parser);
    skip_blanks(&parser);
    if (parser.status == CM_OK && *parser.at != '\0')
        unexpected(&parser, "an operator or the end");
    if (parser.status == CM_OK && created->count > NODE_LIMIT)
        fail(&parser, text, "%s", "too long an expression");
    if (parser.status == CM_OK)
        *expression = created;
    else
        cm_expression_free(created);
    return parser.status;
}
