/* Finds divisions that may be by zero, by the parts of an expression that are constant for all values of its names. */
#include "formulas/formulas.h"

/* The value of a node for all values of the names. */
typedef enum folded_kind { VARIABLE, CONSTANT, UNDEFINED } folded_kind;

typedef struct folded {
    folded_kind kind; /* UNDEFINED: it depends on a division by a constant zero */
    double value;     /* of a CONSTANT */
} folded;

/* Folds an operation on folded operands. */
static folded fold_operation(const cm_expression_node *node, const folded *before)
{
    folded left = before[node->left];
    folded right = cm_expression_is_unary(node->kind) ? left : before[node->right];
    if (left.kind == UNDEFINED || right.kind == UNDEFINED)
        return (folded){UNDEFINED, 0.0};
    if ((node->kind == CM_EXPRESSION_DIVIDE || node->kind == CM_EXPRESSION_MODULO) && right.kind == CONSTANT &&
        right.value == 0.0)
        return (folded){UNDEFINED, 0.0};
    if (left.kind == CONSTANT && right.kind == CONSTANT)
        return (folded){CONSTANT, cm_expression_apply(node->kind, left.value, right.value)};
    return (folded){VARIABLE, 0.0};
}

static folded fold_conditional(const cm_expression_node *node, const folded *before)
{
    folded condition = before[node->condition];
    if (condition.kind != CONSTANT)
        return condition;
    return condition.value != 0.0 ? before[node->left] : before[node->right];
}

/* Folds all nodes. */
static void fold_constants(const cm_expression *expression, folded *nodes)
{
    size_t count = cm_expression_node_count(expression);
    for (size_t i = 0; i < count; i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        switch (node->kind) {
        case CM_EXPRESSION_NUMBER: nodes[i] = (folded){CONSTANT, node->number}; break;
        case CM_EXPRESSION_NAME:
        case CM_EXPRESSION_ARGUMENT:
        case CM_EXPRESSION_MEDIAN: nodes[i] = (folded){VARIABLE, 0.0}; break;
        case CM_EXPRESSION_CONDITIONAL: nodes[i] = fold_conditional(node, nodes); break;
        default: nodes[i] = fold_operation(node, nodes); break;
        }
    }
}

cm_status cm_expression_divisions_create(const cm_expression *expression, cm_division **divisions, size_t *count,
                                         cm_error *error)
{
    size_t nodes = cm_expression_node_count(expression);
    folded *worth = calloc(nodes + 1, sizeof *worth);
    *divisions = calloc(nodes + 1, sizeof **divisions);
    *count = 0;
    if (worth == NULL || *divisions == NULL) {
        CM_FREE(worth, *divisions);
        *divisions = NULL;
        return cm_error_no_memory(error);
    }
    fold_constants(expression, worth);
    for (size_t i = 0; i < nodes; i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind != CM_EXPRESSION_DIVIDE && node->kind != CM_EXPRESSION_MODULO)
            continue;
        folded divisor = worth[node->right];
        bool zero = divisor.kind == CONSTANT && divisor.value == 0.0;
        if (zero || divisor.kind == VARIABLE)
            (*divisions)[(*count)++] = (cm_division){node->location, zero};
    }
    free(worth);
    return CM_OK;
}

cm_status cm_expression_check_divisors(const cm_expression *expression, cm_error *error)
{
    cm_division *divisions = NULL;
    size_t count = 0;
    cm_status status = cm_expression_divisions_create(expression, &divisions, &count, error);
    if (status != CM_OK)
        return status;
    if (count > 0)
        status = cm_error_set(error, CM_BAD_INPUT, cm_expression_file(expression), divisions[0].location.line,
                              divisions[0].location.column,
                              "this %s by zero, expected a constant other than zero as divisor",
                              divisions[0].zero ? "divides" : "may divide");
    free(divisions);
    return status;
}
