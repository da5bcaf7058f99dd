/* The memory that a GPU kernel leaves, computed here from the description alone: no code of a GPU, nor of the software
 * GPU, has a part in it. Numbers are kept as double, which holds those of all types, and rounded to the type after each
 * operation. */
#include "verify/verify.h"

typedef enum number_format { FORMAT_NONE, HALF, BFLOAT16, SINGLE, DOUBLE, INTEGER } number_format;

/* How numbers of a type are stored, accumulators it has, and slots of an accumulator on each vendor's GPUs. */
static const struct stored {
    number_format format;
    unsigned copies, accumulators, nvidia, amd;
} stored[CM_GPU_TYPES] = {
    [CM_GPU_TYPE_H] = {HALF, 1, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_S] = {SINGLE, 1, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_D] = {DOUBLE, 1, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_H2] = {HALF, 2, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_S2] = {SINGLE, 2, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_B] = {BFLOAT16, 1, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_B2] = {BFLOAT16, 2, CM_GPU_CHAINS, 1, 1},
    [CM_GPU_TYPE_MH] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MB] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MS] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MD] = {DOUBLE, 1, 2, 2, 4},
    [CM_GPU_TYPE_I] = {INTEGER, 1, CM_GPU_INTEGERS, 1, 1},
    [CM_GPU_TYPE_MHH] = {HALF, 2, 2, 2, 4},
    [CM_GPU_TYPE_MT] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MDW] = {DOUBLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MI] = {INTEGER, 1, 2, 4, 4},
    [CM_GPU_TYPE_MI2] = {INTEGER, 1, 2, 4, 4},
    [CM_GPU_TYPE_MD4] = {DOUBLE, 1, 2, 4, 1},
    [CM_GPU_TYPE_WH] = {SINGLE, 2, 2, 8, 0},
    [CM_GPU_TYPE_WHH] = {HALF, 4, 2, 4, 0},
    [CM_GPU_TYPE_WB] = {SINGLE, 2, 2, 8, 0},
    [CM_GPU_TYPE_WT] = {SINGLE, 2, 2, 8, 0},
    [CM_GPU_TYPE_WD] = {DOUBLE, 1, 2, 2, 0},
    [CM_GPU_TYPE_WI] = {INTEGER, 2, 2, 8, 0},
    [CM_GPU_TYPE_ME4] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_ME5] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MF8] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MG8] = {SINGLE, 1, 2, 4, 4},
    [CM_GPU_TYPE_MSI] = {INTEGER, 1, 2, 4, 4},
};

static const char *const type_words[CM_GPU_TYPES] = {
#define X(id) [CM_GPU_TYPE_##id] = #id,
    CM_GPU_TYPE_ROWS(X)
#undef X
};

/* ---- numbers of a type ---- */

/* Bits of a format's significand, and the exponent of its smallest number. */
static const struct {
    int bits, least;
    size_t size;
} formats[] = {[HALF] = {11, -24, 2},
               [BFLOAT16] = {8, -133, 2},
               [SINGLE] = {24, -149, 4},
               [DOUBLE] = {53, -1074, 8},
               [INTEGER] = {0, 0, 4}};

/* Rounds to the nearest number of the format, ties to even. Sums and products of two narrow numbers were exact before.
 */
static double round_to(number_format format, double value)
{
    int exponent = 0;
    if (format == DOUBLE || format == INTEGER)
        return value;
    if (format == SINGLE)
        return (float)value;
    frexp(value, &exponent);
    int step = exponent - formats[format].bits;
    step = step > formats[format].least ? step : formats[format].least;
    return ldexp(nearbyint(ldexp(value, -step)), step);
}

