/* Programs as riscv64 code, called as kernels are: iterations in a0. No instruction is compressed.
 *
 * a2 to a4 move through the buffers, a5 through the random bits, t4 to t6 are their steps, t2, t3 and a1 keep them
 * within the buffers; a6 and a7 are scratch registers, t1 holds addresses, t0 keeps the return address, since a jump
 * through it is a return. f0 to f7 and f10 to f13 hold, for each precision, three results and ones: sums, products,
 * quotients and roots of whole numbers and ones, so that no result is denormal or NaN. Encodings: The RISC-V
 * Instruction Set Manual, volume I, "RV32/64G Instruction Set Listings". */
#include "cat-kernels/riscv64/isa.h"
#include "programs/programs.h"

enum { ZERO = 0, LINK = 1, KEPT = 5, ADDRESS = 6, COUNT = 10, BUFFER = 12, BITS = 15, WORKED = 16, STEP = 29 };
enum { RESULTS = 3, REGISTERS = RESULTS + 1 };
enum { OVER = 2 * CM_WORD /* bytes */, JALR = 0x67, REACH = 4096 /* of a conditional branch, in bytes */ };

const uint32_t cm_words_nop = 0x00000013, cm_words_return_word = 0x00008067, cm_words_trap = 0x00100073;

static const unsigned masks[CM_WORK_BUFFERS] = {7, 28, 11};
static const unsigned firsts[CM_FP_PRECISIONS] = {0, 4, 10}; /* floating-point registers */

bool cm_words_available(const cm_work *work, unsigned isa)
{
    bool half = work->kind == CM_WORK_FP && work->precision == CM_FP_HALF;
    return (isa & (half ? CM_ISA_ZFH : CM_ISA_D)) != 0 && work->width == CM_FP_SCALAR && work->bytes <= 8;
}

/* ---- encoding of instructions ---- */

static uint32_t three(uint32_t word, unsigned to, unsigned first, unsigned second)
{
    return word | second << 20 | first << 15 | to << 7;
}

/* -2048 to 2047. */
static uint32_t immediate(uint32_t word, unsigned to, unsigned first, int64_t value)
{
    return word | ((uint32_t)value & 0xFFF) << 20 | first << 15 | to << 7;
}

