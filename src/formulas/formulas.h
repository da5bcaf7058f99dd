/* A file of formulas in memory, of any format: loaded by the format's reader, then linked. */
#ifndef CM_FORMULAS_FORMULAS_H
#define CM_FORMULAS_FORMULAS_H

#include <catmint/formulas.h>

#include "core/csv.h"

/* ---- Expressions over names: the events of PMU models, and the formulas that programs share.
 *
 *   expression  := binary ["if" binary "else" expression]
 *   binary      := unary {operator unary}                   by the dialect's precedence
 *   unary       := "-" unary | primary
 *   primary     := number | name | function "(" expression {"," expression} ")" | "(" expression ")"
 *
 * Operators from weak to strong, functions and names by dialect (expression_dialect.c):
 *
 *   catmint   < <= > >= == != (one, 1 if true, else 0)  + -  * /     min max
 *   LIKWID    + -  * / %  ^ (power, from the right)                        min max sum avg mean median abs floor ...
 *   perf      |  ^  &  < >  + -  * / %                                     min max d_ratio source_count has_event ...
 *   perfmon   as perf, with <= >= == != beside < >                          min max
 *   PAPI      + -  * / (from the right: a - b - c is a - (b - c))
 *
 * Numbers are decimal ("2", "0.5", "1e-3"). A name begins with a letter or "_" and continues with these, digits and the
 * dialect's further name characters; catmint also takes "cpu/event=0xc2,umask=0x3/", and any other name in single
 * quotes: '0INST_COMMIT'. In dialects with conditionals "if" and "else" are no names; a function is a name unless "("
 * follows.
 *
 * A parsed expression is a list of nodes in which operands precede the nodes that use them, so no function that works
 * on it needs recursion ---- */

enum {
    CM_EXPRESSION_BYTES = 4 << 20, /* the most memory of an expression's numbers, names and operations */
    CM_EXPRESSION_DEPTH = 256,     /* the most parentheses, minus signs and else branches within each other */
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
    CM_EXPRESSION_MODULO,      /* the remainder, with the sign of the left */
    CM_EXPRESSION_POWER,
    CM_EXPRESSION_BIT_OR, /* of integers: fractions are cut off */
    CM_EXPRESSION_BIT_XOR,
    CM_EXPRESSION_BIT_AND,
    CM_EXPRESSION_RATIO, /* left / right, 0 if right is 0 */
    CM_EXPRESSION_ABS,
    CM_EXPRESSION_FLOOR,
    CM_EXPRESSION_CEIL,
    CM_EXPRESSION_SQRT,
    CM_EXPRESSION_LOG,
    CM_EXPRESSION_EXP,
    CM_EXPRESSION_FINITE,   /* left; 0 if that is not finite or does not exist */
    CM_EXPRESSION_ARGUMENT, /* left, in a list behind the ARGUMENT `right`; the first one's `right` is itself */
    CM_EXPRESSION_MEDIAN,   /* of the arguments up to `left` */
} cm_expression_kind;

/* Whether `left` is its only operand. */
bool cm_expression_is_unary(cm_expression_kind kind);

typedef enum cm_expression_dialect {
    CM_EXPRESSION_CATMINT,
    CM_EXPRESSION_LIKWID,
    CM_EXPRESSION_PERF,
    CM_EXPRESSION_PERFMON,
    CM_EXPRESSION_PAPI,
} cm_expression_dialect;

/* A place in a file: 1-based line, and character of the line. */
typedef struct cm_expression_location {
    size_t line, column;
} cm_expression_location;

typedef struct cm_expression_node {
    cm_expression_kind kind;
    size_t left, right, condition; /* nodes before this one, as the kind needs; unary kinds have `left` */
    double number;
    size_t name; /* index of the name's value */
    cm_expression_location location;
    bool parenthesised; /* it has parentheses of its own */
} cm_expression_node;

/* The origin of the text, and the kind of its names. */
typedef struct cm_expression_source {
    cm_expression_dialect dialect;
    const char *file;            /* for messages, may be NULL */
    size_t line, column;         /* of the text's first character; 0: counted as 1 */
    const char *name_characters; /* beyond the dialect's, such as ":."; NULL: none */
    const char *names_are;       /* the word for names in messages, such as "fact"; NULL: "name" */
} cm_expression_source;

enum { CM_RESOLVED_NONE = -1, CM_RESOLVED_NO_MEMORY = -2 };

