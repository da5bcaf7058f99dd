/* Facts of a whole program, counted by catmint's plugin of QEMU while it runs: of all its threads and forked children,
 * from the dynamic linker's first instruction to the end. No PAPI, on any architecture that the plugin decodes:
 *
 *     cm_program_facts_create(FILE, machine, vector_bits, in_core, &error)
 *     qemu-x86_64 -plugin PLUGIN,facts=FILE PROGRAM ARGUMENTS...        (PLUGIN: cm_program_plugin; a comma in FILE is
 * doubled) cm_program_facts_read(FILE, facts, &summary, &error)              at any time, before the end too
 *
 * What the file looks like: program_facts_file.h. Each thread has a modelled machine of its own, as if it had a core
 * for itself; a forked child goes on with a copy. Programs that the program puts into its place by exec run without
 * QEMU, and are not counted; the summary says how many there were. */
#ifndef CM_SOFTWARE_PMU_QEMU_PROGRAM_FACTS_H
#define CM_SOFTWARE_PMU_QEMU_PROGRAM_FACTS_H

#include <catmint/software_pmu.h>

typedef struct cm_program_summary {
    uint64_t threads;        /* that were counted, of all processes; 0: the plugin did not run */
    uint64_t uncounted;      /* threads for which there was no room */
    uint64_t other_programs; /* begun by exec, and not counted */
} cm_program_summary;

/* Creates the file, or makes an existing one empty. `vector_bits`: the length of the program's scalable vectors, which
 * the plugin cannot see; 0: it has none. `in_core`: whether in_core_cycles are wanted, which take half as long again.
 * CM_IO where it cannot be written. */
cm_status cm_program_facts_create(const char *path, const cm_pmu_machine *machine, unsigned vector_bits, bool in_core,
                                  cm_error *error);

/* Whether a program's file has the fact: there is no clock in it, nor what a GPU executes. */
bool cm_program_facts_has(size_t fact);

/* Sums them up: cm_fact_count() numbers, 0 where the file does not have the fact. CM_BAD_INPUT where the file is none
 * of this version's. */
cm_status cm_program_facts_read(const char *path, uint64_t *facts, cm_program_summary *summary, cm_error *error);

/* The plugin for an architecture ("x86_64"); free it. CM_UNSUPPORTED where it was not built or installed. */
cm_status cm_program_plugin(const char *architecture, char **path, cm_error *error);

#endif
