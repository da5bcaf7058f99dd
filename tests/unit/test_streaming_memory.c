/* Every allocation of a streamed analysis fails once, at each place: what comes of it is what comes of a table in
 * memory, or a message, and nothing is lost. All threads draw from one number of allocations. */
#include <unistd.h>

#include "analysis_tools.h"
#include "failing_memory.h"

#include <catmint/results.h>

#include "tables/tables.h"

#define HEAD "event,repetition,thread,b1,b2,b3\n"

static const char together[] = HEAD "iterations,0,0,2,2,2\nA,0,0,1,2,3\nA,1,0,1,2,3\n\"B, b\",0,0,4,5,6.5\n"
                                    "\"B, b\",1,0,4,5,6.5\n";
static const char apart[] = HEAD "A,0,0,1,2,3\n\"B \"\"b\",0,0,4,5,6.5\nA,1,0,1,2,3\n\"B \"\"b\",1,0, 4,5,6.5\n"
                                 "iterations,0,0,2,2,2\n";

typedef struct sum {
    size_t events, tag;
    double values;
} sum;

static bool add_event(void *context, const cm_measurement *event, size_t tag)
{
    sum *all = context;
    all->events++;
    all->tag = tag;
    for (size_t i = 0; i < event->repetition_count * event->thread_count * 3; i++)
        all->values += event->values[i];
    return true;
}

/* False where it is given up; CM_NO_MEMORY or a stream that cannot be read, never another sum. */
static bool read_all(const char *path)
{
    cm_stream *stream = NULL;
    cm_error error;
    cm_status status = cm_stream_open(path, 0, NULL, &stream, &error);
    assert_true(status == CM_OK || (status == CM_NO_MEMORY && error.status == CM_NO_MEMORY && stream == NULL));
    if (stream == NULL)
        return false;
    sum all = {0}, again = {0};
    bool read = cm_stream_block_count(stream) == 1 && cm_stream_block(stream, 0, add_event, &all);
    assert_true(!read || (all.events == 2 && all.values == 43.0));
    read = read && cm_stream_again(stream, all.tag, add_event, &again);
    assert_true(!read || (again.events == 1 && again.values == 31.0));
    cm_stream_close(stream);
    return read;
}

static void write_table(char *path, const char *table)
{
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, table, strlen(table)), strlen(table));
    close(file);
}

static void every_allocation_of_a_stream_may_fail(void **state)
{
    (void)state;
    static const char *const tables[] = {together, apart};
    for (size_t i = 0; i < COUNT(tables); i++) {
        char path[] = "/tmp/catmint-streaming-memory-XXXXXX";
        write_table(path, tables[i]);
        long allowed = 0, failures = 0;
        for (bool read = false; !read; allowed++) {
            allocations_left = allowed;
            read = read_all(path);
            allocations_left = -1;
            failures += !read;
            assert_true(allowed < 1000);
        }
        unlink(path);
        assert_true(failures > 10);
    }
}

static char *json_of(const char *path, cm_error *error)
{
    static const char *const benchmark = "branch";
    cm_analyze_options options;
    cm_analyze_options_default(&options);
    options.benchmarks = &benchmark;
    options.benchmark_count = 1;
    options.stream_from = 0;
    cm_results *results = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    error->status = cm_results_analyze_create(path, &options, &results, error);
    if (error->status == CM_OK) {
        const cm_output_style style = {CM_FORMAT_JSON, 0, false};
        error->status = cm_results_write(results, &style, stream, error);
    }
    cm_results_free(results);
    fclose(stream);
    return text;
}

/* With the analysis and its JSON. What is written in the end is what is always written. */
static void every_allocation_of_the_results_may_fail(void **state)
{
    (void)state;
    static const char head[] = "event,repetition,thread,b1,b2,b3,b4,b4a,b4b,b5,b5a,b5b,b6,b7\n";
    static const char rows[] = "A,0,0,4,4,4,4,5,5,5,6,6,4,2\nB,0,0,3,2,4,3,3,4,3,3,4,2,2\n"
                               "A,1,0,4,4,4,4,5,5,5,6,6,4,2\nB,1,0,3,2,4,3,3,4,3,3,4,2,2\n";
    char path[] = "/tmp/catmint-streaming-memory-XXXXXX", table[512];
    snprintf(table, sizeof table, "%s%s", head, rows);
    write_table(path, table);
    cm_error error;
    char *expected = json_of(path, &error);
    assert_int_equal(error.status, CM_OK);
    long allowed = 0;
    for (;;
         allowed += 1 + allowed / 64) { /* later ones are of jansson and the analysis, which have tests of their own */
        allocations_left = allowed;
        char *text = json_of(path, &error);
        allocations_left = -1;
        if (error.status == CM_OK)
            assert_string_equal(text, expected);
        else if (error.status != CM_NO_MEMORY && strstr(error.text, "memory ran out") == NULL)
            fail_msg("with %ld allocations: %d %s", allowed, (int)error.status, error.text);
        free(text);
        if (error.status == CM_OK)
            break;
    }
    assert_true(allowed > 200);
    unlink(path);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_stream_may_fail),
        cmocka_unit_test(every_allocation_of_the_results_may_fail),
    };
    return cmocka_run_group_tests_name("streaming memory", tests, NULL, NULL);
}
