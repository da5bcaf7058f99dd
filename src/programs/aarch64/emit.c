/* Programs as aarch64 code, called as kernels are: iterations in x0.
 *
 * x2 to x4 move through the buffers, x5 through the random bits, x11 to x13 are their steps; x6 and x7 are scratch
 * registers, x9 holds addresses, x8 keeps the return address. v16 to v27 hold, for each precision, three results and
 * ones: sums, products, quotients and roots of whole numbers and ones, so that no result is denormal or NaN. v28 and
 * v29 are moved, v30 is loaded. Encodings: Arm Architecture Reference Manual, DDI 0487, C4.1. */
#include "cat-kernels/aarch64/isa.h"
#include "programs/programs.h"

enum { COUNT = 0, BUFFER = 2, BITS = 5, WORKED = 6, KEPT = 8, ADDRESS = 9, STEP = 11, LINK = 30 };
enum { RESULTS = 3, REGISTERS = RESULTS + 1, FIRST = 16, MOVED = 28, LOADED = 30 };

const uint32_t cm_words_nop = 0xD503201F, cm_words_return_word = 0xD65F03C0, cm_words_trap = 0xD4200000;

bool cm_words_available(const cm_work *work, unsigned isa)
{
    bool half = work->kind == CM_WORK_FP && work->precision == CM_FP_HALF;
    return (isa & (half ? CM_ISA_FP16 : CM_ISA_ASIMD)) != 0 && work->width <= CM_FP_128 && work->bytes <= 16;
}

static uint32_t three(uint32_t word, unsigned to, unsigned first, unsigned second)
{
    return word | second << 16 | first << 5 | to;
}

/* ---- arithmetic ---- */

static const struct {
    uint32_t scalar, vector, half; /* of single precision; vectors of eight halves */
} forms[CM_FP_OPERATIONS] = {
    [CM_FP_ADD] = {0x1E202800, 0x4E20D400, 0x4E401400}, [CM_FP_SUB] = {0x1E203800, 0x4EA0D400, 0x4EC01400},
    [CM_FP_MUL] = {0x1E200800, 0x6E20DC00, 0x6E401C00}, [CM_FP_DIV] = {0x1E201800, 0x6E20FC00, 0x6E403C00},
    [CM_FP_FMA] = {0x1F000000, 0x4E20CC00, 0x4E400C00}, [CM_FP_SQRT] = {0x1E21C000, 0x6EA1F800, 0x6EF9F800},
};

static uint32_t form_of(const cm_work *work)
{
    static const uint32_t types[] = {[CM_FP_HALF] = 3, [CM_FP_SINGLE] = 0, [CM_FP_DOUBLE] = 1};
    if (work->width == CM_FP_SCALAR)
        return forms[work->operation].scalar | types[work->precision] << 22;
    if (work->precision == CM_FP_HALF)
        return forms[work->operation].half;
    return forms[work->operation].vector | (uint32_t)(work->precision == CM_FP_DOUBLE) << 22;
}

void cm_words_write_arithmetic(cm_words *code, const cm_work *work)
{
    unsigned first = FIRST + (unsigned)work->precision * REGISTERS, ones = first + RESULTS;
    unsigned result = first + (unsigned)(code->results++ % RESULTS);
    uint32_t word = form_of(work);
    if (work->operation == CM_FP_SQRT)
        word = three(word, result, ones, 0);
    else if (work->operation == CM_FP_FMA)
        word = three(word, result, ones, ones) | (work->width == CM_FP_SCALAR ? result << 10 : 0);
    else
        word = three(word, result, result, ones);
    cm_words_write_vector(code, word);
}

/* ---- loads and stores ---- */

/* Writes a load or a store. */
void cm_words_write_access(cm_words *code, const cm_work *work, bool load)
{
    static const struct {
        unsigned bytes;
        uint32_t load, store;
    } rows[] = {{1, 0x39400000, 0x39000000},
                {2, 0x79400000, 0x79000000},
                {4, 0xB9400000, 0xB9000000},
                {8, 0xF9400000, 0xF9000000},
                {16, 0x3DC00000, 0x3D800000}};
    bool vector = work->bytes == 16;
    unsigned to = vector ? (load ? LOADED : MOVED) : (load ? ADDRESS : WORKED);
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++)
        if (rows[i].bytes == work->bytes)
            (vector ? cm_words_write_vector
                    : cm_words_write)(code, three(load ? rows[i].load : rows[i].store, to, BUFFER + work->buffer, 0) |
                                                work->offset / work->bytes << 10);
}

