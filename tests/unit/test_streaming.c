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
    if (cm_results_analyze_create(path, &options, &results, &error) == CM_OK) {
        const cm_style style = {CM_FORMAT_JSON, 0, false};
        assert_int_equal(cm_results_write(results, &style, stream, NULL), CM_OK);
    } else {
        fprintf(stream, "%d %zu %s", (int)error.status, error.line, error.text);
    }
    cm_results_free(results);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static bool count_events(void *context, const cm_measurement *event, size_t tag)
{
    (void)event;
    (void)tag;
    ++*(size_t *)context;
    return true;
}

static bool can_be_visited(const cm_stream *stream)
{
    size_t events = 0;
    for (size_t block = 0; block < cm_stream_block_count(stream); block++)
        if (!cm_stream_block(stream, block, count_events, &events))
            return false;
    return events > 0;
}

/* How a table is read, so that what is compared is two ways, not one. */
static const char *way_of(const char *path)
{
    cm_stream *stream = NULL;
    assert_int_equal(cm_stream_open(path, 0, NULL, &stream, NULL), CM_OK);
    if (stream == NULL)
        return "memory";
    bool good = can_be_visited(stream), indexed = cm_stream_is_indexed(stream);
    if (!good && !indexed) {
        indexed = true;
        assert_int_equal(cm_stream_index(stream, &good, NULL), CM_OK);
        good = good && can_be_visited(stream);
    }
    cm_stream_close(stream);
    return !good ? "memory" : indexed ? "scattered" : "grouped";
}