/* Returns the index of the value of that name, or one of these. */
typedef ptrdiff_t (*cm_expression_resolve)(const char *name, void *data);

typedef struct cm_expression cm_expression;

/* CM_BAD_INPUT, with file, line and column, if the text is no expression or a name is unknown. `resolve` may be NULL:
 * each new name then gets the next index, from 0. */
cm_status cm_expression_parse(const char *text, const cm_expression_source *source, cm_expression_resolve resolve,
                              void *data, cm_expression **expression, cm_error *error);
void cm_expression_free(cm_expression *expression);

/* The last node is the whole expression. */
size_t cm_expression_node_count(const cm_expression *expression);
const cm_expression_node *cm_expression_get_node(const cm_expression *expression, size_t node);

/* Each name once, in order of first appearance; the index of its value; the place of its first appearance. */
size_t cm_expression_name_count(const cm_expression *expression);
size_t cm_expression_name_index(const cm_expression *expression, size_t name);

const char *cm_expression_file(const cm_expression *expression); /* NULL if there is none */

/* ---- expression_evaluate.c ---- */

/* `values` has one value an index; those of unused indices are not read. CM_BAD_INPUT for a division by zero, unless it
 * is in the branch that a conditional does not take. The value may be infinite, or NaN, if doubles overflow. */
cm_status cm_expression_try(const cm_expression *expression, const double *values, double *value, cm_error *error);

/* The value of an expression without possible divisions by zero. */
double cm_expression_evaluate(const cm_expression *expression, const double *values);

/* ---- expression_divisions.c ---- */

/* A division whose divisor may be zero. */
typedef struct cm_division {
    cm_expression_location location;
    bool zero; /* the divisor is the constant 0 */
} cm_division;

/* All divisions whose divisor is not constant, or is 0; free *divisions with free(). */
cm_status cm_expression_divisions_create(const cm_expression *expression, cm_division **divisions, size_t *count,
                                         cm_error *error);

/* CM_BAD_INPUT unless every divisor is a constant (without names) other than zero. */
cm_status cm_expression_check_divisors(const cm_expression *expression, cm_error *error);

/* ---- expression_field.c ---- */

/* Parses a field of a CSV row into an expression without possible divisions by zero; `source` needs no file, line and
 * column: faults are reported with their place in the file. */
cm_status cm_expression_parse_field(const cm_csv *csv, const cm_csv_row *row, size_t field,
                                    const cm_expression_source *source, cm_expression_resolve resolve, void *data,
                                    cm_expression **expression, cm_error *error);

/* ---- Builds expressions, for parsers ---- */

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

/* ---- Differences between dialects: operators, functions, names ---- */

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

/* ---- Splits a formula into tokens ---- */

typedef enum cm_token_kind {
    CM_TOKEN_END,
    CM_TOKEN_NUMBER,
    CM_TOKEN_NAME,
    CM_TOKEN_QUOTED, /* a name; the text is without quotes */
    CM_TOKEN_IF,
    CM_TOKEN_ELSE,
    CM_TOKEN_SYMBOL
} cm_token_kind;

typedef struct cm_token {
    cm_token_kind kind;
    const char *text;
    size_t length;
    cm_expression_location location;
} cm_token;

typedef struct cm_lexer {
    const char *at; /* the end of the last token */
    cm_expression_location location;
    const cm_dialect *dialect;
    const char *name_characters; /* in addition to the dialect's; may be NULL */
} cm_lexer;

cm_token cm_lexer_next(cm_lexer *lexer);
bool cm_token_is(const cm_token *token, const char *text);

/* ---- shared ---- */

enum {
    CM_FORMULAS_BYTES = 1 << 26, /* the most memory of the definitions of one file, without their texts */
    CM_FORMULAS_DEPTH = 64,      /* the most levels of a hierarchy */
    CM_FORMULAS_LINE = 1 << 20,  /* the longest line */
    CM_FORMULAS_FILE = 1 << 26,  /* the largest file that is read as a whole */
};
#define CM_FORMULAS_NONE ((size_t)-1)

