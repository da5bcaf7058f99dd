#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/kernels.h>
#include <catmint/software_pmu.h>

static void registry_is_in_the_order_of_the_bases(void **state)
{
    (void)state;
    static const char *const symbols[] = {
        "S_SCAL",     "S_128",     "S_256",     "S_512",     "D_SCAL",     "D_128",     "D_256",     "D_512",
        "S_FMA_SCAL", "S_FMA_128", "S_FMA_256", "S_FMA_512", "D_FMA_SCAL", "D_FMA_128", "D_FMA_256", "D_FMA_512",
        "H_SCAL",     "H_128",     "H_256",     "H_512",     "H_FMA_SCAL", "H_FMA_128", "H_FMA_256", "H_FMA_512",
    };
    static const char *const branches[] = {"b1", "b2", "b3", "b4", "b4a", "b4b", "b5", "b5a", "b5b", "b6", "b7"};
    size_t at = 0;
    for (size_t s = 0; s < 24; s++) {
        for (size_t i = 0; i < 3; i++, at++) {
            char name[32];
            snprintf(name, sizeof name, "%s.%d", symbols[s], (strstr(symbols[s], "FMA") != NULL ? 12 : 24) << i);
            const cm_kernel *kernel = cm_kernel_get(at);
            assert_non_null(kernel);
            assert_string_equal(kernel->name, name);
            assert_string_equal(kernel->benchmark, "cpu-flops");
            assert_ptr_equal(cm_kernel_find("cpu-flops", name), kernel);
            assert_true((kernel->isa & CM_ISA_AVX512_FP16) != 0 ? symbols[s][0] == 'H' : symbols[s][0] != 'H');
        }
    }
    for (size_t i = 0; i < 11; i++, at++) {
        assert_string_equal(cm_kernel_get(at)->name, branches[i]);
        assert_ptr_equal(cm_kernel_find("branch", branches[i]), cm_kernel_get(at));
    }
    assert_null(cm_kernel_find("branch", "S_SCAL.24"));
    assert_null(cm_kernel_find("cpu-flops", "S_SCAL.25"));
    assert_null(cm_kernel_get(cm_kernel_count()));
}

static void isa_has_names(void **state)
{
    (void)state;
    char names[64], cut[8];
    assert_string_equal(cm_isa_names(CM_ISA_SSE2 | CM_ISA_AVX512_FP16, names, sizeof names), "SSE2 AVX512-FP16");
    assert_string_equal(cm_isa_names(0, names, sizeof names), "");
    assert_string_equal(cm_isa_names(CM_ISA_AVX | CM_ISA_AVX512F, cut, sizeof cut), "AVX AVX");
    assert_true((cm_isa_available() & CM_ISA_SSE2) != 0);
}

/* What a body must leave as it was: the callee-saved registers and the control bits of MXCSR; and no exception may be
 * raised that would mean a slow or meaningless value. */
typedef struct callee_saved {
    uint64_t rbx, rbp, r12, r13, r14, r15;
} callee_saved;

static void call_with_marks(const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data, callee_saved *after)
{
    __asm__ volatile("pushq %%rbx\n\t"
                     "pushq %%rbp\n\t"
                     "pushq %[after]\n\t"
                     "movq $11, %%rbx\n\t"
                     "movq $12, %%rbp\n\t"
                     "movq $13, %%r12\n\t"
                     "movq $14, %%r13\n\t"
                     "movq $15, %%r14\n\t"
                     "movq $16, %%r15\n\t"
                     "subq $136, %%rsp\n\t" /* past the red zone */
                     "call *%[body]\n\t"
                     "addq $136, %%rsp\n\t"
                     "popq %%rax\n\t"
                     "movq %%rbx, 0(%%rax)\n\t"
                     "movq %%rbp, 8(%%rax)\n\t"
                     "movq %%r12, 16(%%rax)\n\t"
                     "movq %%r13, 24(%%rax)\n\t"
                     "movq %%r14, 32(%%rax)\n\t"
                     "movq %%r15, 40(%%rax)\n\t"
                     "popq %%rbp\n\t"
                     "popq %%rbx\n\t"
                     : "+D"(iterations), "+S"(data)
                     : [after] "r"(after), [body] "a"(kernel->body)
                     : "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15");
}

static void bodies_keep_the_calling_convention(void **state)
{
    (void)state;
    static const uint64_t iterations[] = {1, 2, 3, 1000};
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        for (size_t i = 0; i < 4 && cm_kernel_available(kernel); i++) {
            cm_kernel_data data = {7, NULL};
            callee_saved after = {0};
            uint32_t clear = 0x1f80, control = 0;
            __asm__ volatile("ldmxcsr %0" : : "m"(clear));
            call_with_marks(kernel, iterations[i], &data, &after);
            __asm__ volatile("stmxcsr %0" : "=m"(control));
            if (control != clear)
                fail_msg("%s leaves MXCSR %x", kernel->name, control);
            if (after.rbx != 11 || after.rbp != 12 || after.r12 != 13 || after.r13 != 14 || after.r14 != 15 ||
                after.r15 != 16)
                fail_msg("%s changes a register that belongs to its caller", kernel->name);
            bool random = strncmp(kernel->name, "b4", 2) == 0 || strncmp(kernel->name, "b5", 2) == 0;
            assert_true((data.generator != 7) == random);
        }
    }
}

/* ---- what they execute, seen by the software PMU ---- */

typedef struct body_call {
    const cm_kernel *kernel;
    uint64_t iterations;
    cm_kernel_data *data;
} body_call;

/* It is stepped, too: a sanitizer's checks would add branches and loads to the kernel's. */
__attribute__((no_sanitize("address", "undefined"))) static void run_body(void *argument)
{
    const body_call *call = argument;
    call->kernel->body(call->iterations, call->data);
}

