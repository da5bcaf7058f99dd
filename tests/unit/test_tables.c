/* Bases, signatures, benchmarks: reading them, and what becomes of them where kernels are missing. */
#include <stdbool.h>

#include "table_files.h"

/* ---- basis ---- */

static void bad_bases_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(""), 1, "empty"},
        {TEXT("kernel,A,B\n"), 1, "no kernel follows the header"},
        {TEXT("kernel\nb1\n"), 1, "no symbol follows"},
        {TEXT("name,A\nb1,1\n"), 1, "column 1 is 'name', expected 'kernel'"},
        {TEXT("kernel,A,A\nb1,1,1\n"), 1, "column 'A' appears twice"},
        {TEXT("kernel,A\nb1,1\nb2,1\nb1,2\n"), 4, "kernel 'b1' appears twice, first in line 2"},
        {TEXT("kernel,A\nb1,x\n"), 2, "column 'A': 'x' is not a decimal number"},
        {TEXT("kernel,A\nb1,inf\n"), 2, "not finite"},
        {TEXT("kernel,A\n,1\n"), 2, "field 1 is empty"},
        {TEXT("# x\nkernel,A,B\nb1,1,0\nb2,2,0\n"), 2, "symbol 'B' is zero for every kernel"},
        {TEXT("kernel,A,B\nb1,1\n"), 2, "2 fields in this row, expected 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *basis = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_basis_load(path, &basis, &error), &error);
    }
}

/* Where no kernel of the third level ran, what it writes back looks as what the second does: which of them there is,
 * the machine says. */
