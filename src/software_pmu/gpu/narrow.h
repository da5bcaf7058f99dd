/* Arithmetic in half precision and in bfloat16, correctly rounded to nearest even, without hardware for it. */
#ifndef CM_SOFTWARE_PMU_GPU_NARROW_H
#define CM_SOFTWARE_PMU_GPU_NARROW_H

#include <stdint.h>

typedef struct cm_narrow {
    int digits;        /* of the significand, including the hidden one */
    int least;         /* exponent of the smallest normal number, 2^least */
    int most;          /* exponent of the largest */
    unsigned exponent; /* bits of the exponent */
} cm_narrow;

extern const cm_narrow cm_narrow_half, cm_narrow_bfloat16;

double cm_narrow_value(const cm_narrow *format, uint16_t bits);
/* Rounds to the format. A sum that is no double must have been rounded to odd before. */
uint16_t cm_narrow_round(const cm_narrow *format, double value);
/* a * b + c with one rounding. */
uint16_t cm_narrow_fma(const cm_narrow *format, uint16_t a, uint16_t b, uint16_t c);
uint16_t cm_narrow_add(const cm_narrow *format, uint16_t a, uint16_t b);
uint16_t cm_narrow_subtract(const cm_narrow *format, uint16_t a, uint16_t b);
uint16_t cm_narrow_multiply(const cm_narrow *format, uint16_t a, uint16_t b);

#endif
