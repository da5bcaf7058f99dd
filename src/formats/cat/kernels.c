/* Which kernels the lines of cat_collect's outputs are. */
#include <stdio.h>

#include "formats/cat/file.h"

static const char *const branches[] = {"b1", "b2", "b3", "b4", "b4a", "b4b", "b5", "b5a", "b5b", "b6", "b7"};
enum { BRANCHES = sizeof branches / sizeof branches[0] };

/* Of .vec, in the order of the file: precision, with and without FMA, width, three loops. */
enum { PRECISIONS = 3, WIDTHS = 4, LOOPS = 3, VECTORS = 2 * PRECISIONS * WIDTHS * LOOPS };
/* Of .data.reads: region, stride, size. */
enum { REGIONS = 4, POSITIONS = 6, READS = REGIONS * POSITIONS };

static const struct {
    const char *suffix;
    const char *benchmark;
    size_t kernels;
} kinds[CM_CAT_KINDS] = {
    [CM_CAT_BRANCH] = {".branch", "branch", BRANCHES},
    [CM_CAT_VEC] = {".vec", "cpu-flops", VECTORS},
    [CM_CAT_READS] = {".data.reads", "dcache", READS},
};

const char *cm_cat_suffix(cm_cat_kind kind)
{
    return kinds[kind].suffix;
}

const char *cm_cat_benchmark(cm_cat_kind kind)
{
    return kinds[kind].benchmark;
}

size_t cm_cat_kernel_count(cm_cat_kind kind)
{
    return kinds[kind].kernels;
}

const char *cm_cat_kernel(cm_cat_kind kind, size_t kernel, char name[CM_CAT_NAME_SIZE])
{
    static const char *const widths[WIDTHS] = {"SCAL", "128", "256", "512"};
    static const char *const regions[REGIONS] = {"L1", "L2", "L3", "MEM"};
    static const unsigned lengths[LOOPS] = {24, 48, 96};
    if (kind == CM_CAT_BRANCH)
        return branches[kernel];
    if (kind == CM_CAT_READS) {
        snprintf(name, CM_CAT_NAME_SIZE, "%s.%zu", regions[kernel / POSITIONS], kernel % POSITIONS + 1);
        return name;
    }
    size_t width = kernel / LOOPS % WIDTHS;
    size_t group = kernel / LOOPS / WIDTHS;
    bool fma = group >= PRECISIONS;
    snprintf(name, CM_CAT_NAME_SIZE, "%c_%s%s.%u", "HSD"[group % PRECISIONS], fma ? "FMA_" : "", widths[width],
             lengths[kernel % LOOPS] / (fma ? 2 : 1));
    return name;
}

bool cm_cat_is_half_precision(cm_cat_kind kind, size_t kernel)
{
    return kind == CM_CAT_VEC && kernel / LOOPS / WIDTHS % PRECISIONS == 0;
}
