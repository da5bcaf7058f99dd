#include "sweep/plan/placement.h"

#include <math.h>

#include "core/error.h"

static const char *const level_names[] = {"L1", "L2", "L3", "memory"};

enum { MEMORY = CM_CACHE_LEVELS, BLOCK_PAGES = 16 };

/* How clear of the borders: a level's chains begin at FROM times the level below it, where nothing of a cycle survives
 * in that one (LRU keeps nothing from 1 on, pseudo-LRU and hashed sets need more), and end at TO times its own size,
 * which leaves room for what else is there. */
static const double FROM = 2.0, TO = 0.625, L1_FROM = 0.125, MEMORY_TO = 2.0;

void cm_model_geometry(const cm_pmu_machine *machine, cm_geometry *geometry)
{
    *geometry = (cm_geometry){(size_t)machine->line_size,
                              (size_t)machine->page_size,
                              {(size_t)machine->l1d_size, (size_t)machine->l2_size, (size_t)machine->l3_size},
                              1};
}

/* Bytes of the level that one member of the team may fill. */
static double share(const cm_geometry *geometry, size_t level)
{
    size_t last = CM_CACHE_LEVELS;
    while (last > 0 && geometry->caches[last - 1] == 0)
        last--;
    double size = (double)geometry->caches[level];
    return level + 1 == last && geometry->sharers > 1 ? size / (double)geometry->sharers : size;
}

/* The largest cache below `level`, whole: what the team as one could keep there. */
static double below(const cm_geometry *geometry, size_t level)
{
    while (level > 0 && geometry->caches[level - 1] == 0)
        level--;
    return level > 0 ? (double)geometry->caches[level - 1] : 0.0;
}

static cm_status borders(const cm_geometry *geometry, size_t level, double *from, double *to, cm_error *error)
{
    if (level < MEMORY && geometry->caches[level] == 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "this machine has no %s cache", level_names[level]);
    *from = FROM * below(geometry, level);
    *to = level < MEMORY ? TO * share(geometry, level) : MEMORY_TO * *from;
    if (level == 0)
        *from = L1_FROM * *to / TO;
    if (*from <= 0.0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the cache sizes of this machine are not known");
    if (*from > *to)
        return cm_error_set(
            error, CM_UNSUPPORTED, NULL, 0, 0,
            "no buffer fits: it needs at least %.0f KiB, %g times the cache below, and at most %.0f KiB, %g of %s%s",
            *from / 1024, FROM, *to / 1024, TO, level_names[level],
            geometry->sharers > 1 && level > 0 ? " divided by the threads" : "");
    return CM_OK;
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
    /* Up to a multiple at the lower border, down to one above it. */
    size_t elements = (size_t)(index % half == 0 ? ceil(size / (double)stride) : floor(size / (double)stride));
    size_t extent = (elements > 0 ? elements : 1) * stride;
    if (extent > max_buffer)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                            "a chain in %s needs a buffer of %.0f KiB, the limit is %.0f KiB (--max-buffer)",
                            level_names[level], ceil((double)extent / 0x1p10), (double)max_buffer / 0x1p10);
    size_t block = BLOCK_PAGES * (geometry->page > stride ? geometry->page / stride * stride : stride);
    *placement = (cm_placement){extent, stride, block};
    return CM_OK;
}
