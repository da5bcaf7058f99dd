/* Macro-fusion: which comparisons and branches the stepper counts as one operation, by each value of `macro_fusion`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>

#include "software_pmu/machine/facts.h"
#include "stepping.h"

enum { RULES = 4 };

/* A function of this code, which has rdi for a buffer and ends with a return. */
#define CODE(name, text)                                                                                               \
    static __attribute__((naked)) void name(__attribute__((unused)) void *argument)                                    \
    {                                                                                                                  \
        __asm__(text "1: ret");                                                                                        \
    }

CODE(test_zero, "test %eax, %eax; jz 1f; nop;")
CODE(test_sign, "test %eax, %eax; js 1f; nop;")
CODE(compare_signed, "cmp $3, %eax; jl 1f; nop;")
CODE(compare_carry, "cmp %ecx, %eax; ja 1f; nop;")
CODE(compare_overflow, "cmp %ecx, %eax; jo 1f; nop;")
CODE(compare_memory, "cmp (%rdi), %eax; je 1f; nop;")
CODE(compare_memory_constant, "cmpl $3, (%rdi); je 1f; nop;")
CODE(and_parity, "and %ecx, %eax; jp 1f; nop;")
CODE(subtract_carry, "sub $1, %eax; jb 1f; nop;")
CODE(subtract_sign, "sub $1, %eax; js 1f; nop;")
CODE(subtract_memory, "sub %eax, (%rdi); je 1f; nop;")
CODE(decrement_zero, "dec %eax; jnz 1f; nop;")
CODE(decrement_carry, "stc; dec %eax; jc 1f; nop;")
CODE(xor_zero, "xor %ecx, %eax; jz 1f; nop;")
CODE(move, "mov %ecx, %eax; jz 1f; nop;")
CODE(compare_count, "cmp %ecx, %eax; jrcxz 1f; nop;")
CODE(apart, "cmp %ecx, %eax; nop; jz 1f; nop;")
CODE(entered_between, "jmp 2f; cmp %ecx, %eax; 2: jz 1f; nop;")
CODE(load_between, "cmp %ecx, %eax; mov (%rdi), %ecx; jz 1f; nop;")
CODE(three_times, "mov $3, %eax; 3: sub $1, %eax; jnz 3b; jmp 1f;")

static uint64_t pairs_of(void (*function)(void *), unsigned rule)
{
    static unsigned char buffer[64];
    const cm_pmu_machine machine = {.line_size = 64, .page_size = 4096, .predictor = "none", .macro_fusion = rule};
    cm_software_pmu *pmu = NULL;
    cm_error error;
    if (cm_software_pmu_create(&machine, &pmu, &error) != CM_OK ||
        cm_software_pmu_run(pmu, function, buffer, &error) != CM_OK)
        fail_msg("%s", error.text);
    const uint64_t pairs = cm_software_pmu_facts(pmu)[CM_FACT_FUSED_PAIRS];
    cm_software_pmu_free(pmu);
    return pairs;
}

static void pairs_fuse_as_each_family_does(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*function)(void *);
        uint64_t pairs[RULES]; /* by 1, 2, 3, 4 */
    } rows[] = {
        {"test, jz", test_zero, {1, 1, 1, 1}},
        {"test, js", test_sign, {1, 1, 1, 1}},
        {"cmp, jl", compare_signed, {1, 1, 1, 1}},
        {"cmp, ja", compare_carry, {1, 1, 1, 1}},
        {"cmp, jo", compare_overflow, {1, 0, 0, 1}},
        {"cmp with memory", compare_memory, {1, 1, 0, 1}},
        {"cmp of memory with a constant", compare_memory_constant, {0}},
        {"and, jp", and_parity, {0, 1, 1, 1}},
        {"sub, jb", subtract_carry, {0, 1, 1, 1}},
        {"sub, js", subtract_sign, {0, 0, 0, 1}},
        {"sub from memory", subtract_memory, {0}},
        {"dec, jnz", decrement_zero, {0, 1, 0, 1}},
        {"dec, jc", decrement_carry, {0, 0, 0, 1}},
        {"xor, jz", xor_zero, {0, 0, 0, 1}},
        {"mov, jz", move, {0}},
        {"cmp, jrcxz", compare_count, {0}},
        {"a nop between", apart, {0}},
        {"a jump between", entered_between, {0}},
        {"a load between", load_between, {0}},
        {"three times", three_times, {0, 3, 3, 3}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned rule = 0; rule <= RULES; rule++) {
            const uint64_t pairs = pairs_of(rows[i].function, rule), expected = rule != 0 ? rows[i].pairs[rule - 1] : 0;
            if (pairs != expected)
                fail_msg("%s, macro_fusion %u: %d pairs, expected %d", rows[i].name, rule, (int)pairs, (int)expected);
        }
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_fuse_as_each_family_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
