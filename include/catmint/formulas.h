/* Formulas that programs share: PAPI's derived events, LIKWID's performance groups, metrics of perf and of perfmon, and
 * catmint's own CSV. docs/reference/formulas.md describes how each is read. */
#ifndef CATMINT_FORMULAS_H
#define CATMINT_FORMULAS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The meaning of a name in a formula. */
typedef enum cm_quantity_kind {
    CM_QUANTITY_EVENT,    /* an event that is counted; for LIKWID the event of the counter in EVENTSET */
    CM_QUANTITY_METRIC,   /* another formula of the same file */
    CM_QUANTITY_VARIABLE, /* a value that the consumer gives: time, inverseClock, #num_cpus, DURATIONTIMEINSECONDS,
                           * PAPI's # */
} cm_quantity_kind;

/* Paths of files. */
typedef struct cm_formula_files {
    size_t count;
    char **items;
    size_t other_count; /* files below directories that hold something else, such as lists of events */
    char **others;
} cm_formula_files;

/* Finds the files among the paths, and below each directory those that end in .txt, .csv, .json or .yaml and hold
 * formulas, in the order of their names. CM_BAD_INPUT if a directory cannot be read or holds none. Clear `files` in any
 * case. */
CM_API cm_status cm_formula_files_find(const char *const *paths, size_t count, cm_formula_files *files,
                                       cm_error *error);
CM_API void cm_formula_files_clear(cm_formula_files *files);

/* The formulas of one file; it owns everything that its accessors point to. */
typedef struct cm_formulas cm_formulas;

/* Reads a file. `format`: "csv", "papi", "likwid", "perf" or "perfmon"; NULL: recognised by its contents. CM_IO if it
 * cannot be read, CM_BAD_INPUT if it is of no known format, or so malformed that nothing in it can be recognised;
 * faults of single definitions are collected instead. CM_BAD_ARGUMENT if there is no such format. */
CM_API cm_status cm_formulas_load(const char *path, const char *format, cm_formulas **formulas, cm_error *error);
/* Reads a file as if it had the path `place` in its project's tree: its processor, lists of events and other files are
 * found by that. */
CM_API cm_status cm_formulas_load_for(const char *path, const char *format, const char *place, cm_formulas **formulas,
                                      cm_error *error);
/* The path of two states of a file that lies in a tree of PAPI, LIKWID, perf, perfmon or rocprof; `path` if both or
 * neither do. */
CM_API const char *cm_formulas_place(const char *path, const char *other);

/* The columns of a table in CSV that is nobody's format: each the heading of a column, or its number from 1 on. */
typedef struct cm_formula_columns {
    size_t size; /* of this structure */
    const char *metric, *formula;
    const char *unit; /* NULL: the table has none */
} cm_formula_columns;
CM_OPTIONS_DEFAULT(cm_formula_columns)

/* Reads such a table; other columns are left alone. CM_BAD_INPUT also if it does not have the columns, and
 * CM_BAD_ARGUMENT if metric or formula is NULL. */
CM_API cm_status cm_formulas_load_table(const char *path, const cm_formula_columns *columns, cm_formulas **formulas,
                                        cm_error *error);
CM_API void cm_formulas_free(cm_formulas *formulas);

CM_API const char *cm_formulas_file(const cm_formulas *formulas);
/* "papi", and its title, "PAPI". Both live as long as the program. */
CM_API const char *cm_formulas_format(const cm_formulas *formulas);
CM_API const char *cm_formulas_format_title(const cm_formulas *formulas);

/* Kinds of faults in a file of formulas; docs/reference/formulas.md has an example of each. */
typedef enum cm_formula_fault_kind {
    CM_FAULT_SYNTAX,          /* it does not follow the format */
    CM_FAULT_UNKNOWN_COUNTER, /* a name that is no counter of EVENTSET, no term and no alias */
    CM_FAULT_NUMBER,          /* a decimal or too large a number in PAPI's integer arithmetic */
    CM_FAULT_STACK,           /* postfix that leaves more or less than one value, or needs too deep a stack */
    CM_FAULT_CIRCLE,          /* a formula that needs its own value */
    CM_FAULT_USES_FAULTY,     /* a formula that uses one with a fault */
    CM_FAULT_DUPLICATE,       /* a formula defined twice in one section, or a counter given twice */
    CM_FAULT_ONE_TERM,        /* a sum or difference of one term */
    CM_FAULT_TERMS,           /* more terms than the consumer takes */
    CM_FAULT_PRESETS,         /* more presets than the consumer takes */
    CM_FAULT_DIVISION,        /* division by a value that can be zero and that the consumer does not guard */
    CM_FAULT_UNUSED,          /* an event that no formula uses */
    CM_FAULT_UNTERMINATED,    /* postfix without its final '|', an empty field at the end */
    CM_FAULT_IGNORED,         /* text that the consumer ignores */
    CM_FAULT_MISREAD,         /* text that the consumer reads differently from its appearance */
    CM_FAULT_UNKNOWN_PRESET,  /* a name that is none of PAPI's presets */
    CM_FAULT_DOCUMENTED,      /* LIKWID's LONG gives a different formula, or none that can be read */
    CM_FAULT_UNKNOWN_EVENT,   /* an event that the processor does not have */
    CM_FAULT_FOREIGN,         /* a way of writing that only another program reads */
    CM_FAULT_QUANTITY,        /* name or unit disagree with the formula's events */
} cm_formula_fault_kind;

