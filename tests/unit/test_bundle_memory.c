/* Bundles, patches and models that answer to codes without memory: each allocation fails once. */
#include "failing_roads.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catmint/bundle.h>
#include <catmint/sweep.h>

#include "formats/papi/papi.h"
#include "put_file.h"
#include "software_pmu/model/model.h"
#include "sweep/plan/plan.h"

enum { PATH_SIZE = 256, CODES = 3000 };

static char directory[] = "/tmp/catmint-test-XXXXXX";
static char bundle[PATH_SIZE], unpacked[PATH_SIZE], table[PATH_SIZE];

/* ---- bundles ---- */

static cm_status go_write(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    char parts_of[PATH_SIZE];
    snprintf(parts_of, sizeof parts_of, "%s/parts", directory);
    const cm_bundle_part parts[] = {{parts_of, "all"}};
    cm_bundle_summary summary;
    cm_status status = cm_bundle_write(parts, 1, bundle, &summary, error);
    if (status == CM_OK)
        fprintf(sink, "%zu %s\n", summary.files, summary.digest);
    return status;
}

static void look_for_bundle(const test_road *road, cm_status status)
{
    if ((access(bundle, F_OK) == 0) != (status == CM_OK))
        fail_msg("%s: status %d", road->name, (int)status);
    unlink(bundle);
}

static cm_status go_unpack(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    cm_bundle_summary summary;
    assert_int_equal(mkdir(unpacked, 0777), 0);
    cm_status status = cm_bundle_unpack(bundle, unpacked, &summary, error);
    if (status == CM_OK)
        fprintf(sink, "%zu %s\n", summary.files, summary.digest);
    return status;
}

static void look_for_unpacked(const test_road *road, cm_status status)
{
    (void)road;
    (void)status;
    remove_all(unpacked);
}

static void bundles(void **state)
{
    (void)state;
    if (!cm_bundle_available())
        skip();
    fail_on_road(&(test_road){"bundle", NULL, go_write, look_for_bundle, 10, 0});
    cm_error error;
    assert_int_equal(go_write(NULL, stderr, &error), CM_OK);
    fail_on_road(&(test_road){"unpack", NULL, go_unpack, look_for_unpacked, 10, 0});
}

/* ---- patches ---- */

static cm_status go_patch(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    static const char *const pmus[] = {"two"};
    static const char made[] =
        "# catmint\nCPU,two\nPRESET,A,NOT_DERIVED,X\nPRESET,B,NOT_DERIVED,Y\nPRESET,C,NOT_DERIVED,Z\n";
    size_t changed = 0;
    cm_status status = cm_papi_patch(made, table, pmus, 1, sink, &changed, error);
    assert_true(status != CM_OK || changed == 2);
    return status;
}

static void patches(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"patch", NULL, go_patch, NULL, 5, 0});
}

/* ---- codes ---- */

static cm_status go_codes(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    cm_pmu_model *model = NULL;
    cm_code_classes classes = {0};
    size_t answered = 0;
    cm_status status = cm_pmu_model_load(CM_TEST_SOURCE_DIR "/data/pmu/golden-cove", &model, error);
    if (status == CM_OK)
        status = cm_pmu_model_answer_codes(model, "mine", 1, error);
    for (uint64_t i = 0; status == CM_OK && i < CODES; i++) {
        cm_code_answer answer;
        const uint64_t sums[2] = {i % 1000, i};
        answered += cm_model_codes_find(cm_pmu_model_codes(model), i, &answer);
        status = cm_code_classes_add(&classes, sums, &(cm_raw_code){.words = {i}}, error);
    }
    if (status == CM_OK)
        fprintf(sink, "%zu of %d, %zu classes\n", answered, CODES, classes.count);
    cm_code_classes_clear(&classes);
    cm_pmu_model_free(model);
    return status;
}

static void codes(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"codes", NULL, go_codes, NULL, 100, 0});
}

/* ---- types of cores ---- */

static cm_status go_cores(const test_road *road, FILE *sink, cm_error *error)
{
    (void)road;
    static const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = CM_TEST_SOURCE_DIR "/tests/data/pmu/hybrid"};
    cm_core_type types[CM_CORE_TYPES];
    cm_pmu_model *model = NULL;
    size_t count = 0, listed = 0;
    cm_status status = cm_core_types_find(&choice, types, &count, error);
    if (status == CM_OK)
        status = cm_pmu_model_open(choice.model, types[0].name, &model, error);
    if (status == CM_OK)
        status = cm_sweep_cores_write(directory, types, count, error);
    if (status == CM_OK)
        status = cm_sweep_cores_read(directory, types, &listed, error);
    if (status == CM_OK)
        fprintf(sink, "%zu and %zu, %s\n", count, listed, cm_pmu_model_event(model, 0).name);
    cm_pmu_model_free(model);
    return status;
}

static void cores(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"cores", NULL, go_cores, NULL, 20, 0});
}

static int make_directory(void **state)
{
    (void)state;
    fail_jansson();
    if (mkdtemp(directory) == NULL)
        return 1;
    snprintf(bundle, sizeof bundle, "%s/bundle", directory);
    snprintf(unpacked, sizeof unpacked, "%s/unpacked", directory);
    snprintf(table, sizeof table, "%s/papi_events.csv", directory);
    put_file(directory, "parts/one.csv", "a,b\n1,2\n");
    put_file(directory, "parts/deeper/two.csv", "c\n");
    put_file(
        directory, "papi_events.csv",
        "CPU,one\nCPU,two\nPRESET,A,NOT_DERIVED,X\nPRESET,B,NOT_DERIVED,W\n# two\nCPU,two\nPRESET,C,NOT_DERIVED,V\n");
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    remove_all(directory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bundles), cmocka_unit_test(patches), cmocka_unit_test(codes),
                                       cmocka_unit_test(cores)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
