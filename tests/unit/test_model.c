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

#include <catmint/software_pmu.h>

#include "software_pmu/machine/facts.h"

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
    } rows[] = {{"golden-cove", 100}, {"skylake", 70}, {"zen4", 55}};
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
        const char *model, *event, *fact;
        int64_t value; /* for one of the fact */
    } rows[] = {
        {"golden-cove", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_d_scalar", 1},
        {"golden-cove", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_d_scalar_fma", 2},
        {"golden-cove", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_s_scalar", 0},
        {"golden-cove", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "fp_d_scalar_add", 0}, /* is in fp_d_scalar */
        {"golden-cove", "FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", "fp_s_128_dpp", 1},
        {"golden-cove", "FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", "fp_s_512_fma", 2},
        {"golden-cove", "FP_ARITH_INST_RETIRED:4_FLOPS", "fp_d_256_fma", 2},
        {"golden-cove", "FP_ARITH_INST_RETIRED:4_FLOPS", "fp_s_256", 0},
        {"golden-cove", "FP_ARITH_INST_RETIRED:8_FLOPS", "fp_d_512", 1},
        {"golden-cove", "FP_ARITH_INST_RETIRED2:128B_PACKED_HALF", "fp_h_128_fma", 2},
        {"golden-cove", "FP_ARITH_INST_RETIRED2:SCALAR_HALF", "fp_h_scalar_complex", -1},
        {"golden-cove", "FP_ARITH_INST_RETIRED2:COMPLEX_SCALAR_HALF", "fp_h_scalar_complex", 1},
        {"golden-cove", "FP_ARITH_INST_RETIRED2:COMPLEX_SCALAR_HALF", "fp_h_scalar_fma", 0},
        {"golden-cove", "FP_ARITH_INST_RETIRED2:SCALAR", "fp_h_scalar_complex", 0}, /* is in fp_h_scalar */
        {"golden-cove", "BR_MISP_RETIRED", "mispredicted_cond", 1},
        {"golden-cove", "BR_MISP_RETIRED", "mispredicted_returns", 1},
        {"golden-cove", "BR_INST_RETIRED:COND", "cond_executed", 0},
        {"golden-cove", "BR_INST_RETIRED:COND_NTAKEN", "branches_cond_taken", -1},
        {"golden-cove", "INST_RETIRED:STALL_CYCLES", "tsc_cycles", 1},
        {"golden-cove", "INST_RETIRED:STALL_CYCLES", "instructions", 0}, /* never negative */
        {"golden-cove", "TOPDOWN:SLOTS", "tsc_cycles", 6},
        {"golden-cove", "MEM_LOAD_RETIRED:L2_HIT", "l2_load_hit", 1},
        {"golden-cove", "LONGEST_LAT_CACHE:REFERENCE", "l3_store_hit", 1},
        {"skylake", "BR_INST_EXEC:ALL_CONDITIONAL", "cond_executed", 1},
        {"skylake", "BR_INST_EXEC:ALL_CONDITIONAL", "branches_cond", 0},
        {"skylake", "FP_ARITH_INST_RETIRED:SCALAR_SINGLE", "fp_h_scalar", 0},
        {"skylake", "FP_ARITH_INST_RETIRED:SCALAR", "fp_d_scalar_fma", 2},
        {"skylake", "FP_ARITH_INST_RETIRED:VECTOR", "fp_s_512_fma", 2},
        {"skylake", "FP_ARITH_INST_RETIRED:VECTOR", "fp_s_scalar", 0},
        {"skylake", "FP_ARITH_INST_RETIRED:4_FLOPS", "fp_d_256", 1},
        {"skylake", "FP_ARITH_INST_RETIRED:4_FLOPS", "fp_s_256", 0},
        {"skylake", "FP_ARITH_INST_RETIRED:8_FLOPS", "fp_s_256_fma", 2},
        {"skylake", "FP_ARITH_INST_RETIRED:8_FLOPS", "fp_s_128", 0},
        {"skylake", "INST_RETIRED:ANY", "instructions", 1},
        {"zen4", "RETIRED_FP_OPS_BY_TYPE:SCALAR_ADD", "fp_d_scalar_add", 1},
        {"zen4", "RETIRED_FP_OPS_BY_TYPE:SCALAR_ADD", "fp_d_scalar_mul", 0},
        {"zen4", "RETIRED_FP_OPS_BY_TYPE:VECTOR_MUL", "fp_s_512_mul", 1},
        {"zen4", "PACKED_FP_OPS_RETIRED:FP256_ADD", "fp_s_256_add", 1},
        {"zen4", "PACKED_FP_OPS_RETIRED:FP256_ADD", "fp_s_512_add", 0},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ANY", "fp_s_512_mul", 16},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ANY", "fp_d_512_mul", 8},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ANY", "fp_s_scalar_fma", 2},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ANY", "fp_d_256_fma", 8},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ANY", "fp_s_128_other", 0},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:MAC_FLOPS", "fp_s_128_fma", 8},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS", "fp_d_128_sub", 2},
        {"zen4", "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS", "fp_d_128_mul", 0},
        {"zen4", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "branches_cond", 0},
        {"zen4", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "calls", 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char directory[512];
        cm_pmu_model *model = NULL;
        snprintf(directory, sizeof directory, "%s/data/pmu/%s", CM_TEST_SOURCE_DIR, rows[i].model);
        assert_int_equal(cm_pmu_model_load(directory, &model, NULL), CM_OK);
        uint64_t facts[CM_FACT_COUNT] = {0};
        facts[cm_fact_find(rows[i].fact)] = 1;
        int64_t value = cm_pmu_model_evaluate(model, find_event(model, rows[i].event), facts);
        if (value != rows[i].value)
            fail_msg("%s of one %s is %lld", rows[i].event, rows[i].fact, (long long)value);
        cm_pmu_model_free(model);
    }
}

