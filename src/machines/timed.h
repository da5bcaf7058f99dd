/* Timed kernels: loops of one kind of instruction each, of which the time says what a core can do. They only execute
 * work. */
#ifndef CM_MACHINES_TIMED_H
#define CM_MACHINES_TIMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/machines.h>

enum {
    CM_TIMED_ARRAYS = 4,
    CM_TIMED_STEP = 512, /* bytes that arrays are a multiple of */
};

/* What a kernel works on; assembly relies on this order. */
typedef struct cm_timed_memory {
    void *arrays[CM_TIMED_ARRAYS]; /* aligned to lines; what is not accessed may be NULL */
    size_t bytes;                  /* of each, a multiple of CM_TIMED_STEP, more than 0 */
} cm_timed_memory;

typedef enum cm_timed_kind {
    CM_TIMED_CLOCK,  /* additions, of which each waits a cycle for the one before */
    CM_TIMED_RATE,   /* instructions that wait for no other: their throughput */
    CM_TIMED_CHAIN,  /* of which each waits for the one before: their latency */
    CM_TIMED_STREAM, /* goes through whole arrays in each turn */
} cm_timed_kind;

typedef struct cm_timed_kernel {
    cm_timed_kind kind;
    const char *operation; /* "fma", "triad", as tables call it */
    cm_precision precision;
    const char *vectors; /* "scalar", "SSE", "AVX", "AVX-512": the instructions' encoding or width */
    unsigned bytes;      /* of what one instruction works on */
    unsigned isa;        /* bits of the instruction sets it needs */
    unsigned count;      /* instructions a turn; 0: a stream */
    void (*body)(uint64_t turns, const cm_timed_memory *memory);
} cm_timed_kernel;

/* What an operation does for each element of its arrays. */
typedef struct cm_timed_operation {
    const char *name, *words;
    unsigned flops;  /* an element; of a multiply-add two */
    unsigned arrays; /* that it goes through, 0: it stays in registers */
    unsigned loads, stores;
    bool past_caches;
} cm_timed_operation;

/* Of this architecture, in the order of tables; none where it has no timed kernels. */
extern const cm_timed_kernel *const cm_timed_kernels;
extern const size_t cm_timed_kernel_count;

bool cm_timed_available(const cm_timed_kernel *kernel);
/* The first that this processor can execute of that kind, operation and precision, whose vectors are called so; NULL:
 * there is none. */
const cm_timed_kernel *cm_timed_find(cm_timed_kind kind, const char *operation, cm_precision precision,
                                     const char *vectors);
/* The kernel of the clock, which is the first; NULL: there are no timed kernels. */
const cm_timed_kernel *cm_timed_clock(void);
/* NULL: there is none of that name. */
const cm_timed_operation *cm_timed_operation_find(const char *name);
/* What people read; the operation itself where it is unknown. */
const char *cm_timed_words(const char *operation);
/* Bytes of a number. */
unsigned cm_precision_bytes(cm_precision precision);
/* Floating-point operations of a turn, of a stream with arrays of `bytes` each. */
double cm_timed_flops(const cm_timed_kernel *kernel, size_t bytes);
/* Bytes that a turn loads and stores: what the program asks for, no line that is read because it is written. */
double cm_timed_bytes(const cm_timed_kernel *kernel, size_t bytes);

#endif
