/* The kernels proved against their bases, and the proof proved able to fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/kernels.h>
#include <catmint/verify.h>

#define BASES CM_TEST_SOURCE_DIR "/bases/"
#define FACTS BASES "facts.csv"

static cm_pmu_model *load_model(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/data/pmu/%s", CM_TEST_SOURCE_DIR, name);
    cm_pmu_model *model = NULL;
    cm_error error = {0};
    if (cm_pmu_model_load(path, &model, &error) != CM_OK)
        fail_msg("%s", error.text);
    return model;
}

static cm_basis *load_basis(const char *benchmark)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s.csv", BASES, benchmark);
    cm_basis *basis = NULL;
    cm_error error = {0};
    if (cm_basis_load(path, &basis, &error) != CM_OK)
        fail_msg("%s", error.text);
    return basis;
}

/* The outcome, or a skip where there is no software PMU. */
static cm_status verify(const char *benchmark, const cm_basis *basis, const char *facts, const char *model,
                        cm_verification **verification, cm_error *error)
{
    cm_pmu_model *loaded = load_model(model);
    cm_status status = cm_verify(benchmark, basis, facts, cm_pmu_model_machine(loaded), verification, error);
    cm_pmu_model_free(loaded);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error->text);
        skip();
    }
    return status;
}

static void kernels_execute_their_basis(void **state)
{
    (void)state;
    static const char *const benchmarks[] = {"cpu-flops", "branch"}, *const models[] = {"golden-cove", "zen4",
                                                                                        "skylake"};
    for (size_t i = 0; i < 6; i++) {
        cm_basis *basis = load_basis(benchmarks[i % 2]);
        cm_verification *verification = NULL;
        cm_error error = {0};
        if (verify(benchmarks[i % 2], basis, FACTS, models[i / 2], &verification, &error) != CM_OK)
            fail_msg("%s", error.text);
        assert_string_equal(verification->benchmark, benchmarks[i % 2]);
        assert_int_equal(verification->kernel_count, basis->kernel_count);
        assert_true(verification->quantity_count > basis->symbol_count);
        for (size_t k = 0; k < verification->kernel_count; k++) {
            const cm_verified_kernel *kernel = &verification->kernels[k];
            bool available = cm_kernel_available(cm_kernel_find(benchmarks[i % 2], kernel->kernel));
            assert_true(kernel->available == available);
            if (kernel->ok != available || (kernel->text[0] == '\0') != available)
                fail_msg("%s on %s: %s", kernel->kernel, models[i / 2], kernel->text);
            assert_true(isnan(kernel->quantities[0].executed) == !available);
        }
        assert_int_equal(verification->failures, 0);
        cm_verification_free(verification);
        cm_basis_free(basis);
    }
    cm_verification_free(NULL);
}

static const char header[] = "benchmark,quantity,expected,executed,quantum\n";
/* Right rows of branch but for T and M. */
static const char right[] = "branch,CE,CE,cond_executed,0.25\nbranch,CR,CR,branches_cond,0.25\n"
                            "branch,D,D,branches_uncond,0.25\n";

static char *write_facts(const char *rows)
{
    static char path[] = "/tmp/catmint-test-facts-XXXXXX";
    strcpy(path, "/tmp/catmint-test-facts-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fprintf(file, "%s%s%s", header, right, rows);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void what_differs_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        const char *kernel;
        const char *text;
        size_t failures;
    } rows[] = {
        {"branch,T,T,branches_cond_taken,0.25\nbranch,M,M,mispredicted_cond,0.25\n", "b7", "", 0},
        {"branch,T,T,branches_cond_taken,0.25\nbranch,M,M,mispredicted_cond,0.25\nbranch,shown,,loads,0\n", "b7", "",
         0},
        {"branch,T,T,branches_cond,0.25\nbranch,M,M,mispredicted_cond,0.25\n", "b1", "T 2 instead of 1.5", 9},
        {"branch,T,T,branches_cond_taken + 1,0.25\nbranch,M,M,0,0.25\n", "b5",
         "T 2.5 instead of 1.5, M 0 instead of 0.5", 11},
        {"branch,T,T,branches_cond_taken,0.25\nbranch,M,M,mispredicted_cond,0.25\nbranch,sum,CR + "
         "D,branches_cond,0.25\n",
         "b6", "sum 2 instead of 3", 1},
    };
    cm_basis *basis = load_basis("branch");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *path = write_facts(rows[i].rows);
        cm_verification *verification = NULL;
        cm_error error = {0};
        cm_status status = verify("branch", basis, path, "golden-cove", &verification, &error);
        unlink(path);
        if (status != CM_OK)
            fail_msg("row %zu: %s", i, error.text);
        if (verification->failures != rows[i].failures)
            fail_msg("row %zu: %zu failures", i, verification->failures);
        for (size_t k = 0; k < verification->kernel_count; k++) {
            const cm_verified_kernel *kernel = &verification->kernels[k];
            if (strcmp(kernel->kernel, rows[i].kernel) == 0 && strcmp(kernel->text, rows[i].text) != 0)
                fail_msg("row %zu: %s", i, kernel->text);
        }
        cm_verification_free(verification);
    }
    cm_basis_free(basis);
}

