/* Timed kernels: loops of one kind of instruction each, whose time measures a core. They only execute work. */
#ifndef CM_MACHINES_TIMED_H
#define CM_MACHINES_TIMED_H

#include <catmint/roofline.h>

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
    cm_float_precision precision;
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
/* The first kernel of that kind, operation, precision and vectors that runs on this processor; NULL: none. */
const cm_timed_kernel *cm_timed_find(cm_timed_kind kind, const char *operation, cm_float_precision precision,
                                     const char *vectors);
/* The kernel of the clock, which is the first; NULL: there are no timed kernels. */
const cm_timed_kernel *cm_timed_clock(void);
/* NULL: there is none of that name. */
const cm_timed_operation *cm_timed_operation_find(const char *name);
/* The operation in words; the operation itself if it is unknown. */
const char *cm_timed_words(const char *operation);
/* Bytes of a number. */
unsigned cm_precision_bytes(cm_float_precision precision);
/* Floating-point operations of a turn; of a stream, with arrays of `bytes` each. */
double cm_timed_flops(const cm_timed_kernel *kernel, size_t bytes);
/* Bytes that the program loads and stores in a turn, without lines that are read only because they are written. */
double cm_timed_bytes(const cm_timed_kernel *kernel, size_t bytes);

/* ---- arrays.c: arrays for streams, in huge pages if the system gives them ---- */

typedef struct cm_arrays {
    char *start;
    void *mapping;
    size_t mapped;
} cm_arrays;

/* Maps space for CM_TIMED_ARRAYS of `most` bytes each. Unmap also after a failure. */
cm_status cm_arrays_map(cm_arrays *arrays, size_t most, cm_error *error);
void cm_arrays_unmap(cm_arrays *arrays);
/* Arrays of `bytes` each, full of ones. A gap separates them, so that the addresses of a store and of the loads after
 * it differ in the bits that cores compare first. */
cm_timed_memory cm_arrays_fill(const cm_arrays *arrays, size_t bytes);

/* ---- product.c ---- */

/* A matrix product by OpenBLAS, blocked as its authors do it: the share of the peak that a program reaches. */

/* Matrices have CM_PRODUCT_SIZE rows; one thread a process. */
extern const cm_timed_kernel cm_product_kernel;

enum { CM_PRODUCT_SIZE = 512, CM_PRODUCT_BYTES = CM_PRODUCT_SIZE * CM_PRODUCT_SIZE * 8 };

/* ---- loops.c: loops in the assembly that compilers write for x86-64 ---- */

enum { CM_LOOPS_MOST = 32 };

/* Lines of the text, from the label that a jump returns to up to that jump. */
typedef struct cm_loop {
    size_t first, last; /* byte of the label's line, and the byte after the jump's line */
} cm_loop;

typedef struct cm_loops {
    size_t count;
    cm_loop loops[CM_LOOPS_MOST];
} cm_loops;

/* Whether compilers here write assembly of x86-64. */
bool cm_loops_are_known(void);
/* A function's innermost loops in their order, CM_LOOPS_MOST at most. CM_BAD_INPUT if the text lacks it. */
cm_status cm_loops_find(const char *text, const char *function, cm_loops *loops, cm_error *error);

/* Writes the text with a counter at the label of each loop, which changes neither registers nor flags: a function
 * `catmint_counts` returns the counts, one number of 64 bits a loop. */
void cm_loops_write_counted(const char *text, const cm_loops *loops, FILE *stream);
size_t cm_loop_instructions(const char *text, const cm_loop *loop);
/* Writes the instructions of one loop, without the labels. */
void cm_loops_write(const char *text, const cm_loop *loop, FILE *stream);

#endif
