/* Regions of a program, which `catmint count` tells apart:
 *
 *   cc count_regions.c -lcatmint -o count_regions
 *   catmint count --regions --pmu software --events instructions --events branches_cond -- ./count_regions
 *
 * Run by itself the program does its work, and the calls do nothing. */
#include <stdio.h>

#include <catmint/count.h>

enum { ELEMENTS = 1000 };

static double elements[ELEMENTS];

static void fill(void)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        elements[i] = 0.5 * (double)i;
}

static double sum(void)
{
    double total = 0.0;
    for (size_t i = 0; i < ELEMENTS; i++)
        total += elements[i];
    return total;
}

int main(void)
{
    double total = 0.0;
    cm_count_start("fill");
    fill();
    cm_count_stop("fill");
    for (int i = 0; i < 10; i++) {
        cm_count_start("sum");
        total += sum();
        cm_count_stop("sum");
    }
    printf("%g\n", total);
    return 0;
}
