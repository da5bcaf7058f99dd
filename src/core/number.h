/* Numbers as text, the same in every locale; fractions; figures in tables. */
#ifndef CM_CORE_NUMBER_H
#define CM_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/text.h>

#include "core/shared.h"

/* Reads `text`, which must be one finite decimal number, [+-] digits [. digits] [e [+-] digits], as the nearest double.
 * CM_BAD_INPUT for empty text, blanks, trailing text, NaN, infinity, hexadecimal, overflow, and underflow to zero;
 * `error` then has the reason, without file and line. */
CM_SHARED cm_status cm_number_parse(const char *text, double *value, cm_error *error);

/* Reads `text`, which must be decimal digits alone. */
CM_SHARED cm_status cm_number_parse_size(const char *text, size_t *value, cm_error *error);

enum { CM_NUMBER_TEXT_SIZE = 32 };

/* The shortest decimal text that cm_number_parse turns into the same double; integers below 1e17 without exponent.
 * `value` must be finite. Returns the length. */
CM_SHARED size_t cm_number_write(double value, char text[CM_NUMBER_TEXT_SIZE]);

/* Reads the number, without a sign, at the start of the text. Returns its length in bytes; 0 if there is no number
 * within the range of a double. */
CM_SHARED size_t cm_number_prefix(const char *text, double *value);

/* ---- shortest.c: writes doubles as short decimal text, fast, the same in every locale ---- */

enum { CM_SHORTEST_SIZE = 32 };

/* Writes the first of %.15g, %.16g and %.17g that reads back as the same double, with a point as separator. `value`
 * must be finite. Returns the length. */
size_t cm_shortest_write(double value, char text[CM_SHORTEST_SIZE]);

/* ---- fraction.c: numbers as fractions ---- */

typedef struct cm_fraction {
    int64_t numerator, denominator; /* numerator with the sign of the number; denominator 1 or more */
} cm_fraction;

typedef struct cm_fraction_limits {
    int64_t numerator, denominator; /* the largest, without sign */
    double tolerance; /* largest difference from the number, relative to the fraction; 0: divided as doubles, the
                         fraction is the number */
} cm_fraction_limits;

/* With a tolerance: the fraction of the smallest denominator within it. Without: the first convergent that equals the
 * number. False: there is none within the limits. */
bool cm_fraction_find(double number, const cm_fraction_limits *limits, cm_fraction *fraction);

/* ---- figures.c: short texts of numbers for tables ---- */

enum { CM_NUMBER_SIZE = 32 };

/* The magnitude of a coefficient, as simple as possible: "1", "0.8", "1/3", else five digits. Returns `text`. */
char *cm_coefficient_text(double magnitude, char text[CM_NUMBER_SIZE]);

/* An error figure as in the paper: "2.36e-1", "1.67e-16", "0". */
char *cm_figure_text(double value, char text[CM_NUMBER_SIZE]);

/* A share in percent with two digits: "1.2 %"; below 5e-6 it is rounding, and "0 %". Returns `text`. */
char *cm_percent_text(double share, char text[CM_NUMBER_SIZE]);

#endif
