/* Names and texts from files, on a terminal. They are data, and may hold characters that move the cursor, change
 * colours or reverse the direction of writing. These functions escape such characters.
 *
 * Shown as \n, \r, \t or \x1b: control characters (U+0000 to U+001F, U+007F), and bytes that are not UTF-8. Shown as
 * \u009b: further control characters (U+0080 to U+009F), separators of lines and paragraphs (U+2028, U+2029), and marks
 * that reverse the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). All else, a
 * backslash included, stays as it is, so that escaped text is not changed again. */
#ifndef CATMINT_TEXT_H
#define CATMINT_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include <catmint/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the escaped text, without a newline at the end. Errors show in ferror(stream). */
CM_API void cm_text_write(const char *text, FILE *stream);

/* Columns of the escaped text: one a character, six for \u009b. */
CM_API size_t cm_text_width(const char *text);

/* Copies as much of the escaped text as fits into `size` bytes, at least 1, in whole characters; always terminated.
 * Returns `buffer`, which must not overlap `text`. */
CM_API char *cm_text_show(const char *text, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
