/* Vectors: arithmetic, counted by the length of the vectors: lanes of the type times the width of the result. All lanes
 * count, and separately the active ones. vsetvli and vsetivli give the type; after vsetvl, which reads it from a
 * register, it is unknown, and arithmetic counts only as an instruction on vectors. The number of active lanes is known
 * if vsetivli gives it, or vsetvli asks for all; with a mask in v0 it is unknown. */
#include "software_pmu/riscv64/decode.h"

enum { VECTOR_VECTOR = 1, VECTOR_SCALAR = 5, CONFIGURATION = 7 }; /* bits 14 to 12 */

/* An operation, and whether the result is twice as wide as the operands. */
#define WIDE 0x80

/* By bits 31 to 26, section 19 of the specification. All added or subtracted products are the same operation. */
static const uint8_t vector_operations[64] = {
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

/* Operations of one operand, of vectors only. */
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
    unsigned found = vector_operations[function];
    bool reduction = (found & ~WIDE) == CM_DECODED_OTHER || function == 0x05 || function == 0x07;
    bool only_scalar = function == 0x1D || function == 0x1F || function == 0x21 || function == 0x27;
    if (scalar ? reduction : only_scalar) /* these words are no instructions */
        return 0;
    return found != 0 || scalar ? found : unary(word, function);
}

static unsigned count_active_lanes(uint32_t word, const cm_vectors *vectors)
{
    bool masked = cm_code_bits(word, 25, 25) == 0;
    return masked || (vectors->active & CM_RV_KNOWN) == 0 ? CM_LANES_UNKNOWN : vectors->active & ~(unsigned)CM_RV_KNOWN;
}

/* Adds the facts of an operation on elements of 8 << `size` bits that fill `bits`. */
static void add_operation(uint32_t word, unsigned operation, unsigned size, unsigned bits, cm_decoded *decoded)
{
    static const uint8_t precisions[] = {[1] = CM_FP_HALF, CM_FP_SINGLE, CM_FP_DOUBLE};
    bool has_fact = (bits == 128 || bits == 256 || bits == 512) && size >= 1 && size <= 3;
    if (!has_fact)
        return;
    cm_fp_precision precision = (cm_fp_precision)precisions[size];
    cm_decoded_fp(decoded, (cm_decoded_operation)operation, precision, cm_scalable_width(bits));
    cm_decoded_lanes(decoded, (cm_decoded_operation)operation, precision, count_active_lanes(word, &decoded->vectors));
}

static int group_of(unsigned type)
{
    return (int)cm_rv_signed(cm_code_bits(type, 2, 0), 3);
}

static unsigned grouped(unsigned bits, int group)
{
    return group >= 0 ? bits << group : bits >> -group;
}

unsigned cm_rv_element_bits(unsigned type)
{
    return 8u << cm_code_bits(type, 5, 3);
}

unsigned cm_rv_most_lanes(const cm_vectors *vectors)
{
    return grouped(vectors->bits, group_of(vectors->type)) / cm_rv_element_bits(vectors->type);
}

/* Counts vector arithmetic by element size and group. */
static void take_arithmetic(uint32_t word, cm_decoded *decoded)
{
    unsigned operation = operation_of(word, cm_code_bits(word, 14, 12) == VECTOR_SCALAR);
    unsigned type = decoded->vectors.type, wide = (operation & WIDE) != 0;
    unsigned size = cm_code_bits(type, 5, 3) + wide;
    int group = group_of(type) + (int)wide;
    operation &= ~(unsigned)WIDE;
    if (operation == CM_DECODED_COMPARE || operation == CM_DECODED_CONVERT)
        cm_decoded_fp(decoded, (cm_decoded_operation)operation, CM_FP_HALF, CM_FP_SCALAR);
    else if (operation != 0 && (type & CM_RV_KNOWN) != 0)
        add_operation(word, operation, size, grouped(decoded->vectors.bits, group), decoded);
}

/* The active lanes: a constant with vsetivli (bits 31 and 30 set); all, if source register 0 asks for all; unchanged,
 * if source and target are register 0; else unknown. */
static void ask_for_lanes(uint32_t word, bool constant, cm_vectors *vectors)
{
    unsigned asked = cm_code_bits(word, 19, 15), to = cm_code_bits(word, 11, 7), most = cm_rv_most_lanes(vectors);
    if (!constant && asked == 0 && to == 0)
        return;
    if (!constant)
        vectors->active = asked == 0 ? (uint16_t)(most | CM_RV_KNOWN) : 0;
    else
        vectors->active = (uint16_t)((asked < most ? asked : most) | CM_RV_KNOWN);
}

/* A type that no processor of these versions has. */
static bool is_reserved(uint32_t word, bool constant)
{
    enum { NO_GROUP = 4 };
    unsigned above = cm_code_bits(word, constant ? 29 : 30, 28);
    return above != 0 || cm_code_bits(word, 25, 23) > 3 || cm_code_bits(word, 22, 20) == NO_GROUP;
}

/* Bit 31 clear: vsetvli; bits 31 and 30 set: vsetivli; else vsetvl. */
static void configure_vectors(uint32_t word, cm_vectors *vectors)
{
    bool constant = cm_code_bits(word, 31, 30) == 3;
    bool from_register = cm_code_bits(word, 31, 31) != 0 && !constant;
    if (from_register || is_reserved(word, constant)) {
        vectors->type = vectors->active = 0;
        return;
    }
    vectors->type = (uint16_t)(cm_code_bits(word, 27, 20) | CM_RV_KNOWN);
    ask_for_lanes(word, constant, vectors);
}

void cm_rv_decode_vector(uint32_t word, cm_decoded *decoded)
{
    unsigned kind = cm_code_bits(word, 14, 12);
    decoded->scalable = true;
    if (kind == CONFIGURATION) {
        configure_vectors(word, &decoded->vectors);
        return;
    }
    cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if (kind == VECTOR_VECTOR || kind == VECTOR_SCALAR)
        take_arithmetic(word, decoded);
}
