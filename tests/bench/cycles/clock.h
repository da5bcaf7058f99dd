/* Cycles of a turn, by the clock and a chain of additions beside it, one a cycle. */
#ifndef CM_TESTS_BENCH_CLOCK_H
#define CM_TESTS_BENCH_CLOCK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Nanoseconds. */
static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

/* Nanoseconds of an addition of two registers, in a chain of them. */
static double addition(void)
{
    enum { TURNS = 4000, CHAIN = 8 };
    uint64_t x = 1, y = 3;
    double begin = now();
    for (int i = 0; i < TURNS; i++)
        __asm__ volatile(
            "add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0"
            : "+r"(x)
            : "r"(y));
    return (now() - begin) / (TURNS * CHAIN);
}

static int compare(const void *one, const void *other)
{
    double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

/* Prints the cycles of a turn of `run`: the fewest but a tenth of the repetitions, and the median. */
static void print_cycles(void (*run)(const void *what, long turns), const void *what, long turns, long repetitions)
{
    enum { MOST = 1000 };
    static double ratios[MOST];
    repetitions = repetitions < MOST ? repetitions : MOST;
    for (long k = 0; k < repetitions; k++) {
        double before = addition(), begin = now();
        run(what, turns);
        double took = (now() - begin) / (double)turns, after = addition();
        ratios[k] = took / (before < after ? before : after);
    }
    qsort(ratios, (size_t)repetitions, sizeof ratios[0], compare);
    printf("%.6g %.6g\n", ratios[repetitions / 10], ratios[repetitions / 2]);
}

#endif
