/* Scalar floating point and Advanced SIMD (C4.1.68): the instructions that are floating-point arithmetic, and their
 * kinds.
 *
 * The same operations count as arithmetic as on x86-64 (software_pmu/x86_64/fp_class.c): `other` is minima, maxima,
 * absolute differences, extended products, estimates and their steps, additions of pairs and complex arithmetic.
 * Rounding, changes of sign and bfloat16 do not count. Vectors of 64 bits count as vectors of 128: no fact has their
 * width. */
#include "software_pmu/aarch64/decode.h"

/* The top byte is 0x1E or 0x1F. */
static const cm_a64_fp_row scalars[] = {
    {0xFF000000, 0x1F000000, CM_DECODED_FMA, CM_A64_OF_TYPE, false},     /* fmadd fmsub fnmadd fnmsub */
    {0xFF20FC00, 0x1E200800, CM_DECODED_MUL, CM_A64_OF_TYPE, false},     /* fmul */
    {0xFF20FC00, 0x1E201800, CM_DECODED_DIV, CM_A64_OF_TYPE, false},     /* fdiv */
    {0xFF20FC00, 0x1E202800, CM_DECODED_ADD, CM_A64_OF_TYPE, false},     /* fadd */
    {0xFF20FC00, 0x1E203800, CM_DECODED_SUB, CM_A64_OF_TYPE, false},     /* fsub */
    {0xFF20CC00, 0x1E204800, CM_DECODED_MINMAX, CM_A64_OF_TYPE, false},  /* fmax fmin fmaxnm fminnm */
    {0xFF20FC00, 0x1E208800, CM_DECODED_MUL, CM_A64_OF_TYPE, false},     /* fnmul */
    {0xFF3FFC00, 0x1E21C000, CM_DECODED_SQRT, CM_A64_OF_TYPE, false},    /* fsqrt */
    {0xFF3E7C00, 0x1E224000, CM_DECODED_CONVERT, CM_A64_OF_TYPE, false}, /* fcvt, bfcvt */
    {0xFF20FC00, 0x1E202000, CM_DECODED_COMPARE, CM_A64_OF_TYPE, false}, /* fcmp fcmpe */
    {0xFF200C00, 0x1E200400, CM_DECODED_COMPARE, CM_A64_OF_TYPE, false}, /* fccmp fccmpe */
    {0x7F3FFC00, 0x1E3E0000, CM_DECODED_CONVERT, CM_A64_OF_TYPE, false}, /* fjcvtzs */
    {0x7F26FC00, 0x1E260000, 0, CM_A64_OF_TYPE, false},                  /* fmov from and to general registers */
    {0x7F20FC00, 0x1E200000, CM_DECODED_CONVERT, CM_A64_OF_TYPE, false}, /* fcvt* scvtf ucvtf */
    {0x7F200000, 0x1E000000, CM_DECODED_CONVERT, CM_A64_OF_TYPE, false}, /* the same, fixed-point */
};

/* Advanced SIMD, scalar (bits 30 and 28 set) or vector (bit 28 clear). \u is bit 29, \a bit 23. */
#define SAME(u, a, opcode) 0xAFA0FC00, 0x0E200400 | (u) << 29 | (a) << 23 | (opcode) << 11
#define SAME_HALF(u, a, opcode) 0xAFE0FC00, 0x0E400400 | (u) << 29 | (a) << 23 | (opcode) << 11
#define MISC(u, a, opcode) 0xAFBFFC00, 0x0E200800 | (u) << 29 | (a) << 23 | (opcode) << 12
#define MISC_HALF(u, a, opcode) 0xAFFFFC00, 0x0E780800 | (u) << 29 | (a) << 23 | (opcode) << 12
#define ACROSS(u, opcode) 0xAF3FFC00, 0x0E300800 | (u) << 29 | (opcode) << 12
#define BY_ELEMENT(u, opcode) 0xAF00F400, 0x0F000000 | UINT32_C(u) << 29 | (opcode) << 12
#define LONG_BY_ELEMENT(u, opcode) 0xAFC0F400, 0x0F800000 | UINT32_C(u) << 29 | (opcode) << 12

/* "three same", "two-register miscellaneous": single, double, half. */
#define BOTH(form, u, a, opcode, opcode_half, operation)                                                               \
    {form(u, a, opcode), operation, CM_A64_OF_SZ, false},                                                              \
    {                                                                                                                  \
        form##_HALF(u, a, opcode_half), operation, CM_A64_OF_HALF, false                                               \
    }

