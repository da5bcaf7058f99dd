/* Chains of a few instructions, and accesses that fall into one set, by the clock: what docs/evidence/cycles.md has of
 * Zen 5 on its own. gcc -O2 -o chains chains.c && ./chains; prints the cycles of each, and the median. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { SIZE = 1 << 18, PAGE = 4096, PER = 16, APART = 256, CHASED = 1 << 14 };

static unsigned char *bytes;
static void **first, **second; /* each has the address of the next, at random in 4 MiB */

#define FOUR(text) text text text text
#define CHAIN(name, text)                                                                                              \
    static void name(const void *what, long turns)                                                                     \
    {                                                                                                                  \
        (void)what;                                                                                                    \
        __asm__ volatile(                                                                                              \
            "mov %1, %%rsi\n fldz\n fldz\n pxor %%xmm0, %%xmm0\n pxor %%xmm1, %%xmm1\n .p2align 6\n 1:\n" FOUR(        \
                FOUR(text)) "dec %0\n jnz 1b\n fstp %%st(0)\n fstp %%st(0)"                                            \
            : "+r"(turns)                                                                                              \
            : "r"(bytes)                                                                                               \
            : "rax", "rsi", "xmm0", "xmm1", "memory", "cc");                                                           \
    }
CHAIN(fence, "lfence\n add $1, %%rax\n")
CHAIN(fences, "lfence\n")
CHAIN(full_fence, "mfence\n")
CHAIN(pause_, "pause\n")
CHAIN(x87, "fadd %%st(1), %%st\n")
CHAIN(integers, "paddd %%xmm1, %%xmm0\n")
CHAIN(products, "pmuludq %%xmm1, %%xmm0\n")
CHAIN(sums, "addsd %%xmm1, %%xmm0\n")
CHAIN(sums_products, "addsd %%xmm1, %%xmm0\n mulsd %%xmm1, %%xmm0\n")
CHAIN(update, "addq $1, (%%rsi)\n")
CHAIN(update_byte, "movb %%al, (%%rsi)\n movzbl (%%rsi), %%eax\n")
CHAIN(update_vector, "movsd (%%rsi), %%xmm0\n addsd %%xmm1, %%xmm0\n movsd %%xmm0, (%%rsi)\n")
CHAIN(lock, "lock addq $1, (%%rsi)\n")
CHAIN(locks, "lock addq $1, (%%rsi)\n lock addq $1, 64(%%rsi)\n lock addq $1, 128(%%rsi)\n lock addq $1, 192(%%rsi)\n")
CHAIN(lock_loads, "lock addq $1, (%%rsi)\n" FOUR("mov 512(%%rsi), %%rax\n"))
CHAIN(lock_stores, "lock addq $1, (%%rsi)\n" FOUR("mov %%rax, 512(%%rsi)\n"))
CHAIN(checks, "crc32q %%rax, %%rax\n")
CHAIN(rounds, "aesenc %%xmm1, %%xmm0\n")
CHAIN(words, FOUR("mov (%%rsi), %%rax\n"))
CHAIN(vectors, FOUR("movups (%%rsi), %%xmm0\n"))
CHAIN(words_vectors,
      "movups (%%rsi), %%xmm0\n mov 64(%%rsi), %%rax\n movups 128(%%rsi), %%xmm1\n mov 192(%%rsi), %%rax\n")
CHAIN(jumps, "jmp 2f\n nop\n 2: add $1, %%rax\n")

/* Each turn loads or stores 8 bytes of 32 pages, at the same place in each or a line further. */
#define PAGES(name, text, step)                                                                                        \
    static void name(const void *what, long turns)                                                                     \
    {                                                                                                                  \
        (void)what;                                                                                                    \
        for (; turns > 0; turns--)                                                                                     \
            for (unsigned char *at = bytes; at < bytes + 32 * (step); at += (step))                                    \
                __asm__ volatile(text : : "r"(at) : "xmm1", "memory");                                                 \
    }
