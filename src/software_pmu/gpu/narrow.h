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

/* Formats of 8 bits: NVIDIA's are e4m3 and e5m2 of the "OCP 8-bit Floating Point Specification", AMD's FP8 and BF8 of
 * gfx942 have exponents larger by one, no infinity, and one NaN, which is -0 in others. */
typedef enum cm_narrow_byte { CM_NARROW_E4M3, CM_NARROW_E5M2, CM_NARROW_FP8, CM_NARROW_BF8 } cm_narrow_byte;

double cm_narrow_byte_value(cm_narrow_byte format, uint8_t bits);
double cm_narrow_value(const cm_narrow *format, uint16_t bits);
/* Rounds to the format. A sum that is no double must have been rounded to odd before. */
uint16_t cm_narrow_round(const cm_narrow *format, double value);
/* a * b + c with one rounding. */
uint16_t cm_narrow_fma(const cm_narrow *format, uint16_t a, uint16_t b, uint16_t c);
uint16_t cm_narrow_add(const cm_narrow *format, uint16_t a, uint16_t b);
uint16_t cm_narrow_subtract(const cm_narrow *format, uint16_t a, uint16_t b);
uint16_t cm_narrow_multiply(const cm_narrow *format, uint16_t a, uint16_t b);

#endif
