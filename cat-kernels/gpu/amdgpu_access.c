/* AMDGPU assembly of accesses to memory. Scalar registers hold the beginnings of the wavefront's regions, vector
 * registers each lane's distance from them, by stride; shared memory has the same distances. */
#include <string.h>

#include "cat-kernels/gpu/amdgpu.h"

#define WAVE "s28"
#define ZERO "v167"
#define CURSOR "v164"
#define FLOW "v165"
#define LINK "v166"

static const struct distance {
    unsigned stride, vector;
} distances[] = {{0, 156}, {4, 157}, {8, 158}, {16, 159}, {32, 160}, {128, 161}};
enum { DISTANCES = sizeof distances / sizeof distances[0], NEAR_CHASE = 162, FAR_CHASE = 163, QUAD = 159, ROW = 1024 };

/* Scalar registers of the regions, in their order: for near and far loads, stores, reductions; and of the stream. */
enum { REGIONS = 18, STREAM = 26, STREAM_DISTANCE = 165 };

static unsigned distance_of(unsigned stride)
{
    size_t at = 0;
    while (distances[at].stride != stride)
        at++;
    return distances[at].vector;
}

/* "glc" on gfx90a, "sc1" on gfx942: the load goes past L1. */
static const char *past_l1(const char *target)
{
    return strcmp(target, "gfx942") == 0 ? " sc1" : " glc";
}

/* Sets s[to:to+1] to s[from:from+1] plus `more`, a register or a number. */
static void add_wide(FILE *stream, unsigned to, unsigned from, const char *more)
{
    fprintf(stream, "    s_add_u32 s%u, s%u, %s\n    s_addc_u32 s%u, s%u, 0\n", to, from, more, to + 1, from + 1);
}

void cm_gpu_amdgpu_find_regions(FILE *stream)
{
    char number[16];
    enum { MEMORY_AT = 6, SHIFT_REGIONS = 16, SHIFT_STREAM = 25 };
    _Static_assert(CM_GPU_REGIONS == 1 << SHIFT_REGIONS && CM_GPU_STREAM == 1 << SHIFT_STREAM, "powers of two");
    fprintf(stream,
            "    v_lshrrev_b32 v3, 6, v1\n    v_readfirstlane_b32 " WAVE ", v3\n"
            "    s_lshl_b32 s29, " WAVE ", %d\n    s_lshl_b32 " WAVE ", " WAVE ", %d\n",
            SHIFT_REGIONS, SHIFT_STREAM);
    snprintf(number, sizeof number, "0x%x", CM_GPU_REGIONS_AT);
    add_wide(stream, REGIONS, MEMORY_AT, "s29");
    add_wide(stream, REGIONS, REGIONS, number);
    snprintf(number, sizeof number, "0x%x", CM_GPU_REGION);
    for (unsigned i = 1; i < 4; i++)
        add_wide(stream, REGIONS + 2 * i, REGIONS + 2 * i - 2, number);
    snprintf(number, sizeof number, "0x%x", CM_GPU_STREAMS_AT);
    add_wide(stream, STREAM, MEMORY_AT, WAVE);
    add_wide(stream, STREAM, STREAM, number);
    fputs("    v_and_b32 v3, 63, v0\n", stream);
    for (size_t i = 0; i < DISTANCES; i++)
        fprintf(stream, "    v_mul_u32_u24 v%u, 0x%x, v3\n", distances[i].vector, distances[i].stride);
    fprintf(stream, "    v_mov_b32 v%u, v157\n    v_mov_b32 v%u, v157\n", NEAR_CHASE, FAR_CHASE);
}

/* Loads a region, 16 bytes a lane. */
static void touch_amd_region(FILE *stream, unsigned region, const char *past)
{
    enum { MOST_OFFSET = 4096 };
    fprintf(stream, "    v_add_u32 " FLOW ", 0x%x, v%u\n", MOST_OFFSET, QUAD);
    for (unsigned at = 0; at < CM_GPU_REGION; at += ROW)
        fprintf(stream, "    global_load_dwordx4 v[168:171], v%u, s[%u:%u] offset:%u%s\n",
                at < MOST_OFFSET ? QUAD : 165, REGIONS + 2 * region, REGIONS + 2 * region + 1, at % MOST_OFFSET, past);
}

void cm_gpu_amdgpu_before_accesses(const char *target, FILE *stream)
{
    fprintf(stream,
            "    global_load_dword " ZERO ", v156, " CM_GPU_AMDGPU_MEMORY "\n    global_load_dword " CURSOR
            ", v1, " CM_GPU_AMDGPU_MEMORY " offset:%d\n",
            CM_GPU_CURSOR_AT);
    touch_amd_region(stream, 0, "");
    touch_amd_region(stream, 1, past_l1(target));
    touch_amd_region(stream, 2, past_l1(target));
    touch_amd_region(stream, 3, past_l1(target));
}