PAGES(loads, "movsd (%0), %%xmm1", PAGE)
PAGES(stores, "movsd %%xmm1, (%0)", PAGE)
PAGES(both, "movsd (%0), %%xmm1\n mulsd %%xmm1, %%xmm1\n movsd %%xmm1, (%0)", PAGE)
PAGES(both_apart, "movsd (%0), %%xmm1\n mulsd %%xmm1, %%xmm1\n movsd %%xmm1, 2048(%0)", PAGE)
PAGES(both_beside, "movsd (%0), %%xmm1\n mulsd %%xmm1, %%xmm1\n movsd %%xmm1, (%0)", PAGE + 64)

/* Two loads that miss, and behind each so many operations that wait for its value: the second load begins with the
 * first if all that wait have an entry of a scheduler. */
#define WAITING(name, count, text)                                                                                     \
    static void name(const void *what, long turns)                                                                     \
    {                                                                                                                  \
        (void)what;                                                                                                    \
        __asm__ volatile("1:\n mov (%1), %1\n mov %1, %%rax\n and $0, %%rax\n movq %%rax, %%xmm0\n .rept " #count      \
                         "\n" text "\n .endr\n mov (%2), %2\n mov %2, %%rax\n and $0, %%rax\n movq %%rax, %%xmm0\n"    \
                         " .rept " #count "\n" text "\n .endr\n dec %0\n jnz 1b"                                       \
                         : "+r"(turns), "+r"(first), "+r"(second)                                                      \
                         :                                                                                             \
                         : "rax", "rcx", "xmm0", "xmm1", "memory", "cc");                                              \
    }
WAITING(integers_80, 80, "lea 1(%%rax), %%rcx")
WAITING(integers_96, 96, "lea 1(%%rax), %%rcx")
WAITING(vectors_160, 160, "pshufd $0, %%xmm0, %%xmm1")
WAITING(vectors_170, 170, "pshufd $0, %%xmm0, %%xmm1")

static void **chased(void)
{
    void **at = aligned_alloc(APART, CHASED * APART);
    if (at == NULL)
        exit(1);
    const size_t step = APART / sizeof *at;
    for (size_t i = 0; i < CHASED; i++)
        at[i * step] = at + i * step;
    for (size_t i = CHASED - 1; i > 0; i--) {
        const size_t other = (size_t)rand() % i;
        void *of = at[i * step];
        at[i * step] = at[other * step];
        at[other * step] = of;
    }
    return at;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(const void *what, long turns);
        int per; /* operations of a turn */
    } all[] = {{"lfence, add", fence, PER},
               {"lfence", fences, PER},
               {"mfence", full_fence, PER},
               {"pause", pause_, PER},
               {"fadd", x87, PER},
               {"paddd", integers, PER},
               {"pmuludq", products, PER},
               {"addsd", sums, PER},
               {"addsd, mulsd", sums_products, PER},
               {"add to 8 bytes in memory", update, PER},
               {"store, load a byte", update_byte, PER},
               {"addsd to memory", update_vector, PER},
               {"lock add", lock, PER},
               {"lock add, in four lines", locks, 4 * PER},
               {"lock add, four loads", lock_loads, PER},
               {"lock add, four stores", lock_stores, PER},
               {"crc32", checks, PER},
               {"aesenc", rounds, PER},
               {"loads", words, 4 * PER},
               {"loads of 16 bytes", vectors, 4 * PER},
               {"two loads of 16 bytes, two of 8", words_vectors, 4 * PER},
               {"two loads that miss, 80 integers", integers_80, 1},
               {"two loads that miss, 96 integers", integers_96, 1},
               {"two loads that miss, 160 vectors", vectors_160, 1},
               {"two loads that miss, 170 vectors", vectors_170, 1},
               {"jmp, add", jumps, PER},
               {"32 loads, a page apart", loads, 32},
               {"32 stores, a page apart", stores, 32},
               {"32 loads and stores, a page apart", both, 32},
               {"the same, stores half a page further", both_apart, 32},
               {"the same, a page and a line apart", both_beside, 32}};
    bytes = aligned_alloc(SIZE, SIZE);
    if (bytes == NULL)
        return 1;
    memset(bytes, 0, SIZE);
    first = chased();
    second = chased();
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        printf("%s, %d: ", all[i].name, all[i].per);
        print_cycles(all[i].run, NULL, 1000, 150);
    }
    free(bytes);
    return 0;
}
