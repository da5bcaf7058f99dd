/* Text from files, made harmless. */
#ifndef CM_CORE_TEXT_H
#define CM_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/text.h>

/* Bytes of the character at `text`, of which `available`, one at least, are there; *shown: it is not for a terminal as
 * it is. A byte that begins no character is one by itself. */
size_t cm_text_step(const char *text, size_t available, bool *shown);

enum { CM_TEXT_RAW_SIZE = 4096 };

/* As vsnprintf and snprintf, but what comes out is shown text; more than CM_TEXT_RAW_SIZE - 1 bytes of it, or than
 * there is room for, are cut off at a whole character. */
void cm_text_vprint(char *buffer, size_t size, const char *format, va_list arguments);
void cm_text_print(char *buffer, size_t size, const char *format, ...) CM_PRINTF(3, 4);

#endif