/* Only skylake sees wrong paths, or Conditional Branches Executed could be composed where it must not be. */
static void wrong_paths_show_on_skylake_only(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool shows;
    } rows[] = {{"golden-cove", false}, {"skylake", true}, {"zen4", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char directory[512];
        cm_pmu_model *model = NULL;
        uint64_t facts[CM_FACT_COUNT] = {0};
        facts[CM_FACT_COND_EXECUTED] = facts[CM_FACT_COND_EXECUTED_TAKEN] = facts[CM_FACT_UNCOND_EXECUTED] = 3;
        snprintf(directory, sizeof directory, "%s/data/pmu/%s", CM_TEST_SOURCE_DIR, rows[i].name);
        assert_int_equal(cm_pmu_model_load(directory, &model, NULL), CM_OK);
        bool shows = false;
        for (size_t e = 0; e < cm_pmu_model_event_count(model); e++)
            shows |= cm_pmu_model_evaluate(model, e, facts) != 0;
        assert_int_equal(shows, rows[i].shows);
        cm_pmu_model_free(model);
    }
}

static void values_are_rounded_and_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        uint64_t loads;
        int64_t value;
    } rows[] = {
        {"loads/2", 5, 3},
        {"loads/2", 4, 2},
        {"-loads/2", 5, -3},
        {"0.49*loads", 1, 0},
        {"loads - stores", UINT64_C(1) << 53, INT64_C(1) << 53},
        {"1e30*loads", 1, INT64_MAX},
        {"-1e30*loads", 1, INT64_MIN},
        {"loads if loads > 3 else 0", 3, 0},
        {"loads if loads > 3 else 0", 4, 4},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char directory[] = "/tmp/catmint-model-XXXXXX", events[256];
        assert_non_null(mkdtemp(directory));
        snprintf(events, sizeof events, "event,description,expression\nE,x,%s\n", rows[i].expression);
        write_model(directory, events, good_machine);
        cm_pmu_model *model = NULL;
        assert_int_equal(cm_pmu_model_load(directory, &model, NULL), CM_OK);
        uint64_t facts[CM_FACT_COUNT] = {[CM_FACT_LOADS] = rows[i].loads};
        int64_t value = cm_pmu_model_evaluate(model, 0, facts);
        if (value != rows[i].value)
            fail_msg("%s of %llu is %lld", rows[i].expression, (unsigned long long)rows[i].loads, (long long)value);
        cm_pmu_model_free(model);
        remove_model(directory);
    }
}

/* The facts and keys that docs/reference/pmu-models.md lists are those there are. The floating-point ones follow a
 * pattern, and so do those of GPUs. */
