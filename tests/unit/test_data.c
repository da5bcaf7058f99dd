/* The tables that come with catmint. */
#include <math.h>
#include <stdbool.h>

#include "table_files.h"
#include "tables/tables.h"

static void thresholds_are_those_of_the_design(void **state)
{
    (void)state;
    static const cm_benchmark rows[] = {
        /* clang-format off */
        {"cpu-flops", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"branch", 1e-10, 5e-4, 1e-2, 0.25, NULL},
        {"dcache", 1e-1, 5e-2, 1e-1, 0.0, NULL},
        {"dcache-write", 1e-1, 5e-2, 1e-1, 0.0, NULL},
        {"mem-ops", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"instructions", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"icache", 1e-1, 5e-2, 1e-1, 0.0, NULL},
        {"tlb", 1e-1, 5e-2, 1e-1, 0.0, NULL},
        {"gpu-flops", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"gpu-matrix", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"gpu-memory", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"gpu-instructions", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        {"core", 1e-10, 5e-4, 1e-2, 0.0, NULL},
        /* clang-format on */
    };
    const size_t count = sizeof rows / sizeof rows[0];
    char *file = NULL;
    cm_benchmarks *benchmarks = NULL;
    assert_int_equal(cm_data_path("bases/benchmarks.csv", &file, NULL), CM_OK);
    assert_int_equal(cm_benchmarks_load(file, &benchmarks, NULL), CM_OK);
    assert_int_equal(benchmarks->count, count);
    for (size_t i = 0; i < count; i++) {
        const cm_benchmark *item = &benchmarks->items[i];
        assert_string_equal(item->name, rows[i].name);
        assert_true(item->tau == rows[i].tau && item->alpha == rows[i].alpha && item->residual == rows[i].residual &&
                    item->quantum == rows[i].quantum);
        assert_ptr_equal(cm_benchmarks_find(benchmarks, rows[i].name), item);
    }
    assert_null(cm_benchmarks_find(benchmarks, "none"));
    cm_benchmarks_free(benchmarks);
    free(file);
}

static cm_basis *load_basis(const char *benchmark)
{
    char name[64], *file = NULL;
    cm_basis *basis = NULL;
    snprintf(name, sizeof name, "bases/%s.csv", benchmark);
    assert_int_equal(cm_data_path(name, &file, NULL), CM_OK);
    assert_int_equal(cm_basis_load(file, &basis, NULL), CM_OK);
    free(file);
    return basis;
}

static void every_basis_has_its_signatures(void **state)
{
    (void)state;
    static const struct {
        const char *benchmark;
        size_t kernels, symbols, metrics;
        const char *first, *last; /* symbols */
    } rows[] = {
        {"cpu-flops", 191, 127, 28, "S_ADD_SCAL", "LOOP"},
        {"branch", 23, 8, 8, "CE", "IND"},
        {"dcache", 26, 6, 6, "L1_DM", "UPD"},
        {"dcache-write", 21, 16, 35, "L1_DM", "INS"},
        {"mem-ops", 53, 21, 22, "LD_1", "LOOP"},
        {"instructions", 90, 44, 13, "ADD", "LOOP"},
        {"paper/cpu-flops", 72, 24, 11, "S_SCAL", "H_FMA_512"},
        {"paper/branch", 11, 5, 8, "CE", "M"},
        {"paper/dcache", 24, 4, 6, "L1_DM", "L3_DH"},
        {"gpu-flops", 45, 15, 18, "A_H", "F_D"},
        {"gpu-matrix", 64, 8, 11, "MX_H", "MX_F8"},
        {"gpu-memory", 83, 17, 30, "LD", "SH_STC"},
        {"gpu-instructions", 54, 11, 14, "IN", "IA"},
        {"core", 66, 34, 38, "ADD", "JMP_USE"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *basis = load_basis(rows[i].benchmark);
        assert_int_equal(basis->kernel_count, rows[i].kernels);
        assert_int_equal(basis->symbol_count, rows[i].symbols);
        assert_string_equal(basis->symbols[0], rows[i].first);
        assert_string_equal(basis->symbols[rows[i].symbols - 1], rows[i].last);
        char name[64], *file = NULL;
        cm_signatures *signatures = NULL, *restricted = NULL;
        snprintf(name, sizeof name, "signatures/%s.csv", rows[i].benchmark);
        assert_int_equal(cm_data_path(name, &file, NULL), CM_OK);
        assert_int_equal(cm_signatures_load(file, &signatures, NULL), CM_OK);
        assert_int_equal(signatures->symbol_count, rows[i].symbols);
        assert_int_equal(cm_signatures_restrict_create(signatures, basis, &restricted, NULL), CM_OK);
        assert_int_equal(restricted->metric_count, rows[i].metrics);
        cm_signatures_free(restricted);
        cm_signatures_free(signatures);
        cm_basis_free(basis);
        free(file);
    }
}

static void every_symbol_is_put_into_words(void **state)
{
    (void)state;
    static const char *const benchmarks[] = {
        "cpu-flops",  "branch",           "dcache",          "mem-ops",      "instructions", "gpu-flops", "gpu-matrix",
        "gpu-memory", "gpu-instructions", "paper/cpu-flops", "paper/branch", "paper/dcache", "core"};
    char *file = NULL;
    cm_symbol_words *words = NULL;
    assert_int_equal(cm_data_path("bases/symbols.csv", &file, NULL), CM_OK);
    assert_int_equal(cm_symbol_words_load(file, &words, NULL), CM_OK);
    for (size_t i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
        cm_basis *basis = load_basis(benchmarks[i]);
        const char *benchmark = benchmarks[i] + (strncmp(benchmarks[i], "paper/", 6) == 0 ? 6 : 0);
        for (size_t s = 0; s < basis->symbol_count; s++)
            if (cm_symbol_words_find(words, benchmark, basis->symbols[s]) == NULL)
                fail_msg("%s of %s has no words", basis->symbols[s], benchmarks[i]);
        cm_basis_free(basis);
    }
    assert_null(cm_symbol_words_find(words, "branch", "D_SCAL"));
    assert_null(cm_symbol_words_find(NULL, "branch", "CE"));
    cm_symbol_words_free(words);
    cm_symbol_words_free(NULL);
    free(file);
}

static void bad_words_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT("benchmark,symbol\n"), 1, "expression"},
        {TEXT("benchmark,symbol,description\nb,S,x\n"), 1, "expression"},
        {TEXT("benchmark,symbol,expression,description\nb,S,,\n"), 2, "field 4 is empty"},
        {TEXT("benchmark,symbol,expression,description\nb,,,x\n"), 2, "field 2 is empty"},
        {TEXT("benchmark,symbol,expression,description\nb,S,,x\nc,S,,x\nb,S,loads,y\n"), 4,
         "symbol 'S' of benchmark 'b' appears twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_symbol_words *words = NULL;
        cm_error error;
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_symbol_words_load(path, &words, &error), &error);
        assert_null(words);
    }
}

