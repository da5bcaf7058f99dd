/* LIKWID's performance groups. */
#ifndef CM_FORMATS_LIKWID_LIKWID_H
#define CM_FORMATS_LIKWID_LIKWID_H

#include "formats/format.h"

cm_status cm_likwid_read(cm_formulas *formulas, cm_error *error);

/* ---- abbreviated.c: expands the formulas in LONG: sums over counters, and a forgotten parenthesis ---- */

/* A counter of EVENTSET, with its event. */
typedef struct cm_likwid_counter {
    const char *name, *event;
} cm_likwid_counter;

/* The formula in full: SUM(EVENT) and SUM(MBOXxC0) become sums of the counters with that event or a name that fits, in
 * which * or x is a number; if one more parenthesis is closed than opened, the divisor begins behind the last division.
 * A sum without any counter stays. The caller frees it; NULL without memory. */
char *cm_likwid_in_full(const char *formula, const cm_likwid_counter *counters, size_t count);

/* ---- boxes.c ---- */

/* Counters of memory controllers, which LIKWID names by box: one box a channel, with four counters each. */

enum { CM_LIKWID_BOX_COUNTERS = 4, CM_LIKWID_BOXES = 12, CM_LIKWID_SUM_SIZE = 256 };

/* Writes LIKWID's name of a socket's event to `name`; returns NULL, or the reason why there is none. */
const char *cm_likwid_box_event(const char *event, char *name, size_t size);
/* "MBOX" of such a name; NULL if it is no event of a memory controller. */
const char *cm_likwid_box(const char *name);
/* Writes "(MBOX0C1+MBOX1C1+...)": this counter in all boxes. Returns `text`. */
char *cm_likwid_box_sum(const char *box, size_t counter, char text[CM_LIKWID_SUM_SIZE]);

/* ---- The state of the reader of a group ---- */

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

/* ---- counters.c ---- */

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