static void the_documentation_names_every_fact(void **state)
{
    (void)state;
    static char text[1 << 16];
    FILE *file = fopen(CM_TEST_SOURCE_DIR "/docs/reference/pmu-models.md", "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(size > 1000 && size < sizeof text - 1);
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        char quoted[80];
        if ((fact >= CM_FACT_FP && fact <= CM_FACT_FP_END) || (fact >= CM_FACT_GPU && fact < CM_FACT_GPU_INSTRUCTIONS))
            continue;
        snprintf(quoted, sizeof quoted, "`%s`", cm_fact_name(fact));
        if (strstr(text, quoted) == NULL)
            fail_msg("docs/reference/pmu-models.md does not name %s", quoted);
    }
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
        {"", NULL, NULL, 1, 0, "the file is empty"},
        {"event,description,expression\n", NULL, NULL, 1, 0, "the model has no events"},
        {"# from a book\nevent,description,expression\n", NULL, NULL, 2, 0, "the model has no events"},
        {"event,description\nE,x\n", NULL, NULL, 1, 0, "expression"},
        {"event,description,expression,more\nE,x,loads,1\n", NULL, NULL, 1, 0, "unknown column 'more'"},
        {"event,description,expression\nE,x\n", NULL, NULL, 2, 0, "2 fields"},
        {"event,description,expression\nE,x,loads\nE,y,stores\n", NULL, NULL, 3, 0,
         "duplicate event 'E', which line 2 defines"},
        {"event,description,expression\n,x,loads\n", NULL, NULL, 2, 0, "the event has no name"},
        {"event,description,expression\nA B,x,loads\n", NULL, NULL, 2, 0, "the event's name holds a blank"},
        {"event,description,expression\niterations,x,loads\n", NULL, NULL, 2, 0, "'iterations' cannot name an event"},
        {"event,description,expression\nE,x,loads + flops\n", NULL, NULL, 2, 13, "unknown fact 'flops'"},
        {"event,description,expression\nE,x, loads + flops\n", NULL, NULL, 2, 14, "unknown fact 'flops'"},
        {"event,description,expression\nE,\"x, \"\"quoted\"\"\",\"loads + flops\"\n", NULL, NULL, 2, 28,
         "unknown fact 'flops'"},
        {"event,description,expression\nE,\"two\nlines, of it\",loads+flops\n", NULL, NULL, 3, 21,
         "unknown fact 'flops'"},
        {"\xef\xbb\xbf"
         "event,description,expression\nE,\xc3\xa4,flops\r\n",
         NULL, NULL, 2, 5, "unknown fact 'flops'"},
        {"event,description,expression\nE,x,FP_ARITH\n", NULL, NULL, 2, 5, "unknown fact 'FP_ARITH'"},
        {"event,description,expression\nE,x,loads / 0\n", NULL, NULL, 2, 11, "divides by zero"},
        {"event,description,expression\nE,x,loads / (2 - 2)\n", NULL, NULL, 2, 11, "divides by zero"},
        {"event,description,expression\nE,x,loads / stores\n", NULL, NULL, 2, 11, "may divide by zero"},
        {"event,description,expression\nE,x,\n", NULL, NULL, 2, 5, "expected a number"},
        {"event,description,expression\nE,x,loads +\n", NULL, NULL, 2, 12, "the expression ends here"},
        {"event,description,expression\nE,x,1e300*loads\n", NULL, NULL, 2, 0, "overflows"},
        {"event,description,expression\nE,\"x,loads\n", NULL, NULL, 2, 0, "unclosed quote"},
        {good_events, "gshare", "oracle", 11, 0, "unknown predictor 'oracle'"},
        {good_events, "counters,8", "counter,8", 13, 0, "unknown key 'counter'"},
        {good_events, "interference,0.01\n", "interference,0.01\nwrite_allocate_evasion,2\n", 15, 0,
         "write_allocate_evasion is 2, expected 0 to 1"},
        {good_events, "counters,8\n", "", 1, 0, "the key 'counters' is missing"},
        {good_events, "counters,8", "dtlb_entries,8", 13, 0, "duplicate key 'dtlb_entries', which line 10 holds"},
        {good_events, "line_size,64", "line_size,63", 2, 0, "expected a power of two"},
        {good_events, "line_size,64", "line_size,0", 2, 0, "expected 16 to 4096"},
        {good_events, "page_size,4096", "page_size,12288", 3, 0, "expected a power of two"},
        {good_events, "line_size,64\npage_size,4096", "line_size,4096\npage_size,1024", 3, 0,
         "expected at least line_size"},
        {good_events, "l1d_size,32768", "l1d_size,32 KiB", 4, 0, "'32 KiB' is not a whole number"},
        {good_events, "l1d_size,32768", "l1d_size,99999999999999999999", 4, 0, "too large"},
        {good_events, "l1d_ways,8", "l1d_ways,7", 4, 0, "expected a multiple of line_size * l1d_ways = 448"},
        {good_events, "l1d_ways,8", "l1d_ways,0", 5, 0, "expected both or neither to be 0"},
        {good_events, "l3_ways,0", "l3_ways,4", 9, 0, "expected both or neither to be 0"},
        {good_events, "l2_size,262144", "l2_size,16384", 6, 0, "expected at least l1d_size, which is 32768"},
        {good_events, "l1d_size,32768\nl1d_ways,8", "l1d_size,0\nl1d_ways,0", 6, 0,
         "the cache before it does not exist"},
        {good_events, "dtlb_entries,64", "dtlb_entries,-1", 10, 0, "not a whole number"},
        {good_events, "wrong_path_window,32", "wrong_path_window,5000", 12, 0, "expected 0 to 4096"},
        {good_events, "interference,0.01", "interference,1.5", 14, 0, "expected 0 to 1"},
        {good_events, "interference,0.01", "interference,-0.1", 14, 0, "expected 0 to 1"},
        {good_events, "interference,0.01", "interference,nan", 14, 0, "not finite"},
        {good_events, "interference,0.01", "interference,inf", 14, 0, "not finite"},
        {good_events, "counters,8", "counters,-8", 13, 0, "not a whole number"},
        {good_events, "counters,8", "counters,2.5", 13, 0, "not a whole number"},
        {good_events, "key,value", "key,values", 1, 0, "expected 'value'"},
        {good_events, "counters,8", "counters,8\nl1i_size,4096\nl1i_ways,3", 14, 0, "line_size * l1i_ways = 192"},
        {good_events, "counters,8", "counters,8\nl1i_ways,8", 14, 0, "expected both or neither to be 0"},
        {good_events, "counters,8", "counters,8\nstlb_entries,96", 14, 0, "expected both or neither to be 0"},
        {good_events, "counters,8", "counters,8\nstlb_entries,96\nstlb_ways,7", 14, 0,
         "expected a multiple of stlb_ways, which is 7"},
        {good_events, "counters,8", "counters,8\nstlb_entries,32\nstlb_ways,8", 14, 0,
         "expected at least dtlb_entries, which is 64"},
        {good_events, "counters,8", "counters,8\nhuge_page_size,4096", 14, 0,
         "huge_page_size is 4096, expected more than page_size, which is 4096"},
        {good_events, "counters,8", "counters,8\nhuge_page_size,3000000", 14, 0, "expected a power of two"},
        {good_events, "counters,8", "counters,8\ndtlb_huge_entries,8", 14, 0,
         "dtlb_huge_entries is 8, expected 0: huge_page_size is 0 or missing"},
        {good_events, "counters,8", "counters,8\nistlb_entries,64\nistlb_ways,8", 14, 0,
         "the TLB before it does not exist"},
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
        if (error.line != rows[i].line || error.column != rows[i].column || strstr(error.text, rows[i].what) == NULL ||
            error.file[0] == '\0')
            fail_msg("row %zu: %s:%zu:%zu: %s", i, error.file, error.line, error.column, error.text);
        remove_model(directory);
    }
}

