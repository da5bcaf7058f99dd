/* The parts that an architecture's directory gives to the registry. */
#ifndef CM_KERNELS_REGISTRY_H
#define CM_KERNELS_REGISTRY_H

#include <stddef.h>

#include <catmint/kernels.h>

/* As in bases/primitive-facts.csv. */
extern const char *const cm_kernel_architecture;

/* All kernels, in the order of their bases. */
extern const cm_kernel *const cm_kernel_table;
extern const size_t cm_kernel_table_size;

/* An instruction set that kernels may need. */
typedef struct cm_isa_row {
    unsigned bit, above; /* `above`: the bits of sets that build on this one */
    const char *name;
} cm_isa_row;

extern const cm_isa_row *const cm_isa_table;
extern const size_t cm_isa_table_size;

/* The addresses that a piece of a chain of code needs. */
typedef struct cm_code_ways {
    const unsigned char *next;
    uint64_t offset;            /* of `next` in the buffer */
    const unsigned char *leave; /* the exit that the architecture's writer has written */
    unsigned char *beside;      /* half a step further, between pieces; of a calling piece: the routine it calls */
    const unsigned char *last;  /* `beside` of the last piece in memory: the routine that all pieces call is there */
} cm_code_ways;

/* Writes code for chains of code (code_chain.h); NULL if the architecture has no such kernels. */
typedef struct cm_code_writer {
    /* Writes a piece of at most a line at `at`: it runs the next piece, or the exit once it has counted to the end.
     * `kind`: bits of cm_kernel.chain. */
    void (*piece)(unsigned char *at, const cm_code_ways *ways, unsigned kind);
    /* Writes the exit, at the last `leave_size` bytes of a line. */
    void (*leave)(unsigned char *at);
    size_t leave_size;
    size_t reach; /* bytes that the piece's usual jump spans; 0: enough for any chain */
} cm_code_writer;

extern const cm_code_writer *const cm_kernel_code_writer;

/* Bits of the instruction sets that the processor and the operating system offer. */
unsigned cm_isa_offered(void);
/* Leaves out sets that a modelled processor does not execute, in place of those before. */
void cm_isa_leave_out(unsigned isa);

#endif
