/* Whatever is read, computed and written without memory: every allocation fails once, from there on and alone. Nothing
 * is lost, nothing half-written, and nothing else comes out than with memory. */
#include "failing_roads.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catmint/catmint.h>
#include <catmint/machines.h>

#define SEEDS CM_TEST_SOURCE_DIR "/tests/fuzz/seeds/"
#define CAT CM_TEST_SOURCE_DIR "/tests/data/cat/"

enum { PATH_SIZE = 256 };

static char directory[] = "/tmp/catmint-test-XXXXXX";
static char table[PATH_SIZE], basis[PATH_SIZE], signatures[PATH_SIZE], counts[PATH_SIZE], sheet[PATH_SIZE],
    launches[PATH_SIZE], results_file[PATH_SIZE], formulas_file[PATH_SIZE], output[PATH_SIZE];

static const char table_text[] =
    "event,repetition,thread,a.1,a.2,b.1,b.2\niterations,0,0,10,10,10,10\n"
    "EV_A,0,0,10,20,0,0\nEV_A,1,0,10,20,0,0\nEV_B,0,0,0,0,10,20\nEV_B,1,0,0,0,10,20\n"
    "EV_BOTH,0,0,10,20,10,20\nEV_BOTH,1,0,10,20,10,20\nZERO,0,0,0,0,0,0\nZERO,1,0,0,0,0,0\n"
    "ODD,0,0,10,90,10,0\nODD,1,0,10,90,10,0\nNOISY,0,0,1,2,3,4\nNOISY,1,0,4,3,2,1\n";
static const char basis_text[] = "kernel,A,B\na.1,1,0\na.2,2,0\nb.1,0,1\nb.2,0,2\n";
static const char signatures_text[] = "metric,preset,description,A,B\nBoth,PAPI_TOT_INS,both of them,1,1\n"
                                      "A alone,PAPI_A,only A,3,0\nDifference,,,1,-0.3333\n";
static const char formulas_text[] =
    "metric,formula,unit,source,parent,of\nAll,EV_A + EV_B,u,s,,\nShare,EV_A / All,,,All,All\n"
    "Rest,EV_B / (EV_A + GONE),,,All,All\n";
static const char sheet_text[] =
    "Benchmark;Kernel;Ev A;Ev B\nfirst;k1;1.000,5;2\nfirst;k2;3;\nsecond;k1;5;x\nsecond;k2;7;8\n";
static const char launches_text[] =
    "ID,Kernel Name,Block Size,Grid Size,Device,a__b.sum,a__b.pct\n,,,,,Kinst,%\n"
    "0,catmint_A_D_24(int),(2),(3),0,\"1,024 (1; 2)\",5\n1,other,(2),(3),1,7,5\n2,catmint_F_D_12,(2),(3),1,n/a,5\n";
static const char counts_text[] = "event,first,second\nEV_A,3,4\nEV_B,5,0\n";

/* ---- files ---- */

/* What was to be written is there as a whole, or not at all. */
static void look_for_output(const test_road *road, cm_status status)
{
    struct stat found;
    DIR *opened = opendir(directory);
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
        if (strstr(entry->d_name, "output.") != NULL)
            fail_msg("%s: %s was left", road->name, entry->d_name);
    closedir(opened);
    bool there = stat(output, &found) == 0;
    if (status == CM_OK && !there)
        fail_msg("%s: there is no output", road->name);
    if (there && S_ISREG(found.st_mode) && found.st_size == 0)
        fail_msg("%s: the output is empty", road->name);
    if (there && S_ISREG(found.st_mode) && status != CM_OK)
        fail_msg("%s: there is output", road->name);
    if (unlink(output) != 0)
        remove_all(output);
}

/* ---- formulas ---- */

