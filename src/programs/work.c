/* The kinds of work in programs, with class, words and rate of each. */
#include "programs/programs.h"

/* clang-format off */
#define FP_WORK(o, p, w) {.kind = CM_WORK_FP, .operation = (o), .precision = (p), .width = (w)}
#define FP_WIDTHS(o, p) \
    FP_WORK(o, p, CM_FP_SCALAR), FP_WORK(o, p, CM_FP_128), FP_WORK(o, p, CM_FP_256), FP_WORK(o, p, CM_FP_512)
#define FP(p) \
    FP_WIDTHS(CM_FP_ADD, p), FP_WIDTHS(CM_FP_SUB, p), FP_WIDTHS(CM_FP_MUL, p), FP_WIDTHS(CM_FP_DIV, p), \
    FP_WIDTHS(CM_FP_SQRT, p), FP_WIDTHS(CM_FP_FMA, p)
#define VECTOR(k) {.kind = (k), .width = CM_FP_128}, {.kind = (k), .width = CM_FP_256}, {.kind = (k), .width = CM_FP_512}
#define BYTES(k, b) {.kind = (k), .bytes = (b)}
#define ACCESSES(k) \
    BYTES(k, 1), BYTES(k, 2), BYTES(k, 4), BYTES(k, 8), BYTES(k, 16), BYTES(k, 32), BYTES(k, 64)
#define SPLIT(k, b) {.kind = (k), .bytes = (b), .split = true}
#define SPLITS(k) SPLIT(k, 2), SPLIT(k, 4), SPLIT(k, 8), SPLIT(k, 16), SPLIT(k, 32), SPLIT(k, 64)
#define PLAIN(k) {.kind = (k)}
/* clang-format on */

static const cm_work works[] = {
    FP(CM_FP_HALF),
    FP(CM_FP_SINGLE),
    FP(CM_FP_DOUBLE),
    VECTOR(CM_WORK_VECTOR_MOVE),
    VECTOR(CM_WORK_VECTOR_LOGIC),
    VECTOR(CM_WORK_VECTOR_INTEGER),
    PLAIN(CM_WORK_INTEGER_ADD),
    PLAIN(CM_WORK_INTEGER_MULTIPLY),
    PLAIN(CM_WORK_INTEGER_SHIFT),
    PLAIN(CM_WORK_INTEGER_LOGIC),
    PLAIN(CM_WORK_NOP),
    ACCESSES(CM_WORK_LOAD),
    ACCESSES(CM_WORK_STORE),
    PLAIN(CM_WORK_TAKEN),
    PLAIN(CM_WORK_NOT_TAKEN),
    PLAIN(CM_WORK_RANDOM),
    PLAIN(CM_WORK_JUMP),
    PLAIN(CM_WORK_JUMP_INDIRECT),
    PLAIN(CM_WORK_CALL),
    PLAIN(CM_WORK_CALL_INDIRECT),
    SPLITS(CM_WORK_LOAD),
    SPLITS(CM_WORK_STORE),
    BYTES(CM_WORK_LOAD_SCALAR, 4),
    BYTES(CM_WORK_LOAD_SCALAR, 8),
    BYTES(CM_WORK_STORE_SCALAR, 4),
    BYTES(CM_WORK_STORE_SCALAR, 8),
    BYTES(CM_WORK_UPDATE, 1),
    BYTES(CM_WORK_UPDATE, 2),
    BYTES(CM_WORK_UPDATE, 4),
    BYTES(CM_WORK_UPDATE, 8),
    BYTES(CM_WORK_UPDATE_LOCKED, 4),
    BYTES(CM_WORK_UPDATE_LOCKED, 8),
    BYTES(CM_WORK_NT_STORE, 4),
    BYTES(CM_WORK_NT_STORE, 8),
    BYTES(CM_WORK_NT_STORE, 16),
    BYTES(CM_WORK_NT_STORE, 32),
    BYTES(CM_WORK_NT_STORE, 64),
    PLAIN(CM_WORK_INTEGER_DIVIDE),
    PLAIN(CM_WORK_INTEGER_COMPARE),
    PLAIN(CM_WORK_INTEGER_MOVE),
    PLAIN(CM_WORK_INTEGER_ADDRESS),
    PLAIN(CM_WORK_CRC),
    BYTES(CM_WORK_STRING, 8),
    PLAIN(CM_WORK_LOAD_FENCE),
    PLAIN(CM_WORK_STORE_FENCE),
    PLAIN(CM_WORK_PAUSE),
    {.kind = CM_WORK_AES, .width = CM_FP_128},
    VECTOR(CM_WORK_VECTOR_SUBTRACT),
    VECTOR(CM_WORK_VECTOR_MULTIPLY),
    VECTOR(CM_WORK_VECTOR_SHIFT),
    VECTOR(CM_WORK_VECTOR_COMPARE),
    VECTOR(CM_WORK_VECTOR_SHUFFLE),
    PLAIN(CM_WORK_JUMP_FAR),
    BYTES(CM_WORK_LOAD_FAR, 8),
    BYTES(CM_WORK_STORE_FAR, 8),
    PLAIN(CM_WORK_CALL_FAR),
    PLAIN(CM_WORK_PREFETCH_NTA),
    PLAIN(CM_WORK_PREFETCH),
    PLAIN(CM_WORK_PREFETCH_OUTER),
    PLAIN(CM_WORK_PREFETCH_WRITE),
    PLAIN(CM_WORK_CONVERT),
    PLAIN(CM_WORK_X87),
    PLAIN(CM_WORK_MMX),
    PLAIN(CM_WORK_CALL_ELSEWHERE),
    PLAIN(CM_WORK_RETURN),
};
const cm_work *const cm_work_table = works;
const size_t cm_work_table_size = CM_COUNT_OF(works);

