/* The facts of sections, and of warps and their lanes, from the description. */
#include "cat-kernels/gpu/gpu.h"

static const cm_gpu_section sections[CM_GPU_CLASSES - CM_GPU_SECTIONS] = {
#define ROW(id, name, vendors, way, mask, words) {CM_GPU_WAY_##way, mask},
    CM_GPU_SECTION_ROWS(ROW)
#undef ROW
};

const cm_gpu_section *cm_gpu_section_of(cm_gpu_class class)
{
    return class >= CM_GPU_SECTIONS && class < CM_GPU_CLASSES ? &sections[class - CM_GPU_SECTIONS] : NULL;
}

/* One warp or wavefront. */
typedef struct warp {
    unsigned lanes;
    uint64_t active; /* a bit a lane in the loop */
} warp;

static uint64_t count_lanes(uint64_t lanes)
{
    return (uint64_t)__builtin_popcountll(lanes);
}

/* The active lanes that the mask does not leave out. */
static uint64_t lanes_within(const warp *one, unsigned mask)
{
    uint64_t within = 0;
    for (unsigned lane = 0; lane < one->lanes; lane++)
        within |= (uint64_t)((lane & mask) == 0) << lane;
    return within & one->active;
}

/* Adds the facts of a section in a warp of NVIDIA's. */
static void add_of_warp(const cm_gpu_section *section, const warp *one, uint64_t *facts)
{
    const uint64_t active = count_lanes(one->active), within = count_lanes(lanes_within(one, section->mask));
    const uint64_t idle = one->lanes - active;
    switch (section->way) {
    case CM_GPU_WAY_PART:
        facts[CM_GPU_OFF_THREADS] += within;
        facts[CM_GPU_IDLE_THREADS] += within != 0 ? CM_GPU_INSIDE * (one->lanes - within) : 0;
        facts[CM_GPU_DIVERGENT_BRANCHES] += within != 0 && within != active;
        break;
    case CM_GPU_WAY_TESTED: facts[CM_GPU_IDLE_THREADS] += idle; /* fall through */
    case CM_GPU_WAY_NOT_TAKEN:
        facts[CM_GPU_OFF_THREADS] += active;
        facts[CM_GPU_IDLE_THREADS] += idle;
        break;
    default: break;
    }
    facts[CM_GPU_IDLE_THREADS] += idle;
    facts[CM_GPU_BRANCH_SLOTS] += one->lanes;
}

/* Adds the facts of a section in a wavefront; some of its lanes in the loop are always among those of the section. */
static void add_of_wavefront(const cm_gpu_section *section, const warp *one, uint64_t *facts)
{
    const uint64_t idle = one->lanes - count_lanes(lanes_within(one, section->mask));
    switch (section->way) {
    case CM_GPU_WAY_PART:
        facts[CM_GPU_IDLE_LANES] += CM_GPU_INSIDE * idle;
        facts[CM_GPU_VECTORS] += CM_GPU_INSIDE;
        facts[CM_GPU_SCALARS] += 2;
        break;
    case CM_GPU_WAY_TESTED: facts[CM_GPU_SCALARS]++; /* fall through */
    case CM_GPU_WAY_NOT_TAKEN:
        facts[CM_GPU_IDLE_LANES] += idle;
        facts[CM_GPU_VECTORS]++;
        facts[CM_GPU_BRANCH_SLOTS]++;
        break;
    case CM_GPU_WAY_TAKEN: facts[CM_GPU_BRANCH_SLOTS]++; break;
    case CM_GPU_WAY_SCALAR: facts[CM_GPU_SCALARS]++; break;
    case CM_GPU_WAY_SCALAR_LOAD: facts[CM_GPU_SCALAR_LOADS]++; break;
    default: break;
    }
}

/* Adds the facts of instructions that all lanes in the loop execute, and of those beside them. */
static void add_of_class(cm_gpu_class class, cm_gpu_vendor vendor, const warp *one, uint64_t times, uint64_t *facts)
{
    const cm_gpu_access *access = cm_gpu_access_of(class);
    const uint64_t idle = one->lanes - count_lanes(one->active);
    uint64_t instructions = 1, vectors = access == NULL;
    if (access != NULL) {
        const cm_gpu_beside beside = cm_gpu_access_beside(access, vendor);
        vectors += beside.add + beside.logic + beside.multiply;
        instructions += vectors;
    }
    if (vendor == CM_GPU_NVIDIA) {
        facts[CM_GPU_IDLE_THREADS] += times * instructions * idle;
        return;
    }
    facts[CM_GPU_VECTORS] += times * vectors;
    facts[CM_GPU_IDLE_LANES] += cm_gpu_is_matrix(class) ? 0 : times * vectors * idle;
}

/* Adds the facts of one turn by one warp or wavefront. */
static void add_warp_turn(const cm_gpu_kernel *kernel, cm_gpu_vendor vendor, const warp *one, uint64_t *facts)
{
    enum { COUNT_DOWN = 3 };
    for (size_t i = 0; i < kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &kernel->pieces[i];
        const cm_gpu_section *section = cm_gpu_section_of(piece->class);
        for (unsigned k = 0; section != NULL && k < piece->count; k++)
            (vendor == CM_GPU_NVIDIA ? add_of_warp : add_of_wavefront)(section, one, facts);
        if (section == NULL)
            add_of_class(piece->class, vendor, one, piece->count, facts);
    }
    facts[CM_GPU_BRANCH_SLOTS] += vendor == CM_GPU_NVIDIA ? one->lanes : 1;
    if (vendor == CM_GPU_NVIDIA)
        facts[CM_GPU_IDLE_THREADS] += COUNT_DOWN * (one->lanes - count_lanes(one->active));
}

/* Adds the facts of NVIDIA's branches around the loop: past it, the last turn's, and behind it. */
static void add_around(const warp *one, uint64_t *facts)
{
    const uint64_t active = count_lanes(one->active);
    facts[CM_GPU_BRANCH_SLOTS] += one->lanes + (active != 0 ? one->lanes : 0);
    facts[CM_GPU_OFF_THREADS] += 2 * active;
    facts[CM_GPU_IDLE_THREADS] += active != 0 ? one->lanes - active : 0;
    facts[CM_GPU_DIVERGENT_BRANCHES] += active != 0 && active != one->lanes;
}

void cm_gpu_lane_facts(const cm_gpu_kernel *kernel, const cm_gpu_launch *launch, cm_gpu_vendor vendor, uint64_t *facts)
{
    enum { WARP = 32, WAVEFRONT = 64 };
    warp one = {vendor == CM_GPU_NVIDIA ? WARP : WAVEFRONT, 0};
    for (unsigned first = 0; first < launch->threads; first += one.lanes) {
        uint64_t turn[CM_GPU_LANE_FACTS] = {0}, around[CM_GPU_LANE_FACTS] = {0};
        one.active = 0;
        for (unsigned lane = 0; lane < one.lanes; lane++)
            one.active |= (uint64_t)cm_gpu_enters(kernel->mask, first + lane) << lane;
        if (one.active != 0)
            add_warp_turn(kernel, vendor, &one, turn);
        if (vendor == CM_GPU_NVIDIA)
            add_around(&one, around);
        for (size_t i = 0; i < CM_GPU_LANE_FACTS; i++)
            facts[i] += launch->blocks * (launch->trips * turn[i] + around[i]);
    }
}
