/* What a sweep calls its events. An event is its component and its name; tables carry the bare name where only one
 * countable event of the whole selection has it, else `component:::NAME`. That is decided once, before shards are taken
 * and before anything is counted, so that every shard and every resumed sweep comes to the same. */
#ifndef CM_SWEEP_PLAN_LABELS_H
#define CM_SWEEP_PLAN_LABELS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/counting.h>

#include "counting/text_store.h"

typedef struct cm_sweep_state cm_sweep_state; /* sweep/plan/state.h */

typedef struct cm_event_label {
    const char *key; /* component:::NAME, NULL where the event is not selected */
    bool prefixed;   /* tables carry the key */
    bool shadowed;   /* cannot be counted, and another event of this name can */
} cm_event_label;

/* Zero-initialised: empty. */
typedef struct cm_labels {
    size_t count;
    cm_event_label *items; /* one an event of the session */
    cm_text_store texts;
} cm_labels;

/* `selected`: one an event of the session; one that its component lists a second time is taken out of it. Free with
 * cm_labels_clear, also after a failure. */
cm_status cm_labels_decide(const cm_counting *counting, bool *selected, cm_labels *labels, cm_error *error);
void cm_labels_clear(cm_labels *labels);

/* What tables and events.csv call a selected event: its name, or component:::NAME where it shares the name with
 * another event that can be counted. */
const char *cm_sweep_label(const cm_sweep_state *state, size_t event);
/* The same for messages, where an event that cannot be counted is distinguished from the one that has its name in the
 * tables. */
const char *cm_sweep_spelling(const cm_sweep_state *state, size_t event);
/* component:::NAME, which is the event's alone: what the journal calls it. */
const char *cm_sweep_key(const cm_sweep_state *state, size_t event);
/* The keys of the whole selection that tables carry, in the session's order; NULL without memory. */
json_t *cm_sweep_describe_prefixed(const cm_sweep_state *state);

#endif
