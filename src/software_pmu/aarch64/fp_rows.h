/* Floating-point instructions as rows: the words of an instruction, and its operation. */
#ifndef CM_SOFTWARE_PMU_AARCH64_FP_ROWS_H
#define CM_SOFTWARE_PMU_AARCH64_FP_ROWS_H

#include "software_pmu/aarch64/decode.h"
#include "software_pmu/machine/facts.h"

/* The place of the precision: bits 23 and 22, bit 22 alone, or none. */
typedef enum cm_a64_precision {
    CM_A64_OF_TYPE,         /* of scalars: 0 single, 1 double, 3 half */
    CM_A64_OF_ELEMENT,      /* by element: 0 half, 2 single, 3 double */
    CM_A64_OF_COMPLEX,      /* 1 half, 2 single, 3 double */
    CM_A64_OF_SZ,           /* bit 22: single or double */
    CM_A64_OF_SIZE_HALF_UP, /* SVE, by element: 0 and 1 half, 2 single, 3 double */
    CM_A64_OF_SIZE_FROM_2,  /* SVE, complex by element: 2 half, 3 single */
    CM_A64_OF_HALF,
    CM_A64_OF_SINGLE,
    CM_A64_OF_DOUBLE,
} cm_a64_precision;

typedef struct cm_a64_fp_row {
    uint32_t mask, value;
    uint8_t operation, precision;
    bool vector; /* counts as a vector though its result is a scalar: its source is a whole register */
} cm_a64_fp_row;

enum { CM_A64_NO_PRECISION = CM_FP_PRECISIONS };

/* Adds the facts of the first row that fits, and returns it; NULL: none. `width`: of instructions on vectors. */
const cm_a64_fp_row *cm_a64_find_fp(uint32_t word, const cm_a64_fp_row *rows, size_t count, cm_fp_width width,
                                    cm_decoded *decoded);
/* A cm_fp_precision or CM_A64_NO_PRECISION. */
unsigned cm_a64_precision_of(uint32_t word, const cm_a64_fp_row *row);

#endif