typedef struct cm_formula {
    cm_formula_info info;
    cm_expression *expression; /* over quantities; NULL if there is a fault, until linking removes it */
    size_t quantity;           /* its own quantity if anything uses it, else CM_FORMULAS_NONE */

    /* Members of hierarchies: */
    const char *parent_name, *of_name; /* "" if there is none */
    size_t parent;                     /* a formula, CM_FORMULAS_NONE: none */
    size_t of;                         /* a quantity; CM_FORMULAS_NONE: it is no fraction */
    size_t depth;                      /* 0 without a parent */

    /* Filled by linking: */
    size_t need_count, *needs;
    cm_formula_shape shape;
    cm_linear_form numerator, denominator;
} cm_formula;

typedef struct cm_quantity {
    const char *name;
    cm_quantity_kind kind;
    size_t formula;      /* of a metric; CM_FORMULAS_NONE if it has a fault */
    size_t line;         /* that names the event; 0: only formulas do */
    const char *counter; /* the one that LIKWID counts it on; NULL elsewhere */
    const char *others;  /* events that may be in its place, each with a bar behind; NULL: none */
} cm_quantity;

/* Behaviour of the program that reads files of a format. */
typedef struct cm_formula_rules {
    const char *title;      /* "PAPI", as users write it */
    bool divides_unchecked; /* it continues with the result of a division by zero */
    bool joins_exponents;   /* it reads signs and digits behind a number with an exponent as part of it */
    bool names_are_unique;  /* it uses only one metric of each name in a file, and its reader does not report that */
} cm_formula_rules;

struct cm_formulas {
    const char *format; /* its name */
    const cm_formula_rules *rules;
    const cm_formula_columns *columns; /* while a table is read whose columns have other names; else NULL */
    size_t most_events;                /* of a definition, including those of metrics in its terms; 0: any number */
    char *file;
    const char *place; /* its path in the project's tree, which may be another than `file` */
    size_t count;
    cm_formula *formulas; /* in the order of the file */
    size_t *order;        /* all formulas, in the order of their dependencies */
    size_t quantity_count;
    cm_quantity *quantities;
    cm_name_index *names; /* of events and variables; for formats in which names of metrics are unique, of these too */
    size_t fault_count, remark_count;
    cm_formula_fault *faults;  /* their definitions are removed */
    cm_formula_fault *remarks; /* findings of readers that the consumer accepts, for lint */
    size_t text_count;
    char **texts; /* owns all texts */
};

/* ---- formulas.c: building ---- */

/* Keeps a copy of `length` bytes; NULL without memory. */
const char *cm_formulas_keep(cm_formulas *formulas, const char *text, size_t length);
/* Adds a formula with copies of its texts, in which NULL becomes ""; it has no expression yet. CM_BAD_INPUT if
 * definitions exceed CM_FORMULAS_BYTES. */
cm_status cm_formulas_add(cm_formulas *formulas, const cm_formula_info *info, size_t *formula, cm_error *error);
/* CM_OK or CM_NO_MEMORY; metric may be NULL. */
cm_status cm_formulas_add_fault(cm_formulas *formulas, cm_formula_fault_kind kind, size_t line, size_t column,
                                const char *metric, const char *format, ...) CM_PRINTF(6, 7);
cm_status cm_formulas_add_remark(cm_formulas *formulas, cm_formula_fault_kind kind, size_t line, size_t column,
                                 const char *metric, const char *format, ...) CM_PRINTF(6, 7);
/* Parses the text of a formula; a fault is recorded, as the kind that `*kind` is after parsing. */
cm_status cm_formulas_parse(cm_formulas *formulas, size_t formula, const char *text, const cm_formula_fault_kind *kind,
                            const cm_expression_source *source, cm_expression_resolve resolve, void *data,
                            cm_error *error);
/* The event or variable of that name, made if necessary; CM_RESOLVED_NO_MEMORY without memory. */
ptrdiff_t cm_formulas_quantity(cm_formulas *formulas, cm_quantity_kind kind, const char *name);
/* The quantity of a formula, for use in others; CM_RESOLVED_NO_MEMORY without memory. */
ptrdiff_t cm_formulas_metric(cm_formulas *formulas, size_t formula);

/* Frees the members that it owns. */
void cm_formula_clear(cm_formula *formula);

/* ---- link.c ---- */

/* Orders the formulas by their dependencies, removes those with faults, and fills needs and shapes. */
cm_status cm_formulas_link(cm_formulas *formulas, cm_error *error);

/* ---- shape.c ---- */

/* Fills needs and shape; those of the formulas it uses must be filled. */
cm_status cm_formulas_find_shape(cm_formulas *formulas, size_t formula, cm_error *error);

#endif
