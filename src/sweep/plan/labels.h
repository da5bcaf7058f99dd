/* Names of a sweep's events. An event is identified by its component and its name; tables have the bare name if only
 * one countable event of the whole selection has it, else `component:::NAME`. This is decided once, before shards are
 * split off and before anything is counted, so that every shard and every resumed sweep uses the same names. */
#ifndef CM_SWEEP_PLAN_LABELS_H
#define CM_SWEEP_PLAN_LABELS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/counting.h>

#include "counting/text_store.h"

typedef struct cm_sweep_state cm_sweep_state; /* sweep/plan/state.h */

typedef struct cm_event_label {
    const char *key; /* component:::NAME; NULL if the event is not selected */
    bool prefixed;   /* tables use the key */
    bool shadowed;   /* cannot be counted, and another event of this name can */
} cm_event_label;

/* Zero-initialised: empty. */
typedef struct cm_labels {
    size_t count;
    cm_event_label *items; /* one an event of the session */
    cm_text_store texts;
} cm_labels;

/* `selected`: one an event of the session; an event that its component lists twice is deselected the second time. Free
 * with cm_labels_clear, also after a failure. */
cm_status cm_labels_decide(const cm_counting *counting, bool *selected, cm_labels *labels, cm_error *error);
void cm_labels_clear(cm_labels *labels);

/* The name of a selected event in tables and events.csv: its own, or component:::NAME if another countable event has
 * the same name. */
const char *cm_sweep_label(const cm_sweep_state *state, size_t event);
/* The name for messages: as above, but an event that cannot be counted is distinguished from the one with its name in
 * the tables. */
const char *cm_sweep_spelling(const cm_sweep_state *state, size_t event);
/* component:::NAME, which is unique: the name in the journal. */
const char *cm_sweep_key(const cm_sweep_state *state, size_t event);
/* The keys of the whole selection that tables use, in the session's order; NULL without memory. */
json_t *cm_sweep_describe_prefixed(const cm_sweep_state *state);

#endif
