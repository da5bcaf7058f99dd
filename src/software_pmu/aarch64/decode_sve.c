/* Scalable vectors (C4.1.65 "SVE encodings"): arithmetic, counted by the length of the vectors. All lanes count, and
 * separately the active ones, if the code alone determines them. */
#include "software_pmu/aarch64/decode.h"

#define ROW(mask, value, operation, precision)                                                                         \
    {                                                                                                                  \
        mask, value, operation, precision, false                                                                       \
    }
#define SIZED(mask, value, operation) ROW(mask, value, operation, CM_A64_OF_COMPLEX)

static const cm_a64_fp_row rows[] = {
    SIZED(0xFF20FC00, 0x65000000, CM_DECODED_ADD),      /* fadd */
    SIZED(0xFF20FC00, 0x65000400, CM_DECODED_SUB),      /* fsub */
    SIZED(0xFF20FC00, 0x65000800, CM_DECODED_MUL),      /* fmul */
    SIZED(0xFF20FC00, 0x65000C00, CM_DECODED_OTHER),    /* ftsmul */
    SIZED(0xFF20F800, 0x65001800, CM_DECODED_OTHER),    /* frecps frsqrts */
    SIZED(0xFF3FE000, 0x65008000, CM_DECODED_ADD),      /* the same, masked */
    SIZED(0xFF3FE000, 0x65018000, CM_DECODED_SUB),      /* fsub */
    SIZED(0xFF3FE000, 0x65028000, CM_DECODED_MUL),      /* fmul */
    SIZED(0xFF3FE000, 0x65038000, CM_DECODED_SUB),      /* fsubr */
    SIZED(0xFF3CE000, 0x65048000, CM_DECODED_MINMAX),   /* fmaxnm fminnm fmax fmin */
    SIZED(0xFF3FE000, 0x65088000, CM_DECODED_OTHER),    /* fabd */
    SIZED(0xFF3FE000, 0x650A8000, CM_DECODED_OTHER),    /* fmulx */
    SIZED(0xFF3EE000, 0x650C8000, CM_DECODED_DIV),      /* fdivr fdiv */
    SIZED(0xFF38FC00, 0x65108000, CM_DECODED_OTHER),    /* ftmad */
    SIZED(0xFF3FE3C0, 0x65188000, CM_DECODED_ADD),      /* the same with a constant */
    SIZED(0xFF3FE3C0, 0x65198000, CM_DECODED_SUB),      /* fsub */
    SIZED(0xFF3FE3C0, 0x651A8000, CM_DECODED_MUL),      /* fmul */
    SIZED(0xFF3FE3C0, 0x651B8000, CM_DECODED_SUB),      /* fsubr */
    SIZED(0xFF3CE3C0, 0x651C8000, CM_DECODED_MINMAX),   /* fmaxnm fminnm fmax fmin */
    SIZED(0xFF200000, 0x65200000, CM_DECODED_FMA),      /* fmla fmls fnmla fnmls fmad fmsb fnmad fnmsb */
    SIZED(0xFF3FE000, 0x65002000, CM_DECODED_OTHER),    /* faddv */
    SIZED(0xFF3CE000, 0x65042000, CM_DECODED_MINMAX),   /* fmaxnmv fminnmv fmaxv fminv */
    SIZED(0xFF3FE000, 0x65182000, CM_DECODED_OTHER),    /* fadda */
    SIZED(0xFF3EFC00, 0x650E3000, CM_DECODED_ESTIMATE), /* frecpe frsqrte */
    SIZED(0xFF3CE000, 0x65102000, CM_DECODED_COMPARE),  /* fcm*, with 0 */
    SIZED(0xFF204000, 0x65004000, CM_DECODED_COMPARE),  /* fcm* fac* */
    SIZED(0xFF3FE000, 0x650CA000, CM_DECODED_ESTIMATE), /* frecpx */
    SIZED(0xFF3FE000, 0x650DA000, CM_DECODED_SQRT),     /* fsqrt */
    SIZED(0xFF3CE000, 0x6508A000, CM_DECODED_CONVERT),  /* fcvt fcvtx bfcvt */
    SIZED(0xFF38E000, 0x6510A000, CM_DECODED_CONVERT),  /* scvtf ucvtf */
    SIZED(0xFFF8E000, 0x6518A000, 0),                   /* flogb */
    SIZED(0xFF38E000, 0x6518A000, CM_DECODED_CONVERT),  /* fcvtzs fcvtzu */
    SIZED(0xFF3FE000, 0x64108000, CM_DECODED_OTHER),    /* faddp */
    SIZED(0xFF3CE000, 0x64148000, CM_DECODED_MINMAX),   /* fmaxnmp fminnmp fmaxp fminp */
    SIZED(0xFF3EE000, 0x64008000, CM_DECODED_OTHER),    /* fcadd */
    SIZED(0xFF208000, 0x64000000, CM_DECODED_OTHER),    /* fcmla */
    SIZED(0xFF3CE000, 0x6408A000, CM_DECODED_CONVERT),  /* fcvtnt fcvtlt fcvtxnt bfcvtnt */
    ROW(0xFF20F800, 0x64200000, CM_DECODED_FMA, CM_A64_OF_SIZE_HALF_UP),  /* fmla fmls by element */
    ROW(0xFF20FC00, 0x64202000, CM_DECODED_MUL, CM_A64_OF_SIZE_HALF_UP),  /* fmul by element */
    ROW(0xFF20F000, 0x64201000, CM_DECODED_OTHER, CM_A64_OF_SIZE_FROM_2), /* fcmla by element */
    ROW(0xFFE0D800, 0x64A08000, CM_DECODED_FMA, CM_A64_OF_SINGLE),        /* fmlalb fmlalt fmlslb fmlslt */
    ROW(0xFFE0D000, 0x64A04000, CM_DECODED_FMA, CM_A64_OF_SINGLE),        /* the same by element */
    ROW(0xFFE0FC00, 0x64A0E400, CM_DECODED_OTHER, CM_A64_OF_SINGLE),      /* fmmla */
    ROW(0xFFE0FC00, 0x64E0E400, CM_DECODED_OTHER, CM_A64_OF_DOUBLE),      /* fmmla */
};

