#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/tables.h>

static char directory[] = "/tmp/catmint-tables-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/table.csv", directory);
    return 0;
}

/* Fails where a test left anything but the table. */
static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void put(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

#define TEXT(text) text, sizeof(text) - 1

typedef struct bad_row {
    const char *content;
    size_t length;
    size_t line;
    const char *message;
} bad_row;

static void expect_fault(size_t row, const bad_row *expected, cm_status status, const cm_error *error)
{
    if (status != CM_BAD_INPUT || strcmp(error->file, path) != 0 || error->line != expected->line ||
        strstr(error->text, expected->message) == NULL)
        fail_msg("row %zu: status %d, %s:%zu: %s; expected line %zu: %s", row, (int)status, error->file, error->line,
                 error->text, expected->line, expected->message);
}

/* ---- measurements ---- */

#define HEAD "event,repetition,thread,b1,b2\n"

static void bad_measurements_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(""), 1, "empty"},
        {TEXT(HEAD), 1, "no event follows the header"},
        {TEXT("# how\n" HEAD), 2, "no event follows the header"},
        {TEXT(HEAD "iterations,1,0,9,9\n"), 1, "no event follows the header"},
        {TEXT("event,repetition,b1,b2\nE,1,2,3\n"), 1, "column 3 is 'b1', expected 'thread'"},
        {TEXT("repetition,event,thread,b1\n1,E,0,3\n"), 1, "column 1 is 'repetition', expected 'event'"},
        {TEXT("event,repetition\nE,1\n"), 1, "column 3 is '(missing)', expected 'thread'"},
        {TEXT("event,repetition,thread\nE,1,0\n"), 1, "no kernel follows"},
        {TEXT("event,repetition,thread,b1,b1\nE,1,0,3,3\n"), 1, "column 'b1' appears twice"},
        {TEXT("event,repetition,thread,b1,\nE,1,0,3,3\n"), 1, "field 5 is empty"},
        {TEXT(HEAD "E,1,0,3\n"), 2, "4 fields in this row, expected 5"},
        {TEXT(HEAD "E,1,0,3,4,5\n"), 2, "6 fields in this row, expected 5"},
        {TEXT(HEAD "E,1,0,3,four\n"), 2, "column 'b2': 'four' is not a decimal number"},
        {TEXT(HEAD "E,1,0,3,\n"), 2, "column 'b2': empty"},
        {TEXT(HEAD "E,1,0,nan,4\n"), 2, "column 'b1': 'nan' is not finite"},
        {TEXT(HEAD "E,1,0,3,inf\n"), 2, "column 'b2': 'inf' is not finite"},
        {TEXT(HEAD "E,1,0,3,1e999\n"), 2, "beyond the range"},
        {TEXT(HEAD "E,1,0,3,4\nE,2,0,3,-1\n"), 3, "column 'b2': -1 is negative"},
        {TEXT(HEAD "E,one,0,3,4\n"), 2, "column 'repetition': 'one' is not a whole number"},
        {TEXT(HEAD "E,1,-1,3,4\n"), 2, "column 'thread': '-1' is not a whole number"},
        {TEXT(HEAD ",1,0,3,4\n"), 2, "field 1 is empty"},
        {TEXT(HEAD "\"E\nF\",1,0,3,4\n"), 2, "line break"},
        {TEXT(HEAD "E,1,0,3,4\nF,1,0,3,4\nE,1,0,3,4\n"), 4,
         "event 'E', repetition 1, thread 0 is there already, in line 2"},
        {TEXT(HEAD "iterations,1,0,9,9\nE,1,0,3,4\niterations,2,0,9,9\n"), 4, "second row of iterations"},
        {TEXT(HEAD "iterations,1,0,9,0\nE,1,0,3,4\n"), 2, "column 'b2': 0 iterations"},
        {TEXT(HEAD "iterations,1,0,9,-9\nE,1,0,3,4\n"), 2, "negative"},
        {TEXT(HEAD "E,1,0,3,4\nE,2,0,3,4\nF,1,0,3,4\n"), 4, "event 'F' lacks repetition 2, which 'E' has"},
        {TEXT(HEAD "E,1,0,3,4\nF,1,0,3,4\nF,2,0,3,4\n"), 2, "event 'E' lacks repetition 2, which 'F' has"},
        {TEXT(HEAD "E,1,0,3,4\nE,2,0,3,4\nF,1,0,3,4\nF,3,0,3,4\n"), 4, "event 'F' lacks repetition 2"},
        {TEXT(HEAD "E,1,0,3,4\nE,1,1,3,4\nE,2,0,3,4\n"), 2,
         "event 'E': repetitions 1 and 2 do not have the same threads"},
        {TEXT(HEAD "E,1,0,3,4\nE,2,0,3,4\nE,2,1,3,4\n"), 2, "repetitions 1 and 2 do not have the same threads"},
        {TEXT(HEAD "E,1,0,3,4\nE,1,1,3,4\nE,2,0,3,4\nE,2,2,3,4\n"), 2, "repetitions 1 and 2 do not"},
        {TEXT(HEAD "E,1,0,3,4\nE,1,1,3,4\nE,2,0,3,4\nE,3,0,3,4\nE,3,1,3,4\n"), 2, "repetitions 1 and 2 do not"},
        {TEXT(HEAD "E,1,0,\"3,4\nF,1,0,3,4\n"), 2, "unclosed quote"},
        {TEXT(HEAD "E,1,0,3,4\0\n"), 2, "NUL byte"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_measurements *measurements = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_measurements_load(path, &measurements, &error), &error);
        assert_null(measurements);
    }
}

