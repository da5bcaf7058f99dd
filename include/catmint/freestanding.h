/* Kernels for machines without an operating system: cores in simulation, in an FPGA, or on a board without firmware. */
#ifndef CATMINT_FREESTANDING_H
#define CATMINT_FREESTANDING_H

#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>
#include <catmint/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a number of a file of events selects an event. */
typedef enum cm_emit_selection {
    CM_SELECT_INDEX,   /* it is written into the selector */
    CM_SELECT_ONE_HOT, /* it is the number of the bit that is set there */
    CM_SELECT_MASK,    /* the same, or several: 3+5 */
} cm_emit_selection;

typedef struct cm_emit_options {
    size_t size;            /* of this structure */
    const char *directory;  /* made if it is missing */
    const char *isa;        /* "rv32imc", "rv64gc", "aarch64", "aarch64+lse" ... */
    size_t benchmark_count; /* 0: all that can be emitted for the instruction set */
    const char *const *benchmarks;
    const char *events_file; /* code,event; NULL: all events that such an instruction set has */
    cm_emit_selection selection;
    size_t counters; /* counters that can be programmed; 0: four */
    size_t programs; /* random programs of the seed in place of kernels; 0: kernels */
    uint64_t seed;
    size_t turns; /* of the shorter run of a kernel, a power of two, 4 or more; 0: 64 */
} cm_emit_options;
CM_OPTIONS_DEFAULT(cm_emit_options)

typedef struct cm_emit_summary {
    size_t kernels, events, files;
} cm_emit_summary;

/* Writes a directory with the kernels' sources, a program that runs them, and kernels.csv, which describes the work of
 * each. CM_BAD_ARGUMENT for an unknown instruction set or benchmark and for numbers out of range; CM_BAD_INPUT with
 * file and line for a wrong file of events; CM_IO if the directory cannot be written, or holds files that were changed.
 * In each case nothing is written. `summary` may be NULL. */
CM_API cm_status cm_emit_kernels(const cm_emit_options *options, cm_emit_summary *summary, cm_error *error);

enum { CM_EMITTED_BENCHMARKS = 5 };

/* Holds the facts of emitted kernels against a retirement trace of their program: a CSV file with the columns pc and
 * instruction, or rvfi_pc_rdata and rvfi_insn. The options are those with which they were emitted; `turns` are those of
 * the program. Facts of caches, predictors and addresses are not in a trace and not compared; a kernel that traps is
 * not available. *count verifications, one a benchmark, which the caller frees. CM_BAD_INPUT with file and line for a
 * trace that is cut or garbled; there are none then. */
CM_API cm_status cm_verifications_of_trace_create(const char *path, const cm_emit_options *options,
                                                  cm_verification *verifications[CM_EMITTED_BENCHMARKS], size_t *count,
                                                  cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
