/* Write-allocate evasion: lines that stores missed in every cache, and that were not read from memory yet. If stores
 * then write a line completely, each next to the one before, upwards or downwards, it is never read. A line that is
 * given up before that is read. */
#ifndef CM_SOFTWARE_PMU_MACHINE_EVASION_H
#define CM_SOFTWARE_PMU_MACHINE_EVASION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines at a time: the fill buffers of a processor. One more gives up the oldest. */
enum { CM_EVASION_LINES = 16 };

typedef struct cm_evasion_line {
    uint64_t line;
    uint64_t begin, end; /* addresses written so far, without `end` */
} cm_evasion_line;

typedef struct cm_evasion {
    bool on;
    unsigned line_shift;
    size_t reads; /* first of the facts that a read counts: a store's miss of the last level, then of each level that
                   * the machine lacks */
    size_t count;
    cm_evasion_line lines[CM_EVASION_LINES]; /* the oldest first */
} cm_evasion;

/* A store to `begin` up to `end`, all in one line; `missed`: no cache had it. */
void cm_evasion_store(cm_evasion *evasion, uint64_t begin, uint64_t end, bool missed, uint64_t *facts);
/* The line is given up: another access touches it, or a cache evicts it. */
void cm_evasion_give_up(cm_evasion *evasion, uint64_t line, uint64_t *facts);
void cm_evasion_give_up_all(cm_evasion *evasion, uint64_t *facts);

#endif
