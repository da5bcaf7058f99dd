/* Makes text from files harmless on a terminal. */
#ifndef CM_CORE_TEXT_H
#define CM_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/text.h>

/* Bytes of the character at `text`, of which `available`, at least one, exist; *shown: it must be replaced on a
 * terminal. A byte that begins no character is a character by itself. */
size_t cm_text_step(const char *text, size_t available, bool *shown);

enum { CM_TEXT_RAW_SIZE = 4096 };

/* As vsnprintf and snprintf, with harmless text as the result. It is cut off at a whole character if it has more than
 * CM_TEXT_RAW_SIZE - 1 bytes, or more than `size` allows. */
void cm_text_vprint(char *buffer, size_t size, const char *format, va_list arguments);
void cm_text_print(char *buffer, size_t size, const char *format, ...) CM_PRINTF(3, 4);

#endif
