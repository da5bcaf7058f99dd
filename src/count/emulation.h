/* A program under the emulated PMU, for the files that count it. */
#ifndef CM_COUNT_EMULATION_H
#define CM_COUNT_EMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/count.h"
#include "software_pmu/model/cores.h"

typedef struct cm_emulation {
    const cm_count_options *options;
    cm_program_counts *counts;
    const cm_emulator *emulator;
    cm_pmu_model *model;
    size_t repetition;
    cm_count_folder folder;
    char *file;
    uint64_t *now, *before, *between; /* facts: of the last reading, at the end of the last interval, and since then */
} cm_emulation;

typedef bool (*cm_fact_test)(size_t fact);

/* ---- emulated_events.c ---- */

/* The facts of a program: those of time only if the machine and the emulator can tell it. */
cm_fact_test cm_emulation_facts(const cm_emulation *one);
/* Finds all events by their names, of the model or facts. CM_UNSUPPORTED if one is unknown, except those of formulas
 * alone if another one of these is known: they are not modelled. */
cm_status cm_emulation_find_events(cm_emulation *one, cm_error *error);
/* The bits CM_PROGRAM_ of what the events need of the program's dependences. */
unsigned cm_emulation_wants(const cm_emulation *one);
/* Sets, a fact each, whether events or metrics need it. */
void cm_emulation_note_facts(const cm_emulation *one, bool *wanted);

#endif
