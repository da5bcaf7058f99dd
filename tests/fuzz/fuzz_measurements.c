/* Reads any bytes as a table of measurements, held in memory and streamed: both take it or neither, and what they read,
 * and what the analysis makes of it, is the same. */
#include <math.h>
#include <string.h>

#include <catmint/results.h>
#include <catmint/tables.h>

#include "core/csv.h"
#include "discovery/results.h"
#include "fuzz.h"
#include "../unit/leave_out_counts.h"
#include "tables/tables.h"

/* ---- event by event ---- */

static size_t values_of(const cm_measurements *held, size_t event)
{
    return held->events[event].repetition_count * held->events[event].thread_count * held->kernel_count;
}

typedef struct comparison {
    const cm_measurements *held;
    size_t next;
    bool anywhere; /* an event may stand in two places: names are compared, and nothing else */
} comparison;

static bool compare_event(void *context, const cm_measurement *event, size_t tag)
{
    comparison *with = context;
    (void)tag;
    FUZZ_EXPECT(with->next < with->held->event_count);
    const cm_measurement *held = &with->held->events[with->next++];
    FUZZ_EXPECT(strcmp(held->event, event->event) == 0);
    FUZZ_EXPECT(held->repetition_count == event->repetition_count && held->thread_count == event->thread_count);
    const size_t values = values_of(with->held, with->next - 1);
    FUZZ_EXPECT(memcmp(held->values, event->values, values * sizeof *held->values) == 0);
    return true;
}

static bool pass_over(void *context, const cm_measurement *event, size_t tag)
{
    (void)context;
    (void)tag;
    FUZZ_EXPECT(event->repetition_count >= 2 && event->thread_count > 0);
    return true;
}

static bool visit_all(const cm_stream *stream, cm_stream_visit visit, void *context)
{
    for (size_t block = 0; block < cm_stream_block_count(stream); block++)
        if (!cm_stream_block(stream, block, visit, context))
            return false;
    return true;
}

static void compare_heads(const cm_measurements *held, const cm_measurements *head)
{
    FUZZ_EXPECT(held->kernel_count == head->kernel_count && held->header_line == head->header_line);
    for (size_t i = 0; i < held->kernel_count; i++)
        FUZZ_EXPECT(strcmp(held->kernels[i], head->kernels[i]) == 0);
    FUZZ_EXPECT((held->iterations == NULL) == (head->iterations == NULL));
    if (held->iterations != NULL)
        FUZZ_EXPECT(memcmp(held->iterations, head->iterations, held->kernel_count * sizeof(double)) == 0);
}

/* What a stream gives is final. */
static void compare_streamed(const char *path, const cm_measurements *held)
{
    cm_stream *stream = NULL;
    FUZZ_EXPECT(cm_stream_open(path, 0, NULL, &stream, NULL) == CM_OK);
    if (stream != NULL) {
        comparison with = {.held = held};
        bool read = visit_all(stream, held != NULL ? compare_event : pass_over, &with);
        FUZZ_EXPECT(read == (held != NULL));
        if (held != NULL) {
            FUZZ_EXPECT(with.next == held->event_count);
            compare_heads(held, cm_stream_head(stream));
        }
    }
    cm_stream_close(stream);
}

