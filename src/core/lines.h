/* Reads a text file line by line and checks each line: UTF-8, no control characters, of bounded length. */
#ifndef CM_CORE_LINES_H
#define CM_CORE_LINES_H

#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_lines cm_lines;

/* Skips a byte-order mark at the start. CM_IO if the file is no regular one, or cannot be opened. */
cm_status cm_lines_open(const char *path, size_t limit, cm_lines **lines, cm_error *error);
void cm_lines_close(cm_lines *lines);

/* The next line, with its line feed if it has one; *text is NULL at the end of the file, and valid until the next call.
 * CM_BAD_INPUT for a line that is longer than `limit` bytes, not UTF-8, or has control characters other than tab, LF,
 * and CR at its end. */
cm_status cm_lines_next(cm_lines *lines, const char **text, size_t *length, cm_error *error);

/* The first byte of the next line, -1 at the end of the file. */
cm_status cm_lines_peek(cm_lines *lines, int *byte, cm_error *error);

/* 1-based number of the line read last; at the end of the file that of the last line, 1 if there was none. */
size_t cm_lines_number(const cm_lines *lines);

/* The offset in bytes behind that line. */
size_t cm_lines_offset(const cm_lines *lines);

/* The reason why a line is refused, for the byte at *at; NULL: the line is good. */
const char *cm_lines_fault(const char *text, size_t length, size_t *at);

/* 1-based column, in characters, of the byte at `offset` of a line of UTF-8. */
size_t cm_lines_column(const char *text, size_t offset);

#endif
