/* The kernels: small programs whose behaviour is known exactly. They only execute work: no PAPI, no files, no printing.
 */
#ifndef CATMINT_KERNELS_H
#define CATMINT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Instruction sets that kernels may need are bits, numbered anew for each architecture: cm_isa_names gives their names.
 */

/* The instruction sets that the CPU and the operating system offer, less those that the environment variable
 * CATMINT_WITHOUT_ISA names: "AVX512F,AVX512-FP16", as cm_isa_names writes them, separated by commas or blanks. An
 * instruction set that builds on one of these is left out, too. */
CM_API unsigned cm_isa_available(void);
/* Whether CATMINT_WITHOUT_ISA has an unknown name; the first such is written into `buffer`, "" if there is none.
 * Unknown names leave nothing out. */
CM_API bool cm_isa_unknown(char *buffer, size_t size);
/* Names of the bits, "AVX512F AVX512-FP16", into `buffer`, "" for none; returns `buffer`. Truncates, always terminates.
 */
CM_API char *cm_isa_names(unsigned isa, char *buffer, size_t size);

/* The data of a kernel. One a thread, kept over all repetitions, so that the generator of random branches continues and
 * no predictor sees the same sequence twice. The kernels' assembly relies on this order. */
typedef struct cm_kernel_data {
    uint64_t
        generator; /* state of the random generator, any value; in a chain, the offset at which the chase continues */
    void *buffer;  /* holds the kernel's chain; NULL for kernels without one */
} cm_kernel_data;

/* The elements of a chain; bits of cm_kernel.chain beside its place. */
enum {
    CM_CHAIN_PLACE = 0x0F, /* its number among the chains of the level, from 0; of pages that miss a TLB the cache that
                              has their lines, 1: L2, 2: L3, or 0: whichever */
    CM_CHAIN_CODE = 0x10,  /* elements are code that jumps to the next, else offsets that a chase follows */
    CM_CHAIN_STRAIGHT = 0x20,  /* of code: one line after another, full of instructions, without jumps */
    CM_CHAIN_LONG = 0x40,      /* of code: elements have more instructions */
    CM_CHAIN_WIDE = 0x100,     /* elements are eight lines apart: the same extent, with fewer elements */
    CM_CHAIN_PAGES = 0x80,     /* one element a page; the level is that of the TLBs: 1, 2, or 3 for a page walk */
    CM_CHAIN_HUGE = 0x200,     /* pages are huge */
    CM_CHAIN_ZEROS = 0x400,    /* of huge pages: all are one page of zeros, which is read in steps; there is no chain */
    CM_CHAIN_LOADING = 0x800,  /* of code: each element loads from a line of its own, half a step further */
    CM_CHAIN_RANDOM = 0x1000,  /* of code: each element calls one routine, the kernel's: a branch at random, or more */
    CM_CHAIN_SPLIT = 0x2000,   /* of offsets: each crosses from its element's first line into the second */
    CM_CHAIN_RUNS = 0x4000,    /* of offsets: runs that prefetchers follow, see cat-kernels/chain.h */
    CM_CHAIN_CALLING = 0x8000, /* of code: each element calls one of a few routines, which stay in the first cache */
    CM_CHAIN_HELD = 0x10000,   /* of lines: TLBs hold all of its pages, those of L2 the first one */
    CM_CHAIN_THIRDS = 0x20000, /* of offsets: elements are in a third of the buffer, whose size is its second word */
};

typedef struct cm_kernel {
    const char *name;                                        /* the row of the basis: "D_FMA_256.48", "b4a" */
    const char *benchmark;                                   /* "cpu-flops" */
    unsigned isa;                                            /* bits of the instruction sets it needs */
    uint64_t iterations;                                     /* under hardware counters; at least, for a chase */
    uint64_t software_iterations;                            /* under the software PMU, which is slow */
    void (*body)(uint64_t iterations, cm_kernel_data *data); /* the counted work, iterations >= 1 */
    unsigned level; /* level of the memory hierarchy that holds its chain: 1 to 3 a data cache, 4 memory; 0: no chain.
                     * The caller that runs the kernel places the buffer, for the caches of the processor or model that
                     * counts. */
    unsigned chain; /* its place among the chains of the level, and bits CM_CHAIN_ */
} cm_kernel;

/* All kernels in the order of their bases, including those whose instructions this CPU lacks; none if catmint has no
 * kernels for the architecture. */
CM_API size_t cm_kernel_count(void);
CM_API const cm_kernel *cm_kernel_get(size_t index); /* NULL past the end */
/* NULL if there is none of that name. */
CM_API const cm_kernel *cm_kernel_find(const char *benchmark, const char *name);
/* Whether it runs on a GPU. The GPU's instruction sets are checked when it is launched. */
CM_API bool cm_kernel_is_of_gpu(const cm_kernel *kernel);
/* Whether this machine can execute it; for a GPU's kernel, whether this processor could launch it. */
CM_API bool cm_kernel_available(const cm_kernel *kernel);

#ifdef __cplusplus
}
#endif
#endif
