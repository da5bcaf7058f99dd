/* Formulas that programs share: PAPI's derived events, LIKWID's performance groups, metrics of perf and of perfmon, and
 * catmint's own CSV. docs/reference/formulas.md says how each is read. */
#ifndef CATMINT_FORMULAS_H
#define CATMINT_FORMULAS_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a name in a formula stands for. */
typedef enum cm_quantity_kind {
    CM_QUANTITY_EVENT,    /* counted; for LIKWID the event that the counter has in EVENTSET */
    CM_QUANTITY_METRIC,   /* another formula of the same file */
    CM_QUANTITY_VARIABLE, /* given by the consumer: time, inverseClock, #num_cpus, DURATIONTIMEINSECONDS, PAPI's # */
} cm_quantity_kind;

/* Paths of files. */
typedef struct cm_formula_files {
    size_t count;
    char **items;
    size_t other_count; /* files below folders that hold something else, such as lists of events */
} cm_formula_files;

/* The files among the paths, and for each folder those below it that end in .txt, .csv or .json and hold formulas, in
 * the order of their names. CM_BAD_INPUT where a folder cannot be read or holds none. Clear them in any case. */
CM_API cm_status cm_formula_files_find(const char *const *paths, size_t count, cm_formula_files *files,
                                       cm_error *error);
CM_API void cm_formula_files_clear(cm_formula_files *files);

/* One file; it owns all that its accessors point to. */
typedef struct cm_formulas cm_formulas;

/* Reads a file. `format`: "csv", "papi", "likwid", "perf" or "perfmon"; NULL: the one that its contents show. CM_IO
 * where it cannot be read, CM_BAD_INPUT where it is of no known format, or so malformed that nothing in it can be
 * recognised; faults of single definitions are collected instead. CM_BAD_ARGUMENT where there is no such format. */
CM_API cm_status cm_formulas_load(const char *path, const char *format, cm_formulas **formulas, cm_error *error);
CM_API void cm_formulas_free(cm_formulas *formulas);

CM_API const char *cm_formulas_file(const cm_formulas *formulas);
/* "papi", and as people write it, "PAPI". Both live as long as the program. */
CM_API const char *cm_formulas_format(const cm_formulas *formulas);
CM_API const char *cm_formulas_format_title(const cm_formulas *formulas);

/* What may be wrong with a file of formulas; docs/reference/formulas.md has an example of each. */
typedef enum cm_formula_fault_kind {
    CM_FAULT_SYNTAX,          /* it does not follow the format */
    CM_FAULT_UNKNOWN_COUNTER, /* a name that is no counter of EVENTSET, no term, no alias */
    CM_FAULT_NUMBER,          /* a decimal or too large a number in PAPI's integer arithmetic */
    CM_FAULT_STACK,           /* postfix that leaves more or less than one value, or needs too deep a stack */
    CM_FAULT_CIRCLE,          /* a formula that needs its own value */
    CM_FAULT_USES_FAULTY,     /* a formula that uses one with a fault */
    CM_FAULT_DUPLICATE,       /* defined twice in one section; a counter that is given twice */
    CM_FAULT_ONE_TERM,        /* a sum or difference of one term */
    CM_FAULT_TERMS,           /* more terms than the consumer takes */
    CM_FAULT_PRESETS,         /* more presets than the consumer takes */
    CM_FAULT_DIVISION,        /* division by what can be zero, where the consumer does not guard it */
    CM_FAULT_UNUSED,          /* an event that no formula uses */
    CM_FAULT_UNTERMINATED,    /* postfix without its final '|', an empty field at the end */
    CM_FAULT_IGNORED,         /* what the consumer ignores */
    CM_FAULT_MISREAD,         /* what the consumer reads differently from what it looks like */
    CM_FAULT_UNKNOWN_PRESET,  /* a name that is none of PAPI's presets */
    CM_FAULT_DOCUMENTED,      /* LIKWID's LONG gives another formula */
} cm_formula_fault_kind;

/* "syntax", "unknown counter", ... */
CM_API const char *cm_formula_fault_kind_name(cm_formula_fault_kind kind);

