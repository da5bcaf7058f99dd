/* Results shown and compared without memory: every allocation fails once, from there on and alone. */
#include "failing_roads.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catmint/catmint.h>
#include <catmint/machines.h>

enum { PATH_SIZE = 256 };

static char directory[] = "/tmp/catmint-test-XXXXXX";
static char before[PATH_SIZE], after[PATH_SIZE], audit[PATH_SIZE], values[PATH_SIZE], machine[PATH_SIZE],
    plots[PATH_SIZE];

#define METRIC(name, composable, term)                                                                                 \
    "{\"metric\": \"" name                                                                                             \
    "\", \"preset\": \"PAPI_TOT_INS\", \"description\": \"d\", \"signature\": [1, 2], \"terms\": [],"                  \
    "\"backward_error\": 0, \"misfit\": 0, \"amplification\": 1, \"definition\": [{\"event\": \"" term                 \
    "\", \"coefficient\": 1}], \"definition_backward_error\": 0, \"definition_misfit\": 0,"                            \
    "\"definition_amplification\": 1, \"check\": {\"expected\": [1, 2], \"raw\": [1, 2], \"rounded\": [1, 3], "        \
    "\"worst\": "                                                                                                      \
    "0.5}, \"composable\": " composable                                                                                \
    ", \"confounded_with\": [\"x\"], \"also_counts\": [\"y\"], \"refused\": \"why\","                                  \
    "\"controls\": {\"kernels\": 3, \"worst\": 0.1}, \"resolution\": 0.02, \"validation\": {\"programs\": 16, "        \
    "\"seed\": 1,"                                                                                                     \
    "\"failed\": 1, \"worst\": 0.5, \"median\": 0.1, \"refuted_by\": null, \"outcomes\": [{\"program\": \"p\", "       \
    "\"expected\": 100, \"range\": 0, \"measured\": 150}]}}"
#define DOCUMENT(status, metrics)                                                                                      \
    "{\"schema\": \"catmint.metrics/1\", \"machine\": {\"model_name\": \"A\", \"cores\": 2}, \"pmu\": \"hardware\","   \
    "\"pmu_reason\": \"r\", \"unavailable\": [{\"event\": \"GONE\", \"reason\": \"why\"}], \"benchmarks\": [{"         \
    "\"benchmark\": \"flops\", \"tau\": 0.1, \"alpha\": 0.01, \"residual\": 0.01, \"kernels\": [\"k\", \"l\"],"        \
    "\"symbols\": [\"S\", \"T\"], \"counts\": {\"measured\": 2, \"selected\": 1}, \"selected\": [\"EV\"],"             \
    "\"dropped_symbols\": [\"U\"], \"events\": [{\"event\": \"EV\", \"status\": \"selected\", \"max_rnmse\": 0.01,"    \
    "\"residual\": 0, \"representation\": [1, 2], \"equivalent_to\": null}, {\"event\": \"EW\", \"status\": \"" status \
    "\", \"max_rnmse\": 0.1, \"residual\": null, \"representation\": null, \"equivalent_to\": null}],"                 \
    "\"metrics\": [" metrics "]}]}"

static const char before_text[] = DOCUMENT("noisy", METRIC("M", "true", "EV") "," METRIC("N", "false", "EW"));
static const char after_text[] = DOCUMENT("dependent", METRIC("M", "false", "EW"));
static const char audit_text[] =
    "{\"schema\": \"catmint.audit/1\", \"verdicts\": {\"right\": 1}, \"formulas\": [{\"file\": \"f\", \"line\": 1,"
    "\"metric\": \"m\", \"formula\": \"EV\", \"verdict\": \"right\", \"numerator\": {\"verdict\": \"right\","
    "\"metric\": \"M\", \"measures\": \"\", \"remark\": \"r\"}, \"denominator\": null}]}";

static const char values_text[] =
    "{\"schema\": \"catmint.evaluate/1\", \"formulas\": \"f.csv\", \"counts\": \"c\", \"runs\": [\"1\", \"2\"],"
    "\"metrics\": [{\"metric\": \"W\", \"unit\": \"u\", \"parent\": null, \"of\": null, \"depth\": 0, "
    "\"values\": [4, null], \"reasons\": [\"\", \"why\"]}, {\"metric\": \"P\", \"unit\": \"u\", \"parent\": \"W\", "
    "\"of\": \"W\", \"depth\": 1, \"values\": [0.5, 0.25], \"reasons\": [\"\", \"\"]}]}";

