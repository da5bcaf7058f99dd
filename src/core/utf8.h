/* UTF-8. */
#ifndef CM_CORE_UTF8_H
#define CM_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence at `bytes`, of which `available` bytes, at least one, exist; 0 if there is none
 * (Unicode 15, table 3-7). */
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

#endif