/* The class and words of each kind. Natural programs do `rows` pieces of the work together as often as `fact`. */
static const struct {
    cm_work_class of;
    const char *words;
    size_t fact;
    double rows;
} kinds[CM_WORK_KINDS] = {
    [CM_WORK_FP] = {CM_CLASS_DOUBLE, "", CM_FACT_FP, 1},
    [CM_WORK_VECTOR_MOVE] = {CM_CLASS_VECTOR, "vector moves", CM_FACT_INT_VECTOR + CM_INT_LOGIC, 1},
    [CM_WORK_VECTOR_LOGIC] = {CM_CLASS_VECTOR, "vector logic", CM_FACT_INT_VECTOR + CM_INT_LOGIC, 1},
    [CM_WORK_VECTOR_INTEGER] = {CM_CLASS_VECTOR, "vector integer additions", CM_FACT_INT_VECTOR + CM_INT_ADD, 1},
    [CM_WORK_INTEGER_ADD] = {CM_CLASS_INTEGER, "integer additions", CM_FACT_INT_SCALAR_ADD, 1},
    [CM_WORK_INTEGER_MULTIPLY] = {CM_CLASS_INTEGER, "integer multiplications", CM_FACT_INT_SCALAR_MUL, 1},
    [CM_WORK_INTEGER_SHIFT] = {CM_CLASS_INTEGER, "shifts", CM_FACT_INT_SCALAR_SHIFT, 1},
    [CM_WORK_INTEGER_LOGIC] = {CM_CLASS_INTEGER, "integer logic", CM_FACT_INT_SCALAR_LOGIC, 1},
    [CM_WORK_NOP] = {CM_CLASS_INTEGER, "no-operations", CM_FACT_NOPS, 1},
    [CM_WORK_LOAD] = {CM_CLASS_LOAD, "loads", CM_FACT_LOADS_1, 1},
    [CM_WORK_STORE] = {CM_CLASS_STORE, "stores", CM_FACT_STORES_1, 1},
    [CM_WORK_TAKEN] = {CM_CLASS_BRANCH, "branches taken", CM_FACT_BRANCHES_COND_TAKEN, 1},
    [CM_WORK_NOT_TAKEN] = {CM_CLASS_BRANCH, "branches not taken", CM_FACT_BRANCHES_COND, 1},
    [CM_WORK_RANDOM] = {CM_CLASS_BRANCH, "random branches", CM_FACT_MISPREDICTED_COND, 0.1},
    [CM_WORK_JUMP] = {CM_CLASS_JUMP, "jumps", CM_FACT_BRANCHES_UNCOND, 1},
    [CM_WORK_JUMP_INDIRECT] = {CM_CLASS_JUMP, "indirect jumps", CM_FACT_BRANCHES_INDIRECT, 1},
    [CM_WORK_CALL] = {CM_CLASS_CALL, "calls", CM_FACT_CALLS, 1},
    [CM_WORK_CALL_INDIRECT] = {CM_CLASS_CALL, "calls through a register", CM_FACT_CALLS_INDIRECT, 1},
    [CM_WORK_LOAD_SCALAR] = {CM_CLASS_LOAD, "loads into vector registers", CM_FACT_LOADS_1, 10},
    [CM_WORK_STORE_SCALAR] = {CM_CLASS_STORE, "stores from vector registers", CM_FACT_STORES_1, 10},
    [CM_WORK_UPDATE] = {CM_CLASS_STORE, "additions to memory", CM_FACT_UPDATES, 4},
    [CM_WORK_UPDATE_LOCKED] = {CM_CLASS_STORE, "locked additions to memory", CM_FACT_LOCKED_LOADS, 2},
    [CM_WORK_NT_STORE] = {CM_CLASS_STORE, "non-temporal stores", CM_FACT_NT_STORES, 5},
    [CM_WORK_INTEGER_DIVIDE] = {CM_CLASS_INTEGER, "integer divisions", CM_FACT_INT_SCALAR_DIV, 1},
    [CM_WORK_INTEGER_COMPARE] = {CM_CLASS_INTEGER, "integer comparisons", CM_FACT_INT_SCALAR_COMPARE, 1},
    [CM_WORK_INTEGER_MOVE] = {CM_CLASS_INTEGER, "moves between registers", CM_FACT_INT_SCALAR_MOVE, 1},
    [CM_WORK_INTEGER_ADDRESS] = {CM_CLASS_INTEGER, "address arithmetic", CM_FACT_INT_SCALAR_ADDRESS, 1},
    [CM_WORK_CRC] = {CM_CLASS_INTEGER, "CRC instructions", CM_FACT_CRC_INSTRUCTIONS, 1},
    [CM_WORK_STRING] = {CM_CLASS_STORE, "string stores", CM_FACT_STRING_INSTRUCTIONS, 1},
    [CM_WORK_LOAD_FENCE] = {CM_CLASS_INTEGER, "load fences", CM_FACT_LOAD_FENCES, 1},
    [CM_WORK_STORE_FENCE] = {CM_CLASS_INTEGER, "store fences", CM_FACT_FENCES, 1},
    [CM_WORK_PAUSE] = {CM_CLASS_INTEGER, "pauses", CM_FACT_PAUSES, 1},
    [CM_WORK_AES] = {CM_CLASS_VECTOR, "AES instructions", CM_FACT_AES_INSTRUCTIONS, 1},
    [CM_WORK_VECTOR_SUBTRACT] = {CM_CLASS_VECTOR, "vector integer subtractions", CM_FACT_INT_VECTOR + CM_INT_SUB, 1},
    [CM_WORK_VECTOR_MULTIPLY] = {CM_CLASS_VECTOR, "vector integer multiplications", CM_FACT_INT_VECTOR + CM_INT_MUL, 1},
    [CM_WORK_VECTOR_SHIFT] = {CM_CLASS_VECTOR, "vector integer shifts", CM_FACT_INT_VECTOR + CM_INT_SHIFT, 1},
    [CM_WORK_VECTOR_COMPARE] = {CM_CLASS_VECTOR, "vector integer comparisons", CM_FACT_INT_VECTOR + CM_INT_COMPARE, 1},
    [CM_WORK_VECTOR_SHUFFLE] = {CM_CLASS_VECTOR, "vector integer shuffles", CM_FACT_INT_VECTOR + CM_INT_SHUFFLE, 1},
    [CM_WORK_JUMP_FAR] = {CM_CLASS_JUMP, "jumps through other pages", CM_FACT_ITLB_MISS, 2 * CM_WORK_HOPS},
    [CM_WORK_LOAD_FAR] = {CM_CLASS_LOAD, "loads from many pages", CM_FACT_LOAD_WALKS, CM_WORK_HOPS},
    [CM_WORK_STORE_FAR] = {CM_CLASS_STORE, "stores to many pages", CM_FACT_STORE_WALKS, CM_WORK_HOPS},
    [CM_WORK_CALL_FAR] = {CM_CLASS_CALL, "calls through many pages", CM_FACT_ITLB_MISS, 2 * CM_WORK_HOPS},
    [CM_WORK_PREFETCH_NTA] = {CM_CLASS_LOAD, "non-temporal prefetches", CM_FACT_PREFETCHES_NTA, 1},
    [CM_WORK_PREFETCH] = {CM_CLASS_LOAD, "prefetches", CM_FACT_PREFETCHES_T0, 1},
    [CM_WORK_PREFETCH_OUTER] = {CM_CLASS_LOAD, "prefetches into outer levels", CM_FACT_PREFETCHES_T1_T2, 1},
    [CM_WORK_PREFETCH_WRITE] = {CM_CLASS_LOAD, "prefetches to write", CM_FACT_PREFETCHES_W, 1},
    [CM_WORK_CONVERT] = {CM_CLASS_DOUBLE, "conversions", CM_FACT_FP_CONVERSIONS, 1},
    [CM_WORK_X87] = {CM_CLASS_DOUBLE, "x87 instructions", CM_FACT_X87_INSTRUCTIONS, 2},
    [CM_WORK_MMX] = {CM_CLASS_VECTOR, "MMX instructions", CM_FACT_MMX_INSTRUCTIONS, 2},
    [CM_WORK_CALL_ELSEWHERE] = {CM_CLASS_CALL, "calls of changing functions", CM_FACT_MISPREDICTED_INDIRECT, 1},
    [CM_WORK_RETURN] = {CM_CLASS_CALL, "returns of no call", CM_FACT_MISPREDICTED_RETURNS, 1},
};

