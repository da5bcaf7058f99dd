/* A metric of your own code, by a definition that catmint found, counted with PAPI:
 *
 *   catmint discover --format json --output RESULTS.json
 *   count_metric RESULTS.json "DP Ops."        or by its preset: PAPI_DP_OPS
 *
 * The code is a dot product of 1,000 elements: 1,000 multiplications and 1,000 additions. A session of catmint's finds
 * the event that a definition names, whatever else lists its name, and says what PAPI calls it. Events of the software
 * PMU exist while the session is open, which then also runs the code, one instruction at a time. */
#include <stdio.h>
#include <string.h>

#include <papi.h>

#include <catmint/catmint.h>

enum { ELEMENTS = 1000, MOST_TERMS = 128 };

static double left[ELEMENTS], right[ELEMENTS];
static volatile double result;

static void dot_product(void *argument)
{
    (void)argument;
    double sum = 0.0;
    for (size_t i = 0; i < ELEMENTS; i++)
        sum += left[i] * right[i];
    result = sum;
}

static int fail(const char *what, int papi)
{
    fprintf(stderr, "%s: %s\n", what, PAPI_strerror(papi));
    return 1;
}

static int fail_with(const cm_error *error)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
    fprintf(stderr, "%s\n", cm_error_format(error, text, sizeof text));
    return 1;
}

/* Counts what is in the set while the code runs. */
static int run_code(cm_counting *session, int set, long long *values)
{
    cm_error error;
    int code = PAPI_start(set);
    if (code != PAPI_OK)
        return fail("the events cannot be started", code);
    cm_status status = cm_counting_run(session, dot_product, NULL, &error);
    code = PAPI_stop(set, values);
    if (status != CM_OK)
        return fail_with(&error);
    return code == PAPI_OK ? 0 : fail("the events cannot be read", code);
}

/* The session's event of each term. */
static int find_events(const cm_counting *session, const cm_defined_metric *metric, size_t *events)
{
    cm_error error;
    for (size_t i = 0; i < metric->term_count; i++)
        if (cm_counting_find_event(session, metric->terms[i].event, &events[i], &error) != CM_OK)
            return fail_with(&error);
    return 0;
}

/* As many of `count` events as one event set takes; *taken says how many. */
static int count_some(cm_counting *session, const size_t *events, size_t count, double *counts, size_t *taken)
{
    long long values[MOST_TERMS];
    int set = PAPI_NULL;
    int code = PAPI_create_eventset(&set);
    *taken = 0;
    while (code == PAPI_OK && *taken < count) {
        code = PAPI_add_named_event(set, cm_counting_event(session, events[*taken]).papi_name);
        *taken += code == PAPI_OK;
    }
    int failed =
        *taken > 0 ? run_code(session, set, values) : fail(cm_counting_event(session, events[0]).papi_name, code);
    for (size_t i = 0; i < *taken && !failed; i++)
        counts[i] = (double)values[i];
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    return failed;
}

/* Runs the code until every event has been counted, and prints the value. */
static int count_metric(cm_counting *session, const cm_defined_metric *metric)
{
    double counts[MOST_TERMS];
    size_t events[MOST_TERMS], runs = 0;
    if (find_events(session, metric, events) != 0)
        return 1;
    for (size_t done = 0, taken; done < metric->term_count; done += taken, runs++)
        if (count_some(session, events + done, metric->term_count - done, counts + done, &taken) != 0)
            return 1;
    for (size_t i = 0; i < metric->term_count; i++)
        printf("%12.0f  %g x %s\n", counts[i], metric->terms[i].coefficient, metric->terms[i].event);
    if (runs > 1)
        printf("The events do not fit into one event set: the code ran %zu times.\n", runs);
    printf("%s of a dot product of %d elements: %.10g\n", metric->metric, ELEMENTS,
           cm_defined_metric_evaluate(metric, counts));
    return 0;
}

/* On the PMU that the definitions are of; `pmu` is NULL where that is unknown. */
static int open_and_count(const char *pmu, const cm_defined_metric *metric)
{
    cm_counting *session = NULL;
    cm_pmu_choice choice;
    cm_error error;
    if (cm_pmu_choice_parse(pmu != NULL ? pmu : "hardware", &choice, &error) != CM_OK)
        return fail_with(&error);
    choice.any_event = true; /* the definition says which */
    if (cm_counting_open(&choice, &session, &error) != CM_OK)
        return fail_with(&error);
    int failed = count_metric(session, metric);
    cm_counting_close(session);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: count_metric RESULTS.json METRIC\n");
        return 2;
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        left[i] = (double)i;
        right[i] = 0.5;
    }
    cm_definitions *definitions = NULL;
    cm_error error;
    if (cm_definitions_load(argv[1], &definitions, &error) != CM_OK)
        return fail_with(&error);
    const cm_defined_metric *metric = cm_definitions_find(definitions, argv[2]);
    int failed = 1;
    if (metric == NULL)
        fprintf(stderr, "%s: there is no metric or preset '%s'\n", argv[1], argv[2]);
    else if (!metric->usable || metric->term_count > MOST_TERMS)
        fprintf(stderr, "%s: '%s' cannot be counted here: misfit %g\n", argv[1], metric->metric, metric->misfit);
    else
        failed = open_and_count(cm_definitions_pmu(definitions), metric);
    cm_definitions_free(definitions);
    return failed;
}
