/* Writes changes of a text as a unified diff, which patch(1) applies. */
#ifndef CM_CORE_HUNKS_H
#define CM_CORE_HUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A line of the original text, without its end, and its change. */
typedef struct cm_changed_line {
    const char *text;
    char *instead; /* the line that replaces it; NULL: it stays */
    char *behind;  /* lines added behind it, each with its end; NULL: none */
} cm_changed_line;

/* Writes the hunks, with three lines around each, naming the file `name` before and after; nothing if no line changes.
 * `ended`: the text's last line has an end. Errors show in ferror(stream). */
void cm_hunks_write(const cm_changed_line *lines, size_t count, bool ended, const char *name, FILE *stream);

#endif