/* Everything of a table in one text. */
static void describe(const cm_measurements *measurements, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; measurements->iterations != NULL && i < measurements->kernel_count; i++)
        used += (size_t)snprintf(text + used, size - used, "/%g", measurements->iterations[i]);
    for (size_t e = 0; e < measurements->event_count; e++) {
        const cm_measurement *event = &measurements->events[e];
        used += (size_t)snprintf(text + used, size - used, " %s@%zu %zux%zu", event->event, event->line,
                                 event->repetition_count, event->thread_count);
        size_t count = event->repetition_count * event->thread_count * measurements->kernel_count;
        for (size_t i = 0; i < count; i++)
            used += (size_t)snprintf(text + used, size - used, ":%g", event->values[i]);
    }
}

static void measurements_are_put_in_order(void **state)
{
    (void)state;
    static const struct {
        const char *content;
        const char *expected;
    } rows[] = {
        {HEAD "E,1,0,3,4\nE,2,0,5,6\n", " E@2 2x1:3:4:5:6"},
        {HEAD "E,1,0,3,4\n", " E@2 1x1:3:4"},
        {HEAD "E,2,0,5,6\nE,1,0,3,4\n", " E@2 2x1:3:4:5:6"},
        {HEAD "F,7,0,9,9\nE,7,0,5,6\nE,0,0,3,4\nF,0,0,8,8\n", " F@2 2x1:8:8:9:9 E@3 2x1:3:4:5:6"},
        {HEAD "E,2,5,7,8\nE,1,5,3,4\nE,2,0,5,6\nE,1,0,1,2\n", " E@2 2x2:1:2:3:4:5:6:7:8"},
        {HEAD "E,1,0,3,4\nE,2,0,5,6\nU,1,3,1,1\nU,1,4,2,2\nU,2,3,3,3\nU,2,4,4,4\n",
         " E@2 2x1:3:4:5:6 U@4 2x2:1:1:2:2:3:3:4:4"},
        {HEAD "E,1,0,3,4\niterations,1,0,10,20.5\n", "/10/20.5 E@2 1x1:3:4"},
        {"\xEF\xBB\xBF# by hand\r\nevent,repetition,thread,b1,b2\r\n\"A:B=\"\"x,y\"\"\",1,0,0,1e6\r\n",
         " A:B=\"x,y\"@3 1x1:0:1e+06"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_measurements *measurements = NULL;
        cm_error error = {.text = ""};
        char text[256] = "";
        put(rows[i].content, strlen(rows[i].content));
        cm_status status = cm_measurements_load(path, &measurements, &error);
        if (status == CM_OK)
            describe(measurements, text, sizeof text);
        bool right = rows[i].expected == NULL ? status == CM_BAD_INPUT : strcmp(text, rows[i].expected) == 0;
        if (!right)
            fail_msg("row %zu: '%s' (%s), expected '%s'", i, text, error.text, rows[i].expected);
        cm_measurements_free(measurements);
    }
    cm_measurements_free(NULL);
}

static void a_table_that_is_not_there_is_an_io_error(void **state)
{
    (void)state;
    cm_measurements *measurements = NULL;
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_benchmarks *benchmarks = NULL;
    cm_error error;
    assert_int_equal(cm_measurements_load("/nowhere/x.csv", &measurements, &error), CM_IO);
    assert_string_equal(error.file, "/nowhere/x.csv");
    assert_int_equal(cm_basis_load("/nowhere/x.csv", &basis, &error), CM_IO);
    assert_int_equal(cm_signatures_load("/nowhere/x.csv", &signatures, &error), CM_IO);
    assert_int_equal(cm_benchmarks_load("/nowhere/x.csv", &benchmarks, &error), CM_IO);
}

static const char *const kernels[] = {"b1", "odd, name", "b3"};

static void written_measurements_read_back(void **state)
{
    (void)state;
    static const double iterations[] = {1000000, 0.5, 3};
    static const double values[][3] = {
        {24000000, 0, 1.0 / 3.0}, {0.1 + 0.2, 4.9e-324, 1.7976931348623157e308}, {1e15, 9007199254740993, 2e-17}};
    unlink(path);
    cm_measurements_writer *writer = NULL;
    assert_int_equal(cm_measurements_writer_create(path, "how\n\nit was made", 3, kernels, iterations, &writer, NULL),
                     CM_OK);
    for (size_t r = 0; r < 3; r++)
        assert_int_equal(cm_measurements_writer_add(writer, "A:B=\"1\"", r + 1, 4, values[r], NULL), CM_OK);
    assert_int_not_equal(access(path, F_OK), 0); /* nothing is there before it is whole */
    assert_int_equal(cm_measurements_writer_finish(writer, NULL), CM_OK);
    cm_measurements_writer_free(writer);

    char text[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text,
                        "# how\n#\n# it was made\nevent,repetition,thread,b1,\"odd, name\",b3\n"
                        "iterations,1,0,1000000,0.5,3\n\"A:B=\"\"1\"\"\",1,4,24000000,0,0.3333333333333333\n"
                        "\"A:B=\"\"1\"\"\",2,4,0.30000000000000004,4.94065645841247e-324,1.7976931348623157e+308\n"
                        "\"A:B=\"\"1\"\"\",3,4,1000000000000000,9007199254740992,2e-17\n");
}

static void what_is_no_measurement_is_not_written(void **state)
{
    (void)state;
    static const struct {
        const char *event;
        double value;
        cm_status status;
    } rows[] = {
        {"E", 1.0, CM_OK},
        {"", 1.0, CM_BAD_ARGUMENT},
        {"iterations", 1.0, CM_BAD_ARGUMENT},
        {"A\nB", 1.0, CM_BAD_ARGUMENT},
        {"\x1b[0m", 1.0, CM_BAD_ARGUMENT},
        {"E", -1.0, CM_BAD_ARGUMENT},
        {"E", NAN, CM_BAD_ARGUMENT},
        {"E", INFINITY, CM_BAD_ARGUMENT},
    };
    put(TEXT("before"));
    cm_measurements_writer *writer = NULL;
    assert_int_equal(cm_measurements_writer_create(path, NULL, 3, kernels, NULL, &writer, NULL), CM_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double values[] = {1.0, 2.0, rows[i].value};
        if (cm_measurements_writer_add(writer, rows[i].event, 1, 0, values, NULL) != rows[i].status)
            fail_msg("row %zu", i);
    }
    cm_measurements_writer_free(writer); /* not finished: what was there stays */
    char text[16] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 6);
    fclose(file);
    assert_string_equal(text, "before");
    unlink(path);

    static const char *const twice[] = {"b1", "b1"};
    static const double zero[] = {1.0, 0.0, 1.0};
    cm_error error;
    assert_int_equal(cm_measurements_writer_create(path, NULL, 2, twice, NULL, &writer, &error), CM_BAD_ARGUMENT);
    assert_int_equal(cm_measurements_writer_create(path, NULL, 0, twice, NULL, &writer, &error), CM_BAD_ARGUMENT);
    assert_int_equal(cm_measurements_writer_create(path, NULL, 3, kernels, zero, &writer, &error), CM_BAD_ARGUMENT);
    assert_int_equal(cm_measurements_writer_create("/nowhere/x.csv", NULL, 3, kernels, NULL, &writer, &error), CM_IO);
    assert_string_equal(error.file, "/nowhere/x.csv");
    cm_measurements_writer_free(NULL);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    cm_measurements_writer *writer = NULL;
    cm_error error = {.text = ""};
    assert_int_equal(cm_measurements_writer_create("/dev/full", NULL, 3, kernels, NULL, &writer, &error), CM_OK);
    static const double values[] = {0.1, 0.2, 0.3};
    cm_status status = CM_OK;
    for (size_t i = 0; i < 10000 && status == CM_OK; i++)
        status = cm_measurements_writer_add(writer, "E", i, 0, values, &error);
    assert_int_equal(status, CM_IO);
    assert_string_equal(error.file, "/dev/full");
    assert_int_equal(cm_measurements_writer_finish(writer, &error), CM_IO);
    cm_measurements_writer_free(writer);
}