/* DESIGN's matrix of eq. (3), row by row. */
static void the_branch_basis_is_the_papers(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        double values[5];
    } rows[] = {{"b1", {2, 2, 1.5, 0, 0}},    {"b2", {2, 2, 1, 0, 0}},         {"b3", {2, 2, 2, 0, 0}},
                {"b4", {2, 2, 1.5, 0, .5}},   {"b4a", {2.5, 2.5, 1.5, 0, .5}}, {"b4b", {2.5, 2.5, 2, 0, .5}},
                {"b5", {2.5, 2, 1.5, 0, .5}}, {"b5a", {3, 2.5, 1.5, 0, .5}},   {"b5b", {3, 2.5, 2, 0, .5}},
                {"b6", {2, 2, 1, 1, 0}},      {"b7", {1, 1, 1, 0, 0}}};
    cm_basis *basis = load_basis("paper/branch");
    for (size_t i = 0; i < 11; i++) {
        assert_string_equal(basis->kernels[i], rows[i].kernel);
        for (size_t j = 0; j < 5; j++)
            assert_true(*cm_matrix_at(basis->expectations, i, j) == rows[i].values[j]);
    }
    cm_basis_free(basis);
}

/* A kernel <symbol>.<count> executes <count> of its symbol and nothing else. */
static void flops_kernels_are_what_their_names_say(void **state)
{
    (void)state;
    static const char *const benchmarks[] = {"cpu-flops", "gpu-flops", "paper/cpu-flops"};
    for (size_t b = 0; b < 3; b++) {
        cm_basis *basis = load_basis(benchmarks[b]);
        for (size_t i = 0; i < basis->kernel_count; i++)
            for (size_t j = 0; j < basis->symbol_count; j++) {
                size_t length = strlen(basis->symbols[j]);
                bool own =
                    strncmp(basis->kernels[i], basis->symbols[j], length) == 0 && basis->kernels[i][length] == '.';
                double expected = own ? strtod(basis->kernels[i] + length + 1, NULL)
                                  : strcmp(basis->symbols[j], "LOOP") == 0 ? 1.0
                                                                           : 0.0;
                if (*cm_matrix_at(basis->expectations, i, j) != expected || (own && expected < 12.0))
                    fail_msg("%s, %s", basis->kernels[i], basis->symbols[j]);
            }
        cm_basis_free(basis);
    }
}

static void data_files_are_found(void **state)
{
    (void)state;
    char *file = NULL;
    cm_error error;
    char *before = getenv("CATMINT_DATA_DIR");
    char *kept = before != NULL ? strdup(before) : NULL;
    put(TEXT("x"));
    setenv("CATMINT_DATA_DIR", directory, 1);
    assert_int_equal(cm_data_path("table.csv", &file, &error), CM_OK);
    assert_string_equal(file, path);
    free(file);
    assert_int_equal(cm_data_path("bases/branch.csv", &file, &error), CM_IO); /* only there */
    assert_non_null(strstr(error.text, directory));
    unsetenv("CATMINT_DATA_DIR");
    assert_int_equal(cm_data_path("bases/branch.csv", &file, &error), CM_OK); /* the build tree's share/catmint */
    free(file);
    assert_int_equal(cm_data_path("bases/none.csv", &file, &error), CM_IO);
    assert_non_null(strstr(error.text, "'bases/none.csv' is not in share/catmint"));
    if (kept != NULL)
        setenv("CATMINT_DATA_DIR", kept, 1);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_are_those_of_the_design),
        cmocka_unit_test(every_basis_has_its_signatures),
        cmocka_unit_test(every_symbol_is_put_into_words),
        cmocka_unit_test(bad_words_are_refused),
        cmocka_unit_test(the_branch_basis_is_the_papers),
        cmocka_unit_test(flops_kernels_are_what_their_names_say),
        cmocka_unit_test(data_files_are_found),
    };
    return cmocka_run_group_tests_name("data", tests, make_directory, remove_directory);
}
