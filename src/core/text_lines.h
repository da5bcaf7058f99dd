/* Lines that may be overwritten: each ends in NUL, without its line feed. */
#ifndef CM_CORE_TEXT_LINES_H
#define CM_CORE_TEXT_LINES_H

#include "core/lines.h"

typedef struct cm_text_lines {
    cm_lines *lines;
    size_t number; /* of the line read last */
    char *text;    /* that line, NULL at the end of the file */
    size_t length;
    char *buffer;
    size_t capacity;
} cm_text_lines;

/* `limit` as with cm_lines_open. */
cm_status cm_text_lines_open(const char *path, size_t limit, cm_text_lines *lines, cm_error *error);
cm_status cm_text_lines_next(cm_text_lines *lines, cm_error *error);
void cm_text_lines_close(cm_text_lines *lines);

/* Removes blanks at both ends; the end is overwritten. */
char *cm_text_trim(char *text);

#endif