static uint32_t jump_word(unsigned link, int64_t distance)
{
    uint32_t d = (uint32_t)distance;
    return 0x6F | (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12 |
           link << 7;
}

/* beqz, bnez. */
static uint32_t branch_word(bool where_zero, unsigned on, int64_t distance)
{
    uint32_t d = (uint32_t)distance;
    return 0x63 | (d >> 12 & 1) << 31 | (d >> 5 & 0x3F) << 25 | (uint32_t)!where_zero << 12 | on << 15 |
           (d >> 1 & 0xF) << 8 | (d >> 11 & 1) << 7;
}

static void write_addi(cm_words *code, unsigned to, unsigned from, int64_t value)
{
    bool moves = from == ZERO || value == 0;
    cm_words_write_integer(code, immediate(0x13, to, from, value),
                           moves ? CM_FACT_INT_SCALAR_MOVE : CM_FACT_INT_SCALAR_ADD);
}

/* ---- work without branches ---- */

/* Writes floating-point work. */
void cm_words_write_arithmetic(cm_words *code, const cm_work *work)
{
    enum { FMA = 0x7043, OTHERS = 0x7053 }; /* rounding mode of the processor */
    static const uint8_t operations[CM_FP_OPERATIONS] = {
        [CM_FP_ADD] = 0, [CM_FP_SUB] = 1, [CM_FP_MUL] = 2, [CM_FP_DIV] = 3, [CM_FP_SQRT] = 0x0B};
    static const uint32_t formats[CM_FP_PRECISIONS] = {[CM_FP_HALF] = 2, [CM_FP_SINGLE] = 0, [CM_FP_DOUBLE] = 1};
    unsigned first = firsts[work->precision], ones = first + RESULTS;
    unsigned result = first + (unsigned)(code->results++ % RESULTS);
    uint32_t format = formats[work->precision] << 25;
    if (work->operation == CM_FP_FMA)
        cm_words_write(code, three(FMA | format | result << 27, result, ones, ones));
    else if (work->operation == CM_FP_SQRT)
        cm_words_write(code, three(OTHERS | format | (uint32_t)operations[CM_FP_SQRT] << 27, result, ones, 0));
    else
        cm_words_write(code,
                       three(OTHERS | format | (uint32_t)operations[work->operation] << 27, result, result, ones));
}

/* Writes an access of 1, 2, 4 or 8 bytes: lbu to lwu and ld, sb to sd. */
void cm_words_write_access(cm_words *code, const cm_work *work, bool load)
{
    unsigned size = (unsigned)__builtin_ctz(work->bytes), base = BUFFER + work->buffer;
    if (load)
        cm_words_write(code, immediate(0x03 | (size == 3 ? size : size + 4) << 12, ADDRESS, base, work->offset));
    else
        cm_words_write(code, three(0x23 | size << 12 | work->offset >> 5 << 25, work->offset & 0x1F, base, WORKED));
}

#define THREE(word, to, first, second)                                                                                 \
    ((word) | (uint32_t)(second) << 20 | (uint32_t)(first) << 15 | (uint32_t)(to) << 7)
enum { A = WORKED, B = WORKED + 1 };

const cm_words_row cm_words_rows[] = {
    {CM_WORK_INTEGER_ADD, THREE(0x00000033, A, A, B), CM_FACT_INT_SCALAR_ADD, false, CM_ISA_D},
    {CM_WORK_INTEGER_MULTIPLY, THREE(0x02000033, A, A, B), CM_FACT_INT_SCALAR_MUL, false, CM_ISA_D},
    {CM_WORK_INTEGER_DIVIDE, THREE(0x02005033, ADDRESS, A, B), CM_FACT_INT_SCALAR_DIV, false, CM_ISA_D},
    {CM_WORK_INTEGER_SHIFT, THREE(0x00001013, B, B, 1), CM_FACT_INT_SCALAR_SHIFT, false, CM_ISA_D},
    {CM_WORK_INTEGER_LOGIC, THREE(0x00004033, B, B, A), CM_FACT_INT_SCALAR_LOGIC, false, CM_ISA_D},
    {CM_WORK_INTEGER_COMPARE, THREE(0x00003033, ADDRESS, A, B), CM_FACT_INT_SCALAR_COMPARE, false, CM_ISA_D},
    {CM_WORK_INTEGER_MOVE, THREE(0x00000013, ADDRESS, A, 0), CM_FACT_INT_SCALAR_MOVE, false, CM_ISA_D},
    {CM_WORK_INTEGER_ADDRESS, THREE(0x00000017, ADDRESS, 0, 0), CM_FACT_INT_SCALAR_ADDRESS, false, CM_ISA_D},
    {CM_WORK_LOAD_FENCE, 0x0230000F, CM_FACT_COUNT, false, CM_ISA_D},  /* fence r, rw */
    {CM_WORK_STORE_FENCE, 0x0110000F, CM_FACT_COUNT, false, CM_ISA_D}, /* fence w, w */
    {CM_WORK_PAUSE, 0x0100000F, CM_FACT_COUNT, false, CM_ISA_D},
};
const size_t cm_words_row_count = CM_COUNT_OF(cm_words_rows);

/* ---- branches ---- */

/* Branches on the iterations left. */
void cm_words_write_steady(cm_words *code, bool taken)
{
    cm_words_write(code, branch_word(!taken, COUNT, OVER));
}

void cm_words_write_bit(cm_words *code, unsigned plane)
{
    cm_words_write(code, immediate(0x4003, ADDRESS, BITS, 0));
    cm_words_write_integer(code, immediate(0x7013, ADDRESS, ADDRESS, INT64_C(1) << plane), CM_FACT_INT_SCALAR_LOGIC);
}

uint32_t cm_words_where_set(unsigned plane, int32_t distance)
{
    (void)plane;
    return branch_word(false, ADDRESS, distance);
}

/* auipc and jalr: to the address `distance` bytes from the first of them. */
static void write_far(cm_words *code, unsigned link, int64_t distance)
{
    uint32_t high = (uint32_t)(distance + 0x800) & 0xFFFFF000;
    cm_words_write_integer(code, 0x17 | high | ADDRESS << 7, CM_FACT_INT_SCALAR_ADDRESS);
    cm_words_write(code, immediate(JALR, link, ADDRESS, distance));
}

void cm_words_write_jump(cm_words *code, bool indirect)
{
    if (indirect)
        write_far(code, ZERO, OVER + CM_WORD);
    else
        cm_words_write(code, jump_word(ZERO, OVER));
}

void cm_words_write_call(cm_words *code, bool indirect)
{
    if (indirect)
        write_far(code, LINK, -(int64_t)code->used);
    else
        cm_words_write(code, jump_word(LINK, -(int64_t)code->used));
}

/* ---- the loop ---- */

/* Eleven bits at a time. */
static void write_constant(cm_words *code, unsigned to, uint64_t value)
{
    enum { PART = 11, LAST = 55 };
    write_addi(code, to, ZERO, (int64_t)(value >> LAST));
    for (unsigned from = LAST; from != 0;) {
        from -= PART;
        cm_words_write_integer(code, immediate(0x1013, to, to, PART), CM_FACT_INT_SCALAR_SHIFT);
        cm_words_write_integer(code, immediate(0x6013, to, to, (int64_t)(value >> from & ((1u << PART) - 1))),
                               CM_FACT_INT_SCALAR_LOGIC);
    }
}

/* Writes the code that loads 1.0 into all registers of arithmetic, in each precision. */
static void load_ones(cm_words *code)
{
    for (unsigned i = 0; i < CM_FP_PRECISIONS; i++) {
        unsigned bytes = 2u << i;
        if (i == CM_FP_HALF && (code->isa & CM_ISA_ZFH) == 0)
            continue;
        write_constant(code, ADDRESS, (uintptr_t)code->memory->ones[i]);
        for (unsigned k = 0; k < REGISTERS; k++) {
            cm_words_write(code, immediate(0x07 | (i + 1) << 12, firsts[i] + k, ADDRESS, 0));
            cm_work_add_load(bytes, 1.0, code->facts);
        }
    }
}

void cm_words_begin(cm_words *code)
{
    const cm_program_memory *memory = code->memory;
    load_ones(code);
    write_addi(code, KEPT, LINK, 0);
    write_constant(code, BITS, (uintptr_t)memory->bits);
    for (unsigned i = 0; i < CM_WORK_BUFFERS; i++) {
        write_constant(code, BUFFER + i, (uintptr_t)memory->buffers[i]);
        write_constant(code, STEP + i, memory->strides[i]);
        write_constant(code, masks[i], ~(uint64_t)memory->sizes[i]);
    }
    write_constant(code, WORKED, 3);
    write_constant(code, WORKED + 1, 5);
}

/* Only beyond the end of a buffer does its pointer have this bit. */
void cm_words_step(cm_words *code)
{
    write_addi(code, BITS, BITS, 1);
    for (unsigned i = 0; i < CM_WORK_BUFFERS; i++) {
        cm_words_write_integer(code, three(0x33, BUFFER + i, BUFFER + i, STEP + i), CM_FACT_INT_SCALAR_ADD);
        cm_words_write_integer(code, three(0x7033, BUFFER + i, BUFFER + i, masks[i]), CM_FACT_INT_SCALAR_LOGIC);
    }
}

/* Out of the branch's reach, it leads over a jump out to a jump back, of which one is executed. */
void cm_words_loop(cm_words *code, size_t first)
{
    write_addi(code, COUNT, COUNT, -1);
    if (code->used - first <= REACH) {
        cm_words_write(code, branch_word(false, COUNT, (int64_t)first - (int64_t)code->used));
        return;
    }
    cm_words_write(code, branch_word(false, COUNT, OVER));
    cm_words_write(code, jump_word(ZERO, OVER));
    cm_words_write(code, jump_word(ZERO, (int64_t)first - (int64_t)code->used));
    code->facts[CM_FACT_INSTRUCTIONS] -= 1.0;
    code->facts[CM_FACT_BRANCHES_UNCOND] += 1.0;
}

void cm_words_return(cm_words *code)
{
    cm_words_write(code, JALR | KEPT << 15);
}
