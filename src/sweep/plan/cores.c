#include "sweep/plan/benchmark.h"

#include <hwloc.h>

#include "core/system.h"
#include "counting/counting.h"

static const hwloc_obj_type_t cache_types[CM_CACHE_LEVELS] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE};

enum { LIST_SIZE = 128 };

/* CM_BAD_ARGUMENT. A list without an end has no lacking units, only none that are allowed. */
static cm_status not_allowed(const char *cpus, hwloc_const_bitmap_t lacking, hwloc_const_bitmap_t allowed,
                             cm_error *error)
{
    char missing[LIST_SIZE], offered[LIST_SIZE];
    const bool finite = hwloc_bitmap_weight(lacking) >= 0;
    hwloc_bitmap_list_snprintf(missing, sizeof missing, lacking);
    hwloc_bitmap_list_snprintf(offered, sizeof offered, allowed);
    return CM_FAIL(error, CM_BAD_ARGUMENT,
                   "processor%s %.100s: not there, or not for this program to use, expected some of %.100s",
                   hwloc_bitmap_weight(lacking) == 1 ? "" : "s", finite ? missing : cpus, offered);
}

/* Restricts `allowed` to the listed units. `all`: fails if one of these is lacking. */
static cm_status take_listed(const char *cpus, bool all, hwloc_bitmap_t allowed, hwloc_bitmap_t listed,
                             hwloc_bitmap_t lacking, cm_error *error)
{
    if (hwloc_bitmap_list_sscanf(listed, cpus) != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "'%.100s' is no list of processors, as in '0-3,8'", cpus);
    hwloc_bitmap_andnot(lacking, listed, allowed);
    if (!hwloc_bitmap_intersects(listed, allowed) || (all && hwloc_bitmap_weight(lacking) > 0))
        return not_allowed(cpus, lacking, allowed, error);
    hwloc_bitmap_and(allowed, allowed, listed);
    return CM_OK;
}

