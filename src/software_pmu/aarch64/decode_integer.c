/* Instructions on integers: in general registers (C4.1.65 and C4.1.66, "Data Processing"), and in Advanced SIMD vectors
 * (C4.1.68).
 *
 * Their kinds are those of x86-64 (software_pmu/x86_64/int_class.c). Multiply-adds on general registers are
 * multiplications, for which there is no other instruction; those on vectors have no kind, as minima, maxima, averages,
 * differences, narrowing without a shift and additions of pairs have none. Selection under a condition and extension
 * are moves. Scalars in vector registers and scalable vectors have no kind. */
#include "software_pmu/aarch64/decode.h"

/* "Data Processing -- Immediate"; register 31 is zero, or the stack pointer. */
static const cm_decoded_row immediates[] = {
    {0x1F000000, 0x10000000, CM_FACT_INT_SCALAR_ADDRESS}, /* adr adrp */
    {0x3F80001F, 0x3100001F, CM_FACT_INT_SCALAR_COMPARE}, /* cmp cmn */
    {0x7FFFFC1F, 0x1100001F, CM_FACT_INT_SCALAR_MOVE},    /* mov to the stack pointer */
    {0x7FFFFFE0, 0x110003E0, CM_FACT_INT_SCALAR_MOVE},    /* mov from it */
    {0x1F800000, 0x11000000, CM_FACT_INT_SCALAR_ADD},     /* add adds sub subs */
    {0x7F80001F, 0x7200001F, CM_FACT_INT_SCALAR_COMPARE}, /* tst */
    {0x7F8003E0, 0x320003E0, CM_FACT_INT_SCALAR_MOVE},    /* mov, by orr with zero */
    {0x1F800000, 0x12000000, CM_FACT_INT_SCALAR_LOGIC},   /* and ands orr eor */
    {0x1F800000, 0x12800000, CM_FACT_INT_SCALAR_MOVE},    /* movn movz movk */
    {0x1F800000, 0x13800000, CM_FACT_INT_SCALAR_SHIFT},   /* extr, ror */
};

/* "Data Processing -- Register". */
static const cm_decoded_row registers[] = {
    {0x7F20001F, 0x6A00001F, CM_FACT_INT_SCALAR_COMPARE}, /* tst */
    {0x7FE0FFE0, 0x2A0003E0, CM_FACT_INT_SCALAR_MOVE},    /* mov */
    {0x1F000000, 0x0A000000, CM_FACT_INT_SCALAR_LOGIC},   /* and bic orr orn eor eon */
    {0x3F00001F, 0x2B00001F, CM_FACT_INT_SCALAR_COMPARE}, /* cmp cmn */
    {0x1F000000, 0x0B000000, CM_FACT_INT_SCALAR_ADD},     /* add sub, shifted or extended, neg */
    {0x1FE0FC00, 0x1A000000, CM_FACT_INT_SCALAR_ADD},     /* adc sbc */
    {0x1FE00000, 0x1A400000, CM_FACT_INT_SCALAR_COMPARE}, /* ccmp ccmn */
    {0x1FE00000, 0x1A800000, CM_FACT_INT_SCALAR_MOVE},    /* csel csinc csinv csneg */
    {0x7FE0F800, 0x1AC00800, CM_FACT_INT_SCALAR_DIV},     /* udiv sdiv */
    {0x7FE0F000, 0x1AC02000, CM_FACT_INT_SCALAR_SHIFT},   /* lsl lsr asr ror */
    {0x7FE0E000, 0x1AC04000, CM_FACT_CRC_INSTRUCTIONS},   /* crc32 crc32c */
    {0x7FFFE000, 0x5AC00000, CM_FACT_INT_SCALAR_LOGIC},   /* rbit rev16 rev32 rev clz cls */
    {0x7F000000, 0x1B000000, CM_FACT_INT_SCALAR_MUL},     /* madd msub smaddl umulh ... */
};

/* "three same", "three different", "two-register miscellaneous", "by element"; \u is bit 29. */
#define SAME(opcode) 0x9F20FC00, 0x0E200400 | (opcode) << 11
#define SAME_OF(u, opcode) 0xBF20FC00, 0x0E200400 | (u) << 29 | (opcode) << 11
#define DIFFERENT(opcode) 0x9F20FC00, 0x0E200000 | (opcode) << 12
#define DIFFERENT_OF(u, opcode) 0xBF20FC00, 0x0E200000 | (u) << 29 | (opcode) << 12
#define MISC(opcode) 0x9F3FFC00, 0x0E200800 | (opcode) << 12
#define MISC_OF(u, opcode) 0xBF3FFC00, 0x0E200800 | (u) << 29 | (opcode) << 12
#define BY_ELEMENT(u, opcode) 0xBF00F400, 0x0F000000 | (u) << 29 | (opcode) << 12
#define OF(operation) CM_FACT_INT_VECTOR + CM_INT_##operation

