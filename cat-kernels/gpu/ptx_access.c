/* PTX of accesses to memory. */
#include "cat-kernels/gpu/gpu.h"

static const unsigned strides[] = {0, 4, 8, 16, 32, 128};
enum { STRIDES = sizeof strides / sizeof strides[0], WARP_LANES = 32, QUAD_BYTES = 16 };

/* Finds the warp's regions and stream, and each lane's address in them, by stride. */
static void find_regions(FILE *to)
{
    fprintf(to,
            "\tand.b32 %%lane, %%number, %d;\n\tshr.u32 %%warp, %%number, 5;\n"
            "\tmad.wide.u32 %%regions, %%warp, %d, %%memory;\n\tadd.s64 %%regions, %%regions, %d;\n"
            "\tmad.wide.u32 %%streams, %%warp, %d, %%memory;\n\tadd.s64 %%streams, %%streams, %d;\n"
            "\tmov.u32 %%tile, tile;\n",
            WARP_LANES - 1, CM_GPU_REGIONS, CM_GPU_REGIONS_AT, CM_GPU_STREAM, CM_GPU_STREAMS_AT);
    for (size_t i = 0; i < STRIDES; i++)
        fprintf(to,
                "\tmad.wide.u32 %%by%u, %%lane, %u, %%regions;\n\tmad.wide.u32 %%flow%u, %%lane, %u, %%streams;\n"
                "\tmad.lo.s32 %%tile%u, %%lane, %u, %%tile;\n",
                strides[i], strides[i], strides[i], strides[i], strides[i], strides[i]);
    fprintf(to, "\tadd.s64 %%chase, %%by4, 0;\n\tadd.s64 %%far_chase, %%by4, %d;\n", CM_GPU_REGION);
}

/* Loads a region, by all lanes, 16 bytes each. */
static void touch_ptx_region(FILE *to, const char *load, unsigned region)
{
    for (unsigned at = 0; at < CM_GPU_REGION; at += WARP_LANES * QUAD_BYTES)
        fprintf(to, "\t%s {%%q0, %%q1, %%q2, %%q3}, [%%by16+%u];\n\txor.b32 %%sum, %%sum, %%q0;\n", load, region + at);
}

void cm_gpu_ptx_before_accesses(FILE *to)
{
    static const char far[] = "ld.global.cg.v4.b32";
    fputs("\t.reg .b64 %regions, %streams, %chase, %far_chase, %flow;\n", to);
    fputs("\t.reg .b32 %lane, %warp, %tile, %cursor, %zero, %link, %sum, %q<4>;\n", to);
    for (size_t i = 0; i < STRIDES; i++)
        fprintf(to, "\t.reg .b64 %%by%u, %%flow%u;\n\t.reg .b32 %%tile%u;\n", strides[i], strides[i], strides[i]);
    find_regions(to);
    fprintf(to, "\tld.global.b32 %%zero, [%%memory+0];\n\tld.global.b32 %%cursor, [%%mine+%d];\n\tmov.u32 %%sum, 0;\n",
            CM_GPU_CURSOR_AT);
    touch_ptx_region(to, "ld.global.v4.b32", 0);
    touch_ptx_region(to, far, CM_GPU_REGION);
    touch_ptx_region(to, far, 2 * CM_GPU_REGION);
    touch_ptx_region(to, far, 3 * CM_GPU_REGION);
}

void cm_gpu_ptx_after_accesses(FILE *to)
{
    fprintf(to,
            "\txor.b32 %%sum, %%sum, %%zero;\n\tst.global.b32 [%%mine+%d], %%cursor;\n\tst.global.b32 [%%mine+%d], "
            "%%sum;\n",
            CM_GPU_CURSOR_AT, CM_GPU_CURSOR_AT + 8);
}

/* The address of an access that is no chase, within brackets. */
static void put_address(FILE *to, const cm_gpu_access *access, unsigned shift)
{
    switch (access->place) {
    case CM_GPU_PLACE_SHARED: fprintf(to, "[%%tile%u+%u]", access->stride, shift); break;
    case CM_GPU_PLACE_STREAM: fputs("[%flow]", to); break;
    default: fprintf(to, "[%%by%u+%u]", access->stride, cm_gpu_access_region(access) + shift);
    }
}

/* Moves the stream on, and finds the lane's address in it. */
static void move_ptx_stream(FILE *to, unsigned stride)
{
    fprintf(to,
            "\tadd.s32 %%cursor, %%cursor, %d;\n\tand.b32 %%cursor, %%cursor, %d;\n"
            "\tmad.wide.u32 %%flow, %%cursor, 1, %%flow%u;\n",
            CM_GPU_STREAM_STEP, CM_GPU_STREAM - 1, stride);
}

/* A load whose address depends on the load before. */
static void put_ptx_chase(FILE *to, const cm_gpu_access *access, unsigned shift)
{
    bool far = access->place != CM_GPU_PLACE_NEAR;
    if (access->place == CM_GPU_PLACE_STREAM) {
        move_ptx_stream(to, access->stride);
        fputs(
            "\tld.global.cg.b32 %link, [%flow];\n\tand.b32 %link, %link, %zero;\n\tadd.s32 %cursor, %cursor, %link;\n",
            to);
        return;
    }
    const char *chase = far ? "far_chase" : "chase";
    fprintf(to,
            "\tld.global%s.b32 %%link, [%%%s+%u];\n\tand.b32 %%link, %%link, %%zero;\n"
            "\tmad.wide.u32 %%%s, %%link, 1, %%%s;\n",
            far ? ".cg" : "", chase, shift, chase, chase);
}

/* ".v4" and the registers of as many bytes. */
static const struct ptx_width {
    unsigned bytes;
    const char *vector, *loaded, *stored;
} ptx_widths[] = {{4, "", "%q0", "%sum"},
                  {8, ".v2", "{%q0, %q1}", "{%sum, %sum}"},
                  {16, ".v4", "{%q0, %q1, %q2, %q3}", "{%sum, %sum, %sum, %sum}"}};

void cm_gpu_ptx_access(FILE *to, const cm_gpu_access *access, unsigned turn)
{
    const struct ptx_width *width = ptx_widths;
    const char *space = access->place == CM_GPU_PLACE_SHARED ? "shared" : "global";
    bool far = access->place == CM_GPU_PLACE_FAR || access->place == CM_GPU_PLACE_STREAM;
    unsigned shift = cm_gpu_access_shift(access, turn);
    while (width->bytes != access->bytes)
        width++;
    if (access->place == CM_GPU_PLACE_STREAM && access->kind != CM_GPU_KIND_CHASE)
        move_ptx_stream(to, access->stride);
    switch (access->kind) {
    case CM_GPU_KIND_CHASE: put_ptx_chase(to, access, shift); return;
    case CM_GPU_KIND_REDUCE: fputs("\tred.global.add.u32 ", to); break;
    case CM_GPU_KIND_STORE: fprintf(to, "\tst.%s%s.b32 ", space, width->vector); break;
    case CM_GPU_KIND_LOAD: fprintf(to, "\tld.%s%s%s.b32 %s, ", space, far ? ".cg" : "", width->vector, width->loaded);
    }
    put_address(to, access, shift);
    if (access->kind == CM_GPU_KIND_LOAD)
        fputs(";\n\txor.b32 %sum, %sum, %q0;\n", to);
    else
        fprintf(to, ", %s;\n", access->kind == CM_GPU_KIND_REDUCE ? "%lane" : width->stored);
}
