/* A driver's library, and its functions by name. */
#ifndef CM_GPU_LIBRARY_H
#define CM_GPU_LIBRARY_H

#include <stddef.h>

#include <catmint/error.h>

/* A function that a backend calls, and the offset of its pointer in a structure. */
typedef struct cm_gpu_symbol {
    const char *name;
    size_t offset;
} cm_gpu_symbol;

/* Loads the first library of `names`, up to a NULL, that exists, and fills `functions`. CM_UNSUPPORTED if none exists,
 * with the loader's words about each, or if it lacks a function: `driver` ("the NVIDIA driver") is too old. Close with
 * cm_gpu_library_close. */
cm_status cm_gpu_library_open(const char *const *names, const char *driver, const cm_gpu_symbol *symbols, size_t count,
                              void *functions, void **library, cm_error *error);
void cm_gpu_library_close(void *library); /* accepts NULL */

#endif