static void ten_thousand_events_are_taken(void **state)
{
    (void)state;
    enum { EVENTS = 10000, KERNELS = 48, REPETITIONS = 5 };
    static char names[KERNELS][8];
    const char *list[KERNELS];
    double values[KERNELS];
    for (size_t k = 0; k < KERNELS; k++) {
        snprintf(names[k], sizeof names[k], "k%zu", k);
        list[k] = names[k];
    }
    cm_measurements_writer *writer = NULL;
    assert_int_equal(cm_measurements_writer_create(path, NULL, KERNELS, list, NULL, &writer, NULL), CM_OK);
    for (size_t r = 0; r < REPETITIONS; r++) /* rows of an event do not stand together */
        for (size_t e = 0; e < EVENTS; e++) {
            char event[32];
            snprintf(event, sizeof event, "EVENT_%zu:UMASK", e);
            for (size_t k = 0; k < KERNELS; k++)
                values[k] = (double)(e * 1000000 + r * 1000 + k);
            assert_int_equal(cm_measurements_writer_add(writer, event, r, 0, values, NULL), CM_OK);
        }
    assert_int_equal(cm_measurements_writer_finish(writer, NULL), CM_OK);
    cm_measurements_writer_free(writer);
    cm_measurements *measurements = NULL;
    assert_int_equal(cm_measurements_load(path, &measurements, NULL), CM_OK);
    assert_int_equal(measurements->event_count, EVENTS);
    for (size_t e = 0; e < EVENTS; e++)
        for (size_t r = 0; r < REPETITIONS; r++)
            for (size_t k = 0; k < KERNELS; k++)
                if (measurements->events[e].values[r * KERNELS + k] != (double)(e * 1000000 + r * 1000 + k))
                    fail_msg("event %zu, repetition %zu, kernel %zu", e, r, k);
    cm_measurements_free(measurements);
}

