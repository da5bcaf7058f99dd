#include "sweep/run/chase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cat-kernels/code_chain.h"
#include "core/error.h"

enum { SMALL_PAGE = 4096, LARGE_PAGE = 2 << 20 };

/* Touched from end to end before any chain is built in it: in random order, each fault would cost a page alone, where
 * the system has pages of 2 MiB to give. */
cm_status cm_chase_open(cm_chase *chase, const cm_placement *placements, size_t count, cm_error *error)
{
    size_t extent = 1, elements = 1;
    bool small = false;
    for (size_t i = 0; i < count; i++) {
        if (placements[i].stride == 0)
            continue;
        size_t block = placements[i].block / placements[i].stride;
        extent = placements[i].extent > extent ? placements[i].extent : extent;
        elements = block > elements ? block : elements;
        small = small || (placements[i].kind & CM_CHAIN_PAGES) != 0;
    }
    chase->order = malloc(elements * sizeof *chase->order);
    size_t size = (extent + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    chase->mapped = size + 2 * LARGE_PAGE;
    void *mapping = mmap(NULL, chase->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    chase->mapping = mapping != MAP_FAILED ? mapping : NULL;
    if (chase->order == NULL || chase->mapping == NULL)
        return cm_error_no_memory(error);
    /* From a large page on, so that it takes whole ones, and lies over the sets of every cache in the same way. */
    size_t past = (uintptr_t)chase->mapping % LARGE_PAGE;
    chase->buffer = chase->mapping + (past != 0 ? LARGE_PAGE - past : 0);
    chase->scratch = chase->buffer + size;
    chase->size = size;
    madvise(chase->buffer, size, small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    for (size_t at = 0; at < size; at += SMALL_PAGE)
        chase->buffer[at] = 1;
    return CM_OK;
}

void cm_chase_close(cm_chase *chase)
{
    if (chase->mapping != NULL)
        munmap(chase->mapping, chase->mapped);
    free(chase->order);
    *chase = (cm_chase){0};
}

static cm_status protect(const cm_chase *chase, int access, cm_error *error)
{
    if (mprotect(chase->buffer, chase->size, access) == 0)
        return CM_OK;
    return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the system refuses executable memory: %s", strerror(errno));
}

cm_status cm_chase_build(cm_chase *chase, const cm_placement *placement, uint64_t seed, cm_error *error)
{
    cm_chain_shape shape = {placement->extent, placement->stride, placement->block, seed};
    cm_status status = protect(chase, PROT_READ | PROT_WRITE, error);
    if (status != CM_OK)
        return status;
    cm_chain_build(chase->buffer, &shape, chase->order);
    if ((placement->kind & CM_CHAIN_CODE) == 0)
        return CM_OK;
    cm_code_chain_build(chase->buffer, &shape, placement->kind);
    __builtin___clear_cache(chase->buffer, chase->buffer + placement->extent);
    return protect(chase, PROT_READ | PROT_EXEC, error);
}
