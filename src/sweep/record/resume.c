/* The journal of a sweep: opened, and read back by a sweep that resumes another. */
#include "sweep/record/record.h"

struct taking_up {
    cm_sweep_state *state;
    cm_name_index *index; /* selected events by key */
};

/* Restores a conflict; one with an unknown event is ignored. */
static cm_status take_refusal(const cm_journal_line *line, struct taking_up *taking, cm_error *error)
{
    char *others = strdup(line->others), *rest = others;
    size_t count = 2;
    for (const char *c = line->others; *c != '\0'; c++)
        count += *c == '\t';
    size_t *events = malloc(count * sizeof *events), known = 0;
    cm_status status = others != NULL && events != NULL ? CM_OK : cm_error_no_memory(error);
    const char *key = line->event;
    while (status == CM_OK && key != NULL && cm_name_index_find(taking->index, key, &events[known])) {
        known++;
        key = strsep(&rest, "\t");
    }
    if (status == CM_OK && known == count)
        status = cm_conflicts_remember(taking->state->conflicts, count, events, error);
    CM_FREE(others, events);
    return status;
}

/* Restores a line of the journal. */
static cm_status take_line(const cm_journal_line *line, void *data, cm_error *error)
{
    struct taking_up *taking = data;
    cm_sweep_state *state = taking->state;
    size_t event;
    if (!cm_name_index_find(taking->index, line->event, &event))
        return CM_OK;
    state->resumed = true;
    if (line->others != NULL)
        return take_refusal(line, taking, error);
    if (line->offset == 0 && cm_counting_event(state->counting, event).outcome[0] != '\0')
        return CM_OK; /* it has failed again already */
    if (line->offset == 0) {
        state->progress.failures++;
        cm_sweep_write_message(state, "%s: %s", cm_sweep_spelling(state, event), line->outcome);
        return cm_event_failed(state->counting, event, line->outcome, line->reason, error);
    }
    if (state->labels.items[event].shadowed)
        return CM_OK; /* it can no longer be counted, and another event has its name in the tables */
    for (size_t i = 0; i < state->benchmark_count; i++)
        if (strcmp(state->benchmarks[i].name, line->benchmark) == 0)
            state->benchmarks[i].kept[event] = line->offset;
    return CM_OK;
}

cm_status cm_sweep_take_over_limits(cm_sweep_state *state, cm_error *error)
{
    json_t *identity = NULL;
    cm_status status =
        state->options->resume ? cm_journal_identity(state->options->directory, &identity, error) : CM_OK;
    json_int_t bytes = json_integer_value(json_object_get(identity, "max_buffer"));
    state->max_buffer = bytes > 0 ? (size_t)bytes : 0;
    json_decref(identity);
    return status;
}

/* --resume counts a complete sweep again, but does not replace one of other options. */
static cm_status check_complete(const cm_sweep_state *state, cm_error *error)
{
    const char *directory = state->options->directory;
    cm_measured *measured = NULL;
    json_t *before = NULL, *now = NULL;
    cm_status status = cm_measured_open(directory, &measured, error);
    if (status == CM_OK && cm_measured_has_manifest(measured))
        status = cm_json_load(cm_measured_manifest(measured), JSON_REJECT_DUPLICATES, "the manifest of a sweep",
                              &before, error);
    const char *schema = json_string_value(json_object_get(before, "schema"));
    bool swept = schema != NULL && strcmp(schema, CM_SWEEP_SCHEMA) == 0;
    if (status == CM_OK && swept && (now = cm_sweep_describe(state)) == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK && swept)
        status = cm_sweep_repeats(before, now, directory, error);
    json_decref(now);
    json_decref(before);
    cm_measured_free(measured);
    return status;
}

cm_status cm_sweep_open_journal(cm_sweep_state *state, cm_error *error)
{
    struct taking_up taking = {.state = state};
    cm_status status = cm_name_index_create(&taking.index, error);
    for (size_t i = 0; status == CM_OK && i < state->event_count; i++)
        if (state->selected[i])
            status = cm_name_index_add(taking.index, cm_sweep_key(state, i), i, error);
    for (size_t i = 0; status == CM_OK && i < state->benchmark_count; i++) {
        if (!CM_ALLOCATE(state->benchmarks[i].kept, state->event_count + 1))
            status = cm_error_no_memory(error);
    }
    if (status == CM_OK && state->options->resume && !cm_measured_has_journal(state->options->directory))
        status = check_complete(state, error);
    json_t *identity = status == CM_OK ? cm_sweep_describe_identity(state) : NULL;
    if (status == CM_OK && identity == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_journal_open(state->options->directory, identity, state->options->resume, take_line, &taking,
                                    &state->journal, error));
    json_decref(identity);
    cm_name_index_free(taking.index);
    return status;
}

void cm_sweep_record_failure(cm_sweep_state *state, size_t event)
{
    cm_native_event native = cm_counting_event(state->counting, event);
    if (state->journal != NULL) /* planning fails before a journal exists, and would fail again */
        cm_journal_add_failure(state->journal, state->progress.benchmark, cm_sweep_key(state, event), native.outcome,
                               native.reason);
}

cm_status cm_sweep_remember(cm_sweep_state *state, size_t count, const size_t *events, cm_error *error)
{
    cm_status status = cm_conflicts_remember(state->conflicts, count, events, error);
    if (status != CM_OK || state->journal == NULL || count < 2)
        return status;
    const char **keys = malloc(count * sizeof *keys);
    if (keys == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        keys[i] = cm_sweep_key(state, events[i]);
    cm_journal_add_refusal(state->journal, state->progress.benchmark, count, keys);
    free(keys);
    return CM_OK;
}

cm_status cm_sweep_write_table(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, cm_error *error)
{
    size_t threads = benchmark->threads != 0 ? benchmark->threads : 1,
           rows = threads * cm_sweep_repetitions(state, benchmark);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < state->event_count; i++)
        if (benchmark->kept[i] != 0)
            status = cm_journal_copy_rows(state->journal, benchmark->kept[i], rows, benchmark->writer, error);
    return status;
}
