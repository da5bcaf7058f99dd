/* Random tables, streamed and held in memory: rows in any order, a wrong byte, many blocks. */
#include "two_ways.h"

enum { TABLES = 6, CHANGES = 200, MORE = 10 };

/* CATMINT_SEED, which is another one at each commit (tests/surroundings/run.py), and with CATMINT_LONG so many times as
 * much. */
static uint64_t first_seed(void)
{
    const char *seed = getenv("CATMINT_SEED");
    return seed != NULL ? strtoull(seed, NULL, 10) : 1;
}

static uint64_t times(uint64_t count)
{
    return getenv("CATMINT_LONG") != NULL ? MORE * count : count;
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
    for (uint64_t number = 0; number < times(TABLES); number++) {
        uint64_t seed = first_seed() + number;
        made_table table = make_table(&seed, 3 + random_below(&seed, 30), 2 + random_below(&seed, 3));
        size_t *order = malloc(table.count * sizeof *order), size = 0;
        for (size_t i = 0; i < table.count; i++)
            order[i] = i;
        shuffle(order, table.count, &seed);
        char *text = text_of(&table, order, random_below(&seed, 2) == 0, &size);
        char name[64];
        snprintf(name, sizeof name, "CATMINT_SEED=%llu", (unsigned long long)(first_seed() + number));
        compare(name, text, size, "branch", "streamed");
        free(text);
        free(order);
        clear_table(&table);
    }
}

/* One byte of a good table becomes another: the same result or the same message, whatever comes of it. */
static void a_wrong_byte_gives_the_same(void **state)
{
    (void)state;
    const uint64_t changes = times(CHANGES);
    uint64_t seed = first_seed();
    made_table table = make_table(&seed, 6, 2);
    size_t *order = malloc(table.count * sizeof *order), size = 0;
    for (size_t i = 0; i < table.count; i++)
        order[i] = i;
    for (uint64_t number = 0; number < changes; number++) {
        static const char bytes[] = "0,\"\n\r\t -e.x#\xff\x01";
        if (number == changes / 2)
            shuffle(order, table.count, &seed);
        char *text = text_of(&table, order, false, &size), name[96];
        size_t at = random_below(&seed, size);
        /* Every other one is where a field begins: most rules are about that. */
        while (number % 2 == 0 && at + 1 < size && (at == 0 || text[at - 1] != ','))
            at++;
        text[at] = bytes[random_below(&seed, sizeof bytes)];
        snprintf(name, sizeof name, "CATMINT_SEED=%llu, change %d at byte %zu", (unsigned long long)first_seed(),
                 (int)number, at);
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
        compare(names[way], text, size, "branch", "streamed");
        free(text);
    }
    free(order);
    clear_table(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_any_order_give_the_same),
        cmocka_unit_test(a_wrong_byte_gives_the_same),
        cmocka_unit_test(many_blocks_give_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