/* ---- basis ---- */

static void bad_bases_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(""), 1, "empty"},
        {TEXT("kernel,A,B\n"), 1, "no kernel follows the header"},
        {TEXT("kernel\nb1\n"), 1, "no symbol follows"},
        {TEXT("name,A\nb1,1\n"), 1, "column 1 is 'name', expected 'kernel'"},
        {TEXT("kernel,A,A\nb1,1,1\n"), 1, "column 'A' appears twice"},
        {TEXT("kernel,A\nb1,1\nb2,1\nb1,2\n"), 4, "kernel 'b1' is there already, in line 2"},
        {TEXT("kernel,A\nb1,x\n"), 2, "column 'A': 'x' is not a decimal number"},
        {TEXT("kernel,A\nb1,inf\n"), 2, "not finite"},
        {TEXT("kernel,A\n,1\n"), 2, "field 1 is empty"},
        {TEXT("# x\nkernel,A,B\nb1,1,0\nb2,2,0\n"), 2, "symbol 'B' is zero for every kernel"},
        {TEXT("kernel,A,B\nb1,1\n"), 2, "2 fields in this row, expected 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *basis = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_basis_load(path, &basis, &error), &error);
    }
}

static void restriction_drops_what_cannot_run(void **state)
{
    (void)state;
    put(TEXT("# x\nkernel,A,B,C\na1,1,0,0\na2,2,0,0.5\nb1,0,3,0\nc1,0,0,4\n"));
    cm_basis *basis = NULL;
    assert_int_equal(cm_basis_load(path, &basis, NULL), CM_OK);
    assert_int_equal(basis->header_line, 2);
    assert_true(*cm_matrix_at(basis->expectations, 1, 2) == 0.5);
    static const struct {
        const char *kernels[4];
        size_t count;
        const char *expected; /* symbols, then the rows; NULL: refused */
    } rows[] = {
        {{"a1", "a2", "b1", "c1"}, 4, "A B C | 1 0 0 | 2 0 0.5 | 0 3 0 | 0 0 4 |"},
        {{"b1", "a1"}, 2, "A B | 0 3 | 1 0 |"},
        {{"a2"}, 1, "C | 0.5 |"},
        {{NULL}, 0, "|"},
        {{"a1", "x1"}, 2, NULL},
        {{"a1", "a1"}, 2, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *restricted = NULL;
        cm_error error;
        cm_status status = cm_basis_restrict(basis, rows[i].count, rows[i].kernels, &restricted, &error);
        assert_int_equal(status, rows[i].expected != NULL ? CM_OK : CM_BAD_INPUT);
        if (status != CM_OK)
            continue;
        char text[128] = "";
        size_t used = 0;
        for (size_t j = 0; j < restricted->symbol_count; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s ", restricted->symbols[j]);
        used += (size_t)snprintf(text + used, sizeof text - used, "|");
        for (size_t k = 0; k < restricted->kernel_count; k++) {
            assert_string_equal(restricted->kernels[k], rows[i].kernels[k]);
            for (size_t j = 0; j < restricted->symbol_count; j++)
                used += (size_t)snprintf(text + used, sizeof text - used, " %g",
                                         *cm_matrix_at(restricted->expectations, k, j));
            used += (size_t)snprintf(text + used, sizeof text - used, " |");
        }
        assert_string_equal(text, rows[i].expected);
        cm_basis_free(restricted);
    }
    put(TEXT("# y\n# z\nevent,repetition,thread,a1,unknown\nE,1,0,1,2\n"));
    cm_measurements *measurements = NULL;
    cm_basis *restricted = NULL;
    cm_error error;
    assert_int_equal(cm_measurements_load(path, &measurements, NULL), CM_OK);
    const bad_row expected = {NULL, 0, 3, "kernel 'unknown' is not in the basis"};
    expect_fault(0, &expected, cm_basis_restrict_to(basis, measurements, &restricted, &error), &error);
    cm_measurements_free(measurements);
    cm_basis_free(basis);
    cm_basis_free(NULL);
}

/* ---- signatures ---- */

#define SIGNATURE_HEAD "metric,preset,description,A,B\n"

static void bad_signatures_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(SIGNATURE_HEAD), 1, "no metric follows the header"},
        {TEXT("metric,preset,description\nM,,\n"), 1, "no symbol follows"},
        {TEXT("metric,preset,A\nM,,1\n"), 1, "column 3 is 'A', expected 'description'"},
        {TEXT(SIGNATURE_HEAD "M,,,1,0\nM,,,0,1\n"), 3, "metric 'M' is there already, in line 2"},
        {TEXT(SIGNATURE_HEAD "M,,,1,0\nN,,,0,0\n"), 3, "metric 'N' is zero for every symbol"},
        {TEXT(SIGNATURE_HEAD "M,,,1,x\n"), 2, "column 'B': 'x' is not"},
        {TEXT(SIGNATURE_HEAD ",,,1,1\n"), 2, "field 1 is empty"},
        {TEXT(SIGNATURE_HEAD "M,,a,b,1,1\n"), 2, "6 fields in this row, expected 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_signatures *signatures = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_signatures_load(path, &signatures, &error), &error);
    }
}

