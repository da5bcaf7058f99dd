/* The parts of emitting: which instruction set, which kernels and events, and the files. */
#ifndef CM_FREESTANDING_FREESTANDING_H
#define CM_FREESTANDING_FREESTANDING_H

#include <catmint/freestanding.h>

#include "core/csv.h"
#include "core/files.h"
#include "software_pmu/qemu/decoded.h"
#include "verify/verify.h"

/* ---- random programs that are written out: compositions of single pieces of work, by seed ---- */

/* The benchmark's name for programs. */
#define CM_EMITTED_PROGRAMS "programs"

typedef struct cm_emitted_program {
    char *name;        /* "program-3.7": the third of seed 7. The first, of number 0, does nothing */
    char *description; /* its most frequent work: "12 add, 7 load_4" */
    size_t count;
    size_t *works; /* of a turn, one behind the other: rows of the table */
    double *facts; /* of a turn, cm_fact_count(), derived ones too */
} cm_emitted_program;

typedef struct cm_emitted_programs {
    char benchmark[sizeof CM_EMITTED_PROGRAMS];
    uint64_t seed;
    size_t count; /* the empty one and the others */
    cm_emitted_program *items;
    size_t work_count;
    char **works; /* names of macros */
} cm_emitted_programs;

/* The programs 0 to `count` of the seed. CM_BAD_ARGUMENT for an unknown instruction set. */
cm_status cm_emitted_programs_create(const char *isa, uint64_t seed, size_t count, cm_emitted_programs **programs,
                                     cm_error *error);
void cm_emitted_programs_free(cm_emitted_programs *programs);

/* ---- shared ---- */

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

/* ---- retirement traces of emitted kernels: the file, the runs in it, and the facts of instructions ---- */

/* An instruction that retired. */
typedef struct cm_retired {
    uint64_t pc;
    uint32_t word;
    size_t line; /* of the file */
} cm_retired;

/* Takes one instruction after the other, in the order of the trace. */
typedef cm_status (*cm_trace_take)(const cm_retired *retired, void *data, cm_error *error);

/* ---- trace_file.c ---- */

/* Reads a trace: a column `pc` and a column `instruction`, or of RVFI rvfi_pc_rdata and rvfi_insn, in hexadecimal
 * digits, and perhaps `valid` or rvfi_valid. A core that retires several at once has pc0, instruction0,
 * pc1 ... in the order of the program. Other columns are passed over. *line: that of the last row. */
cm_status cm_trace_read(const char *path, cm_trace_take take, void *data, size_t *line, cm_error *error);

/* ---- trace_facts.c ---- */

/* Decodes the instruction for the instruction set. */
void cm_trace_decode(const cm_emit_isa *isa, const cm_retired *retired, cm_decoded *decoded);
/* Whether the instruction at `next` may follow; `traps`: not if this instruction does not trap by itself. */
bool cm_trace_may_follow(const cm_emit_isa *isa, const cm_decoded *decoded, uint32_t word, uint64_t next);
/* Adds its facts, once the next instruction is known. */
void cm_trace_add(const cm_decoded *decoded, uint64_t next, double *facts);

/* ---- trace_order.c ---- */

/* Adds the facts of an instruction and the one that retired next. */
void cm_trace_add_order(const cm_emit_isa *isa, const cm_decoded *decoded, uint32_t word, uint32_t next, double *facts);

/* ---- trace_facts.c ---- */

/* Whether a trace tells the fact: caches, predictors and addresses are not in it. */
bool cm_trace_tells(const cm_fact_table *table, size_t fact);

#endif