static cm_status go_formulas(const test_road *road, FILE *sink, cm_error *error)
{
    cm_formulas *formulas = NULL;
    cm_lint *lint = NULL;
    cm_status status = cm_formulas_load(road->what, NULL, &formulas, error);
    if (status == CM_OK)
        status = cm_lint_create(formulas, &lint, error);
    for (size_t i = 0; status == CM_OK && i < cm_formulas_count(formulas); i++)
        fprintf(sink, "%s = %s\n", cm_formulas_info(formulas, i)->metric, cm_formulas_info(formulas, i)->text);
    for (size_t i = 0; status == CM_OK && i < cm_lint_count(lint); i++)
        fprintf(sink, "%zu: %s\n", cm_lint_get(lint, i)->line, cm_lint_get(lint, i)->text);
    cm_lint_free(lint);
    cm_formulas_free(formulas);
    return status;
}

static void test_formulas(void **state)
{
    (void)state;
    static const char *const files[] = {SEEDS "csv/hierarchy",   SEEDS "csv/operators",   SEEDS "likwid/functions",
                                        SEEDS "likwid/group",    SEEDS "papi/arithmetic", SEEDS "papi/types",
                                        SEEDS "perfmon/metrics", SEEDS "perf/metrics"};
    for (size_t i = 0; i < COUNT(files); i++)
        fail_on_road(&(test_road){files[i], files[i], go_formulas, NULL, 20, 0});
}

static cm_status go_evaluate(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_evaluate_options options = {
        .size = sizeof options, .formulas = formulas_file, .counts = counts, .tolerance = 0.01};
    cm_evaluation *evaluation = NULL;
    cm_status status = cm_evaluation_create(&options, &evaluation, error);
    if (status == CM_OK)
        status = cm_evaluation_write(evaluation, &(cm_output_style){.format = *(const cm_output_format *)road->what},
                                     sink, error);
    cm_evaluation_free(evaluation);
    return status;
}

static cm_status go_evaluate_save(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    (void)sink;
    const cm_evaluate_options options = {
        .size = sizeof options, .formulas = formulas_file, .counts = counts, .tolerance = 0.01};
    cm_evaluation *evaluation = NULL;
    cm_status status = cm_evaluation_create(&options, &evaluation, error);
    if (status == CM_OK)
        status = cm_evaluation_save(evaluation, &(cm_output_style){.format = CM_FORMAT_TABLE}, output, error);
    cm_evaluation_free(evaluation);
    return status;
}

/* Counts of two files side by side, and their values read back. */
static cm_status go_evaluate_files(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    const cm_counts_file files[] = {{NULL, counts}, {"more", counts}};
    const cm_evaluate_options options = {.size = sizeof options,
                                         .formulas = formulas_file,
                                         .tolerance = 0.01,
                                         .file_count = COUNT(files),
                                         .files = files};
    cm_evaluation *evaluation = NULL;
    cm_formula_values *values = NULL;
    cm_status status = cm_evaluation_create(&options, &evaluation, error);
    if (status == CM_OK)
        status = cm_evaluation_write(evaluation, &(cm_output_style){.format = CM_FORMAT_CSV}, sink, error);
    if (status == CM_OK)
        status = cm_evaluation_save(evaluation, &(cm_output_style){.format = CM_FORMAT_JSON}, output, error);
    if (status == CM_OK)
        status = cm_formula_values_load(output, &values, error);
    cm_formula_values_free(values);
    cm_evaluation_free(evaluation);
    return status;
}

static void test_evaluate(void **state)
{
    (void)state;
    static const cm_output_format formats[] = {CM_FORMAT_TABLE, CM_FORMAT_CSV, CM_FORMAT_JSON, CM_FORMAT_SVG};
    for (size_t i = 0; i < COUNT(formats); i++)
        fail_on_road(&(test_road){"evaluate", &formats[i], go_evaluate, NULL, 50, 0});
    fail_on_road(&(test_road){"evaluate several files", NULL, go_evaluate_files, NULL, 60, 0});
    fail_on_road(&(test_road){"evaluate into a file", NULL, go_evaluate_save, look_for_output, 50, 0});
}

