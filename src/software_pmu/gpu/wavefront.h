/* Executes kernels for AMD's GPUs by their description: wavefronts of 64 lanes. The assembly itself is not executed; a
 * test with LLVM's disassembler proves that its loop matches the description. */
#ifndef CM_SOFTWARE_PMU_GPU_WAVEFRONT_H
#define CM_SOFTWARE_PMU_GPU_WAVEFRONT_H

#include "software_pmu/gpu/hierarchy.h"

enum { CM_WAVEFRONT = 64, CM_WAVEFRONT_NAME = 128, CM_WAVEFRONT_MOST_THREADS = 1024 };

/* Instructions that a wavefront executes before and after its loop, counted in the assembly. */
typedef struct cm_wavefront_around {
    uint64_t instructions, loads, stores, moves, vectors, scalars;
} cm_wavefront_around;

typedef struct cm_wavefront_program {
    char entry[CM_WAVEFRONT_NAME];
    size_t piece_count;
    unsigned mask; /* of threads that skip the loop */
    cm_gpu_family family;
    cm_gpu_piece pieces[CM_GPU_MOST_PIECES];
    cm_wavefront_around around;
} cm_wavefront_program;

/* NULL if it is not catmint's assembly, or memory runs out. Free with free(). */
cm_wavefront_program *cm_wavefront_read(const char *assembly);

typedef struct cm_wavefront_run {
    const cm_wavefront_program *program;
    uint64_t memory; /* the kernel's parameters */
    uint32_t trips;
    unsigned blocks, threads;
    cm_hierarchy *hierarchy;
    uint64_t *facts;
} cm_wavefront_run;

/* The bytes from `memory` on that the threads of such a launch reach. */
size_t cm_wavefront_reach(const cm_wavefront_run *run);
/* Executes all wavefronts, and adds to the facts. */
void cm_wavefront_execute(const cm_wavefront_run *run);

/* ---- wavefront_compute.c ---- */

/* The operands of one instruction in one lane, in the bits of its type. */
typedef struct cm_wavefront_operands {
    uint64_t *parts; /* parts of the accumulator */
    uint64_t *t;     /* result of a conversion */
    uint64_t c, m;   /* constants */
    uint64_t y, z;   /* the integers after the accumulator */
    bool back;       /* of a conversion: it converts to single precision */
} cm_wavefront_operands;

void cm_wavefront_compute(cm_gpu_class class, const cm_wavefront_operands *operands);
/* Adds the operations of so many products of matrices to the facts; none of other classes. */
void cm_wavefront_count_operations(cm_gpu_class class, uint64_t times, uint64_t *facts);

/* ---- wavefront_access.c ---- */

typedef struct cm_wavefront_access {
    const cm_wavefront_run *run;
    unsigned wave; /* number in the launch */
    unsigned lanes;
    uint64_t active; /* a bit a lane */
} cm_wavefront_access;

/* Adds vector instructions of such lanes to the facts. */
void cm_wavefront_count_vectors(const cm_wavefront_run *run, uint64_t times, uint64_t active);
/* Performs the loads of all kernels of the family before their loop. */
void cm_wavefront_warm_up(const cm_wavefront_access *place);
/* Executes and counts access number `turn` of its class in a turn. `cursors`: the place of each lane's stream. */
void cm_wavefront_execute_access(const cm_wavefront_access *place, const cm_gpu_access *access, unsigned turn,
                                 uint32_t *cursors);

#endif