static const cm_a64_fp_row fp_vectors[] = {
    BOTH(SAME, 0, 0, 24, 0, CM_DECODED_MINMAX),                /* fmaxnm */
    BOTH(SAME, 0, 1, 24, 0, CM_DECODED_MINMAX),                /* fminnm */
    BOTH(SAME, 1, 0, 24, 0, CM_DECODED_MINMAX),                /* fmaxnmp */
    BOTH(SAME, 1, 1, 24, 0, CM_DECODED_MINMAX),                /* fminnmp */
    BOTH(SAME, 0, 0, 30, 6, CM_DECODED_MINMAX),                /* fmax */
    BOTH(SAME, 0, 1, 30, 6, CM_DECODED_MINMAX),                /* fmin */
    BOTH(SAME, 1, 0, 30, 6, CM_DECODED_MINMAX),                /* fmaxp */
    BOTH(SAME, 1, 1, 30, 6, CM_DECODED_MINMAX),                /* fminp */
    BOTH(SAME, 0, 0, 25, 1, CM_DECODED_FMA),                   /* fmla */
    BOTH(SAME, 0, 1, 25, 1, CM_DECODED_FMA),                   /* fmls */
    BOTH(SAME, 0, 0, 26, 2, CM_DECODED_ADD),                   /* fadd */
    BOTH(SAME, 0, 1, 26, 2, CM_DECODED_SUB),                   /* fsub */
    BOTH(SAME, 1, 0, 26, 2, CM_DECODED_OTHER),                 /* faddp */
    BOTH(SAME, 1, 1, 26, 2, CM_DECODED_OTHER),                 /* fabd */
    BOTH(SAME, 0, 0, 27, 3, CM_DECODED_OTHER),                 /* fmulx */
    BOTH(SAME, 1, 0, 27, 3, CM_DECODED_MUL),                   /* fmul */
    BOTH(SAME, 0, 0, 31, 7, CM_DECODED_OTHER),                 /* frecps */
    BOTH(SAME, 0, 1, 31, 7, CM_DECODED_OTHER),                 /* frsqrts */
    BOTH(SAME, 1, 0, 31, 7, CM_DECODED_DIV),                   /* fdiv */
    BOTH(SAME, 0, 0, 28, 4, CM_DECODED_COMPARE),               /* fcmeq */
    BOTH(SAME, 1, 0, 28, 4, CM_DECODED_COMPARE),               /* fcmge */
    BOTH(SAME, 1, 1, 28, 4, CM_DECODED_COMPARE),               /* fcmgt */
    BOTH(SAME, 1, 0, 29, 5, CM_DECODED_COMPARE),               /* facge */
    BOTH(SAME, 1, 1, 29, 5, CM_DECODED_COMPARE),               /* facgt */
    {SAME(0, 0, 29), CM_DECODED_FMA, CM_A64_OF_SINGLE, false}, /* fmlal */
    {SAME(0, 1, 29), CM_DECODED_FMA, CM_A64_OF_SINGLE, false}, /* fmlsl */
    {SAME(1, 0, 25), CM_DECODED_FMA, CM_A64_OF_SINGLE, false}, /* fmlal2 */
    {SAME(1, 1, 25), CM_DECODED_FMA, CM_A64_OF_SINGLE, false}, /* fmlsl2 */
    BOTH(MISC, 0, 1, 12, 12, CM_DECODED_COMPARE),              /* fcmgt, with 0 */
    BOTH(MISC, 0, 1, 13, 13, CM_DECODED_COMPARE),              /* fcmeq */
    BOTH(MISC, 0, 1, 14, 14, CM_DECODED_COMPARE),              /* fcmlt */
    BOTH(MISC, 1, 1, 12, 12, CM_DECODED_COMPARE),              /* fcmge */
    BOTH(MISC, 1, 1, 13, 13, CM_DECODED_COMPARE),              /* fcmle */
    BOTH(MISC, 0, 0, 26, 26, CM_DECODED_CONVERT),              /* fcvtns */
    BOTH(MISC, 0, 0, 27, 27, CM_DECODED_CONVERT),              /* fcvtms */
    BOTH(MISC, 0, 0, 28, 28, CM_DECODED_CONVERT),              /* fcvtas */
    BOTH(MISC, 0, 0, 29, 29, CM_DECODED_CONVERT),              /* scvtf */
    BOTH(MISC, 0, 1, 26, 26, CM_DECODED_CONVERT),              /* fcvtps */
    BOTH(MISC, 0, 1, 27, 27, CM_DECODED_CONVERT),              /* fcvtzs */
    BOTH(MISC, 1, 0, 26, 26, CM_DECODED_CONVERT),              /* fcvtnu */
    BOTH(MISC, 1, 0, 27, 27, CM_DECODED_CONVERT),              /* fcvtmu */
    BOTH(MISC, 1, 0, 28, 28, CM_DECODED_CONVERT),              /* fcvtau */
    BOTH(MISC, 1, 0, 29, 29, CM_DECODED_CONVERT),              /* ucvtf */
    BOTH(MISC, 1, 1, 26, 26, CM_DECODED_CONVERT),              /* fcvtpu */
    BOTH(MISC, 1, 1, 27, 27, CM_DECODED_CONVERT),              /* fcvtzu */
    {MISC(0, 0, 22), CM_DECODED_CONVERT, CM_A64_OF_SZ, false}, /* fcvtn */
    {MISC(0, 0, 23), CM_DECODED_CONVERT, CM_A64_OF_SZ, false}, /* fcvtl */
    {MISC(0, 1, 22), CM_DECODED_CONVERT, CM_A64_OF_SZ, false}, /* bfcvtn */
    {MISC(1, 0, 22), CM_DECODED_CONVERT, CM_A64_OF_SZ, false}, /* fcvtxn */
    BOTH(MISC, 0, 1, 29, 29, CM_DECODED_ESTIMATE),             /* frecpe */
    BOTH(MISC, 1, 1, 29, 29, CM_DECODED_ESTIMATE),             /* frsqrte */
    BOTH(MISC, 0, 1, 31, 31, CM_DECODED_ESTIMATE),             /* frecpx */
    BOTH(MISC, 1, 1, 31, 31, CM_DECODED_SQRT),                 /* fsqrt */
    {ACROSS(0, 12), CM_DECODED_MINMAX, CM_A64_OF_HALF, true},  /* fmaxnmv fminnmv fmaxnmp fminnmp */
    {ACROSS(1, 12), CM_DECODED_MINMAX, CM_A64_OF_SZ, true},
    {ACROSS(0, 15), CM_DECODED_MINMAX, CM_A64_OF_HALF, true}, /* fmaxv fminv fmaxp fminp */
    {ACROSS(1, 15), CM_DECODED_MINMAX, CM_A64_OF_SZ, true},
    {ACROSS(0, 13), CM_DECODED_OTHER, CM_A64_OF_HALF, true}, /* faddp */
    {ACROSS(1, 13), CM_DECODED_OTHER, CM_A64_OF_SZ, true},
    {BY_ELEMENT(0, 1), CM_DECODED_FMA, CM_A64_OF_ELEMENT, false},         /* fmla */
    {BY_ELEMENT(0, 5), CM_DECODED_FMA, CM_A64_OF_ELEMENT, false},         /* fmls */
    {BY_ELEMENT(0, 9), CM_DECODED_MUL, CM_A64_OF_ELEMENT, false},         /* fmul */
    {BY_ELEMENT(1, 9), CM_DECODED_OTHER, CM_A64_OF_ELEMENT, false},       /* fmulx */
    {LONG_BY_ELEMENT(0, 0), CM_DECODED_FMA, CM_A64_OF_SINGLE, false},     /* fmlal */
    {LONG_BY_ELEMENT(0, 4), CM_DECODED_FMA, CM_A64_OF_SINGLE, false},     /* fmlsl */
    {LONG_BY_ELEMENT(1, 8), CM_DECODED_FMA, CM_A64_OF_SINGLE, false},     /* fmlal2 */
    {LONG_BY_ELEMENT(1, 12), CM_DECODED_FMA, CM_A64_OF_SINGLE, false},    /* fmlsl2 */
    {0xAF009400, 0x2F001000, CM_DECODED_OTHER, CM_A64_OF_COMPLEX, false}, /* fcmla by element */
    {0xAF20E400, 0x2E00C400, CM_DECODED_OTHER, CM_A64_OF_COMPLEX, false}, /* fcmla */
    {0xAF20EC00, 0x2E00E400, CM_DECODED_OTHER, CM_A64_OF_COMPLEX, false}, /* fcadd */
};
#undef SAME
#undef MISC
#undef BY_ELEMENT

/* Fixed-point conversions: "shift by immediate", if that is not 0. */
static bool is_shift_conversion(uint32_t word)
{
    bool opcode = (word & 0x8F80FC00) == 0x0F00E400 || (word & 0x8F80FC00) == 0x0F00FC00;
    return opcode && cm_code_bits(word, 22, 19) != 0;
}

void cm_a64_decode_fp(uint32_t word, cm_decoded *decoded)
{
    bool advanced_scalar = (word & 0xD0000000) == 0x50000000;
    bool vector = (word & 0x90000000) == 0;
    cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if ((advanced_scalar || vector) && is_shift_conversion(word))
        cm_decoded_add(decoded, CM_FACT_FP_CONVERSIONS);
    else if (advanced_scalar || vector)
        cm_a64_find_fp(word, fp_vectors, sizeof fp_vectors / sizeof fp_vectors[0], vector ? CM_FP_128 : CM_FP_SCALAR,
                       decoded);
    else
        cm_a64_find_fp(word, scalars, sizeof scalars / sizeof scalars[0], CM_FP_SCALAR, decoded);
}
