/* How an expression is kept: nodes in one array, a node after those it is made of. */
#ifndef CM_FORMULAS_EXPRESSION_NODE_H
#define CM_FORMULAS_EXPRESSION_NODE_H

#include <stddef.h>

typedef enum cm_operator {
    CM_OPERATOR_NUMBER,
    CM_OPERATOR_NAME,
    CM_OPERATOR_NEGATE, /* of left */
    CM_OPERATOR_ADD,
    CM_OPERATOR_SUBTRACT,
    CM_OPERATOR_MULTIPLY,
    CM_OPERATOR_DIVIDE,
    CM_OPERATOR_MIN,
    CM_OPERATOR_MAX,
} cm_operator;

typedef struct cm_node {
    cm_operator kind;
    double number;
    size_t name;        /* index that the caller gave the name */
    size_t left, right; /* nodes */
    size_t column;      /* 1-based, in the text */
} cm_node;

struct cm_expression {
    cm_node *nodes;
    size_t count, capacity;
    size_t root;
};

#endif
