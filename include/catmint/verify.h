/* What the kernels are good for. Proves them: runs each under the software PMU, without PAPI, and compares every fact
 * of what it executed with what data says of it: bases/facts.csv. */
#ifndef CATMINT_VERIFY_H
#define CATMINT_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_verified_quantity {
    double executed;  /* per iteration, of what a longer run executes more than a shorter one; NaN where the kernel did
                         not run */
    double expected;  /* by the facts of the kernel */
    double allowance; /* by how much `executed` may be off: what predictors, caches and chance decide; 0: exact */
} cm_verified_quantity;

typedef struct cm_verified_kernel {
    char *kernel;
    bool available;                   /* this CPU can run it; if not it is neither right nor wrong */
    bool ok;                          /* available, and every fact is as expected */
    cm_verified_quantity *quantities; /* one a name of the verification */
    char *text;                       /* what differs, or why it did not run; "" where ok */
} cm_verified_kernel;

typedef struct cm_verification {
    char *benchmark;
    size_t quantity_count;
    char **quantities;      /* names of facts, primitive ones first: "fp_d_256_add", "instructions" */
    size_t primitive_count; /* of them; the others are combinations of these */
    size_t kernel_count;
    cm_verified_kernel
        *kernels;    /* all of the benchmark's, in the order of the facts; none: nothing says what they do */
    size_t failures; /* kernels that are available and not ok, or that do not exist */
} cm_verification;

/* Verifies one benchmark. `facts` is the path of a file
 *   benchmark,kernel,role,facts,chance,range
 * NULL for catmint's own, with one row a kernel; docs/reference/formats.md says what is in it. For any fault in it, and
 * where a kernel of the benchmark has no row while others have, CM_BAD_INPUT with file and line. `machine` gives
 * predictor and caches. CM_UNSUPPORTED where there is no software PMU. A kernel that differs is no failure of the
 * function. */
CM_API cm_status cm_verification_create(const char *benchmark, const char *facts, const cm_pmu_machine *machine,
                                        cm_verification **verification, cm_error *error);
CM_API void cm_verification_free(cm_verification *verification);
/* Whether the kernels here are of the architecture whose processor the model, as --pmu software:MODEL names it, stands
 * for; else CM_UNSUPPORTED. CM_BAD_ARGUMENT where there is no such model. */
CM_API cm_status cm_verification_check_model(const char *model, cm_error *error);

/* What the compiler of the machine's NVIDIA driver makes of the kernels of GPUs: machine code, disassembled by nvdisasm
 * or cuobjdump. The quantities are kinds of instructions, "FADD", in a turn of the loop: all that stand in it are
 * `executed`, what the kernel's description says is `expected`; integers and what counts turns are not compared. A
 * kernel fails whose loop is gone or split, or which has arithmetic outside of it. `library` is loaded instead of the
 * driver, NULL: the driver. CM_UNSUPPORTED where there is no GPU of NVIDIA's, where the driver refuses a kernel or does
 * not give what it makes, and where no disassembler is in PATH. */
CM_API cm_status cm_verification_of_machine_code(const char *library, cm_verification **verification, cm_error *error);

/* ---- what the kernels cannot tell apart ---- */

typedef struct cm_fact_member {
    char *fact;         /* "load_bytes" */
    char *words;        /* "bytes loaded" */
    double coefficient; /* of the first member 1; it is the sum of the others, each times its coefficient */
} cm_fact_member;

/* A minimal set of facts of which one is a sum of the others on every kernel; of one member alone, a fact that no
 * kernel exercises. */
typedef struct cm_fact_set {
    size_t count;
    cm_fact_member *members;
    char *left_to; /* what is yet to separate them; "": they must be separate now */
} cm_fact_set;

typedef struct cm_confounded {
    size_t kernel_count, fact_count; /* all kernels, all primitive facts */
    size_t rank;                     /* facts that the kernels separate */
    size_t set_count;                /* the facts less the rank: all other dependences follow from these */
    cm_fact_set *sets;
    size_t failures; /* of them, those that must be separate now */
} cm_confounded;

/* Of the matrix kernels x primitive facts. `facts` as for cm_verification_create. */
CM_API cm_status cm_confounded_create(const char *facts, cm_confounded **confounded, cm_error *error);
CM_API void cm_confounded_free(cm_confounded *confounded);

#ifdef __cplusplus
}
#endif
#endif
