/* Operations of instructions, and where they come from: by the tables, the operation cache, and the buffers of
 * non-temporal stores; lanes that masks turn off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

#include "software_pmu/machine/facts.h"
#include "stepping.h"

/* A function of this code, which has rdi for a buffer and ends with a return. */
#define CODE(name, text)                                                                                               \
    static __attribute__((naked, aligned(64))) void name(__attribute__((unused)) void *argument)                       \
    {                                                                                                                  \
        __asm__(text "1: ret");                                                                                        \
    }

CODE(nothing, "")
CODE(load_and_add, "add (%rdi), %eax;")
CODE(add_to_memory, "add %eax, (%rdi);")
CODE(add_with_lock, "lock add %eax, (%rdi);")
CODE(exchange, "xchg %eax, %ecx;")
CODE(exchange_memory, "xchg %eax, (%rdi);")
CODE(store_once, "mov %eax, (%rdi);")
CODE(load_once, "mov (%rdi), %eax;")
CODE(push_and_pop, "push %rax; pop %rcx;")
CODE(load_vector, "movups (%rdi), %xmm0;")
CODE(work_on_vector, "addps (%rdi), %xmm0;")
CODE(compare_memory_and_jump, "cmp %ecx, (%rdi); je 1f; nop;")
CODE(divide, "mov $1, %ecx; xor %edx, %edx; div %ecx;")
CODE(identify, "push %rbx; xor %eax, %eax; cpuid; pop %rbx;")
CODE(call_and_return, "call 2f; jmp 1f; 2: ret;")
CODE(compare_and_jump, "cmp %ecx, %eax; je 1f; nop;")
CODE(store_string, "mov $5, %ecx; rep stosb;")
CODE(nops_128, ".rept 128; nop; .endr;")

static const uint64_t *facts_of(const cm_pmu_machine *machine, cm_software_pmu **pmu, void (*function)(void *),
                                unsigned times)
{
    static unsigned char buffer[4096] __attribute__((aligned(64)));
    cm_error error;
    if (*pmu == NULL && cm_software_pmu_create(machine, pmu, &error) != CM_OK)
        fail_msg("%s", error.text);
    while (times-- != 0)
        if (cm_software_pmu_run(*pmu, function, buffer, &error) != CM_OK)
            fail_msg("%s", error.text);
    return cm_software_pmu_facts(*pmu);
}

static void instructions_take_operations(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*function)(void *);
        unsigned operations[2], microcode[2], micro_fused; /* Intel's and AMD's, without the return; Intel's */
    } rows[] = {
        {"nothing", nothing, {0, 0}, {0, 0}, 0},
        {"a load", load_once, {1, 1}, {0, 0}, 0},
        {"a load and an addition", load_and_add, {1, 1}, {0, 0}, 1},
        {"an addition to memory", add_to_memory, {2, 1}, {0, 0}, 2},
        {"with a lock", add_with_lock, {8, 1}, {8, 0}, 0},
        {"an exchange", exchange, {3, 2}, {0, 0}, 0},
        {"an exchange with memory", exchange_memory, {8, 2}, {8, 0}, 0},
        {"a store", store_once, {1, 1}, {0, 0}, 1},
        {"push and pop", push_and_pop, {2, 2}, {0, 0}, 1},
        {"a vector load", load_vector, {1, 1}, {0, 0}, 0},
        {"a vector load and work", work_on_vector, {1, 1}, {0, 0}, 1},
        {"a division", divide, {6, 4}, {0, 0}, 0},
        {"cpuid", identify, {29, 63}, {26, 60}, 1},
        {"a call", call_and_return, {4, 3}, {0, 0}, 2},
        {"a fused pair", compare_and_jump, {1, 1}, {0, 0}, 0},
        {"a pair with a load", compare_memory_and_jump, {1, 1}, {0, 0}, 1},
        {"a repeated store", store_string, {7, 7}, {6, 6}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned table = 0; table <= 2; table++) {
            const cm_pmu_machine machine = {
                .line_size = 64, .page_size = 4096, .predictor = "none", .macro_fusion = 4, .operations = table};
            cm_software_pmu *pmu = NULL;
            const uint64_t *facts = facts_of(&machine, &pmu, rows[i].function, 1);
            const uint64_t expected = table != 0 ? rows[i].operations[table - 1] + 1 : 0;
            const uint64_t microcode = table != 0 ? rows[i].microcode[table - 1] : 0;
            if (facts[CM_FACT_OPERATIONS] != expected || facts[CM_FACT_MICROCODE_OPERATIONS] != microcode ||
                facts[CM_FACT_DECODER_OPERATIONS] != expected - microcode)
                fail_msg("%s, table %u: %d operations, %d of microcode, expected %d and %d", rows[i].name, table,
                         (int)facts[CM_FACT_OPERATIONS], (int)facts[CM_FACT_MICROCODE_OPERATIONS], (int)expected,
                         (int)microcode);
            /* a return loads where it goes to */
            assert_int_equal(facts[CM_FACT_MICRO_FUSED], table == 1 ? rows[i].micro_fused + 1 : 0);
            cm_software_pmu_free(pmu);
        }
}

