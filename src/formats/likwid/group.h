/* The state of the reader of a group. */
#ifndef CM_FORMATS_LIKWID_GROUP_H
#define CM_FORMATS_LIKWID_GROUP_H

#include "core/text.h"
#include "formulas/formulas.h"

/* One line of EVENTSET. */
typedef struct cm_likwid_line {
    const char *name, *event; /* `name` with its options */
    size_t line, column;
    bool used;
} cm_likwid_line;

typedef enum cm_likwid_part { CM_LIKWID_NOWHERE, CM_LIKWID_EVENTSET, CM_LIKWID_METRICS, CM_LIKWID_LONG } cm_likwid_part;

typedef struct cm_likwid_reader {
    cm_formulas *formulas;
    cm_error *error;
    cm_text_lines lines;
    cm_likwid_part part;
    bool seen[CM_LIKWID_LONG + 1];
    char *section;     /* the file's name without directory and ending */
    const char *title; /* the text of SHORT */
    cm_likwid_line *counters;
    size_t counter_count;
    struct cm_documented *documented; /* from LONG */
    size_t documented_count;
    cm_formula_fault_kind kind; /* of a fault in the current formula */
    size_t formula;             /* the current one */
    cm_status status;           /* CM_NO_MEMORY if a remark on its names could not be kept */
} cm_likwid_reader;

/* ---- group.c ---- */

/* The index of the counter with this whole name, else without options; counter_count if there is none. */
size_t cm_likwid_find_counter(const cm_likwid_reader *reader, const char *name);
/* The quantity of a counter's event, which knows the line that names it. */
ptrdiff_t cm_likwid_event_quantity(cm_likwid_reader *reader, const cm_likwid_line *one);

/* ---- documented.c ---- */

/* Keeps a line of LONG. */
cm_status cm_documented_take(cm_likwid_reader *reader);
/* Records a remark for each line that differs from the formula of its metric, or is one that cannot be read. */
cm_status cm_documented_check(cm_likwid_reader *reader);

#endif
