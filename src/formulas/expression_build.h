/* How parsers put an expression together. */
#ifndef CM_FORMULAS_EXPRESSION_BUILD_H
#define CM_FORMULAS_EXPRESSION_BUILD_H

#include "formulas/expression.h"

/* Without a node yet. `file` may be NULL; it is copied. */
cm_status cm_expression_create(const char *file, cm_expression **expression, cm_error *error);

/* Appends a node whose operands are there already. CM_BAD_INPUT where they take CM_EXPRESSION_BYTES. */
cm_status cm_expression_add(cm_expression *expression, const cm_expression_node *node, size_t *index, cm_error *error);

/* Notes that the last node is in parentheses. */
void cm_expression_parenthesise(cm_expression *expression);

/* The index of the value of a name that was taken in. */
bool cm_expression_find(const cm_expression *expression, const char *text, size_t *index);

/* Takes a new name in; it is copied. */
cm_status cm_expression_intern(cm_expression *expression, const char *text, size_t index, cm_error *error);

/* The value of an operation on numbers; of a division, its divisor not being 0. */
double cm_expression_apply(cm_expression_kind kind, double left, double right);

#endif
