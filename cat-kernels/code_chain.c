#include "cat-kernels/code_chain.h"

#include <stdbool.h>
#include <string.h>

#include "cat-kernels/registry.h"

enum { LINE = 64 };

void cm_code_chain_build(void *buffer, const cm_chain_shape *shape, unsigned kind)
{
    unsigned char *base = buffer;
    bool straight = (kind & CM_CHAIN_STRAIGHT) != 0;
    const cm_code_writer *write = cm_kernel_code_writer;
    size_t at = 0;
    if (write == NULL)
        return;
    /* at the end of the last piece's line, which no piece fills there */
    unsigned char *leave = base + shape->extent - shape->stride + LINE - write->leave_size;
    do {
        uint64_t next = (at + shape->stride) % shape->extent;
        if (!straight)
            memcpy(&next, base + at, sizeof next);
        write->piece(base + at,
                     &(cm_code_ways){base + next, next, leave, base + at + shape->stride / 2,
                                     base + shape->extent - shape->stride / 2},
                     kind);
        at = next;
    } while (at != 0);
    write->leave(leave);
}