static const cm_decoded_row integer_vectors[] = {
    {SAME(1), OF(ADD)},                                 /* sqadd uqadd */
    {SAME_OF(0, 16), OF(ADD)},                          /* add */
    {SAME(5), OF(SUB)},                                 /* sqsub uqsub */
    {SAME_OF(1, 16), OF(SUB)},                          /* sub */
    {SAME(3), OF(LOGIC)},                               /* and bic orr orn eor bsl bit bif */
    {SAME(6), OF(COMPARE)},                             /* cmgt cmhi */
    {SAME(7), OF(COMPARE)},                             /* cmge cmhs */
    {SAME(17), OF(COMPARE)},                            /* cmtst cmeq */
    {SAME(8), OF(SHIFT)},                               /* sshl ushl */
    {SAME(9), OF(SHIFT)},                               /* sqshl uqshl */
    {SAME(10), OF(SHIFT)},                              /* srshl urshl */
    {SAME(11), OF(SHIFT)},                              /* sqrshl uqrshl */
    {SAME(19), OF(MUL)},                                /* mul pmul */
    {SAME(22), OF(MUL)},                                /* sqdmulh sqrdmulh */
    {DIFFERENT(0), OF(ADD)},                            /* saddl uaddl */
    {DIFFERENT(1), OF(ADD)},                            /* saddw uaddw */
    {DIFFERENT(4), OF(ADD)},                            /* addhn raddhn */
    {DIFFERENT(2), OF(SUB)},                            /* ssubl usubl */
    {DIFFERENT(3), OF(SUB)},                            /* ssubw usubw */
    {DIFFERENT(6), OF(SUB)},                            /* subhn rsubhn */
    {DIFFERENT(12), OF(MUL)},                           /* smull umull */
    {DIFFERENT_OF(0, 13), OF(MUL)},                     /* sqdmull */
    {DIFFERENT_OF(0, 14), OF(MUL)},                     /* pmull */
    {BY_ELEMENT(0, 8), OF(MUL)},                        /* mul */
    {BY_ELEMENT(0, 10), OF(MUL)},                       /* smull */
    {BY_ELEMENT(1, 10), OF(MUL)},                       /* umull */
    {BY_ELEMENT(0, 11), OF(MUL)},                       /* sqdmull */
    {BY_ELEMENT(0, 12), OF(MUL)},                       /* sqdmulh */
    {BY_ELEMENT(0, 13), OF(MUL)},                       /* sqrdmulh */
    {MISC(0), OF(SHUFFLE)},                             /* rev64 rev32 */
    {MISC_OF(0, 1), OF(SHUFFLE)},                       /* rev16 */
    {MISC(3), OF(ADD)},                                 /* suqadd usqadd */
    {0xBFFFFC00, 0x2E205800, OF(LOGIC)},                /* not */
    {MISC(8), OF(COMPARE)},                             /* cmgt cmge, with 0 */
    {MISC(9), OF(COMPARE)},                             /* cmeq cmle */
    {MISC_OF(0, 10), OF(COMPARE)},                      /* cmlt */
    {MISC_OF(1, 19), OF(SHIFT)},                        /* shll */
    {0xBF208C00, 0x0E000800, OF(SHUFFLE)},              /* uzp zip trn */
    {0xBFE08400, 0x2E000000, OF(SHUFFLE)},              /* ext */
    {0xBFE08C00, 0x0E000000, OF(SHUFFLE)},              /* tbl tbx */
    {0x9FF89C00, 0x0F001400, OF(LOGIC)},                /* orr bic, of words and a constant */
    {0x9FF8DC00, 0x0F009400, OF(LOGIC)},                /* of halfwords */
    {0xFFC08000, 0xCE000000, OF(LOGIC)},                /* eor3 bcax */
    {0xFFFFCC00, 0x4E284800, CM_FACT_AES_INSTRUCTIONS}, /* aese aesd aesmc aesimc */
};

/* "Bitfield": an extension to a word or more is a move; with zeros or signs beside the bits a shift; else logic. */
static size_t of_bits(uint32_t word)
{
    enum { SIGNED = 0, INSERTED = 1, UNSIGNED = 2 };
    unsigned kind = cm_code_bits(word, 30, 29), from = cm_code_bits(word, 21, 16), last = cm_code_bits(word, 15, 10);
    unsigned top = word >> 31 != 0 ? 63 : 31;
    bool extends = last == 7 || last == 15 || (last == 31 && top == 63);
    if (kind == INSERTED)
        return CM_FACT_INT_SCALAR_LOGIC;
    if (last == top || (kind == UNSIGNED && last + 1 == from))
        return CM_FACT_INT_SCALAR_SHIFT;
    bool moves = from == 0 && extends && (kind == SIGNED || top == 31);
    return moves ? CM_FACT_INT_SCALAR_MOVE : CM_FACT_INT_SCALAR_LOGIC;
}

void cm_a64_decode_immediate(uint32_t word, cm_decoded *decoded)
{
    if ((word & 0x1F800000) == 0x13000000)
        cm_decoded_add(decoded, of_bits(word));
    else
        cm_decoded_find(word, immediates, sizeof immediates / sizeof immediates[0], decoded);
}

void cm_a64_decode_register(uint32_t word, cm_decoded *decoded)
{
    cm_decoded_find(word, registers, sizeof registers / sizeof registers[0], decoded);
}

/* "Shift by immediate": a shift by 0 would be another instruction; conversions are from opcode 28 on. */
static bool is_vector_shift(uint32_t word)
{
    return (word & 0x9F800400) == 0x0F000400 && cm_code_bits(word, 22, 19) != 0 && cm_code_bits(word, 15, 11) < 28;
}

/* orr of a register with itself. */
static bool is_vector_move(uint32_t word)
{
    return (word & 0xBFE0FC00) == 0x0EA01C00 && cm_code_bits(word, 20, 16) == cm_code_bits(word, 9, 5);
}

void cm_a64_decode_vector_integer(uint32_t word, cm_decoded *decoded)
{
    if (is_vector_shift(word))
        cm_decoded_add(decoded, OF(SHIFT));
    else if (!is_vector_move(word))
        cm_decoded_find(word, integer_vectors, sizeof integer_vectors / sizeof integer_vectors[0], decoded);
}
