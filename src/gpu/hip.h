/* The part of HIP and of hiprtc that catmint uses, after their documentation: no header of AMD's is needed. */
#ifndef CM_GPU_HIP_H
#define CM_GPU_HIP_H

#include <stddef.h>

typedef int cm_hip_result; /* 0: success */
typedef void *cm_hip_module;
typedef void *cm_hip_function;

typedef struct cm_hip {
    cm_hip_result (*init)(unsigned flags);
    const char *(*error_name)(cm_hip_result result);
    const char *(*error_string)(cm_hip_result result);
    cm_hip_result (*device_count)(int *count);
    /* Fills a structure that differs between versions; it begins with the device's name. */
    cm_hip_result (*device_properties)(void *properties, int device);
    cm_hip_result (*set_device)(int device);
    cm_hip_result (*wait)(void);
    cm_hip_result (*module_load)(cm_hip_module *module, const void *image);
    cm_hip_result (*module_unload)(cm_hip_module module);
    cm_hip_result (*module_function)(cm_hip_function *function, cm_hip_module module, const char *name);
    cm_hip_result (*launch)(cm_hip_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                            unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared, void *stream,
                            void **parameters, void **extra);
    cm_hip_result (*allocate)(void **pointer, size_t size);
    cm_hip_result (*release)(void *pointer);
    cm_hip_result (*copy_to)(void *to, const void *from, size_t size);
    cm_hip_result (*copy_from)(void *to, void *from, size_t size);
} cm_hip;

enum { CM_HIP_PROPERTIES = 8192 }; /* bytes: more than the structure of any version */

/* hiprtc, which compiles HIP at run time. */
typedef struct cm_hiprtc {
    int (*create)(void **program, const char *source, const char *name, int header_count, const char **headers,
                  const char **header_names);
    int (*compile)(void *program, int option_count, const char **options);
    int (*log_size)(void *program, size_t *size);
    int (*log)(void *program, char *log);
    int (*code_size)(void *program, size_t *size);
    int (*code)(void *program, char *code);
    int (*destroy)(void **program);
    const char *(*error_string)(int result);
} cm_hiprtc;

#endif
