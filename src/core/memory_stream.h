/* A stream into memory that reports short memory. The C library's own drops the bytes, and neither ferror nor fclose
 * reports it. */
#ifndef CM_CORE_MEMORY_STREAM_H
#define CM_CORE_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream: *text and *size are valid after fflush and fclose. fclose fails if any byte was lost; *text is
 * freed by the caller even then. NULL without memory; *text is NULL then. */
FILE *cm_memory_stream(char **text, size_t *size);

#endif
