/* Counters of memory controllers, which LIKWID names by box: one box a channel, with four counters each. */
#ifndef CM_FORMATS_LIKWID_BOXES_H
#define CM_FORMATS_LIKWID_BOXES_H

#include <stdbool.h>
#include <stddef.h>

enum { CM_LIKWID_BOX_COUNTERS = 4, CM_LIKWID_BOXES = 12, CM_LIKWID_SUM_SIZE = 256 };

/* Writes LIKWID's name of a socket's event to `name`; returns NULL, or the reason why there is none. */
const char *cm_likwid_box_event(const char *event, char *name, size_t size);
/* "MBOX" of such a name; NULL if it is no event of a memory controller. */
const char *cm_likwid_box(const char *name);
/* Writes "(MBOX0C1+MBOX1C1+...)": this counter in all boxes. Returns `text`. */
char *cm_likwid_box_sum(const char *box, size_t counter, char text[CM_LIKWID_SUM_SIZE]);

#endif
