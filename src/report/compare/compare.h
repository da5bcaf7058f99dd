/* What differs between two views, one row a difference. */
#ifndef CM_REPORT_COMPARE_COMPARE_H
#define CM_REPORT_COMPARE_COMPARE_H

#include "report/report.h"
#include "report/view/view.h"

typedef struct cm_difference {
    const char *benchmark;      /* NULL: of the whole document */
    const char *subject;        /* "definition", "event" */
    const char *name;           /* of what differs; NULL: the subject says it */
    const char *before, *after; /* NULL: it is not there */
} cm_difference;

/* Texts live as long as both views and this. */
typedef struct cm_differences {
    cm_arena arena;
    size_t count, room;
    cm_difference *list;
} cm_differences;

/* With the views that differ: what is written. */
typedef struct cm_comparison {
    const cm_view *before, *after;
    const cm_differences *differences;
} cm_comparison;

cm_status cm_differences_create(const cm_view *before, const cm_view *after, cm_differences **differences,
                                cm_error *error);
void cm_differences_free(cm_differences *differences);

/* ---- json.c ---- */

/* `content` is a cm_comparison. */
cm_status cm_comparison_put_json(const void *content, const cm_style *style, FILE *stream, cm_error *error);

#endif
