/* The facts that each run of code adds, known when it is translated: callbacks that add little else. */
#ifndef CM_SOFTWARE_PMU_QEMU_SUMS_H
#define CM_SOFTWARE_PMU_QEMU_SUMS_H

#include "software_pmu/qemu/plugin.h"

/* Adds the facts of one run of an instruction to `by`, a number a fact, without those of its accesses. */
void cm_sums_note(const cm_decoded *decoded, uint32_t *by);

/* Copies those of `by` that are wanted to `sums`, which has room for CM_FACT_COUNT or is NULL; returns their number. */
size_t cm_sums_pack(const uint32_t *by, cm_sum *sums);

/* Registers the callback of a block that is counted alike each time. False: the general one is needed. */
bool cm_sums_watch_block(struct qemu_plugin_tb *tb, uint64_t address, size_t bytes, const uint32_t *by);

/* Whether accesses count anything. */
bool cm_sums_want_accesses(void);

/* Adds the facts of the accesses of a block, if they are the same in each run, no address matters and they are not too
 * many. False: each is to be watched, since QEMU may call one's callback for the next one that has none. */
bool cm_sums_note_accesses(const cm_decoded *decoded, size_t count, uint32_t *by);

/* Registers the callback of an instruction with one access; false: the general one is needed. */
bool cm_sums_watch_access(struct qemu_plugin_insn *insn, const cm_decoded *decoded);

#endif
