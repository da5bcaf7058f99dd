/* Validations without memory: programs and workloads made, their facts found, tables read back, definitions judged and
 * solved again. */
#include "failing_roads.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catmint/results.h>
#include <catmint/sweep.h>

#include "verify/validation/validation.h"

enum { PATH_SIZE = 256, TEXT_SIZE = 8192 };

static const char *const benchmarks[] = {"cpu-flops"};
static char directory[] = "/tmp/catmint-test-XXXXXX";
static char model[PATH_SIZE], output[PATH_SIZE];

/* ---- what there is to validate ---- */

/* Operations of both precisions, of these widths; a multiply-add is two. */
static void add_operations(const char *const *widths, const unsigned *bytes, size_t count, char *text)
{
    static const char *const operations[] = {"add", "sub", "mul", "div", "sqrt", "fma"};
    for (size_t w = 0; w < count; w++)
        for (size_t o = 0; o < COUNT(operations); o++)
            for (unsigned d = 0; d < 2; d++)
                snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%s%u*fp_%c_%s_%s",
                         text[0] != '\0' ? " + " : "",
                         (o == 5 ? 2 : 1) * (bytes[w] != 0 ? bytes[w] / (d == 0 ? 4 : 8) : 1), d == 0 ? 's' : 'd',
                         widths[w], operations[o]);
}

/* An event that is all operations where nobody calls, and two that are them everywhere. */
static void write_model(void)
{
    static const char *const scalar[] = {"scalar"}, *const packed[] = {"128", "256", "512"};
    static const unsigned none[] = {0}, bytes[] = {16, 32, 64};
    static char one[TEXT_SIZE], others[TEXT_SIZE];
    char path[2 * PATH_SIZE];
    add_operations(scalar, none, 1, one);
    add_operations(packed, bytes, COUNT(bytes), others);
    assert_int_equal(mkdir(model, 0700), 0);
    snprintf(path, sizeof path, "%s/events.csv", model);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "event,description,expression\nALL,,\"%s + %s + calls\"\nSCALAR,,\"%s\"\nPACKED,,\"%s\"\n", one,
            others, one, others);
    fclose(file);
    write_file(model, "machine.csv",
               "key,value\nline_size,64\npage_size,4096\nl1d_size,4096\nl1d_ways,4\nl2_size,8192\nl2_ways,4\n"
               "l3_size,16384\nl3_ways,4\ndtlb_entries,16\npredictor,bimodal\nwrong_path_window,0\ncounters,0\n"
               "interference,0\n",
               path, sizeof path);
}

/* The data, with three metrics of this benchmark alone: one that programs refute, and two that they do not. */
static void write_data(void)
{
    static const char *const kept[] = {"#", "metric,", "SP Ops.,", "DP Ops.,", "FP Ops.,"};
    char data[PATH_SIZE], path[2 * PATH_SIZE], *line = NULL;
    size_t size = 0;
    snprintf(data, sizeof data, "%s/data", directory);
    make_few_data(data, false);
    snprintf(path, sizeof path, "%s/signatures", data);
    assert_int_equal(mkdir(path, 0700), 0);
    FILE *from = fopen(CM_TEST_SOURCE_DIR "/signatures/cpu-flops.csv", "r");
    snprintf(path, sizeof path, "%s/signatures/cpu-flops.csv", data);
    FILE *into = fopen(path, "w");
    assert_non_null(from);
    assert_non_null(into);
    while (getline(&line, &size, from) > 0)
        for (size_t i = 0; i < COUNT(kept); i++)
            if (strncmp(line, kept[i], strlen(kept[i])) == 0)
                fputs(line, into);
    free(line);
    fclose(from);
    fclose(into);
    setenv("CATMINT_DATA_DIR", data, 1);
}

static void must(cm_status status, const cm_error *error)
{
    if (status != CM_OK)
        fail_msg("status %d: %s", (int)status, error->text);
}

static cm_results *analyze(void)
{
    cm_analyze_options options;
    cm_results *results = NULL;
    cm_error error;
    cm_analyze_options_default(&options);
    must(cm_results_analyze_create(output, &options, &results, &error), &error);
    return results;
}

static void count_stage(cm_counting *session, cm_validation_stage stage)
{
    cm_results *results = analyze();
    cm_program_tables tables;
    cm_error error;
    cm_validation_options options = {
        .size = sizeof options, .directory = output, .stage = stage, .seed = 1, .programs = 3, .repetitions = 2};
    const char **events = NULL;
    must(cm_program_tables_load(output, &tables, &error), &error);
    if (stage != CM_STAGE_PROGRAMS)
        must(cm_results_validate(results, &tables, &error), &error);
    must(cm_results_events_to_validate(results, stage, &events, &options.event_count, &error), &error);
    options.events = events;
    if (options.event_count != 0)
        must(cm_validation_count(session, &options, NULL, &error), &error);
    free(events);
    cm_program_tables_clear(&tables);
    cm_results_free(results);
}

