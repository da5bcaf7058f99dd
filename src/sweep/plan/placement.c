/* Sizes of the chains that measure each level of caches. */
#include "sweep/plan/benchmark.h"

static const char *const level_names[] = {"L1", "L2", "L3", "memory"};

/* CHAINS: positions in a level; not all of them have a kernel. */
enum { MEMORY = CM_CACHE_LEVELS, BLOCK_PAGES = 16, CHAINS = 6, WIDE_LINES = 8 };

/* Distances from the borders: a level's chains begin at FROM times the level below, which then keeps nothing of a cycle
 * (with LRU 1 is enough, pseudo-LRU and hashed sets need more), and end at TO times its own size, which leaves space
 * for other data. HELD: how much of a TLB lines' pages may take, which follow each other and so fill its sets evenly.
 */
static const double FROM = 2.0, TO = 0.625, HELD = 0.75, L1_FROM = 0.125, MEMORY_TO = 2.0;

void cm_model_geometry(const cm_pmu_machine *machine, cm_geometry *geometry)
{
    *geometry = (cm_geometry){
        .line = (size_t)machine->line_size,
        .page = (size_t)machine->page_size,
        .caches = {(size_t)machine->l1d_size, (size_t)machine->l2_size, (size_t)machine->l3_size},
        .sharers = 1,
        .code_cache = (size_t)machine->l1i_size,
        .data_tlb = machine->dtlb_entries,
        .code_tlb = machine->itlb_entries,
        .second_data_tlb = machine->stlb_entries,
        .second_code_tlb = machine->istlb_entries != 0 ? machine->istlb_entries : machine->stlb_entries,
        .huge_page = (size_t)machine->huge_page_size,
        .data_tlb_huge = machine->dtlb_huge_entries != 0 ? machine->dtlb_huge_entries : machine->dtlb_entries,
        .second_data_tlb_huge = machine->stlb_entries,
    };
}

size_t cm_geometry_levels(const cm_geometry *geometry)
{
    size_t levels = 0;
    while (levels < CM_CACHE_LEVELS && geometry->caches[levels] != 0)
        levels++;
    for (size_t i = levels; i < CM_CACHE_LEVELS; i++)
        if (geometry->caches[i] != 0) /* an unknown cache is skipped */
            return 0;
    return levels;
}

/* Bytes of the level that one member of the team may fill. */
static double share_of(const cm_geometry *geometry, size_t level)
{
    size_t last = CM_CACHE_LEVELS;
    while (last > 0 && geometry->caches[last - 1] == 0)
        last--;
    double size = (double)geometry->caches[level];
    return level + 1 == last && geometry->sharers > 1 ? size / (double)geometry->sharers : size;
}

/* The largest cache below `level`, undivided: the team together could fill it. */
static double below(const cm_geometry *geometry, size_t level)
{
    while (level > 0 && geometry->caches[level - 1] == 0)
        level--;
    return level > 0 ? (double)geometry->caches[level - 1] : 0.0;
}

/* The smallest and largest size of a level's buffers; CM_UNSUPPORTED if there is none between. */
static cm_status borders(const cm_geometry *geometry, size_t level, double *from, double *to, cm_error *error)
{
    if (level < MEMORY && geometry->caches[level] == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "this machine has no %s cache", level_names[level]);
    *from = FROM * below(geometry, level);
    *to = level < MEMORY ? TO * share_of(geometry, level) : MEMORY_TO * *from;
    if (level == 0)
        *from = L1_FROM * *to / TO;
    if (*from <= 0.0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the cache sizes of this machine are not known");
    if (*from > *to)
        return CM_FAIL(
            error, CM_UNSUPPORTED,
            "no buffer fits: it needs at least %.0f KiB, %g times the cache below, and at most %.0f KiB, %g of %s%s",
            *from / 1024, FROM, *to / 1024, TO, level_names[level],
            geometry->sharers > 1 && level > 0 ? " divided by the threads" : "");
    return CM_OK;
}

static cm_status refuse_buffer(const char *place, size_t extent, size_t max_buffer, cm_error *error)
{
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "a chain in %s needs a buffer of %.0f KiB, the limit is %.0f KiB (--max-buffer)", place,
                   ceil((double)extent / 0x1p10), (double)max_buffer / 0x1p10);
}

