/* Coverage of the 95 % intervals, by repetitions and noise: bench_coverage [BENCHMARKS] */
#include <stdio.h>

#include "coverage.h"

int main(int argc, char **argv)
{
    static const size_t repetitions[] = {3, 5, 10, 30};
    static const double noises[] = {1e-6, 1e-4, 1e-3, 1e-2};
    size_t benchmarks = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    printf("%zu benchmarks each\nrepetitions  noise  coverage  mean width\n", benchmarks);
    for (size_t i = 0; i < sizeof repetitions / sizeof repetitions[0]; i++)
        for (size_t j = 0; j < sizeof noises / sizeof noises[0]; j++) {
            uint64_t seed = 1;
            coverage total = {0};
            for (size_t n = 0; n < benchmarks; n++)
                if (coverage_once(&seed, repetitions[i], noises[j], &total) != CM_OK) {
                    fputs("an analysis failed\n", stderr);
                    return 1;
                }
            printf("%11zu  %5.0e  %6.2f %%  %.3g\n", repetitions[i], noises[j],
                   100.0 * (double)total.held / (double)total.intervals, total.width / (double)total.intervals);
        }
    return 0;
}
