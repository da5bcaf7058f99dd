/* A table that is streamed gives what it gives when it is held in memory, faults included. */
#include <unistd.h>

#include "analysis_tools.h"

#include <catmint/results.h>

#include "tables/stream.h"

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

/* The JSON, or the message. */
static char *outcome(const char *path, const char *benchmark, size_t stream_from)
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
    if (cm_results_analyze(path, &options, &results, &error) == CM_OK) {
        const cm_results_style style = {CM_RESULTS_JSON, 0, false};
        assert_int_equal(cm_results_write(results, &style, stream, NULL), CM_OK);
    } else {
        fprintf(stream, "%d %zu %s", (int)error.status, error.line, error.text);
    }
    cm_results_free(results);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void compare(const char *name, const char *table, const char *benchmark)
{
    char path[] = "/tmp/catmint-streaming-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, table, strlen(table)), strlen(table));
    close(file);
    char *held = outcome(path, benchmark, SIZE_MAX), *streamed = outcome(path, benchmark, 0);
    unlink(path);
    if (strcmp(held, streamed) != 0)
        fail_msg("%s: in memory:\n%.2000s\nstreamed:\n%.2000s", name, held, streamed);
    free(held);
    free(streamed);
}

static void recorded_tables_give_the_same(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"sapphire-rapids-cpu-flops", "cpu-flops"},
                                          {"sapphire-rapids-branch", "branch"},
                                          {"sapphire-rapids-dcache", "dcache"},
                                          {"mi250x-gpu-flops", "gpu-flops"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/data/recorded/%s.csv", CM_TEST_SOURCE_DIR, rows[i][0]);
        char *table = slurp(path);
        compare(rows[i][0], table, rows[i][1]);
        free(table);
    }
}

#define HEAD "event,repetition,thread,b1,b2,b3,b4,b4a,b4b,b5,b5a,b5b,b6,b7\n"
#define ITERATIONS "iterations,0,0,2,2,2,2,2,2,2,2,2,2,2\n"
#define ROW(event, repetition) event "," repetition ",0,4,4,4,4,5,5,5,6,6,4,2\n"
#define TAKEN(event, repetition) event "," repetition ",0,3,2,4,3,3,4,3,3,4,2,2\n"

