/* Finds the kernels of the lines of cat_collect's outputs. */
#include "core/base.h"
#include "formats/cat/file.h"

static const char *const branches[] = {"b1", "b2", "b3", "b4", "b4a", "b4b", "b5", "b5a", "b5b", "b6", "b7"};
enum { BRANCHES = CM_COUNT_OF(branches) };

/* .vec, in the order of the file: precision, with and without FMA, width, three loops. */
enum { PRECISIONS = 3, WIDTHS = 4, LOOPS = 3, VECTORS = 2 * PRECISIONS * WIDTHS * LOOPS };
/* .data.reads: region, stride, size. */
enum { READ_REGIONS = 4, POSITIONS = 6, READS = READ_REGIONS * POSITIONS };

/* .icache, in the order of the file: blocks of code that are run, then skipped; each first left in the caches, then
 * flushed from them; by the number of blocks. */
static const unsigned blocks[] = {10,   20,   30,   50,   100,   150,   200,   300,   400,   600,   800,   1200,
                                  1600, 2400, 3200, 5000, 10000, 15000, 20000, 25000, 35000, 40000, 50000, 60000};
enum { BLOCKS = CM_COUNT_OF(blocks), FETCHES = 4 * BLOCKS };
/* .instr: names as older versions of cat_collect write them in each line, without "_count", and as later ones do above
 * eight lines. Each is run at eight sizes. */
static const struct {
    const char *name, *heading;
} groups[] = {{"MEM_OPS_RO", "Mem_RO"},
              {"MEM_OPS_RW", "Mem_RW"},
              {"MEM_OPS_RO(par)", "Mem_RO(ILP)"},
              {"MEM_OPS_WO(par)", "Mem_WO(ILP)"},
              {"INT_ADD", "Int_ADD"},
              {"INT_ADD_ILP12", "Int_ADD(ILP)"},
              {"INT_MUL_ILP12", "Int_MUL(ILP)"},
              {"INT_DIV_ILP12", "Int_DIV(ILP)"},
              {"SP_ADD", "FP32_ADD"},
              {"SP_ADD_ILP12", "FP32_ADD(ILP)"},
              {"SP_SUB", "FP32_SUB"},
              {"SP_SUB_ILP12", "FP32_SUB(ILP)"},
              {"SP_MUL", "FP32_MUL"},
              {"SP_MUL_ILP12", "FP32_MUL(ILP)"},
              {"SP_DIV", "FP32_DIV"},
              {"SP_DIV_ILP12", "FP32_DIV(ILP)"},
              {"FP_ADD", "FP64_ADD"},
              {"FP_ADD_ILP12", "FP64_ADD(ILP)"},
              {"FP_SUB", "FP64_SUB"},
              {"FP_SUB_ILP12", "FP64_SUB(ILP)"},
              {"FP_MUL", "FP64_MUL"},
              {"FP_MUL_ILP12", "FP64_MUL(ILP)"},
              {"FP_DIV", "FP64_DIV"},
              {"FP_DIV_ILP12", "FP64_DIV(ILP)"},
              {"SP_FMA_ILP12", "FP32_FMA(ILP)"},
              {"FP_FMA_ILP12", "FP64_FMA(ILP)"},
              {"FP_ADD_SVEC128", "SVEC128"},
              {"FP_ADD_SVEC256", "SVEC256"},
              {"FP_ADD_SVEC512", "SVEC512"},
              {"FP_ADD_DVEC128", "DVEC128"},
              {"FP_ADD_DVEC256", "DVEC256"},
              {"FP_ADD_DVEC512", "DVEC512"}};
enum { GROUPS = CM_COUNT_OF(groups), RUNS = CM_CAT_RUNS, INSTRUCTIONS = GROUPS * RUNS };
/* .flops: precision, algorithm, size; these of the 51 sizes. */
static const struct {
    const char *words, *name;
} algorithms[] = {{"Vector Normalization", "NORM"}, {"Cholesky Decomposition", "CHOL"}, {"GEMM", "GEMM"}};
enum {
    ALGORITHMS = CM_COUNT_OF(algorithms),
    FLOPS_SIZES = 5,
    FLOPS_STEP = 10,
    FLOPS = PRECISIONS * ALGORITHMS * FLOPS_SIZES
};

static const struct {
    const char *suffix, *benchmark;
    size_t kernels;
} kinds[CM_CAT_KINDS] = {
    [CM_CAT_BRANCH] = {".branch", "branch", BRANCHES},    [CM_CAT_VEC] = {".vec", "cpu-flops", VECTORS},
    [CM_CAT_READS] = {".data.reads", "dcache", READS},    [CM_CAT_WRITES] = {".data.writes", "cat-writes", READS},
    [CM_CAT_ICACHE] = {".icache", "cat-icache", FETCHES}, [CM_CAT_INSTR] = {".instr", "cat-instr", INSTRUCTIONS},
    [CM_CAT_FLOPS] = {".flops", "cat-flops", FLOPS},
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

size_t cm_cat_instr_group(const char *name, size_t length)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (strlen(groups[i].name) == length && memcmp(groups[i].name, name, length) == 0)
            return i;
    return CM_CAT_KERNELS;
}

