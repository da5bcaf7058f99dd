/* Events counted on one thread through the source (PAPI), in one set a component. */
#ifndef CM_COUNT_ATTACHMENT_H
#define CM_COUNT_ATTACHMENT_H

#include <sys/types.h>

#include "counting/source.h"
#include "count/counts.h"

typedef struct cm_attached_set {
    cm_source_set *source;
    cm_source_set *trial; /* while events are added; NULL: not needed */
    int component;
    size_t count;
    size_t *events; /* indices of the counted events, in order of addition */
} cm_attached_set;

typedef struct cm_attachment {
    pid_t thread; /* 0: the calling one */
    char name[32];
    size_t set_count;
    cm_attached_set *sets;
    double *counts; /* one an event, from the last reading; NaN for others */
    double *before; /* the counts of the reading before */
} cm_attachment;

typedef struct cm_attach_how {
    pid_t thread;
    bool inherited; /* includes threads and processes that the thread starts */
    bool multiplexed;
} cm_attach_how;

/* Adds as many of the events with `wanted` as can be counted together, and clears their wanted[i]. CM_UNSUPPORTED if
 * none can. Clear the attachment in any case. */
cm_status cm_attach(cm_attachment *attachment, const cm_counted_event *events, size_t count, bool *wanted,
                    const cm_attach_how *how, cm_error *error);
cm_status cm_attachment_start(cm_attachment *attachment, cm_error *error);
/* Reads the counts. */
cm_status cm_attachment_read(cm_attachment *attachment, cm_error *error);
/* Reads the counts for the last time and stops counting; the counts stay. */
cm_status cm_attachment_end(cm_attachment *attachment, cm_error *error);
void cm_attachment_clear(cm_attachment *attachment);

#endif