/* 128 nops are two windows of 8 entries each, and the return an entry of a third one, which may be alone in its
 * set. */
static void code_beyond_the_operation_cache_is_decoded(void **state)
{
    (void)state;
    static const struct {
        unsigned entries, ways, hits; /* of the second run */
    } rows[] = {{32, 32, 17}, {17, 17, 17}, {16, 16, 0}, {8, 2, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cm_pmu_machine machine = {.line_size = 64,
                                        .page_size = 4096,
                                        .predictor = "none",
                                        .opcache_entries = rows[i].entries,
                                        .opcache_ways = rows[i].ways,
                                        .opcache_operations = 8};
        cm_software_pmu *pmu = NULL;
        const uint64_t *facts = facts_of(&machine, &pmu, nops_128, 1);
        assert_int_equal(facts[CM_FACT_OPCACHE_MISS], 17);
        assert_int_equal(facts[CM_FACT_DECODER_OPERATIONS], 129);
        facts_of(&machine, &pmu, nops_128, 1);
        assert_int_equal(facts[CM_FACT_OPCACHE_HIT], rows[i].hits);
        assert_int_equal(facts[CM_FACT_OPCACHE_MISS], 34 - rows[i].hits);
        assert_int_equal(facts[CM_FACT_OPCACHE_OPERATIONS], rows[i].hits == 17 ? 129 : rows[i].hits);
        assert_int_equal(facts[CM_FACT_OPERATIONS], 258);
        cm_software_pmu_free(pmu);
    }
}

CODE(whole_line, "movnti %rax, (%rdi); movnti %rax, 8(%rdi); movnti %rax, 16(%rdi); movnti %rax, 24(%rdi);"
                 "movnti %rax, 56(%rdi); movnti %rax, 48(%rdi); movnti %rax, 40(%rdi); movnti %rax, 32(%rdi);")
CODE(part_of_a_line, "movnti %rax, (%rdi); movnti %rax, 8(%rdi);")
CODE(load_between, "movnti %rax, (%rdi); mov (%rdi), %eax; movnti %rax, 8(%rdi);")
CODE(three_lines, "movnti %rax, (%rdi); movnti %rax, 64(%rdi); movnti %rax, 128(%rdi); movnti %rax, 8(%rdi);")
CODE(across_lines, "movnti %rax, 60(%rdi);")

static void non_temporal_stores_are_combined(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*function)(void *);
        unsigned whole, partial;
    } rows[] = {
        {"a whole line", whole_line, 1, 0},           {"a part of a line", part_of_a_line, 0, 1},
        {"a load between", load_between, 0, 2},       {"three lines in two buffers", three_lines, 0, 4},
        {"a store across lines", across_lines, 0, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned buffers = 0; buffers <= 2; buffers += 2) {
            const cm_pmu_machine machine = {.line_size = 64,
                                            .page_size = 4096,
                                            .l1d_size = 4096,
                                            .l1d_ways = 4,
                                            .predictor = "none",
                                            .combining_buffers = buffers};
            cm_software_pmu *pmu = NULL;
            const uint64_t *facts = facts_of(&machine, &pmu, rows[i].function, 1);
            const unsigned whole = buffers != 0 ? rows[i].whole : 0, partial = buffers != 0 ? rows[i].partial : 0;
            if (facts[CM_FACT_NT_LINES_WHOLE] != whole || facts[CM_FACT_NT_LINES_PARTIAL] != partial)
                fail_msg("%s: %d whole, %d partial, expected %u and %u", rows[i].name,
                         (int)facts[CM_FACT_NT_LINES_WHOLE], (int)facts[CM_FACT_NT_LINES_PARTIAL], whole, partial);
            cm_software_pmu_free(pmu);
        }
}

