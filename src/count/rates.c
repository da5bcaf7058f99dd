#include "count/counts.h"

/* Whether an event counts a core's cycles; names of PAPI, libpfm4 and the model of time. */
static bool is_of_cycles(const char *event)
{
    static const char *const names[] = {"PAPI_TOT_CYC",
                                        "cycles",
                                        "CYCLES",
                                        "PERF_COUNT_HW_CPU_CYCLES",
                                        "CPU_CLK_UNHALTED:THREAD",
                                        "CPU_CLK_UNHALTED:THREAD_P",
                                        "CYCLES_NOT_IN_HALT",
                                        "CPU_CYCLES",
                                        "PM_CYC",
                                        "UNHALTED_CORE_CYCLES"};
    const char *part = strstr(event, "::");
    return CM_HAS(part != NULL ? part + 2 : event, names, CM_COUNT_OF(names));
}

/* The cycles of the scope; NaN if no event counts them, or several do, as of several types of cores. */
static double cycles_of(const cm_program_counts *counts, const cm_scope *scope)
{
    double cycles = NAN;
    size_t found = 0;
    for (size_t i = 0; i < counts->event_count; i++)
        if (is_of_cycles(counts->events[i].name) && ++found == 1)
            cycles = cm_scope_event(counts, scope, i).median;
    return found == 1 && cycles > 0.0 ? cycles : NAN;
}

/* The mean seconds of a run, in the scope. */
static double seconds_of(const cm_program_counts *counts, const cm_scope *scope)
{
    double sum = 0.0;
    if (counts->line_bytes != 0 || scope->kind == CM_SCOPE_THREAD)
        return NAN; /* the emulator's time is not the program's, and a thread's is unknown */
    if (scope->kind != CM_SCOPE_PROGRAM)
        return cm_scope_seconds(counts, scope).median;
    for (size_t i = 0; i < counts->run_count; i++)
        sum += counts->seconds[i];
    return sum > 0.0 ? sum / (double)counts->run_count : NAN;
}

cm_rates cm_scope_rates(const cm_program_counts *counts, const cm_scope *scope, double value)
{
    return (cm_rates){value / seconds_of(counts, scope), value / cycles_of(counts, scope)};
}

double cm_event_noise(const cm_definitions *definitions, const cm_defined_metric *defined, const char *event)
{
    for (size_t b = 0; b < cm_definitions_benchmark_count(definitions); b++) {
        const cm_defined_benchmark *benchmark = cm_definitions_benchmark(definitions, b);
        if (strcmp(benchmark->benchmark, defined->benchmark) != 0 || strcmp(benchmark->core, defined->core) != 0)
            continue;
        for (size_t i = 0; i < benchmark->event_count; i++)
            if (strcmp(cm_definitions_event(definitions, b, i)->event, event) == 0)
                return cm_definitions_event(definitions, b, i)->max_rnmse;
    }
    return NAN;
}