static void signatures_follow_the_basis(void **state)
{
    (void)state;
    put(TEXT(SIGNATURE_HEAD "M,PAPI_M,\"a, b\",1,-2\nN,,,0,3\n"));
    cm_signatures *signatures = NULL, *restricted = NULL;
    assert_int_equal(cm_signatures_load(path, &signatures, NULL), CM_OK);
    assert_int_equal(signatures->metric_count, 2);
    assert_string_equal(signatures->metrics[0].preset, "PAPI_M");
    assert_string_equal(signatures->metrics[0].description, "a, b");
    assert_string_equal(signatures->metrics[1].preset, "");

    static char *both[] = {"B", "A"}, *unknown[] = {"A", "X"};
    cm_basis basis = {.file = "basis.csv", .symbol_count = 2, .symbols = both};
    assert_int_equal(cm_signatures_restrict(signatures, &basis, &restricted, NULL), CM_OK);
    assert_string_equal(restricted->symbols[0], "B");
    assert_true(restricted->metrics[0].values[0] == -2.0 && restricted->metrics[0].values[1] == 1.0);
    cm_signatures_free(restricted);

    basis = (cm_basis){.file = "basis.csv", .symbol_count = 1, .symbols = both + 1};
    assert_int_equal(cm_signatures_restrict(signatures, &basis, &restricted, NULL), CM_OK);
    assert_int_equal(restricted->metric_count, 2);
    assert_true(restricted->metrics[1].values[0] == 0.0); /* nothing is left, but it is there */
    cm_signatures_free(restricted);

    basis = (cm_basis){.file = "basis.csv", .symbol_count = 2, .symbols = unknown};
    cm_error error;
    const bad_row expected = {NULL, 0, 1, "no column for symbol 'X' of the basis basis.csv"};
    expect_fault(0, &expected, cm_signatures_restrict(signatures, &basis, &restricted, &error), &error);
    cm_signatures_free(signatures);
    cm_signatures_free(NULL);
}

