/* A file of formulas in memory, of any format: loaded by the format's reader, then linked. */
#ifndef CM_FORMULAS_FORMULAS_H
#define CM_FORMULAS_FORMULAS_H

#include <catmint/formulas.h>

#include "formulas/expression.h"

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
    size_t need_count;
    size_t *needs;
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