cm_work_class cm_work_class_of(const cm_work *work)
{
    static const cm_work_class precisions[] = {CM_CLASS_HALF, CM_CLASS_SINGLE, CM_CLASS_DOUBLE};
    return work->kind == CM_WORK_FP ? precisions[work->precision] : kinds[work->kind].of;
}

bool cm_work_is_free(const cm_work *work)
{
    return work->kind >= CM_WORK_PREFETCH_NTA && work->kind <= CM_WORK_CONVERT;
}

bool cm_work_is_natural(const cm_work *work)
{
    return work->kind >= CM_WORK_CONVERT;
}

void cm_work_describe(const cm_work *work, char *text, size_t size)
{
    static const char *const operations[] = {
        [CM_FP_ADD] = "additions", [CM_FP_SUB] = "subtractions",  [CM_FP_MUL] = "multiplications",
        [CM_FP_DIV] = "divisions", [CM_FP_SQRT] = "square roots", [CM_FP_FMA] = "fused multiply-adds"};
    static const char *const precisions[] = {"half", "single", "double"};
    static const char *const widths[] = {"scalar", "128 bits", "256 bits", "512 bits"};
    if (work->kind == CM_WORK_FP)
        snprintf(text, size, "%s in %s precision, %s", operations[work->operation], precisions[work->precision],
                 widths[work->width]);
    else if (work->width != CM_FP_SCALAR)
        snprintf(text, size, "%s of %s", kinds[work->kind].words, widths[work->width]);
    else if (work->bytes != 0)
        snprintf(text, size, "%s of %u byte%s%s", kinds[work->kind].words, work->bytes, work->bytes == 1 ? "" : "s",
                 work->split ? " across a line" : "");
    else
        snprintf(text, size, "%s", kinds[work->kind].words);
}