/* ---- benchmarks ---- */

#define BENCHMARK_HEAD "benchmark,tau,alpha,residual,quantum,description\n"

static void bad_benchmarks_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(BENCHMARK_HEAD), 1, "no benchmark follows the header"},
        {TEXT(BENCHMARK_HEAD "a,1e-10,5e-4,1e-2,0,x\na,1e-10,5e-4,1e-2,0,x\n"), 3, "benchmark 'a' appears twice"},
        {TEXT(BENCHMARK_HEAD "a,-1,5e-4,1e-2,0,x\n"), 2, "tau is negative"},
        {TEXT(BENCHMARK_HEAD "a,1,0,1e-2,0,x\n"), 2, "alpha is 0, expected between 0 and 1"},
        {TEXT(BENCHMARK_HEAD "a,1,1,1e-2,0,x\n"), 2, "alpha is 1, expected between 0 and 1"},
        {TEXT(BENCHMARK_HEAD "a,1,.5,1e-2,none,x\n"), 2, "column 'quantum': 'none' is not"},
        {TEXT("benchmark,tau,alpha,residual,quantum,description,more\n"), 1, "unknown column 'more'"},
        {TEXT("benchmark,tau,alpha,quantum,description\n"), 1, "column 4 is 'quantum', expected 'residual'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_benchmarks *benchmarks = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_benchmarks_load(path, &benchmarks, &error), &error);
    }
    cm_benchmarks_free(NULL);
}

/* ---- what comes with catmint ---- */

static void thresholds_are_those_of_the_design(void **state)
{
    (void)state;
    static const cm_benchmark rows[] = {{"cpu-flops", 1e-10, 5e-4, 1e-2, 0.0, NULL},
                                        {"branch", 1e-10, 5e-4, 1e-2, 0.25, NULL},
                                        {"dcache", 1e-1, 5e-2, 1e-1, 0.0, NULL},
                                        {"gpu-flops", 1e-10, 5e-4, 1e-2, 0.0, NULL}};
    char *file = NULL;
    cm_benchmarks *benchmarks = NULL;
    assert_int_equal(cm_data_path("bases/benchmarks.csv", &file, NULL), CM_OK);
    assert_int_equal(cm_benchmarks_load(file, &benchmarks, NULL), CM_OK);
    assert_int_equal(benchmarks->count, 4);
    for (size_t i = 0; i < 4; i++) {
        const cm_benchmark *item = &benchmarks->items[i];
        assert_string_equal(item->name, rows[i].name);
        assert_true(item->tau == rows[i].tau && item->alpha == rows[i].alpha && item->residual == rows[i].residual &&
                    item->quantum == rows[i].quantum);
        assert_ptr_equal(cm_benchmarks_find(benchmarks, rows[i].name), item);
    }
    assert_null(cm_benchmarks_find(benchmarks, "none"));
    cm_benchmarks_free(benchmarks);
    free(file);
}

static cm_basis *load_basis(const char *benchmark)
{
    char name[64], *file = NULL;
    cm_basis *basis = NULL;
    snprintf(name, sizeof name, "bases/%s.csv", benchmark);
    assert_int_equal(cm_data_path(name, &file, NULL), CM_OK);
    assert_int_equal(cm_basis_load(file, &basis, NULL), CM_OK);
    free(file);
    return basis;
}

