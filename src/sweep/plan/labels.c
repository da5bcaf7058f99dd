#include "sweep/plan/plan.h"

static cm_status make_key(const cm_counting *counting, size_t event, cm_labels *labels, cm_error *error)
{
    cm_native_event native = cm_counting_event(counting, event);
    char *key = cm_component_key(cm_counting_component(counting, native.component).name, native.name);
    labels->items[event].key = key != NULL ? cm_text_store_add(&labels->texts, key) : NULL;
    free(key);
    return labels->items[event].key != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Makes the keys of the selected events; one that repeats a key is no longer selected. */
static cm_status make_keys(const cm_counting *counting, bool *selected, cm_labels *labels, cm_error *error)
{
    cm_name_index *keys = NULL;
    cm_status status = cm_name_index_create(&keys, error);
    for (size_t i = 0; status == CM_OK && i < labels->count; i++) {
        size_t before;
        if (!selected[i])
            continue;
        status = make_key(counting, i, labels, error);
        if (status != CM_OK)
            break;
        if (cm_name_index_find(keys, labels->items[i].key, &before))
            selected[i] = false;
        else
            status = cm_name_index_add(keys, labels->items[i].key, i, error);
    }
    cm_name_index_free(keys);
    return status;
}

/* Gives each name to the countable events that have it: if there are several, all of them get the prefix. */
static cm_status claim_names(const cm_counting *counting, const bool *selected, cm_labels *labels, cm_name_index *names,
                             cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < labels->count; i++) {
        cm_native_event event = cm_counting_event(counting, i);
        size_t first;
        if (!selected[i] || !event.countable)
            continue;
        if (cm_name_index_find(names, event.name, &first))
            labels->items[first].prefixed = labels->items[i].prefixed = true;
        else
            status = cm_name_index_add(names, event.name, i, error);
    }
    return status;
}

cm_status cm_labels_decide(const cm_counting *counting, bool *selected, cm_labels *labels, cm_error *error)
{
    cm_name_index *names = NULL;
    *labels = (cm_labels){.count = cm_counting_event_count(counting)};
    labels->items = calloc(labels->count + 1, sizeof *labels->items);
    cm_status status = labels->items != NULL ? cm_name_index_create(&names, error) : cm_error_no_memory(error);
    CM_THEN(status, make_keys(counting, selected, labels, error));
    CM_THEN(status, claim_names(counting, selected, labels, names, error));
    for (size_t i = 0; status == CM_OK && i < labels->count; i++) {
        cm_native_event event = cm_counting_event(counting, i);
        size_t claimant;
        labels->items[i].shadowed = selected[i] && !event.countable && cm_name_index_find(names, event.name, &claimant);
    }
    cm_name_index_free(names);
    return status;
}

void cm_labels_clear(cm_labels *labels)
{
    free(labels->items);
    cm_text_store_clear(&labels->texts);
    *labels = (cm_labels){0};
}

/* ---- of a sweep ---- */

const char *cm_sweep_label(const cm_sweep_state *state, size_t event)
{
    const cm_event_label *label = &state->labels.items[event];
    return label->prefixed ? label->key : cm_counting_event(state->counting, event).name;
}

CM_GETTER(const char *cm_sweep_key(const cm_sweep_state *state, size_t event), state->labels.items[event].key)

const char *cm_sweep_spelling(const cm_sweep_state *state, size_t event)
{
    return state->labels.items[event].shadowed ? cm_sweep_key(state, event) : cm_sweep_label(state, event);
}

json_t *cm_sweep_describe_prefixed(const cm_sweep_state *state)
{
    json_t *array = json_array();
    bool complete = array != NULL;
    for (size_t i = 0; i < state->labels.count; i++)
        if (state->labels.items[i].prefixed)
            complete = complete && json_array_append_new(array, json_string(state->labels.items[i].key)) == 0;
    if (complete)
        return array;
    json_decref(array);
    return NULL;
}
