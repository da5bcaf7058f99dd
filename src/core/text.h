/* Text: made harmless on a terminal, written into memory, split into characters and lines, compared. */
#ifndef CM_CORE_TEXT_H
#define CM_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <catmint/text.h>

#include "core/lines.h"
#include "core/shared.h"

/* Bytes of the character at `text`, of which `available`, at least one, exist; *shown: it must be replaced on a
 * terminal. A byte that begins no character is a character by itself. */
size_t cm_text_step(const char *text, size_t available, bool *shown);

enum { CM_TEXT_RAW_SIZE = 4096 };

/* As vsnprintf and snprintf, with harmless text as the result. It is cut off at a whole character if it has more than
 * CM_TEXT_RAW_SIZE - 1 bytes, or more than `size` allows. */
void cm_text_vprint(char *buffer, size_t size, const char *format, va_list arguments);
void cm_text_print(char *buffer, size_t size, const char *format, ...) CM_PRINTF(3, 4);

/* Writes words, breaking at blanks before `width` columns; the first line begins at column `at`, further ones with
 * `indent` blanks. No newline at the end. */
CM_SHARED void cm_text_wrap(const char *text, size_t at, size_t indent, size_t width, FILE *stream);

/* The place of a name in a list; `count` if it is not there. */
static inline size_t cm_name_place(char *const *names, size_t count, const char *name)
{
    size_t place = 0;
    while (place < count && strcmp(names[place], name) != 0)
        place++;
    return place;
}

/* ---- memory_stream.c ---- */

/* A stream into memory that reports a lack of memory: the C library's own drops the bytes without an error. */

/* As open_memstream: *text and *size are valid after fflush and fclose. fclose fails if any byte was lost; *text is
 * freed by the caller even then. NULL without memory; *text is NULL then. */
FILE *cm_memory_stream(char **text, size_t *size);

/* ---- near.c: suggests the name that was probably meant ---- */

enum { CM_NEAR_NAME = 128, CM_NEAR_TEXT = CM_NEAR_NAME + 32 };

typedef struct cm_near {
    const char *wanted;
    char name[CM_NEAR_NAME]; /* the nearest so far; "" if none is near */
    size_t distance;
} cm_near;

/* Ignores case; up to a third of the letters may differ, be missing or be added. */
CM_SHARED void cm_near_offer(cm_near *near, const char *candidate);
/* "; did you mean 'NAME'?", or "". Returns `text`. */
CM_SHARED char *cm_near_text(const cm_near *near, char text[CM_NEAR_TEXT]);

/* The name probably meant by `wanted`, in any letter case, up to a third of its letters wrong; NULL: none is near. */
CM_SHARED const char *cm_text_near(const char *wanted, const char *const *names, size_t count);

/* ---- utf8.c: UTF-8 ---- */

/* Length of the well-formed sequence at `bytes`, of which `available` (1 or more) exist; 0: none (Unicode 15, 3-7). */
size_t cm_utf8_length(const char *bytes, size_t available);

/* The code point of a well-formed sequence of `length` bytes. */
uint32_t cm_utf8_code_point(const char *bytes, size_t length);

/* Whether the byte belongs to a character that began before it. */
static inline bool cm_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Counts the characters that begin in `length` bytes. */
static inline size_t cm_utf8_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !cm_utf8_continues(bytes[i]);
    return count;
}

/* ---- text_lines.c: lines that may be overwritten: each ends in NUL, without its line feed ---- */

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

/* ---- hunks.c: writes changes of a text as a unified diff, which patch(1) applies ---- */

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
