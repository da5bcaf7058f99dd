/* Reads a text file line by line, each line checked: UTF-8, no control characters, of bounded length. */
#ifndef CM_CORE_LINES_H
#define CM_CORE_LINES_H

#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_lines cm_lines;

/* A byte-order mark at the start is skipped. CM_IO where it is no regular file, or cannot be opened. */
cm_status cm_lines_open(const char *path, size_t limit, cm_lines **lines, cm_error *error);
void cm_lines_close(cm_lines *lines);

/* The next line with its line feed, where it has one; *text is NULL at the end of the file. It lives until the next
 * call. Longer than `limit` bytes, not UTF-8, or with control characters other than tab, LF and CR at its end:
 * CM_BAD_INPUT. */
cm_status cm_lines_next(cm_lines *lines, const char **text, size_t *length, cm_error *error);

/* The first byte of the next line, -1 at the end of the file. */
cm_status cm_lines_peek(cm_lines *lines, int *byte, cm_error *error);

/* 1-based number of the line read last; at the end of the file that of the last line, 1 if there was none. */
size_t cm_lines_number(const cm_lines *lines);

/* Where in the file, in bytes, that line ends. */
size_t cm_lines_offset(const cm_lines *lines);

/* What a line may not hold: NULL, or the fault of the byte at *at. */
const char *cm_lines_fault(const char *text, size_t length, size_t *at);

/* 1-based column, in characters, of the byte at `offset` of a line of UTF-8. */
size_t cm_lines_column(const char *text, size_t offset);

#endif
