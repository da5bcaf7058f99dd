/* Adds the facts of a row. */
#include "software_pmu/aarch64/decode.h"

enum { NO_PRECISION = CM_A64_NO_PRECISION };

unsigned cm_a64_precision_of(uint32_t word, const cm_a64_fp_row *row)
{
    static const uint8_t by_size[][4] = {
        [CM_A64_OF_TYPE] = {CM_FP_SINGLE, CM_FP_DOUBLE, NO_PRECISION, CM_FP_HALF},
        [CM_A64_OF_ELEMENT] = {CM_FP_HALF, NO_PRECISION, CM_FP_SINGLE, CM_FP_DOUBLE},
        [CM_A64_OF_COMPLEX] = {NO_PRECISION, CM_FP_HALF, CM_FP_SINGLE, CM_FP_DOUBLE},
        [CM_A64_OF_SZ] = {CM_FP_SINGLE, CM_FP_DOUBLE, CM_FP_SINGLE, CM_FP_DOUBLE},
        [CM_A64_OF_SIZE_HALF_UP] = {CM_FP_HALF, CM_FP_HALF, CM_FP_SINGLE, CM_FP_DOUBLE},
        [CM_A64_OF_SIZE_FROM_2] = {NO_PRECISION, NO_PRECISION, CM_FP_HALF, CM_FP_SINGLE},
        [CM_A64_OF_DOUBLE] = {CM_FP_DOUBLE, CM_FP_DOUBLE, CM_FP_DOUBLE, CM_FP_DOUBLE},
        [CM_A64_OF_HALF] = {CM_FP_HALF, CM_FP_HALF, CM_FP_HALF, CM_FP_HALF},
        [CM_A64_OF_SINGLE] = {CM_FP_SINGLE, CM_FP_SINGLE, CM_FP_SINGLE, CM_FP_SINGLE},
    };
    return by_size[row->precision][cm_code_bits(word, 23, 22)];
}

static void take_row(uint32_t word, const cm_a64_fp_row *row, cm_fp_width width, cm_decoded *decoded)
{
    unsigned precision = cm_a64_precision_of(word, row);
    cm_decoded_operation operation = (cm_decoded_operation)row->operation;
    bool plain = operation == CM_DECODED_COMPARE || operation == CM_DECODED_CONVERT;
    if (operation != 0 && (plain || precision != NO_PRECISION))
        cm_decoded_fp(decoded, operation, (cm_fp_precision)precision, row->vector ? CM_FP_128 : width);
}

const cm_a64_fp_row *cm_a64_find_fp(uint32_t word, const cm_a64_fp_row *rows, size_t count, cm_fp_width width,
                                    cm_decoded *decoded)
{
    for (size_t i = 0; i < count; i++)
        if ((word & rows[i].mask) == rows[i].value) {
            take_row(word, &rows[i], width, decoded);
            return &rows[i];
        }
    return NULL;
}
