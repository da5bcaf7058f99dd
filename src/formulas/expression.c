/* The data of a parsed expression. */
#include "formulas/formulas.h"

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
    cm_name_index *places; /* index of names, once there are more than FEW */
};

enum { FEW = 64 };

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
    cm_name_index_free(expression->places);
    CM_FREE(expression->names, expression->nodes, expression->file, expression);
}

cm_status cm_expression_add(cm_expression *expression, const cm_expression_node *node, size_t *index, cm_error *error)
{
    if (expression->node_count == CM_EXPRESSION_BYTES / sizeof *node)
        return cm_error_set(error, CM_BAD_INPUT, expression->file, node->location.line, node->location.column,
                            "the expression takes more than %d MiB of memory", CM_EXPRESSION_BYTES >> 20);
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

bool cm_expression_find(const cm_expression *expression, const char *text, size_t *index)
{
    size_t place = 0;
    bool found = expression->places != NULL && cm_name_index_find(expression->places, text, &place);
    for (size_t i = 0; expression->places == NULL && !found && i < expression->name_count; i++) {
        found = strcmp(expression->names[i].text, text) == 0;
        place = i;
    }
    if (found)
        *index = expression->names[place].index;
    return found;
}

/* Indexes the last name; once there are many, the earlier ones, too. */
static cm_status note_place(cm_expression *expression, cm_error *error)
{
    size_t count = expression->name_count, first = count - 1;
    if (count <= FEW)
        return CM_OK;
    cm_status status = CM_OK;
    if (expression->places == NULL) {
        status = cm_name_index_create(&expression->places, error);
        first = 0;
    }
    for (size_t i = first; status == CM_OK && i < count; i++)
        status = cm_name_index_add(expression->places, expression->names[i].text, i, error);
    return status;
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
    return note_place(expression, error);
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

CM_GETTER(size_t cm_expression_node_count(const cm_expression *expression), expression->node_count)
CM_GETTER(const cm_expression_node *cm_expression_get_node(const cm_expression *expression, size_t node),
          &expression->nodes[node])
CM_GETTER(size_t cm_expression_name_count(const cm_expression *expression), expression->name_count)
CM_GETTER(size_t cm_expression_name_index(const cm_expression *expression, size_t name), expression->names[name].index)
CM_GETTER(const char *cm_expression_file(const cm_expression *expression), expression->file)