static void every_basis_has_its_signatures(void **state)
{
    (void)state;
    static const struct {
        const char *benchmark;
        size_t kernels, symbols, metrics;
        const char *first, *last; /* symbols */
    } rows[] = {
        {"cpu-flops", 72, 24, 11, "S_SCAL", "H_FMA_512"},
        {"branch", 11, 5, 8, "CE", "M"},
        {"dcache", 24, 4, 6, "L1_DM", "L3_DH"},
        {"gpu-flops", 45, 15, 6, "A_H", "F_D"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *basis = load_basis(rows[i].benchmark);
        assert_int_equal(basis->kernel_count, rows[i].kernels);
        assert_int_equal(basis->symbol_count, rows[i].symbols);
        assert_string_equal(basis->symbols[0], rows[i].first);
        assert_string_equal(basis->symbols[rows[i].symbols - 1], rows[i].last);
        char name[64], *file = NULL;
        cm_signatures *signatures = NULL, *restricted = NULL;
        snprintf(name, sizeof name, "signatures/%s.csv", rows[i].benchmark);
        assert_int_equal(cm_data_path(name, &file, NULL), CM_OK);
        assert_int_equal(cm_signatures_load(file, &signatures, NULL), CM_OK);
        assert_int_equal(signatures->symbol_count, rows[i].symbols);
        assert_int_equal(cm_signatures_restrict(signatures, basis, &restricted, NULL), CM_OK);
        assert_int_equal(restricted->metric_count, rows[i].metrics);
        cm_signatures_free(restricted);
        cm_signatures_free(signatures);
        cm_basis_free(basis);
        free(file);
    }
}

/* DESIGN's matrix of eq. (3), row by row. */
static void the_branch_basis_is_the_papers(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        double values[5];
    } rows[] = {{"b1", {2, 2, 1.5, 0, 0}},    {"b2", {2, 2, 1, 0, 0}},         {"b3", {2, 2, 2, 0, 0}},
                {"b4", {2, 2, 1.5, 0, .5}},   {"b4a", {2.5, 2.5, 1.5, 0, .5}}, {"b4b", {2.5, 2.5, 2, 0, .5}},
                {"b5", {2.5, 2, 1.5, 0, .5}}, {"b5a", {3, 2.5, 1.5, 0, .5}},   {"b5b", {3, 2.5, 2, 0, .5}},
                {"b6", {2, 2, 1, 1, 0}},      {"b7", {1, 1, 1, 0, 0}}};
    cm_basis *basis = load_basis("branch");
    for (size_t i = 0; i < 11; i++) {
        assert_string_equal(basis->kernels[i], rows[i].kernel);
        for (size_t j = 0; j < 5; j++)
            assert_true(*cm_matrix_at(basis->expectations, i, j) == rows[i].values[j]);
    }
    cm_basis_free(basis);
}

/* A kernel <symbol>.<count> executes <count> of its symbol and nothing else. */
static void flops_kernels_are_what_their_names_say(void **state)
{
    (void)state;
    static const char *const benchmarks[] = {"cpu-flops", "gpu-flops"};
    for (size_t b = 0; b < 2; b++) {
        cm_basis *basis = load_basis(benchmarks[b]);
        for (size_t i = 0; i < basis->kernel_count; i++)
            for (size_t j = 0; j < basis->symbol_count; j++) {
                size_t length = strlen(basis->symbols[j]);
                bool own =
                    strncmp(basis->kernels[i], basis->symbols[j], length) == 0 && basis->kernels[i][length] == '.';
                double expected = own ? strtod(basis->kernels[i] + length + 1, NULL) : 0.0;
                if (*cm_matrix_at(basis->expectations, i, j) != expected || (own && expected < 12.0))
                    fail_msg("%s, %s", basis->kernels[i], basis->symbols[j]);
            }
        cm_basis_free(basis);
    }
}

