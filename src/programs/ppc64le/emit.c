/* Programs as ppc64le code, called as kernels are: iterations in r3.
 *
 * r4 holds the code's first address, r5 to r7 move through the buffers, r8 through the random bits; r9 and r10 are
 * scratch registers, r11 holds addresses and loaded values, r12 keeps the return address; field 5 of cr says whether
 * iterations are left. vs0 to vs11 hold, for scalars in single precision, for those in double and for vectors in
 * double, and vs32 to vs35 for vectors in single, three results and ones: sums, products, quotients and roots of whole
 * numbers and ones, so that no result is denormal or NaN. vs36 and vs37 are moved, vs38 and vs39 loaded. */
#include "cat-kernels/ppc64le/isa.h"
#include "programs/programs.h"

/* ---- Instructions of Power by their forms. Source: Power ISA Version 3.1, Book I, 1.6 "Instruction Formats" ---- */

/* Opcode and three fields of five bits. */
static uint32_t cm_ppc_fields(uint32_t opcode, uint32_t first, uint32_t second, uint32_t third)
{
    return opcode << 26 | first << 21 | second << 16 | third << 11;
}

/* A displacement or an immediate of 16 bits. */
static uint32_t cm_ppc_d(uint32_t opcode, uint32_t first, uint32_t second, int32_t value)
{
    return cm_ppc_fields(opcode, first, second, 0) | ((uint32_t)value & 0xFFFF);
}

/* Opcode 31, extended opcode; logical instructions have their result second. */
static uint32_t cm_ppc_x(uint32_t extended, uint32_t first, uint32_t second, uint32_t third)
{
    return cm_ppc_fields(31, first, second, third) | extended << 1;
}

/* Rotates left by `by`, and keeps the bits from `mask` on (kind 0, rldicl) or up to it (kind 1, rldicr). */
static uint32_t cm_ppc_rotate(uint32_t kind, uint32_t to, uint32_t from, uint32_t by, uint32_t mask)
{
    return cm_ppc_fields(30, from, to, by & 31) | (mask & 31) << 6 | (mask >> 5) << 5 | kind << 2 | (by >> 5) << 1;
}

/* VSX with three registers of 64, and with two. */
static uint32_t cm_ppc_xx3(uint32_t extended, uint32_t to, uint32_t a, uint32_t b)
{
    return cm_ppc_fields(60, to & 31, a & 31, b & 31) | extended << 3 | (a >> 5) << 2 | (b >> 5) << 1 | to >> 5;
}

static uint32_t cm_ppc_xx2(uint32_t extended, uint32_t to, uint32_t from)
{
    return cm_ppc_fields(60, to & 31, 0, from & 31) | extended << 2 | (from >> 5) << 1 | to >> 5;
}

/* ---- programs ---- */

enum { COUNT = 3, CODE, BUFFER, BITS = 8, WORKED, ADDRESS = 11, KEPT };
enum { RESULTS = 3, MOVED = 36, LOADED = 38, V = 32 /* first register of VMX */ };

const uint32_t cm_words_nop = 0x60000000, cm_words_return_word = 0x4E800020, cm_words_trap = 0x7FE00008;

/* The instructions that load vectors came with Power ISA 3.0 and 3.1. */
bool cm_words_available(const cm_work *work, unsigned isa)
{
    if (work->width > CM_FP_128 || work->bytes > 32 || (work->kind == CM_WORK_FP && work->precision == CM_FP_HALF))
        return false;
    return (isa & (work->bytes >= 16 ? CM_ISA_POWER10 : CM_ISA_VSX)) != 0;
}

/* ---- arithmetic ---- */

/* Codes of the old scalars have five bits, of VSX eight, of square roots nine; both are for single precision. */
static const struct {
    uint16_t old, vsx;
} forms[CM_FP_OPERATIONS] = {
    [CM_FP_ADD] = {21, 0},  [CM_FP_SUB] = {20, 8}, [CM_FP_MUL] = {25, 16},
    [CM_FP_DIV] = {18, 24}, [CM_FP_FMA] = {29, 1}, [CM_FP_SQRT] = {22, 11},
};

static unsigned first_of(const cm_work *work)
{
    bool is_double = work->precision == CM_FP_DOUBLE;
    if (work->width == CM_FP_SCALAR)
        return is_double ? 4 : 0;
    return is_double ? 8 : V;
}

