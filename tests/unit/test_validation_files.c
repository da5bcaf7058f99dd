/* Validations read back from a sweep's directory: whole ones, those of another sweep, and faulty ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>
#include <catmint/validation.h>

static char top[] = "/tmp/catmint-validation-XXXXXX";
static const char *const names[] = {"manifest.json", "validation/manifest.json", "validation/programs.csv"};

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", top, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_directories(void **state)
{
    (void)state;
    char path[128];
    bool made = mkdtemp(top) != NULL;
    snprintf(path, sizeof path, "%s/validation", top);
    return made && mkdir(path, 0700) == 0 ? 0 : -1;
}

static int remove_directories(void **state)
{
    (void)state;
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", top, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/validation", top);
    return rmdir(path) == 0 && rmdir(top) == 0 ? 0 : -1;
}

#define PROGRAM(name, facts) "{\"program\": \"" name "\", \"description\": \"4 loads\", \"facts\": {" facts "}}"
#define MANIFEST(programs) "{\"validation\": {\"sweep\": \"one\", \"seed\": 3, \"programs\": [" programs "]}}"
#define FACTS "\"loads\": 100, \"mispredicted_cond\": [5, 2], \"l1d_load_hit\": null"

static const char sweep[] = "{\"checksum\": \"one\"}", whole[] = MANIFEST(PROGRAM("p1", FACTS));
static const char counts[] =
    "event,repetition,thread,empty,p1\niterations,1,0,8,8\nLD,1,0,1,103\nLD,2,0,1,101\nLD,3,0,2,102\n";

static void what_is_whole_is_read(void **state)
{
    (void)state;
    cm_program_table *table = NULL;
    cm_error error;
    write_file(names[0], sweep);
    write_file(names[1], whole);
    write_file(names[2], counts);
    if (cm_program_table_load(top, CM_STAGE_PROGRAMS, &table, &error) != CM_OK)
        fail_msg("%s: %s", error.file, error.text);
    assert_non_null(table);
    assert_int_equal(table->seed, 3);
    assert_int_equal(table->program_count, 1);
    assert_string_equal(table->programs[0], "p1");
    assert_string_equal(table->descriptions[0], "4 loads");
    assert_true(table->facts[cm_fact_find("loads")] == 100.0 && table->ranges[cm_fact_find("loads")] == 0.0);
    assert_true(table->facts[cm_fact_find("mispredicted_cond")] == 5.0);
    assert_true(table->ranges[cm_fact_find("mispredicted_cond")] == 2.0);
    assert_true(isinf(table->ranges[cm_fact_find("l1d_load_hit")]));
    assert_true(table->facts[cm_fact_find("stores")] == 0.0 && table->ranges[cm_fact_find("stores")] == 0.0);
    assert_int_equal(table->event_count, 1);
    assert_string_equal(table->events[0], "LD");
    assert_true(table->counts[0] == 101.0); /* the medians, 102 and 1 */
    assert_true(fabs(table->errors[0] - sqrt(1.0 / 3.0)) < 1e-12);
    assert_true(table->iterations[0] == 8.0);
    cm_program_table_free(table);
}

/* NULL: there is no such file. */
static void what_is_not_is_none_or_faulty(void **state)
{
    (void)state;
    static const struct {
        const char *files[3], *text; /* "": no fault, and no validation */
    } rows[] = {
        {{sweep, NULL, NULL}, ""},
        {{NULL, whole, counts}, ""},
        {{"{\"checksum\": \"two\"}", whole, counts}, ""}, /* another sweep */
        {{sweep, "{}", counts}, "expected an object"},
        {{sweep, "{\"validation\": 7}", counts}, "expected an object"},
        {{sweep, MANIFEST(""), counts}, "expected a seed and programs"},
        {{sweep, MANIFEST("7"), counts}, "expected programs with a name"},
        {{sweep, MANIFEST(PROGRAM("p1", "\"lods\": 1")), counts}, "expected a fact as a number"},
        {{sweep, MANIFEST(PROGRAM("p1", "\"loads\": \"1\"")), counts}, "expected a fact as a number"},
        {{sweep, MANIFEST(PROGRAM("p1", "\"loads\": [1, null]")), counts}, "expected a fact as a number"},
        {{sweep, MANIFEST(PROGRAM("p2", FACTS)), counts}, "not those of the manifest"},
        {{sweep, MANIFEST(PROGRAM("p1", FACTS) ", " PROGRAM("p2", FACTS)), counts}, "not those of the manifest"},
        {{sweep, whole, NULL}, "lists no programs.csv"},
        {{sweep, whole, "event\n"}, "repetition"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_program_table *table = NULL;
        cm_error error = {0};
        char path[128];
        for (size_t i = 0; i < 3; i++) {
            snprintf(path, sizeof path, "%s/%s", top, names[i]);
            unlink(path);
            if (rows[r].files[i] != NULL)
                write_file(names[i], rows[r].files[i]);
        }
        cm_status status = cm_program_table_load(top, CM_STAGE_PROGRAMS, &table, &error);
        bool faulty = rows[r].text[0] != '\0';
        if (status != (faulty ? CM_BAD_INPUT : CM_OK) || table != NULL || strstr(error.text, rows[r].text) == NULL)
            fail_msg("row %zu: status %d: %s", r, (int)status, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_whole_is_read, make_directories, NULL),
        cmocka_unit_test_setup_teardown(what_is_not_is_none_or_faulty, NULL, remove_directories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
