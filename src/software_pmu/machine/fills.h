/* Fill buffers: lines that a first-level cache has asked for, and that are still on their way. Time is counted in
 * accesses. A line that is accessed again on its way is found in its fill buffer. */
#ifndef CM_SOFTWARE_PMU_MACHINE_FILLS_H
#define CM_SOFTWARE_PMU_MACHINE_FILLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CM_FILL_BUFFERS = 16 };

typedef struct cm_fills {
    unsigned accesses; /* that a line is on its way for; 0: it is there at once */
    uint64_t clock;    /* accesses so far */
    unsigned next;     /* buffer */
    struct {
        uint64_t line, until;
    } buffers[CM_FILL_BUFFERS];
} cm_fills;

static inline void cm_fills_begin(cm_fills *fills, uint64_t line)
{
    fills->buffers[fills->next].line = line;
    fills->buffers[fills->next].until = fills->clock + fills->accesses;
    fills->next = (fills->next + 1) % CM_FILL_BUFFERS;
}

/* `later`: at so many accesses from now. */
static inline bool cm_fills_have(const cm_fills *fills, uint64_t line, unsigned later)
{
    for (unsigned i = 0; i < CM_FILL_BUFFERS; i++)
        if (fills->buffers[i].line == line && fills->clock + later <= fills->buffers[i].until)
            return true;
    return false;
}

#endif
