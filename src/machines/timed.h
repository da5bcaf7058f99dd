/* Timed kernels: loops of one kind of instruction each, whose time measures a core. They only execute work. */
#ifndef CM_MACHINES_TIMED_H
#define CM_MACHINES_TIMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/machines.h>

enum {
    CM_TIMED_ARRAYS = 4,
    CM_TIMED_STEP = 512, /* arrays are a multiple of so many bytes */
};

/* The data of a kernel; assembly relies on this order. */
typedef struct cm_timed_memory {
    void *arrays[CM_TIMED_ARRAYS]; /* aligned to lines; arrays that are not accessed may be NULL */
    size_t bytes;                  /* of each, a multiple of CM_TIMED_STEP, more than 0 */
} cm_timed_memory;

typedef enum cm_timed_kind {
    CM_TIMED_CLOCK,  /* additions, each of which waits a cycle for the one before */
    CM_TIMED_RATE,   /* instructions that wait for no other: their throughput */
    CM_TIMED_CHAIN,  /* instructions each of which waits for the one before: their latency */
    CM_TIMED_STREAM, /* passes through whole arrays in each turn */
} cm_timed_kind;

typedef struct cm_timed_kernel {
    cm_timed_kind kind;
    const char *operation; /* "fma", "triad", as in tables */
    cm_precision precision;
    const char *vectors; /* "scalar", "SSE", "AVX", "AVX-512": the instructions' encoding or width */
    unsigned bytes;      /* operand of one instruction */
    unsigned isa;        /* bits of the instruction sets it needs */
    unsigned count;      /* instructions a turn; 0: a stream */
    void (*body)(uint64_t turns, const cm_timed_memory *memory);
} cm_timed_kernel;

/* An operation on each element of its arrays. */
typedef struct cm_timed_operation {
    const char *name, *words;
    unsigned flops;  /* an element; of a multiply-add two */
    unsigned arrays; /* arrays that it passes through, 0: it stays in registers */
    unsigned loads, stores;
    bool past_caches;
} cm_timed_operation;

/* The kernels of this architecture, in the order of tables; none if it has no timed kernels. */
extern const cm_timed_kernel *const cm_timed_kernels;
extern const size_t cm_timed_kernel_count;

bool cm_timed_available(const cm_timed_kernel *kernel);
/* The first kernel of that kind, operation, precision and vectors that this processor can execute; NULL: there is none.
 */
const cm_timed_kernel *cm_timed_find(cm_timed_kind kind, const char *operation, cm_precision precision,
                                     const char *vectors);
/* The kernel of the clock, which is the first; NULL: there are no timed kernels. */
const cm_timed_kernel *cm_timed_clock(void);
/* NULL: there is none of that name. */
const cm_timed_operation *cm_timed_operation_find(const char *name);
/* The operation in words; the operation itself if it is unknown. */
const char *cm_timed_words(const char *operation);
/* Bytes of a number. */
unsigned cm_precision_bytes(cm_precision precision);
/* Floating-point operations of a turn; of a stream, with arrays of `bytes` each. */
double cm_timed_flops(const cm_timed_kernel *kernel, size_t bytes);
/* Bytes that the program loads and stores in a turn, without lines that are read only because they are written. */
double cm_timed_bytes(const cm_timed_kernel *kernel, size_t bytes);

#endif
