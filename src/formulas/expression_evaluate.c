/* The value of an expression for given values of its names. */
#include "core/error.h"
#include "formulas/expression_build.h"

/* A node's value, or the division by zero for which it has none. */
typedef struct result {
    double value;
    const cm_expression_node *undefined;
} result;

double cm_expression_apply(cm_expression_kind kind, double left, double right)
{
    switch (kind) {
    case CM_EXPRESSION_NEGATE: return -left;
    case CM_EXPRESSION_ADD: return left + right;
    case CM_EXPRESSION_SUBTRACT: return left - right;
    case CM_EXPRESSION_MULTIPLY: return left * right;
    case CM_EXPRESSION_DIVIDE: return left / right;
    case CM_EXPRESSION_MIN: return right < left ? right : left;
    case CM_EXPRESSION_MAX: return right > left ? right : left;
    case CM_EXPRESSION_LESS: return left < right;
    case CM_EXPRESSION_LESS_EQUAL: return left <= right;
    case CM_EXPRESSION_GREATER: return left > right;
    case CM_EXPRESSION_GREATER_EQUAL: return left >= right;
    case CM_EXPRESSION_EQUAL: return left == right;
    case CM_EXPRESSION_NOT_EQUAL: return left != right;
    case CM_EXPRESSION_NUMBER:
    case CM_EXPRESSION_NAME:
    case CM_EXPRESSION_CONDITIONAL: break;
    }
    return 0.0;
}

static result evaluate_conditional(const cm_expression_node *node, const result *results)
{
    const result *condition = &results[node->condition];
    if (condition->undefined != NULL)
        return *condition;
    return condition->value != 0.0 ? results[node->left] : results[node->right];
}

static result evaluate_operation(const cm_expression_node *node, const result *results)
{
    const result *left = &results[node->left];
    const result *right = node->kind == CM_EXPRESSION_NEGATE ? left : &results[node->right];
    if (left->undefined != NULL)
        return *left;
    if (right->undefined != NULL)
        return *right;
    if (node->kind == CM_EXPRESSION_DIVIDE && right->value == 0.0)
        return (result){0.0, node};
    return (result){cm_expression_apply(node->kind, left->value, right->value), NULL};
}

cm_status cm_expression_try(const cm_expression *expression, const double *values, double *value, cm_error *error)
{
    result results[CM_EXPRESSION_NODES];
    result last = {0.0, NULL};
    size_t count = cm_expression_node_count(expression);
    for (size_t i = 0; i < count; i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        switch (node->kind) {
        case CM_EXPRESSION_NUMBER: results[i] = (result){node->number, NULL}; break;
        case CM_EXPRESSION_NAME: results[i] = (result){values[node->name], NULL}; break;
        case CM_EXPRESSION_CONDITIONAL: results[i] = evaluate_conditional(node, results); break;
        default: results[i] = evaluate_operation(node, results); break;
        }
        last = results[i];
    }
    if (last.undefined != NULL)
        return cm_error_set(error, CM_BAD_INPUT, cm_expression_file(expression), last.undefined->place.line,
                            last.undefined->place.column, "division by zero");
    *value = last.value;
    return CM_OK;
}

double cm_expression_evaluate(const cm_expression *expression, const double *values)
{
    double value = 0.0;
    cm_expression_try(expression, values, &value, NULL);
    return value;
}
