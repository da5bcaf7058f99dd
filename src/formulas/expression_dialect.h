/* Differences between dialects: operators, functions, names. */
#ifndef CM_FORMULAS_EXPRESSION_DIALECT_H
#define CM_FORMULAS_EXPRESSION_DIALECT_H

#include "formulas/expression.h"

typedef struct cm_operator {
    const char *symbol; /* NULL: the end of the list */
    cm_expression_kind kind;
    unsigned strength; /* the stronger bind tighter */
    bool from_right;   /* a - b - c is a - (b - c) */
    bool alone;        /* cannot be chained */
} cm_operator;

/* The nodes of a function. */
typedef enum cm_function_form {
    CM_FUNCTION_UNARY,
    CM_FUNCTION_BINARY,
    CM_FUNCTION_FOLD, /* f(a, b, c) is f(f(a, b), c) */
    CM_FUNCTION_MEAN, /* the fold by ADD, divided by the number of arguments */
    CM_FUNCTION_MEDIAN,
    CM_FUNCTION_WORD, /* of a name, which together become a name: has_event(X) */
} cm_function_form;

typedef struct cm_function {
    const char *name; /* NULL: the end of the list */
    cm_expression_kind kind;
    cm_function_form form;
} cm_function;

typedef struct cm_dialect {
    const cm_operator *operators;
    const cm_function *functions;
    const char *name_characters;    /* in addition to letters, digits and "_" */
    const char *literal_characters; /* of names that begin with "#"; NULL: none */
    bool conditionals, quotes, negation;
    bool indices; /* a name may have an index: a[0] */
    bool symbols; /* as in perf, names may begin with a digit, "\" escapes the next character, and "@" means "/" */
} cm_dialect;

const cm_dialect *cm_dialect_get(cm_expression_dialect dialect);
/* Whether a formula cannot use `word` as a name, because it is a function or a part of a conditional. */
bool cm_dialect_reserves(cm_expression_dialect dialect, const char *word);

#endif