/* ---- other work without branches ---- */

#define THREE(word, to, first, second) ((word) | (uint32_t)(second) << 16 | (uint32_t)(first) << 5 | (uint32_t)(to))
#define ON_VECTORS(word) THREE(word, MOVED, MOVED, MOVED + 1)
#define OF(operation) CM_FACT_INT_VECTOR + CM_INT_##operation
enum { A = WORKED, B = WORKED + 1, ZERO = 31 };

const cm_words_row cm_words_rows[] = {
    {CM_WORK_VECTOR_MOVE, THREE(0x4EA01C00, MOVED, MOVED + 1, MOVED + 1), CM_FACT_COUNT, true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_LOGIC, ON_VECTORS(0x6E201C00), OF(LOGIC), true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_INTEGER, ON_VECTORS(0x4EA08400), OF(ADD), true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_SUBTRACT, ON_VECTORS(0x6EA08400), OF(SUB), true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_MULTIPLY, ON_VECTORS(0x4EA09C00), OF(MUL), true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_SHIFT, THREE(0x4F215400, MOVED, MOVED, 0), OF(SHIFT), true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_COMPARE, ON_VECTORS(0x6EA08C00), OF(COMPARE), true, CM_ISA_ASIMD},
    {CM_WORK_VECTOR_SHUFFLE, ON_VECTORS(0x4E803800), OF(SHUFFLE), true, CM_ISA_ASIMD},
    {CM_WORK_AES, THREE(0x4E284800, MOVED, MOVED + 1, 0), CM_FACT_COUNT, true, CM_ISA_ASIMD | CM_ISA_AES},
    {CM_WORK_INTEGER_ADD, THREE(0x8B000000, A, A, B), CM_FACT_INT_SCALAR_ADD, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_MULTIPLY, THREE(0x9B007C00, A, A, B), CM_FACT_INT_SCALAR_MUL, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_DIVIDE, THREE(0x9AC00800, ADDRESS, A, B), CM_FACT_INT_SCALAR_DIV, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_SHIFT, THREE(0xD37FF800, B, B, 0), CM_FACT_INT_SCALAR_SHIFT, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_LOGIC, THREE(0xCA000000, B, B, A), CM_FACT_INT_SCALAR_LOGIC, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_COMPARE, THREE(0xEB000000, ZERO, A, B), CM_FACT_INT_SCALAR_COMPARE, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_MOVE, THREE(0xAA000000, ADDRESS, ZERO, A), CM_FACT_INT_SCALAR_MOVE, false, CM_ISA_ASIMD},
    {CM_WORK_INTEGER_ADDRESS, 0x10000000 | ADDRESS, CM_FACT_INT_SCALAR_ADDRESS, false, CM_ISA_ASIMD},
    {CM_WORK_CRC, THREE(0x9AC04C00, ADDRESS, A, B), CM_FACT_COUNT, false, CM_ISA_ASIMD | CM_ISA_CRC32},
    {CM_WORK_LOAD_FENCE, 0xD50339BF, CM_FACT_COUNT, false, CM_ISA_ASIMD},
    {CM_WORK_STORE_FENCE, 0xD5033ABF, CM_FACT_COUNT, false, CM_ISA_ASIMD},
    {CM_WORK_PAUSE, 0xD503203F, CM_FACT_COUNT, false, CM_ISA_ASIMD},
};
const size_t cm_words_row_count = CM_COUNT_OF(cm_words_rows);

/* ---- branches ---- */

enum { OVER = 2 /* instructions */ };

/* cbnz, cbz on the iterations left. */
void cm_words_write_steady(cm_words *code, bool taken)
{
    cm_words_write(code, (taken ? 0xB5000000 : 0xB4000000) | OVER << 5 | COUNT);
}

void cm_words_write_bit(cm_words *code, unsigned plane)
{
    (void)plane;
    cm_words_write(code, three(0x39400000, ADDRESS, BITS, 0));
}

