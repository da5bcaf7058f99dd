/* The part of CUDA's driver API that catmint uses, after "CUDA Driver API": no header of NVIDIA's is needed. */
#ifndef CM_GPU_CUDA_H
#define CM_GPU_CUDA_H

#include "gpu/driver.h"

typedef int cm_cu_result; /* 0: success */
typedef int cm_cu_device;
typedef unsigned long long cm_cu_pointer;
typedef void *cm_cu_context;
typedef void *cm_cu_module;
typedef void *cm_cu_function;
typedef void *cm_cu_link;

enum {
    CM_CU_JIT_ERROR_LOG_BUFFER = 5,
    CM_CU_JIT_ERROR_LOG_SIZE = 6,
    CM_CU_JIT_OPTIMIZATION_LEVEL = 7,
    CM_CU_JIT_INPUT_PTX = 1,
    CM_CU_WARP_SIZE = 10,
    CM_CU_CLOCK_RATE = 13,
    CM_CU_UNITS = 16,
    CM_CU_MAJOR = 75,
    CM_CU_MINOR = 76,
};

typedef struct cm_cu {
    cm_gpu_calls common;
    int (*get_error_name)(int result, const char **text);
    int (*get_error_string)(int result, const char **text);
    int (*driver_version)(int *version);
    int (*device_get)(int *device, int ordinal);
    int (*device_name)(char *name, int size, int device);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*context_retain)(void **context, int device);
    int (*context_release)(int device);
    int (*context_set)(void *context);
    int (*module_load)(void **module, const void *image, unsigned options, int *keys, void **values);
    int (*link_create)(unsigned options, int *keys, void **values, void **link);
    int (*link_add)(void *link, int kind, void *data, size_t size, const char *name, unsigned options, int *keys,
                    void **values);
    int (*link_complete)(void *link, void **image, size_t *size); /* lives as long as the link */
    int (*link_destroy)(void *link);
} cm_cu;

#endif
