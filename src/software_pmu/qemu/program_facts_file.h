/* The file in which catmint's plugin of QEMU counts a whole program, while it runs: every thread of the program and of
 * its forked children. Plugin and reader map it. It begins with this header; from `slots_at` on follow `slot_count`
 * slots of `slot_size` bytes. A thread counts in a slot of its own, whose facts begin at `facts_at`: `fact_count`
 * numbers of 64 bits, in the order of `names`. A slot outlives its thread, and another thread may continue it, so that
 * the program's facts are the sum over all slots, at any time. */
#ifndef CM_SOFTWARE_PMU_QEMU_PROGRAM_FACTS_FILE_H
#define CM_SOFTWARE_PMU_QEMU_PROGRAM_FACTS_FILE_H

#include <string.h>

#include "software_pmu/machine/facts.h"

#define CM_PROGRAM_MAGIC "catmint.facts/1"

enum { CM_PROGRAM_SLOTS = 1024, CM_PROGRAM_NAME = 32, CM_PROGRAM_SLOT_SIZE = 12288 };

typedef struct cm_program_header {
    char magic[16];
    uint64_t fact_count, slot_count, slots_at, slot_size, facts_at;
    uint64_t dependences;            /* cm_program_dependences: counted of instructions that wait for others */
    uint64_t vector_bits;            /* of scalable vectors, which the plugin cannot see; 0: none */
    _Atomic uint64_t threads;        /* counted threads; 0: no plugin counted in this file */
    _Atomic uint64_t uncounted;      /* threads without a free slot */
    _Atomic uint64_t other_programs; /* started by exec, and not counted */
    bool wanted[CM_FACT_COUNT];      /* the others need not be counted */
    cm_pmu_machine machine;          /* the model: every thread has a machine like this */
    char names[CM_FACT_COUNT][CM_PROGRAM_NAME];
} cm_program_header;

/* Offset of the slots: at a page. */
enum { CM_PROGRAM_SLOTS_AT = (sizeof(cm_program_header) + 4095) / 4096 * 4096 };

/* Whether it is the header of a file of this version. */
static inline bool cm_program_is_ours(const cm_program_header *header)
{
    return memcmp(header->magic, CM_PROGRAM_MAGIC, sizeof CM_PROGRAM_MAGIC) == 0 &&
           header->fact_count == CM_FACT_COUNT && header->slot_count == CM_PROGRAM_SLOTS &&
           header->slots_at == CM_PROGRAM_SLOTS_AT && header->slot_size == CM_PROGRAM_SLOT_SIZE;
}

#endif
