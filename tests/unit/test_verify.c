/* The kernels proved against their facts, and the proof proved able to fail. */
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

#include "software_pmu/machine/facts.h"
#include "verify/verify.h"

#define FACTS CM_TEST_SOURCE_DIR "/bases/facts.csv"

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

static void skip_without_software_pmu(cm_status status, const cm_error *error)
{
    if (status != CM_UNSUPPORTED)
        return;
    print_message("skipped: %s\n", error->text);
    skip();
}

/* The outcome, or a skip where there is no software PMU. */
static cm_status verify(const char *benchmark, const char *facts, const char *model, cm_verification **verification,
                        cm_error *error)
{
    cm_pmu_model *loaded = load_model(model);
    cm_status status = cm_verification_create(benchmark, facts, cm_pmu_model_machine(loaded), verification, error);
    cm_pmu_model_free(loaded);
    skip_without_software_pmu(status, error);
    return status;
}

static void kernels_execute_their_facts(void **state)
{
    (void)state;
    static const char *const benchmarks[] = {"cpu-flops", "branch", "mem-ops", "instructions"};
    static const char *const models[] = {"golden-cove", "zen4", "skylake"};
    for (size_t i = 0; i < 12; i++) {
        cm_verification *verification = NULL;
        cm_error error = {0};
        if (verify(benchmarks[i % 4], i == 0 ? NULL : FACTS, models[i / 4], &verification, &error) != CM_OK)
            fail_msg("%s", error.text);
        assert_string_equal(verification->benchmark, benchmarks[i % 4]);
        assert_true(verification->primitive_count < verification->quantity_count);
        assert_true(verification->quantity_count < cm_fact_count()); /* nobody knows tsc_cycles */
        for (size_t k = 0; k < verification->kernel_count; k++) {
            const cm_verified_kernel *kernel = &verification->kernels[k];
            bool available = cm_kernel_available(cm_kernel_find(benchmarks[i % 4], kernel->kernel));
            assert_true(kernel->available == available);
            if (kernel->ok != available || (kernel->text[0] == '\0') != available)
                fail_msg("%s on %s: %s", kernel->kernel, models[i / 4], kernel->text);
            assert_true(isnan(kernel->quantities[0].executed) == !available);
        }
        assert_int_equal(verification->failures, 0);
        cm_verification_free(verification);
    }
    cm_verification_free(NULL);
}

/* Those that store whole lines, too. */
static void evasion_changes_no_kernel(void **state)
{
    (void)state;
    cm_pmu_model *model = load_model("golden-cove");
    cm_pmu_machine machine = *cm_pmu_model_machine(model);
    cm_pmu_model_free(model);
    machine.write_allocate_evasion = 1;
    cm_verification *verification = NULL;
    cm_error error = {0};
    cm_status status = cm_verification_create("mem-ops", FACTS, &machine, &verification, &error);
    skip_without_software_pmu(status, &error);
    assert_int_equal(status, CM_OK);
    assert_int_equal(verification->failures, 0);
    cm_verification_free(verification);
}

/* ---- kernels that are not what they say ---- */

void cm_kernel_mutant_right(uint64_t iterations, cm_kernel_data *data);
void cm_kernel_mutant_added(uint64_t iterations, cm_kernel_data *data);
void cm_kernel_mutant_dropped(uint64_t iterations, cm_kernel_data *data);
void cm_kernel_mutant_multiplies(uint64_t iterations, cm_kernel_data *data);
void cm_kernel_mutant_loads(uint64_t iterations, cm_kernel_data *data);
void cm_kernel_mutant_moves(uint64_t iterations, cm_kernel_data *data);
void cm_kernel_mutant_jumps(uint64_t iterations, cm_kernel_data *data);

/* A loop of 24 additions in double precision, as D_ADD_SCAL.24 has them, and what one instruction more, less or of
 * another kind makes of it. */
