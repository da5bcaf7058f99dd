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

/* Bits of those that the processor and the operating system offer. */
unsigned cm_isa_offered(void);

#endif