cm_status cm_place_chain(const cm_geometry *geometry, size_t level, size_t index, size_t count, size_t max_buffer,
                         cm_placement *placement, cm_error *error)
{
    double from = 0.0, to = 0.0;
    cm_status status = borders(geometry, level, &from, &to, error);
    if (status != CM_OK)
        return status;
    size_t half = count / 2 > 0 ? count / 2 : 1;
    size_t stride = geometry->line * (index >= half ? 2 : 1);
    double part = half > 1 ? (double)(index % half) / (double)(half - 1) : 0.0;
    double size = from * pow(to / from, part);
    /* Round up to a multiple at the lower border, and down above it. */
    size_t elements = (size_t)(index % half == 0 ? ceil(size / (double)stride) : floor(size / (double)stride));
    size_t extent = (elements > 0 ? elements : 1) * stride;
    if (extent > max_buffer)
        return refuse_buffer(level_names[level], extent, max_buffer, error);
    size_t block = BLOCK_PAGES * (geometry->page > stride ? geometry->page / stride * stride : stride);
    *placement = (cm_placement){extent, stride, block, 0};
    return CM_OK;
}

/* Shorter code may stay decoded, so that it is not fetched again. */
enum { MOST_DECODED = 128 };

/* The TLBs that a chain of pages fills. */
typedef struct tlb_pair {
    const char *name;
    size_t first, second; /* entries */
} tlb_pair;

static tlb_pair tlbs_of(const cm_geometry *geometry, const cm_kernel *kernel)
{
    if ((kernel->chain & CM_CHAIN_CODE) != 0)
        return (tlb_pair){"instruction TLB", geometry->code_tlb, geometry->second_code_tlb};
    if ((kernel->chain & CM_CHAIN_HUGE) != 0)
        return (tlb_pair){"data TLB for huge pages", geometry->data_tlb_huge, geometry->second_data_tlb_huge};
    return (tlb_pair){"data TLB", geometry->data_tlb, geometry->second_data_tlb};
}

/* Pages of a chain: half of the first TLB's entries; twice these to miss it, if the second TLB holds as many with space
 * to spare; twice the second's entries to miss that, too. At least so many that one line of each leaves the first-level
 * cache. */
static cm_status count_pages(const cm_geometry *geometry, const cm_kernel *kernel, size_t *pages, cm_error *error)
{
    const tlb_pair tlbs = tlbs_of(geometry, kernel);
    size_t first = tlbs.first, second = tlbs.second;
    if (first == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the size of this machine's %s is not known", tlbs.name);
    if (kernel->level == 2 && FROM * (double)first > TO * (double)second)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "a second TLB of %zu entries behind the %s of %zu leaves no room for pages in it alone", second,
                       tlbs.name, first);
    *pages = kernel->level == 1 ? first / 2 : 2 * (kernel->level == 3 && second > first ? second : first);
    bool code = (kernel->chain & CM_CHAIN_CODE) != 0;
    if (code && kernel->level > 1 && *pages < MOST_DECODED)
        *pages = MOST_DECODED;
    size_t cache = code ? geometry->code_cache : geometry->caches[0], leaving = (size_t)FROM * cache / geometry->line;
    if (kernel->level == 3 && *pages < leaving)
        *pages = leaving;
    return CM_OK;
}

/* Spreads the lines of a chain of pages so that one cache has them all: every second, fourth ... line, which leaves the
 * others of its sets idle, or more pages, if each takes a walk anyway. */
static cm_status spread_lines(const cm_geometry *geometry, const cm_kernel *kernel, size_t cache, size_t *pages,
                              size_t *lines, cm_error *error)
{
    cm_geometry seen = *geometry;
    if ((kernel->chain & CM_CHAIN_CODE) != 0)
        seen.caches[0] = seen.code_cache;
    double from = 0.0, to = 0.0;
    cm_status status = borders(&seen, cache, &from, &to, error);
    if (status != CM_OK)
        return status;
    size_t wider = *lines;
    while ((double)(*pages * wider * seen.line) < from)
        wider *= 2;
    if ((double)(*pages * wider * seen.line) <= to)
        *lines = wider;
    else if (kernel->level == 3 && (double)(*pages * *lines * seen.line) < from)
        *pages = (size_t)ceil(from / (double)(*lines * seen.line));
    if ((double)(*pages * *lines * seen.line) >= from && (double)(*pages * *lines * seen.line) <= to)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "the lines of %zu pages are more than %g of %s, which has to hold them",
                   *pages, TO, level_names[cache]);
}

