/* What the tests of streaming share: a table that is streamed, and held in memory, and the two compared. */
#ifndef TWO_WAYS_H
#define TWO_WAYS_H

#include <unistd.h>

#include "analysis_tools.h"

#include <catmint/results.h>

#include "leave_out_counts.h"
#include "tables/tables.h"

#define HEAD "event,repetition,thread,b1,b2,b3,b4,b4a,b4b,b5,b5a,b5b,b6,b7\n"
#define ITERATIONS "iterations,0,0,2,2,2,2,2,2,2,2,2,2,2\n"
#define ROW(event, repetition) event "," repetition ",0,4,4,4,4,5,5,5,6,6,4,2\n"
#define TAKEN(event, repetition) event "," repetition ",0,3,2,4,3,3,4,3,3,4,2,2\n"

/* The JSON, or the message. */
static inline char *outcome(const char *path, const char *benchmark, size_t stream_from)
{
    cm_analyze_options options;
    cm_analyze_options_default(&options);
    options.benchmarks = &benchmark;
    options.benchmark_count = 1;
    options.stream_from = stream_from;
    cm_results *results = NULL;
    cm_error error;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (cm_results_analyze_create(path, &options, &results, &error) == CM_OK) {
        const cm_output_style style = {CM_FORMAT_JSON, 0, false};
        assert_int_equal(cm_results_write(results, &style, stream, NULL), CM_OK);
    } else {
        fprintf(stream, "%d %zu %s", (int)error.status, error.line, error.text);
    }
    cm_results_free(results);
    assert_int_equal(fclose(stream), 0);
    leave_out_counts(text);
    return text;
}

static inline bool count_events(void *context, const cm_measurement *event, size_t tag)
{
    (void)event;
    (void)tag;
    ++*(size_t *)context;
    return true;
}

static inline bool can_be_visited(const cm_stream *stream)
{
    size_t events = 0;
    for (size_t block = 0; block < cm_stream_block_count(stream); block++)
        if (!cm_stream_block(stream, block, count_events, &events))
            return false;
    return events > 0;
}

/* How a table is read, so that what is compared is two ways, not one. */
__attribute__((noinline)) static const char *way_of(const char *path)
{
    cm_stream *stream = NULL;
    assert_int_equal(cm_stream_open(path, 0, NULL, &stream, NULL), CM_OK);
    if (stream == NULL)
        return "memory";
    bool good = can_be_visited(stream);
    cm_stream_close(stream);
    return good ? "streamed" : "memory";
}

/* way NULL: any */
static inline void compare(const char *name, const char *table, size_t size, const char *benchmark, const char *way)
{
    char path[] = "/tmp/catmint-streaming-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, table, size), size);
    close(file);
    char *held = outcome(path, benchmark, SIZE_MAX), *streamed = outcome(path, benchmark, 0);
    const char *taken = way_of(path);
    unlink(path);
    if (strcmp(held, streamed) != 0)
        fail_msg("%s: in memory:\n%.2000s\nstreamed:\n%.2000s", name, held, streamed);
    if (way != NULL && strcmp(taken, way) != 0)
        fail_msg("%s: read %s, expected %s", name, taken, way);
    free(held);
    free(streamed);
}

#endif
