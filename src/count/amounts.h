/* Amounts: how often something happens, given as an expression over facts. Computes an amount in a program with known
 * facts, and the largest ratio of two amounts. */
#ifndef CM_COUNT_AMOUNTS_H
#define CM_COUNT_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_amounts cm_amounts;

/* Reads the facts of kernels and natural programs; there are no amounts yet. */
cm_status cm_amounts_create(cm_amounts **amounts, cm_error *error);
void cm_amounts_free(cm_amounts *amounts);

/* Adds an expression; *amount is its index. `each`: the absolute values of its weighted primitive facts are added. An
 * expression that was added before has the same index. CM_BAD_INPUT if the text is no expression over facts. */
cm_status cm_amounts_add(cm_amounts *amounts, const char *expression, bool each, size_t *amount, cm_error *error);

size_t cm_amounts_count(const cm_amounts *amounts);
/* The expression. */
const char *cm_amounts_text(const cm_amounts *amounts, size_t amount);

/* The amount in a program with these facts, one a fact, NaN if unknown; NaN if the expression needs an unknown one. */
double cm_amounts_in(const cm_amounts *amounts, size_t amount, const double *facts);

/* The largest ratio of `amount` to `other` in kernels and natural programs, at least 1. Infinite if one of them has
 * `amount` without `other`. */
double cm_amounts_most(const cm_amounts *amounts, size_t amount, size_t other);

/* Whether the expression has a fact that vendors define differently. */
bool cm_amounts_is_free(const cm_amounts *amounts, size_t amount);

#endif
