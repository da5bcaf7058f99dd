/* Builds expressions, for parsers. */
#ifndef CM_FORMULAS_EXPRESSION_BUILD_H
#define CM_FORMULAS_EXPRESSION_BUILD_H

#include "formulas/expression.h"

/* Makes an expression without nodes. `file` may be NULL; it is copied. */
cm_status cm_expression_create(const char *file, cm_expression **expression, cm_error *error);

/* Appends a node, whose operands must exist. CM_BAD_INPUT if nodes exceed CM_EXPRESSION_BYTES. */
cm_status cm_expression_add(cm_expression *expression, const cm_expression_node *node, size_t *index, cm_error *error);

/* Marks the last node as parenthesised. */
void cm_expression_parenthesise(cm_expression *expression);

/* Finds the index of the value of a known name. */
bool cm_expression_find(const cm_expression *expression, const char *text, size_t *index);

/* Adds a new name, as a copy. */
cm_status cm_expression_intern(cm_expression *expression, const char *text, size_t index, cm_error *error);

/* The value of an operation on numbers; the divisor of a division must not be 0. */
double cm_expression_apply(cm_expression_kind kind, double left, double right);

#endif
