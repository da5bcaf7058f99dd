/* UTF-8. */
#ifndef CM_CORE_UTF8_H
#define CM_CORE_UTF8_H

#include <stddef.h>

/* Length of the well-formed sequence at `bytes`, of which `available` bytes, one at least, are there; 0 if there is
 * none (Unicode 15, table 3-7). */
size_t cm_utf8_length(const char *bytes, size_t available);

#endif
