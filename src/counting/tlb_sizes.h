/* Sizes of TLBs as the processor reports them. */
#ifndef CM_COUNTING_TLB_SIZES_H
#define CM_COUNTING_TLB_SIZES_H

#include <stddef.h>

/* Entries for pages of 4 KiB; 0: none, or unknown. If one second TLB serves both data and code, both have its size. */
typedef struct cm_tlb_sizes {
    size_t data, code;
    size_t second_data, second_code;
    size_t data_huge, second_data_huge; /* for pages of 2 MiB */
} cm_tlb_sizes;

void cm_tlb_sizes_read(cm_tlb_sizes *sizes);

#endif
