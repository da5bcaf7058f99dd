/* How many cycles a turn of a short loop takes, again and again: whether a core goes round once a cycle depends on more
 * than its ports. Prints how many of 4000 samples of 20 times 128 turns took how long, each sample by the clock and a
 * chain of additions, one a cycle; then how long the empty loop stays as fast as it is. x86-64 with AVX-512 alone:
 * gcc -O1 -march=native tests/bench/turns.c -o turns */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

enum { SAMPLES = 4000, TIMES = 20, TURNS = 128, VECTOR = 64, ARRAY = TURNS * VECTOR + 640, BINS = 12, PAGES = 4 << 20 };

/* `body` does `vectors` of 64 bytes in a turn: from rsi and rdx to rdi, behind each by rax. */
#define LOOP(name, vectors, body)                                                                                      \
    __attribute__((naked, noinline)) static void name(char *a, char *b, char *c, long bytes, long times)               \
    {                                                                                                                  \
        __asm__("vpxord %zmm2, %zmm2, %zmm2\n"                                                                         \
                "2: xor %eax, %eax\n .p2align 6\n"                                                                     \
                "1: " body "add $64 * " #vectors ", %rax\n cmp %rcx, %rax\n jne 1b\n"                                  \
                "dec %r8\n jnz 2b\n vzeroupper\n ret");                                                                \
    }

LOOP(nothing, 1, "")
LOOP(moves, 1, "mov %r9, %r10\n mov %r9, %r11\n mov %r9, %r10\n mov %r9, %r11\n")
LOOP(store_64, 1, "mov %r9, (%rdi, %rax)\n")
LOOP(store_512, 1, "vmovupd %zmm2, (%rdi, %rax)\n")
LOOP(triad, 1, "vmovupd (%rdx, %rax), %zmm3\n vfmadd213pd (%rsi, %rax), %zmm2, %zmm3\n vmovupd %zmm3, (%rdi, %rax)\n")
LOOP(triad_twice, 2,
     "vmovupd (%rdx, %rax), %zmm3\n vfmadd213pd (%rsi, %rax), %zmm2, %zmm3\n vmovupd %zmm3, (%rdi, %rax)\n"
     "vmovupd 64(%rdx, %rax), %zmm4\n vfmadd213pd 64(%rsi, %rax), %zmm2, %zmm4\n vmovupd %zmm4, 64(%rdi, %rax)\n")

static const struct {
    const char *name;
    void (*run)(char *, char *, char *, long, long);
} loops[] = {{"nothing", nothing},        {"four moves", moves},   {"store of 64", store_64},
             {"store of 512", store_512}, {"triad of 512", triad}, {"two such triads", triad_twice}};
enum { LOOPS = sizeof loops / sizeof loops[0] };

/* Ticks of a cycle: of 4000 additions, one after the other. */
static double ticks_of_a_cycle(void)
{
    double least = 1e9;
    for (int i = 0; i < SAMPLES; i++) {
        long turns = 500, sum = 0;
        const unsigned long begun = __rdtsc();
        __asm__ volatile("1: .rept 8\n add $1, %1\n .endr\n dec %0\n jnz 1b" : "+r"(turns), "+r"(sum));
        const double ticks = (double)(__rdtsc() - begun) / 4000;
        least = ticks < least ? ticks : least;
    }
    return least;
}

/* Prints how often 100000 samples of the empty loop change between a cycle a turn and longer ones, and the mean of both
 * states in samples and in cycles. */
static void print_states(double cycle)
{
    enum { MORE = 100000 };
    static const char *const names[] = {"at most 1.2", "longer"};
    size_t samples[2] = {0}, runs[2] = {0};
    double spent[2] = {0.0};
    int last = -1;
    for (int i = 0; i < MORE; i++) {
        const unsigned long begun = __rdtsc();
        nothing(NULL, NULL, NULL, TURNS * VECTOR, TIMES);
        const double cycles = (double)(__rdtsc() - begun) / cycle;
        const int state = cycles / TIMES / TURNS > 1.2;
        samples[state]++;
        spent[state] += cycles;
        runs[state] += state != last;
        last = state;
    }
    for (int state = 0; state < 2; state++)
        printf("cycles a turn %-12s %zu samples, %zu times, %.0f samples and %.0f cycles each\n", names[state],
               samples[state], runs[state], runs[state] > 0 ? (double)samples[state] / (double)runs[state] : 0.0,
               runs[state] > 0 ? spent[state] / (double)runs[state] : 0.0);
}

int main(void)
{
    static int counts[LOOPS][BINS];
    char *a = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a == MAP_FAILED)
        return 1;
    memset(a, 0, PAGES);
    const double cycle = ticks_of_a_cycle();
    for (int sample = 0; sample < SAMPLES; sample++)
        for (int i = 0; i < LOOPS; i++) {
            loops[i].run(a, a + ARRAY, a + 2 * ARRAY, TURNS * VECTOR, 2);
            const unsigned long begun = __rdtsc();
            loops[i].run(a, a + ARRAY, a + 2 * ARRAY, TURNS * VECTOR, TIMES);
            const double cycles = (double)(__rdtsc() - begun) / cycle / TIMES / TURNS;
            const int bin = (int)((cycles - 0.85) * 10);
            counts[i][bin < 0 ? 0 : bin < BINS ? bin : BINS - 1]++;
        }
    printf("cycles of 64 bytes ");
    for (int bin = 0; bin < BINS; bin++)
        printf("%6.1f", 0.9 + bin / 10.0);
    for (int i = 0; i < LOOPS; i++) {
        printf("\n%-19s", loops[i].name);
        for (int bin = 0; bin < BINS; bin++)
            printf("%6d", counts[i][bin]);
    }
    printf("\n");
    print_states(cycle);
    return 0;
}
