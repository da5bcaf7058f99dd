/* A table that is streamed gives what it gives when it is held in memory, faults included. */
#include "two_ways.h"

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

static void paper_tables_give_the_same(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"sapphire-rapids-cpu-flops", "cpu-flops"},
                                          {"sapphire-rapids-branch", "branch"},
                                          {"sapphire-rapids-dcache", "dcache"},
                                          {"mi250x-gpu-flops", "gpu-flops"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/data/paper-events/%s.csv", CM_TEST_SOURCE_DIR, rows[i][0]);
        char *table = slurp(path);
        compare(rows[i][0], table, strlen(table), rows[i][1], "streamed");
        free(table);
    }
}

static void odd_tables_give_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *name, *way, *table;
    } rows[] = {
        {"plain", "streamed", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1")},
        {"iterations", "streamed", HEAD ITERATIONS ROW("A", "0") ROW("A", "1")},
        {"iterations later", "streamed", HEAD ROW("A", "0") ROW("A", "1") ITERATIONS TAKEN("B", "0") TAKEN("B", "1")},
        {"iterations twice", "memory", HEAD ITERATIONS ROW("A", "0") ROW("A", "1") ITERATIONS},
        {"iterations bad", "memory", HEAD "iterations,0,0,2,2,2,0,2,2,2,2,2,2,2\n" ROW("A", "0") ROW("A", "1")},
        {"scattered", "streamed", HEAD ROW("A", "0") TAKEN("B", "0") ROW("A", "1") TAKEN("B", "1")},
        {"in two places", "memory", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") ROW("A", "0")},
        {"again, whole", "memory",
         HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") ROW("A", "0") ROW("A", "1")},
        {"descending", "streamed", HEAD ROW("A", "1") ROW("A", "0") TAKEN("B", "1") TAKEN("B", "0")},
        {"a repetition less", "memory", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0")},
        {"another less", "memory", HEAD ROW("A", "0") TAKEN("B", "0") TAKEN("B", "1")},
        {"a repetition more", "memory",
         HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") TAKEN("B", "2")},
        {"other numbers", "memory", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "2")},
        {"one repetition", "memory", HEAD ROW("A", "0")},
        {"no last line feed", "streamed", HEAD ROW("A", "0") "A,1,0,4,4,4,4,5,5,5,6,6,4,2"},
        {"quoted", "streamed", HEAD "\"A,1\",0,0,4,4,4,4,5,5,5,6,6,4,2\n\"A,1\",1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"carriage returns", "streamed", HEAD "A,0,0,4,4,4,4,5,5,5,6,6,4,2\r\nA,1,0,4,4,4,4,5,5,5,6,6,4,2\r\n"},
        {"blanks", "streamed", HEAD "A,0,0, 4,4,4,4,5,5,5,6,6,4,2\nA,1,0,4,4,4 ,4,5,5,5,6,6,4,2\n"},
        {"an empty line", "streamed", HEAD ROW("A", "0") "\n" ROW("A", "1")},
        {"fractions", "streamed", HEAD "A,0,0,4.5e-1,4,4,4,5,5,5,6,6,4,2\nA,1,0,.45,4,4,4,5,5,5,6,6,4,2\n"},
        {"long numbers", "streamed", HEAD "A,0,0,12345678901234567,4,4,4,5,5,5,6,6,4,2\nA,1,0,1,4,4,4,5,5,5,6,6,4,2\n"},
        {"negative", "memory", HEAD ROW("A", "0") "A,1,0,-4,4,4,4,5,5,5,6,6,4,2\n"},
        {"minus zero", "streamed", HEAD "A,0,0,-0,4,4,4,5,5,5,6,6,4,2\nA,1,0,0,4,4,4,5,5,5,6,6,4,2\n"},
        {"no number", "memory", HEAD ROW("A", "0") "A,1,0,x,4,4,4,5,5,5,6,6,4,2\n"},
        {"nan", "memory", HEAD ROW("A", "0") "A,1,0,nan,4,4,4,5,5,5,6,6,4,2\n"},
        {"too large", "streamed", HEAD ROW("A", "0") "A,1,0,1e101,4,4,4,5,5,5,6,6,4,2\n"},
        {"a field less", "memory", HEAD ROW("A", "0") "A,1,0,4,4,4,5,5,5,6,6,4,2\n"},
        {"a field more", "memory", HEAD ROW("A", "0") "A,1,0,4,4,4,4,5,5,5,6,6,4,2,2\n"},
        {"a field missing in the middle of rows", "memory", HEAD ROW("A", "0") "A,1,0,4,4\n" ROW("A", "1")},
        {"no event", "memory", HEAD},
        {"an event without a name", "memory", HEAD ",0,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"beyond ASCII", "streamed", HEAD "\xc3\xa9,0,0,4,4,4,4,5,5,5,6,6,4,2\n\xc3\xa9,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"not UTF-8", "memory", HEAD ROW("A", "0") "\xff,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"threads", "streamed",
         HEAD "A,0,0,4,4,4,4,5,5,5,6,6,4,2\nA,0,1,4,4,4,4,5,5,5,6,6,4,2\n"
              "A,1,0,4,4,4,4,5,5,5,6,6,4,2\nA,1,1,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"thread one", "streamed", HEAD "A,0,1,4,4,4,4,5,5,5,6,6,4,2\nA,1,1,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"an unknown kernel", "streamed", "event,repetition,thread,b1,b99\nA,0,0,1,1\nA,1,0,1,1\n"},
        {"provenance", "streamed", "# one\n# two\n" HEAD ROW("A", "0") ROW("A", "1")},
        {"a mark", "streamed", "\xef\xbb\xbf" HEAD ROW("A", "0") ROW("A", "1")},
        {"a name that is another in quotes", "streamed",
         HEAD "\"A,0\",0,0,4,4,4,4,5,5,5,6,6,4,2\nA,0,0,4,4,4,4,5,5,5,6,6,4,2\n"
              "\"A,0\",1,0,4,4,4,4,5,5,5,6,6,4,2\nA,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"a blank that is another in quotes", "streamed",
         HEAD "\" A\",0,0,4,4,4,4,5,5,5,6,6,4,2\n A,0,0,3,2,4,3,3,4,3,3,4,2,2\n"
              "\" A\",1,0,4,4,4,4,5,5,5,6,6,4,2\n A,1,0,3,2,4,3,3,4,3,3,4,2,2\n"},
        {"sometimes in quotes", "streamed", HEAD ROW("A", "0") ROW("\"A\"", "1") ROW("\"A\"", "2") ROW("A", "3")},
        {"prefixes", "streamed", HEAD ROW("AB", "0") ROW("AB", "1") TAKEN("A", "0") TAKEN("A", "1")},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        compare(rows[i].name, rows[i].table, strlen(rows[i].table), "branch", rows[i].way);
}

/* Small tables are streamed only when asked to. */
static void small_tables_are_held(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/data/paper-events/mi250x-gpu-flops.csv", CM_TEST_SOURCE_DIR);
    cm_stream *stream = NULL;
    assert_int_equal(cm_stream_open(path, (size_t)1 << 30, NULL, &stream, NULL), CM_OK);
    assert_null(stream);
    assert_int_equal(cm_stream_open("/nonexistent", 0, NULL, &stream, NULL), CM_OK);
    assert_null(stream);
    assert_int_equal(cm_stream_open(path, 0, NULL, &stream, NULL), CM_OK);
    assert_non_null(stream);
    size_t events = 0;
    assert_int_equal(cm_stream_block_count(stream), 1);
    assert_true(cm_stream_block(stream, 0, count_events, &events));
    assert_int_equal(events, 36);
    cm_stream_close(stream);
}

static bool stop_at_first(void *context, const cm_measurement *event, size_t tag)
{
    (void)event;
    (void)tag;
    *(volatile int *)context = 1;
    return true;
}

/* Neither reading goes on, and nobody takes it for a fault of the table. */
static void a_stop_ends_it(void **state)
{
    (void)state;
    static const char *const texts[] = {HEAD ROW("A", "0") ROW("A", "1") ROW("B", "0") ROW("B", "1"),
                                        HEAD ROW("A", "0") ROW("B", "0") ROW("A", "1") ROW("B", "1")};
    for (size_t i = 0; i < COUNT(texts); i++) {
        char path[] = "/tmp/catmint-streaming-XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        assert_int_equal(write(file, texts[i], strlen(texts[i])), strlen(texts[i]));
        close(file);
        volatile int stop = 0;
        cm_stream *stream = NULL;
        assert_int_equal(cm_stream_open(path, 0, &stop, &stream, NULL), CM_OK);
        assert_non_null(stream);
        assert_true(cm_stream_block(stream, 0, stop_at_first, (void *)&stop));
        assert_false(cm_stream_block(stream, 0, stop_at_first, (void *)&stop));
        cm_stream_close(stream);
        cm_analyze_options options;
        cm_analyze_options_default(&options);
        const char *benchmark = "branch";
        options.benchmarks = &benchmark;
        options.benchmark_count = 1;
        options.stream_from = 0;
        options.stop = &stop;
        cm_results *results = NULL;
        cm_error error;
        assert_int_equal(cm_results_analyze_create(path, &options, &results, &error), CM_INTERRUPTED);
        assert_null(results);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_ends_it),
        cmocka_unit_test(small_tables_are_held),
        cmocka_unit_test(paper_tables_give_the_same),
        cmocka_unit_test(odd_tables_give_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
