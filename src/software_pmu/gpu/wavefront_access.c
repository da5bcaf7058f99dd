/* Accesses of a wavefront to memory, and the instructions beside them in the program. The values that they load are
 * not modelled. */
#include "software_pmu/gpu/device.h"

enum { ROW = 1024, QUAD = 16 };

/* Counts instructions of a class, or of none (CM_GPU_COMPUTING). */
static void count_instructions(const cm_wavefront_run *run, cm_gpu_class class, unsigned times)
{
    if (class != CM_GPU_COMPUTING) {
        run->facts[cm_fact_gpu(class)] += times;
        run->facts[cm_fact_gpu_warp(class)] += times;
    }
    run->facts[CM_FACT_GPU_INSTRUCTIONS] += times;
    run->facts[CM_FACT_GPU_WARP_INSTRUCTIONS] += times;
}

void cm_wavefront_count_vectors(const cm_wavefront_run *run, uint64_t times, uint64_t active)
{
    uint64_t *lanes = &run->facts[CM_FACT_GPU_LANES];
    lanes[CM_GPU_VECTORS] += times;
    lanes[CM_GPU_IDLE_LANES] += times * (CM_WAVEFRONT - (uint64_t)__builtin_popcountll(active));
}

static uint64_t regions_of(const cm_wavefront_access *place)
{
    return place->run->memory + CM_GPU_REGIONS_AT + (uint64_t)place->wave * CM_GPU_REGIONS;
}

void cm_wavefront_warm_up(const cm_wavefront_access *place)
{
    static const struct {
        unsigned region;
        cm_hierarchy_way way;
    } touched[] = {{0, CM_WAY_LOAD}, {1, CM_WAY_LOAD_FAR}, {2, CM_WAY_LOAD_FAR}, {3, CM_WAY_LOAD_FAR}};
    uint64_t addresses[CM_WAVEFRONT];
    unsigned lanes[CM_WAVEFRONT];
    for (size_t i = 0; i < sizeof touched / sizeof touched[0]; i++)
        for (unsigned at = 0; at < CM_GPU_REGION; at += ROW) {
            for (unsigned lane = 0; lane < place->lanes; lane++) {
                lanes[lane] = lane;
                addresses[lane] = regions_of(place) + touched[i].region * (uint64_t)CM_GPU_REGION + at + QUAD * lane;
            }
            cm_hierarchy_access(place->run->hierarchy, touched[i].way, QUAD, addresses, lanes, place->lanes,
                                place->run->facts);
        }
}

/* The way of an access through the caches, by its kind and its place. */
static cm_hierarchy_way way_of(const cm_gpu_access *access)
{
    bool shared = access->place == CM_GPU_PLACE_SHARED;
    switch (access->kind) {
    case CM_GPU_KIND_STORE: return shared ? CM_WAY_SHARED_STORE : CM_WAY_STORE;
    case CM_GPU_KIND_REDUCE: return CM_WAY_REDUCE;
    default: break;
    }
    if (shared)
        return CM_WAY_SHARED_LOAD;
    return access->place == CM_GPU_PLACE_NEAR ? CM_WAY_LOAD : CM_WAY_LOAD_FAR;
}

/* The lane's address; a stream moves on first. */
static uint64_t address_of(const cm_wavefront_access *place, const cm_gpu_access *access, unsigned shift, unsigned lane,
                           uint32_t *cursor)
{
    uint64_t distance = (uint64_t)lane * access->stride;
    switch (access->place) {
    case CM_GPU_PLACE_SHARED: return distance + shift;
    case CM_GPU_PLACE_STREAM:
        *cursor = (*cursor + CM_GPU_STREAM_STEP) & (CM_GPU_STREAM - 1);
        return place->run->memory + CM_GPU_STREAMS_AT + (uint64_t)place->wave * CM_GPU_STREAM + *cursor + distance;
    default: return regions_of(place) + cm_gpu_access_region(access) + distance + shift;
    }
}

void cm_wavefront_execute_access(const cm_wavefront_access *place, const cm_gpu_access *access, unsigned turn,
                                 uint32_t *cursors)
{
    static const cm_fact instructions[] = {[CM_WAY_LOAD] = CM_FACT_GPU_LOADS,
                                           [CM_WAY_LOAD_FAR] = CM_FACT_GPU_LOADS,
                                           [CM_WAY_STORE] = CM_FACT_GPU_STORES,
                                           [CM_WAY_REDUCE] = CM_FACT_GPU_STORES,
                                           [CM_WAY_SHARED_LOAD] = CM_FACT_GPU_SHARED_LOADS,
                                           [CM_WAY_SHARED_STORE] = CM_FACT_GPU_SHARED_STORES};
    const cm_gpu_beside beside = cm_gpu_access_beside(access, CM_GPU_AMD);
    cm_hierarchy_way way = way_of(access);
    uint64_t addresses[CM_WAVEFRONT];
    unsigned lanes[CM_WAVEFRONT], reached = 0, shift = cm_gpu_access_shift(access, turn);
    for (unsigned lane = 0; lane < place->lanes; lane++)
        if ((place->active >> lane & 1) != 0) {
            lanes[reached] = lane;
            addresses[reached++] = address_of(place, access, shift, lane, &cursors[lane]);
        }
    cm_hierarchy_access(place->run->hierarchy, way, access->bytes, addresses, lanes, reached, place->run->facts);
    place->run->facts[instructions[way]]++;
    count_instructions(place->run, CM_GPU_COMPUTING, 1);
    count_instructions(place->run, CM_GPU_INT_ADD, beside.add);
    count_instructions(place->run, CM_GPU_INT_LOGIC, beside.logic);
    count_instructions(place->run, CM_GPU_INT_MUL, beside.multiply);
    cm_wavefront_count_vectors(place->run, beside.add + beside.logic + beside.multiply, place->active);
}
