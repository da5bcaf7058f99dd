#include "sweep/run/run.h"

#include <sys/mman.h>

#include "cat-kernels/code_chain.h"
#include "cat-kernels/registry.h"

/* PIECE: bytes of code at each element. OVER_A_LINE: half of an offset, which is in the line before. */
enum { SMALL_PAGE = 4096, LARGE_PAGE = 2 << 20, PIECE = 64, FAR_APART = 1024, OVER_A_LINE = 4 };

/* The largest extent of those placements whose kind has `bits` under `mask`. */
static size_t find_extent(const cm_placement *placements, size_t count, unsigned mask, unsigned bits)
{
    size_t extent = 0;
    for (size_t i = 0; i < count; i++)
        if (placements[i].stride != 0 && (placements[i].kind & mask) == bits && placements[i].extent > extent)
            extent = placements[i].extent;
    return extent;
}

static cm_status open_order(cm_chase *chase, const cm_placement *placements, size_t count, cm_error *error)
{
    size_t elements = 1;
    for (size_t i = 0; i < count; i++)
        if (placements[i].stride != 0 && placements[i].block / placements[i].stride > elements)
            elements = placements[i].block / placements[i].stride;
    chase->order = malloc(elements * sizeof *chase->order);
    return chase->order != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Maps an area and touches it from start to end. If chains did so in random order, each page fault would give a small
 * page, though the system has pages of 2 MiB. */
static cm_status open_area(cm_chase_area *area, size_t extent, bool small, cm_error *error)
{
    size_t size = extent != 0 ? (extent + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE : LARGE_PAGE;
    area->mapped = size + 2 * LARGE_PAGE;
    void *mapping = mmap(NULL, area->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    area->mapping = mapping != MAP_FAILED ? mapping : NULL;
    if (area->mapping == NULL)
        return cm_error_no_memory(error);
    /* Start at a large page, so that whole ones are used and the area covers the sets of every cache evenly. */
    size_t past = (uintptr_t)area->mapping % LARGE_PAGE;
    area->buffer = area->mapping + (past != 0 ? LARGE_PAGE - past : 0);
    area->size = size;
    madvise(area->buffer, size, small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    for (size_t at = 0; at < size; at += SMALL_PAGE)
        area->buffer[at] = 1;
    return CM_OK;
}

static cm_status open_areas(cm_chase *chase, const cm_placement *placements, size_t count, cm_error *error)
{
    enum { KINDS = CM_CHAIN_PAGES | CM_CHAIN_HUGE };
    size_t lines = find_extent(placements, count, KINDS, 0);
    size_t pages = find_extent(placements, count, KINDS, CM_CHAIN_PAGES);
    cm_status status = open_area(&chase->lines, lines, false, error);
    chase->chain = chase->lines.buffer;
    chase->scratch = chase->lines.buffer + chase->lines.size;
    return status == CM_OK && pages != 0 ? open_area(&chase->pages, pages, true, error) : status;
}

/* Maps the huge pages that the chains need. */
static cm_status open_huge(cm_chase *chase, const cm_placement *placements, size_t count, cm_error *error)
{
    enum { KINDS = CM_CHAIN_HUGE | CM_CHAIN_ZEROS };
    size_t written = find_extent(placements, count, KINDS, CM_CHAIN_HUGE);
    size_t zeros = find_extent(placements, count, KINDS, KINDS);
    cm_status status = CM_OK;
    if (written != 0)
        status = cm_huge_pages_map(&chase->huge, written, true, error);
    if (status == CM_OK && zeros != 0)
        status = cm_huge_pages_map(&chase->zeros, zeros, false, error);
    return status;
}

cm_status cm_chase_open(cm_chase *chase, const cm_placement *placements, size_t count, cm_software_pmu *pmu,
                        cm_error *error)
{
    chase->pmu = pmu;
    cm_status status = open_order(chase, placements, count, error);
    CM_THEN(status, open_areas(chase, placements, count, error));
    return status == CM_OK ? open_huge(chase, placements, count, error) : status;
}

/* Tells the software PMU which pages are huge on the modelled machine. */
static cm_status tell_pmu(const cm_chase *chase, const cm_huge_pages *pages, cm_error *error)
{
    return chase->pmu != NULL ? cm_software_pmu_huge_pages(chase->pmu, pages->start, pages->size, error) : CM_OK;
}

static bool has_huge(const cm_chase *chase)
{
    return chase->huge.start != NULL || chase->zeros.start != NULL;
}

static void close_area(const cm_chase_area *area)
{
    if (area->mapping != NULL)
        munmap(area->mapping, area->mapped);
}

void cm_chase_close(cm_chase *chase)
{
    if (has_huge(chase))
        tell_pmu(chase, &(cm_huge_pages){0}, NULL);
    cm_huge_pages_unmap(&chase->huge);
    cm_huge_pages_unmap(&chase->zeros);
    close_area(&chase->lines);
    close_area(&chase->pages);
    free(chase->order);
    *chase = (cm_chase){0};
}

/* Changes whole large pages, but no more than the chain needs, because an emulator of the processor visits each
 * page. */
static cm_status protect_area(const cm_chase_area *area, size_t extent, int access, cm_error *error)
{
    size_t size = (extent + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (mprotect(area->buffer, size < area->size ? size : area->size, access) == 0)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "the system refuses executable memory: %s", strerror(errno));
}

/* Flushes pieces that lie far apart one by one: the memory between them is no code, and may be a thousand times as
 * large. */
static void flush_code(const cm_chase_area *area, const cm_placement *placement)
{
    char *code = area->buffer;
    if (placement->stride < FAR_APART) {
        __builtin___clear_cache(code, code + placement->extent);
        return;
    }
    for (size_t at = 0; at < placement->extent; at += placement->stride)
        __builtin___clear_cache(code + at, code + at + PIECE);
}

/* The pages stay zeros; the page for other reads and writes tells how to step over them. */
static cm_status build_steps(cm_chase *chase, const cm_placement *placement, cm_error *error)
{
    cm_steps *steps = (cm_steps *)((char *)chase->scratch + SMALL_PAGE / 2);
    *steps = (cm_steps){chase->zeros.start, placement->stride, placement->extent};
    chase->chain = steps;
    return tell_pmu(chase, &chase->zeros, error);
}

static cm_status build_huge(cm_chase *chase, const cm_placement *placement, const cm_chain_shape *shape,
                            cm_error *error)
{
    if ((placement->kind & CM_CHAIN_ZEROS) != 0)
        return build_steps(chase, placement, error);
    chase->chain = chase->huge.start;
    cm_chain_build(chase->huge.start, shape, chase->order);
    return tell_pmu(chase, &chase->huge, error);
}

cm_status cm_chase_build(cm_chase *chase, const cm_placement *placement, uint64_t seed, cm_error *error)
{
    const bool runs = (placement->kind & CM_CHAIN_RUNS) != 0;
    cm_chain_shape shape = {placement->extent, placement->stride, placement->block, seed, runs};
    if ((placement->kind & CM_CHAIN_THIRDS) != 0) {
        /* The chain is in the first of three parts, which for short strides cross pages at the same elements. */
        const size_t unit = shape.stride < SMALL_PAGE ? SMALL_PAGE : shape.stride;
        shape.extent = shape.extent / 3 / unit * unit;
        shape.block = shape.block / 3 / unit * unit;
    }
    if ((placement->kind & CM_CHAIN_HUGE) != 0)
        return build_huge(chase, placement, &shape, error);
    const cm_chase_area *area = (placement->kind & CM_CHAIN_PAGES) != 0 ? &chase->pages : &chase->lines;
    char *chain = area->buffer + ((placement->kind & CM_CHAIN_SPLIT) != 0 ? placement->stride / 2 - OVER_A_LINE : 0);
    chase->chain = chain;
    cm_status status = has_huge(chase) ? tell_pmu(chase, &(cm_huge_pages){0}, error) : CM_OK;
    CM_THEN(status, protect_area(area, placement->extent, PROT_READ | PROT_WRITE, error));
    if (status != CM_OK)
        return status;
    bool code = (placement->kind & CM_CHAIN_CODE) != 0;
    if (code && cm_kernel_code_writer != NULL)
        cm_chain_keep_within(&shape, cm_kernel_code_writer->reach);
    cm_chain_build(chain, &shape, chase->order);
    if ((placement->kind & CM_CHAIN_THIRDS) != 0)
        memcpy(chain + sizeof(uint64_t), &(uint64_t){shape.extent}, sizeof(uint64_t));
    if (!code)
        return CM_OK;
    cm_code_chain_build(area->buffer, &shape, placement->kind);
    flush_code(area, placement);
    return protect_area(area, placement->extent, PROT_READ | PROT_EXEC, error);
}