/* *left: the units of `cpus` that this process may run on. Free it in any case. */
static cm_status find_listed(hwloc_topology_t topology, const char *cpus, bool all, hwloc_bitmap_t *left,
                             cm_error *error)
{
    /* The processing units that this process may run on. */
    *left = hwloc_bitmap_alloc();
    if (*left == NULL)
        return cm_error_no_memory(error);
    if (hwloc_get_cpubind(topology, *left, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(*left, hwloc_topology_get_allowed_cpuset(topology));
    if (hwloc_bitmap_iszero(*left))
        return CM_FAIL(error, CM_UNSUPPORTED, "hwloc finds no processor that this program may use");
    if (cpus[0] == '\0')
        return CM_OK;
    hwloc_bitmap_t listed = hwloc_bitmap_alloc(), lacking = hwloc_bitmap_alloc();
    cm_status status = listed != NULL && lacking != NULL ? take_listed(cpus, all, *left, listed, lacking, error)
                                                         : cm_error_no_memory(error);
    hwloc_bitmap_free(listed);
    hwloc_bitmap_free(lacking);
    return status;
}

/* The unit that runs the process now. */
static unsigned find_here(hwloc_topology_t topology, hwloc_const_bitmap_t allowed)
{
    hwloc_bitmap_t here = hwloc_bitmap_alloc();
    int unit = -1;
    if (here != NULL && hwloc_get_last_cpu_location(topology, here, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_bitmap_and(here, here, allowed);
        unit = hwloc_bitmap_first(here);
    }
    hwloc_bitmap_free(here);
    return (unsigned)(unit >= 0 ? unit : hwloc_bitmap_first(allowed));
}

static hwloc_obj_t last_cache(hwloc_topology_t topology, unsigned unit)
{
    hwloc_obj_t at = hwloc_get_pu_obj_by_os_index(topology, unit), last = NULL;
    for (; at != NULL; at = at->parent)
        for (size_t level = 0; level < CM_CACHE_LEVELS; level++)
            if (at->type == cache_types[level])
                last = at;
    return last;
}

static hwloc_const_bitmap_t core_of(hwloc_topology_t topology, unsigned unit)
{
    hwloc_obj_t at = hwloc_get_pu_obj_by_os_index(topology, unit), core = at;
    for (; at != NULL; at = at->parent)
        if (at->type == HWLOC_OBJ_CORE)
            core = at;
    return core != NULL ? core->cpuset : NULL;
}

/* Adds a unit of every core in `from`, and removes these cores from `left`. */
static void add_cores(cm_cores *cores, hwloc_const_bitmap_t from, hwloc_bitmap_t left)
{
    for (int unit = hwloc_bitmap_first(left); unit >= 0; unit = hwloc_bitmap_next(left, unit)) {
        hwloc_const_bitmap_t core = core_of(cores->topology, (unsigned)unit);
        if (!hwloc_bitmap_isset(from, (unsigned)unit))
            continue;
        cores->units[cores->available++] = (unsigned)unit;
        if (core != NULL)
            hwloc_bitmap_andnot(left, left, core);
        hwloc_bitmap_clr(left, (unsigned)unit);
    }
}

/* Lists one unit a core: the current core, those that share its last-level cache, then the others. */
static cm_status list_cores(cm_cores *cores, hwloc_bitmap_t left, cm_error *error)
{
    cores->units = calloc((size_t)hwloc_bitmap_weight(left) + 1, sizeof *cores->units);
    hwloc_bitmap_t some = hwloc_bitmap_alloc();
    if (cores->units == NULL || some == NULL) {
        hwloc_bitmap_free(some);
        return cm_error_no_memory(error);
    }
    unsigned here = find_here(cores->topology, left);
    hwloc_obj_t cache = last_cache(cores->topology, here);
    hwloc_bitmap_only(some, here);
    add_cores(cores, some, left);
    if (cache != NULL)
        add_cores(cores, cache->cpuset, left);
    cores->sharing = cores->available;
    hwloc_bitmap_copy(some, left);
    add_cores(cores, some, left);
    hwloc_bitmap_free(some);
    return CM_OK;
}

/* Lists the cores and takes the `wanted` first ones. */
static cm_status choose_cores(hwloc_topology_t topology, const char *cpus, bool all, size_t wanted, cm_cores *cores,
                              cm_error *error)
{
    hwloc_bitmap_t left = NULL;
    *cores = (cm_cores){.topology = topology};
    cm_status status = find_listed(topology, cpus, all, &left, error);
    CM_THEN(status, list_cores(cores, left, error));
    hwloc_bitmap_free(left);
    if (status != CM_OK)
        return status;
    if (wanted > cores->available)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a team of %zu needs as many cores, this program may use %zu", wanted,
                       cores->available);
    cores->count = wanted != 0 ? wanted : cores->sharing;
    return CM_OK;
}

/* Loads this machine's topology, with its instruction caches. */
static cm_status load_topology(hwloc_topology_t *topology, cm_error *error)
{
    if (hwloc_topology_init(topology) != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "hwloc cannot be started: %s", strerror(errno));
    hwloc_topology_set_icache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(*topology) == 0)
        return CM_OK;
    int reason = errno;
    hwloc_topology_destroy(*topology);
    return CM_FAIL(error, CM_UNSUPPORTED, "hwloc cannot read this machine's topology: %s", strerror(reason));
}

cm_status cm_cores_find(const char *cpus, size_t wanted, cm_cores *cores, cm_error *error)
{
    hwloc_topology_t topology = NULL;
    *cores = (cm_cores){0};
    cm_status status = load_topology(&topology, error);
    return status == CM_OK ? choose_cores(topology, cpus, false, wanted, cores, error) : status;
}

cm_status cm_cores_find_all(const char *cpus, cm_cores *cores, cm_error *error)
{
    hwloc_topology_t topology = NULL;
    *cores = (cm_cores){0};
    cm_status status = load_topology(&topology, error);
    return status == CM_OK ? choose_cores(topology, cpus, true, 0, cores, error) : status;
}

cm_status cm_cores_choose(void *topology, const char *cpus, size_t wanted, cm_cores *cores, cm_error *error)
{
    return choose_cores(topology, cpus, false, wanted, cores, error);
}

void cm_cores_clear(cm_cores *cores)
{
    if (cores->topology != NULL)
        hwloc_topology_destroy(cores->topology);
    free(cores->units);
    *cores = (cm_cores){0};
}

cm_status cm_cores_bind(size_t core, const void *data, cm_error *error)
{
    const cm_cores *cores = data;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (set == NULL)
        return cm_error_no_memory(error);
    hwloc_bitmap_only(set, cores->units[core]);
    int bound = hwloc_set_cpubind(cores->topology, set, HWLOC_CPUBIND_PROCESS | HWLOC_CPUBIND_STRICT);
    int reason = errno;
    hwloc_bitmap_free(set);
    if (bound != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "member %zu of the team cannot be bound to processing unit %u: %s", core,
                       cores->units[core], strerror(reason));
    return CM_OK;
}

void cm_cores_geometry(const cm_cores *cores, cm_geometry *geometry)
{
    *geometry = (cm_geometry){.line = 64, .page = (size_t)sysconf(_SC_PAGESIZE)};
    hwloc_obj_t at = hwloc_get_pu_obj_by_os_index(cores->topology, cores->units[0]);
    for (; at != NULL; at = at->parent)
        for (size_t level = 0; level < CM_CACHE_LEVELS; level++) {
            if (at->type != cache_types[level])
                continue;
            geometry->caches[level] = (size_t)at->attr->cache.size;
            if (level == 0 && at->attr->cache.linesize != 0)
                geometry->line = at->attr->cache.linesize;
        }
    at = hwloc_get_pu_obj_by_os_index(cores->topology, cores->units[0]);
    for (; at != NULL; at = at->parent)
        if (at->type == HWLOC_OBJ_L1ICACHE)
            geometry->code_cache = (size_t)at->attr->cache.size;
    geometry->sharers = cores->count < cores->sharing ? cores->count : cores->sharing;
    cm_tlb_sizes tlbs;
    cm_tlb_sizes_read(&tlbs);
    geometry->data_tlb = tlbs.data;
    geometry->code_tlb = tlbs.code;
    geometry->second_data_tlb = tlbs.second_data;
    geometry->second_code_tlb = tlbs.second_code;
    geometry->huge_page = cm_huge_page_size();
    geometry->data_tlb_huge = tlbs.data_huge;
    geometry->second_data_tlb_huge = tlbs.second_data_huge;
}
