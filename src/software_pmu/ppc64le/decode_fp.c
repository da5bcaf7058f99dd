/* The instructions that are floating-point arithmetic, and their kinds: the old ones (opcodes 59 and 63), VSX (60, and
 * outer products in 59), VMX (4).
 *
 * The same operations count as arithmetic as on x86-64 (software_pmu/x86_64/fp_class.c): `other` is minima, maxima,
 * estimates, and outer products, whose result has 512 bits. Rounding to integers, changes of sign and selection do not
 * count; nor do decimal and quadruple precision and bfloat16, which have no facts. */
#include "software_pmu/ppc64le/decode.h"

/* Short names for the rows. */
enum {
    ADD = CM_DECODED_ADD,
    SUB = CM_DECODED_SUB,
    MUL = CM_DECODED_MUL,
    DIV = CM_DECODED_DIV,
    SQRT = CM_DECODED_SQRT,
    FMA = CM_DECODED_FMA,
    OTHER = CM_DECODED_OTHER,
    MINMAX = CM_DECODED_MINMAX,
    ESTIMATE = CM_DECODED_ESTIMATE,
    COMPARE = CM_DECODED_COMPARE,
    CONVERT = CM_DECODED_CONVERT,
};

typedef struct fp_row {
    uint16_t code;
    uint8_t operation;
} fp_row;

static const fp_row *find_row(const fp_row *rows, size_t count, unsigned code)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].code == code)
            return &rows[i];
    return NULL;
}

static void take_fp_row(cm_decoded *decoded, const fp_row *row, cm_fp_precision precision, cm_fp_width width)
{
    cm_decoded_fp(decoded, (cm_decoded_operation)row->operation, precision, width);
}

/* ---- the old ones ---- */

/* By five bits. */
static const fp_row old[] = {
    {18, DIV},      {20, SUB}, {21, ADD}, {22, SQRT}, {24, ESTIMATE}, /* fdiv fsub fadd fsqrt fre */
    {25, MUL},                                                        /* fmul */
    {26, ESTIMATE},                                                   /* frsqrte */
    {28, FMA},      {29, FMA}, {30, FMA}, {31, FMA},                  /* fmsub fmadd fnmsub fnmadd */
};

/* Instructions by ten bits. */
static const fp_row old_double[] = {
    {0, COMPARE},   {32, COMPARE},                  /* fcmpu fcmpo */
    {12, CONVERT},                                  /* frsp */
    {14, CONVERT},  {15, CONVERT},  {142, CONVERT}, /* fctiw fctiwz fctiwu */
    {143, CONVERT}, {814, CONVERT}, {815, CONVERT}, /* fctiwuz fctid fctidz */
    {942, CONVERT}, {943, CONVERT},                 /* fctidu fctiduz */
    {846, CONVERT}, {974, CONVERT},                 /* fcfid fcfidu */
};
static const fp_row old_single[] = {{846, CONVERT}, {974, CONVERT}}; /* fcfids fcfidus */

/* xvf32ger, xvf64ger and variants, by eight bits, without the bits of the signs: pp np pn nn. */
static bool is_outer(uint32_t word, cm_fp_precision *precision)
{
    unsigned code = cm_code_bits(word, 10, 3), kind = code & 0x3F;
    bool plain = code == 27 || code == 59;
    *precision = (kind & 32) != 0 ? CM_FP_DOUBLE : CM_FP_SINGLE;
    return plain || kind == 26 || kind == 58;
}

/* Decodes opcodes 59 and 63. */
static void decode_old(uint32_t word, bool single, cm_decoded *decoded)
{
    const fp_row *row = find_row(old, CM_PPC_COUNT(old), cm_code_bits(word, 5, 1));
    unsigned code = cm_code_bits(word, 10, 1);
    cm_fp_precision precision;
    if (single && is_outer(word, &precision))
        cm_decoded_fp(decoded, CM_DECODED_OTHER, precision, CM_FP_512);
    else if (row == NULL && single)
        row = find_row(old_single, CM_PPC_COUNT(old_single), code);
    else if (row == NULL)
        row = find_row(old_double, CM_PPC_COUNT(old_double), code);
    if (row != NULL)
        take_fp_row(decoded, row, single ? CM_FP_SINGLE : CM_FP_DOUBLE, CM_FP_SCALAR);
}

/* ---- VSX ---- */

/* By eight bits, without the bits of precision and width: 0 single, 32 double, 64 vector. */
enum { KIND = 96 };
static const fp_row vsx[] = {
    {0, ADD}, {8, SUB}, {16, MUL}, {24, DIV},                                                 /* xsadddp xssubdp ... */
    {1, FMA}, {9, FMA}, {17, FMA}, {25, FMA}, {129, FMA}, {137, FMA}, {145, FMA}, {153, FMA}, /* x*madd*, x*msub* */
};

/* Minima, maxima and comparisons by eight bits. */
static const fp_row vsx_minmax[] = {
    {128, MINMAX}, {136, MINMAX}, {144, MINMAX}, {152, MINMAX},
    {160, MINMAX}, {168, MINMAX},                               /* of scalars: c, j, old */
    {192, MINMAX}, {200, MINMAX}, {224, MINMAX}, {232, MINMAX}, /* single, double */
};
static const fp_row vsx_compare[] = {
    {3, COMPARE},   {11, COMPARE},  {19, COMPARE},  /* xscmpeqdp xscmpgtdp xscmpgedp */
    {35, COMPARE},  {43, COMPARE},                  /* xscmpudp xscmpodp */
    {67, COMPARE},  {75, COMPARE},  {83, COMPARE},  /* xvcmpeqsp xvcmpgtsp xvcmpgesp */
    {99, COMPARE},  {107, COMPARE}, {115, COMPARE}, /* the same, double */
    {195, COMPARE}, {203, COMPARE}, {211, COMPARE}, /* with a dot */
    {227, COMPARE}, {235, COMPARE}, {243, COMPARE}, /* the same, double */
};

