/* The store buffer, as loads see it: the youngest stores, which have not reached the cache. A load takes its value from
 * the youngest one that has all of its bytes, waits for one that has a part of them, and takes one whose address has
 * the same last 12 bits for such a one until the addresses are compared whole. */
#ifndef CM_SOFTWARE_PMU_MACHINE_FORWARDING_H
#define CM_SOFTWARE_PMU_MACHINE_FORWARDING_H

#include <stddef.h>
#include <stdint.h>

/* Parts: of the last 12 bits of addresses, which is what overlapping accesses share. */
enum { CM_FORWARDING_STORES = 64, CM_FORWARDING_PARTS = 64 };

typedef struct cm_forwarding {
    unsigned stores; /* that the buffer holds, at most CM_FORWARDING_STORES; 0: it is not modelled */
    unsigned next;   /* the oldest of all, to be replaced */
    struct cm_held_store {
        uint64_t address;
        size_t bytes; /* 0: none */
    } held[CM_FORWARDING_STORES];
    int parts[CM_FORWARDING_PARTS]; /* held stores that reach each part */
} cm_forwarding;

void cm_forwarding_store(cm_forwarding *forwarding, uint64_t address, size_t bytes);
/* Counts the load in at most one of the facts. */
void cm_forwarding_load(const cm_forwarding *forwarding, uint64_t address, size_t bytes, uint64_t *facts);

#endif