/* Scalar arithmetic in the instructions that were there before VSX. */
static uint32_t old_form(const cm_work *work, uint32_t to, uint32_t ones)
{
    uint32_t word = cm_ppc_fields(work->precision == CM_FP_DOUBLE ? 63 : 59, to, 0, 0) | forms[work->operation].old
                                                                                             << 1;
    switch (work->operation) {
    case CM_FP_MUL: return word | to << 16 | ones << 6;
    case CM_FP_FMA: return word | ones << 16 | to << 11 | ones << 6;
    case CM_FP_SQRT: return word | ones << 11;
    default: return word | to << 16 | ones << 11;
    }
}

static uint32_t new_form(const cm_work *work, uint32_t to, uint32_t ones)
{
    uint32_t kind = (work->precision == CM_FP_DOUBLE) | (work->width != CM_FP_SCALAR) << 1;
    uint32_t extended = forms[work->operation].vsx;
    if (work->operation == CM_FP_SQRT)
        return cm_ppc_xx2(extended | kind << 6, to, ones);
    return cm_ppc_xx3(extended | kind << 5, to, work->operation == CM_FP_FMA ? ones : to, ones);
}

/* Every other scalar has the old form. */
void cm_words_write_arithmetic(cm_words *code, const cm_work *work)
{
    unsigned first = first_of(work), to = first + (unsigned)(code->results % RESULTS), ones = first + RESULTS;
    bool old = work->width == CM_FP_SCALAR && code->results % 2 == 0;
    code->results++;
    cm_words_write_vector(code, old ? old_form(work, to, ones) : new_form(work, to, ones));
}

/* ---- loads and stores ---- */

/* A load to the address register, or a store of the worked one. */
static void write_access(cm_words *code, const cm_work *work, bool load)
{
    static const struct {
        uint8_t bytes, load, store;
    } rows[] = {{1, 34, 38}, {2, 40, 44}, {4, 32, 36}, {8, 58, 62}};
    unsigned from = BUFFER + work->buffer;
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++)
        if (rows[i].bytes == work->bytes)
            cm_words_write(code, cm_ppc_d(load ? rows[i].load : rows[i].store, load ? ADDRESS : WORKED, from,
                                          (int32_t)work->offset));
}

/* lxv, stxv; lxvp, stxvp of two registers, whose number has its first bit last. */
static void write_vector_access(cm_words *code, const cm_work *work, bool load)
{
    unsigned from = BUFFER + work->buffer, reg = (load ? LOADED : MOVED) - V;
    if (work->bytes == 16)
        cm_words_write_vector(code, cm_ppc_d(61, reg, from, (int32_t)work->offset) | 8 | (load ? 1 : 5));
    else
        cm_words_write_vector(code, cm_ppc_d(6, reg | 1, from, (int32_t)work->offset) | (load ? 0 : 1));
}

void cm_words_write_access(cm_words *code, const cm_work *work, bool load)
{
    (work->bytes >= 16 ? write_vector_access : write_access)(code, work, load);
}

/* ---- other work without branches ---- */

#define FIELDS(opcode, first, second, third)                                                                           \
    ((uint32_t)(opcode) << 26 | (uint32_t)(first) << 21 | (uint32_t)(second) << 16 | (uint32_t)(third) << 11)
/* Opcode 31, opcode 4 on the moved registers, and VSX on the same. */
#define X(extended, first, second, third) FIELDS(31, first, second, third) | (extended) << 1
#define VMX(extended) FIELDS(4, MOVED - V, MOVED - V, MOVED + 1 - V) | (extended)
#define VSX(extended, first) FIELDS(60, MOVED - V, (first)-V, MOVED + 1 - V) | (extended) << 3 | 7
#define OF(operation) CM_FACT_INT_VECTOR + CM_INT_##operation
enum { A = WORKED, B = WORKED + 1, CR1 = 1 << 2, LONG = 1 /* of comparisons: 64 bits */ };

