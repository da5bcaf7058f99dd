/* Tables whose counts are not per iteration, though they do not say how many iterations there were. */
#include "discovery/results.h"

/* A count of a whole run, not of an iteration. */
static const double raw = 1e5;

/* Whether the event counts so much in one kernel at least. */
static bool counts_much(const cm_measurements *measurements, const cm_measurement *event)
{
    size_t count = event->repetition_count * event->thread_count * measurements->kernel_count;
    for (size_t i = 0; i < count; i++)
        if (event->values[i] >= raw)
            return true;
    return false;
}

void cm_analyze_point_out_raw(const cm_analyze_job *job, const cm_measurements *measurements)
{
    size_t much = 0;
    if (measurements == NULL || measurements->iterations != NULL || job->options->note == NULL)
        return;
    for (size_t i = 0; i < measurements->event_count; i++)
        much += counts_much(measurements, &measurements->events[i]);
    if (2 * much <= measurements->event_count)
        return;
    char text[640];
    snprintf(
        text, sizeof text,
        "%.300s: no row 'iterations', and %zu of %zu events count %.0e and more: if these are raw counts, add the row "
        "with the iterations of each kernel",
        job->measurements, much, measurements->event_count, raw);
    job->options->note(text, job->options->note_data);
}