static double read_half(const unsigned char *at)
{
    uint16_t bits;
    memcpy(&bits, at, sizeof bits);
    int exponent = bits >> 10 & 31, significand = bits & 1023;
    double size = exponent == 31  ? NAN
                  : exponent == 0 ? ldexp(significand, -24)
                                  : ldexp(significand | 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

/* The number of this format at that place. */
static double read_number(number_format format, const unsigned char *at)
{
    uint32_t bits = 0;
    float single;
    double value;
    if (format == HALF)
        return read_half(at);
    if (format == DOUBLE) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&bits, at, formats[format].size);
    if (format == INTEGER)
        return bits;
    bits <<= format == BFLOAT16 ? 16 : 0;
    memcpy(&single, &bits, sizeof single);
    return (double)single;
}

/* ---- one instruction ---- */

typedef struct state {
    const cm_gpu_kernel *kernel;
    cm_gpu_vendor vendor;
    double slots[CM_GPU_TYPES][CM_GPU_SLOTS], c[CM_GPU_TYPES], m[CM_GPU_TYPES];
    unsigned turns[CM_GPU_TYPES]; /* instructions of each type in the turn */
    bool converting;
    unsigned of; /* the accumulator that is converted */
    double converted[CM_GPU_CHAINS];
    uint32_t cursor;
    unsigned thread;
} state;

typedef enum operation { NONE, ADD, SUBTRACT, MULTIPLY, FUSED, ROOT, RECIPROCAL } operation;

#define PRECISION(id) [CM_GPU_##id##_ADD] = ADD, [CM_GPU_##id##_MUL] = MULTIPLY, [CM_GPU_##id##_FMA] = FUSED
static const operation operations[CM_GPU_CLASSES] = {PRECISION(H),
                                                     PRECISION(S),
                                                     PRECISION(D),
                                                     PRECISION(H2),
                                                     PRECISION(S2),
                                                     PRECISION(B),
                                                     PRECISION(B2),
                                                     [CM_GPU_H_SUB] = SUBTRACT,
                                                     [CM_GPU_S_SUB] = SUBTRACT,
                                                     [CM_GPU_D_SUB] = SUBTRACT,
                                                     [CM_GPU_H2_SUB] = SUBTRACT,
                                                     [CM_GPU_B_SUB] = SUBTRACT,
                                                     [CM_GPU_H_SQRT] = ROOT,
                                                     [CM_GPU_S_SQRT] = ROOT,
                                                     [CM_GPU_D_SQRT] = ROOT,
                                                     [CM_GPU_SPECIAL] = RECIPROCAL};

/* The result of an operation, rounded to a number format. */
static double compute_number(operation operator, number_format format, double a, double c, double m)
{
    switch (operator) {
    case ADD: return round_to(format, a + c);
    case SUBTRACT: return round_to(format, a - c);
    case MULTIPLY: return round_to(format, a * m);
    case FUSED: return format == SINGLE ? (double)fmaf((float)a, (float)m, (float)c) : round_to(format, fma(a, m, c));
    case ROOT: return round_to(format, sqrt(a));
    default: return round_to(format, 1.0 / a);
    }
}

static uint32_t integer_of(const state *of, unsigned at)
{
    return (uint32_t)of->slots[CM_GPU_TYPE_I][at % CM_GPU_INTEGERS];
}

/* Executes an integer instruction on the next of the integers. */
static void compute_integer(state *of, cm_gpu_class class)
{
    enum { BITS = 32 };
    unsigned at = of->turns[CM_GPU_TYPE_I]++ % CM_GPU_INTEGERS;
    uint32_t x = integer_of(of, at), y = integer_of(of, at + 1), z = integer_of(of, at + 2);
    switch (class) {
    case CM_GPU_INT_ADD: x += y; break;
    case CM_GPU_INT_MUL: x *= y; break;
    case CM_GPU_INT_LOGIC: x = of->vendor == CM_GPU_NVIDIA ? (x & y) ^ z : (x & y) | (~x & z); break;
    default: x = (uint32_t)(((uint64_t)y << BITS | x) >> z % BITS);
    }
    of->slots[CM_GPU_TYPE_I][at] = x;
}

/* The first of two conversions leaves the accumulator, the second one takes the first one's result. */
static void convert_number(state *of)
{
    if (of->converting) {
        of->slots[CM_GPU_TYPE_S][of->of] = (float)of->converted[of->of];
    } else {
        of->of = of->turns[CM_GPU_TYPE_S]++ % CM_GPU_CHAINS;
        of->converted[of->of] = trunc(of->slots[CM_GPU_TYPE_S][of->of]);
    }
    of->converting = !of->converting;
}

/* The sum of the products of packed bytes; a sparse A's with the first two of B's four. */
static int multiply_bytes(double a, double b, bool sparse)
{
    int sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += (int8_t)((uint32_t)a >> 8 * i) * (int8_t)((uint32_t)b >> 8 * (sparse ? i % 2 : i));
    return sum;
}

enum { WARP = 32 }; /* of NVIDIA's GPUs, which alone have fragments */

/* All numbers of A and B are a quarter, bytes four in turn: so each sum grows by as much. */
static void multiply_matrices(state *of, cm_gpu_class class)
{
    const cm_gpu_type type = cm_gpu_class_table[class].type;
    const cm_gpu_fragment fragment = cm_gpu_fragment_of(type);
    const unsigned parts = of->vendor == CM_GPU_NVIDIA ? stored[type].nvidia : stored[type].amd;
    const unsigned depth = cm_gpu_matrix_depth(of->vendor, class);
    unsigned own = class == CM_GPU_MMA_I_M8 ? 2 : parts, at = of->turns[type]++ % stored[type].accumulators * parts;
    if (cm_gpu_is_wide(class)) {
        own = 2 * parts;
        at = 0;
    }
    if (fragment.rows != 0) { /* a row of one matrix, or of none */
        own = of->thread % WARP / fragment.rows == at / parts ? fragment.slots : 0;
        at = 0;
    }
    for (unsigned part = at; part < at + own; part++) {
        double *slot = &of->slots[type][part];
        if (stored[type].format == INTEGER)
            *slot = (uint32_t)((int64_t)*slot + multiply_bytes(of->c[type], of->m[type], class == CM_GPU_MMA_SP_I) *
                                                    (int64_t)(depth / 4));
        else
            *slot = round_to(stored[type].format, *slot + depth / 16.0);
    }
}

/* ---- one turn ---- */

/* Executes one instruction of a class. */
static void execute_class(state *of, cm_gpu_class class)
{
    const cm_gpu_type type = cm_gpu_class_table[class].type;
    const cm_gpu_access *access = cm_gpu_access_of(class);
    if (access != NULL && access->place == CM_GPU_PLACE_STREAM)
        of->cursor = (of->cursor + CM_GPU_STREAM_STEP) & (CM_GPU_STREAM - 1);
    if (access != NULL)
        return;
    if (class == CM_GPU_CONVERT) {
        convert_number(of);
    } else if (type == CM_GPU_TYPE_I) {
        compute_integer(of, class);
    } else if (cm_gpu_is_matrix(class)) {
        multiply_matrices(of, class);
    } else {
        double *slot = &of->slots[type][of->turns[type]++ % stored[type].accumulators];
        *slot = compute_number(operations[class], stored[type].format, *slot, of->c[type], of->m[type]);
    }
}

/* Executes a section as far as it changes results: the additions that it leaves out move the turn on. */
static void execute_section(state *of, const cm_gpu_section *section)
{
    unsigned additions = section->way == CM_GPU_WAY_PART ? CM_GPU_INSIDE : 1;
    if (section->way == CM_GPU_WAY_SCALAR || section->way == CM_GPU_WAY_SCALAR_LOAD)
        return;
    if (section->way == CM_GPU_WAY_TAKEN || (of->thread & section->mask) != 0)
        of->turns[CM_GPU_TYPE_I] += additions;
    else
        while (additions-- > 0)
            compute_integer(of, CM_GPU_INT_ADD);
}

/* Executes one turn of the loop. */
static void execute_turn(state *of)
{
    memset(of->turns, 0, sizeof of->turns);
    of->converting = false;
    for (size_t i = 0; i < of->kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &of->kernel->pieces[i];
        const cm_gpu_section *section = cm_gpu_section_of(piece->class);
        for (unsigned k = 0; k < piece->count; k++) {
            if (section != NULL)
                execute_section(of, section);
            else
                execute_class(of, piece->class);
        }
    }
}

/* ---- the comparison ---- */

/* How far results may be off, relative to their size. Square roots and reciprocals are estimates: 2^-23 in single
 * precision (NVIDIA, "Parallel Thread Execution ISA", sqrt.approx, rcp.approx) or a unit in the last place, in double
 * precision 2^29 of these (AMD, "AMD Instinct MI200 Instruction Set Architecture", V_SQRT_F64). Errors of reciprocals
 * add up, those of roots are halved by the next one. The rounding of sums in half precision is not documented. */
static double tolerance_of(const cm_gpu_kernel *kernel, cm_gpu_type type, uint32_t trips)
{
    static const double unit[] = {
        [HALF] = 0x1p-10, [BFLOAT16] = 0x1p-7, [SINGLE] = 0x1p-22, [DOUBLE] = 0x1p-22, [INTEGER] = 0.0};
    enum { OF_ROOTS = 4 };
    double steps = 0.0;
    for (size_t i = 0; i < kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &kernel->pieces[i];
        if (cm_gpu_class_table[piece->class].type != type)
            continue;
        if (operations[piece->class] == RECIPROCAL)
            steps += (double)piece->count * trips;
        else if (operations[piece->class] == ROOT || type == CM_GPU_TYPE_MHH || type == CM_GPU_TYPE_WHH)
            steps += OF_ROOTS;
    }
    return steps * unit[stored[type].format];
}

/* Takes a thread's numbers from the memory before the launch. */
static void begin_thread(state *of, const unsigned char *memory, size_t thread)
{
    const cm_gpu_layout *layout = cm_gpu_layout_of(of->kernel->family);
    const unsigned char *own = memory + layout->input + layout->output * thread;
    for (size_t type = CM_GPU_TYPE_H; type < layout->types; type++) {
        of->c[type] = read_number(stored[type].format, memory + CM_GPU_INPUT_AT(type));
        of->m[type] = read_number(stored[type].format, memory + CM_GPU_INPUT_AT(type) + 8);
        for (size_t i = 0; i < CM_GPU_SLOTS; i++)
            of->slots[type][i] = read_number(stored[type].format, own + CM_GPU_SLOT(type, i));
    }
    of->cursor = 0;
}

static bool is_near(double found, double expected, double tolerance)
{
    return found == expected || (isnan(found) && isnan(expected)) ||
           fabs(found - expected) <= tolerance * fabs(expected);
}

/* Compares the memory that a thread leaves with the computed one; writes the first difference. */
static bool is_right(const state *of, const unsigned char *memory, size_t thread, uint32_t trips, char *text,
                     size_t size)
{
    const cm_gpu_layout *layout = cm_gpu_layout_of(of->kernel->family);
    const unsigned char *own = memory + layout->input + layout->output * thread;
    uint32_t cursor;
    memcpy(&cursor, own + CM_GPU_CURSOR_AT - layout->input, sizeof cursor);
    if (of->kernel->family == CM_GPU_MEMORY && cursor != of->cursor) {
        snprintf(text, size, "the stream of thread %zu ends at %u instead of %u", thread, cursor, of->cursor);
        return false;
    }
    for (size_t type = CM_GPU_TYPE_H; type < layout->types; type++)
        for (size_t i = 0; i < CM_GPU_SLOTS * stored[type].copies; i++) {
            const size_t slot = i / stored[type].copies, copy = i % stored[type].copies;
            const double expected = of->slots[type][slot];
            const double found = read_number(stored[type].format,
                                             own + CM_GPU_SLOT(type, slot) + copy * formats[stored[type].format].size);
            if (is_near(found, expected, tolerance_of(of->kernel, (cm_gpu_type)type, trips)))
                continue;
            snprintf(text, size, "thread %zu leaves %.17g in accumulator %zu of %s instead of %.17g", thread, found,
                     slot, type_words[type], expected);
            return false;
        }
    return true;
}

/* The state of the thread before that ends with the same numbers; `thread` itself: none is known. */
static size_t find_alike(const cm_gpu_kernel *kernel, size_t thread, unsigned threads)
{
    enum { SAME_NUMBERS = 8, ROWS = 24 /* bits that say which matrix of fragments a thread has a row of */ };
    static const unsigned lanes[CM_GPU_FAMILIES] = {
        [CM_GPU_MATRIX] = ROWS, [CM_GPU_INSTRUCTIONS] = CM_GPU_SECTION_LANES};
    for (size_t i = 0; i < thread; i++)
        if (i % SAME_NUMBERS == thread % SAME_NUMBERS && ((i ^ thread) & lanes[kernel->family]) == 0 &&
            cm_gpu_enters(kernel->mask, (unsigned)(i % threads)) ==
                cm_gpu_enters(kernel->mask, (unsigned)(thread % threads)))
            return i;
    return thread;
}

cm_status cm_gpu_results_check(const cm_gpu_kernel *kernel, cm_gpu_vendor vendor, const cm_gpu_launch *launch,
                               const void *before, const void *after, char *text, size_t size, cm_error *error)
{
    const size_t threads = (size_t)launch->blocks * launch->threads;
    state *states = calloc(threads, sizeof *states);
    bool right = true;
    text[0] = '\0';
    if (states == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; right && i < threads; i++) {
        const size_t alike = find_alike(kernel, i, launch->threads);
        state *of = &states[i];
        *of = (state){.kernel = kernel, .vendor = vendor, .thread = (unsigned)(i % launch->threads)};
        begin_thread(of, before, i);
        if (alike != i)
            *of = states[alike];
        for (uint32_t turn = 0; alike == i && turn < launch->trips && cm_gpu_enters(kernel->mask, of->thread); turn++)
            execute_turn(of);
        right = is_right(of, after, i, launch->trips, text, size);
    }
    free(states);
    return CM_OK;
}
