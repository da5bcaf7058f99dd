/* Write-allocate evasion: lines that stores missed everywhere, and that memory was not read for yet. Where stores then
 * write one whole, each going on where another ended, upwards or downwards, it is never read. It is read when it is
 * given up before that. */
#ifndef CM_SOFTWARE_PMU_MACHINE_EVASION_H
#define CM_SOFTWARE_PMU_MACHINE_EVASION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At a time: the fill buffers of a processor. One more gives up the oldest. */
enum { CM_EVASION_LINES = 16 };

typedef struct cm_evasion_line {
    uint64_t line;
    uint64_t begin, end; /* addresses of what was written */
} cm_evasion_line;

typedef struct cm_evasion {
    bool on;
    unsigned line_shift;
    size_t reads; /* the store's miss of the last level there is: counted with those of levels that are not */
    size_t count;
    cm_evasion_line lines[CM_EVASION_LINES]; /* from the oldest on */
} cm_evasion;

/* A store to `begin` up to `end`, all in one line; `missed`: no cache had it. */
void cm_evasion_store(cm_evasion *evasion, uint64_t begin, uint64_t end, bool missed, uint64_t *facts);
/* Something else touches the line, or a cache gives it up. */
void cm_evasion_give_up(cm_evasion *evasion, uint64_t line, uint64_t *facts);
void cm_evasion_give_up_all(cm_evasion *evasion, uint64_t *facts);

#endif
