/* What the folder of an architecture gives to programs: the code of one, with the facts that this brings. */
#ifndef CM_PROGRAMS_EMIT_H
#define CM_PROGRAMS_EMIT_H

#include <catmint/error.h>
#include <catmint/kernels.h>

#include "programs/compose.h"

/* What a program works on. */
typedef struct cm_program_memory {
    const void *ones[CM_FP_PRECISIONS]; /* 64 bytes each: 1.0 in every element */
    const unsigned char *bits;          /* one a iteration, a bit a plane */
    void *buffers[CM_WORK_BUFFERS];     /* their sizes are powers of two, and they begin at multiples of twice that */
    size_t sizes[CM_WORK_BUFFERS];      /* beyond them are CM_WORK_SPAN bytes more */
    size_t strides[CM_WORK_BUFFERS];    /* by which an iteration moves on in each, multiples of 64 */
    const unsigned char *functions;     /* as long as two of the first buffer, a return wherever one is called */
} cm_program_memory;

/* Bytes from one page to the next of work that is done on many, in the first buffer and among the functions: */
static inline size_t cm_program_apart(const cm_program_memory *memory)
{
    return memory->sizes[0] / CM_WORK_HOPS;
}

/* Pages behind a program's code, through which jumps lead far. */
enum {
    CM_PROGRAM_FAR_PAGES = 128,
    CM_PROGRAM_PAGE = 4096,
    CM_PROGRAM_FAR_BYTES = CM_PROGRAM_FAR_PAGES * CM_PROGRAM_PAGE
};

typedef struct cm_emission {
    const cm_composition *composition; /* NULL: a program that only returns */
    const cm_program_memory *memory;
    unsigned char *code; /* written from here on */
    size_t size;         /* behind which there are CM_PROGRAM_FAR_BYTES more */
    size_t used;
    size_t entry; /* where in the code it begins, as a kernel's body */
    /* What a run does in facts, and an iteration; and of each plane what random branches skip, where they do not. */
    double *once, *each, *skipped;
} cm_emission;

/* Whether programs can do this work here; false for all where code cannot be written. */
bool cm_emit_available(const cm_work *work, unsigned isa);

/* CM_UNSUPPORTED where the code has no room, or an instruction cannot be written. */
cm_status cm_emit(cm_emission *emission, unsigned isa, cm_error *error);

/* Makes memory that holds nothing but returns, whose first byte may be anywhere that a call leads. Does nothing where
 * no work calls far. */
void cm_emit_functions(unsigned char *start, size_t size);

#endif