/* Arithmetic that no predicate governs. */
static const struct {
    uint32_t mask, value;
} unmasked[] = {
    {0xFF20E000, 0x65000000}, /* fadd fsub fmul ftsmul frecps frsqrts */
    {0xFF38FC00, 0x65108000}, /* ftmad */
    {0xFF3EFC00, 0x650E3000}, /* frecpe frsqrte */
    {0xFF200000, 0x64200000}, /* by element, long, of matrices */
};

static bool is_masked(uint32_t word)
{
    for (size_t i = 0; i < sizeof unmasked / sizeof unmasked[0]; i++)
        if ((word & unmasked[i].mask) == unmasked[i].value)
            return false;
    return true;
}

/* Counts an operation in each active lane. */
static void count_lanes(uint32_t word, const cm_a64_fp_row *row, cm_decoded *decoded)
{
    static const uint8_t sizes[] = {[CM_FP_HALF] = 1, [CM_FP_SINGLE] = 2, [CM_FP_DOUBLE] = 3};
    cm_decoded_operation operation = (cm_decoded_operation)row->operation;
    unsigned precision = cm_a64_precision_of(word, row);
    if (operation == 0 || operation == CM_DECODED_COMPARE || operation == CM_DECODED_CONVERT ||
        precision == CM_A64_NO_PRECISION)
        return;
    unsigned lanes = decoded->vectors.bits / (8u << sizes[precision]);
    decoded->predicate = (uint8_t)cm_code_bits(word, 12, 10);
    decoded->mask_lane = (uint8_t)(1u << sizes[precision]);
    if (is_masked(word))
        lanes = cm_a64_active_lanes(&decoded->vectors, decoded->predicate, sizes[precision]);
    cm_decoded_lanes(decoded, operation, (cm_fp_precision)precision, lanes);
}

void cm_a64_decode_sve(uint32_t word, cm_decoded *decoded)
{
    unsigned bits = decoded->vectors.bits;
    const cm_a64_fp_row *row = NULL;
    decoded->scalable = true;
    cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if (cm_a64_decode_sve_memory(word, decoded))
        return;
    if (bits == 128 || bits == 256 || bits >= 512) /* no fact has other widths */
        row = cm_a64_find_fp(word, rows, sizeof rows / sizeof rows[0], cm_scalable_width(bits), decoded);
    if (row != NULL)
        count_lanes(word, row, decoded);
    cm_a64_follow_predicates(word, &decoded->vectors);
}