size_t cm_cat_instr_section(const char *heading)
{
    const size_t section = CM_FIND_BY(heading, heading, groups, GROUPS);
    return section < GROUPS ? section : CM_CAT_KERNELS;
}

bool cm_cat_fetch_kernel(size_t line, size_t lines, size_t *kernel)
{
    bool flushes = lines == FETCHES;
    *kernel = flushes || line < BLOCKS ? line : line + BLOCKS;
    return flushes || lines == FETCHES / 2;
}

size_t cm_cat_flops_kernel(char precision, const char *algorithm, double size)
{
    const char *letter = precision != '\0' ? strchr("HSD", precision) : NULL;
    for (size_t i = 0; letter != NULL && i < ALGORITHMS; i++)
        for (size_t k = 0; k < FLOPS_SIZES; k++)
            if (strcmp(algorithms[i].words, algorithm) == 0 && size == (double)((k + 1) * FLOPS_STEP))
                return ((size_t)(letter - "HSD") * ALGORITHMS + i) * FLOPS_SIZES + k;
    return CM_CAT_KERNELS;
}

static const char *name_fetch(size_t kernel, char name[CM_CAT_NAME_SIZE])
{
    size_t kind = kernel / BLOCKS;
    snprintf(name, CM_CAT_NAME_SIZE, "%s.%u%s", kind < 2 ? "run" : "skipped", blocks[kernel % BLOCKS],
             kind % 2 != 0 ? "+flushed" : "");
    return name;
}

static const char *name_instruction(size_t kernel, char name[CM_CAT_NAME_SIZE])
{
    const char *group = groups[kernel / RUNS].name, *bracket = strchr(group, '(');
    size_t length = bracket != NULL ? (size_t)(bracket - group) : strlen(group);
    snprintf(name, CM_CAT_NAME_SIZE, "%.*s%s.%zu", (int)length, group, bracket != NULL ? "_par" : "",
             kernel % RUNS + 1);
    return name;
}

static const char *name_flops(size_t kernel, char name[CM_CAT_NAME_SIZE])
{
    size_t algorithm = kernel / FLOPS_SIZES;
    snprintf(name, CM_CAT_NAME_SIZE, "%c_%s.%zu", "HSD"[algorithm / ALGORITHMS],
             algorithms[algorithm % ALGORITHMS].name, (kernel % FLOPS_SIZES + 1) * FLOPS_STEP);
    return name;
}

/* Writes the name of a vector kernel, as in the basis. */
static const char *name_vector(size_t kernel, char name[CM_CAT_NAME_SIZE])
{
    static const char *const widths[WIDTHS] = {"SCAL", "128", "256", "512"};
    static const unsigned lengths[LOOPS] = {24, 48, 96};
    size_t width = kernel / LOOPS % WIDTHS;
    size_t group = kernel / LOOPS / WIDTHS;
    bool fma = group >= PRECISIONS;
    snprintf(name, CM_CAT_NAME_SIZE, "%c_%s%s.%u", "HSD"[group % PRECISIONS], fma ? "FMA_" : "", widths[width],
             lengths[kernel % LOOPS] / (fma ? 2 : 1));
    return name;
}

const char *cm_cat_kernel(cm_cat_kind kind, size_t kernel, char name[CM_CAT_NAME_SIZE])
{
    static const char *const regions[READ_REGIONS] = {"L1", "L2", "L3", "MEM"};
    switch (kind) {
    case CM_CAT_BRANCH: return branches[kernel];
    case CM_CAT_VEC: return name_vector(kernel, name);
    case CM_CAT_ICACHE: return name_fetch(kernel, name);
    case CM_CAT_INSTR: return name_instruction(kernel, name);
    case CM_CAT_FLOPS: return name_flops(kernel, name);
    case CM_CAT_READS:
    case CM_CAT_WRITES:
    case CM_CAT_KINDS: break;
    }
    snprintf(name, CM_CAT_NAME_SIZE, "%s.%zu", regions[kernel / POSITIONS], kernel % POSITIONS + 1);
    return name;
}

bool cm_cat_is_half_precision(cm_cat_kind kind, size_t kernel)
{
    return (kind == CM_CAT_VEC && kernel / LOOPS / WIDTHS % PRECISIONS == 0) ||
           (kind == CM_CAT_FLOPS && kernel < ALGORITHMS * FLOPS_SIZES);
}
