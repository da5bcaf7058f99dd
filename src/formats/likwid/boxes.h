/* Counters of memory controllers, which LIKWID has by boxes: one a channel, four counters each. */
#ifndef CM_FORMATS_LIKWID_BOXES_H
#define CM_FORMATS_LIKWID_BOXES_H

#include <stdbool.h>
#include <stddef.h>

enum { CM_LIKWID_BOX_COUNTERS = 4, CM_LIKWID_BOXES = 12, CM_LIKWID_SUM_SIZE = 256 };

/* LIKWID's name of a socket's event; why there is none, NULL where `name` holds it. */
const char *cm_likwid_box_event(const char *event, char *name, size_t size);
/* "MBOX" of such a name; NULL where it is no event of a memory controller. */
const char *cm_likwid_box(const char *name);
/* "(MBOX0C1+MBOX1C1+...)": the counter with this number, in all boxes. Returns `text`. */
char *cm_likwid_box_sum(const char *box, size_t counter, char text[CM_LIKWID_SUM_SIZE]);

#endif
