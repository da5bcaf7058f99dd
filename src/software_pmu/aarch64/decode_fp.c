/* Scalar floating point and Advanced SIMD (C4.1.68): which instructions are floating-point arithmetic, and of what
 * kind.
 *
 * What counts as arithmetic is what does on x86-64 (software_pmu/x86_64/fp_class.c): `other` is minima, maxima,
 * absolute differences, extended products, estimates and their steps, what adds pairs or is complex. Rounding, sign and
 * bfloat16 are none of it. Vectors of 64 bits count as such of 128: no fact has their width. */
#include "software_pmu/aarch64/decode.h"

#include "software_pmu/machine/facts.h"

typedef enum fp_kind {
    ADD = CM_FP_ADD,
    SUB = CM_FP_SUB,
    MUL = CM_FP_MUL,
    DIV = CM_FP_DIV,
    SQRT = CM_FP_SQRT,
    FMA = CM_FP_FMA,
    OTHER = CM_FP_OTHER,
    MINMAX,
    ESTIMATE,
    COMPARE,
    CONVERT,
} fp_kind;

/* Where the precision stands: in bits 23 and 22, in bit 22 alone, or nowhere. */
typedef enum precision_field {
    TYPE,    /* of scalars: 0 single, 1 double, 3 half */
    ELEMENT, /* by element: 0 half, 2 single, 3 double */
    COMPLEX, /* 1 half, 2 single, 3 double */
    SZ,      /* bit 22: single or double */
    HALF,
    SINGLE,
} precision_field;

typedef struct fp_row {
    uint32_t mask, value;
    uint8_t operation, precision;
    bool vector; /* though the result is a scalar: it comes from a whole register */
} fp_row;

