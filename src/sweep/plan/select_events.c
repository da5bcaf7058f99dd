#include "sweep/plan/plan.h"

#include "counting/uncore/uncore.h"

static cm_event_candidate candidate(const cm_sweep_state *state, size_t event)
{
    cm_native_event native = cm_counting_event(state->counting, event);
    return (cm_event_candidate){native.name, cm_counting_component(state->counting, native.component).name,
                                native.papi_name};
}

static bool fits_any(const cm_sweep_state *state, const cm_selection *selection, const cm_pattern *pattern)
{
    bool known, noted = cm_selection_noted(selection, pattern, &known);
    if (pattern->excludes || known)
        return pattern->excludes || noted;
    for (size_t i = 0; i < state->event_count; i++)
        if (cm_pattern_fits(pattern, candidate(state, i)))
            return true;
    return false;
}

/* CM_BAD_ARGUMENT that suggests a similar event. */
static cm_status refuse_pattern(cm_sweep_state *state, const char *glob, cm_error *error)
{
    cm_near near = {.wanted = glob};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < state->event_count; i++)
        cm_near_offer(&near, cm_counting_event(state->counting, i).name);
    return CM_FAIL(error, CM_BAD_ARGUMENT, "no event matches \"%s\"%s", glob, cm_near_text(&near, offered));
}

/* A pattern that fits nothing is probably a typing mistake; a line of a file may be for another machine. */
static cm_status check_patterns(cm_sweep_state *state, cm_selection *selection, cm_error *error)
{
    for (size_t i = 0; i < state->event_count; i++)
        cm_selection_note(selection, candidate(state, i));
    for (size_t i = 0; i < selection->count; i++) {
        const cm_pattern *pattern = &selection->patterns[i];
        if (fits_any(state, selection, pattern))
            continue;
        if (pattern->file == NULL)
            return refuse_pattern(state, pattern->glob, error);
        state->unknown++;
        cm_sweep_write_message(state, "%s:%zu: no event matches \"%s\"", pattern->file, pattern->line, pattern->glob);
    }
    return CM_OK;
}

/* CM_BAD_ARGUMENT if a component of the options fits none of the session. */
static cm_status check_components(const cm_sweep_state *state, cm_error *error)
{
    for (size_t i = 0; i < state->options->component_count; i++) {
        const char *glob = state->options->components[i];
        const cm_sweep_options only = {.components = &glob, .component_count = 1};
        const cm_selection selection = {.options = &only};
        cm_near near = {.wanted = glob};
        char offered[CM_NEAR_TEXT];
        bool fits = false;
        for (size_t k = 0; !fits && k < state->plan_count; k++) {
            const char *component = cm_counting_component(state->counting, k).name;
            fits = cm_selection_takes_component(&selection, component);
            cm_near_offer(&near, component);
        }
        if (!fits)
            return CM_FAIL(error, CM_BAD_ARGUMENT, "no component matches \"%s\"%s", glob, cm_near_text(&near, offered));
    }
    return CM_OK;
}

/* The number of their events is unknown. */
static void note_failed_components(cm_sweep_state *state, const cm_selection *selection)
{
    for (size_t i = 0; i < state->plan_count; i++) {
        cm_component_info component = cm_counting_component(state->counting, i);
        if (!component.failed || !cm_selection_takes_component(selection, component.name))
            continue;
        state->components_failed++;
        cm_sweep_write_message(state, "component %s: %s", component.name, component.reason);
    }
}

/* Whether to skip PAPI's events of a socket: they would count other processes, and the kernels of several cores. Users
 * can ask for them. */
static bool is_noise(const cm_sweep_state *state, size_t component)
{
    const cm_sweep_options *options = state->options;
    bool asked = options->component_count != 0 || options->events_count != 0 || options->events_file != NULL;
    return !asked && strcmp(cm_counting_component(state->counting, component).name, "perf_event_uncore") == 0;
}

/* Whether to skip a component of the processor because a GPU's kernels run: it would count their launches. */
static bool is_beside_gpu(const cm_sweep_state *state, size_t component)
{
    const cm_sweep_options *options = state->options;
    bool asked = options->component_count != 0 || options->events_count != 0 || options->events_file != NULL;
    return !asked && cm_counting_stays(state->counting) &&
           !cm_is_gpu_component(cm_counting_component(state->counting, component).name);
}

/* Whether this sweep's screening kept the code. Another one in this session, of more benchmarks under a budget, does
 * not count. */
static bool is_screened(const cm_sweep_state *state, size_t event)
{
    return event >= state->screened_count || state->screened[event];
}

