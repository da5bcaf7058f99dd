/* What stepping costs: nanoseconds an instruction, beside the processor's trap flag (a signal an instruction), and what
 * they become with modelled caches and a predictor. Built by the target `bench`; takes a few seconds. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include <catmint/software_pmu.h>

enum { ROUNDS = 100000, TRAP_FLAG = 0x100 };

static uint64_t chain[1 << 16]; /* 512 KiB: misses the first level */

/* Counted loops of six instructions. */
static void integers(void *rounds)
{
    uint64_t left = *(uint64_t *)rounds;
    __asm__ volatile("1: add $3, %%rax; xor %%rax, %%rcx; lea 1(%%rcx), %%rdx; imul %%rdx, %%rax; dec %0; jnz 1b"
                     : "+r"(left)
                     :
                     : "rax", "rcx", "rdx", "cc");
}

static void vectors(void *rounds)
{
    uint64_t left = *(uint64_t *)rounds;
    __asm__ volatile("1: mulpd %%xmm1, %%xmm0; addpd %%xmm1, %%xmm2; mulpd %%xmm1, %%xmm3; addpd %%xmm1, %%xmm4;"
                     "dec %0; jnz 1b"
                     : "+r"(left)
                     :
                     : "xmm0", "xmm2", "xmm3", "xmm4", "cc");
}

static void loads(void *rounds)
{
    uint64_t left = *(uint64_t *)rounds, index = 0;
    __asm__ volatile("1: imul $5, %1, %1; add $4321, %1; movzwl %w1, %%eax; mov (%2, %%rax, 8), %%rcx; dec %0; jnz 1b"
                     : "+r"(left), "+r"(index)
                     : "r"(chain)
                     : "rax", "rcx", "cc");
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double stepped(void (*function)(void *), const cm_pmu_machine *machine)
{
    cm_software_pmu *pmu = NULL;
    cm_error error;
    uint64_t rounds = 100;
    if (cm_software_pmu_create(machine, &pmu, &error) != CM_OK ||
        cm_software_pmu_run(pmu, function, &rounds, &error) != CM_OK) {
        fprintf(stderr, "bench_stepper: %s\n", error.text);
        return 0.0;
    }
    rounds = ROUNDS;
    uint64_t before = cm_software_pmu_facts(pmu)[0];
    double start = seconds();
    cm_status status = cm_software_pmu_run(pmu, function, &rounds, &error);
    double taken = seconds() - start;
    uint64_t instructions = cm_software_pmu_facts(pmu)[0] - before;
    cm_software_pmu_free(pmu);
    return status == CM_OK ? 1e9 * taken / (double)instructions : 0.0;
}

static volatile uint64_t traps;

static void on_trap(int number, siginfo_t *information, void *context)
{
    (void)number, (void)information, (void)context;
    traps = traps + 1;
}

/* The least that stepping with the trap flag can cost: a handler that looks at nothing. */
static double trapped(void (*function)(void *))
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, &old);
    uint64_t rounds = ROUNDS / 10;
    traps = 0;
    double start = seconds();
    __asm__ volatile("sub $128, %%rsp; pushfq; orq %0, (%%rsp); popfq; add $128, %%rsp"
                     :
                     : "i"(TRAP_FLAG)
                     : "cc", "memory");
    function(&rounds);
    __asm__ volatile("sub $128, %%rsp; pushfq; andq %0, (%%rsp); popfq; add $128, %%rsp"
                     :
                     : "i"(~TRAP_FLAG)
                     : "cc", "memory");
    double taken = seconds() - start;
    sigaction(SIGTRAP, &old, NULL);
    return 1e9 * taken / (double)traps;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*function)(void *);
    } rows[] = {{"integers", integers}, {"vectors", vectors}, {"loads", loads}};
    static const cm_pmu_machine bare = {.line_size = 64, .page_size = 4096, .predictor = "none"};
    static const cm_pmu_machine full = {.line_size = 64,
                                        .page_size = 4096,
                                        .l1d_size = 48 << 10,
                                        .l1d_ways = 12,
                                        .l2_size = 2 << 20,
                                        .l2_ways = 16,
                                        .l3_size = 30 << 20,
                                        .l3_ways = 15,
                                        .dtlb_entries = 96,
                                        .predictor = "tage",
                                        .wrong_path_window = 128,
                                        .interference = 0.001};
    printf("nanoseconds an instruction\n%-10s %10s %10s %10s %8s\n", "", "bare", "modelled", "trap flag", "ratio");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double plain = stepped(rows[i].function, &bare), modelled = stepped(rows[i].function, &full);
        double trap = trapped(rows[i].function);
        printf("%-10s %10.1f %10.1f %10.1f %8.1f\n", rows[i].name, plain, modelled, trap, trap / modelled);
    }
    return 0;
}