/* "syntax", "unknown counter", ... */
CM_API const char *cm_formula_fault_kind_name(cm_formula_fault_kind kind);
/* Whether the definition could not be read, or cannot be counted; other faults say that its name misleads. */
CM_API bool cm_formula_fault_is_error(cm_formula_fault_kind kind);

/* The reason why a definition could not be read. Neither it nor a definition that uses it is among the formulas. */
typedef struct cm_formula_fault {
    size_t line, column; /* 1-based; column 0 if unknown */
    const char *metric;  /* "" if none is concerned */
    const char *text;
    cm_formula_fault_kind kind;
} cm_formula_fault;

/* All faults, in the order of the file. */
CM_API size_t cm_formulas_fault_count(const cm_formulas *formulas);
CM_API const cm_formula_fault *cm_formulas_fault(const cm_formulas *formulas, size_t index);

/* Quantities: the names in formulas. An event and a variable appear once a file, a metric once a definition. */
CM_API size_t cm_formulas_quantity_count(const cm_formulas *formulas);
/* The name as the file spells it, without escapes. An event of LIKWID's that is counted with options, or by several
 * units (MBOX0C0, MBOX1C0), is spelled as on LIKWID's command line: CAS_COUNT_RD:MBOX0C0. */
CM_API const char *cm_formulas_quantity_name(const cm_formulas *formulas, size_t quantity);
CM_API cm_quantity_kind cm_formulas_quantity_kind(const cm_formulas *formulas, size_t quantity);

typedef struct cm_formula_info {
    const char *metric; /* PAPI_DP_OPS, "DP [MFLOP/s]" */
    const char *preset; /* the metric's PAPI preset, "" if it is none */
    const char
        *section;     /* PAPI: the names of its CPU lines, separated by commas; LIKWID: the group, the file's name; else
                       * "" */
    const char *unit; /* "" if the format has none; so are the next two */
    const char *description;
    const char *source;
    const char *text;    /* the formula as written in the file */
    size_t line, column; /* 1-based, of the definition; `column` of its formula, 0 if unknown */
} cm_formula_info;

/* Definitions, in the order of the file. */
CM_API size_t cm_formulas_count(const cm_formulas *formulas);
CM_API const cm_formula_info *cm_formulas_info(const cm_formulas *formulas, size_t formula);

/* The events and variables that the formula needs, directly or through the metrics that it uses: `*count` quantities.
 */
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

/* The formula as numerator / denominator over events and variables; metrics are replaced by their formulas. Two rules
 * are ignored: LIKWID turns values that are not finite into 0, and so does perf with a d_ratio by 0. */
CM_API cm_formula_shape cm_formulas_shape(const cm_formulas *formulas, size_t formula, cm_linear_form *numerator,
                                          cm_linear_form *denominator);

/* The value for given quantities: `values` holds one a quantity; those of metrics are not read. CM_BAD_INPUT, with the
 * place, if it divides by zero (LIKWID's formulas are 0 then, as in LIKWID). The value may be infinite, or NaN, if
 * doubles overflow. PAPI's are not truncated to integers. */
CM_API cm_status cm_formulas_evaluate(const cm_formulas *formulas, size_t formula, const double *values, double *value,
                                      cm_error *error);

/* Faults of a file that show without a measurement: faults of its syntax, text that its consumer accepts and reads
 * differently from its appearance, and mistakes in its formulas. */
typedef struct cm_lint cm_lint;

/* The events of the processor, among which those of the formulas are looked up. All NULL: the lists beside the file's
 * place in the tree of its project, if there are any (libpfm4's sources in PAPI's; without them the libpfm4 that is
 * installed). */
typedef struct cm_lint_options {
    size_t size;              /* of this structure */
    const char *cpu;          /* libpfm4's name of the PMU; NULL: by the file's sections and place */
    const char *known_events; /* a file or directory with a list, as `catmint export --known-events` takes it */
} cm_lint_options;
CM_OPTIONS_DEFAULT(cm_lint_options)

/* CM_BAD_INPUT if `known_events` has no names. */
CM_API cm_status cm_lint_create_for(const cm_formulas *formulas, const cm_lint_options *options, cm_lint **lint,
                                    cm_error *error);
/* The same with all options NULL. */
CM_API cm_status cm_lint_create(const cm_formulas *formulas, cm_lint **lint, cm_error *error);
CM_API void cm_lint_free(cm_lint *lint);
/* Removes the faults that `base`, of an earlier state of the file, has too: of the same kind, metric and text, wherever
 * they stand and whichever of the section's processors they name. A fault that is there more often than in the base
 * stays as often. The base loses them, so that it hides a copy of them in another file no more. */
CM_API void cm_lint_drop_known(cm_lint *lint, cm_lint *base);
/* In the order of the file; the texts live as long as both lint and formulas. */
CM_API size_t cm_lint_count(const cm_lint *lint);
CM_API const cm_formula_fault *cm_lint_get(const cm_lint *lint, size_t index);

#ifdef __cplusplus
}
#endif
#endif
