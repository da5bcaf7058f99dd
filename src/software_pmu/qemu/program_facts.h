/* Facts of a whole program, counted by catmint's plugin of QEMU while it runs: of all its threads and forked children,
 * from the dynamic linker's first instruction to the end. No PAPI, on any architecture that the plugin decodes:
 *
 *   cm_program_facts_create(FILE, machine, vector_bits, dependences, &error)
 *   qemu-x86_64 -plugin PLUGIN,facts=FILE PROGRAM ARGUMENTS...        (PLUGIN: cm_program_plugin; a comma in FILE is
 * doubled) cm_program_facts_read(FILE, facts, &summary, &error)              at any time, before the end too
 *
 * The second part describes the file. Each thread has a modelled machine of its own, as if it had a core for
 * itself; a forked child continues with a copy. Programs that are started by exec run without QEMU, and are not
 * counted; the summary has their number. */
#ifndef CM_SOFTWARE_PMU_QEMU_PROGRAM_FACTS_H
#define CM_SOFTWARE_PMU_QEMU_PROGRAM_FACTS_H

#include "software_pmu/machine/facts.h"

typedef struct cm_program_summary {
    uint64_t threads;        /* counted threads of all processes; 0: the plugin did not run */
    uint64_t uncounted;      /* threads without a free slot */
    uint64_t other_programs; /* started by exec, and not counted */
    uint64_t unfinished;     /* stepped processes that did not end by a system call of theirs */
    bool handlers;           /* a stepped program has signal handlers, which are not stepped */
} cm_program_summary;

/* Things that are counted, or not, only on request, as bits. */
enum {
    CM_PROGRAM_IN_CORE = 1, /* in_core_cycles: the run takes half as long again */
    CM_PROGRAM_TIME = 2,    /* facts of time, which a machine must have */
    CM_PROGRAM_BARE = 4,    /* no modelled facts (cm_fact_is_modelled), in a fraction of the time */
};

/* Creates the file, or makes an existing one empty. `vector_bits`: the length of the program's scalable vectors, which
 * the plugin cannot see; 0: it has none. `dependences`: of the bits above.
 * `wanted`: which facts are, one a fact, NULL: all; the others may be 0 or less than they are. CM_IO if it cannot be
 * written. */
cm_status cm_program_facts_create(const char *path, const cm_pmu_machine *machine, unsigned vector_bits,
                                  unsigned dependences, const bool *wanted, cm_error *error);

/* Whether a program's file has the fact: no clock, none of a GPU, and time's if they are asked for. */
bool cm_program_facts_has(size_t fact);
/* The same without time. */
bool cm_program_facts_has_untimed(size_t fact);

/* Sums the facts of all slots: cm_fact_count() numbers, 0 if not in the file. CM_BAD_INPUT for another version. */
cm_status cm_program_facts_read(const char *path, uint64_t *facts, cm_program_summary *summary, cm_error *error);

/* The library that steps a program of this processor; free it. CM_UNSUPPORTED if it was not built or installed. */
cm_status cm_program_stepper(char **path, cm_error *error);

/* The plugin for an architecture ("x86_64"); free it. CM_UNSUPPORTED if it was not built or installed. */
cm_status cm_program_plugin(const char *architecture, char **path, cm_error *error);

/* ---- program_facts_file ---- */

/* The file in which catmint's plugin of QEMU counts a whole program, while it runs: every thread of the program and of
 * its forked children. Plugin and reader map it. It begins with this header; from `slots_at` on follow `slot_count`
 * slots of `slot_size` bytes. A thread counts in a slot of its own, whose facts begin at `facts_at`: `fact_count`
 * numbers of 64 bits, in the order of `names`. A slot outlives its thread, and another thread may continue it, so that
 * the program's facts are the sum over all slots, at any time. */

#define CM_PROGRAM_MAGIC "catmint.facts/2"

/* The variable with the path of the file, for a program that is stepped in its own process. */
#define CM_PROGRAM_STEPPED "CATMINT_STEPPED"

enum { CM_PROGRAM_SLOTS = 1024, CM_PROGRAM_NAME = 32, CM_PROGRAM_SLOT_SIZE = 12288 };

typedef struct cm_program_header {
    char magic[16];
    uint64_t fact_count, slot_count, slots_at, slot_size, facts_at;
    uint64_t dependences;            /* cm_program_dependences: counted of instructions that wait for others */
    uint64_t vector_bits;            /* of scalable vectors, which the plugin cannot see; 0: none */
    _Atomic uint64_t threads;        /* counted threads; 0: no plugin counted in this file */
    _Atomic uint64_t uncounted;      /* threads without a free slot */
    _Atomic uint64_t other_programs; /* started by exec, and not counted */
    _Atomic uint64_t unfinished;     /* stepped processes that did not end by a system call of theirs */
    bool handlers;                   /* a stepped program has signal handlers */
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