/* Why a definition could not be read. Such a definition is not among the formulas, nor is one that uses it. */
typedef struct cm_formula_fault {
    size_t line, column; /* 1-based; column 0 where unknown */
    const char *metric;  /* "" where none is concerned */
    const char *text;
    cm_formula_fault_kind kind;
} cm_formula_fault;

/* All of them, in the order of the file. */
CM_API size_t cm_formulas_fault_count(const cm_formulas *formulas);
CM_API const cm_formula_fault *cm_formulas_fault(const cm_formulas *formulas, size_t index);

/* Quantities: what formulas name. An event and a variable appear once a file, a metric once a definition. */
CM_API size_t cm_formulas_quantity_count(const cm_formulas *formulas);
/* As the file spells it, without escapes. An event of LIKWID's that is counted with options, or by several units
 * (MBOX0C0, MBOX1C0), is spelled as on LIKWID's command line: CAS_COUNT_RD:MBOX0C0. */
CM_API const char *cm_formulas_quantity_name(const cm_formulas *formulas, size_t quantity);
CM_API cm_quantity_kind cm_formulas_quantity_kind(const cm_formulas *formulas, size_t quantity);

typedef struct cm_formula_info {
    const char *metric; /* PAPI_DP_OPS, "DP [MFLOP/s]" */
    const char *preset; /* the PAPI preset that it is, "" where it is none */
    const char
        *section;     /* PAPI: its CPU lines' names, with commas between; LIKWID: the group, the file's name; else "" */
    const char *unit; /* "" where the format has none; so in the next two */
    const char *description;
    const char *source;
    const char *text;    /* the formula as written in the file */
    size_t line, column; /* 1-based, of the definition; column of its formula, 0 where unknown */
} cm_formula_info;

/* Definitions, in the order of the file. */
CM_API size_t cm_formulas_count(const cm_formulas *formulas);
CM_API const cm_formula_info *cm_formulas_info(const cm_formulas *formulas, size_t formula);

/* The events and variables that the formula needs, directly or through metrics that it uses: `*count` quantities. */
CM_API const size_t *cm_formulas_needs(const cm_formulas *formulas, size_t formula, size_t *count);

typedef enum cm_formula_shape {
    CM_FORMULA_LINEAR, /* the denominator is 1 */
    CM_FORMULA_RATIO,
    CM_FORMULA_OTHER, /* neither: both forms are empty */
} cm_formula_shape;

/* sum_i coefficients[i] * value of quantities[i] + constant; no coefficient is 0. */
typedef struct cm_linear_form {
    size_t count;
    const size_t *quantities;
    const double *coefficients;
    double constant;
} cm_linear_form;

/* The formula as numerator / denominator over events and variables, metrics being replaced by what they are. Where
 * LIKWID makes 0 of what is not finite, and perf of a d_ratio by 0, that is left aside. */
CM_API cm_formula_shape cm_formulas_shape(const cm_formulas *formulas, size_t formula, cm_linear_form *numerator,
                                          cm_linear_form *denominator);

/* The value for given quantities: `values` holds one a quantity, those of metrics are not read. CM_BAD_INPUT, with the
 * place, where it divides by zero (LIKWID's formulas are 0 then, as LIKWID has it). The value may be infinite, or NaN,
 * where doubles overflow. PAPI's are not cut to integers. */
CM_API cm_status cm_formulas_evaluate(const cm_formulas *formulas, size_t formula, const double *values, double *value,
                                      cm_error *error);

/* What is wrong with a file without measuring anything: its faults, what its consumer accepts and reads otherwise than
 * it looks, and what its formulas do that they should not. */
typedef struct cm_lint cm_lint;

CM_API cm_status cm_lint_create(const cm_formulas *formulas, cm_lint **lint, cm_error *error);
CM_API void cm_lint_free(cm_lint *lint);
/* In the order of the file; the texts live as long as both lint and formulas. */
CM_API size_t cm_lint_count(const cm_lint *lint);
CM_API const cm_formula_fault *cm_lint_get(const cm_lint *lint, size_t index);

#ifdef __cplusplus
}
#endif
#endif