static int prepare(void **state)
{
    (void)state;
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = model};
    cm_counting *session = NULL;
    cm_sweep_options options;
    cm_error error;
    assert_non_null(mkdtemp(directory));
    snprintf(model, sizeof model, "%s/model", directory);
    snprintf(output, sizeof output, "%s/output", directory);
    write_model();
    write_data();
    cm_status status = cm_counting_open(&choice, &session, &error);
    if (status == CM_UNSUPPORTED || (status == CM_OK && !cm_validation_available())) {
        print_message("skipped: %s\n", status == CM_OK ? "no programs for this processor" : error.text);
        remove_all(directory);
        exit(77);
    }
    must(status, &error);
    cm_sweep_options_default(&options);
    options.directory = output;
    options.benchmarks = benchmarks;
    options.benchmark_count = COUNT(benchmarks);
    options.repetitions = 2;
    must(cm_sweep(session, &options, NULL, &error), &error);
    for (int i = 0; i < CM_STAGE_CONTROLS_2; i++)
        count_stage(session, (cm_validation_stage)i);
    cm_counting_close(session);
    fail_jansson();
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    remove_all(directory);
    return 0;
}

/* ---- roads ---- */

static cm_status go_subjects(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_validation_options options = {
        .size = sizeof options, .stage = *(const cm_validation_stage *)road->what, .seed = 1, .programs = 1};
    static const cm_pmu_machine machine = {
        .line_size = 64, .page_size = 4096, .l1d_size = 4096, .l2_size = 8192, .predictor = "none"};
    cm_subjects subjects;
    cm_status status = cm_subjects_create(&options, &machine, NULL, &subjects, error);
    for (size_t i = 0; status == CM_OK && i <= subjects.count; i++) {
        char text[256];
        cm_subjects_describe(&subjects, i, text, sizeof text);
        fprintf(sink, "%s %s %g\n", subjects.kernels[i]->name, text, cm_subjects_operations(&subjects, i));
    }
    cm_subjects_clear(&subjects);
    return status;
}

static cm_status go_facts(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    const cm_validation_options options = {
        .size = sizeof options, .stage = CM_STAGE_PROGRAMS, .seed = 1, .programs = 1};
    cm_program_facts facts = {0};
    cm_subjects subjects;
    cm_status status = cm_subjects_create(&options, NULL, NULL, &subjects, error);
    if (status == CM_OK)
        status = cm_program_facts_find(&subjects, NULL, 1, &facts, error);
    for (size_t i = 0; status == CM_OK && i < cm_fact_count(); i++)
        fprintf(sink, "%g +- %g\n", facts.values[i], facts.ranges[i]);
    cm_program_facts_clear(&facts);
    cm_subjects_clear(&subjects);
    return status;
}

static void test_subjects(void **state)
{
    (void)state;
    static const cm_validation_stage programs = CM_STAGE_PROGRAMS, workloads = CM_STAGE_WORKLOADS;
    fail_on_road(&(test_road){"programs", &programs, go_subjects, NULL, 5, 0});
    fail_on_road(&(test_road){"workloads", &workloads, go_subjects, NULL, 3, 0});
    fail_on_road(&(test_road){"facts of a program", NULL, go_facts, NULL, 10, 0});
}

static cm_status go_tables(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    cm_program_tables tables;
    cm_status status = cm_program_tables_load(output, &tables, error);
    for (size_t i = 0; status == CM_OK && i < CM_VALIDATION_STAGES; i++) {
        const cm_program_table *table = tables.stages[i];
        for (size_t k = 0; table != NULL && k < table->event_count * table->program_count; k++)
            fprintf(sink, "%zu %g %g\n", i, table->counts[k], table->errors[k]);
    }
    if (status == CM_OK)
        cm_program_tables_clear(&tables);
    return status;
}

static void test_tables(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"tables", NULL, go_tables, NULL, 100, 0});
}

/* All stages' tables judge; the analysis and the tables are there already. */
static cm_status go_judge(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    long left = atomic_exchange(&allocations_left, -1);
    bool alone = atomic_exchange(&one_alone, false);
    cm_program_tables tables;
    cm_results *results = analyze();
    must(cm_program_tables_load(output, &tables, error), error);
    atomic_store(&one_alone, alone);
    atomic_store(&allocations_left, left);
    cm_status status = cm_results_validate(results, &tables, error);
    if (status == CM_OK)
        status = cm_results_write_validation(results, &(cm_output_style){.format = CM_FORMAT_JSON}, sink, error);
    if (status == CM_OK)
        status = cm_results_write_validation(results, &(cm_output_style){.format = CM_FORMAT_TABLE}, sink, error);
    left = atomic_exchange(&allocations_left, -1);
    cm_program_tables_clear(&tables);
    cm_results_free(results);
    atomic_store(&allocations_left, left);
    return status;
}

static void test_judgement(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"judgement", NULL, go_judge, NULL, 200, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subjects),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_judgement),
    };
    return cmocka_run_group_tests_name("validations without memory", tests, prepare, tidy_up);
}
