#include "sweep/run/run.h"

#include "counting/uncore/uncore.h"

static cm_status add_named(cm_sweep_state *state, cm_error *error)
{
    const cm_sweep_options *options = state->options;
    size_t first = cm_counting_event_count(state->counting);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < options->events_count; i++)
        status = cm_uncore_add_named(state->counting, cm_component_bare(options->events[i]), error);
    return status == CM_OK ? cm_counting_try_added(state->counting, first, error) : status;
}

cm_status cm_sweep_open_uncore(cm_sweep_state *state, cm_error *error)
{
    const cm_sweep_options *options = state->options;
    if (!options->uncore)
        return CM_OK;
    if (options->raw != NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "codes of cores and events of the socket cannot be swept together");
    if (options->threads > 1)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "%zu threads are asked for, but one core alone may be busy while the socket is counted",
                       options->threads);
    cm_status status = cm_uncore_open(state->counting, options->root, error);
    return status == CM_OK ? add_named(state, error) : status;
}
