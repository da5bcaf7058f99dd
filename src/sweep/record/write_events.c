#include "sweep/record/record.h"

#include <stdio.h>
#include <string.h>

#include "core/csv.h"
#include "core/files.h"
#include "core/lines.h"
#include "core/text.h"

const char *const cm_event_columns[CM_EVENT_COLUMNS] = {"event",  "component", "status",
                                                        "reason", "hint",      "description"};

/* Writes a field. PAPI's texts may have characters that no table may have, and that could not be read again. */
static void write_field(FILE *stream, const char *text)
{
    char shown[CM_TEXT_RAW_SIZE];
    size_t at = 0;
    bool harmful = cm_lines_fault(text, strlen(text), &at) != NULL;
    cm_csv_write_field(stream, harmful ? cm_text_show(text, shown, sizeof shown) : text);
}

static void write_row(FILE *stream, const char *const fields[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i != 0)
            fputc(',', stream);
        write_field(stream, fields[i]);
    }
    fputc('\n', stream);
}

/* Writes the row of an event; one that the early end left uncounted has none. */
static void write_event(const cm_sweep_state *state, size_t index, FILE *stream)
{
    cm_native_event event = cm_counting_event(state->counting, index);
    bool counted = cm_sweep_is_counted(state, index), left_out = !counted && cm_sweep_is_countable(state, index);
    const char *const fields[] = {
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
    write_row(stream, fields, sizeof fields / sizeof fields[0]);
}

cm_status cm_sweep_write_events(const cm_sweep_state *state, const char *path, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status != CM_OK)
        return status;
    FILE *stream = cm_output_stream(output);
    cm_csv_write_row(stream, cm_event_columns, CM_EVENT_COLUMNS);
    for (size_t i = 0; i < state->event_count; i++)
        if (state->selected[i])
            write_event(state, i, stream);
    status = cm_sweep_keep_events(state, stream, error);
    if (status == CM_OK)
        status = cm_output_commit(output, error);
    cm_output_free(output);
    return status;
}