/* Whether the event is of the kind that is swept: codes, events of a socket, or named events. */
static bool may_be_selected(const cm_sweep_state *state, size_t event)
{
    size_t component = cm_counting_event(state->counting, event).component;
    if (state->options->uncore)
        return component == state->counting->uncore->component;
    if (state->options->raw != NULL)
        return component == state->counting->raw->component && is_screened(state, event);
    return !is_noise(state, component) && !is_beside_gpu(state, component);
}

static size_t mark_selected(cm_sweep_state *state, const cm_selection *selection)
{
    size_t countable = 0;
    for (size_t i = 0; i < state->event_count; i++) {
        state->selected[i] = may_be_selected(state, i) && cm_selection_takes(selection, candidate(state, i));
        countable += cm_sweep_is_counted(state, i);
    }
    return countable;
}

/* Keeps this shard's events: every so-many-th. */
static cm_status take_shard(cm_sweep_state *state, cm_error *error)
{
    size_t taken = 0, here = 0;
    if (state->options->shard == 0)
        return CM_OK;
    for (size_t i = 0; i < state->event_count; i++) {
        if (!state->selected[i])
            continue;
        state->selected[i] = taken++ % state->options->shards == state->options->shard - 1;
        here += state->selected[i];
    }
    return here != 0 ? CM_OK
                     : CM_FAIL(error, CM_BAD_ARGUMENT, "%zu %s too few for %zu shards", taken,
                               cm_plural(taken, "event is", "events are"), state->options->shards);
}

/* Reports selected events that crashed or hung when they were tried. */
static void note_failed_events(cm_sweep_state *state)
{
    for (size_t i = 0; i < state->event_count; i++) {
        cm_native_event event = cm_counting_event(state->counting, i);
        if (!state->selected[i] || event.outcome[0] == '\0')
            continue;
        state->progress.failures++;
        cm_sweep_write_message(state, "%s: %s", cm_sweep_spelling(state, i), event.reason);
    }
}

static cm_status nothing_countable(const cm_sweep_state *state, cm_error *error)
{
    const char *reason = "";
    for (size_t i = 0; i < state->event_count && reason[0] == '\0'; i++)
        if (state->selected[i])
            reason = cm_counting_event(state->counting, i).reason;
    return CM_FAIL(error, CM_UNSUPPORTED, "none of the selected events can be counted here%s%s",
                   reason[0] != '\0' ? ": " : "", reason);
}

/* Whether the options exclude all events, though their components have some and work. If a component failed, or a file
 * names events of another machine, the machine is the reason instead. */
static bool leaves_none(const cm_sweep_state *state, const cm_selection *selection)
{
    bool there = false;
    for (size_t i = 0; i < state->event_count; i++) {
        if (state->selected[i])
            return false;
        there = there || cm_selection_takes_component(selection, candidate(state, i).component);
    }
    return there && state->unknown == 0 && state->components_failed == 0;
}

/* Selects the events. Their names in tables are decided for the whole selection, before the shard is taken. */
static cm_status select_events(cm_sweep_state *state, const cm_selection *selection, cm_error *error)
{
    size_t countable = mark_selected(state, selection);
    if (leaves_none(state, selection))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "no event is selected: the patterns leave none of %zu events",
                       state->event_count);
    cm_status status = cm_labels_decide(state->counting, state->selected, &state->labels, error);
    if (status == CM_OK && countable != 0)
        status = take_shard(state, error);
    if (status == CM_OK)
        note_failed_events(state);
    return status == CM_OK && countable == 0 ? nothing_countable(state, error) : status;
}

static void write_line(const char *text, void *data)
{
    cm_sweep_write_message(data, "%s", text);
}

static bool stopped(void *data)
{
    return cm_sweep_stopped(data);
}

cm_status cm_sweep_select(cm_sweep_state *state, cm_error *error)
{
    cm_selection selection = {0};
    const cm_combining combining = {write_line, stopped, state};
    cm_status status = check_components(state, error);
    CM_THEN(status, cm_selection_make(state->options, &selection, error));
    CM_THEN(status, cm_expand_events(state->counting, &selection, &combining, error));
    state->event_count = cm_counting_event_count(state->counting);
    state->selected = calloc(state->event_count + 1, sizeof *state->selected);
    CM_THEN(status, state->selected != NULL ? CM_OK : cm_error_no_memory(error));
    CM_THEN(status, check_patterns(state, &selection, error));
    if (status == CM_OK)
        note_failed_components(state, &selection);
    CM_THEN(status, select_events(state, &selection, error));
    cm_selection_clear(&selection);
    return status;
}
