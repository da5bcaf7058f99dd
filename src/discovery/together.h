/* Which events were tried as one event set, and what became of it. */
#ifndef CM_DISCOVERY_TOGETHER_H
#define CM_DISCOVERY_TOGETHER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/counting.h>
#include <catmint/results.h>

/* A set that was tried. */
typedef struct cm_tried_set {
    cm_together together;
    size_t count;
    char **events;  /* names, as tables have them */
    bool *refusing; /* one an event: of those that refuse each other */
} cm_tried_set;

struct cm_tried_sets {
    size_t count, capacity;
    cm_tried_set *sets;
    char *directory;       /* of the sweep */
    cm_counting *counting; /* that tries what was not tried before; NULL: nothing is tried */
    bool grown;            /* since it was read */
};

/* What was tried for the sweep in `directory`; nothing where nobody did, or it was for another sweep. `counting` (may
 * be NULL) is used where it counts what the sweep counted. */
cm_status cm_tried_sets_create(const char *directory, cm_counting *counting, cm_tried_sets **tried, cm_error *error);
void cm_tried_sets_free(cm_tried_sets *tried);

/* Events of an analysis; those whose coefficient is 0 are none. */
typedef struct cm_event_group {
    const cm_analysis *analysis;
    size_t count;
    const size_t *events;
    const double *coefficients; /* NULL: all are */
    bool replaces;              /* the event at `place` by another one */
    size_t place, by;
} cm_event_group;

/* The event at a place of the group; NULL: it is none of it. */
const char *cm_event_group_name(const cm_event_group *group, size_t place);

/* What is known of the group. Where events were counted together, fewer of them can be; where some refuse each other,
 * no others help. `refusing` (may be NULL, else room for one an event) says which. */
cm_together cm_tried_sets_find(const cm_tried_sets *tried, const cm_event_group *group, bool *refusing);
/* The same, tried now where it is not known. */
cm_status cm_tried_sets_ask(cm_tried_sets *tried, const cm_event_group *group, cm_together *together, bool *refusing,
                            cm_error *error);

/* ---- together_results.c ---- */

/* A metric's definition, which may be NULL, and any other of its benchmark. */
cm_event_group cm_fit_group(const cm_benchmark_result *result, const cm_fit *fit);
cm_event_group cm_definition_group(const cm_benchmark_result *result, const cm_definition *definition);
/* "yes", "no", "unknown". */
const char *cm_together_text(cm_together together);

/* Tries all definitions of a benchmark that were not tried before, each by itself and several as groups. */
cm_status cm_try_definitions(const cm_benchmark_result *result, cm_error *error);

/* ---- together_groups.c ---- */

/* Tries the definitions that hold in groups of CM_GROUP_COUNTERS events at most, as LIKWID's files will have them. */
cm_status cm_try_groups(const cm_benchmark_result *result, cm_error *error);

/* ---- together_file.c ---- */

/* Whether it can be written there. CM_IO names what is in the way. */
cm_status cm_tried_sets_check(const char *directory, cm_error *error);
/* Reads what was tried for the sweep in the directory. */
cm_status cm_tried_sets_read(cm_tried_sets *tried, cm_error *error);
/* Writes it where it has grown. */
cm_status cm_tried_sets_save(cm_tried_sets *tried, cm_error *error);

#endif
