/* Numbers as text, the same in every locale. */
#ifndef CM_CORE_NUMBER_H
#define CM_CORE_NUMBER_H

#include <stddef.h>

#include <catmint/error.h>

/* All of `text` is one finite decimal number: [+-] digits [. digits] [e [+-] digits]; the nearest double. Empty text,
 * blanks, trailing text, NaN, infinity, hexadecimal, and what overflows or underflows to zero are CM_BAD_INPUT;
 * `error` then says what is wrong, without file and line. */
cm_status cm_number_parse(const char *text, double *value, cm_error *error);

/* All of `text` is decimal digits. */
cm_status cm_number_parse_size(const char *text, size_t *value, cm_error *error);

enum { CM_NUMBER_TEXT_SIZE = 32 };

/* The shortest decimal text that cm_number_parse turns into the same double; integers below 1e17 without exponent.
 * `value` must be finite. Returns the length. */
size_t cm_number_write(double value, char text[CM_NUMBER_TEXT_SIZE]);

/* The number, without a sign, that the text begins with: how many bytes it has, 0 where there is none in the range of a
 * double. */
size_t cm_number_prefix(const char *text, double *value);

#endif