/* ---- row by row ---- */

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Every row that libcsv splits, and every number that is read by itself, is in the table, which has no more. */
static void compare_plain(const char *path, const cm_measurements *held)
{
    enum { FIXED = 3 };
    cm_csv *csv = NULL;
    cm_csv_row row;
    uint64_t sum = 0;
    cm_status status = cm_csv_open(path, &csv, NULL);
    while (cm_csv_more(csv, &row, &status, NULL)) {
        size_t event = 0;
        while (event < held->event_count && strcmp(held->events[event].event, row.fields[0]) != 0)
            event++;
        FUZZ_EXPECT(event < held->event_count || strcmp(row.fields[0], "iterations") == 0);
        for (size_t i = 0; i < held->kernel_count && event < held->event_count; i++) {
            double value;
            FUZZ_EXPECT(cm_csv_number(csv, &row, FIXED + i, &value, NULL) == CM_OK);
            sum += (event * held->kernel_count + i + 1) * bits_of(value);
        }
    }
    FUZZ_EXPECT(status == CM_OK);
    cm_csv_close(csv);
    for (size_t event = 0; event < held->event_count; event++)
        for (size_t i = 0; i < values_of(held, event); i++)
            sum -= (event * held->kernel_count + i % held->kernel_count + 1) * bits_of(held->events[event].values[i]);
    FUZZ_EXPECT(sum == 0);
}

/* ---- analysed ---- */

static cm_basis *basis;
static cm_signatures *signatures;

static void load_tables(void)
{
    static const char kernels[] = "kernel,S,T\nk1,1,0\nk2,2,1\nk3,0,3\nk4,1,1\n";
    static const char metrics[] = "metric,preset,description,S,T\nOne,,one,1,0\nBoth,PAPI_X,both,1,1\n";
    FUZZ_EXPECT(cm_basis_load(fuzz_file(1, kernels, sizeof kernels - 1), &basis, NULL) == CM_OK);
    FUZZ_EXPECT(cm_signatures_load(fuzz_file(2, metrics, sizeof metrics - 1), &signatures, NULL) == CM_OK);
}

static cm_benchmark_request request_of_all(void)
{
    cm_benchmark_request request = {.tau_source = CM_THRESHOLD_GIVEN};
    cm_thresholds_default(&request.thresholds);
    request.thresholds.tau = 0.1;
    return request;
}

static cm_benchmark_result *analyse_streamed(const char *path)
{
    const cm_benchmark_request request = request_of_all();
    cm_benchmark_result *result = NULL;
    cm_stream *stream = NULL;
    cm_status status = cm_stream_open(path, 0, NULL, &stream, NULL);
    if (status == CM_OK && stream != NULL)
        (void)cm_benchmark_result_create_from(&request, "x", cm_stream_head(stream), stream, basis, signatures, 0,
                                              &result, NULL);
    cm_stream_close(stream);
    return result;
}

static char *write_json(cm_benchmark_result *result)
{
    cm_results *results = NULL;
    size_t size;
    FUZZ_EXPECT(cm_results_create(&results, NULL) == CM_OK && cm_results_add(results, result, NULL) == CM_OK);
    FUZZ_EXPECT(cm_results_write(results, &(cm_output_style){.format = CM_FORMAT_JSON}, fuzz_stream(), NULL) == CM_OK);
    char *text = strdup(fuzz_written(&size));
    FUZZ_EXPECT(text != NULL);
    leave_out_counts(text);
    cm_results_free(results);
    return text;
}

static void compare_analysed(const char *path, const cm_measurements *held)
{
    const cm_benchmark_request request = request_of_all();
    cm_benchmark_result *one = NULL, *other = analyse_streamed(path);
    cm_error error = {0};
    cm_status status = cm_benchmark_result_create_for(&request, "x", held, basis, signatures, 0, &one, &error);
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        FUZZ_EXPECT(other == NULL);
        return;
    }
    char *first = write_json(one);
    if (other != NULL) {
        char *second = write_json(other);
        FUZZ_EXPECT(strcmp(first, second) == 0);
        free(second);
    }
    free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(0, data, size);
    cm_measurements *held = NULL;
    cm_error error = {0};
    if (basis == NULL)
        load_tables();
    cm_status status = cm_measurements_load(path, &held, &error);
    if (status != CM_OK)
        fuzz_expect_refusal(status, &error);
    compare_streamed(path, held);
    if (held != NULL) {
        compare_plain(path, held);
        compare_analysed(path, held);
    }
    cm_measurements_free(held);
    return 0;
}
