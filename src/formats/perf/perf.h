/* Metrics of perf. */
#ifndef CM_FORMATS_PERF_PERF_H
#define CM_FORMATS_PERF_PERF_H

#include "formats/format.h"

cm_status cm_perf_read(cm_formulas *formulas, cm_error *error);

/* Whether perf gives the name's value: #literals, times, and functions of events. */
bool cm_perf_is_variable(const char *name);

/* ---- Python that defines metrics with perf's metric.py, read without executing it ---- */

enum { CM_PYTHON_DEPTH = 128, CM_PYTHON_TEXT_LIMIT = 1 << 16, CM_PYTHON_ARGUMENTS = 8 };

/* ---- python_tokens.c ---- */

typedef enum cm_python_kind {
    CM_PYTHON_END,     /* of the file */
    CM_PYTHON_NEWLINE, /* of a statement, outside of parentheses */
    CM_PYTHON_NAME,
    CM_PYTHON_NUMBER,
    CM_PYTHON_STRING,
    CM_PYTHON_OPERATOR,
} cm_python_kind;

typedef struct cm_python_token {
    cm_python_kind kind;
    const char *text;
    size_t length;
    size_t line, column; /* 1-based; the column of a statement's first token is its indentation and one */
    bool formatted, raw; /* of strings: f"...", r"..." */
    size_t quotes;       /* of strings: 1 or 3 at each end; `text` is between them */
} cm_python_token;

typedef struct cm_python_tokens {
    const char *at, *line_text;
    size_t line, depth; /* parentheses that are open */
} cm_python_tokens;

/* Reads the next token. Returns NULL, or the fault at the token's place. */
const char *cm_python_next(cm_python_tokens *tokens, cm_python_token *token);

/* ---- python.c ---- */

typedef enum cm_python_type {
    CM_PYTHON_UNREAD,  /* `text` says why, `line` is the place */
    CM_PYTHON_NONE,    /* None */
    CM_PYTHON_NAN,     /* math.nan */
    CM_PYTHON_TEXT,    /* a string */
    CM_PYTHON_EVENT,   /* `text` is its name, as Event(...) got it */
    CM_PYTHON_FORMULA, /* `text` is an expression as perf writes them */
} cm_python_type;

typedef struct cm_python_value {
    cm_python_type type;
    const char *text;
    size_t line;
} cm_python_value;

typedef struct cm_python_variable {
    const char *name;
    cm_python_value value;
} cm_python_variable;

/* A block whose variables end with it: of a function, or of a condition's other branch. */
typedef struct cm_python_block {
    size_t column;    /* of the line that begins it */
    size_t variables; /* as many as there were before */
} cm_python_block;

typedef struct cm_python_reader {
    cm_formulas *formulas;
    cm_error *error;
    cm_arena arena;
    cm_python_tokens tokens;
    cm_python_token token; /* the next one */
    size_t depth;          /* of the expression */
    bool broken;           /* the text is not made of Python's tokens */
    size_t variable_count, block_count;
    cm_python_variable *variables;
    cm_python_block blocks[CM_PYTHON_DEPTH];
    size_t other_count;
    cm_python_variable *others; /* names of events, with those that may be in their place, between bars */
} cm_python_reader;

/* Goes on to the next token. */
cm_status cm_python_step(cm_python_reader *reader);
bool cm_python_is(const cm_python_reader *reader, const char *text); /* whether the next token is this word or sign */
cm_status cm_python_refuse(const cm_python_reader *reader, const char *text);
cm_python_value cm_python_unread(const cm_python_reader *reader, const char *format, ...) CM_PRINTF(2, 3);
/* The value of a variable, unread if it has none. */
cm_python_value cm_python_find(const cm_python_reader *reader, const char *name);

/* ---- python_expression.c ---- */

/* Reads an expression from the next token on. Metrics in it are added to the formulas. */
cm_status cm_python_expression(cm_python_reader *reader, cm_python_value *value);
/* The value of `left sign right`. */
cm_status cm_python_combine(cm_python_reader *reader, const cm_python_value *left, const char *sign,
                            const cm_python_value *right, cm_python_value *value);

/* ---- python_calls.c ---- */

/* The arguments of a call that count by their place. */
typedef struct cm_python_arguments {
    const char *function;
    size_t line, column, count;
    cm_python_value arguments[CM_PYTHON_ARGUMENTS];
} cm_python_arguments;

/* Finds the value of a call. */
cm_status cm_python_apply(cm_python_reader *reader, const cm_python_arguments *call, cm_python_value *value);
/* A value as part of a formula; NULL: it is none, or there is no memory. */
const char *cm_python_formula(cm_python_reader *reader, const cm_python_value *value);
/* The value of adjacent strings, the first of which is the next token. */
cm_status cm_python_string(cm_python_reader *reader, cm_python_value *value);

#endif