/* ---- results ---- */

typedef struct asked {
    cm_output_format format;
    const char *event, *metric; /* to explain; neither: the results */
} asked;

static cm_status analyze(cm_results **results, cm_error *error)
{
    cm_analyze_options options;
    cm_analyze_options_default(&options);
    options.basis = basis;
    options.signatures = signatures;
    options.tau = options.alpha = options.residual = 0.01;
    options.max_events = 1;
    return cm_results_analyze_create(table, &options, results, error);
}

static cm_status go_results(const test_road *road, FILE *sink, cm_error *error)
{
    const asked *what = road->what;
    const cm_output_style style = {what->format, 80, true};
    const cm_explain_question question = {.name = what->metric != NULL ? what->metric : what->event,
                                          .metric = what->metric != NULL};
    cm_results *results = NULL;
    cm_status status = analyze(&results, error);
    if (status == CM_OK)
        status = question.name != NULL ? cm_results_explain(results, &question, &style, sink, error)
                                       : cm_results_write(results, &style, sink, error);
    cm_results_free(results);
    return status;
}

static void test_results(void **state)
{
    (void)state;
    static const asked rows[] = {
        {CM_FORMAT_TABLE, NULL, NULL},   {CM_FORMAT_JSON, NULL, NULL},   {CM_FORMAT_TABLE, "EV_BOTH", NULL},
        {CM_FORMAT_TABLE, NULL, "Both"}, {CM_FORMAT_JSON, NULL, "Both"}, {CM_FORMAT_JSON, "ODD", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        fail_on_road(&(test_road){"results", &rows[i], go_results, NULL, 200, 0});
}

static cm_status go_save_results(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    (void)sink;
    const cm_output_style style = {CM_FORMAT_JSON, 0, false};
    cm_results *results = NULL;
    cm_status status = analyze(&results, error);
    if (status == CM_OK)
        status = cm_results_save(results, &style, output, error);
    cm_results_free(results);
    return status;
}

static void test_saved_results(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"results into a file", NULL, go_save_results, look_for_output, 200, 0});
}

/* ---- exports ---- */

static cm_status go_export(const test_road *road, FILE *sink, cm_error *error)
{
    static const char *const cpus[] = {"gfx90a"};
    const cm_export_format *format = road->what;
    const cm_export_options options = {.size = sizeof options,
                                       .format = format->name,
                                       .cpus = cpus,
                                       .cpu_count = format->takes_cpus ? 1 : 0,
                                       .all = true};
    cm_definitions *definitions = NULL;
    cm_status status = cm_definitions_load(results_file, &definitions, error);
    if (status == CM_OK)
        status = road->look == NULL ? cm_export_write(definitions, &options, sink, NULL, error)
                                    : cm_export_save(definitions, &options, output, NULL, error);
    cm_definitions_free(definitions);
    return status;
}

static cm_status go_install(const test_road *road, FILE *sink, cm_error *error)
{
    static const char *const cpus[] = {"mine"};
    const cm_export_options options = {
        .size = sizeof options, .format = "papi", .cpus = cpus, .cpu_count = 1, .all = true};
    cm_definitions *definitions = NULL;
    (void)road;
    (void)sink;
    cm_status status = cm_definitions_load(results_file, &definitions, error);
    if (status == CM_OK)
        status = cm_export_install(definitions, &options, output, false, NULL, error);
    cm_definitions_free(definitions);
    return status;
}

static void test_exports(void **state)
{
    (void)state;
    cm_export_format format;
    size_t count = 0;
    for (; cm_export_format_get(count, &format); count++) {
        if (!format.directory)
            fail_on_road(&(test_road){"export", &format, go_export, NULL, 100, 0});
        fail_on_road(&(test_road){"export into a file", &format, go_export, look_for_output, 100, 0});
    }
    assert_true(count >= 5);
    fail_on_road(&(test_road){"installed presets", NULL, go_install, look_for_output, 100, 0});
}

