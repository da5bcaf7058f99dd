/* The code of a program and its facts, written by an architecture's directory. */
#ifndef CM_PROGRAMS_EMIT_H
#define CM_PROGRAMS_EMIT_H

#include <catmint/error.h>
#include <catmint/kernels.h>

#include "programs/compose.h"

/* The memory of a program. */
typedef struct cm_program_memory {
    const void *ones[CM_FP_PRECISIONS]; /* 64 bytes each: 1.0 in every element */
    const unsigned char *bits;          /* one byte an iteration, a bit a plane */
    void *buffers[CM_WORK_BUFFERS];     /* sizes are powers of two; each begins at a multiple of twice its size */
    size_t sizes[CM_WORK_BUFFERS];      /* CM_WORK_SPAN bytes more follow each */
    size_t strides[CM_WORK_BUFFERS];    /* distance that an iteration moves on in each, multiples of 64 */
    const unsigned char *functions;     /* as long as two of the first buffer, with a return at every called address */
} cm_program_memory;

/* Bytes from one page to the next of work on many pages, in the first buffer and among the functions. */
static inline size_t cm_program_apart(const cm_program_memory *memory)
{
    return memory->sizes[0] / CM_WORK_HOPS;
}

/* Pages after a program's code, for far jumps. */
enum {
    CM_PROGRAM_FAR_PAGES = 128,
    CM_PROGRAM_PAGE = 4096,
    CM_PROGRAM_FAR_BYTES = CM_PROGRAM_FAR_PAGES * CM_PROGRAM_PAGE
};

typedef struct cm_emission {
    const cm_composition *composition; /* NULL: a program that only returns */
    const cm_program_memory *memory;
    unsigned char *code; /* written from here on */
    size_t size;         /* CM_PROGRAM_FAR_BYTES more follow */
    size_t used;
    size_t entry; /* offset in the code of the kernel's body */
    /* Facts of a run, and of an iteration; and for each plane the facts of the works that random branches skip, for
     * iterations that do not skip them. */
    double *once, *each, *skipped;
} cm_emission;

/* Whether programs can do this work here; false for all if code cannot be written. */
bool cm_emit_available(const cm_work *work, unsigned isa);

/* CM_UNSUPPORTED if the code does not fit, or an instruction cannot be written. */
cm_status cm_emit(cm_emission *emission, unsigned isa, cm_error *error);

/* Fills memory with returns only; calls lead to any byte of it. Does nothing if no work calls far. */
void cm_emit_functions(unsigned char *start, size_t size);

#endif
