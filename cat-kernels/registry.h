/* What the folder of an architecture gives to the registry. */
#ifndef CM_KERNELS_REGISTRY_H
#define CM_KERNELS_REGISTRY_H

#include <stddef.h>

#include <catmint/kernels.h>

/* As bases/primitive-facts.csv calls it. */
extern const char *const cm_kernel_architecture;

/* All kernels, in the order of their bases. */
extern const cm_kernel *const cm_kernel_table;
extern const size_t cm_kernel_table_size;

/* An instruction set that kernels may need. */
typedef struct cm_isa_row {
    unsigned bit, above; /* `above`: the bits of those that there are not without it */
    const char *name;
} cm_isa_row;

extern const cm_isa_row *const cm_isa_table;
extern const size_t cm_isa_table_size;

/* Where a piece of a chain of code leads. */
typedef struct cm_code_ways {
    const unsigned char *next;
    uint64_t offset;            /* of `next` in the buffer */
    const unsigned char *leave; /* what the architecture's writer has written there */
    unsigned char *beside;      /* half a step on, where no piece is */
    const unsigned char *last;  /* `beside` of the piece that lies last: what all pieces call is there */
} cm_code_ways;

/* Code for chains of code (code_chain.h); NULL where the architecture has no such kernels. */
typedef struct cm_code_writer {
    /* A piece at `at`, of at most a line, after which the next one runs, or what leaves where it has counted to the
     * end. `kind`: bits of cm_kernel.chain. */
    void (*piece)(unsigned char *at, const cm_code_ways *ways, unsigned kind);
    /* What leaves, at the last `leave_size` bytes of a line. */
    void (*leave)(unsigned char *at);
    size_t leave_size;
    size_t reach; /* bytes that the piece's usual jump spans; 0: as many as any chain has */
} cm_code_writer;

extern const cm_code_writer *const cm_kernel_code_writer;

/* Bits of those that the processor and the operating system offer. */
unsigned cm_isa_offered(void);

#endif
