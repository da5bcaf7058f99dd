/* The progress of a sweep, and the time that it still takes. */
#include "sweep/plan/plan.h"

/* Sets that a later benchmark will need: in a resumed sweep, those of the events it lacks. */
static double sets_of(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    if (!state->resumed)
        return (double)cm_sweep_longest_plan(state);
    size_t all = 0, left = 0;
    for (size_t i = 0; i < state->event_count; i++) {
        bool counted = cm_sweep_is_counted(state, i);
        all += counted;
        left += counted && !cm_sweep_is_kept(benchmark, i);
    }
    return all > 0 ? ceil((double)state->whole_plan * (double)left / (double)all) : 0.0;
}

void cm_sweep_note_pace(cm_sweep_state *state, const cm_sweep_benchmark *benchmark, size_t done)
{
    cm_pace_later later = {0};
    for (size_t i = (size_t)(benchmark - state->benchmarks) + 1; i < state->benchmark_count; i++) {
        double repetitions =
            sets_of(state, &state->benchmarks[i]) * (double)cm_sweep_repetitions(state, &state->benchmarks[i]);
        bool chains = state->benchmarks[i].threads != 0; /* else they are few of its kernels */
        double seconds = chains ? cm_sweep_chain_seconds(state, &state->benchmarks[i]) : 0.0;
        *(seconds > 0.0 ? &later.seconds : &later.repetitions) += seconds > 0.0 ? seconds * repetitions : repetitions;
    }
    state->progress.left =
        cm_pace_left(&state->pace, cm_sweep_longest_plan(state) * cm_sweep_repetitions(state, benchmark), done,
                     cm_sweep_seconds(state) - state->pace_began, later);
}

void cm_sweep_show_progress(cm_sweep_state *state)
{
    state->progress.seconds = cm_sweep_seconds(state);
    if (state->options->progress != NULL)
        state->options->progress(&state->progress, state->options->progress_data);
}
