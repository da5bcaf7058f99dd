/* Vectors: arithmetic, with their length as a part of the facts: lanes times the width of what comes out, all lanes
 * that the type has, active or not. vsetvli and vsetivli say which type that is; after vsetvl, which reads it from a
 * register, it is unknown, and arithmetic is counted as an instruction on vectors only. So are loads and stores. */
#include "software_pmu/riscv64/decode.h"

enum { VECTOR_VECTOR = 1, VECTOR_SCALAR = 5, CONFIGURATION = 7 }; /* bits 14 to 12 */
enum { KNOWN = 1 << 8 };                                          /* a type is 8 bits */

/* An operation, and whether what comes out is twice as wide as what goes in. */
#define WIDE 0x80

/* By bits 31 to 26, section 19 of the specification. Products that are added or subtracted are all the same. */
static const uint8_t operations[64] = {
    [0x00] = CM_DECODED_ADD,          [0x01] = CM_DECODED_OTHER,      [0x02] = CM_DECODED_SUB,
    [0x03] = CM_DECODED_OTHER,        [0x04] = CM_DECODED_MINMAX,     [0x05] = CM_DECODED_MINMAX,
    [0x06] = CM_DECODED_MINMAX,       [0x07] = CM_DECODED_MINMAX,     [0x18] = CM_DECODED_COMPARE,
    [0x19] = CM_DECODED_COMPARE,      [0x1B] = CM_DECODED_COMPARE,    [0x1C] = CM_DECODED_COMPARE,
    [0x1D] = CM_DECODED_COMPARE,      [0x1F] = CM_DECODED_COMPARE,    [0x20] = CM_DECODED_DIV,
    [0x21] = CM_DECODED_DIV,          [0x24] = CM_DECODED_MUL,        [0x27] = CM_DECODED_SUB,
    [0x28] = CM_DECODED_FMA,          [0x29] = CM_DECODED_FMA,        [0x2A] = CM_DECODED_FMA,
    [0x2B] = CM_DECODED_FMA,          [0x2C] = CM_DECODED_FMA,        [0x2D] = CM_DECODED_FMA,
    [0x2E] = CM_DECODED_FMA,          [0x2F] = CM_DECODED_FMA,        [0x30] = CM_DECODED_ADD | WIDE,
    [0x31] = CM_DECODED_OTHER | WIDE, [0x32] = CM_DECODED_SUB | WIDE, [0x33] = CM_DECODED_OTHER | WIDE,
    [0x34] = CM_DECODED_ADD | WIDE,   [0x36] = CM_DECODED_SUB | WIDE, [0x38] = CM_DECODED_MUL | WIDE,
    [0x3C] = CM_DECODED_FMA | WIDE,   [0x3D] = CM_DECODED_FMA | WIDE, [0x3E] = CM_DECODED_FMA | WIDE,
    [0x3F] = CM_DECODED_FMA | WIDE,
};

/* Those of one operand, of vectors only. */
static unsigned unary(uint32_t word, unsigned function)
{
    enum { CONVERSIONS = 0x12, OTHERS = 0x13, SQRT = 0, RSQRT7 = 4, REC7 = 5 };
    unsigned which = cm_code_bits(word, 19, 15);
    if (function == CONVERSIONS)
        return CM_DECODED_CONVERT;
    if (function == OTHERS && which == SQRT)
        return CM_DECODED_SQRT;
    return function == OTHERS && (which == RSQRT7 || which == REC7) ? CM_DECODED_ESTIMATE : 0;
}

static unsigned operation_of(uint32_t word, bool scalar)
{
    unsigned function = cm_code_bits(word, 31, 26);
    unsigned found = operations[function];
    bool reduction = (found & ~WIDE) == CM_DECODED_OTHER || function == 0x05 || function == 0x07;
    bool only_scalar = function == 0x1D || function == 0x1F || function == 0x21 || function == 0x27;
    if (scalar ? reduction : only_scalar) /* are no instructions */
        return 0;
    return found != 0 || scalar ? found : unary(word, function);
}

/* Adds the fact of an operation whose elements are 8 << `size` bits wide and that fill `bits`. */
static void add(cm_decoded *decoded, unsigned operation, unsigned size, unsigned bits)
{
    static const uint8_t precisions[] = {[1] = CM_FP_HALF, CM_FP_SINGLE, CM_FP_DOUBLE};
    cm_fp_width width = bits == 128 ? CM_FP_V128 : bits == 256 ? CM_FP_V256 : CM_FP_V512;
    bool has_fact = (bits == 128 || bits == 256 || bits == 512) && size >= 1 && size <= 3;
    if (has_fact)
        cm_decoded_fp(decoded, (cm_decoded_operation)operation, (cm_fp_precision)precisions[size], width);
}

static void take_arithmetic(uint32_t word, unsigned vectors, cm_decoded *decoded)
{
    unsigned operation = operation_of(word, cm_code_bits(word, 14, 12) == VECTOR_SCALAR);
    unsigned type = vectors >> CM_VECTOR_TYPE, length = vectors & ((1u << CM_VECTOR_TYPE) - 1);
    unsigned size = cm_code_bits(type, 5, 3) + ((operation & WIDE) != 0);
    int group = (int)cm_rv_signed(cm_code_bits(type, 2, 0), 3) + ((operation & WIDE) != 0);
    operation &= ~(unsigned)WIDE;
    if (operation == CM_DECODED_COMPARE || operation == CM_DECODED_CONVERT)
        cm_decoded_fp(decoded, (cm_decoded_operation)operation, CM_FP_HALF, CM_FP_SCALAR);
    else if (operation != 0 && (type & KNOWN) != 0)
        add(decoded, operation, size, group >= 0 ? length << group : length >> -group);
}

/* Bit 31 clear: vsetvli; bits 31 and 30 set: vsetivli; else vsetvl. */
static void configure(uint32_t word, unsigned vectors, cm_decoded *decoded)
{
    bool known = cm_code_bits(word, 31, 31) == 0 || cm_code_bits(word, 30, 30) != 0;
    unsigned type = known ? cm_code_bits(word, 27, 20) | KNOWN : 0;
    decoded->vectors = (vectors & ((1u << CM_VECTOR_TYPE) - 1)) | type << CM_VECTOR_TYPE;
}

void cm_rv_decode_vector(uint32_t word, unsigned vectors, cm_decoded *decoded)
{
    unsigned kind = cm_code_bits(word, 14, 12);
    if (kind == CONFIGURATION) {
        configure(word, vectors, decoded);
        return;
    }
    cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if (kind == VECTOR_VECTOR || kind == VECTOR_SCALAR)
        take_arithmetic(word, vectors, decoded);
}