static cm_software_pmu *open_pmu(void)
{
    static const cm_pmu_machine machine = {.line_size = 64,
                                           .page_size = 4096,
                                           .l1d_size = 32768,
                                           .l1d_ways = 8,
                                           .l2_size = 262144,
                                           .l2_ways = 8,
                                           .dtlb_entries = 64,
                                           .predictor = "tage",
                                           .wrong_path_window = 64};
    cm_software_pmu *pmu = NULL;
    cm_error error;
    if (cm_software_pmu_create(&machine, &pmu, &error) != CM_OK)
        fail_msg("%s", error.text);
    return pmu;
}

static double fact(const uint64_t *before, const uint64_t *after, const char *name)
{
    ptrdiff_t index = cm_fact_find(name);
    assert_true(index >= 0);
    return (double)(after[index] - before[index]);
}

/* Runs a kernel; `facts` gets what it added to each fact. Both arrays have cm_fact_count() elements. */
static void step(cm_software_pmu *pmu, const cm_kernel *kernel, uint64_t iterations, cm_kernel_data *data,
                 uint64_t *before)
{
    body_call call = {kernel, iterations, data};
    cm_error error;
    memcpy(before, cm_software_pmu_facts(pmu), cm_fact_count() * sizeof *before);
    if (cm_software_pmu_run(pmu, run_body, &call, &error) != CM_OK)
        fail_msg("%s: %s", kernel->name, error.text);
}

static void flops_kernels_execute_their_payload_and_no_other(void **state)
{
    (void)state;
    cm_software_pmu *pmu = open_pmu();
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        if (strcmp(kernel->benchmark, "cpu-flops") != 0 || !cm_kernel_available(kernel))
            continue;
        cm_kernel_data data = {1, NULL};
        step(pmu, kernel, 100, &data, before);
        bool fused = strstr(kernel->name, "FMA") != NULL;
        const char *width = kernel->name + (fused ? 6 : 2);
        double count = 100 * atof(strchr(kernel->name, '.') + 1);
        for (size_t f = 0; f < cm_fact_count(); f++) {
            const char *name = cm_fact_name(f);
            if (strncmp(name, "fp_", 3) != 0)
                continue;
            const char *rest = name + 5; /* after fp_s_ */
            bool own = name[3] == (kernel->name[0] | 0x20) &&
                       strncmp(rest, strncmp(width, "SCAL", 4) == 0 ? "scalar" : width, 3) == 0;
            const char *operation = strchr(rest, '_');
            double share = !own                                                               ? 0
                           : operation == NULL                                                ? (fused ? 0 : 1)
                           : strcmp(operation, "_fma") == 0                                   ? (fused ? 1 : 0)
                           : strcmp(operation, "_add") == 0 || strcmp(operation, "_mul") == 0 ? (fused ? 0 : 0.5)
                                                                                              : 0;
            if ((double)(facts[f] - before[f]) != share * count)
                fail_msg("%s: %s is %llu", kernel->name, name, (unsigned long long)(facts[f] - before[f]));
        }
        assert_true(fact(before, facts, "branches_cond") == 100);
        assert_true(fact(before, facts, "loads") < 100); /* the call's, none of the loop */
        assert_true(fact(before, facts, "stores") < 100);
    }
    free(before);
    cm_software_pmu_free(pmu);
}

static void branch_kernels_execute_their_row(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double executed, retired, taken, unconditional, mispredicted;
    } rows[] = {
        {"b1", 2, 2, 1.5, 0, 0},     {"b2", 2, 2, 1, 0, 0},          {"b3", 2, 2, 2, 0, 0},
        {"b4", 2, 2, 1.5, 0, 0.5},   {"b4a", 2.5, 2.5, 1.5, 0, 0.5}, {"b4b", 2.5, 2.5, 2, 0, 0.5},
        {"b5", 2.5, 2, 1.5, 0, 0.5}, {"b5a", 3, 2.5, 1.5, 0, 0.5},   {"b5b", 3, 2.5, 2, 0, 0.5},
        {"b6", 2, 2, 1, 1, 0},       {"b7", 1, 1, 1, 0, 0},
    };
    static const uint64_t iterations[] = {1000, 1001, 5000};
    cm_software_pmu *pmu = open_pmu();
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    assert_non_null(before);
    cm_kernel_data data = {42, NULL};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        for (size_t i = 0; i < 3; i++) {
            step(pmu, cm_kernel_find("branch", rows[r].name), iterations[i], &data, before);
            const struct {
                const char *fact;
                double expected;
            } expected[] = {{"cond_executed", rows[r].executed},
                            {"branches_cond", rows[r].retired},
                            {"branches_cond_taken", rows[r].taken},
                            {"branches_uncond", rows[r].unconditional},
                            {"mispredicted_cond", rows[r].mispredicted}};
            for (size_t f = 0; f < 5; f++) {
                double got = fact(before, facts, expected[f].fact) / (double)iterations[i];
                if (fabs(got - expected[f].expected) >= 0.125) /* half a quantum: it rounds to the row */
                    fail_msg("%s, %llu iterations: %s is %g", rows[r].name, (unsigned long long)iterations[i],
                             expected[f].fact, got);
            }
        }
    }
    free(before);
    cm_software_pmu_free(pmu);
}

int main(void)
{
    if (cm_kernel_count() == 0) {
        fprintf(stderr, "skipped: there are no kernels for this architecture\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registry_is_in_the_order_of_the_bases),
        cmocka_unit_test(isa_has_names),
        cmocka_unit_test(bodies_keep_the_calling_convention),
        cmocka_unit_test(flops_kernels_execute_their_payload_and_no_other),
        cmocka_unit_test(branch_kernels_execute_their_row),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