/* Instructions of two registers by nine bits, less those of precision and width: 0 single, 64 double, 128 vector. */
enum { KIND_OF_TWO = 192 };
static const fp_row vsx_two[] = {{11, SQRT}, {26, ESTIMATE}, {10, ESTIMATE}}; /* xssqrtdp xsredp xsrsqrtedp */

/* Conversions by nine bits. */
static const uint16_t vsx_conversions[] = {
    281, 265, 267, 329, 331, 344, 88,  328, 72,  376, 360, 312, 296, /* xsrsp xscv* */
    457, 393, 408, 152, 392, 136, 472, 216, 456, 200, 504, 440, 248, /* xvcv* */
    184, 488, 424, 232, 168,
};

/* Half precision and bfloat16, by nine bits and five: xscvhpdp xscvdphp, xvcvbf16spn xvcvspbf16 xvcvhpsp xvcvsphp. */
static bool converts_short(uint32_t word)
{
    unsigned code = cm_code_bits(word, 10, 2), which = cm_code_bits(word, 20, 16);
    return (code == 347 && which >> 1 == 8) || (code == 475 && (which >> 1 == 8 || which >> 1 == 12));
}

static bool is_conversion(uint32_t word)
{
    for (size_t i = 0; i < CM_PPC_COUNT(vsx_conversions); i++)
        if (vsx_conversions[i] == cm_code_bits(word, 10, 2))
            return true;
    return converts_short(word);
}

static void take_vsx(cm_decoded *decoded, const fp_row *row, bool is_double, bool vector)
{
    take_fp_row(decoded, row, is_double ? CM_FP_DOUBLE : CM_FP_SINGLE, vector ? CM_FP_128 : CM_FP_SCALAR);
}

/* Decodes opcode 60. */
static void decode_vsx(uint32_t word, cm_decoded *decoded)
{
    unsigned three = cm_code_bits(word, 10, 3), two = cm_code_bits(word, 10, 2);
    const fp_row *row;
    if ((row = find_row(vsx_minmax, CM_PPC_COUNT(vsx_minmax), three)) != NULL)
        take_vsx(decoded, row, three < 192 || three >= 224, three >= 192);
    else if ((row = find_row(vsx_compare, CM_PPC_COUNT(vsx_compare), three)) != NULL)
        take_vsx(decoded, row, true, true);
    else if ((row = find_row(vsx, CM_PPC_COUNT(vsx), three & ~KIND)) != NULL)
        take_vsx(decoded, row, three & 32, three & 64);
    else if ((row = find_row(vsx_two, CM_PPC_COUNT(vsx_two), two & ~KIND_OF_TWO)) != NULL)
        take_vsx(decoded, row, two & 64, two & 128);
    else if (is_conversion(word))
        cm_decoded_add(decoded, CM_FACT_FP_CONVERSIONS);
}

/* ---- VMX: vectors in single precision ---- */

/* By six bits. */
static const fp_row vmx_four[] = {{46, FMA}, {47, FMA}}; /* vmaddfp vnmsubfp */

/* VMX's instructions by eleven bits. */
static const fp_row vmx[] = {
    {10, ADD},       {74, SUB},       {1034, MINMAX},  {1098, MINMAX},  /* vaddfp vsubfp vmaxfp vminfp */
    {266, ESTIMATE}, {330, ESTIMATE}, {394, OTHER},    {458, OTHER},    /* vrefp vrsqrtefp vexptefp vlogefp */
    {778, CONVERT},  {842, CONVERT},  {906, CONVERT},  {970, CONVERT},  /* vcfux vcfsx vctuxs vctsxs */
    {198, COMPARE},  {454, COMPARE},  {710, COMPARE},  {966, COMPARE},  /* vcmpeqfp vcmpgefp vcmpgtfp vcmpbfp */
    {1222, COMPARE}, {1478, COMPARE}, {1734, COMPARE}, {1990, COMPARE}, /* with a dot */
};

/* maddhd, maddhdu and maddld are integer instructions. */
static bool is_integer(uint32_t word)
{
    unsigned code = cm_code_bits(word, 5, 0);
    return code == 48 || code == 49 || code == 51;
}

static void decode_vmx(uint32_t word, cm_decoded *decoded)
{
    const fp_row *row = find_row(vmx_four, CM_PPC_COUNT(vmx_four), cm_code_bits(word, 5, 0));
    if (row == NULL)
        row = find_row(vmx, CM_PPC_COUNT(vmx), cm_code_bits(word, 10, 0));
    if (row != NULL)
        take_fp_row(decoded, row, CM_FP_SINGLE, CM_FP_128);
}

void cm_ppc_decode_fp(uint32_t word, cm_decoded *decoded)
{
    unsigned opcode = cm_ppc_opcode(word);
    if (opcode == 4 && is_integer(word))
        return;
    cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if (opcode == 4)
        decode_vmx(word, decoded);
    else if (opcode == 60)
        decode_vsx(word, decoded);
    else
        decode_old(word, opcode == 59, decoded);
}