static void data_files_are_found(void **state)
{
    (void)state;
    char *file = NULL;
    cm_error error;
    char *before = getenv("CATMINT_DATA_DIR");
    char *kept = before != NULL ? strdup(before) : NULL;
    put(TEXT("x"));
    setenv("CATMINT_DATA_DIR", directory, 1);
    assert_int_equal(cm_data_path("table.csv", &file, &error), CM_OK);
    assert_string_equal(file, path);
    free(file);
    assert_int_equal(cm_data_path("bases/branch.csv", &file, &error), CM_IO); /* only there */
    assert_non_null(strstr(error.text, directory));
    unsetenv("CATMINT_DATA_DIR");
    assert_int_equal(cm_data_path("bases/branch.csv", &file, &error), CM_OK); /* the build tree's share/catmint */
    free(file);
    assert_int_equal(cm_data_path("bases/none.csv", &file, &error), CM_IO);
    assert_non_null(strstr(error.text, "'bases/none.csv' is not in share/catmint"));
    if (kept != NULL)
        setenv("CATMINT_DATA_DIR", kept, 1);
    free(kept);
}

static void symbols_that_cannot_be_told_apart_are_not_measured(void **state)
{
    (void)state;
    static const struct {
        const char *kernels[4];
        size_t kernel_count, symbols, indistinct;
        const char *known; /* metrics of which something is left, by their first letters */
    } rows[] = {
        {{"L1.1", "L2.1", "L3.1", "MEM.1"}, 4, 4, 0, "L1 Misses L1 Hits L1 Reads L2 Hits L2 Misses L3 Hits "},
        {{"L1.1", "L2.1", "L3.1"}, 3, 3, 3, "L1 Hits "},
        {{"L1.1", "L2.1", "MEM.1"}, 3, 3, 0, "L1 Misses L1 Hits L1 Reads L2 Hits L2 Misses "},
        {{"L1.1", "L2.1"}, 2, 2, 2, "L1 Hits "},
        {{"L1.1"}, 1, 1, 0, "L1 Hits L1 Reads "},
    };
    cm_basis *whole = NULL;
    cm_signatures *all = NULL;
    char *found = NULL;
    assert_int_equal(cm_data_path("bases/dcache.csv", &found, NULL), CM_OK);
    assert_int_equal(cm_basis_load(found, &whole, NULL), CM_OK);
    free(found);
    assert_int_equal(cm_data_path("signatures/dcache.csv", &found, NULL), CM_OK);
    assert_int_equal(cm_signatures_load(found, &all, NULL), CM_OK);
    free(found);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_basis *basis = NULL;
        cm_signatures *signatures = NULL;
        char known[256] = "";
        assert_int_equal(cm_basis_restrict(whole, rows[r].kernel_count, rows[r].kernels, &basis, NULL), CM_OK);
        assert_int_equal(basis->symbol_count, rows[r].symbols);
        assert_int_equal(basis->indistinct_count, rows[r].indistinct);
        assert_int_equal(cm_signatures_restrict(all, basis, &signatures, NULL), CM_OK);
        for (size_t m = 0; m < signatures->metric_count; m++) {
            bool left = false;
            for (size_t s = 0; s < basis->symbol_count; s++)
                left = left || signatures->metrics[m].values[s] != 0.0;
            if (left) {
                strcat(known, signatures->metrics[m].metric);
                strcat(known, " ");
            }
        }
        if (strcmp(known, rows[r].known) != 0)
            fail_msg("row %zu: %s", r, known);
        cm_signatures_free(signatures);
        cm_basis_free(basis);
    }
    cm_signatures_free(all);
    cm_basis_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_measurements_are_refused),
        cmocka_unit_test(measurements_are_put_in_order),
        cmocka_unit_test(a_table_that_is_not_there_is_an_io_error),
        cmocka_unit_test(written_measurements_read_back),
        cmocka_unit_test(what_is_no_measurement_is_not_written),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(ten_thousand_events_are_taken),
        cmocka_unit_test(bad_bases_are_refused),
        cmocka_unit_test(restriction_drops_what_cannot_run),
        cmocka_unit_test(bad_signatures_are_refused),
        cmocka_unit_test(signatures_follow_the_basis),
        cmocka_unit_test(bad_benchmarks_are_refused),
        cmocka_unit_test(thresholds_are_those_of_the_design),
        cmocka_unit_test(every_basis_has_its_signatures),
        cmocka_unit_test(the_branch_basis_is_the_papers),
        cmocka_unit_test(flops_kernels_are_what_their_names_say),
        cmocka_unit_test(data_files_are_found),
        cmocka_unit_test(symbols_that_cannot_be_told_apart_are_not_measured),
    };
    return cmocka_run_group_tests_name("tables", tests, make_directory, remove_directory);
}