/* way NULL: any */
static void compare(const char *name, const char *table, size_t size, const char *benchmark, const char *way)
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
        compare(rows[i][0], table, strlen(table), rows[i][1], "grouped");
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
        const char *name, *way, *table;
    } rows[] = {
        {"plain", "grouped", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1")},
        {"iterations", "grouped", HEAD ITERATIONS ROW("A", "0") ROW("A", "1")},
        {"iterations later", "scattered", HEAD ROW("A", "0") ROW("A", "1") ITERATIONS TAKEN("B", "0") TAKEN("B", "1")},
        {"iterations twice", "memory", HEAD ITERATIONS ROW("A", "0") ROW("A", "1") ITERATIONS},
        {"iterations bad", "memory", HEAD "iterations,0,0,2,2,2,0,2,2,2,2,2,2,2\n" ROW("A", "0") ROW("A", "1")},
        {"scattered", "scattered", HEAD ROW("A", "0") TAKEN("B", "0") ROW("A", "1") TAKEN("B", "1")},
        {"in two places", "memory", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") ROW("A", "0")},
        {"again, whole", "grouped", /* noticed only when all names are known */
         HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") ROW("A", "0") ROW("A", "1")},
        {"descending", "scattered", HEAD ROW("A", "1") ROW("A", "0") TAKEN("B", "1") TAKEN("B", "0")},
        {"a repetition less", "memory", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0")},
        {"another less", "memory", HEAD ROW("A", "0") TAKEN("B", "0") TAKEN("B", "1")},
        {"a repetition more", "memory",
         HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "1") TAKEN("B", "2")},
        {"other numbers", "memory", HEAD ROW("A", "0") ROW("A", "1") TAKEN("B", "0") TAKEN("B", "2")},
        {"one repetition", "memory", HEAD ROW("A", "0")},
        {"no last line feed", "grouped", HEAD ROW("A", "0") "A,1,0,4,4,4,4,5,5,5,6,6,4,2"},
        {"quoted", "grouped", HEAD "\"A,1\",0,0,4,4,4,4,5,5,5,6,6,4,2\n\"A,1\",1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"carriage returns", "grouped", HEAD "A,0,0,4,4,4,4,5,5,5,6,6,4,2\r\nA,1,0,4,4,4,4,5,5,5,6,6,4,2\r\n"},
        {"blanks", "grouped", HEAD "A,0,0, 4,4,4,4,5,5,5,6,6,4,2\nA,1,0,4,4,4 ,4,5,5,5,6,6,4,2\n"},
        {"an empty line", "grouped", HEAD ROW("A", "0") "\n" ROW("A", "1")},
        {"fractions", "grouped", HEAD "A,0,0,4.5e-1,4,4,4,5,5,5,6,6,4,2\nA,1,0,.45,4,4,4,5,5,5,6,6,4,2\n"},
        {"long numbers", "grouped", HEAD "A,0,0,12345678901234567,4,4,4,5,5,5,6,6,4,2\nA,1,0,1,4,4,4,5,5,5,6,6,4,2\n"},
        {"negative", "memory", HEAD ROW("A", "0") "A,1,0,-4,4,4,4,5,5,5,6,6,4,2\n"},
        {"minus zero", "grouped", HEAD "A,0,0,-0,4,4,4,5,5,5,6,6,4,2\nA,1,0,0,4,4,4,5,5,5,6,6,4,2\n"},
        {"no number", "memory", HEAD ROW("A", "0") "A,1,0,x,4,4,4,5,5,5,6,6,4,2\n"},
        {"nan", "memory", HEAD ROW("A", "0") "A,1,0,nan,4,4,4,5,5,5,6,6,4,2\n"},
        {"too large", "grouped", HEAD ROW("A", "0") "A,1,0,1e101,4,4,4,5,5,5,6,6,4,2\n"},
        {"a field less", "memory", HEAD ROW("A", "0") "A,1,0,4,4,4,5,5,5,6,6,4,2\n"},
        {"a field more", "memory", HEAD ROW("A", "0") "A,1,0,4,4,4,4,5,5,5,6,6,4,2,2\n"},
        {"a field missing in the middle of rows", "memory", HEAD ROW("A", "0") "A,1,0,4,4\n" ROW("A", "1")},
        {"no event", "memory", HEAD},
        {"an event without a name", "memory", HEAD ",0,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"beyond ASCII", "grouped", HEAD "\xc3\xa9,0,0,4,4,4,4,5,5,5,6,6,4,2\n\xc3\xa9,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"not UTF-8", "memory", HEAD ROW("A", "0") "\xff,1,0,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"threads", "grouped",
         HEAD "A,0,0,4,4,4,4,5,5,5,6,6,4,2\nA,0,1,4,4,4,4,5,5,5,6,6,4,2\n"
              "A,1,0,4,4,4,4,5,5,5,6,6,4,2\nA,1,1,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"thread one", "grouped", HEAD "A,0,1,4,4,4,4,5,5,5,6,6,4,2\nA,1,1,4,4,4,4,5,5,5,6,6,4,2\n"},
        {"an unknown kernel", "grouped", "event,repetition,thread,b1,b99\nA,0,0,1,1\nA,1,0,1,1\n"},
        {"provenance", "grouped", "# one\n# two\n" HEAD ROW("A", "0") ROW("A", "1")},
        {"a mark", "grouped", "\xef\xbb\xbf" HEAD ROW("A", "0") ROW("A", "1")},
        {"prefixes", "grouped", HEAD ROW("AB", "0") ROW("AB", "1") TAKEN("A", "0") TAKEN("A", "1")},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        compare(rows[i].name, rows[i].table, strlen(rows[i].table), "branch", rows[i].way);
}

/* A made-up table: its lines, which may stand in any order after the header. */
typedef struct made_table {
    char **lines;
    size_t count;
    const char *ending;
} made_table;

static void add_line(made_table *table, char *line)
{
    table->lines = realloc(table->lines, (table->count + 1) * sizeof *table->lines);
    table->lines[table->count++] = line;
}

static void put_values(FILE *stream, uint64_t *seed, bool quiet, size_t event)
{
    for (size_t k = 0; k < 11; k++) {
        size_t value = quiet ? event % 7 : random_below(seed, 1000);
        switch (quiet ? 0 : random_below(seed, 12)) {
        case 1: fprintf(stream, ",%zu.%zu", value, random_below(seed, 1000)); break;
        case 2: fprintf(stream, ",%.17g", (double)value / 7.0); break;
        case 3: fprintf(stream, ", %zu", value); break;
        default: fprintf(stream, ",%zu", value); break;
        }
    }
}

/* Events with their own numbers of threads, names of all kinds, one event after another, each from repetition 0. */
static made_table make_table(uint64_t *seed, size_t events, size_t repetitions)
{
    static const char *const names[] = {"EVENT_%zu",
                                        "UNIT::E%zu:MASK=1",
                                        "\"quoted, %zu\"",
                                        "\"plain quotes %zu\"",
                                        "\"doubled \"\" %zu\"",
                                        "\xc3\xa9v\xc3\xa9nement_%zu",
                                        " blanks %zu "};
    made_table table = {.ending = random_below(seed, 2) == 0 ? "\n" : "\r\n"};
    for (size_t e = 0; e < events; e++) {
        const char *name = names[random_below(seed, COUNT(names))];
        size_t threads = random_below(seed, 3) == 0 ? 1 + random_below(seed, 3) : 1;
        for (size_t r = 0; r < repetitions; r++)
            for (size_t t = 0; t < threads; t++) {
                char *line = NULL;
                size_t size = 0;
                FILE *stream = open_memstream(&line, &size);
                fprintf(stream, name, e); /* NOLINT(clang-diagnostic-format-nonliteral): one of those above */
                fprintf(stream, ",%zu,%zu", r, 4 * t);
                put_values(stream, seed, e % 2 == 0, e);
                fputs(table.ending, stream);
                fclose(stream);
                add_line(&table, line);
            }
    }
    if (random_below(seed, 2) == 0) {
        char *line = NULL;
        assert_true(asprintf(&line, "iterations,0,0,2,2,2,2,2,4,4,4,4,4,4%s", table.ending) > 0);
        add_line(&table, line);
    }
    return table;
}

static char *text_of(const made_table *table, const size_t *order, bool marked, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    fprintf(stream, "%s# made%s%.*s%s", marked ? "\xef\xbb\xbf" : "", table->ending, (int)strlen(HEAD) - 1, HEAD,
            table->ending);
    for (size_t i = 0; i < table->count; i++)
        fputs(table->lines[order[i]], stream);
    fclose(stream);
    return text;
}

static void clear_table(made_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->lines[i]);
    free(table->lines);
}

static void rows_in_any_order_give_the_same(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 60; number++) {
        uint64_t seed = number;
        made_table table = make_table(&seed, 3 + random_below(&seed, 30), 2 + random_below(&seed, 3));
        size_t *order = malloc(table.count * sizeof *order), size = 0;
        for (size_t i = 0; i < table.count; i++)
            order[i] = i;
        shuffle(order, table.count, &seed);
        char *text = text_of(&table, order, random_below(&seed, 2) == 0, &size);
        char name[32];
        snprintf(name, sizeof name, "seed %d", (int)number);
        compare(name, text, size, "branch", "scattered");
        free(text);
        free(order);
        clear_table(&table);
    }
}

/* One byte of a good table becomes another: the same result or the same message, whatever comes of it. */
static void a_wrong_byte_gives_the_same(void **state)
{
    (void)state;
    uint64_t seed = 11;
    made_table table = make_table(&seed, 6, 2);
    size_t *order = malloc(table.count * sizeof *order), size = 0;
    for (size_t i = 0; i < table.count; i++)
        order[i] = i;
    for (int number = 0; number < 600; number++) {
        static const char bytes[] = "0,\"\n\r\t -e.x#\xff\x01";
        if (number == 300)
            shuffle(order, table.count, &seed);
        char *text = text_of(&table, order, false, &size), name[64];
        size_t at = random_below(&seed, size);
        text[at] = bytes[random_below(&seed, sizeof bytes)];
        snprintf(name, sizeof name, "change %d at byte %zu", number, at);
        compare(name, text, size, "branch", NULL);
        free(text);
    }
    free(order);
    clear_table(&table);
}

/* Large enough for several blocks of the file and of events, in the orders that tables have. */
static void many_blocks_give_the_same(void **state)
{
    (void)state;
    enum { EVENTS = 90000, REPETITIONS = 3 };
    uint64_t seed = 3;
    made_table table = {.ending = "\n"};
    for (size_t e = 0; e < EVENTS; e++)
        for (size_t r = 0; r < REPETITIONS; r++) {
            char *line = NULL;
            size_t size = 0;
            FILE *stream = open_memstream(&line, &size);
            fprintf(stream, "EVENT_%zu,%zu,0", e, r);
            for (int k = 0; k < 11; k++)
                fprintf(stream, ",%zu", e % 2 == 0 ? e % 7 : random_below(&seed, 1000));
            fputc('\n', stream);
            fclose(stream);
            table.lines = e + r == 0 ? malloc(sizeof *table.lines * EVENTS * REPETITIONS) : table.lines;
            table.lines[table.count++] = line;
        }
    size_t *order = malloc(table.count * sizeof *order), size = 0;
    static const char *const names[] = {"event by event", "repetition by repetition", "shuffled"};
    for (size_t way = 0; way < COUNT(names); way++) {
        for (size_t i = 0; i < table.count; i++)
            order[i] = way == 0 ? i : i % EVENTS * REPETITIONS + i / EVENTS;
        if (way == 2)
            shuffle(order, table.count, &seed);
        char *text = text_of(&table, order, false, &size);
        assert_true(size > (size_t)9 << 20); /* three blocks and more */
        compare(names[way], text, size, "branch", way == 0 ? "grouped" : "scattered");
        free(text);
    }
    free(order);
    clear_table(&table);
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

/* Neither way of reading goes on, and nobody takes it for a fault of the table. */
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
        assert_int_equal(cm_stream_is_indexed(stream), i == 1);
        assert_true(cm_stream_block(stream, 0, stop_at_first, (void *)&stop));
        assert_false(cm_stream_block(stream, 0, stop_at_first, (void *)&stop));
        bool good = true;
        assert_int_equal(cm_stream_index(stream, &good, NULL), CM_OK);
        assert_false(good);
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
        cmocka_unit_test(rows_in_any_order_give_the_same),
        cmocka_unit_test(a_wrong_byte_gives_the_same),
        cmocka_unit_test(many_blocks_give_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
