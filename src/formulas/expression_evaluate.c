/* Evaluates an expression for given values of its names. */
#include "formulas/formulas.h"

/* A node's value, or the division by zero that prevents it. */
typedef struct result {
    double value;
    const cm_expression_node *undefined;
} result;

static double apply_bits(cm_expression_kind kind, double left, double right)
{
    if (!(fabs(left) < 0x1p63) || !(fabs(right) < 0x1p63))
        return NAN;
    long long one = (long long)left, other = (long long)right;
    long long bits = kind == CM_EXPRESSION_BIT_OR    ? one | other
                     : kind == CM_EXPRESSION_BIT_XOR ? one ^ other
                                                     : one & other;
    return (double)bits;
}

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
    case CM_EXPRESSION_MODULO: return fmod(left, right);
    case CM_EXPRESSION_POWER: return pow(left, right);
    case CM_EXPRESSION_BIT_OR:
    case CM_EXPRESSION_BIT_XOR:
    case CM_EXPRESSION_BIT_AND: return apply_bits(kind, left, right);
    case CM_EXPRESSION_RATIO: return right == 0.0 ? 0.0 : left / right;
    case CM_EXPRESSION_ABS: return fabs(left);
    case CM_EXPRESSION_FLOOR: return floor(left);
    case CM_EXPRESSION_CEIL: return ceil(left);
    case CM_EXPRESSION_SQRT: return sqrt(left);
    case CM_EXPRESSION_LOG: return log(left);
    case CM_EXPRESSION_EXP: return exp(left);
    case CM_EXPRESSION_FINITE: return isfinite(left) ? left : 0.0;
    case CM_EXPRESSION_ARGUMENT: return left;
    case CM_EXPRESSION_NUMBER:
    case CM_EXPRESSION_NAME:
    case CM_EXPRESSION_CONDITIONAL:
    case CM_EXPRESSION_MEDIAN: break;
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

/* Evaluates an operation. */
static result evaluate_operation(const cm_expression_node *node, const result *results)
{
    const result *left = &results[node->left];
    const result *right = cm_expression_is_unary(node->kind) ? left : &results[node->right];
    if (left->undefined != NULL)
        return *left;
    if (right->undefined != NULL)
        return *right;
    if ((node->kind == CM_EXPRESSION_DIVIDE || node->kind == CM_EXPRESSION_MODULO) && right->value == 0.0)
        return (result){0.0, node};
    return (result){cm_expression_apply(node->kind, left->value, right->value), NULL};
}

/* Evaluates an argument; the first one has itself as the one before. */
static result evaluate_argument(const cm_expression_node *node, size_t self, const result *results)
{
    if (node->right != self && results[node->right].undefined != NULL)
        return results[node->right];
    return results[node->left];
}

/* The argument, of those up to `last`, that `rank` others are smaller than; equal ones count in any order. */
static double ranked_argument(const cm_expression *expression, size_t last, size_t rank, const result *results)
{
    for (size_t i = last;; i = cm_expression_get_node(expression, i)->right) {
        size_t smaller = 0, equal = 0;
        for (size_t j = last;; j = cm_expression_get_node(expression, j)->right) {
            smaller += results[j].value < results[i].value;
            equal += results[j].value == results[i].value;
            if (cm_expression_get_node(expression, j)->right == j)
                break;
        }
        if (smaller <= rank && rank < smaller + equal)
            return results[i].value;
        if (cm_expression_get_node(expression, i)->right == i)
            return NAN; /* some are NaN */
    }
}

/* Evaluates a median. */
static result evaluate_median(const cm_expression *expression, const cm_expression_node *node, const result *results)
{
    size_t count = 1;
    if (results[node->left].undefined != NULL)
        return results[node->left];
    for (size_t i = node->left; cm_expression_get_node(expression, i)->right != i;
         i = cm_expression_get_node(expression, i)->right)
        count++;
    double lower = ranked_argument(expression, node->left, (count - 1) / 2, results);
    double upper = ranked_argument(expression, node->left, count / 2, results);
    return (result){(lower + upper) / 2.0, NULL};
}

cm_status cm_expression_try(const cm_expression *expression, const double *values, double *value, cm_error *error)
{
    enum { FEW = 512 }; /* larger expressions need memory */
    result few[FEW], last = {0.0, NULL};
    size_t count = cm_expression_node_count(expression);
    result *results = count <= FEW ? few : malloc(count * sizeof *results);
    if (results == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        switch (node->kind) {
        case CM_EXPRESSION_NUMBER: results[i] = (result){node->number, NULL}; break;
        case CM_EXPRESSION_NAME: results[i] = (result){values[node->name], NULL}; break;
        case CM_EXPRESSION_CONDITIONAL: results[i] = evaluate_conditional(node, results); break;
        case CM_EXPRESSION_ARGUMENT: results[i] = evaluate_argument(node, i, results); break;
        case CM_EXPRESSION_MEDIAN: results[i] = evaluate_median(expression, node, results); break;
        case CM_EXPRESSION_FINITE:
            results[i] = results[node->left];
            if (results[i].undefined != NULL || !isfinite(results[i].value))
                results[i] = (result){0.0, NULL};
            break;
        default: results[i] = evaluate_operation(node, results); break;
        }
        last = results[i];
    }
    if (results != few)
        free(results);
    if (last.undefined != NULL)
        return cm_error_set(error, CM_BAD_INPUT, cm_expression_file(expression), last.undefined->location.line,
                            last.undefined->location.column, "division by zero");
    *value = last.value;
    return CM_OK;
}

double cm_expression_evaluate(const cm_expression *expression, const double *values)
{
    double value = 0.0;
    cm_expression_try(expression, values, &value, NULL);
    return value;
}