/* The rate of accesses of 4 or 8 bytes, which have no facts of their width: all accesses less the other widths. */
static double rate_of_words(cm_fact first, const double *natural)
{
    bool loads = first == CM_FACT_LOADS_1;
    static const cm_fact all[2][4] = {
        {CM_FACT_L1D_STORE_HIT, CM_FACT_L2_STORE_HIT, CM_FACT_L3_STORE_HIT, CM_FACT_L3_STORE_MISS},
        {CM_FACT_L1D_LOAD_HIT, CM_FACT_L2_LOAD_HIT, CM_FACT_L3_LOAD_HIT, CM_FACT_L3_LOAD_MISS}};
    double rate = 0.0;
    for (size_t i = 0; i < sizeof all[0] / sizeof all[0][0]; i++)
        rate += natural[all[loads][i]];
    for (size_t width = 0; width < CM_ACCESS_WIDTHS; width++)
        rate -= natural[(size_t)first + width];
    return rate > 0.0 ? rate / 2.0 : 0.0;
}

static double rate_of_access(const cm_work *work, cm_fact first, const double *natural)
{
    bool words = work->bytes == 4 || work->bytes == 8;
    if (work->split)
        return natural[first == CM_FACT_LOADS_1 ? CM_FACT_SPLIT_LOADS : CM_FACT_SPLIT_STORES] / 6.0; /* SPLITS */
    double rate = words ? rate_of_words(first, natural) : natural[(size_t)first + (size_t)__builtin_ctz(work->bytes)];
    return rate / kinds[work->kind].rows;
}

