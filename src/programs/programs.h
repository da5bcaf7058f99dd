/* Validation programs: straight-line code in a counted loop, in executable memory. Each is a kernel and is counted like
 * one; its facts are known by construction. */
#ifndef CM_PROGRAMS_PROGRAMS_H
#define CM_PROGRAMS_PROGRAMS_H

#include "cat-kernels/gpu/run.h"
#include "programs/work.h"

/* The benchmark's name for programs. */
#define CM_PROGRAMS_BENCHMARK "programs"

typedef struct cm_programs cm_programs;

/* Creates `count` programs, two of three of a class of natural programs, and before them, as kernel 0, an empty one
 * that measures the overhead of a run; all run `iterations` times, at most CM_PROGRAM_ITERATIONS. CM_UNSUPPORTED if
 * code cannot be written for this processor, or no executable memory can be mapped. */
cm_status cm_programs_create(uint64_t seed, size_t count, uint64_t iterations, cm_programs **programs, cm_error *error);
void cm_programs_free(cm_programs *programs);

/* Whether programs can be written for this processor. */
bool cm_programs_available(void);

enum { CM_PROGRAM_ITERATIONS = 1 << 14 };

/* The empty one and the others: count + 1. */
const cm_kernel *cm_programs_kernel(const cm_programs *programs, size_t kernel);
/* Its class of natural programs (bases/natural-programs.csv); "": none. */
const char *cm_programs_class(const cm_programs *programs, size_t kernel);
/* Its most frequent work; "" for the empty one. */
void cm_programs_describe(const cm_programs *programs, size_t kernel, char *text, size_t size);

/* The facts of one run: each is `values` +- `ranges`, both of cm_fact_count() elements. The range is infinite for facts
 * of caches and wrong paths, which construction does not determine. */
void cm_programs_facts(const cm_programs *programs, size_t kernel, double *values, double *ranges);

/* Whether the machine determines the fact: its caches, predictor, wrong paths, clock. */
bool cm_fact_is_of_machine(size_t fact);

/* ---- natural.c ---- */

/* Programs with the rates of real software (bases/natural-programs.csv): each class has a range for every rate. */

enum { CM_NATURAL_OF_A_CLASS = 40 };

typedef struct cm_natural {
    size_t class_count;
    char **classes;   /* names */
    size_t count;     /* programs: CM_NATURAL_OF_A_CLASS of each class, one class after the other */
    size_t *class_of; /* one a program */
    double *facts;    /* per instruction; cm_fact_count() a program, derived facts are 0 */
    double *turns;    /* one a program: turns of loops per instruction */
} cm_natural;

/* `path`: NULL for catmint's own. Makes the same programs every time. CM_BAD_INPUT with file and line. */
cm_status cm_natural_load(const char *path, cm_natural **natural, cm_error *error);
void cm_natural_free(cm_natural *natural);

/* ---- compose.c ---- */

/* Composes programs by seed, of single pieces of work in random order: in free proportions, or at the rates of a class
 * of natural programs. They are no combination of the kernels' loops, which would only confirm the fit. */

/* The loop's body, the share of ones among the bits of each plane, and its way through the buffers. */
typedef struct cm_composition {
    const char *class; /* class of natural programs; "": free proportions, and the memory as it is */
    size_t count;
    cm_work *works;
    double shares[CM_WORK_PLANES];
    size_t phases; /* the last planes, whose zeros come all together */
    size_t starts[CM_WORK_BUFFERS], sizes[CM_WORK_BUFFERS], strides[CM_WORK_BUFFERS];
} cm_composition;

/* `available`: one a row of cm_work_table; at least one is true. */
cm_status cm_compose(uint64_t seed, const bool *available, cm_composition *composition, cm_error *error);
/* compose_natural.c: composes a program of a class: rare work comes in phases, which a branch skips otherwise. */
cm_status cm_compose_natural(uint64_t seed, const bool *available, const cm_natural *natural, size_t class,
                             cm_composition *composition, cm_error *error);
void cm_composition_clear(cm_composition *composition);

/* The most frequent work: "32 loads of 8 bytes, 20 jumps, 4 calls". */
void cm_composition_describe(const cm_composition *composition, char *text, size_t size);

/* ---- emit: the code of a program and its facts, written by an architecture's directory ---- */

/* The memory of a program. */
typedef struct cm_program_memory {
    const void *ones[CM_FP_PRECISIONS]; /* 64 bytes each: 1.0 in every element */
    const unsigned char *bits;          /* one byte an iteration, a bit a plane */
    void *buffers[CM_WORK_BUFFERS];     /* sizes are powers of two; each begins beyond a multiple of twice its size */
    size_t sizes[CM_WORK_BUFFERS];      /* CM_WORK_SPAN bytes more follow each */
    size_t strides[CM_WORK_BUFFERS];    /* distance that an iteration moves on in each, multiples of 64 */
    const unsigned char *functions;     /* as long as two of the first buffer, with a return at every called address */
} cm_program_memory;

/* Bytes from one page to the next of work on many pages, in the first buffer and among the functions. */
enum { CM_PROGRAM_APART = 2 << 20 };

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

/* ---- memory.c: the memory shared by all programs of a set, and the memory of their code ---- */

/* Small pages straight from the system, with no other data beside them. Zero-initialised: empty. */
typedef struct cm_program_pages {
    unsigned char *start;
    size_t size;
} cm_program_pages;

/* Maps zeros. CM_NO_MEMORY. */
cm_status cm_program_pages_map(size_t size, cm_program_pages *pages, cm_error *error);
void cm_program_pages_unmap(cm_program_pages *pages);
/* Makes the pages executable, and no longer writable. CM_UNSUPPORTED if the system forbids it. */
cm_status cm_program_pages_execute(const cm_program_pages *pages, cm_error *error);

/* Creates buffers and constants; `bits` and `functions` stay NULL. */
cm_status cm_program_memory_create(cm_program_pages *pages, cm_program_memory *memory, cm_error *error);

/* ---- gpu.c ---- */

/* Programs for GPUs: loops of single instructions in free proportions, composed by seed; only a part of the threads
 * runs some of them. Their facts are known by construction. */

typedef struct cm_gpu_programs cm_gpu_programs;

/* Creates an empty program and `count` others, of the devices' instructions; those of all classes of that family are
 * among them. Free with cm_gpu_programs_free. */
cm_status cm_gpu_programs_create(uint64_t seed, size_t count, cm_gpu_vendor vendor, unsigned target,
                                 cm_gpu_family family, cm_gpu_programs **programs, cm_error *error);
void cm_gpu_programs_free(cm_gpu_programs *programs);

const cm_kernel *cm_gpu_programs_kernel(const cm_gpu_programs *programs, size_t kernel);
const cm_gpu_kernel *cm_gpu_programs_description(const cm_gpu_programs *programs, size_t kernel);
/* Its most frequent instructions; "" for the empty one. */
void cm_gpu_programs_describe(const cm_gpu_programs *programs, size_t kernel, char *text, size_t size);
/* The facts of one run, cm_fact_count() of them: only the loop's, since the rest is the empty program's, too. */
void cm_gpu_programs_facts(const cm_gpu_programs *programs, size_t kernel, double *values);

#endif
