/* Arithmetic and moves in vector registers.
 *
 * For each precision a register holds ones and three hold results: sums, products, quotients and roots of whole numbers
 * and ones, so that no result is denormal or NaN. Loads and logic use other registers. */
#include "cat-kernels/x86_64/isa.h"
#include "programs/x86_64/code.h"

enum { RESULTS = 3, REGISTERS = RESULTS + 1, MOVED = 3 * REGISTERS, LOADED = MOVED + 2 };

static const unsigned widths_isa[] = {CM_ISA_SSE2, CM_ISA_SSE2, CM_ISA_AVX, CM_ISA_AVX512F};

bool cm_vector_available(const cm_work *work, unsigned isa)
{
    unsigned needed = widths_isa[work->width];
    bool moves = work->kind == CM_WORK_FP || work->kind == CM_WORK_VECTOR_MOVE;
    if (!moves && work->width == CM_FP_256)
        needed |= CM_ISA_AVX2;
    if (work->kind == CM_WORK_FP && work->operation == CM_FP_FMA)
        needed |= CM_ISA_FMA;
    if (work->kind == CM_WORK_FP && work->precision == CM_FP_HALF)
        needed |= CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16;
    return (needed & ~isa) == 0;
}

static bool has_avx(const cm_code *code)
{
    return (code->isa & CM_ISA_AVX) != 0;
}

static cm_operand vector(size_t number, cm_fp_width width)
{
    static const ZydisRegister first[] = {ZYDIS_REGISTER_XMM0, ZYDIS_REGISTER_XMM0, ZYDIS_REGISTER_YMM0,
                                          ZYDIS_REGISTER_ZMM0};
    return cm_register((ZydisRegister)(first[width] + number));
}

/* In the encoding of 512 bits and half precision, a mask follows the first operand: k0 for none. */
static void encode_vector(cm_code *code, ZydisMnemonic mnemonic, bool masked, size_t count, const cm_operand *operands)
{
    cm_operand all[4] = {operands[0], cm_register(ZYDIS_REGISTER_K0)};
    memcpy(all + 2, operands + 1, (count - 1) * sizeof *operands);
    if (masked)
        cm_code_write(code, mnemonic, count + 1, all);
    else
        cm_code_write(code, mnemonic, count, operands);
}

/* mnemonic(a, b) in the processor's newest form: b on a, or b on a into a. */
static void write_on(cm_code *code, const ZydisMnemonic mnemonics[2], bool masked, cm_operand a, cm_operand b)
{
    const cm_operand operands[] = {a, a, b};
    if (has_avx(code))
        encode_vector(code, mnemonics[1], masked, 3, operands);
    else
        encode_vector(code, mnemonics[0], false, 2, operands + 1);
}

static void write_move(cm_code *code, bool masked, cm_operand to, cm_operand from)
{
    const cm_operand operands[] = {to, from};
    encode_vector(code, has_avx(code) ? ZYDIS_MNEMONIC_VMOVAPS : ZYDIS_MNEMONIC_MOVAPS, masked, 2, operands);
}

/* ---- arithmetic ---- */

typedef struct form {
    ZydisMnemonic scalar, packed;
} form;

