/* events.csv: which events were counted, and why others were not. */
#include "sweep/record/record.h"

/* Writes the row of an event; one that the early end left uncounted has none. */
static void write_event(const cm_sweep_state *state, size_t index, cm_output *output)
{
    cm_native_event event = cm_counting_event(state->counting, index);
    bool counted = cm_sweep_is_counted(state, index), left_out = !counted && cm_sweep_is_countable(state, index);
    const char *const fields[CM_EVENT_COLUMNS] = {
        cm_sweep_label(state, index),
        cm_counting_component(state->counting, event.component).name,
        counted                    ? "counted"
        : left_out                 ? "left out"
        : event.outcome[0] != '\0' ? event.outcome
                                   : "unavailable",
        left_out ? "the sweep was ended before its turn" : event.reason,
        event.hint,
        event.description,
    };
    cm_events_table_add(output, fields);
}

cm_status cm_sweep_write_events(const cm_sweep_state *state, cm_directory *directory, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_events_table_begin(directory, &output, error);
    for (size_t i = 0; status == CM_OK && i < state->event_count; i++)
        if (state->selected[i])
            write_event(state, i, output);
    CM_THEN(status, cm_sweep_keep_events(state, output, error));
    return cm_events_table_end(output, status, error);
}
