/* A stream into memory that reports when memory was short: that of the C library drops what finds no room, and neither
 * ferror nor fclose says so. */
#ifndef CM_CORE_MEMORY_STREAM_H
#define CM_CORE_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream: *text and *size are right after fflush and fclose, and *text is to be freed even where fclose
 * fails, which it does where anything that was written found no room. NULL where memory is short; *text is NULL then.
 */
FILE *cm_memory_stream(char **text, size_t *size);

#endif
