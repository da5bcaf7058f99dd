#include "sweep/record/record.h"

/* Whether the directory has a complete result, or one that cannot be read and is left alone. */
static bool has_complete_result(const char *directory)
{
    cm_measured *measured = NULL;
    bool complete = cm_measured_open(directory, &measured, NULL) != CM_OK ||
                    (cm_measured_has_manifest(measured) && cm_measured_incomplete(measured) == NULL);
    cm_measured_free(measured);
    return complete;
}

static size_t count_countable(const cm_sweep_state *state)
{
    size_t count = 0;
    for (size_t i = 0; i < state->event_count; i++)
        count += cm_sweep_is_countable(state, i);
    return count;
}

cm_status cm_sweep_end_early(cm_sweep_state *state, cm_error *error)
{
    const cm_sweep_options *options = state->options;
    size_t kept = 0, countable = count_countable(state);
    for (size_t i = 0; i < state->benchmark_count; i++)
        kept += cm_sweep_count_kept(state, &state->benchmarks[i]);
    state->ended_early =
        options->enough != NULL && *options->enough != 0 && kept > 0 && !has_complete_result(options->directory);
    if (!state->ended_early)
        return CM_FAIL(error, CM_INTERRUPTED, "the sweep was interrupted");
    for (size_t i = 0; i < state->benchmark_count; i++) {
        size_t counted = cm_sweep_count_kept(state, &state->benchmarks[i]);
        if (counted < countable)
            cm_sweep_write_message(state, "%s: %zu of %zu events were counted", state->benchmarks[i].name, counted,
                                   countable);
    }
    return CM_OK;
}

json_t *cm_sweep_describe_incomplete(const cm_sweep_state *state)
{
    json_t *incomplete = json_array();
    size_t countable = count_countable(state);
    for (size_t i = 0; i < state->benchmark_count; i++) {
        size_t counted = cm_sweep_count_kept(state, &state->benchmarks[i]);
        if (counted < countable)
            incomplete =
                cm_json_append(incomplete, json_pack("{s:s, s:I, s:I}", "benchmark", state->benchmarks[i].name,
                                                     "counted", (json_int_t)counted, "of", (json_int_t)countable));
    }
    return incomplete;
}