double cm_work_rate(const cm_work *work, const double *natural)
{
    size_t fact = kinds[work->kind].fact;
    if (work->kind == CM_WORK_FP)
        fact = cm_fact_fp(work->precision, work->width, work->operation);
    else if (fact >= CM_FACT_INT_VECTOR && fact < CM_FACT_INT_VECTOR + CM_INT_OPERATIONS)
        fact += ((size_t)work->width - CM_FP_128) * CM_INT_OPERATIONS;
    else if (fact == CM_FACT_LOADS_1 || fact == CM_FACT_STORES_1)
        return rate_of_access(work, (cm_fact)fact, natural);
    return natural[fact] / kinds[work->kind].rows;
}

/* Adds to the fact of the width, of the facts by width that begin with `first`. */
static void add_width(cm_fact first, unsigned bytes, double times, double *facts)
{
    facts[(size_t)first + (size_t)__builtin_ctz(bytes)] += times;
}

void cm_work_add_load(unsigned bytes, double times, double *facts)
{
    facts[CM_FACT_LOADS] += times;
    add_width(CM_FACT_LOADS_1, bytes, times, facts);
    facts[CM_FACT_LOAD_BYTES] += times * (double)bytes;
}

void cm_work_add_store(unsigned bytes, double times, double *facts)
{
    facts[CM_FACT_STORES] += times;
    add_width(CM_FACT_STORES_1, bytes, times, facts);
    facts[CM_FACT_STORE_BYTES] += times * (double)bytes;
}

void cm_work_add_branch(double executed, double taken, double *facts)
{
    facts[CM_FACT_BRANCHES_COND] += executed;
    facts[CM_FACT_BRANCHES_COND_TAKEN] += taken;
}

static void add_fp(const cm_work *work, double times, double *facts)
{
    facts[cm_fact_fp(work->precision, work->width, work->operation)] += times;
    if (work->operation != CM_FP_FMA)
        facts[cm_fact_fp(work->precision, work->width, CM_FP_ANY)] += times;
}

