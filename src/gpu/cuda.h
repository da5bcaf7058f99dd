/* The part of CUDA's driver API that catmint uses, after "CUDA Driver API": no header of NVIDIA's is needed. */
#ifndef CM_GPU_CUDA_H
#define CM_GPU_CUDA_H

#include <stddef.h>

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
    CM_CU_MAJOR = 75,
    CM_CU_MINOR = 76,
};

typedef struct cm_cu {
    cm_cu_result (*init)(unsigned flags);
    cm_cu_result (*get_error_name)(cm_cu_result result, const char **text);
    cm_cu_result (*get_error_string)(cm_cu_result result, const char **text);
    cm_cu_result (*driver_version)(int *version);
    cm_cu_result (*device_count)(int *count);
    cm_cu_result (*device_get)(cm_cu_device *device, int ordinal);
    cm_cu_result (*device_name)(char *name, int size, cm_cu_device device);
    cm_cu_result (*device_attribute)(int *value, int attribute, cm_cu_device device);
    cm_cu_result (*context_retain)(cm_cu_context *context, cm_cu_device device);
    cm_cu_result (*context_release)(cm_cu_device device);
    cm_cu_result (*context_set)(cm_cu_context context);
    cm_cu_result (*context_wait)(void);
    cm_cu_result (*module_load)(cm_cu_module *module, const void *image, unsigned options, int *keys, void **values);
    cm_cu_result (*module_unload)(cm_cu_module module);
    cm_cu_result (*module_function)(cm_cu_function *function, cm_cu_module module, const char *name);
    cm_cu_result (*link_create)(unsigned options, int *keys, void **values, cm_cu_link *link);
    cm_cu_result (*link_add)(cm_cu_link link, int kind, void *data, size_t size, const char *name, unsigned options,
                             int *keys, void **values);
    cm_cu_result (*link_complete)(cm_cu_link link, void **image, size_t *size); /* lives as long as the link */
    cm_cu_result (*link_destroy)(cm_cu_link link);
    cm_cu_result (*launch)(cm_cu_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                           unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared, void *stream,
                           void **parameters, void **extra);
    cm_cu_result (*allocate)(cm_cu_pointer *pointer, size_t size);
    cm_cu_result (*release)(cm_cu_pointer pointer);
    cm_cu_result (*copy_to)(cm_cu_pointer to, const void *from, size_t size);
    cm_cu_result (*copy_from)(void *to, cm_cu_pointer from, size_t size);
} cm_cu;

#endif