#define FIGURES "\"cores\": 1, \"undisturbed\": 9, \"rate\": [90, 100, 110], \"clock\": [3, 3, 3]}"
static const char machine_text[] =
    "{\"schema\": \"catmint.machine/1\", \"processor\": \"A\", \"caches\": [1000, 10000, 0], \"repetitions\": 9,"
    "\"ceilings\": [{\"kind\": \"flops\", \"operation\": \"fma\", \"vectors\": \"AVX\", \"precision\": \"double\","
    "\"level\": \"\", \"bytes\": 0, " FIGURES ", {\"kind\": \"sweep\", \"operation\": \"triad\", \"vectors\": \"AVX\", "
    "\"precision\": \"double\", \"level\": \"L1\", \"bytes\": 500, " FIGURES "], \"points\": [{\"name\": \"p\", "
    "\"flops\": 1000, \"l1_bytes\": 100, \"memory_bytes\": null, \"seconds\": 1, \"cores\": 1}]}";

/* The page and the plots of two results, with all that a page may show besides. */
static cm_status show(cm_results_view *const *views, const char *what, FILE *sink, cm_error *error)
{
    static const char *const cpus[] = {"skx"};
    cm_roofline *roofline = NULL;
    cm_formula_values *shown = NULL;
    cm_status status = cm_roofline_load(machine, &roofline, error);
    if (status == CM_OK)
        status = cm_formula_values_load(values, &shown, error);
    const cm_formula_values *const all[] = {shown};
    const cm_page_options page = {.size = sizeof page,
                                  .cpus = cpus,
                                  .cpu_count = COUNT(cpus),
                                  .part = cm_roofline_page_part(roofline),
                                  .values = all,
                                  .value_count = COUNT(all)};
    if (status == CM_OK && strcmp(what, "page") == 0)
        status = cm_results_views_write_page(views, 2, &page, sink, error);
    if (status == CM_OK && strcmp(what, "plots") == 0)
        status = cm_results_views_save_plots(views, 2, &page, plots, NULL, error);
    cm_formula_values_free(shown);
    cm_roofline_free(roofline);
    return status;
}

static cm_status go(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_output_style style = {CM_FORMAT_TABLE, 80, true}, json = {.format = CM_FORMAT_JSON};
    cm_results_view *views[2] = {NULL};
    const char *what = road->what;
    cm_status status = cm_results_view_load(before, &views[0], error);
    if (status == CM_OK)
        status = cm_results_view_add_audit(views[0], audit, error);
    if (status == CM_OK)
        status = cm_results_view_load(after, &views[1], error);
    if (status == CM_OK && strncmp(what, "diff", 4) != 0)
        status = show(views, what, sink, error);
    if (status == CM_OK && strncmp(what, "diff", 4) == 0)
        status =
            cm_results_views_write_difference(views[0], views[1], what[4] == '\0' ? &style : &json, sink, NULL, error);
    cm_results_view_free(views[0]);
    cm_results_view_free(views[1]);
    return status;
}

static void look_for_plots(const test_road *road, cm_status status)
{
    char path[PATH_SIZE + 32];
    struct stat found;
    static const char *const names[] = {"second-flops-noise", "f-hierarchy-2", "roofline-1-double", "sizes-1"};
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s.svg", plots, names[i]);
        if ((stat(path, &found) == 0 && found.st_size > 0) != (status == CM_OK))
            fail_msg("%s: status %d, and %s is %sthere", road->name, (int)status, names[i],
                     status == CM_OK ? "not " : "");
    }
    remove_all(plots);
}

static void test_page(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"page", "page", go, NULL, 200, 0});
}

static void test_plots(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"plots", "plots", go, look_for_plots, 200, 0});
}

static void test_difference(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"diff", "diff", go, NULL, 200, 0});
    fail_on_road(&(test_road){"diff as JSON", "diff-json", go, NULL, 200, 0});
}

static int prepare(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    write_file(directory, "before.json", before_text, before, sizeof before);
    write_file(directory, "after.json", after_text, after, sizeof after);
    write_file(directory, "audit.json", audit_text, audit, sizeof audit);
    write_file(directory, "values.json", values_text, values, sizeof values);
    write_file(directory, "machine.json", machine_text, machine, sizeof machine);
    snprintf(plots, sizeof plots, "%s/plots", directory);
    fail_jansson();
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
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_plots),
        cmocka_unit_test(test_difference),
    };
    return cmocka_run_group_tests_name("views without memory", tests, prepare, tidy_up);
}
