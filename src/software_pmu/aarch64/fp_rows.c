/* From a row of a table to facts. */
#include "software_pmu/aarch64/fp_rows.h"

enum { NO_PRECISION = CM_FP_PRECISIONS };

static unsigned precision_of(uint32_t word, cm_a64_precision field)
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
    return by_size[field][cm_code_bits(word, 23, 22)];
}

static void add_arithmetic(cm_decoded *decoded, unsigned precision, cm_fp_width width, cm_a64_operation operation)
{
    cm_fp_operation plain = operation > CM_A64_OTHER ? CM_FP_OTHER : (cm_fp_operation)operation;
    cm_decoded_add(decoded, cm_fact_fp((cm_fp_precision)precision, width, plain));
    if (plain != CM_FP_FMA)
        cm_decoded_add(decoded, cm_fact_fp((cm_fp_precision)precision, width, CM_FP_ANY));
    if (operation == CM_A64_MINMAX)
        cm_decoded_add(decoded, CM_FACT_FP_MIN_MAX);
    if (operation == CM_A64_ESTIMATE)
        cm_decoded_add(decoded, CM_FACT_FP_RECIPROCALS);
}

static void take(uint32_t word, const cm_a64_fp_row *row, cm_fp_width width, cm_decoded *decoded)
{
    unsigned precision = precision_of(word, (cm_a64_precision)row->precision);
    if (row->operation == CM_A64_COMPARE)
        cm_decoded_add(decoded, CM_FACT_FP_COMPARES);
    else if (row->operation == CM_A64_CONVERT)
        cm_decoded_add(decoded, CM_FACT_FP_CONVERSIONS);
    else if (row->operation != 0 && precision != NO_PRECISION)
        add_arithmetic(decoded, precision, row->vector ? CM_FP_128 : width, (cm_a64_operation)row->operation);
}

void cm_a64_find_fp(uint32_t word, const cm_a64_fp_row *rows, size_t count, cm_fp_width width, cm_decoded *decoded)
{
    for (size_t i = 0; i < count; i++)
        if ((word & rows[i].mask) == rows[i].value) {
            take(word, &rows[i], width, decoded);
            return;
        }
}