const cm_words_row cm_words_rows[] = {
    {CM_WORK_VECTOR_MOVE, VSX(146, MOVED + 1), CM_FACT_COUNT, true, CM_ISA_VSX},
    {CM_WORK_VECTOR_LOGIC, VSX(154, MOVED), OF(LOGIC), true, CM_ISA_VSX},
    {CM_WORK_VECTOR_INTEGER, VMX(192), OF(ADD), true, CM_ISA_VSX},
    {CM_WORK_VECTOR_SUBTRACT, VMX(1216), OF(SUB), true, CM_ISA_VSX},
    {CM_WORK_VECTOR_MULTIPLY, VMX(137), OF(MUL), true, CM_ISA_VSX},
    {CM_WORK_VECTOR_SHIFT, VMX(1476), OF(SHIFT), true, CM_ISA_VSX},
    {CM_WORK_VECTOR_COMPARE, VMX(199), OF(COMPARE), true, CM_ISA_VSX},
    {CM_WORK_VECTOR_SHUFFLE, VMX(140), OF(SHUFFLE), true, CM_ISA_VSX},
    {CM_WORK_AES, VMX(1288), CM_FACT_COUNT, true, CM_ISA_VSX},
    {CM_WORK_INTEGER_ADD, X(266, A, A, B), CM_FACT_INT_SCALAR_ADD, false, CM_ISA_VSX},
    {CM_WORK_INTEGER_MULTIPLY, X(233, A, A, B), CM_FACT_INT_SCALAR_MUL, false, CM_ISA_VSX},
    {CM_WORK_INTEGER_DIVIDE, X(457, ADDRESS, A, B), CM_FACT_INT_SCALAR_DIV, false, CM_ISA_VSX},
    {CM_WORK_INTEGER_SHIFT, FIELDS(30, B, B, 1) | 30 << 6 | 1 << 5 | 1 << 2, CM_FACT_INT_SCALAR_SHIFT, false,
     CM_ISA_VSX},
    {CM_WORK_INTEGER_LOGIC, X(316, B, B, A), CM_FACT_INT_SCALAR_LOGIC, false, CM_ISA_VSX},
    {CM_WORK_INTEGER_COMPARE, X(32, CR1 | LONG, A, B), CM_FACT_INT_SCALAR_COMPARE, false, CM_ISA_VSX},
    {CM_WORK_INTEGER_MOVE, X(444, A, ADDRESS, A), CM_FACT_INT_SCALAR_MOVE, false, CM_ISA_VSX},
    {CM_WORK_INTEGER_ADDRESS, FIELDS(19, ADDRESS, 0, 0) | 2 << 1, CM_FACT_INT_SCALAR_ADDRESS, false, CM_ISA_POWER9},
    {CM_WORK_STORE_FENCE, X(598, 1, 0, 0), CM_FACT_COUNT, false, CM_ISA_VSX}, /* lwsync */
    {CM_WORK_PAUSE, 0x7F7BDB78, CM_FACT_COUNT, false, CM_ISA_VSX},
};
const size_t cm_words_row_count = CM_COUNT_OF(cm_words_rows);

/* ---- branches ---- */

enum { OVER = 2 * CM_WORD, IF_NOT = 4, IF = 12, EQUAL = 2, EQUAL_5 = 22 };

static void write_conditional(cm_words *code, uint32_t condition, uint32_t bit, int32_t distance)
{
    cm_words_write(code, cm_ppc_d(16, condition, bit, distance));
}

void cm_words_write_steady(cm_words *code, bool taken)
{
    write_conditional(code, taken ? IF_NOT : IF, EQUAL_5, OVER);
}

void cm_words_write_bit(cm_words *code, unsigned plane)
{
    cm_words_write(code, cm_ppc_d(34, ADDRESS, BITS, 0));                                               /* lbz */
    cm_words_write_integer(code, cm_ppc_d(28, ADDRESS, ADDRESS, 1 << plane), CM_FACT_INT_SCALAR_LOGIC); /* andi. */
}

uint32_t cm_words_where_set(unsigned plane, int32_t distance)
{
    (void)plane;
    return cm_ppc_d(16, IF_NOT, EQUAL, distance);
}

static void write_to_count(cm_words *code, uint32_t reg)
{
    cm_words_write(code, cm_ppc_x(467, reg, 9, 0)); /* mtctr */
}

void cm_words_write_jump(cm_words *code, bool indirect)
{
    if (!indirect) {
        cm_words_write(code, 18u << 26 | OVER);
        return;
    }
    uint32_t addi = cm_ppc_d(14, ADDRESS, CODE, (int32_t)code->used + 2 * CM_WORD + OVER);
    cm_words_write_integer(code, addi, CM_FACT_INT_SCALAR_ADD);
    write_to_count(code, ADDRESS);
    cm_words_write(code, 0x4E800420); /* bctr */
}

