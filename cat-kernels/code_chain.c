/* Chains of pieces of code, each of which jumps to or calls the next. */
#include "cat-kernels/code_chain.h"

#include <stdbool.h>
#include <string.h>

#include "cat-kernels/registry.h"

enum { LINE = 64, FEWEST_ROUTINES = 32 };

/* The number of routines that calling pieces call in turn: so many that each is fetched again when its turn comes, and
 * so few that they stay in the first cache beside a chain that misses it. The last turns of a cycle come to at least
 * half of the routines, so that its next turns are fetched again, too. */
static size_t count_routines(size_t pieces)
{
    size_t routines = FEWEST_ROUTINES;
    while (routines < 2 * FEWEST_ROUTINES && pieces % routines != 0 && pieces % routines < FEWEST_ROUTINES / 2)
        routines++;
    return routines;
}

void cm_code_chain_build(void *buffer, const cm_chain_shape *shape, unsigned kind)
{
    unsigned char *base = buffer;
    bool straight = (kind & CM_CHAIN_STRAIGHT) != 0;
    const cm_code_writer *write = cm_kernel_code_writer;
    size_t at = 0, visits = 0, routines = count_routines(cm_chain_length(shape));
    if (write == NULL)
        return;
    /* at the end of the last piece's line, which no piece fills there */
    unsigned char *leave = base + shape->extent - shape->stride + LINE - write->leave_size;
    do {
        uint64_t next = (at + shape->stride) % shape->extent;
        if (!straight)
            memcpy(&next, base + at, sizeof next);
        size_t beside = ((kind & CM_CHAIN_CALLING) != 0 ? visits++ % routines * shape->stride : at) + shape->stride / 2;
        write->piece(base + at,
                     &(cm_code_ways){base + next, next, leave, base + beside, base + shape->extent - shape->stride / 2},
                     kind);
        at = next;
    } while (at != 0);
    write->leave(leave);
}
