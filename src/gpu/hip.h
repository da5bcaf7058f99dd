/* The part of HIP and of hiprtc that catmint uses, after their documentation: no header of AMD's is needed. */
#ifndef CM_GPU_HIP_H
#define CM_GPU_HIP_H

#include "gpu/driver.h"

typedef int cm_hip_result; /* 0: success */
typedef void *cm_hip_module;
typedef void *cm_hip_function;

typedef struct cm_hip {
    cm_gpu_calls common;
    const char *(*error_name)(int result);
    const char *(*error_string)(int result);
    /* Fills a structure that differs between versions; it begins with the device's name. */
    int (*device_properties)(void *properties, int device);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*set_device)(int device);
    int (*module_load)(void **module, const void *image);
} cm_hip;

enum { CM_HIP_CLOCK_RATE = 5, CM_HIP_UNITS = 63 }; /* attributes of a device */
enum { CM_HIP_PROPERTIES = 8192 };                 /* bytes: more than the structure of any version */

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
