/* How often things happen, as expressions over facts say: in a program whose facts are known, and of each other at
 * most.
 */
#ifndef CM_COUNT_AMOUNTS_H
#define CM_COUNT_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_amounts cm_amounts;

/* Without any amount: reads what kernels do, and natural programs. */
cm_status cm_amounts_create(cm_amounts **amounts, cm_error *error);
void cm_amounts_free(cm_amounts *amounts);

/* *amount: where the expression is found again; `each`: each of its primitive facts counts as it is weighted, whatever
 * the sign. The same expression is one amount. CM_BAD_INPUT where the text is none over facts. */
cm_status cm_amounts_add(cm_amounts *amounts, const char *expression, bool each, size_t *amount, cm_error *error);

size_t cm_amounts_count(const cm_amounts *amounts);
/* The expression. */
const char *cm_amounts_text(const cm_amounts *amounts, size_t amount);

/* In a program with these facts, as many as there are, NaN for those that are not known; NaN where it takes one. */
double cm_amounts_in(const cm_amounts *amounts, size_t amount, const double *facts);

/* For one of `other`, at most so many: as no kernel and no natural program has more of it, but 1 at least. Infinite
 * where one of them has it without the other. */
double cm_amounts_most(const cm_amounts *amounts, size_t amount, size_t other);

/* Whether vendors disagree about a fact of it. */
bool cm_amounts_is_free(const cm_amounts *amounts, size_t amount);

#endif