static void add_update(const cm_work *work, double times, double *facts)
{
    cm_work_add_load(work->bytes, times, facts);
    cm_work_add_store(work->bytes, times, facts);
    facts[CM_FACT_UPDATES] += times;
    facts[CM_FACT_LOCKED_LOADS] += work->kind == CM_WORK_UPDATE_LOCKED ? times : 0.0;
}

static void add_access(const cm_work *work, double times, double *facts)
{
    bool load = work->kind == CM_WORK_LOAD || work->kind == CM_WORK_LOAD_SCALAR;
    if (load)
        cm_work_add_load(work->bytes, times, facts);
    else
        cm_work_add_store(work->bytes, times, facts);
    facts[load ? CM_FACT_SPLIT_LOADS : CM_FACT_SPLIT_STORES] += work->split ? times : 0.0;
    facts[CM_FACT_NT_STORES] += work->kind == CM_WORK_NT_STORE ? times : 0.0;
}

/* Adds the facts of work that has just one. */
static void add_plain(const cm_work *work, double times, double *facts)
{
    switch (work->kind) {
    case CM_WORK_JUMP:
    case CM_WORK_JUMP_INDIRECT:
    case CM_WORK_NOP:
    case CM_WORK_CRC:
    case CM_WORK_AES:
    case CM_WORK_PAUSE:
    case CM_WORK_STORE_FENCE:
    case CM_WORK_PREFETCH_NTA:
    case CM_WORK_PREFETCH:
    case CM_WORK_PREFETCH_OUTER:
    case CM_WORK_PREFETCH_WRITE:
    case CM_WORK_CONVERT:
    case CM_WORK_X87:
    case CM_WORK_MMX: facts[kinds[work->kind].fact] += kinds[work->kind].rows * times; break;
    case CM_WORK_LOAD_FENCE:
        facts[CM_FACT_LOAD_FENCES] += times;
        facts[CM_FACT_FENCES] += times;
        break;
    default: break;
    }
}

static void count_calls(bool indirect, double times, double *facts)
{
    facts[CM_FACT_CALLS_INDIRECT] += indirect ? times : 0.0;
    facts[CM_FACT_CALLS] += times;
    facts[CM_FACT_RETURNS] += times;
}

void cm_work_add_facts(const cm_work *work, double times, double *facts)
{
    switch (work->kind) {
    case CM_WORK_FP: add_fp(work, times, facts); break;
    case CM_WORK_LOAD:
    case CM_WORK_STORE:
    case CM_WORK_LOAD_SCALAR:
    case CM_WORK_STORE_SCALAR:
    case CM_WORK_NT_STORE: add_access(work, times, facts); break;
    case CM_WORK_UPDATE:
    case CM_WORK_UPDATE_LOCKED: add_update(work, times, facts); break;
    case CM_WORK_TAKEN: cm_work_add_branch(times, times, facts); break;
    case CM_WORK_NOT_TAKEN:
    case CM_WORK_RANDOM: cm_work_add_branch(times, 0.0, facts); break;
    case CM_WORK_JUMP_FAR: facts[CM_FACT_BRANCHES_UNCOND] += (CM_WORK_HOPS + 1) * times; break;
    case CM_WORK_STRING:
        facts[CM_FACT_STRING_INSTRUCTIONS] += times;
        cm_work_add_store(work->bytes, times, facts);
        break;
    case CM_WORK_LOAD_FAR: cm_work_add_load(work->bytes, CM_WORK_HOPS * times, facts); break;
    case CM_WORK_STORE_FAR: cm_work_add_store(work->bytes, CM_WORK_HOPS * times, facts); break;
    case CM_WORK_CALL_FAR: count_calls(true, CM_WORK_HOPS * times, facts); break;
    case CM_WORK_RETURN: facts[CM_FACT_RETURNS] += times; break;
    case CM_WORK_CALL_ELSEWHERE:
    case CM_WORK_CALL_INDIRECT:
    case CM_WORK_CALL: count_calls(work->kind != CM_WORK_CALL, times, facts); break;
    default: add_plain(work, times, facts); break;
    }
}
