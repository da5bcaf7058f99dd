/* Selects events: patterns over their names, from the command line and from files. */
#ifndef CM_SWEEP_PLAN_SELECT_H
#define CM_SWEEP_PLAN_SELECT_H

#include <catmint/sweep.h>

#include "core/base.h"

/* An event to be compared with patterns. */
typedef struct cm_candidate {
    const char *name;
    const char *component; /* in PAPI's spelling */
    const char *papi_name; /* NULL: the same as the name */
} cm_candidate;

/* One pattern. `*` fits any text, colons and dots too. A pattern with `:::` is also compared with component:::NAME and
 * with PAPI's own name of the event. */
typedef struct cm_pattern {
    char *glob;
    bool excludes;
    bool prefixed; /* it has `:::` */
    bool counted;  /* it fits an event, and that event with up to `most` further qualifiers; otherwise whole names */
    size_t most;
    bool listed;      /* a whole name, and an event has this name */
    bool noted;       /* a whole name, and some event fits it */
    const char *file; /* NULL: from the options */
    size_t line;
} cm_pattern;

typedef struct cm_selection {
    const cm_sweep_options *options;
    size_t count, capacity;
    cm_pattern *patterns;
    size_t name_count;
    cm_name_index *names; /* patterns that are whole names and include, by name: there may be many */
    bool qualified;       /* one of them has qualifiers and allows more */
    bool prefixed;        /* some pattern is */
    size_t other_count;
    size_t *others; /* the other patterns */
} cm_selection;

/* Reads the patterns of the options and of their file: one a line, with `!` before an exclusion, and, behind blanks,
 * the most qualifiers that an event may have in addition, as CAT writes it; `#` begins a comment. CM_BAD_INPUT with the
 * line. Free with cm_selection_clear, also after a failure. */
cm_status cm_selection_make(const cm_sweep_options *options, cm_selection *selection, cm_error *error);
void cm_selection_clear(cm_selection *selection);

/* Whether an event is taken: a pattern fits it, or there are only exclusions; no `!GLOB` fits it, in any position; its
 * component is selected; and it has no more qualifiers than the options allow. */
bool cm_selection_takes(const cm_selection *selection, cm_candidate event);
bool cm_selection_takes_component(const cm_selection *selection, const char *component);
bool cm_pattern_fits(const cm_pattern *pattern, cm_candidate event);

/* Whether an event whose name begins with that of `base` and a colon can be taken at all, judged by the patterns up to
 * their wildcards. */
bool cm_selection_may_begin(const cm_selection *selection, cm_candidate base);

/* Notes in the whole names among the patterns that the event exists. */
void cm_selection_note(cm_selection *selection, cm_candidate event);
/* Whether an event was noted that fits the pattern; `known`: false if the pattern is no whole name. */
bool cm_selection_noted(const cm_selection *selection, const cm_pattern *pattern, bool *known);
/* Whether an event of exactly this name was noted; true if the pattern is no whole name. */
bool cm_selection_lists(const cm_selection *selection, const cm_pattern *pattern);

/* The most qualifiers that a pattern allows for an event without any; 1 if no pattern has a number. */
size_t cm_selection_qualifiers(const cm_selection *selection, cm_candidate event);

/* The number of qualifiers in a name, with or without a component: its single colons. */
size_t cm_qualifier_count(const char *name);

#endif
