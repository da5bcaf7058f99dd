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

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char good_machine[] =
    "key,value\nline_size,64\npage_size,4096\nl1d_size,32768\nl1d_ways,8\nl2_size,262144\nl2_ways,8\nl3_size,0\nl3_"
    "ways,0\n"
    "dtlb_entries,64\npredictor,gshare\nwrong_path_window,32\ncounters,8\ninterference,0.01\n";
static const char good_events[] = "event,description,expression\nE,an event,instructions\n";

static void write_text(const char *directory, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_model(const char *directory, const char *events, const char *machine)
{
    write_text(directory, "events.csv", events);
    write_text(directory, "machine.csv", machine);
}

static void remove_model(const char *directory)
{
    char path[256];
    snprintf(path, sizeof path, "%s/events.csv", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/machine.csv", directory);
    unlink(path);
    rmdir(directory);
}

static void models_that_come_along_are_whole(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t least;
    } rows[] = {{"golden-cove", 80}, {"skylake", 60}, {"zen4", 45}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char directory[512];
        cm_pmu_model *model = NULL;
        cm_error error;
        snprintf(directory, sizeof directory, "%s/data/pmu/%s/", CM_TEST_SOURCE_DIR, rows[i].name);
        if (cm_pmu_model_load(directory, &model, &error) != CM_OK)
            fail_msg("%s:%zu: %s", error.file, error.line, error.text);
        assert_string_equal(cm_pmu_model_name(model), rows[i].name);
        assert_true(cm_pmu_model_event_count(model) >= rows[i].least);
        for (size_t e = 0; e < cm_pmu_model_event_count(model); e++)
            assert_true(cm_pmu_model_event(model, e).description[0] != '\0');
        cm_pmu_model_free(model);
    }
}

static size_t find_event(const cm_pmu_model *model, const char *name)
{
    for (size_t e = 0; e < cm_pmu_model_event_count(model); e++)
        if (strcmp(cm_pmu_model_event(model, e).name, name) == 0)
            return e;
    fail_msg("no event %s", name);
    return 0;
}

static void events_are_functions_of_facts(void **state)
{
    (void)state;
    static const struct {
        const char *event, *fact;
        int64_t value; /* for one of the fact */
    } rows[] = {
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_d_scalar", 1},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_d_scalar_fma", 2},
        {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_s_scalar", 0},
        {"FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", "fp_s_512_fma", 2},
        {"FP_ARITH_INST_RETIRED:8_FLOPS", "fp_d_512", 1},
        {"FP_ARITH_INST_RETIRED2:128B_PACKED_HALF", "fp_h_128_fma", 2},
        {"BR_MISP_RETIRED", "mispredicted_cond", 1},
        {"BR_INST_RETIRED:COND", "cond_executed", 0},
        {"TOPDOWN:SLOTS", "tsc_cycles", 6},
    };
    char directory[512];
    cm_pmu_model *model = NULL;
    snprintf(directory, sizeof directory, "%s/data/pmu/golden-cove", CM_TEST_SOURCE_DIR);
    assert_int_equal(cm_pmu_model_load(directory, &model, NULL), CM_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t facts[512] = {0};
        facts[cm_fact_find(rows[i].fact)] = 1;
        int64_t value = cm_pmu_model_evaluate(model, find_event(model, rows[i].event), facts);
        if (value != rows[i].value)
            fail_msg("%s of one %s is %lld", rows[i].event, rows[i].fact, (long long)value);
    }
    cm_pmu_model_free(model);
}

static void faulty_models_are_refused_where_they_are_faulty(void **state)
{
    (void)state;
    static const struct {
        const char *events;
        const char *from, *to; /* exchanged in good_machine; NULL: nothing */
        size_t line, column;
        const char *what;
    } rows[] = {
        {"event,description,expression\n", NULL, NULL, 1, 0, "no events"},
        {"event,description\nE,x\n", NULL, NULL, 1, 0, "expression"},
        {"event,description,expression\nE,x,loads\nE,y,stores\n", NULL, NULL, 3, 0, "\"E\" is there already"},
        {"event,description,expression\nE,x,loads + flops\n", NULL, NULL, 2, 9, "unknown name \"flops\""},
        {"event,description,expression\nE,x,loads / 0\n", NULL, NULL, 2, 7, "divides by zero"},
        {"event,description,expression\nE,x,loads / stores\n", NULL, NULL, 2, 7, "divides by zero"},
        {"event,description,expression\nE,x,\n", NULL, NULL, 2, 1, "expected a number"},
        {"event,description,expression\n,x,loads\n", NULL, NULL, 2, 0, ""},
        {good_events, "gshare", "oracle", 11, 0, "unknown predictor \"oracle\""},
        {good_events, "counters,8", "counter,8", 13, 0, "unknown key \"counter\""},
        {good_events, "counters,8\n", "", 0, 0, "the key counters is missing"},
        {good_events, "counters,8", "dtlb_entries,8", 13, 0, "repeated key"},
        {good_events, "line_size,64", "line_size,63", 2, 0, "a power of two"},
        {good_events, "l1d_ways,8", "l1d_ways,7", 0, 0, "no multiple of l1d_ways 7"},
        {good_events, "l1d_ways,8", "l1d_ways,0", 0, 0, "no multiple"},
        {good_events, "l2_size,262144", "l2_size,32768", 0, 0, "larger than the level before"},
        {good_events, "interference,0.01", "interference,1.5", 14, 0, "from 0 to 1"},
        {good_events, "interference,0.01", "interference,nan", 14, 0, ""},
        {good_events, "counters,8", "counters,-8", 13, 0, "from 0"},
        {good_events, "counters,8", "counters,2.5", 13, 0, "whole number"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char directory[] = "/tmp/catmint-model-XXXXXX", machine[1024];
        assert_non_null(mkdtemp(directory));
        snprintf(machine, sizeof machine, "%s", good_machine);
        if (rows[i].from != NULL) {
            const char *at = strstr(good_machine, rows[i].from);
            assert_non_null(at);
            snprintf(machine, sizeof machine, "%.*s%s%s", (int)(at - good_machine), good_machine, rows[i].to,
                     at + strlen(rows[i].from));
        }
        write_model(directory, rows[i].events, machine);
        cm_pmu_model *model = NULL;
        cm_error error = {0};
        if (cm_pmu_model_load(directory, &model, &error) != CM_BAD_INPUT)
            fail_msg("row %zu was accepted", i);
        if (error.line != rows[i].line || (rows[i].column != 0 && error.column != rows[i].column) ||
            strstr(error.text, rows[i].what) == NULL || error.file[0] == '\0')
            fail_msg("row %zu: %s:%zu:%zu: %s", i, error.file, error.line, error.column, error.text);
        remove_model(directory);
    }
}

static void a_folder_without_a_model_is_refused(void **state)
{
    (void)state;
    cm_pmu_model *model = NULL;
    cm_error error;
    assert_int_equal(cm_pmu_model_load("/nonexistent", &model, &error), CM_BAD_INPUT);
    assert_non_null(strstr(error.text, "a folder with events.csv and machine.csv"));
    cm_pmu_model_free(NULL);
}

/* Other names, sums, multiples, and many events of no use. */
static void somebody_elses_model_loads(void **state)
{
    (void)state;
    char directory[] = "/tmp/catmint-model-XXXXXX", *events = NULL;
    size_t size = 0;
    assert_non_null(mkdtemp(directory));
    FILE *stream = open_memstream(&events, &size);
    fputs("# somebody's\nevent,description,expression\r\n\"X,1\",\"comma, quoted\",3*fp_d_scalar + 0.5*loads\r\n",
          stream);
    for (int i = 0; i < 299; i++)
        fprintf(stream, "IRRELEVANT_%d,,%d*tsc_cycles + %d\r\n", i, i, i);
    fclose(stream);
    write_model(directory, events, good_machine);
    cm_pmu_model *model = NULL;
    assert_int_equal(cm_pmu_model_load(directory, &model, NULL), CM_OK);
    assert_int_equal(cm_pmu_model_event_count(model), 300);
    assert_string_equal(cm_pmu_model_event(model, 0).name, "X,1");
    uint64_t facts[512] = {0};
    facts[cm_fact_find("fp_d_scalar")] = 5;
    facts[cm_fact_find("loads")] = 3;
    assert_int_equal(cm_pmu_model_evaluate(model, 0, facts), 16); /* 16.5 to even */
    assert_int_equal(cm_pmu_model_machine(model)->counters, 8);
    cm_pmu_model_free(model);
    free(events);
    remove_model(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_that_come_along_are_whole),
        cmocka_unit_test(events_are_functions_of_facts),
        cmocka_unit_test(faulty_models_are_refused_where_they_are_faulty),
        cmocka_unit_test(a_folder_without_a_model_is_refused),
        cmocka_unit_test(somebody_elses_model_loads),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