/* Masks of lanes 1 and 2, and of none of the four lanes, which is made in between. A scalar has lane 0 alone. */
CODE(masked_product, "mov $6, %eax; kmovw %eax, %k2; vmulpd %ymm0, %ymm1, %ymm2{%k2};")
CODE(masked_by_zero, "mov $6, %eax; kmovw %eax, %k2; kshiftlw $4, %k2, %k3; vmulpd %ymm0, %ymm1, %ymm2{%k3}{z};")
CODE(masked_quotient, "mov $6, %eax; kmovw %eax, %k2; vdivpd (%rdi){1to8}, %zmm1, %zmm2{%k2};")
CODE(masked_scalar, "mov $6, %eax; kmovw %eax, %k2; vaddss %xmm0, %xmm1, %xmm2{%k2};")
CODE(masked_multiply_add, "mov $6, %eax; kmovw %eax, %k2; vfmadd231ps %zmm0, %zmm1, %zmm2{%k2};")
CODE(masked_move, "mov $6, %eax; kmovw %eax, %k2; vmovaps %zmm1, %zmm2{%k2};")
CODE(unmasked_product, "vmulpd %zmm0, %zmm1, %zmm2;")

static void masks_turn_lanes_off(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*function)(void *);
        cm_fact fact;
        unsigned off;
    } rows[] = {{"a product", masked_product, CM_FACT_FP_MASKED + 4, 2},
                {"of no lane", masked_by_zero, CM_FACT_FP_MASKED + 4, 4},
                {"a quotient", masked_quotient, CM_FACT_FP_MASKED + 4, 6},
                {"a scalar", masked_scalar, CM_FACT_FP_MASKED + 2, 1},
                {"a multiply-add", masked_multiply_add, CM_FACT_FP_MASKED + 3, 14},
                {"a move", masked_move, CM_FACT_FP_MASKED, 0},
                {"without a mask", unmasked_product, CM_FACT_FP_MASKED, 0}};
    const cm_pmu_machine machine = {.line_size = 64, .page_size = 4096, .predictor = "none"};
    if (!__builtin_cpu_supports("avx512vl"))
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_software_pmu *pmu = NULL;
        const uint64_t *facts = facts_of(&machine, &pmu, rows[i].function, 2);
        for (size_t fact = CM_FACT_FP_MASKED; fact <= CM_FACT_FP_MASKED_END; fact++)
            if (facts[fact] != (fact == rows[i].fact ? 2 * rows[i].off : 0))
                fail_msg("%s: %s is %d", rows[i].name, cm_fact_name(fact), (int)facts[fact]);
        cm_software_pmu_free(pmu);
    }
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_take_operations), cmocka_unit_test(code_beyond_the_operation_cache_is_decoded),
        cmocka_unit_test(non_temporal_stores_are_combined), cmocka_unit_test(masks_turn_lanes_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
