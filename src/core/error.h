/* Fills a cm_error. */
#ifndef CM_CORE_ERROR_H
#define CM_CORE_ERROR_H

#include <stdarg.h>

#include <catmint/error.h>

#include "core/shared.h"

/* Fills `error` (may be NULL) and returns `status`, so that a caller can `return cm_error_set(...)`. `file` may be
 * NULL; line and column 0 if unknown. */
CM_SHARED cm_status cm_error_set(cm_error *error, cm_status status, const char *file, size_t line, size_t column,
                                 const char *format, ...) CM_PRINTF(6, 7);

/* Returns CM_NO_MEMORY with its text. */
CM_SHARED cm_status cm_error_no_memory(cm_error *error);

/* Returns, by errno, CM_IO with "`problem`: the system's words", or CM_NO_MEMORY without memory or open files. */
cm_status cm_error_io(cm_error *error, const char *file, const char *problem);

/* For files that are read: turns CM_IO into CM_BAD_INPUT; any other status stays. */
cm_status cm_error_of_input(cm_status status, cm_error *error);

#ifdef __clang_analyzer__ /* it sees one file at a time, and would take a failure for CM_OK */
#define cm_error_set(error, status, ...) (cm_error_set(error, status, __VA_ARGS__), (status))
#define cm_error_no_memory(error) (cm_error_no_memory(error), CM_NO_MEMORY)
#define cm_error_io(error, ...) (cm_error_io(error, __VA_ARGS__), CM_IO)
#endif

/* CM_BAD_ARGUMENT unless the options that a public function was given have their size. */
static inline cm_status cm_options_check(const char *name, size_t size, size_t expected, cm_error *error)
{
    return size == expected
               ? CM_OK
               : cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                              "%s have the size %zu, expected %zu: begin with %s_default", name, size, expected, name);
}
#define CM_OPTIONS_CHECK(name, options, error) cm_options_check(#name, (options)->size, sizeof(name), error)

#endif
