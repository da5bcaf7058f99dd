/* How the library fills a cm_error. */
#ifndef CM_CORE_ERROR_H
#define CM_CORE_ERROR_H

#include <stdarg.h>

#include <catmint/error.h>

/* Fills `error` (may be NULL) and returns `status`, so that a caller can `return cm_error_set(...)`. `file` may be
 * NULL; line and column 0 where unknown. */
cm_status cm_error_set(cm_error *error, cm_status status, const char *file, size_t line, size_t column,
                       const char *format, ...) CM_PRINTF(6, 7);

/* CM_NO_MEMORY with its text. */
cm_status cm_error_no_memory(cm_error *error);

/* By errno: CM_IO with "`what`: the system's words", CM_NO_MEMORY where memory or the number of open files is too
 * short. */
cm_status cm_error_io(cm_error *error, const char *file, const char *what);

/* Where CM_IO is said of what is written, a file that cannot be read is bad input: CM_BAD_INPUT then, else `status`. */
cm_status cm_error_of_input(cm_status status, cm_error *error);

#ifdef __clang_analyzer__ /* sees one file at a time, and would take a failure for CM_OK */
#define cm_error_set(error, status, ...) (cm_error_set(error, status, __VA_ARGS__), (status))
#define cm_error_no_memory(error) (cm_error_no_memory(error), CM_NO_MEMORY)
#define cm_error_io(error, ...) (cm_error_io(error, __VA_ARGS__), CM_IO)
#endif

#endif