static void a_directory_without_a_model_is_refused(void **state)
{
    (void)state;
    cm_pmu_model *model = NULL;
    cm_error error;
    assert_int_equal(cm_pmu_model_load("/nonexistent", &model, &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.file, "/nonexistent");
    assert_int_equal(cm_pmu_model_load("/dev/null", &model, &error), CM_BAD_ARGUMENT);
    static const char *const files[] = {"events.csv", "machine.csv"};
    for (size_t i = 0; i < COUNT(files); i++) {
        char directory[] = "/tmp/catmint-model-XXXXXX", path[256];
        assert_non_null(mkdtemp(directory));
        write_model(directory, good_events, good_machine);
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(cm_pmu_model_load(directory, &model, &error), CM_BAD_INPUT);
        assert_string_equal(error.file, path);
        assert_non_null(strstr(error.text, "the directory of a PMU model holds events.csv and machine.csv"));
        remove_model(directory);
    }
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
    fputs("# somebody's\nevent,description,expression\r\nX:1,\"comma, quoted\",3*fp_d_scalar + 0.5*loads\r\n", stream);
    for (int i = 0; i < 299; i++)
        fprintf(stream, "IRRELEVANT_%d,,%d*tsc_cycles + %d\r\n", i, i, i);
    fclose(stream);
    write_model(directory, events, good_machine);
    cm_pmu_model *model = NULL;
    assert_int_equal(cm_pmu_model_load(directory, &model, NULL), CM_OK);
    assert_int_equal(cm_pmu_model_event_count(model), 300);
    assert_string_equal(cm_pmu_model_event(model, 0).name, "X:1");
    uint64_t facts[CM_FACT_COUNT] = {0};
    facts[cm_fact_find("fp_d_scalar")] = 5;
    facts[cm_fact_find("loads")] = 3;
    assert_int_equal(cm_pmu_model_evaluate(model, 0, facts), 17); /* 16.5 */
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
        cmocka_unit_test(wrong_paths_show_on_skylake_only),
        cmocka_unit_test(values_are_rounded_and_bounded),
        cmocka_unit_test(the_documentation_names_every_fact),
        cmocka_unit_test(faulty_models_are_refused_where_they_are_faulty),
        cmocka_unit_test(a_directory_without_a_model_is_refused),
        cmocka_unit_test(somebody_elses_model_loads),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
