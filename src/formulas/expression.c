#include "formulas/expression.h"

#include <math.h>
#include <stdlib.h>

#include "formulas/expression_node.h"

static const cm_node *node_at(const cm_expression *expression, size_t index)
{
    return &expression->nodes[index];
}

static double apply(cm_operator kind, double left, double right)
{
    switch (kind) {
    case CM_OPERATOR_ADD: return left + right;
    case CM_OPERATOR_SUBTRACT: return left - right;
    case CM_OPERATOR_MULTIPLY: return left * right;
    case CM_OPERATOR_DIVIDE: return left / right;
    case CM_OPERATOR_MIN: return fmin(left, right);
    case CM_OPERATOR_MAX: return fmax(left, right);
    case CM_OPERATOR_NEGATE: return -left;
    case CM_OPERATOR_NUMBER:
    case CM_OPERATOR_NAME: break;
    }
    return NAN;
}

static double evaluate(const cm_expression *expression, size_t index, const double *values)
{
    const cm_node *node = node_at(expression, index);
    if (node->kind == CM_OPERATOR_NUMBER)
        return node->number;
    if (node->kind == CM_OPERATOR_NAME)
        return values[node->name];
    double left = evaluate(expression, node->left, values);
    double right = node->kind != CM_OPERATOR_NEGATE ? evaluate(expression, node->right, values) : 0.0;
    return apply(node->kind, left, right);
}

double cm_expression_evaluate(const cm_expression *expression, const double *values)
{
    return evaluate(expression, expression->root, values);
}

static bool is_constant(const cm_expression *expression, size_t index)
{
    const cm_node *node = node_at(expression, index);
    if (node->kind == CM_OPERATOR_NUMBER || node->kind == CM_OPERATOR_NAME)
        return node->kind == CM_OPERATOR_NUMBER;
    return is_constant(expression, node->left) &&
           (node->kind == CM_OPERATOR_NEGATE || is_constant(expression, node->right));
}

bool cm_expression_divides_safely(const cm_expression *expression, size_t *column)
{
    for (size_t i = 0; i < expression->count; i++) {
        const cm_node *node = node_at(expression, i);
        if (node->kind != CM_OPERATOR_DIVIDE)
            continue;
        double divisor = is_constant(expression, node->right) ? evaluate(expression, node->right, NULL) : 0.0;
        if (divisor == 0.0 || !isfinite(divisor)) {
            *column = node->column;
            return false;
        }
    }
    return true;
}

void cm_expression_free(cm_expression *expression)
{
    if (expression == NULL)
        return;
    free(expression->nodes);
    free(expression);
}
