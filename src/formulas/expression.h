/* Expressions over names: what the events of a PMU model are, and the formulas that programs share.
 *
 *   expression  := binary ["if" binary "else" expression]
 *   binary      := unary {operator unary}                   by the dialect's precedence
 *   unary       := "-" unary | primary
 *   primary     := number | name | function "(" expression {"," expression} ")" | "(" expression ")"
 *
 * Operators from weak to strong, functions and names by dialect (expression_dialect.c):
 *
 *   catmint   < <= > >= == != (one, 1 where it holds, else 0)  + -  * /     min max
 *   LIKWID    + -  * / %  ^ (power, from the right)                        min max sum avg mean median abs floor ...
 *   perf      |  ^  &  < >  + -  * / %                                     min max d_ratio source_count has_event ...
 *   perfmon   as perf, with <= >= == != beside < >                          min max
 *   PAPI      + -  * / (from the right: a - b - c is a - (b - c))
 *
 * A number is a decimal one ("2", "0.5", "1e-3"). A name begins with a letter or "_" and goes on with these, digits and
 * the dialect's further name characters; catmint takes "cpu/event=0xc2,umask=0x3/", and any other name in single
 * quotes: '0INST_COMMIT'. "if" and "else" are no names where there are conditionals, functions only where no "("
 * follows.
 *
 * A parsed expression is a list of nodes in which operands stand before what uses them, so that nothing that works on
 * one needs recursion. */
#ifndef CM_FORMULAS_EXPRESSION_H
#define CM_FORMULAS_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "core/csv.h"

enum {
    CM_EXPRESSION_BYTES = 4 << 20, /* memory of an expression's numbers, names and operations at most */
    CM_EXPRESSION_DEPTH = 256,     /* parentheses, minus signs and else branches within each other at most */
};

typedef enum cm_expression_kind {
    CM_EXPRESSION_NUMBER,
    CM_EXPRESSION_NAME,
    CM_EXPRESSION_NEGATE,
    CM_EXPRESSION_ADD,
    CM_EXPRESSION_SUBTRACT,
    CM_EXPRESSION_MULTIPLY,
    CM_EXPRESSION_DIVIDE,
    CM_EXPRESSION_MIN,
    CM_EXPRESSION_MAX,
    CM_EXPRESSION_LESS,
    CM_EXPRESSION_LESS_EQUAL,
    CM_EXPRESSION_GREATER,
    CM_EXPRESSION_GREATER_EQUAL,
    CM_EXPRESSION_EQUAL,
    CM_EXPRESSION_NOT_EQUAL,
    CM_EXPRESSION_CONDITIONAL, /* left if condition else right */
    CM_EXPRESSION_MODULO,      /* what is left over by division, with the sign of the left */
    CM_EXPRESSION_POWER,
    CM_EXPRESSION_BIT_OR, /* of integers that are cut from both */
    CM_EXPRESSION_BIT_XOR,
    CM_EXPRESSION_BIT_AND,
    CM_EXPRESSION_RATIO, /* left / right, 0 where right is 0 */
    CM_EXPRESSION_ABS,
    CM_EXPRESSION_FLOOR,
    CM_EXPRESSION_CEIL,
    CM_EXPRESSION_SQRT,
    CM_EXPRESSION_LOG,
    CM_EXPRESSION_EXP,
    CM_EXPRESSION_FINITE,   /* left; 0 where that is not finite or does not exist */
    CM_EXPRESSION_ARGUMENT, /* left, behind the ARGUMENT `right`, or the first where that is itself */
    CM_EXPRESSION_MEDIAN,   /* of the arguments up to `left` */
} cm_expression_kind;

/* Whether it has `left` alone as operand. */
bool cm_expression_is_unary(cm_expression_kind kind);

typedef enum cm_expression_dialect {
    CM_EXPRESSION_CATMINT,
    CM_EXPRESSION_LIKWID,
    CM_EXPRESSION_PERF,
    CM_EXPRESSION_PERFMON,
    CM_EXPRESSION_PAPI,
} cm_expression_dialect;

/* Where something stands: 1-based line, and character of the line. */
typedef struct cm_expression_location {
    size_t line, column;
} cm_expression_location;

typedef struct cm_expression_node {
    cm_expression_kind kind;
    size_t left, right, condition; /* nodes, all before this one, as the kind needs; the unary ones have `left` */
    double number;
    size_t name; /* index of its value */
    cm_expression_location location;
    bool parenthesised; /* it has parentheses of its own */
} cm_expression_node;

/* Where the text comes from, and what its names are. */
typedef struct cm_expression_source {
    cm_expression_dialect dialect;
    const char *file;            /* for messages, may be NULL */
    size_t line, column;         /* of the text's first character; 0: counted as 1 */
    const char *name_characters; /* beyond the dialect's, such as ":."; NULL: none */
    const char *names_are;       /* what messages call a name, such as "fact"; NULL: "name" */
} cm_expression_source;

enum { CM_RESOLVED_NONE = -1, CM_RESOLVED_NO_MEMORY = -2 };

/* The index of the value of that name, or one of these. */
typedef ptrdiff_t (*cm_expression_resolve)(const char *name, void *data);

typedef struct cm_expression cm_expression;

/* CM_BAD_INPUT, with file, line and column, where the text is no expression or a name is unknown. `resolve` may be
 * NULL: each new name then gets the next index, from 0. */
cm_status cm_expression_parse(const char *text, const cm_expression_source *source, cm_expression_resolve resolve,
                              void *data, cm_expression **expression, cm_error *error);
void cm_expression_free(cm_expression *expression);

/* The last node is the expression itself. */
size_t cm_expression_node_count(const cm_expression *expression);
const cm_expression_node *cm_expression_get_node(const cm_expression *expression, size_t node);

/* Each name once, in the order of their first appearance; the index of its value; where it first appears. */
size_t cm_expression_name_count(const cm_expression *expression);
size_t cm_expression_name_index(const cm_expression *expression, size_t name);

const char *cm_expression_file(const cm_expression *expression); /* NULL where there is none */

/* ---- expression_evaluate.c ---- */

/* `values` holds one value an index; those of indices that do not occur are not read. CM_BAD_INPUT where it divides by
 * zero; a division in the branch that a conditional does not take does no harm. The value may be infinite, or NaN,
 * where doubles overflow. */
cm_status cm_expression_try(const cm_expression *expression, const double *values, double *value, cm_error *error);

/* The value of an expression that divides safely. */
double cm_expression_evaluate(const cm_expression *expression, const double *values);

/* ---- expression_divisions.c ---- */

/* A division that may be one by zero. */
typedef struct cm_division {
    cm_expression_location location;
    bool zero; /* it is: the divisor is the constant 0 */
} cm_division;

/* All divisions whose divisor is no constant, or 0; free *divisions with free(). */
cm_status cm_expression_divisions_create(const cm_expression *expression, cm_division **divisions, size_t *count,
                                         cm_error *error);

/* CM_BAD_INPUT unless every divisor, wherever it stands, is a constant (no name has a part in it) other than zero. */
cm_status cm_expression_check_divisors(const cm_expression *expression, cm_error *error);

/* ---- expression_field.c ---- */

/* Parses a field of a CSV row into an expression that divides safely; `source` needs no file, line and column: faults
 * are reported with their location in the file. */
cm_status cm_expression_parse_field(const cm_csv *csv, const cm_csv_row *row, size_t field,
                                    const cm_expression_source *source, cm_expression_resolve resolve, void *data,
                                    cm_expression **expression, cm_error *error);

#endif