/* 0x1E and 0x1F in the top byte. */
static const fp_row scalars[] = {
    {0xFF000000, 0x1F000000, FMA, TYPE, false},     /* fmadd fmsub fnmadd fnmsub */
    {0xFF20FC00, 0x1E200800, MUL, TYPE, false},     /* fmul */
    {0xFF20FC00, 0x1E201800, DIV, TYPE, false},     /* fdiv */
    {0xFF20FC00, 0x1E202800, ADD, TYPE, false},     /* fadd */
    {0xFF20FC00, 0x1E203800, SUB, TYPE, false},     /* fsub */
    {0xFF20CC00, 0x1E204800, MINMAX, TYPE, false},  /* fmax fmin fmaxnm fminnm */
    {0xFF20FC00, 0x1E208800, MUL, TYPE, false},     /* fnmul */
    {0xFF3FFC00, 0x1E21C000, SQRT, TYPE, false},    /* fsqrt */
    {0xFF3E7C00, 0x1E224000, CONVERT, TYPE, false}, /* fcvt, bfcvt */
    {0xFF20FC00, 0x1E202000, COMPARE, TYPE, false}, /* fcmp fcmpe */
    {0xFF200C00, 0x1E200400, COMPARE, TYPE, false}, /* fccmp fccmpe */
    {0x7F3FFC00, 0x1E3E0000, CONVERT, TYPE, false}, /* fjcvtzs */
    {0x7F26FC00, 0x1E260000, 0, TYPE, false},       /* fmov from and to general registers */
    {0x7F20FC00, 0x1E200000, CONVERT, TYPE, false}, /* fcvt* scvtf ucvtf */
    {0x7F200000, 0x1E000000, CONVERT, TYPE, false}, /* the same, fixed-point */
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
    {form(u, a, opcode), operation, SZ, false},                                                                        \
    {                                                                                                                  \
        form##_HALF(u, a, opcode_half), operation, HALF, false                                                         \
    }

static const fp_row vectors[] = {
    BOTH(SAME, 0, 0, 24, 0, MINMAX),      /* fmaxnm */
    BOTH(SAME, 0, 1, 24, 0, MINMAX),      /* fminnm */
    BOTH(SAME, 1, 0, 24, 0, MINMAX),      /* fmaxnmp */
    BOTH(SAME, 1, 1, 24, 0, MINMAX),      /* fminnmp */
    BOTH(SAME, 0, 0, 30, 6, MINMAX),      /* fmax */
    BOTH(SAME, 0, 1, 30, 6, MINMAX),      /* fmin */
    BOTH(SAME, 1, 0, 30, 6, MINMAX),      /* fmaxp */
    BOTH(SAME, 1, 1, 30, 6, MINMAX),      /* fminp */
    BOTH(SAME, 0, 0, 25, 1, FMA),         /* fmla */
    BOTH(SAME, 0, 1, 25, 1, FMA),         /* fmls */
    BOTH(SAME, 0, 0, 26, 2, ADD),         /* fadd */
    BOTH(SAME, 0, 1, 26, 2, SUB),         /* fsub */
    BOTH(SAME, 1, 0, 26, 2, OTHER),       /* faddp */
    BOTH(SAME, 1, 1, 26, 2, OTHER),       /* fabd */
    BOTH(SAME, 0, 0, 27, 3, OTHER),       /* fmulx */
    BOTH(SAME, 1, 0, 27, 3, MUL),         /* fmul */
    BOTH(SAME, 0, 0, 31, 7, OTHER),       /* frecps */
    BOTH(SAME, 0, 1, 31, 7, OTHER),       /* frsqrts */
    BOTH(SAME, 1, 0, 31, 7, DIV),         /* fdiv */
    BOTH(SAME, 0, 0, 28, 4, COMPARE),     /* fcmeq */
    BOTH(SAME, 1, 0, 28, 4, COMPARE),     /* fcmge */
    BOTH(SAME, 1, 1, 28, 4, COMPARE),     /* fcmgt */
    BOTH(SAME, 1, 0, 29, 5, COMPARE),     /* facge */
    BOTH(SAME, 1, 1, 29, 5, COMPARE),     /* facgt */
    {SAME(0, 0, 29), FMA, SINGLE, false}, /* fmlal */
    {SAME(0, 1, 29), FMA, SINGLE, false}, /* fmlsl */
    {SAME(1, 0, 25), FMA, SINGLE, false}, /* fmlal2 */
    {SAME(1, 1, 25), FMA, SINGLE, false}, /* fmlsl2 */
    BOTH(MISC, 0, 1, 12, 12, COMPARE),    /* fcmgt, with 0 */
    BOTH(MISC, 0, 1, 13, 13, COMPARE),    /* fcmeq */
    BOTH(MISC, 0, 1, 14, 14, COMPARE),    /* fcmlt */
    BOTH(MISC, 1, 1, 12, 12, COMPARE),    /* fcmge */
    BOTH(MISC, 1, 1, 13, 13, COMPARE),    /* fcmle */
    BOTH(MISC, 0, 0, 26, 26, CONVERT),    /* fcvtns */
    BOTH(MISC, 0, 0, 27, 27, CONVERT),    /* fcvtms */
    BOTH(MISC, 0, 0, 28, 28, CONVERT),    /* fcvtas */
    BOTH(MISC, 0, 0, 29, 29, CONVERT),    /* scvtf */
    BOTH(MISC, 0, 1, 26, 26, CONVERT),    /* fcvtps */
    BOTH(MISC, 0, 1, 27, 27, CONVERT),    /* fcvtzs */
    BOTH(MISC, 1, 0, 26, 26, CONVERT),    /* fcvtnu */
    BOTH(MISC, 1, 0, 27, 27, CONVERT),    /* fcvtmu */
    BOTH(MISC, 1, 0, 28, 28, CONVERT),    /* fcvtau */
    BOTH(MISC, 1, 0, 29, 29, CONVERT),    /* ucvtf */
    BOTH(MISC, 1, 1, 26, 26, CONVERT),    /* fcvtpu */
    BOTH(MISC, 1, 1, 27, 27, CONVERT),    /* fcvtzu */
    {MISC(0, 0, 22), CONVERT, SZ, false}, /* fcvtn */
    {MISC(0, 0, 23), CONVERT, SZ, false}, /* fcvtl */
    {MISC(0, 1, 22), CONVERT, SZ, false}, /* bfcvtn */
    {MISC(1, 0, 22), CONVERT, SZ, false}, /* fcvtxn */
    BOTH(MISC, 0, 1, 29, 29, ESTIMATE),   /* frecpe */
    BOTH(MISC, 1, 1, 29, 29, ESTIMATE),   /* frsqrte */
    BOTH(MISC, 0, 1, 31, 31, ESTIMATE),   /* frecpx */
    BOTH(MISC, 1, 1, 31, 31, SQRT),       /* fsqrt */
    {ACROSS(0, 12), MINMAX, HALF, true},  /* fmaxnmv fminnmv fmaxnmp fminnmp */
    {ACROSS(1, 12), MINMAX, SZ, true},
    {ACROSS(0, 15), MINMAX, HALF, true}, /* fmaxv fminv fmaxp fminp */
    {ACROSS(1, 15), MINMAX, SZ, true},
    {ACROSS(0, 13), OTHER, HALF, true}, /* faddp */
    {ACROSS(1, 13), OTHER, SZ, true},
    {BY_ELEMENT(0, 1), FMA, ELEMENT, false},         /* fmla */
    {BY_ELEMENT(0, 5), FMA, ELEMENT, false},         /* fmls */
    {BY_ELEMENT(0, 9), MUL, ELEMENT, false},         /* fmul */
    {BY_ELEMENT(1, 9), OTHER, ELEMENT, false},       /* fmulx */
    {LONG_BY_ELEMENT(0, 0), FMA, SINGLE, false},     /* fmlal */
    {LONG_BY_ELEMENT(0, 4), FMA, SINGLE, false},     /* fmlsl */
    {LONG_BY_ELEMENT(1, 8), FMA, SINGLE, false},     /* fmlal2 */
    {LONG_BY_ELEMENT(1, 12), FMA, SINGLE, false},    /* fmlsl2 */
    {0xAF009400, 0x2F001000, OTHER, COMPLEX, false}, /* fcmla by element */
    {0xAF20E400, 0x2E00C400, OTHER, COMPLEX, false}, /* fcmla */
    {0xAF20EC00, 0x2E00E400, OTHER, COMPLEX, false}, /* fcadd */
};

enum { NO_PRECISION = CM_FP_PRECISIONS };

static unsigned precision_of(uint32_t word, precision_field field)
{
    static const uint8_t by_size[][4] = {
        [TYPE] = {CM_FP_SINGLE, CM_FP_DOUBLE, NO_PRECISION, CM_FP_HALF},
        [ELEMENT] = {CM_FP_HALF, NO_PRECISION, CM_FP_SINGLE, CM_FP_DOUBLE},
        [COMPLEX] = {NO_PRECISION, CM_FP_HALF, CM_FP_SINGLE, CM_FP_DOUBLE},
        [SZ] = {CM_FP_SINGLE, CM_FP_DOUBLE, CM_FP_SINGLE, CM_FP_DOUBLE},
        [HALF] = {CM_FP_HALF, CM_FP_HALF, CM_FP_HALF, CM_FP_HALF},
        [SINGLE] = {CM_FP_SINGLE, CM_FP_SINGLE, CM_FP_SINGLE, CM_FP_SINGLE},
    };
    return by_size[field][cm_a64_bits(word, 23, 22)];
}

static void add_arithmetic(cm_a64 *decoded, unsigned precision, cm_fp_width width, fp_kind operation)
{
    cm_fp_operation plain = operation > OTHER ? CM_FP_OTHER : (cm_fp_operation)operation;
    cm_a64_add(decoded, cm_fact_fp((cm_fp_precision)precision, width, plain));
    if (plain != CM_FP_FMA)
        cm_a64_add(decoded, cm_fact_fp((cm_fp_precision)precision, width, CM_FP_ANY));
    if (operation == MINMAX)
        cm_a64_add(decoded, CM_FACT_FP_MIN_MAX);
    if (operation == ESTIMATE)
        cm_a64_add(decoded, CM_FACT_FP_RECIPROCALS);
}

static void take(uint32_t word, const fp_row *row, cm_fp_width width, cm_a64 *decoded)
{
    unsigned precision = precision_of(word, (precision_field)row->precision);
    if (row->operation == COMPARE)
        cm_a64_add(decoded, CM_FACT_FP_COMPARES);
    else if (row->operation == CONVERT)
        cm_a64_add(decoded, CM_FACT_FP_CONVERSIONS);
    else if (row->operation != 0 && precision != NO_PRECISION)
        add_arithmetic(decoded, precision, row->vector ? CM_FP_128 : width, (fp_kind)row->operation);
}

static void find(uint32_t word, const fp_row *rows, size_t count, cm_fp_width width, cm_a64 *decoded)
{
    for (size_t i = 0; i < count; i++)
        if ((word & rows[i].mask) == rows[i].value) {
            take(word, &rows[i], width, decoded);
            return;
        }
}

/* Fixed-point conversions: "shift by immediate", where that is not 0. */
static bool is_shift_conversion(uint32_t word)
{
    bool opcode = (word & 0x8F80FC00) == 0x0F00E400 || (word & 0x8F80FC00) == 0x0F00FC00;
    return opcode && cm_a64_bits(word, 22, 19) != 0;
}

void cm_a64_decode_fp(uint32_t word, cm_a64 *decoded)
{
    bool advanced_scalar = (word & 0xD0000000) == 0x50000000;
    bool vector = (word & 0x90000000) == 0;
    cm_a64_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if ((advanced_scalar || vector) && is_shift_conversion(word))
        cm_a64_add(decoded, CM_FACT_FP_CONVERSIONS);
    else if (advanced_scalar || vector)
        find(word, vectors, sizeof vectors / sizeof vectors[0], vector ? CM_FP_128 : CM_FP_SCALAR, decoded);
    else
        find(word, scalars, sizeof scalars / sizeof scalars[0], CM_FP_SCALAR, decoded);
}
