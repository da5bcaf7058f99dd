#include "sweep/plan/plan.h"

/* Other load disturbs some runs of a chain: so many repetitions distinguish these from the others. */
enum { REPETITIONS = 5, REPETITIONS_OF_CHAINS = 15 };

void cm_sweep_write_message(const cm_sweep_state *state, const char *format, ...)
{
    if (state->options->message == NULL)
        return;
    char text[2 * CM_ERROR_TEXT_SIZE];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    state->options->message(text, state->options->message_data);
}

double cm_sweep_seconds(const cm_sweep_state *state)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - state->clock.tv_sec) + 1e-9 * (double)(now.tv_nsec - state->clock.tv_nsec);
}

bool cm_sweep_stopped(const cm_sweep_state *state)
{
    return state->options->stop != NULL && *state->options->stop != 0;
}

bool cm_sweep_is_kept(const cm_sweep_benchmark *benchmark, size_t event)
{
    return benchmark->kept != NULL && benchmark->kept[event] != 0;
}

static bool is_kept_somewhere(const cm_sweep_state *state, size_t event)
{
    for (size_t i = 0; i < state->benchmark_count; i++)
        if (cm_sweep_is_kept(&state->benchmarks[i], event))
            return true;
    return false;
}

bool cm_sweep_is_countable(const cm_sweep_state *state, size_t event)
{
    return state->selected[event] && cm_counting_event(state->counting, event).countable;
}

bool cm_sweep_is_counted(const cm_sweep_state *state, size_t event)
{
    return cm_sweep_is_countable(state, event) && (!state->ended_early || is_kept_somewhere(state, event));
}

size_t cm_sweep_count_kept(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    size_t count = 0;
    for (size_t i = 0; i < state->event_count; i++)
        count += cm_sweep_is_kept(benchmark, i);
    return count;
}

cm_sweep_summary cm_sweep_summarise(const cm_sweep_state *state)
{
    cm_sweep_summary summary = {.unknown = state->unknown,
                                .given_up = state->progress.failures,
                                .components_failed = state->components_failed,
                                .ended_early = state->ended_early};
    for (size_t i = 0; i < state->event_count; i++) {
        if (cm_sweep_is_counted(state, i))
            summary.counted++;
        else if (state->selected[i] && !cm_sweep_is_countable(state, i))
            summary.unavailable++;
    }
    for (size_t i = 0; i < state->benchmark_count; i++) {
        const cm_sweep_benchmark *benchmark = &state->benchmarks[i];
        for (size_t k = 0; k < benchmark->left_out_count; k++)
            *(benchmark->left_out[k].reason[0] == '\0' ? &summary.kernels_left_out : &summary.kernels_unplaced) += 1;
    }
    return summary;
}

size_t cm_sweep_repetitions(const cm_sweep_state *state, const cm_sweep_benchmark *benchmark)
{
    if (state->options->repetitions != 0)
        return state->options->repetitions;
    return benchmark != NULL && benchmark->threads != 0 ? REPETITIONS_OF_CHAINS : REPETITIONS;
}

size_t cm_sweep_longest_plan(const cm_sweep_state *state)
{
    size_t longest = 0;
    for (size_t i = 0; i < state->plan_count; i++)
        longest = state->plans[i].count > longest ? state->plans[i].count : longest;
    return longest;
}
