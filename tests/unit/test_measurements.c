/* Tables of measurements: reading and writing. */
#include <math.h>
#include <stdbool.h>

#include "table_files.h"

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
         "event 'E', repetition 1, thread 0 appears twice, first in line 2"},
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
        {HEAD " E ,1,0,3,4\n\n\"E\", 2,0,5,.6e1\r\n\" E\",1,0,7,8\n\" E\",2,0,9,10",
         " E@2 2x1:3:4:5:6  E@5 2x1:7:8:9:10"},
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
    };
    return cmocka_run_group_tests_name("measurements", tests, make_directory, remove_directory);
}