static void levels_that_a_machine_lacks_are_dropped(void **state)
{
    (void)state;
    put(TEXT("kernel,L2_WB,L3_WB,L30\nL3.4,1,0,0\nMEM.4,1,1,0\nx,0,0,1\n"));
    static const char *const kernels[] = {"MEM.4", "x"};
    static const struct {
        size_t levels;
        const char *first;
        size_t confounded;
    } rows[] = {{0, "L3_WB", 2}, {3, "L3_WB", 2}, {2, "L2_WB", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *basis = NULL, *restricted = NULL;
        assert_int_equal(cm_basis_load(path, &basis, NULL), CM_OK);
        basis->cache_levels = rows[i].levels;
        assert_int_equal(cm_basis_restrict_create(basis, 2, kernels, &restricted, NULL), CM_OK);
        assert_int_equal(restricted->symbol_count, 2);
        assert_string_equal(restricted->symbols[0], rows[i].first);
        assert_int_equal(restricted->confounded_count, rows[i].confounded);
        cm_basis_free(restricted);
        cm_basis_free(basis);
    }
}

/* What a metric is called by decides: "L2 Misses" and "L3 Reads" have the same symbols where there is no third level.
 */
static void metrics_of_levels_that_a_machine_lacks_are_not_measurable(void **state)
{
    (void)state;
    static const struct {
        size_t levels;
        double expected[4];
    } rows[] = {{0, {1, 1, 1, 1}}, {3, {1, 1, 1, 1}}, {2, {1, 0, 0, 1}}, {1, {0, 0, 0, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *basis = NULL, *restricted = NULL;
        cm_signatures *signatures = NULL, *found = NULL;
        put(TEXT("kernel,MEM\nMEM.4,1\n"));
        assert_int_equal(cm_basis_load(path, &basis, NULL), CM_OK);
        put(TEXT("metric,preset,description,MEM\nL2 Misses,,,1\nL3 Reads,,,1\nLines between L2 and L3,,,1\nL30 XL3 "
                 "L3a,,,1\n"));
        assert_int_equal(cm_signatures_load(path, &signatures, NULL), CM_OK);
        basis->cache_levels = rows[i].levels;
        assert_int_equal(cm_basis_restrict_create(basis, 1, (const char *const *)basis->kernels, &restricted, NULL),
                         CM_OK);
        assert_int_equal(cm_signatures_restrict_create(signatures, restricted, &found, NULL), CM_OK);
        for (size_t m = 0; m < 4; m++)
            assert_float_equal(found->metrics[m].values[0], rows[i].expected[m], 0.0);
        cm_signatures_free(found);
        cm_signatures_free(signatures);
        cm_basis_free(restricted);
        cm_basis_free(basis);
    }
}

static void restriction_drops_what_cannot_run(void **state)
{
    (void)state;
    put(TEXT("# x\nkernel,A,B,C\na1,1,0,0\na2,2,0,0.5\nb1,0,3,0\nc1,0,0,4\n"));
    cm_basis *basis = NULL;
    assert_int_equal(cm_basis_load(path, &basis, NULL), CM_OK);
    assert_int_equal(basis->header_line, 2);
    assert_true(*cm_matrix_at(basis->expectations, 1, 2) == 0.5);
    static const struct {
        const char *kernels[4];
        size_t count;
        const char *expected; /* symbols, then the rows; NULL: refused */
    } rows[] = {
        {{"a1", "a2", "b1", "c1"}, 4, "A B C | 1 0 0 | 2 0 0.5 | 0 3 0 | 0 0 4 |"},
        {{"b1", "a1"}, 2, "A B | 0 3 | 1 0 |"},
        {{"a2"}, 1, "C | 0.5 |"},
        {{NULL}, 0, "|"},
        {{"a1", "x1"}, 2, NULL},
        {{"a1", "a1"}, 2, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_basis *restricted = NULL;
        cm_error error;
        cm_status status = cm_basis_restrict_create(basis, rows[i].count, rows[i].kernels, &restricted, &error);
        assert_int_equal(status, rows[i].expected != NULL ? CM_OK : CM_BAD_INPUT);
        if (status != CM_OK)
            continue;
        char text[128] = "";
        size_t used = 0;
        for (size_t j = 0; j < restricted->symbol_count; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s ", restricted->symbols[j]);
        used += (size_t)snprintf(text + used, sizeof text - used, "|");
        for (size_t k = 0; k < restricted->kernel_count; k++) {
            assert_string_equal(restricted->kernels[k], rows[i].kernels[k]);
            for (size_t j = 0; j < restricted->symbol_count; j++)
                used += (size_t)snprintf(text + used, sizeof text - used, " %g",
                                         *cm_matrix_at(restricted->expectations, k, j));
            used += (size_t)snprintf(text + used, sizeof text - used, " |");
        }
        assert_string_equal(text, rows[i].expected);
        cm_basis_free(restricted);
    }
    put(TEXT("# y\n# z\nevent,repetition,thread,a1,unknown\nE,1,0,1,2\n"));
    cm_measurements *measurements = NULL;
    cm_basis *restricted = NULL;
    cm_error error;
    assert_int_equal(cm_measurements_load(path, &measurements, NULL), CM_OK);
    const bad_row expected = {NULL, 0, 3, "kernel 'unknown' is not in the basis"};
    expect_fault(0, &expected, cm_basis_restrict_to_create(basis, measurements, &restricted, &error), &error);
    cm_measurements_free(measurements);
    cm_basis_free(basis);
    cm_basis_free(NULL);
}

/* ---- signatures ---- */

#define SIGNATURE_HEAD "metric,preset,description,A,B\n"

static void bad_signatures_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(SIGNATURE_HEAD), 1, "no metric follows the header"},
        {TEXT("metric,preset,description\nM,,\n"), 1, "no symbol follows"},
        {TEXT("metric,preset,A\nM,,1\n"), 1, "column 3 is 'A', expected 'description'"},
        {TEXT(SIGNATURE_HEAD "M,,,1,0\nM,,,0,1\n"), 3, "metric 'M' appears twice, first in line 2"},
        {TEXT(SIGNATURE_HEAD "M,,,1,0\nN,,,0,0\n"), 3, "metric 'N' is zero for every symbol"},
        {TEXT(SIGNATURE_HEAD "M,,,1,-1e101\n"), 2, "expected 0 or a size from 1e-100 to 1e100"},
        {TEXT(SIGNATURE_HEAD "M,,,1e-101,1\n"), 2, "expected 0 or a size from 1e-100 to 1e100"},
        {TEXT(SIGNATURE_HEAD "M,,,1,x\n"), 2, "column 'B': 'x' is not"},
        {TEXT(SIGNATURE_HEAD ",,,1,1\n"), 2, "field 1 is empty"},
        {TEXT(SIGNATURE_HEAD "M,,a,b,1,1\n"), 2, "6 fields in this row, expected 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_signatures *signatures = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_signatures_load(path, &signatures, &error), &error);
    }
}

static void signatures_follow_the_basis(void **state)
{
    (void)state;
    put(TEXT(SIGNATURE_HEAD "M,PAPI_M,\"a, b\",1,-2\nN,,,0,3\n"));
    cm_signatures *signatures = NULL, *restricted = NULL;
    assert_int_equal(cm_signatures_load(path, &signatures, NULL), CM_OK);
    assert_int_equal(signatures->metric_count, 2);
    assert_string_equal(signatures->metrics[0].preset, "PAPI_M");
    assert_string_equal(signatures->metrics[0].description, "a, b");
    assert_string_equal(signatures->metrics[1].preset, "");

    static char *both[] = {"B", "A"}, *unknown[] = {"A", "X"};
    cm_basis basis = {.file = "basis.csv", .symbol_count = 2, .symbols = both};
    assert_int_equal(cm_signatures_restrict_create(signatures, &basis, &restricted, NULL), CM_OK);
    assert_string_equal(restricted->symbols[0], "B");
    assert_true(restricted->metrics[0].values[0] == -2.0 && restricted->metrics[0].values[1] == 1.0);
    cm_signatures_free(restricted);

    basis = (cm_basis){.file = "basis.csv", .symbol_count = 1, .symbols = both + 1};
    assert_int_equal(cm_signatures_restrict_create(signatures, &basis, &restricted, NULL), CM_OK);
    assert_int_equal(restricted->metric_count, 2);
    assert_true(restricted->metrics[1].values[0] == 0.0); /* nothing is left, but it is there */
    cm_signatures_free(restricted);

    basis = (cm_basis){.file = "basis.csv", .symbol_count = 2, .symbols = unknown};
    cm_error error;
    const bad_row expected = {NULL, 0, 1, "no column for symbol 'X' of the basis basis.csv"};
    expect_fault(0, &expected, cm_signatures_restrict_create(signatures, &basis, &restricted, &error), &error);
    cm_signatures_free(signatures);
    cm_signatures_free(NULL);
}

/* ---- benchmarks ---- */

#define BENCHMARK_HEAD "benchmark,tau,alpha,residual,quantum,description\n"

static void bad_benchmarks_are_refused(void **state)
{
    (void)state;
    static const bad_row rows[] = {
        {TEXT(BENCHMARK_HEAD), 1, "no benchmark follows the header"},
        {TEXT(BENCHMARK_HEAD "a,1e-10,5e-4,1e-2,0,x\na,1e-10,5e-4,1e-2,0,x\n"), 3, "benchmark 'a' appears twice"},
        {TEXT(BENCHMARK_HEAD "a,-1,5e-4,1e-2,0,x\n"), 2, "tau is negative"},
        {TEXT(BENCHMARK_HEAD "a,1,1e-2,1,0,x\n"), 2, "residual is 1, expected less than 1"},
        {TEXT(BENCHMARK_HEAD "a,1,1e-2,1e-2,1e-101,x\n"), 2, "quantum is 1e-101, expected 0, or 1e-100 to 1e100"},
        {TEXT(BENCHMARK_HEAD "a,1,0,1e-2,0,x\n"), 2, "alpha is 0, expected between 0 and 1"},
        {TEXT(BENCHMARK_HEAD "a,1,1,1e-2,0,x\n"), 2, "alpha is 1, expected between 0 and 1"},
        {TEXT(BENCHMARK_HEAD "a,1,.5,1e-2,none,x\n"), 2, "column 'quantum': 'none' is not"},
        {TEXT("benchmark,tau,alpha,residual,quantum,description,more\n"), 1, "unknown column 'more'"},
        {TEXT("benchmark,tau,alpha,quantum,description\n"), 1, "column 4 is 'quantum', expected 'residual'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_benchmarks *benchmarks = NULL;
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        expect_fault(i, &rows[i], cm_benchmarks_load(path, &benchmarks, &error), &error);
    }
    cm_benchmarks_free(NULL);
}

/* ---- both ---- */

static void symbols_that_are_confounded_are_not_measured(void **state)
{
    (void)state;
    static const struct {
        const char *kernels[4];
        size_t kernel_count, symbols, confounded;
        const char *known; /* metrics of which something is left, by their first letters */
    } rows[] = {
        {{"L1.1", "L2.1", "L3.1", "MEM.1"}, 4, 4, 0, "L1 Misses L1 Hits L1 Reads L2 Hits L2 Misses L3 Hits "},
        {{"L1.1", "L2.1", "L3.1"}, 3, 3, 3, "L1 Hits "},
        {{"L1.1", "L2.1", "MEM.1"}, 3, 3, 0, "L1 Misses L1 Hits L1 Reads L2 Hits L2 Misses "},
        {{"L1.1", "L2.1"}, 2, 2, 2, "L1 Hits "},
        {{"L1.1"}, 1, 1, 0, "L1 Hits L1 Reads "},
    };
    cm_basis *whole = NULL;
    cm_signatures *all = NULL;
    char *found = NULL;
    assert_int_equal(cm_data_path("bases/paper/dcache.csv", &found, NULL), CM_OK);
    assert_int_equal(cm_basis_load(found, &whole, NULL), CM_OK);
    free(found);
    assert_int_equal(cm_data_path("signatures/paper/dcache.csv", &found, NULL), CM_OK);
    assert_int_equal(cm_signatures_load(found, &all, NULL), CM_OK);
    free(found);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_basis *basis = NULL;
        cm_signatures *signatures = NULL;
        char known[256] = "";
        assert_int_equal(cm_basis_restrict_create(whole, rows[r].kernel_count, rows[r].kernels, &basis, NULL), CM_OK);
        assert_int_equal(basis->symbol_count, rows[r].symbols);
        assert_int_equal(basis->confounded_count, rows[r].confounded);
        assert_int_equal(cm_signatures_restrict_create(all, basis, &signatures, NULL), CM_OK);
        for (size_t m = 0; m < signatures->metric_count; m++) {
            bool left = false;
            for (size_t s = 0; s < basis->symbol_count; s++)
                left = left || signatures->metrics[m].values[s] != 0.0;
            if (left) {
                strcat(known, signatures->metrics[m].metric);
                strcat(known, " ");
            }
        }
        if (strcmp(known, rows[r].known) != 0)
            fail_msg("row %zu: %s", r, known);
        cm_signatures_free(signatures);
        cm_basis_free(basis);
    }
    cm_signatures_free(all);
    cm_basis_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_bases_are_refused),
        cmocka_unit_test(restriction_drops_what_cannot_run),
        cmocka_unit_test(levels_that_a_machine_lacks_are_dropped),
        cmocka_unit_test(metrics_of_levels_that_a_machine_lacks_are_not_measurable),
        cmocka_unit_test(bad_signatures_are_refused),
        cmocka_unit_test(signatures_follow_the_basis),
        cmocka_unit_test(bad_benchmarks_are_refused),
        cmocka_unit_test(symbols_that_are_confounded_are_not_measured),
    };
    return cmocka_run_group_tests_name("tables", tests, make_directory, remove_directory);
}
