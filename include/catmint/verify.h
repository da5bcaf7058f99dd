/* Proves the kernels: runs each under the software PMU, without PAPI, and compares what it executed with its row of the
 * basis. What the symbols of a basis mean in facts is data: bases/facts.csv. */
#ifndef CATMINT_VERIFY_H
#define CATMINT_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>
#include <catmint/tables.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_verified_quantity {
    double executed; /* per iteration (of the second half of a run of twice the iterations), rounded to the quantity's
                        quantum; NaN where the kernel did not run */
    double expected; /* by the basis; NaN: the quantity is only shown */
} cm_verified_quantity;

typedef struct cm_verified_kernel {
    char *kernel;
    bool available;                   /* this CPU can run it; if not it is neither right nor wrong */
    bool ok;                          /* available, and every quantity is as expected */
    cm_verified_quantity *quantities; /* one a name of the verification */
    char *text;                       /* what differs, or why it did not run; "" where ok */
} cm_verified_kernel;

typedef struct cm_verification {
    char *benchmark;
    size_t quantity_count;
    char **quantities; /* names in the order of the file: "D_256_FMA", "FLOPs", "instructions" */
    size_t kernel_count;
    cm_verified_kernel *kernels; /* all of the benchmark's, in the order of its basis */
    size_t failures;             /* kernels that are available and not ok, or that do not exist */
} cm_verification;

/* Verifies one benchmark. `facts` is the path of a file
 *   benchmark,quantity,expected,executed,quantum
 * where `expected` is an expression over the basis' symbols (empty: the quantity is only shown), `executed` one over
 * facts, and `quantum` what counts per iteration are rounded to before they are compared (0: not at all). Every symbol
 * of the basis must be the `expected` of some quantity, as it stands: else, and for any other fault, CM_BAD_INPUT with
 * file and line. `machine` gives predictor and caches. CM_UNSUPPORTED where there is no software PMU. A kernel that
 * differs is no failure of the function. */
CM_API cm_status cm_verify(const char *benchmark, const cm_basis *basis, const char *facts,
                           const cm_pmu_machine *machine, cm_verification **verification, cm_error *error);
CM_API void cm_verification_free(cm_verification *verification);

#ifdef __cplusplus
}
#endif
#endif
