/* LIKWID's performance groups. */
#ifndef CM_FORMATS_LIKWID_LIKWID_H
#define CM_FORMATS_LIKWID_LIKWID_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/writer.h"
#include "formulas/formulas.h"

cm_status cm_likwid_read(cm_formulas *formulas, cm_error *error);
/* Writes one group after the other. */
cm_status cm_likwid_write(cm_writing *writing, FILE *stream, cm_error *error);
cm_status cm_likwid_save(cm_writing *writing, const char *path, cm_error *error);

/* Writes A_B for A:B. */
const char *cm_likwid_event(const char *event, char *name, size_t size);

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

#endif
