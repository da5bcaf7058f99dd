/* Kernels for AMD's GPUs, executed by their description: wavefronts of 64 lanes. The assembly itself is not executed;
 * that its loop is what the description says, LLVM's disassembler proves. */
#ifndef CM_SOFTWARE_PMU_GPU_WAVEFRONT_H
#define CM_SOFTWARE_PMU_GPU_WAVEFRONT_H

#include <stdbool.h>

#include "cat-kernels/gpu/gpu.h"
#include "software_pmu/machine/facts.h"

enum { CM_WAVEFRONT = 64, CM_WAVEFRONT_NAME = 128, CM_WAVEFRONT_MOST_THREADS = 1024 };

/* What a wavefront executes before and behind its loop, as the assembly has it. */
typedef struct cm_wavefront_around {
    uint64_t instructions, loads, stores, moves;
} cm_wavefront_around;

typedef struct cm_wavefront_program {
    char entry[CM_WAVEFRONT_NAME];
    size_t piece_count;
    unsigned mask; /* of threads that stay out of the loop */
    cm_gpu_piece pieces[CM_GPU_MOST_PIECES];
    cm_wavefront_around around;
} cm_wavefront_program;

/* NULL where that is no assembly of catmint's, or memory is short. To be freed with free(). */
cm_wavefront_program *cm_wavefront_read(const char *assembly);

typedef struct cm_wavefront_run {
    const cm_wavefront_program *program;
    uint64_t memory; /* the kernel's parameters */
    uint32_t trips;
    unsigned blocks, threads;
    uint64_t *facts;
} cm_wavefront_run;

/* How many bytes the threads of such a launch reach from `memory` on. */
size_t cm_wavefront_reach(const cm_wavefront_run *run);
/* Executes all of them, and adds what they executed to the facts. */
void cm_wavefront_execute(const cm_wavefront_run *run);

/* ---- wavefront_compute.c ---- */

/* What one instruction works on in one lane, in the bits of its type. */
typedef struct cm_wavefront_operands {
    uint64_t *parts; /* of the accumulator */
    uint64_t *t;     /* what a conversion leaves */
    uint64_t c, m;   /* constants */
    uint64_t y, z;   /* integers behind it */
    bool back;       /* of a conversion: to single precision */
} cm_wavefront_operands;

void cm_wavefront_compute(cm_gpu_class class, const cm_wavefront_operands *operands);

#endif