static void a_mutant_is_noticed(void **state)
{
    (void)state;
    static const struct {
        void (*body)(uint64_t iterations, cm_kernel_data *data);
        const char *text;
    } rows[] = {
        {cm_kernel_mutant_right, ""},
        {cm_kernel_mutant_added,
         "instructions 32 instead of 31, fp_d_scalar_add 25 instead of 24, simd_instructions 25 "
         "instead of 24"},
        {cm_kernel_mutant_dropped, "instructions 30 instead of 31, fp_d_scalar_add 23 instead of 24, "
                                   "simd_instructions 23 instead of 24"},
        {cm_kernel_mutant_multiplies, "fp_d_scalar_add 23 instead of 24, fp_d_scalar_mul 1 instead of 0"},
        {cm_kernel_mutant_loads, "l1d_load_hit 1 instead of 0, load_bytes 8 instead of 0"},
        {cm_kernel_mutant_moves, "fp_d_scalar_add 23 instead of 24"},
        {cm_kernel_mutant_jumps, "instructions 32 instead of 31, branches_uncond 1 instead of 0, uncond_executed 1 "
                                 "instead of 0"},
    };
    cm_fact_table *table = NULL;
    cm_proof *proof = NULL;
    cm_error error = {0};
    cm_pmu_model *model = load_model("golden-cove");
    assert_int_equal(cm_fact_table_load(FACTS, NULL, &table, &error), CM_OK);
    cm_status status = cm_proof_create(table, cm_pmu_model_machine(model), &proof, &error);
    if (status != CM_OK) {
        cm_fact_table_free(table);
        cm_pmu_model_free(model);
    }
    skip_without_software_pmu(status, &error);
    assert_int_equal(status, CM_OK);
    const cm_kernel_facts *facts = cm_fact_table_find(table, "cpu-flops", "D_ADD_SCAL.24");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_kernel mutant = *cm_kernel_find("cpu-flops", "D_ADD_SCAL.24");
        cm_verified_kernel verified = {0};
        mutant.body = rows[i].body;
        assert_int_equal(cm_proof_kernel(proof, &mutant, facts, &verified, &error), CM_OK);
        if (strcmp(verified.text, rows[i].text) != 0 || verified.ok != (rows[i].text[0] == '\0'))
            fail_msg("row %zu: %s", i, verified.text);
        free(verified.quantities);
        free(verified.text);
    }
    cm_proof_free(proof);
    cm_fact_table_free(table);
    cm_pmu_model_free(model);
}

/* ---- files ---- */

static const char header[] = "benchmark,kernel,role,facts,chance,range\n";

static char *write_facts(const char *rows)
{
    static char path[] = "/tmp/catmint-test-facts-XXXXXX";
    strcpy(path, "/tmp/catmint-test-facts-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", header, rows);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void faulty_facts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *rows;
        size_t line;
        const char *text;
    } rows[] = {
        {"branch,b7,basis,no_such_fact,,\n", 2, "no_such_fact"},
        {"branch,b7,basis,loads,,\n", 2, "unknown primitive fact 'loads'"},
        {"branch,b7,basis,tsc_cycles,,\n", 2, "tsc_cycles"},
        {"branch,b7,basis,instructions + 1,,\n", 2, "expected a sum of multiples of facts"},
        {"branch,b7,basis,\"max(instructions, nops)\",,\n", 2, "expected a sum of multiples of facts"},
        {"branch,b7,basis,-1*instructions,,\n", 2, "facts of instructions is negative"},
        {"branch,b7,basis,instructions,-1*nops,\n", 2, "chance of nops is negative"},
        {"branch,b7,fitted,instructions,,\n", 2, "the role is 'fitted', expected basis, control or free"},
        {"branch,,basis,instructions,,\n", 2, ""},
        {"branch,b7,basis,instructions,,\nbranch,b7,basis,instructions,,\n", 3,
         "the kernel b7 of branch appears twice"},
        {"branch,b7,basis,instructions,\n", 2, ""},
        {"branch,b7,basis,6*instructions,,\n", 0, "no row for the kernel b1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *path = write_facts(rows[i].rows);
        cm_verification *verification = NULL;
        cm_error error = {0};
        cm_status status = verify("branch", path, "golden-cove", &verification, &error);
        unlink(path);
        if (status != CM_BAD_INPUT || error.line != rows[i].line || strcmp(error.file, path) != 0 ||
            strstr(error.text, rows[i].text) == NULL)
            fail_msg("row %zu: %s:%zu: %s", i, error.file, error.line, error.text);
        assert_null(verification);
    }
}

