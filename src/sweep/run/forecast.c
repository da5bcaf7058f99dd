/* A sweep planned and timed, without counting. */
#include "sweep/run/run.h"

/* Fills the parts of the components from their plans. */
static void forecast_components(const cm_sweep_state *state, cm_sweep_forecast *forecast)
{
    for (size_t i = 0; i < state->plan_count; i++) {
        const cm_plan *plan = &state->plans[i];
        if (plan->count == 0)
            continue;
        cm_sweep_forecast_part *part = &forecast->components[forecast->component_count++];
        *part = (cm_sweep_forecast_part){.name = cm_counting_component(state->counting, i).name, .sets = plan->count};
        for (size_t k = 0; k < plan->count; k++) {
            part->events += plan->sets[k].count;
            part->largest = plan->sets[k].count > part->largest ? plan->sets[k].count : part->largest;
        }
    }
}

/* Fills the parts of the benchmarks, each timed by one pass. */
static cm_status forecast_benchmarks(cm_sweep_state *state, cm_sweep_forecast *forecast, cm_error *error)
{
    for (size_t i = 0; i < state->benchmark_count; i++) {
        cm_sweep_benchmark *benchmark = &state->benchmarks[i];
        cm_sweep_forecast_part *part = &forecast->benchmarks[forecast->benchmark_count++];
        const bool once = cm_replay_is_possible(state, benchmark);
        const size_t passes = (once ? 1 : forecast->sets) * cm_sweep_repetitions(state, benchmark);
        *part = (cm_sweep_forecast_part){.name = benchmark->name,
                                         .events = forecast->countable,
                                         .sets = forecast->sets,
                                         .kernels = benchmark->kernel_count,
                                         .repetitions = cm_sweep_repetitions(state, benchmark),
                                         .runs = passes * benchmark->kernel_count,
                                         .once = once,
                                         .seconds = NAN};
        double pass = NAN;
        cm_status status = cm_time_pass(state, benchmark, &pass, NULL, error);
        if (status != CM_OK)
            return status;
        part->seconds = pass * (double)passes;
        forecast->runs += part->runs;
        forecast->seconds += part->seconds;
    }
    return CM_OK;
}

/* Fills the forecast from the plans. */
static cm_status fill_forecast(cm_sweep_state *state, cm_sweep_forecast *forecast, cm_error *error)
{
    if (!CM_ALLOCATE(forecast->components, state->plan_count + 1) ||
        !CM_ALLOCATE(forecast->benchmarks, state->benchmark_count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < state->event_count; i++) {
        forecast->selected += state->selected[i];
        forecast->countable += cm_sweep_is_counted(state, i);
    }
    forecast->sets = cm_sweep_longest_plan(state);
    forecast_components(state, forecast);
    return forecast_benchmarks(state, forecast, error);
}

cm_status cm_sweep_forecast_create(cm_counting *counting, const cm_sweep_options *options, cm_sweep_forecast **forecast,
                                   cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_sweep_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_sweep_state state = {.counting = counting, .options = options};
    cm_sweep_forecast *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? cm_sweep_prepare(&state, error) : cm_error_no_memory(error);
    CM_THEN(status, fill_forecast(&state, made, error));
    cm_sweep_release(&state);
    CM_HAND_OVER(status, forecast, made, cm_sweep_forecast_free);
    return status;
}

void cm_sweep_forecast_free(cm_sweep_forecast *forecast)
{
    if (forecast == NULL)
        return;
    CM_FREE(forecast->components, forecast->benchmarks, forecast);
}
