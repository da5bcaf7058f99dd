/* Retirement traces of emitted kernels: the file, the runs in it, and the facts of instructions. */
#ifndef CM_FREESTANDING_TRACE_H
#define CM_FREESTANDING_TRACE_H

#include "verify/freestanding/freestanding.h"
#include "software_pmu/qemu/decoded.h"

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
