/* Scalar floating point (volume I, "F", "D", "Zfh"): the instructions that are arithmetic, and their kinds. The same
 * operations count as arithmetic as on x86-64 (software_pmu/x86_64/fp_class.c); moves, changes of sign and
 * classification do not. Quadruple precision has no facts. */
#include "software_pmu/riscv64/decode.h"

enum { OP_FP = 0x14, QUADRUPLE = 3 };

/* By bits 31 to 27; 0: none that counts. */
static const uint8_t fp_operations[32] = {
    [0x00] = CM_DECODED_ADD,     [0x01] = CM_DECODED_SUB,     [0x02] = CM_DECODED_MUL,  [0x03] = CM_DECODED_DIV,
    [0x05] = CM_DECODED_MINMAX,  [0x08] = CM_DECODED_CONVERT, [0x0B] = CM_DECODED_SQRT, [0x14] = CM_DECODED_COMPARE,
    [0x18] = CM_DECODED_CONVERT, [0x1A] = CM_DECODED_CONVERT,
};

void cm_rv_decode_fp(uint32_t word, cm_decoded *decoded)
{
    static const uint8_t precisions[] = {CM_FP_SINGLE, CM_FP_DOUBLE, CM_FP_HALF};
    unsigned format = cm_code_bits(word, 26, 25);
    unsigned operation =
        cm_code_bits(word, 6, 2) == OP_FP ? fp_operations[cm_code_bits(word, 31, 27)] : (unsigned)CM_DECODED_FMA;
    if (operation != 0 && format != QUADRUPLE)
        cm_decoded_fp(decoded, (cm_decoded_operation)operation, (cm_fp_precision)precisions[format], CM_FP_SCALAR);
}

void cm_rv_decode_fp_memory(uint32_t word, cm_decoded *decoded)
{
    unsigned width = cm_code_bits(word, 14, 12);
    bool store = cm_code_bits(word, 5, 5) != 0;
    if (width == 0 || width > 4)
        cm_rv_decode_vector_memory(word, decoded);
    else if (store)
        cm_decoded_store(decoded, 1u << width);
    else
        cm_decoded_load(decoded, 1u << width);
}