#define FORMS(name, half_scalar, half_packed)                                                                          \
    {                                                                                                                  \
        {half_scalar, half_packed}, {ZYDIS_MNEMONIC_##name##SS, ZYDIS_MNEMONIC_##name##PS},                            \
        {                                                                                                              \
            ZYDIS_MNEMONIC_##name##SD, ZYDIS_MNEMONIC_##name##PD                                                       \
        }                                                                                                              \
    }
#define OLD(name) FORMS(name, ZYDIS_MNEMONIC_INVALID, ZYDIS_MNEMONIC_INVALID)
#define NEW(name) FORMS(V##name, ZYDIS_MNEMONIC_V##name##SH, ZYDIS_MNEMONIC_V##name##PH)

static const form old_forms[CM_FP_OPERATIONS][CM_FP_PRECISIONS] = {
    [CM_FP_ADD] = OLD(ADD), [CM_FP_SUB] = OLD(SUB),   [CM_FP_MUL] = OLD(MUL),
    [CM_FP_DIV] = OLD(DIV), [CM_FP_SQRT] = OLD(SQRT),
};
static const form new_forms[CM_FP_OPERATIONS][CM_FP_PRECISIONS] = {
    [CM_FP_ADD] = NEW(ADD), [CM_FP_SUB] = NEW(SUB),   [CM_FP_MUL] = NEW(MUL),
    [CM_FP_DIV] = NEW(DIV), [CM_FP_SQRT] = NEW(SQRT), [CM_FP_FMA] = NEW(FMADD231),
};

/* Writes arithmetic on the next result register. */
static void write_arithmetic(cm_code *code, const cm_work *work)
{
    bool scalar = work->width == CM_FP_SCALAR, masked = work->width == CM_FP_512 || work->precision == CM_FP_HALF;
    const form *of =
        has_avx(code) ? &new_forms[work->operation][work->precision] : &old_forms[work->operation][work->precision];
    const ZydisMnemonic mnemonic = scalar ? of->scalar : of->packed;
    size_t first = (size_t)work->precision * REGISTERS;
    cm_operand ones = vector(first + RESULTS, work->width);
    cm_operand result = vector(first + code->registers++ % RESULTS, work->width);
    if (work->operation == CM_FP_FMA)
        encode_vector(code, mnemonic, masked, 3, (const cm_operand[]){result, ones, ones});
    else if (work->operation == CM_FP_SQRT && !scalar)
        encode_vector(code, mnemonic, masked, 2, (const cm_operand[]){result, ones});
    else
        write_on(code, (const ZydisMnemonic[]){mnemonic, mnemonic}, masked, result, ones);
}

/* ---- other work ---- */

/* Integer work: the old mnemonic, the new one, and the operation of both. */
static const struct {
    cm_work_kind kind;
    ZydisMnemonic mnemonics[2];
    cm_int_operation operation;
} vector_integers[] = {
    {CM_WORK_VECTOR_LOGIC, {ZYDIS_MNEMONIC_PXOR, ZYDIS_MNEMONIC_VPXOR}, CM_INT_LOGIC},
    {CM_WORK_VECTOR_INTEGER, {ZYDIS_MNEMONIC_PADDD, ZYDIS_MNEMONIC_VPADDD}, CM_INT_ADD},
    {CM_WORK_VECTOR_SUBTRACT, {ZYDIS_MNEMONIC_PSUBD, ZYDIS_MNEMONIC_VPSUBD}, CM_INT_SUB},
    {CM_WORK_VECTOR_MULTIPLY, {ZYDIS_MNEMONIC_PMULUDQ, ZYDIS_MNEMONIC_VPMULUDQ}, CM_INT_MUL},
    {CM_WORK_VECTOR_SHIFT, {ZYDIS_MNEMONIC_PSLLD, ZYDIS_MNEMONIC_VPSLLD}, CM_INT_SHIFT},
    {CM_WORK_VECTOR_COMPARE, {ZYDIS_MNEMONIC_PCMPEQD, ZYDIS_MNEMONIC_VPCMPEQD}, CM_INT_COMPARE},
    {CM_WORK_VECTOR_SHUFFLE, {ZYDIS_MNEMONIC_PSHUFD, ZYDIS_MNEMONIC_VPSHUFD}, CM_INT_SHUFFLE},
};

/* Shifts and shuffles with a constant: old shifts take no source. */
static void write_constant(cm_code *code, ZydisMnemonic mnemonic, bool masked, bool source, cm_operand to,
                           cm_operand from)
{
    const cm_operand operands[] = {to, from, cm_immediate(1)}, short_form[] = {to, cm_immediate(1)};
    encode_vector(code, mnemonic, masked, source ? 3 : 2, source ? operands : short_form);
}

/* Writes integer work on vectors. */
static void write_integers(cm_code *code, const cm_work *work, cm_operand to, cm_operand from)
{
    bool masked = work->width == CM_FP_512;
    size_t i = 0;
    while (vector_integers[i].kind != work->kind)
        i++;
    const ZydisMnemonic mnemonic = vector_integers[i].mnemonics[has_avx(code)];
    code->facts[cm_fact_int(work->width - CM_FP_128, vector_integers[i].operation)] += 1.0;
    if (work->kind == CM_WORK_VECTOR_SHIFT || work->kind == CM_WORK_VECTOR_SHUFFLE)
        write_constant(code, mnemonic, masked, has_avx(code) || work->kind == CM_WORK_VECTOR_SHUFFLE, to, from);
    else if (work->kind == CM_WORK_VECTOR_COMPARE && masked)
        encode_vector(code, mnemonic, true, 3, (const cm_operand[]){cm_register(ZYDIS_REGISTER_K1), to, from});
    else if (work->kind == CM_WORK_VECTOR_LOGIC && masked)
        encode_vector(code, ZYDIS_MNEMONIC_VPXORD, true, 3, (const cm_operand[]){to, to, from});
    else
        write_on(code, vector_integers[i].mnemonics, masked, to, from);
}

/* Moves one element, in the first place of a register. */
static void write_scalar(cm_code *code, const cm_work *work)
{
    static const ZydisMnemonic moves[][2] = {{ZYDIS_MNEMONIC_MOVSS, ZYDIS_MNEMONIC_MOVSD},
                                             {ZYDIS_MNEMONIC_VMOVSS, ZYDIS_MNEMONIC_VMOVSD}};
    const ZydisMnemonic move = moves[has_avx(code)][work->bytes == 8];
    cm_operand memory = cm_work_memory(work);
    if (work->kind == CM_WORK_LOAD_SCALAR)
        CM_PUT(code, move, vector(LOADED, CM_FP_SCALAR), memory);
    else
        CM_PUT(code, move, memory, vector(MOVED, CM_FP_SCALAR));
}

static void write_conversion(cm_code *code)
{
    const cm_operand to = vector(MOVED, CM_FP_SCALAR), from = cm_register(ZYDIS_REGISTER_RCX);
    if (has_avx(code))
        CM_PUT(code, ZYDIS_MNEMONIC_VCVTSI2SD, to, to, from);
    else
        CM_PUT(code, ZYDIS_MNEMONIC_CVTSI2SD, to, from);
}

void cm_vector_write(cm_code *code, const cm_work *work)
{
    cm_operand to = vector(MOVED, work->width), from = vector(MOVED + 1, work->width);
    bool masked = work->width == CM_FP_512;
    switch (work->kind) {
    case CM_WORK_FP: write_arithmetic(code, work); break;
    case CM_WORK_VECTOR_MOVE: write_move(code, masked, to, from); break;
    case CM_WORK_LOAD_SCALAR:
    case CM_WORK_STORE_SCALAR: write_scalar(code, work); break;
    case CM_WORK_CONVERT: write_conversion(code); break;
    case CM_WORK_AES: CM_PUT(code, ZYDIS_MNEMONIC_AESENC, to, from); break;
    default: write_integers(code, work, to, from); break;
    }
}

static cm_fp_width width_of(unsigned bytes)
{
    return bytes == 64 ? CM_FP_512 : bytes == 32 ? CM_FP_256 : CM_FP_128;
}

static ZydisMnemonic unaligned_move(const cm_code *code)
{
    return has_avx(code) ? ZYDIS_MNEMONIC_VMOVUPS : ZYDIS_MNEMONIC_MOVUPS;
}

void cm_vector_load(cm_code *code, const cm_operand *memory)
{
    const cm_operand operands[] = {vector(LOADED, width_of(memory->mem.size)), *memory};
    encode_vector(code, unaligned_move(code), memory->mem.size == 64, 2, operands);
}

void cm_vector_store(cm_code *code, const cm_operand *memory, bool non_temporal)
{
    const cm_operand operands[] = {*memory, vector(MOVED, width_of(memory->mem.size))};
    const ZydisMnemonic past = has_avx(code) ? ZYDIS_MNEMONIC_VMOVNTPS : ZYDIS_MNEMONIC_MOVNTPS;
    if (non_temporal)
        cm_code_write(code, past, 2, operands); /* without a mask, at any width */
    else
        encode_vector(code, unaligned_move(code), memory->mem.size == 64, 2, operands);
}

void cm_vector_begin(cm_code *code, const void *const *ones)
{
    cm_fp_width widest = (code->isa & CM_ISA_AVX512F) != 0 ? CM_FP_512 : has_avx(code) ? CM_FP_256 : CM_FP_128;
    unsigned bytes = 8u << widest;
    bool masked = widest == CM_FP_512;
    if ((code->isa & CM_ISA_SSE2) == 0)
        return;
    for (size_t precision = 0; precision < CM_FP_PRECISIONS; precision++) {
        size_t first = precision * REGISTERS;
        const cm_operand operands[] = {vector(first + RESULTS, widest), cm_memory(ZYDIS_REGISTER_RAX, 0, bytes)};
        CM_PUT(code, ZYDIS_MNEMONIC_MOV, cm_register(ZYDIS_REGISTER_RAX),
               cm_immediate((int64_t)(intptr_t)ones[precision]));
        encode_vector(code, unaligned_move(code), masked, 2, operands);
        cm_work_add_load(bytes, 1.0, code->facts);
        for (size_t i = 0; i < RESULTS; i++)
            write_move(code, masked, vector(first + i, widest), vector(first + RESULTS, widest));
    }
    for (size_t i = MOVED; i <= LOADED; i++)
        write_move(code, masked, vector(i, widest), vector(RESULTS, widest));
}

void cm_vector_end(cm_code *code)
{
    if (has_avx(code))
        cm_code_write(code, ZYDIS_MNEMONIC_VZEROUPPER, 0, NULL);
}