void cm_gpu_amdgpu_after_accesses(FILE *stream)
{
    fprintf(stream, "    global_store_dword v1, " CURSOR ", " CM_GPU_AMDGPU_MEMORY " offset:%d\n", CM_GPU_CURSOR_AT);
}

/* ---- the loop ---- */

static const struct amd_width {
    unsigned bytes;
    const char *global, *shared, *registers;
} amd_widths[] = {{4, "", "32", "v168"}, {8, "x2", "64", "v[168:169]"}, {16, "x4", "128", "v[168:171]"}};

static void move_amd_stream(FILE *stream, unsigned stride)
{
    fprintf(stream,
            "    v_add_u32 " CURSOR ", 0x%x, " CURSOR "\n    v_and_b32 " CURSOR ", 0x%x, " CURSOR "\n"
            "    v_add_u32 " FLOW ", " CURSOR ", v%u\n",
            CM_GPU_STREAM_STEP, CM_GPU_STREAM - 1, distance_of(stride));
}

static void put_shared(const cm_gpu_access *access, const struct amd_width *width, unsigned shift, FILE *stream)
{
    if (access->kind == CM_GPU_KIND_STORE)
        fprintf(stream, "    ds_write_b%s v%u, %s offset:%u\n", width->shared, distance_of(access->stride),
                width->registers, shift);
    else
        fprintf(stream, "    ds_read_b%s %s, v%u offset:%u\n", width->shared, width->registers,
                distance_of(access->stride), shift);
}

/* Loads a link, waits for it, and finds the next one. */
static void put_amd_chase(const cm_gpu_access *access, unsigned shift, const char *target, FILE *stream)
{
    bool flows = access->place == CM_GPU_PLACE_STREAM, far = access->place == CM_GPU_PLACE_FAR;
    unsigned at = far ? FAR_CHASE : NEAR_CHASE, region = flows ? STREAM : REGIONS + 2 * far;
    char address[8], next[8];
    snprintf(address, sizeof address, "v%u", flows ? 165 : at);
    snprintf(next, sizeof next, "v%u", flows ? 164 : at);
    if (flows)
        move_amd_stream(stream, access->stride);
    fprintf(stream,
            "    global_load_dword " LINK ", %s, s[%u:%u] offset:%u%s\n    s_waitcnt vmcnt(0)\n"
            "    v_and_b32 " LINK ", " LINK ", " ZERO "\n    v_add_u32 %s, %s, " LINK "\n",
            address, region, region + 1, flows ? 0 : shift, flows || far ? past_l1(target) : "", next, next);
}

void cm_gpu_amdgpu_access(const cm_gpu_access *access, unsigned turn, const char *target, FILE *stream)
{
    const struct amd_width *width = amd_widths;
    bool flows = access->place == CM_GPU_PLACE_STREAM, far = flows || access->place == CM_GPU_PLACE_FAR;
    unsigned shift = cm_gpu_access_shift(access, turn);
    unsigned distance = flows ? STREAM_DISTANCE : distance_of(access->stride), offset = flows ? 0 : shift;
    unsigned region = flows ? STREAM : REGIONS + 2 * (cm_gpu_access_region(access) / CM_GPU_REGION);
    while (width->bytes != access->bytes)
        width++;
    if (access->place == CM_GPU_PLACE_SHARED) {
        put_shared(access, width, shift, stream);
        return;
    }
    if (flows && access->kind != CM_GPU_KIND_CHASE)
        move_amd_stream(stream, access->stride);
    switch (access->kind) {
    case CM_GPU_KIND_CHASE: put_amd_chase(access, shift, target, stream); break;
    case CM_GPU_KIND_STORE:
        fprintf(stream, "    global_store_dword%s v%u, %s, s[%u:%u] offset:%u\n", width->global, distance,
                width->registers, region, region + 1, offset);
        break;
    case CM_GPU_KIND_REDUCE:
        fprintf(stream, "    global_atomic_add v%u, v168, s[%u:%u] offset:%u\n", distance, region, region + 1, shift);
        break;
    case CM_GPU_KIND_LOAD:
        fprintf(stream, "    global_load_dword%s %s, v%u, s[%u:%u] offset:%u%s\n", width->global, width->registers,
                distance, region, region + 1, offset, far ? past_l1(target) : "");
    }
}
