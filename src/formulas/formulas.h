/* What a file of formulas becomes, whatever its format: loaded by the format's reader, then linked. */
#ifndef CM_FORMULAS_FORMULAS_H
#define CM_FORMULAS_FORMULAS_H

#include <catmint/formulas.h>

#include "core/name_index.h"
#include "formulas/expression.h"

enum {
    CM_FORMULAS_BYTES = 1 << 26, /* memory of the definitions of one file, their texts aside */
    CM_FORMULAS_DEPTH = 64,      /* levels of a hierarchy */
    CM_FORMULAS_LINE = 1 << 20,  /* bytes of a line */
    CM_FORMULAS_FILE = 1 << 26,  /* bytes of a file that is read as a whole */
};
#define CM_FORMULAS_NONE ((size_t)-1)

typedef struct cm_formula {
    cm_formula_info info;
    cm_expression *expression; /* over quantities; NULL where there is a fault, until linking drops it */
    size_t quantity;           /* itself, where something names it, else CM_FORMULAS_NONE */

    /* Of hierarchies: */
    const char *parent_name, *of_name; /* "" where there is none */
    size_t parent;                     /* a formula, CM_FORMULAS_NONE: none */
    size_t of;                         /* a quantity, CM_FORMULAS_NONE: it is no fraction */
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
    size_t formula; /* of a metric; CM_FORMULAS_NONE where it has a fault */
} cm_quantity;

/* What the program that reads files of a format makes of them. */
typedef struct cm_formula_rules {
    const char *title;      /* "PAPI", as people write it */
    bool divides_unchecked; /* it computes on with the result of a division by zero */
    bool joins_exponents;   /* it reads on behind a number with an exponent for as long as signs and digits follow */
    bool names_are_unique;  /* it takes one metric of a name in a file, and its reader does not say so */
    size_t most_events;     /* that a definition needs, with those of metrics that are terms; 0: any number */
} cm_formula_rules;

struct cm_formulas {
    const char *format; /* its name */
    const cm_formula_rules *rules;
    char *file;
    size_t count;
    cm_formula *formulas; /* in the order of the file */
    size_t *order;        /* all formulas, each behind those that it uses */
    size_t quantity_count;
    cm_quantity *quantities;
    cm_name_index *names; /* of events and variables; for formats in which metrics have one name each, of these too */
    size_t fault_count, remark_count;
    cm_formula_fault *faults;  /* definitions with these are none */
    cm_formula_fault *remarks; /* what readers saw that the consumer accepts, for lint */
    size_t text_count;
    char **texts; /* what all the pointers to text point to */
};

/* ---- formulas.c: putting them together ---- */

/* Keeps a copy of `length` bytes; NULL where memory is short. */
const char *cm_formulas_keep(cm_formulas *formulas, const char *text, size_t length);
/* Keeps copies of all its texts; NULL is kept as "". The formula has no expression yet. CM_BAD_INPUT where
 * definitions take CM_FORMULAS_BYTES. */
cm_status cm_formulas_add(cm_formulas *formulas, const cm_formula_info *info, size_t *formula, cm_error *error);
/* CM_OK or CM_NO_MEMORY; metric may be NULL. */
cm_status cm_formulas_add_fault(cm_formulas *formulas, cm_formula_fault_kind kind, size_t line, size_t column,
                                const char *metric, const char *format, ...) CM_PRINTF(6, 7);
cm_status cm_formulas_add_remark(cm_formulas *formulas, cm_formula_fault_kind kind, size_t line, size_t column,
                                 const char *metric, const char *format, ...) CM_PRINTF(6, 7);
/* Parses the text of a formula over the source; a fault is kept, as the kind that `*kind` is after parsing. */
cm_status cm_formulas_parse(cm_formulas *formulas, size_t formula, const char *text, const cm_formula_fault_kind *kind,
                            const cm_expression_source *source, cm_expression_resolve resolve, void *data,
                            cm_error *error);
/* The event or variable of that name, new where there is none; CM_RESOLVED_NO_MEMORY where memory is short. */
ptrdiff_t cm_formulas_quantity(cm_formulas *formulas, cm_quantity_kind kind, const char *name);
/* The quantity that a formula is to others; CM_RESOLVED_NO_MEMORY where memory is short. */
ptrdiff_t cm_formulas_metric(cm_formulas *formulas, size_t formula);

/* Frees what is its own. */
void cm_formula_clear(cm_formula *formula);

/* ---- link.c ---- */

/* Puts the formulas in order, drops those with faults, and fills what they need and their shapes. */
cm_status cm_formulas_link(cm_formulas *formulas, cm_error *error);

/* ---- shape.c ---- */

/* Fills needs and shape; those of formulas that it uses are filled already. */
cm_status cm_formulas_find_shape(cm_formulas *formulas, size_t formula, cm_error *error);

#endif