static void faulty_facts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        size_t line;
        const char *text;
    } rows[] = {
        {"branch,T,T,branches_cond_taken,0.25\n", 0, "no quantity of branch covers the symbol M"},
        {"branch,M,M,no_such_fact,0.25\n", 5, "no_such_fact"},
        {"branch,M,X,mispredicted_cond,0.25\n", 5, "X"},
        {"branch,M,M,mispredicted_cond,-1\n", 5, "negative"},
        {"branch,M,M,mispredicted_cond,\n", 5, ""},
        {"branch,M,M,,0.25\n", 5, ""},
        {"branch,CE,CE,cond_executed,0.25\n", 5, "appears twice"},
        {"branch,M,M,loads / stores,0.25\n", 5, "divide by zero"},
        {"branch,,M,mispredicted_cond,0.25\n", 5, ""},
        {"other,M,M,mispredicted_cond,x\n", 5, "x"},
        {"branch,M,M\n", 5, ""},
    };
    cm_basis *basis = load_basis("branch");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *path = write_facts(rows[i].rows);
        cm_verification *verification = NULL;
        cm_error error = {0};
        cm_status status = verify("branch", basis, path, "golden-cove", &verification, &error);
        unlink(path);
        if (status != CM_BAD_INPUT || error.line != rows[i].line || strcmp(error.file, path) != 0 ||
            strstr(error.text, rows[i].text) == NULL)
            fail_msg("row %zu: %s:%zu: %s", i, error.file, error.line, error.text);
        assert_null(verification);
    }
    cm_basis_free(basis);
    cm_verification *verification = NULL;
    cm_basis *dcache = load_basis("dcache");
    cm_error error = {0};
    assert_int_equal(verify("no-such", dcache, FACTS, "golden-cove", &verification, &error), CM_BAD_INPUT);
    assert_non_null(strstr(error.text, "no row for the benchmark no-such"));
    cm_basis_free(dcache);
}

static void bases_and_kernels_must_fit(void **state)
{
    (void)state;
    cm_basis *basis = load_basis("branch"), *some = NULL;
    cm_verification *verification = NULL;
    cm_error error = {0};
    const char *const kernels[] = {"b1", "b2", "b4", "b5", "b6", "b7"};
    assert_int_equal(cm_basis_restrict(basis, 6, kernels, &some, NULL), CM_OK);
    assert_int_equal(verify("branch", some, FACTS, "golden-cove", &verification, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "no row for the kernel b3");
    char *name = basis->kernels[10];
    basis->kernels[10] = strdup("b8");
    assert_int_equal(verify("branch", basis, FACTS, "golden-cove", &verification, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "no row for the kernel b7");
    free(basis->kernels[10]);
    basis->kernels[10] = name;
    cm_basis_free(some);
    cm_basis_free(basis);

    /* A row too many: a kernel that was never written. */
    char path[] = "/tmp/catmint-test-basis-XXXXXX", line[256];
    int descriptor = mkstemp(path);
    FILE *from = fopen(BASES "branch.csv", "r"), *to = fdopen(descriptor, "w");
    assert_true(from != NULL && to != NULL);
    while (fgets(line, sizeof line, from) != NULL)
        fputs(line, to);
    fputs("b8,1,1,1,0,0\n", to);
    fclose(from);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(cm_basis_load(path, &basis, NULL), CM_OK);
    unlink(path);
    assert_int_equal(verify("branch", basis, FACTS, "golden-cove", &verification, &error), CM_OK);
    assert_int_equal(verification->failures, 1);
    assert_string_equal(verification->kernels[11].text, "unknown kernel");
    assert_false(verification->kernels[11].ok);
    cm_verification_free(verification);
    cm_basis_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_execute_their_basis),
        cmocka_unit_test(what_differs_is_named),
        cmocka_unit_test(faulty_facts_are_refused),
        cmocka_unit_test(bases_and_kernels_must_fit),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
