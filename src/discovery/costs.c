/* Costs in cycles: on a core that executes in order, an event of cycles is the sum of its instructions' durations. */
#include "discovery/results.h"

static bool is_everywhere(const cm_event_analysis *event, size_t kernels)
{
    bool everywhere = event->mean != NULL;
    for (size_t k = 0; everywhere && k < kernels; k++)
        everywhere = event->mean[k] > 0.0;
    return everywhere;
}

size_t cm_costs_event(const cm_benchmark_result *result)
{
    /* The most of its counts that the instructions do not explain. Benchmarks of caches tolerate more: their symbols
     * are no instructions. */
    static const double missed = 0.01;
    /* Beside a symbol that stands for all instructions, others have only additional cycles. */
    if (result->thresholds.residual > missed || CM_HAS("INS", result->basis->symbols, result->basis->symbol_count))
        return SIZE_MAX;
    for (size_t i = 0; i < cm_analysis_event_count(result->analysis); i++) {
        const cm_event_analysis event = cm_analysis_event(result->analysis, i);
        bool fitted = event.representation != NULL && event.status != CM_EVENT_ZERO && event.status != CM_EVENT_NOISY;
        if (fitted && event.residual <= missed &&
            (strcasestr(event.event, "cycle") != NULL || strcmp(event.event, "PMCCNTR") == 0) &&
            is_everywhere(&event, result->basis->kernel_count))
            return i;
    }
    return SIZE_MAX;
}
