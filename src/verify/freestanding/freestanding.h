/* The parts of emitting: which instruction set, which kernels and events, and the files. */
#ifndef CM_FREESTANDING_FREESTANDING_H
#define CM_FREESTANDING_FREESTANDING_H

#include <catmint/freestanding.h>

#include "core/files.h"
#include "verify/freestanding/programs.h"
#include "verify/verify.h"

enum { CM_ISA_TEXT_SIZE = 128 };

/* An instruction set, as it was named. */
typedef struct cm_emit_isa {
    char text[CM_ISA_TEXT_SIZE];
    const char *family;               /* directory of start, measuring and hooks: "riscv" or "aarch64" */
    const char *architecture;         /* whose facts the kernels have: "riscv32", "riscv64" or "aarch64" */
    const char *sources;              /* directory of the kernels */
    bool wide;                        /* registers have 64 bits */
    size_t counters;                  /* the most that can be programmed */
    const char *fixed[2];             /* the counters that always count; the second may be NULL */
    char words[2 * CM_ISA_TEXT_SIZE]; /* its extensions, each with a blank on both sides */
} cm_emit_isa;

/* CM_BAD_ARGUMENT for a text that names none. */
cm_status cm_emit_isa_parse(const char *text, cm_emit_isa *isa, cm_error *error);
/* Whether it has all of these words, parted by blanks. */
bool cm_emit_isa_has(const cm_emit_isa *isa, const char *words);

/* An event and the value of its selector. */
typedef struct cm_emit_event {
    char *name;
    uint64_t value;
} cm_emit_event;

typedef struct cm_emission {
    const cm_emit_options *options;
    cm_emit_isa isa;
    size_t counters, turns;
    cm_fact_table *facts;
    size_t kernel_count;
    const cm_kernel_facts **kernels; /* of the facts */
    size_t event_count;
    cm_emit_event *events;
    cm_emitted_programs *programs; /* NULL: kernels */
    cm_kernel_facts *composed;     /* theirs, which `kernels` has then */
} cm_emission;

/* The emission that the options ask for. Close it in any case. */
cm_status cm_emission_open(const cm_emit_options *options, cm_emission *emission, cm_error *error);
void cm_emission_close(cm_emission *emission);

/* Fills the kernels and the events. */
cm_status cm_emit_choose(cm_emission *emission, cm_error *error);
/* Whether some kernel of the benchmark is chosen. */
bool cm_emit_has(const cm_emission *emission, const char *benchmark);

/* Writes all files; `files` becomes their number. */
cm_status cm_emit_write(const cm_emission *emission, size_t *files, cm_error *error);

#endif