/* What nobody has facts of is not verified; a row of a kernel that was never written is a failure. */
static void benchmarks_without_facts_or_kernels(void **state)
{
    (void)state;
    cm_verification *verification = NULL;
    cm_error error = {0};
    assert_int_equal(verify("no-such", FACTS, "golden-cove", &verification, &error), CM_OK);
    assert_int_equal(verification->kernel_count, 0);
    assert_int_equal(verification->failures, 0);
    cm_verification_free(verification);
    char *path = write_facts("other,mine,control,instructions,,\n");
    cm_status status = verify("other", path, "golden-cove", &verification, &error);
    unlink(path);
    assert_int_equal(status, CM_OK);
    assert_int_equal(verification->failures, 1);
    assert_string_equal(verification->kernels[0].text, "unknown kernel");
    assert_false(verification->kernels[0].ok);
    cm_verification_free(verification);
}

/* Each fact that the software PMU counts is primitive or derived, but for the times, what prefetchers do, what wrong
 * paths do beside loads, stores and fetches, and what differs from one vendor's GPUs to the other's. */
static void every_fact_is_listed(void **state)
{
    (void)state;
    cm_fact_table *table = NULL;
    assert_int_equal(cm_fact_table_load(NULL, NULL, &table, NULL), CM_OK);
    for (size_t i = 0; i < cm_fact_count(); i++) {
        const char *name = cm_fact_name(i);
        bool of_one_vendor = strncmp(name, "gpu_mma_", 8) == 0 || strncmp(name, "gpu_mfma_", 9) == 0 ||
                             strncmp(name, "gpu_wmma_", 9) == 0 || strncmp(name, "gpu_wgmma_", 10) == 0;
        bool of_wrong_paths =
            i >= CM_FACT_WRONG_PATH_LOADS && i <= CM_FACT_WRONG_FETCH_WALKS && i != CM_FACT_L1D_WRONG_LOAD_HIT;
        bool of_walks = i >= CM_FACT_LOAD_WALK_STEPS && i <= CM_FACT_FETCH_WALK_STEPS;
        if (of_wrong_paths || of_walks)
            assert_int_not_equal(table->facts[i].kind, CM_FACT_UNLISTED);
        else if (!of_one_vendor &&
                 (table->facts[i].kind == CM_FACT_UNLISTED) !=
                     (strcmp(name, "tsc_cycles") == 0 ||
                      (i >= CM_FACT_IN_CORE_CYCLES && i < CM_FACT_GPU_MATRIX_F16_OPS) ||
                      (i >= CM_FACT_L1D_PREFETCH_MISS && i < CM_FACT_L1D_LOAD_FILL_HIT) ||
                      (i >= CM_FACT_INTERRUPTS && (i < CM_FACT_FP_MASKED || i > CM_FACT_FP_MASKED_END)) ||
                      (i >= CM_FACT_GPU_WARPS && i <= CM_FACT_GPU_THREADS && i != CM_FACT_GPU_INSTRUCTIONS) ||
                      i == CM_FACT_GPU_LANES + CM_GPU_VECTORS))
            fail_msg("%s is not listed", name);
    }
    for (size_t i = 0; i < cm_kernel_count(); i++)
        assert_non_null(cm_fact_table_find(table, cm_kernel_get(i)->benchmark, cm_kernel_get(i)->name));
    assert_int_equal(table->kernel_count, cm_kernel_count());
    cm_fact_table_free(table);
    cm_fact_table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fact_is_listed),      cmocka_unit_test(kernels_execute_their_facts),
        cmocka_unit_test(evasion_changes_no_kernel), cmocka_unit_test(a_mutant_is_noticed),
        cmocka_unit_test(faulty_facts_are_refused),  cmocka_unit_test(benchmarks_without_facts_or_kernels),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