static void odd_tables_give_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *name, *table;
    } rows[] = {
        {"plain", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1")},
        {"iterations", HEAD ITERATIONS ROW("A", "0") ROW("A", "1")},
        {"iterations later", HEAD ROW("A", "0") ROW("A", "1") ITERATIONS TAKEN("B", "0") TAKEN("B", "1")},
        {"iterations twice", HEAD ITERATIONS ROW("A", "0") ROW("A", "1") ITERATIONS},
        {"iterations bad", HEAD "iterations,0,0,2,2,2,0,2,2,2,2,2,2,2\n" ROW("A", "0") ROW("A", "1")},
        {"apart", HEAD ROW("A", "0") TAKEN("B", "0") ROW("A", "1") TAKEN("B", "1")},
        {"in two places", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") ROW("A", "0")},
        {"again, whole", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") ROW("A", "0") ROW("A", "1")},
        {"descending", HEAD ROW("A", "1") ROW("A", "0") TAKEN("B", "1") TAKEN("B", "0")},
        {"a repetition less", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0")},
        {"another less", HEAD ROW("A", "0") TAKEN("B", "0") TAKEN("B", "1")},
        {"a repetition more", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") TAKEN("B", "2")},
        {"other numbers", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "2")},
        {"one repetition", HEAD ROW("A", "0")},
        {"no last line feed", HEAD ROW("A", "0") "A,1,0,4,4,4,4,5,5,5,6,6,4,2"},
        {"quoted", HEAD "\"A,1\",0,0,4,4,4,4,5,5,5,6,6,4,2\n\"A,1\",1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"carriage returns", HEAD "A,0,0,4,4,4,4,5,5,5,6,6,4,2\r\nA,1,0,4,4,4,4,5,5,5,6,6,4,2\r\n"},
        {"blanks", HEAD "A,0,0, 4,4,4,4,5,5,5,6,6,4,2\nA,1,0,4,4,4 ,4,5,5,5,6,6,4,2\n"},
        {"an empty line", HEAD ROW("A", "0") "\n" ROW("A", "1")},
        {"fractions", HEAD "A,0,0,4.5e-1,4,4,4,5,5,5,6,6,4,2\nA,1,0,.45,4,4,4,5,5,5,6,6,4,2\n"},
        {"long numbers", HEAD "A,0,0,12345678901234567,4,4,4,5,5,5,6,6,4,2\nA,1,0,1,4,4,4,5,5,5,6,6,4,2\n"},
        {"negative", HEAD ROW("A", "0") "A,1,0,-4,4,4,4,5,5,5,6,6,4,2\n"},
        {"minus zero", HEAD "A,0,0,-0,4,4,4,5,5,5,6,6,4,2\nA,1,0,0,4,4,4,5,5,5,6,6,4,2\n"},
        {"no number", HEAD ROW("A", "0") "A,1,0,x,4,4,4,5,5,5,6,6,4,2\n"},
        {"nan", HEAD ROW("A", "0") "A,1,0,nan,4,4,4,5,5,5,6,6,4,2\n"},
        {"too large", HEAD ROW("A", "0") "A,1,0,1e101,4,4,4,5,5,5,6,6,4,2\n"},
        {"a field less", HEAD ROW("A", "0") "A,1,0,4,4,4,5,5,5,6,6,4,2\n"},
        {"a field more", HEAD ROW("A", "0") "A,1,0,4,4,4,4,5,5,5,6,6,4,2,2\n"},
        {"a field missing in the middle of rows", HEAD ROW("A", "0") "A,1,0,4,4\n" ROW("A", "1")},
        {"no event", HEAD},
        {"an event without a name", HEAD ",0,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"beyond ASCII", HEAD "\xc3\xa9,0,0,4,4,4,4,5,5,5,6,6,4,2\n\xc3\xa9,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"not UTF-8", HEAD ROW("A", "0") "\xff,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"threads", HEAD "A,0,0,4,4,4,4,5,5,5,6,6,4,2\nA,0,1,4,4,4,4,5,5,5,6,6,4,2\n"
                         "A,1,0,4,4,4,4,5,5,5,6,6,4,2\nA,1,1,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"thread one", HEAD "A,0,1,4,4,4,4,5,5,5,6,6,4,2\nA,1,1,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"an unknown kernel", "event,repetition,thread,b1,b99\nA,0,0,1,1\nA,1,0,1,1\n"},
        {"provenance", "# one\n# two\n" HEAD ROW("A", "0") ROW("A", "1")},
        {"a mark", "\xef\xbb\xbf" HEAD ROW("A", "0") ROW("A", "1")},
        {"prefixes", HEAD ROW("AB", "0") ROW("AB", "1") TAKEN("A", "0") TAKEN("A", "1")},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        compare(rows[i].name, rows[i].table, "branch");
}

static void many_blocks_give_the_same(void **state)
{
    (void)state;
    enum { EVENTS = 90000 };
    char *table = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&table, &size);
    assert_non_null(stream);
    fputs(HEAD, stream);
    uint64_t seed = 3;
    for (int i = 0; i < EVENTS; i++)
        for (int r = 0; r < 3; r++) {
            fprintf(stream, "EVENT_%d,%d,0", i, r);
            for (int k = 0; k < 11; k++)
                fprintf(stream, ",%zu", i % 2 == 0 ? (size_t)i % 7 : random_below(&seed, 1000));
            fputc('\n', stream);
        }
    assert_int_equal(fclose(stream), 0);
    assert_true(size > (size_t)9 << 20); /* three blocks and more */
    compare("many blocks", table, "branch");
    free(table);
}

static bool count_events(void *context, const char *event, size_t offset, const double *vectors)
{
    (void)event;
    (void)offset;
    (void)vectors;
    ++*(size_t *)context;
    return true;
}

/* What the tests above compare is two ways, not one: a plain table is streamed, and small ones only when asked to. */
static void plain_tables_are_streamed(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/data/recorded/mi250x-gpu-flops.csv", CM_TEST_SOURCE_DIR);
    cm_stream *stream = NULL;
    assert_int_equal(cm_stream_open(path, (size_t)1 << 30, &stream, NULL), CM_OK);
    assert_null(stream);
    assert_int_equal(cm_stream_open("/nonexistent", 0, &stream, NULL), CM_OK);
    assert_null(stream);
    assert_int_equal(cm_stream_open(path, 0, &stream, NULL), CM_OK);
    assert_non_null(stream);
    size_t events = 0;
    assert_int_equal(cm_stream_block_count(stream), 1);
    assert_true(cm_stream_block(stream, 0, count_events, &events));
    assert_int_equal(events, 36);
    cm_stream_close(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_tables_are_streamed),
        cmocka_unit_test(recorded_tables_give_the_same),
        cmocka_unit_test(odd_tables_give_the_same),
        cmocka_unit_test(many_blocks_give_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
