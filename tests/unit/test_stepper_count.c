/* The number of instructions that the stepper sees, against a witness that knows nothing of it: the
 * processor's trap flag, which raises a signal after every instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>

#include <catmint/software_pmu.h>

#include "software_pmu/machine/facts.h"
#include "stepping.h"

enum { TRAP_FLAG = 0x100 };

static volatile uint64_t traps;

static void on_trap(int number, siginfo_t *information, void *context)
{
    (void)number, (void)information, (void)context;
    traps = traps + 1;
}

/* Runs function(argument) with the trap flag set; counts a few instructions around it, always the same. */
__attribute__((noinline)) static void trap(void (*function)(void *), void *argument)
{
    traps = 0;
    __asm__ volatile("subq $128, %%rsp; pushfq; orq %[flag], (%%rsp); popfq; addq $128, %%rsp;"
                     "movq %%rsp, %%rbx; andq $-16, %%rsp; call *%[function]; movq %%rbx, %%rsp;"
                     "subq $128, %%rsp; pushfq; andq %[clear], (%%rsp); popfq; addq $128, %%rsp"
                     : "+D"(argument)
                     : [function] "r"(function), [flag] "i"(TRAP_FLAG), [clear] "i"(~TRAP_FLAG)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
                       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15", "cc", "memory");
}

static void nothing(void *argument)
{
    (void)argument;
}

static uint64_t ackermann(uint64_t m, uint64_t n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static void recursion(void *argument)
{
    *(uint64_t *)argument = ackermann(2, 3);
}

static void sieve(void *argument)
{
    unsigned char composite[200] = {0};
    uint64_t count = 0;
    for (unsigned i = 2; i < 200; i++) {
        count += !composite[i];
        for (unsigned k = i * i; k < 200; k += i)
            composite[k] = 1;
    }
    *(uint64_t *)argument = count;
}

static void numbers(void *argument)
{
    volatile double sum = 0.0;
    for (unsigned i = 1; i < 100; i++)
        sum = sum + (i % 3 == 0 ? 1.0 / i : (double)i * 0.5);
    *(double *)argument = sum;
}

static void swaps(void *argument)
{
    uint64_t *values = argument;
    for (unsigned i = 0; i < 32; i++)
        values[i] = i * UINT64_C(0x9E3779B97F4A7C15) >> 33;
    for (unsigned i = 1; i < 32; i++)
        for (unsigned k = i; k > 0 && values[k - 1] > values[k]; k--) {
            uint64_t value = values[k];
            values[k] = values[k - 1];
            values[k - 1] = value;
        }
}

static void the_trap_flag_counts_as_many(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*function)(void *);
    } rows[] = {{"recursion", recursion}, {"sieve", sieve}, {"numbers", numbers}, {"swaps", swaps}};
    static const cm_pmu_machine machine = {.line_size = 64, .page_size = 4096, .predictor = "none"};
    static uint64_t memory[64];
    struct sigaction action, old;
    cm_software_pmu *pmu = NULL;
    assert_int_equal(cm_software_pmu_create(&machine, &pmu, NULL), CM_OK);
    const uint64_t *facts = cm_software_pmu_facts(pmu);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, &old);
    trap(nothing, memory);
    uint64_t around = traps;
    assert_int_equal(cm_software_pmu_run(pmu, nothing, memory, NULL), CM_OK);
    around -= facts[CM_FACT_INSTRUCTIONS];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t before = facts[CM_FACT_INSTRUCTIONS];
        trap(rows[i].function, memory);
        assert_int_equal(cm_software_pmu_run(pmu, rows[i].function, memory, NULL), CM_OK);
        uint64_t stepped = facts[CM_FACT_INSTRUCTIONS] - before;
        if (stepped != traps - around)
            fail_msg("%s: %llu instructions stepped, %llu trapped", rows[i].name, (unsigned long long)stepped,
                     (unsigned long long)(traps - around));
        assert_true(stepped > 100);
    }
    sigaction(SIGTRAP, &old, NULL);
    cm_software_pmu_free(pmu);
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trap_flag_counts_as_many),
    };
    return cmocka_run_group_tests_name("stepper_count", tests, NULL, NULL);
}
