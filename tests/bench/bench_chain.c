/* What a chain costs: building one of 1 GiB with its pages, and an access to it. Built by the target `bench`. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <catmint/kernels.h>

#include "sweep/run/run.h"

enum { ACCESSES = 1 << 20 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void)
{
    static const cm_placement placement = {(size_t)1 << 30, 64, 65536, 0};
    cm_chase chase = {0};
    cm_error error;
    double start = seconds();
    if (cm_chase_open(&chase, &placement, 1, NULL, &error) != CM_OK) {
        fprintf(stderr, "bench_chain: %s\n", error.text);
        return 1;
    }
    if (cm_chase_build(&chase, &placement, 1, &error) != CM_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("1 GiB: %.2f s to build, expected less than 3\n", seconds() - start);
    cm_kernel_data data = {0, chase.chain};
    start = seconds();
    cm_kernel_find("dcache", "MEM.1")->body(ACCESSES, &data);
    printf("%.0f ns an access\n", 1e9 * (seconds() - start) / ACCESSES);
    cm_chase_close(&chase);
    return 0;
}