/* tbnz. */
uint32_t cm_words_where_set(unsigned plane, int32_t distance)
{
    return 0x37000000 | plane << 19 | (uint32_t)distance / CM_WORD << 5 | ADDRESS;
}

/* adr: the address `distance` bytes further on. */
static void write_address(cm_words *code, int64_t distance)
{
    uint32_t bits = (uint32_t)distance & 0x1FFFFF;
    cm_words_write_integer(code, 0x10000000 | (bits & 3) << 29 | bits >> 2 << 5 | ADDRESS, CM_FACT_INT_SCALAR_ADDRESS);
}

void cm_words_write_jump(cm_words *code, bool indirect)
{
    if (indirect)
        write_address(code, (1 + OVER) * CM_WORD);
    cm_words_write(code, indirect ? 0xD61F0000 | ADDRESS << 5 : 0x14000000 | OVER);
}

void cm_words_write_call(cm_words *code, bool indirect)
{
    if (indirect) {
        write_address(code, -(int64_t)code->used);
        cm_words_write(code, 0xD63F0000 | ADDRESS << 5);
    } else {
        cm_words_write(code, 0x94000000 | (((uint32_t)-code->used / CM_WORD) & 0x3FFFFFF));
    }
}

/* ---- the loop ---- */

static void write_constant(cm_words *code, unsigned to, uint64_t value)
{
    for (unsigned part = 0; part < 4; part++)
        cm_words_write_integer(code,
                               (part == 0 ? 0xD2800000 : 0xF2800000) | part << 21 |
                                   (uint32_t)(value >> 16 * part & 0xFFFF) << 5 | to,
                               CM_FACT_INT_SCALAR_MOVE);
}

static void load_ones(cm_words *code)
{
    for (unsigned i = 0; i < CM_FP_PRECISIONS; i++) {
        write_constant(code, ADDRESS, (uintptr_t)code->memory->ones[i]);
        for (unsigned k = 0; k < REGISTERS; k++) {
            cm_words_write_vector(code, three(0x3DC00000, FIRST + i * REGISTERS + k, ADDRESS, 0));
            cm_work_add_load(16, 1.0, code->facts);
        }
    }
}

void cm_words_begin(cm_words *code)
{
    const cm_program_memory *memory = code->memory;
    load_ones(code);
    cm_words_write_integer(code, three(0xAA000000, KEPT, ZERO, LINK), CM_FACT_INT_SCALAR_MOVE);
    write_constant(code, BITS, (uintptr_t)memory->bits);
    for (unsigned i = 0; i < CM_WORK_BUFFERS; i++) {
        write_constant(code, BUFFER + i, (uintptr_t)memory->buffers[i]);
        write_constant(code, STEP + i, memory->strides[i]);
    }
    write_constant(code, WORKED, 3);
    write_constant(code, WORKED + 1, 5);
}

/* and, clears the bit that an address has only beyond the end of its buffer. */
static uint32_t without_bit(unsigned reg, size_t size)
{
    return three(0x92400000 | 62 << 10, reg, reg, (unsigned)__builtin_clzl(size));
}

void cm_words_step(cm_words *code)
{
    cm_words_write_integer(code, three(0x91000400, BITS, BITS, 0), CM_FACT_INT_SCALAR_ADD);
    for (unsigned i = 0; i < CM_WORK_BUFFERS; i++) {
        cm_words_write_integer(code, three(0x8B000000, BUFFER + i, BUFFER + i, STEP + i), CM_FACT_INT_SCALAR_ADD);
        cm_words_write_integer(code, without_bit(BUFFER + i, code->memory->sizes[i]), CM_FACT_INT_SCALAR_LOGIC);
    }
}

void cm_words_loop(cm_words *code, size_t first)
{
    cm_words_write_integer(code, three(0xD1000400, COUNT, COUNT, 0), CM_FACT_INT_SCALAR_ADD);
    cm_words_write(code, 0xB5000000 | (((uint32_t)(first - code->used) / CM_WORD) & 0x7FFFF) << 5 | COUNT);
}

void cm_words_return(cm_words *code)
{
    cm_words_write(code, 0xD65F0000 | KEPT << 5);
}