/* ---- audits ---- */

static cm_status go_audit(const test_road *road, FILE *sink, cm_error *error)
{
    const char *const files[] = {formulas_file};
    const cm_audit_options options = {
        .size = sizeof options, .formulas = files, .formula_count = 1, .against = results_file};
    const cm_output_style style = {.format = *(const cm_output_format *)road->what};
    cm_audit *audit = NULL;
    cm_status status = cm_audit_create(&options, &audit, error);
    if (status == CM_OK)
        status = cm_audit_write(audit, &style, sink, error);
    cm_audit_free(audit);
    return status;
}

static void test_audits(void **state)
{
    (void)state;
    static const cm_output_format formats[] = {CM_FORMAT_TABLE, CM_FORMAT_JSON};
    for (size_t i = 0; i < COUNT(formats); i++)
        fail_on_road(&(test_road){"audit", &formats[i], go_audit, NULL, 100, 0});
}

/* ---- outputs of cat_collect ---- */

static cm_status go_import(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    (void)sink;
    static const char *const sources[] = {CAT "run1", CAT "run2"};
    const cm_import_options options = {
        .size = sizeof options, .sources = sources, .source_count = COUNT(sources), .directory = output};
    return cm_import_cat(&options, NULL, error);
}

/* ---- other people's tables ---- */

static cm_status go_sheet(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    (void)sink;
    const cm_table_import_options options = {.size = sizeof options, .path = sheet, .directory = output};
    return cm_import_table(&options, NULL, error);
}

static void test_sheet(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"sheet", NULL, go_sheet, look_for_output, 30, 0});
}

/* ---- counts of ncu ---- */

static cm_status go_ncu(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    (void)sink;
    const cm_ncu_import_options options = {.size = sizeof options, .path = launches, .directory = output};
    return cm_import_ncu(&options, NULL, error);
}

static void test_ncu(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"ncu", NULL, go_ncu, look_for_output, 30, 0});
}

static void test_import(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"import", NULL, go_import, look_for_output, 100, 0});
}

static int prepare(void **state)
{
    (void)state;
    const asked json = {CM_FORMAT_JSON, NULL, NULL};
    char *text = NULL;
    size_t size = 0;
    char data[2 * PATH_SIZE];
    assert_non_null(mkdtemp(directory));
    snprintf(data, sizeof data, "%s/data", directory);
    make_few_data(data, true);
    link_data(data, "signatures");
    assert_int_equal(setenv("CATMINT_DATA_DIR", data, 1), 0);
    write_file(directory, "table.csv", table_text, table, sizeof table);
    write_file(directory, "basis.csv", basis_text, basis, sizeof basis);
    write_file(directory, "signatures.csv", signatures_text, signatures, sizeof signatures);
    write_file(directory, "formulas.csv", formulas_text, formulas_file, sizeof formulas_file);
    write_file(directory, "counts.csv", counts_text, counts, sizeof counts);
    write_file(directory, "sheet.csv", sheet_text, sheet, sizeof sheet);
    write_file(directory, "launches.csv", launches_text, launches, sizeof launches);
    snprintf(output, sizeof output, "%s/output", directory);
    fail_jansson();
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(go_results(&(test_road){"results", &json, go_results, NULL, 0, 0}, stream, NULL), CM_OK);
    fclose(stream);
    write_file(directory, "results.json", text, results_file, sizeof results_file);
    free(text);
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    remove_all(directory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),      cmocka_unit_test(test_evaluate), cmocka_unit_test(test_results),
        cmocka_unit_test(test_saved_results), cmocka_unit_test(test_exports),  cmocka_unit_test(test_audits),
        cmocka_unit_test(test_import),        cmocka_unit_test(test_sheet),    cmocka_unit_test(test_ncu),
    };
    return cmocka_run_group_tests_name("files without memory", tests, prepare, tidy_up);
}
