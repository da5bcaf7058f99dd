/* PTX around products of groups of warps (wgmma). Source of the matrices' places and of their descriptions: NVIDIA,
 * "Parallel Thread Execution ISA", wgmma: without swizzling a matrix consists of cores of 8 rows of 16 bytes each. */
#include <inttypes.h>

#include "cat-kernels/gpu/gpu.h"

enum { GROUP_LANES = 32, CORE = 128, LEFT = 2048 /* bytes of A, 64 rows of two cores; B has up to 16 */ };

/* The next core of the same rows follows at once, that of the next rows after both. */
static void describe_matrix(FILE *to, const char *type, char matrix, size_t at)
{
    const uint64_t first = at >> 4, beside = CORE >> 4, below = 2 * CORE >> 4;
    fprintf(to, "\tadd.s64 %%%s_%c, %%base, %" PRIu64 ";\n", type, matrix, first | beside << 16 | below << 32);
}

/* All numbers of A are c, and all of B are m; each lane stores 16 bytes at a time. Each warp stores the whole of both,
 * so that it need not wait for others: a product begins when all four have come to it. */
static void store_matrix(FILE *to, const char *type, size_t at)
{
    for (size_t i = 0; i < CM_GPU_GROUP_AREA; i += (size_t)GROUP_LANES * 16) {
        const char constant = i < LEFT ? 'c' : 'm';
        fprintf(to, "\tst.shared.v4.b32 [%%row+%zu], {", at + i);
        for (unsigned word = 0; word < 4; word++)
            fprintf(to, "%s%%%s_%c", word == 0 ? "" : ", ", type, constant);
        fputs("};\n", to);
    }
}

void cm_gpu_ptx_before_groups(FILE *to, const char *const types[CM_GPU_GROUP_TYPES])
{
    fprintf(to,
            "\t.reg .b32 %%row;\n\t.reg .b64 %%base;\n\tmov.u32 %%row, tile;\n\tshr.u32 %%bits, %%row, 4;\n"
            "\tmul.wide.u32 %%base, %%bits, 1;\n\tand.b32 %%bits, %%thread, %d;\n"
            "\tmad.lo.s32 %%row, %%bits, 16, %%row;\n",
            GROUP_LANES - 1);
    for (size_t i = 0; i < CM_GPU_GROUP_TYPES; i++) {
        const size_t at = CM_GPU_REGION + i * CM_GPU_GROUP_AREA;
        fprintf(to, "\t.reg .b64 %%%s_A, %%%s_B;\n", types[i], types[i]);
        store_matrix(to, types[i], at);
        describe_matrix(to, types[i], 'A', at);
        describe_matrix(to, types[i], 'B', at + LEFT);
    }
}

void cm_gpu_ptx_begin_group(FILE *to)
{
    fputs("\tfence.proxy.async;\n\twgmma.fence.sync.aligned;\n", to);
}

void cm_gpu_ptx_end_group(FILE *to)
{
    fputs("\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n", to);
}