/* Steps of a page and a line spread the lines over the sets of the caches. Accesses that cross lines do so in the
 * middle of two lines beyond a page, and so cross no page. */
static cm_status place_pages(const cm_geometry *geometry, const cm_kernel *kernel, size_t max_buffer,
                             cm_placement *placement, cm_error *error)
{
    bool huge = (kernel->chain & CM_CHAIN_HUGE) != 0;
    size_t lines = (kernel->chain & CM_CHAIN_SPLIT) != 0 ? 2 : 1, pages = 0;
    size_t cache = kernel->chain & CM_CHAIN_PLACE; /* 0: whichever has the lines */
    if (huge && geometry->huge_page == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "this machine has no huge pages");
    cm_status status = count_pages(geometry, kernel, &pages, error);
    if (status == CM_OK && cache != 0)
        status = spread_lines(geometry, kernel, cache, &pages, &lines, error);
    if (status != CM_OK)
        return status;
    size_t stride = (huge ? geometry->huge_page : geometry->page) + lines * geometry->line;
    if (pages * stride > max_buffer && (kernel->chain & CM_CHAIN_ZEROS) == 0)
        return refuse_buffer(huge ? "huge pages" : "pages", pages * stride, max_buffer, error);
    *placement = (cm_placement){pages * stride, stride, pages * stride, kernel->chain};
    return CM_OK;
}

/* Checks the line size: kernels store beside elements, pieces of code have up to 64 bytes, and straight ones fill a
 * line. */
static cm_status check_lines(const cm_geometry *geometry, const cm_kernel *kernel, cm_error *error)
{
    enum { SHORTEST = 64, LONGEST = 256, PIECE = 64 };
    if (geometry->line < SHORTEST || geometry->line > LONGEST)
        return CM_FAIL(error, CM_UNSUPPORTED, "chains are for lines of %d to %d bytes, and this machine's have %zu",
                       SHORTEST, LONGEST, geometry->line);
    if ((kernel->chain & CM_CHAIN_STRAIGHT) != 0 && geometry->line != PIECE)
        return CM_FAIL(error, CM_UNSUPPORTED, "its code fills lines of %d bytes, and this machine's have %zu", PIECE,
                       geometry->line);
    return CM_OK;
}

/* An error unless the first TLB, or beyond the second cache the second, holds a chain of lines with space to spare. */
static cm_status check_held(const cm_geometry *geometry, const cm_kernel *kernel, const cm_placement *placement,
                            cm_error *error)
{
    const tlb_pair tlbs = tlbs_of(geometry, kernel);
    size_t entries = kernel->level > 2 && tlbs.second > 0 ? tlbs.second : tlbs.first;
    size_t pages = (placement->extent + geometry->page - 1) / geometry->page;
    if ((double)pages <= HELD * (double)entries)
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "its %zu pages are more than %g of the %s, which holds %zu", pages, HELD,
                   tlbs.name, entries);
}

cm_status cm_place_kernel(const cm_geometry *geometry, const cm_kernel *kernel, size_t max_buffer,
                          cm_placement *placement, cm_error *error)
{
    cm_geometry seen = *geometry;
    cm_status status = check_lines(geometry, kernel, error);
    if (status != CM_OK)
        return status;
    if ((kernel->chain & CM_CHAIN_PAGES) != 0)
        return place_pages(geometry, kernel, max_buffer, placement, error);
    if ((kernel->chain & CM_CHAIN_CODE) != 0)
        seen.caches[0] = seen.code_cache;
    if (seen.caches[0] == 0 && (kernel->chain & CM_CHAIN_CODE) != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "this machine has no first-level cache of instructions that is known");
    status =
        cm_place_chain(&seen, kernel->level - 1, kernel->chain & CM_CHAIN_PLACE, CHAINS, max_buffer, placement, error);
    placement->kind = kernel->chain;
    if (status == CM_OK && (kernel->chain & CM_CHAIN_WIDE) != 0) {
        placement->stride = WIDE_LINES * geometry->line;
        placement->extent -= placement->extent % placement->stride;
        placement->block -= placement->block % placement->stride;
    }
    if (status == CM_OK && (kernel->chain & CM_CHAIN_RUNS) != 0)
        placement->block = placement->extent;
    return status == CM_OK && (kernel->chain & CM_CHAIN_HELD) != 0 ? check_held(geometry, kernel, placement, error)
                                                                   : status;
}
