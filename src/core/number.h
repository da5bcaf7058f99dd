/* Writes and reads numbers as text, the same in every locale. */
#ifndef CM_CORE_NUMBER_H
#define CM_CORE_NUMBER_H

#include <stddef.h>

#include <catmint/error.h>

/* Reads `text`, which must be one finite decimal number, [+-] digits [. digits] [e [+-] digits], as the nearest double.
 * CM_BAD_INPUT for empty text, blanks, trailing text, NaN, infinity, hexadecimal, overflow, and underflow to zero;
 * `error` then has the reason, without file and line. */
cm_status cm_number_parse(const char *text, double *value, cm_error *error);

/* Reads `text`, which must be decimal digits alone. */
cm_status cm_number_parse_size(const char *text, size_t *value, cm_error *error);

enum { CM_NUMBER_TEXT_SIZE = 32 };

/* The shortest decimal text that cm_number_parse turns into the same double; integers below 1e17 without exponent.
 * `value` must be finite. Returns the length. */
size_t cm_number_write(double value, char text[CM_NUMBER_TEXT_SIZE]);

/* Reads the number, without a sign, at the start of the text. Returns its length in bytes; 0 if there is no number
 * within the range of a double. */
size_t cm_number_prefix(const char *text, double *value);

#endif