void cm_words_write_call(cm_words *code, bool indirect)
{
    if (!indirect) {
        cm_words_write(code, 18u << 26 | ((uint32_t)-code->used & 0x3FFFFFC) | 1);
        return;
    }
    write_to_count(code, CODE);
    cm_words_write(code, 0x4E800421); /* bctrl */
}

/* ---- the loop ---- */

static void write_logic(cm_words *code, uint32_t opcode, uint32_t to, uint64_t value)
{
    cm_words_write_integer(code, cm_ppc_d(opcode, to, to, (int32_t)(value & 0xFFFF)), CM_FACT_INT_SCALAR_LOGIC);
}

static void write_constant(cm_words *code, uint32_t to, uint64_t value)
{
    cm_words_write_integer(code, cm_ppc_d(15, to, 0, (int32_t)(value >> 48)), CM_FACT_INT_SCALAR_MOVE); /* lis */
    write_logic(code, 24, to, value >> 32);                                                             /* ori */
    cm_words_write_integer(code, cm_ppc_rotate(1, to, to, 32, 31), CM_FACT_INT_SCALAR_SHIFT);           /* sldi */
    write_logic(code, 25, to, value >> 16);                                                             /* oris */
    write_logic(code, 24, to, value);
}

/* lxvd2x: all elements are equal, so their order does not matter. */
static void load_ones(cm_words *code)
{
    static const struct {
        uint8_t first, precision;
    } sets[] = {{0, CM_FP_DOUBLE}, {4, CM_FP_DOUBLE}, {8, CM_FP_DOUBLE}, {V, CM_FP_SINGLE}};
    for (size_t i = 0; i < CM_COUNT_OF(sets); i++) {
        write_constant(code, ADDRESS, (uintptr_t)code->memory->ones[sets[i].precision]);
        for (uint32_t k = 0; k <= RESULTS; k++) {
            cm_words_write_vector(code, cm_ppc_x(844, (sets[i].first + k) & 31, 0, ADDRESS) | sets[i].first / V);
            cm_work_add_load(16, 1.0, code->facts);
        }
    }
}

void cm_words_begin(cm_words *code)
{
    const cm_program_memory *memory = code->memory;
    load_ones(code);
    cm_words_write(code, cm_ppc_x(339, KEPT, 8, 0)); /* mflr */
    write_constant(code, CODE, (uintptr_t)code->bytes);
    write_constant(code, BITS, (uintptr_t)memory->bits);
    for (uint32_t i = 0; i < CM_WORK_BUFFERS; i++)
        write_constant(code, BUFFER + i, (uintptr_t)memory->buffers[i]);
    write_constant(code, WORKED, 3);
    write_constant(code, WORKED + 1, 5);
    cm_words_write_integer(code, cm_ppc_d(11, 5 << 2 | 1, COUNT, 0), CM_FACT_INT_SCALAR_COMPARE); /* cmpdi */
}

/* The bit that an address has only beyond the end of its buffer is rotated to the front, cut off and rotated back. */
void cm_words_step(cm_words *code)
{
    cm_words_write_integer(code, cm_ppc_d(14, BITS, BITS, 1), CM_FACT_INT_SCALAR_ADD);
    for (uint32_t i = 0; i < CM_WORK_BUFFERS; i++) {
        uint32_t reg = BUFFER + i, by = (uint32_t)__builtin_clzl(code->memory->sizes[i]);
        cm_words_write_integer(code, cm_ppc_d(14, reg, reg, (int32_t)code->memory->strides[i]), CM_FACT_INT_SCALAR_ADD);
        cm_words_write_integer(code, cm_ppc_rotate(0, reg, reg, by, 1), CM_FACT_INT_SCALAR_SHIFT);
        cm_words_write_integer(code, cm_ppc_rotate(0, reg, reg, 64 - by, 0), CM_FACT_INT_SCALAR_SHIFT);
    }
}

void cm_words_loop(cm_words *code, size_t first)
{
    cm_words_write_integer(code, cm_ppc_d(13, COUNT, COUNT, -1), CM_FACT_INT_SCALAR_ADD); /* addic. */
    write_conditional(code, IF_NOT, EQUAL, (int32_t)first - (int32_t)code->used);
}

void cm_words_return(cm_words *code)
{
    cm_words_write(code, cm_ppc_x(467, KEPT, 8, 0)); /* mtlr */
    cm_words_write(code, cm_words_return_word);
}
