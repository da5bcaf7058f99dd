/* Arithmetic over named values: numbers, names, + - * /, unary minus and plus, parentheses, min(a, b), max(a, b).
 *
 * A name is a letter or underscore and then letters, digits and underscores; what names mean is the caller's: each is
 * turned into the index of a value when the text is parsed. */
#ifndef CM_FORMULAS_EXPRESSION_H
#define CM_FORMULAS_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_expression cm_expression;

/* The index of the value of that name, or -1. */
typedef ptrdiff_t (*cm_expression_resolve)(const char *name, void *data);

typedef struct cm_expression_source {
    const char *file; /* for messages, may be NULL */
    size_t line;      /* of the text, 0 if unknown */
} cm_expression_source;

/* CM_BAD_INPUT with the column within `text` for anything that is no expression, an unknown name (it says which), or
 * more than 200 levels of nesting. */
cm_status cm_expression_parse(const char *text, const cm_expression_source *source, cm_expression_resolve resolve,
                              void *data, cm_expression **expression, cm_error *error);
void cm_expression_free(cm_expression *expression);

/* `values` holds one value an index that `resolve` gave. */
double cm_expression_evaluate(const cm_expression *expression, const double *values);

/* Whether every divisor is a constant other than zero; if not, the column of the `/`. */
bool cm_expression_divides_safely(const cm_expression *expression, size_t *column);

#endif
