/* What a parsed expression is made of. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "formulas/expression_build.h"

struct name {
    char *text;
    size_t index;
};

struct cm_expression {
    char *file;
    cm_expression_node *nodes;
    size_t node_count, node_capacity;
    struct name *names;
    size_t name_count, name_capacity;
};

cm_status cm_expression_create(const char *file, cm_expression **expression, cm_error *error)
{
    cm_expression *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    if (file != NULL && (created->file = strdup(file)) == NULL) {
        free(created);
        return cm_error_no_memory(error);
    }
    *expression = created;
    return CM_OK;
}

void cm_expression_free(cm_expression *expression)
{
    if (expression == NULL)
        return;
    for (size_t i = 0; i < expression->name_count; i++)
        free(expression->names[i].text);
    free(expression->names);
    free(expression->nodes);
    free(expression->file);
    free(expression);
}

cm_status cm_expression_add(cm_expression *expression, const cm_expression_node *node, size_t *index, cm_error *error)
{
    if (expression->node_count == CM_EXPRESSION_NODES)
        return cm_error_set(error, CM_BAD_INPUT, expression->file, node->location.line, node->location.column,
                            "the expression has more than %d numbers, names and operations", CM_EXPRESSION_NODES);
    cm_expression_node *nodes =
        cm_grow(expression->nodes, expression->node_count + 1, &expression->node_capacity, sizeof *nodes);
    if (nodes == NULL)
        return cm_error_no_memory(error);
    expression->nodes = nodes;
    expression->nodes[expression->node_count] = *node;
    *index = expression->node_count++;
    return CM_OK;
}

void cm_expression_parenthesise(cm_expression *expression)
{
    expression->nodes[expression->node_count - 1].parenthesised = true;
}

bool cm_expression_find(const cm_expression *expression, const char *text, size_t length, size_t *index)
{
    for (size_t i = 0; i < expression->name_count; i++)
        if (strncmp(expression->names[i].text, text, length) == 0 && expression->names[i].text[length] == '\0') {
            *index = expression->names[i].index;
            return true;
        }
    return false;
}

cm_status cm_expression_intern(cm_expression *expression, const char *text, size_t index, cm_error *error)
{
    struct name *names =
        cm_grow(expression->names, expression->name_count + 1, &expression->name_capacity, sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    expression->names = names;
    char *copy = strdup(text);
    if (copy == NULL)
        return cm_error_no_memory(error);
    expression->names[expression->name_count++] = (struct name){copy, index};
    return CM_OK;
}

bool cm_expression_is_unary(cm_expression_kind kind)
{
    switch (kind) {
    case CM_EXPRESSION_NEGATE:
    case CM_EXPRESSION_ABS:
    case CM_EXPRESSION_FLOOR:
    case CM_EXPRESSION_CEIL:
    case CM_EXPRESSION_SQRT:
    case CM_EXPRESSION_LOG:
    case CM_EXPRESSION_EXP:
    case CM_EXPRESSION_FINITE:
    case CM_EXPRESSION_MEDIAN: return true;
    default: return false;
    }
}

size_t cm_expression_node_count(const cm_expression *expression)
{
    return expression->node_count;
}

const cm_expression_node *cm_expression_get_node(const cm_expression *expression, size_t node)
{
    return &expression->nodes[node];
}

size_t cm_expression_name_count(const cm_expression *expression)
{
    return expression->name_count;
}

size_t cm_expression_name_index(const cm_expression *expression, size_t name)
{
    return expression->names[name].index;
}

const char *cm_expression_file(const cm_expression *expression)
{
    return expression->file;
}
