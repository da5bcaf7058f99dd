/* The definitions that count memory traffic, and their values. */
#include "machines/timed.h"

#include "counting/uncore/uncore.h"

static const char *const metric_names[CM_TRAFFIC_KINDS] = {"Memory Read Bytes", "Memory Write Bytes", "Memory Bytes"};

const cm_moved cm_nothing_moved = {{{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}};

/* ---- definitions and their events ---- */

/* The first metric of that name; a socket's events are the same for cores of each type. */
static const cm_defined_metric *find_metric(const cm_definitions *definitions, const char *name)
{
    for (size_t i = 0; i < cm_definitions_count(definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(definitions, i);
        if (strcmp(metric->metric, name) == 0 && metric->usable && metric->term_count > 0)
            return metric;
    }
    return NULL;
}

bool cm_traffic_find(const cm_definitions *definitions, cm_traffic *traffic)
{
    const cm_defined_metric **metrics = traffic->metrics;
    for (size_t kind = 0; kind < CM_TRAFFIC_KINDS; kind++)
        metrics[kind] = find_metric(definitions, metric_names[kind]);
    if (metrics[CM_TRAFFIC_READ] != NULL && metrics[CM_TRAFFIC_WRITTEN] != NULL)
        metrics[CM_TRAFFIC_BOTH] = NULL;
    return metrics[CM_TRAFFIC_READ] != NULL || metrics[CM_TRAFFIC_WRITTEN] != NULL || metrics[CM_TRAFFIC_BOTH] != NULL;
}

/* Lists the events of all definitions of traffic by name. */
static cm_status list_names(cm_traffic *traffic, cm_error *error)
{
    size_t most = 1;
    for (size_t kind = 0; kind < CM_TRAFFIC_KINDS; kind++)
        most += traffic->metrics[kind] != NULL ? traffic->metrics[kind]->term_count : 0;
    if (!CM_ALLOCATE(traffic->names, most) || !CM_ALLOCATE(traffic->events, most))
        return cm_error_no_memory(error);
    for (size_t kind = 0; kind < CM_TRAFFIC_KINDS; kind++)
        for (size_t i = 0; traffic->metrics[kind] != NULL && i < traffic->metrics[kind]->term_count; i++)
            if (!CM_HAS(traffic->metrics[kind]->terms[i].event, traffic->names, traffic->event_count))
                traffic->names[traffic->event_count++] = traffic->metrics[kind]->terms[i].event;
    return CM_OK;
}

/* Events that the system does not name are named by their codes. */
static cm_status list_events(cm_traffic *traffic, cm_error *error)
{
    cm_status status = cm_uncore_open(traffic->counting, NULL, error);
    const size_t first = cm_counting_event_count(traffic->counting);
    for (size_t i = 0; status == CM_OK && i < traffic->event_count; i++)
        status = cm_uncore_add_named(traffic->counting, traffic->names[i], error);
    return status == CM_OK ? cm_counting_try_added(traffic->counting, first, error) : status;
}

/* CM_UNSUPPORTED if the session does not have the event: it cannot be counted here. */
static cm_status find_event(cm_traffic *traffic, size_t number, cm_error *error)
{
    const char *name = traffic->names[number];
    size_t *event = &traffic->events[number];
    cm_error reason = {0};
    cm_status status = cm_counting_find_event(traffic->counting, name, event, &reason);
    if (status == CM_NO_MEMORY)
        return cm_error_no_memory(error);
    if (status != CM_OK)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s: %s", cm_counting_pmu(traffic->counting), reason.text);
    if (cm_counting_event(traffic->counting, *event).component != traffic->component)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s counts for a core, not for a socket", name);
    return CM_OK;
}

static cm_status find_events(cm_traffic *traffic, cm_error *error)
{
    cm_status status = CM_OK;
    traffic->component = traffic->counting->uncore->component;
    for (size_t i = 0; status == CM_OK && i < traffic->event_count; i++)
        status = find_event(traffic, i, error);
    return status;
}

cm_status cm_traffic_open(const cm_definitions *definitions, cm_counting *counting, cm_traffic *traffic,
                          cm_error *error)
{
    *traffic = (cm_traffic){.counting = counting};
    if (!cm_traffic_find(definitions, traffic))
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the results define none of %s, %s and %s; those of 'catmint discover --uncore' do",
                       metric_names[CM_TRAFFIC_READ], metric_names[CM_TRAFFIC_WRITTEN], metric_names[CM_TRAFFIC_BOTH]);
    cm_status status = list_names(traffic, error);
    CM_THEN(status, list_events(traffic, error));
    return status == CM_OK ? find_events(traffic, error) : status;
}

void cm_traffic_clear(cm_traffic *traffic)
{
    CM_FREE(traffic->names, traffic->events);
    *traffic = (cm_traffic){0};
}

/* ---- arrays and cores ---- */

size_t cm_traffic_bytes(const cm_traffic *traffic, size_t bytes)
{
    const cm_pmu_model *model = cm_counting_model(traffic->counting);
    if (model == NULL)
        return bytes;
    const cm_pmu_machine *machine = cm_pmu_model_machine(model);
    const uint64_t last = machine->l3_size != 0   ? machine->l3_size
                          : machine->l2_size != 0 ? machine->l2_size
                                                  : machine->l1d_size;
    return (CM_TIMED_CACHES * (size_t)last / CM_TIMED_STEP + 1) * CM_TIMED_STEP;
}

const char *cm_traffic_obstacle(const cm_traffic *traffic, const cm_cores *cores)
{
    if (cm_counting_model(traffic->counting) != NULL && cores->count > 1)
        return "the software PMU models one core: nothing was counted on several";
    if (!cm_uncore_is_one_socket(traffic->counting->uncore->root, cores->units, cores->count))
        return "these events count for one socket: nothing was counted while cores of several worked";
    return NULL;
}

/* ---- values ---- */

/* The definitions' values in one repetition, less the counts of the quiet socket; NaN: not defined. */
static cm_status evaluate_metrics(const cm_traffic *traffic, const long long *counts, double *values, cm_error *error)
{
    const long long *busy = counts, *quiet = counts + traffic->event_count;
    double *left = calloc(traffic->event_count + 1, sizeof *left);
    cm_status status = left != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < traffic->event_count; i++)
        left[i] = (double)(busy[i] - quiet[i]);
    for (size_t kind = 0; status == CM_OK && kind < CM_TRAFFIC_KINDS; kind++) {
        values[kind] = NAN;
        if (traffic->metrics[kind] != NULL)
            status = cm_defined_metric_evaluate_named(traffic->metrics[kind], traffic->names, left,
                                                      traffic->event_count, &values[kind], error);
    }
    if (status == CM_OK && traffic->metrics[CM_TRAFFIC_BOTH] == NULL)
        values[CM_TRAFFIC_BOTH] = values[CM_TRAFFIC_READ] + values[CM_TRAFFIC_WRITTEN];
    free(left);
    return status;
}

cm_status cm_traffic_work_out(const cm_traffic *traffic, const long long *counts, size_t repetitions, double bytes,
                              cm_moved *moved, cm_error *error)
{
    double values[CM_TRAFFIC_KINDS];
    double *samples = calloc(CM_TRAFFIC_KINDS * repetitions + 1, sizeof *samples);
    cm_status status = samples != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t r = 0; status == CM_OK && r < repetitions; r++) {
        status = evaluate_metrics(traffic, counts + 2 * r * traffic->event_count, values, error);
        for (size_t kind = 0; status == CM_OK && kind < CM_TRAFFIC_KINDS; kind++)
            samples[kind * repetitions + r] = values[kind] / bytes;
    }
    *moved = cm_nothing_moved;
    for (size_t kind = 0; status == CM_OK && kind < CM_TRAFFIC_KINDS; kind++)
        if (repetitions > 0 && !isnan(samples[kind * repetitions]))
            moved->bytes[kind] = cm_reading_of(&samples[kind * repetitions], repetitions);
    free(samples);
    return status;
}
