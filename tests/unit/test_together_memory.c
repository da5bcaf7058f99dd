/* Events tried together without memory: tried, noted in the sweep's directory, read back, and told. */
#include "failing_roads.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catmint/definitions.h>
#include <catmint/results.h>
#include <catmint/sweep.h>

#include "discovery/results.h"
#include "sweep/record/record.h"

enum { PATH_SIZE = 256 };

static const char *const benchmarks[] = {"branch"};
static char directory[] = "/tmp/catmint-test-XXXXXX";
static char model[PATH_SIZE], output[PATH_SIZE];
static cm_counting *session;
static cm_results *results; /* of the sweep */

static void must(cm_status status, const cm_error *error)
{
    if (status != CM_OK)
        fail_msg("status %d: %s", (int)status, error->text);
}

static cm_status analyze(cm_counting *counting, cm_results **analysed, cm_error *error)
{
    cm_analyze_options options;
    cm_analyze_options_default(&options);
    options.counting = counting;
    return cm_results_analyze_create(output, &options, analysed, error);
}

static void sweep(void)
{
    cm_sweep_options options;
    cm_error error;
    cm_sweep_options_default(&options);
    options.directory = output;
    options.benchmarks = benchmarks;
    options.benchmark_count = COUNT(benchmarks);
    options.repetitions = 2;
    must(cm_sweep(session, &options, NULL, &error), &error);
}

/* Of the three first events each refuses another one. */
static int prepare(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    cm_error error;
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = model};
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/data", directory);
    make_few_data(path, false);
    link_data(path, "signatures");
    assert_int_equal(setenv("CATMINT_DATA_DIR", path, 1), 0);
    snprintf(model, sizeof model, "%s/model", directory);
    snprintf(output, sizeof output, "%s/output", directory);
    assert_int_equal(mkdir(model, 0700), 0);
    write_file(model, "events.csv",
               "event,description,expression\nCOND,,branches_cond\nTAKEN,,branches_cond_taken\n"
               "TWICE,,2*branches_cond_taken\nOTHERS,,branches_uncond + branches_indirect + calls + returns\n",
               path, sizeof path);
    write_file(
        model, "machine.csv",
        "key,value,other\nline_size,64,\npage_size,4096,\nl1d_size,4096,\nl1d_ways,4,\nl2_size,8192,\nl2_ways,4,\n"
        "l3_size,16384,\nl3_ways,4,\ndtlb_entries,16,\npredictor,bimodal,\nwrong_path_window,0,\ncounters,0,\n"
        "interference,0,\nconflict,COND,TAKEN\nfixed,COND,\n",
        path, sizeof path);
    cm_status status = cm_counting_open(&choice, &session, &error);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error.text);
        remove_all(directory);
        exit(77);
    }
    must(status, &error);
    sweep();
    must(analyze(session, &results, &error), &error);
    fail_jansson();
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    cm_results_free(results);
    cm_counting_close(session);
    remove_all(directory);
    return 0;
}

/* ---- roads ---- */

/* Nothing is known at first: one pair refuses, and one does not. */
static cm_status go_try(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    static const size_t pairs[2][2] = {{0, 1}, {0, 2}};
    char path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/together.json", output);
    remove(path);
    cm_tried_sets *tried = NULL;
    cm_status status = cm_tried_sets_create(output, session, &tried, error);
    for (size_t i = 0; status == CM_OK && i < COUNT(pairs); i++) {
        const cm_event_group group = {
            .analysis = cm_benchmark_result_analysis(cm_results_benchmark(results, 0)), .count = 2, .events = pairs[i]};
        cm_counted_together together = CM_TOGETHER_UNKNOWN;
        status = cm_tried_sets_ask(tried, &group, &together, NULL, error);
        fprintf(sink, "%s %s: %s\n", cm_event_group_name(&group, 0), cm_event_group_name(&group, 1),
                cm_together_text(together));
    }
    if (status == CM_OK)
        status = cm_tried_sets_save(tried, error);
    cm_tried_sets_free(tried);
    return status;
}

static cm_status go_read(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    cm_tried_sets *tried = NULL;
    cm_status status = cm_tried_sets_create(output, NULL, &tried, error);
    for (size_t i = 0; status == CM_OK && i < tried->count; i++)
        fprintf(sink, "%s %s\n", tried->sets[i].events[0], cm_together_text(tried->sets[i].together));
    cm_tried_sets_free(tried);
    return status;
}

static cm_status go_results(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    cm_results *analysed = NULL;
    cm_definitions *definitions = NULL;
    static const cm_explain_question question = {.name = "Conditional Branches Not Taken", .metric = true};
    const cm_output_style table = {.format = CM_FORMAT_TABLE, .width = 100}, json = {.format = CM_FORMAT_JSON};
    cm_status status = analyze(NULL, &analysed, error);
    if (status == CM_OK)
        status = cm_results_write(analysed, &json, sink, error);
    if (status == CM_OK)
        status = cm_results_write(analysed, &table, sink, error);
    if (status == CM_OK)
        status = cm_results_explain(analysed, &question, &table, sink, error);
    if (status == CM_OK)
        status = cm_definitions_from_results_create(analysed, &definitions, error);
    for (size_t i = 0; status == CM_OK && i < cm_definitions_count(definitions); i++)
        fprintf(sink, "%zu\n", cm_definitions_get(definitions, i)->refusing_count);
    cm_definitions_free(definitions);
    cm_results_free(analysed);
    return status;
}

static void test_roads(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"together", NULL, go_try, NULL, 30, 0});
    /* The last try failed, and left no file to read. */
    FILE *sink = fopen("/dev/null", "w");
    assert_int_equal(go_try(NULL, sink, NULL), CM_OK);
    fclose(sink);
    fail_on_road(&(test_road){"what was tried", NULL, go_read, NULL, 10, 0});
    fail_on_road(&(test_road){"results", NULL, go_results, NULL, 100, 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_roads)};
    return cmocka_run_group_tests_name("events tried together without memory", tests, prepare, tidy_up);
}
