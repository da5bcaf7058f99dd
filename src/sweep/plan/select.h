/* Which events are swept: patterns over their names, from the command line and from files. */
#ifndef CM_SWEEP_PLAN_SELECT_H
#define CM_SWEEP_PLAN_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/sweep.h>

#include "core/name_index.h"

/* An event as patterns see it. */
typedef struct cm_candidate {
    const char *name;
    const char *component; /* PAPI's name of it */
    const char *papi_name; /* NULL: as the name */
} cm_candidate;

/* One pattern. `*` takes everything, colons and dots too. With `:::` in it, it is compared with component:::NAME and
 * with PAPI's own name of the event, too. */
typedef struct cm_pattern {
    char *glob;
    bool excludes;
    bool prefixed; /* `:::` is in it */
    bool counted;  /* fits an event, and it with up to `most` further qualifiers; else a whole name */
    size_t most;
    bool listed;      /* where it is a whole name: an event has this name */
    bool noted;       /* likewise: some event fits it */
    const char *file; /* NULL: from the options */
    size_t line;
} cm_pattern;

typedef struct cm_selection {
    const cm_sweep_options *options;
    size_t count, capacity;
    cm_pattern *patterns;
    size_t name_count;
    cm_name_index *names; /* the patterns that are whole names to be taken, by the name: there may be many */
    bool qualified;       /* one of them has qualifiers and takes more */
    bool prefixed;        /* some pattern is */
    size_t other_count;
    size_t *others; /* the other patterns */
} cm_selection;

/* The options' patterns and those of their file: a pattern a line, `!` before one that excludes, blanks and the most
 * qualifiers behind one that also takes an event's qualifiers, as CAT writes it; `#` begins a comment. CM_BAD_INPUT
 * with the line. Free with cm_selection_clear, also after a failure. */
cm_status cm_selection_make(const cm_sweep_options *options, cm_selection *selection, cm_error *error);
void cm_selection_clear(cm_selection *selection);

/* An event is taken where one of the patterns fits, or where there are only exclusions, and no `!GLOB` fits, wherever
 * it stands; where its component is one of those asked for; and where it has no more qualifiers than asked for. */
bool cm_selection_takes(const cm_selection *selection, cm_candidate event);
bool cm_selection_takes_component(const cm_selection *selection, const char *component);
bool cm_pattern_fits(const cm_pattern *pattern, cm_candidate event);

/* Whether an event whose name begins with that of `base` and a colon can be taken at all, by what stands before
 * patterns' wildcards. */
bool cm_selection_may_begin(const cm_selection *selection, cm_candidate base);

/* Notes in the patterns that are whole names that the event is there. */
void cm_selection_note(cm_selection *selection, cm_candidate event);
/* Whether an event that fits the pattern was noted; `known`: false where the pattern is none of those. */
bool cm_selection_noted(const cm_selection *selection, const cm_pattern *pattern, bool *known);
/* Whether an event was noted whose name the pattern is; true where the pattern is no whole name. */
bool cm_selection_lists(const cm_selection *selection, const cm_pattern *pattern);

/* How many qualifiers some pattern allows for an event that has none yet; 1 where nothing is said. */
size_t cm_selection_qualifiers(const cm_selection *selection, cm_candidate event);

/* Qualifiers of a name, a component before it or not: single colons in it. */
size_t cm_qualifier_count(const char *name);

#endif
