/* Proves the kernels: runs each under the software PMU, without PAPI, and compares every executed fact with the
 * kernel's facts in bases/facts.csv. Also finds the facts that the kernels cannot distinguish. */
#ifndef CATMINT_VERIFY_H
#define CATMINT_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_verified_quantity {
    double executed;  /* per iteration, a longer run less a shorter one; NaN if the kernel did not run */
    double expected;  /* by the kernel's facts */
    double allowance; /* largest error of `executed`: predictors, caches and chance decide; 0: exact */
} cm_verified_quantity;

typedef struct cm_verified_kernel {
    char *kernel;
    bool available;                   /* this CPU can run it; if not, it is neither right nor wrong */
    bool ok;                          /* available, and every fact is as expected */
    cm_verified_quantity *quantities; /* one for each of the verification's quantities */
    char *text;                       /* the difference, or the reason why it did not run; "" if ok */
} cm_verified_kernel;

typedef struct cm_verification {
    char *benchmark;
    size_t quantity_count;
    char **quantities;      /* names of facts, primitive ones first: "fp_d_256_add", "instructions" */
    size_t primitive_count; /* number of primitive ones; the others are combinations of these */
    size_t kernel_count;
    cm_verified_kernel
        *kernels;    /* all of the benchmark's, in the order of the facts; none: the file has no facts of them */
    size_t failures; /* kernels that are available and not ok, or that do not exist */
} cm_verification;

/* Verifies one benchmark. `facts` is the path of a file
 *
 *   benchmark,kernel,role,facts,chance,range
 *
 * or NULL for catmint's own, with one row a kernel; docs/reference/formats.md describes it. CM_BAD_INPUT with file and
 * line for any fault in it, and if a kernel of the benchmark has no row while others have. `machine` gives predictor
 * and caches. CM_UNSUPPORTED if there is no software PMU. A kernel that differs is no failure of the function. */
CM_API cm_status cm_verification_create(const char *benchmark, const char *facts, const cm_pmu_machine *machine,
                                        cm_verification **verification, cm_error *error);
CM_API void cm_verification_free(cm_verification *verification);
/* CM_OK if the kernels here are of the architecture of the model's processor (the model of --pmu software:MODEL); else
 * CM_UNSUPPORTED. CM_BAD_ARGUMENT if there is no such model. */
CM_API cm_status cm_verification_check_model(const char *model, cm_error *error);

/* Verifies the machine code that the compiler of NVIDIA's driver makes of the GPU kernels, disassembled by nvdisasm or
 * cuobjdump. The quantities are kinds of instructions, "FADD", in a turn of the loop: `executed` counts those in the
 * code, `expected` those in the kernel's description; integer instructions and those that count turns are not compared.
 * A kernel fails if its loop is gone or split, or if it has arithmetic outside of it. `library` is loaded instead of
 * the driver, NULL: the driver. CM_UNSUPPORTED if there is no NVIDIA GPU, the driver refuses a kernel or does not give
 * its code, or no disassembler is in PATH. */
CM_API cm_status cm_verification_of_machine_code(const char *library, cm_verification **verification, cm_error *error);

/* ---- launches of the GPU kernels ---- */

typedef enum cm_launch_outcome {
    CM_LAUNCH_RIGHT,    /* its memory is as its description says */
    CM_LAUNCH_WRONG,    /* it did not */
    CM_LAUNCH_REFUSED,  /* the driver refused it, or it failed on the device */
    CM_LAUNCH_LEFT_OUT, /* the GPU has no instruction for it */
    CM_LAUNCH_OUTCOMES
} cm_launch_outcome;

typedef struct cm_launched_kernel {
    const char *benchmark, *kernel;
    cm_launch_outcome outcome;
    char *text;        /* the first difference, the driver's words, or the GPU's lack; "" if right */
    int registers;     /* of a thread, as the driver says; -1: it does not */
    int version;       /* of the machine code: 90 for sm_90; -1: the driver does not say */
    double seconds;    /* of launch and wait; NaN on the software GPU, whose time is not a GPU's */
    double rate, peak; /* a second: operations, or bytes that threads ask for, of the launch and at most by documents on
                        * as many units as it has blocks; NaN for kernels of several classes or a part of the threads */
    bool bytes;        /* the rate is of bytes */
} cm_launched_kernel;

typedef struct cm_launches {
    char *device; /* as the driver names it */
    bool timed;
    unsigned units;   /* multiprocessors or compute units of the device; 0: the driver does not say */
    uint32_t turns;   /* of the loop of each thread */
    uint32_t threads; /* of a launch */
    size_t count;
    cm_launched_kernel *kernels; /* in the registry's order */
    size_t counts[CM_LAUNCH_OUTCOMES];
} cm_launches;

/* Launches every kernel of these GPU benchmarks (`count` 0: of all) once on one device, and compares the memory that
 * each leaves with the one that this processor computes from its description. `model`: the software GPU of this model,
 * as in --pmu software:MODEL; NULL: this machine's GPU. `turns` of each thread's loop; 0: 8192 on a GPU, 2 on the
 * software GPU. Ends with CM_INTERRUPTED once *stop is not 0 (NULL: never), after the kernel that runs. CM_UNSUPPORTED
 * if there is no GPU; CM_BAD_ARGUMENT if there is no such model, or it is a processor's. */
CM_API cm_status cm_launches_create(const char *model, const char *const *benchmarks, size_t count, uint32_t turns,
                                    const volatile int *stop, cm_launches **launches, cm_error *error);
CM_API void cm_launches_free(cm_launches *launches); /* accepts NULL */

typedef enum cm_profiler { CM_PROFILER_NCU, CM_PROFILER_ROCPROFV3 } cm_profiler;

/* Writes a shell script: it lets the profiler count the events of a model of a GPU (NULL: hopper, or mi250x for
 * rocprofv3) while `catmint kernels --run` launches the kernels of these benchmarks (`count` 0: of all), and imports
 * and analyses the counts. CM_BAD_ARGUMENT if there is no such model, or the profiler is for other GPUs. */
CM_API cm_status cm_profiler_plan_write(cm_profiler profiler, const char *model, const char *const *benchmarks,
                                        size_t count, FILE *stream, cm_error *error);

/* ---- facts that the kernels cannot distinguish ---- */

typedef struct cm_fact_member {
    char *fact;         /* "load_bytes" */
    char *words;        /* "bytes loaded" */
    double coefficient; /* 1 for the first member; it is the sum of the others, each times its coefficient */
} cm_fact_member;

/* A minimal set of facts of which one is a sum of the others on every kernel; a set of one member is a fact that no
 * kernel exercises. */
typedef struct cm_fact_set {
    size_t count;
    cm_fact_member *members;
    char *left_to; /* the benchmark of other architectures, or the planned subject, whose kernels separate them; "":
                    * these kernels must */
} cm_fact_set;

typedef struct cm_confounded_facts {
    size_t kernel_count, fact_count; /* all kernels, all primitive facts */
    size_t rank;                     /* number of facts that the kernels separate */
    size_t set_count;                /* number of facts less the rank: all other dependences follow from these */
    cm_fact_set *sets;
    size_t failures; /* sets that must be separate now */
} cm_confounded_facts;

/* The dependences of the matrix kernels x primitive facts. `facts` as for cm_verification_create. */
CM_API cm_status cm_confounded_facts_create(const char *facts, cm_confounded_facts **confounded, cm_error *error);
CM_API void cm_confounded_facts_free(cm_confounded_facts *confounded);

#ifdef __cplusplus
}
#endif
#endif
