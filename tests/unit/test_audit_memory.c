/* An audit without memory: every allocation fails once, and nothing is lost. */
#include "failing_roads.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catmint/audit.h>

#include "audit/claims.h"

enum { PATH_SIZE = 256 };

static const char formulas_text[] = "metric,formula,unit,source\n"
                                    "Mispredicted Branches,2 * BR_MISP_RETIRED,,\n"
                                    "All Branches,\"max(BR_MISP_RETIRED, 0)\",,\n"
                                    "All Branches,BR_INST_RETIRED.ALL_BRANCHES / BR_INST_RETIRED_COND,,\n"
                                    "Conditional Branches Executed,GONE,,\n"
                                    "share,BR_MISP_RETIRED / BR_INST_RETIRED:ALL_BRANCHES,,\n"
                                    "Unconditional Branches,BR_INST_RETIRED:ALL_BRANCHES - BR_INST_RETIRED:COND,,\n";
static const char map_text[] = "metric,signature\nshare,Mispredicted Branches / All Branches\n";

/* catmint's data, but the largest tables small: what is read of a table is read of each row. */
static void make_data(char directory[])
{
    static const char *const ours[] = {"signatures",
                                       "bases/paper",
                                       "bases/primitive-facts.csv",
                                       "bases/derived-facts.csv",
                                       "bases/benchmarks.csv",
                                       "bases/branch.csv",
                                       "bases/symbols.csv",
                                       "bases/symbol-parts.csv",
                                       "bases/needed-parts.csv",
                                       "data/maps",
                                       "data/upstream.csv",
                                       "data/instruction-sets.csv",
                                       "data/vendor-presets.csv",
                                       "data/event-aliases.csv"};
    static const char *const directories[] = {"bases",         "bases/aarch64", "bases/ppc64le", "bases/riscv64",
                                              "bases/riscv32", "bases/gpu",     "data",          "data/amd-events"};
    static const char *const facts[] = {"bases/facts.csv", "bases/aarch64/facts.csv", "bases/ppc64le/facts.csv",
                                        "bases/riscv64/facts.csv", "bases/riscv32/facts.csv"};
    char target[2 * PATH_SIZE], path[2 * PATH_SIZE];
    assert_non_null(mkdtemp(directory));
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, directories[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        snprintf(target, sizeof target, CM_TEST_SOURCE_DIR "/%s", ours[i]);
        snprintf(path, sizeof path, "%s/%s", directory, ours[i]);
        assert_int_equal(symlink(target, path), 0);
    }
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        write_file(directory, facts[i], "benchmark,kernel,role,facts,chance,range\nbranch,b1,basis,2*branches_cond,,\n",
                   path, sizeof path);
    write_file(directory, "bases/gpu/facts.csv",
               "benchmark,kernel,role,facts,chance,range\ngpu-flops,A_H.24,basis,24*gpu_h_add,,\n", path, sizeof path);
    write_file(directory, "data/amd-events/names.csv", "alias,event\nex_ret_brn,BR_INST_RETIRED | BR\n", path,
               sizeof path);
    write_file(directory, "data/meanings.csv", "metric,preset,description,meaning\nCalls,,,calls + returns\n", path,
               sizeof path);
    write_few_programs(directory);
    assert_int_equal(setenv("CATMINT_DATA_DIR", directory, 1), 0);
}

static cm_status go_audit(const test_road *road, FILE *sink, cm_error *error)
{
    cm_audit *audit = NULL;
    cm_status status = cm_audit_create(road->what, &audit, error);
    for (cm_output_format format = CM_FORMAT_TABLE; format <= CM_FORMAT_JSON && status == CM_OK; format++)
        status = cm_audit_write(audit, &(cm_output_style){.format = format, .colour = true}, sink, error);
    cm_audit_free(audit);
    return status;
}

static void test_every_allocation(void **state)
{
    (void)state;
    char directory[] = "/tmp/catmint-test-XXXXXX", formulas[PATH_SIZE], map[PATH_SIZE], table[PATH_SIZE];
    char data[] = "/tmp/catmint-test-XXXXXX";
    make_data(data);
    assert_non_null(mkdtemp(directory));
    write_file(directory, "formulas.csv", formulas_text, formulas, sizeof formulas);
    write_file(directory, "map.csv", map_text, map, sizeof map);
    snprintf(table, sizeof table, "%s/branch.csv", directory);
    assert_int_equal(symlink(CM_TEST_SOURCE_DIR "/data/paper-events/sapphire-rapids-branch.csv", table), 0);
    const char *const files[] = {formulas};
    const cm_audit_options options = {
        .size = sizeof options, .formulas = files, .formula_count = 1, .against = directory, .map = map};
    fail_on_road(&(test_road){"audit", &options, go_audit, NULL, 1000, 0});
    unsetenv("CATMINT_DATA_DIR");
    remove_all(directory);
    remove_all(data);
}

/* A benchmark without symbols has no words, and nothing to free twice. */
static void test_words_of_no_symbols(void **state)
{
    (void)state;
    for (long allowed = 0; allowed < 200; allowed++) {
        cm_symbol_parts *words = NULL;
        atomic_store(&allocations_left, allowed);
        cm_status status =
            cm_symbol_parts_load(CM_TEST_SOURCE_DIR "/bases/symbol-parts.csv", "cpu-flops", 0, NULL, &words, NULL);
        atomic_store(&allocations_left, -1);
        assert_true(status == CM_OK || (status == CM_NO_MEMORY && allowed < 100));
        assert_true((words != NULL) == (status == CM_OK));
        cm_symbol_parts_free(words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation),
                                       cmocka_unit_test(test_words_of_no_symbols)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
