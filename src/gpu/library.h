/* A driver's library, and its functions by name. */
#ifndef CM_GPU_LIBRARY_H
#define CM_GPU_LIBRARY_H

#include <stddef.h>

#include <catmint/error.h>

/* A function that a backend calls: where its address goes, in a structure of pointers. */
typedef struct cm_gpu_symbol {
    const char *name;
    size_t offset;
} cm_gpu_symbol;

/* Loads the library `path` and fills `functions`. CM_UNSUPPORTED where there is none, with the loader's words, or where
 * it lacks a function: `driver` ("the NVIDIA driver") is too old. Close with cm_gpu_library_close. */
cm_status cm_gpu_library_open(const char *path, const char *driver, const cm_gpu_symbol *symbols, size_t count,
                              void *functions, void **library, cm_error *error);
void cm_gpu_library_close(void *library); /* NULL is allowed */

#endif
