/* The common part of CUDA's driver API and HIP, and each vendor's own: no header of NVIDIA's or AMD's is needed. After
 * "CUDA Driver API" and HIP's documentation. */
#ifndef CM_GPU_DRIVER_H
#define CM_GPU_DRIVER_H

#include "gpu/gpu.h"

/* Functions of a driver. Results: 0 is success. Addresses on the device are as large as pointers. */
typedef struct cm_gpu_calls {
    int (*init)(unsigned flags);
    int (*device_count)(int *count);
    int (*wait)(void);
    int (*module_unload)(void *module);
    int (*module_function)(void **function, void *module, const char *name);
    int (*function_attribute)(int *value, int attribute, void *function);
    int (*launch)(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared, void *stream, void **parameters,
                  void **extra);
    int (*allocate)(void **pointer, size_t size);
    int (*release)(void *pointer);
    int (*copy_to)(void *to, const void *from, size_t size);
    int (*copy_from)(void *to, void *from, size_t size);
} cm_gpu_calls;

/* The differences between vendors. */
typedef struct cm_gpu_dialect {
    const cm_gpu_backend *backend;
    const char *name;             /* "the NVIDIA driver", in messages */
    const cm_gpu_symbol *symbols; /* of cm_gpu_calls, and of the driver's other calls */
    size_t symbol_count, calls_size;
    void (*find_words)(const cm_gpu_driver *driver, int result, const char **name, const char **text);
    int (*use)(cm_gpu_driver *driver, size_t device);    /* makes the device the current one, with a context */
    void (*leave)(cm_gpu_driver *driver, size_t device); /* NULL: nothing is to be done at the end */
    /* Makes loaded->module of the image. */
    cm_status (*load)(cm_gpu_loaded *loaded, const void *image, const char *entry, cm_error *error);
} cm_gpu_dialect;

/* Attributes of a function, of both drivers. */
enum { CM_GPU_REGISTERS = 4, CM_GPU_CODE_VERSION = 6 };

enum { CM_GPU_CALL_DEVICES = 64 };

struct cm_gpu_driver {
    const cm_gpu_dialect *dialect;
    void *library;
    bool is_software; /* a library was named instead of the driver's */
    size_t devices;
    void *contexts[CM_GPU_CALL_DEVICES]; /* of CUDA; NULL: not created */
    cm_gpu_calls *calls;                 /* the first member of the vendor's own structure */
};

struct cm_gpu_loaded {
    cm_gpu_driver *driver;
    size_t device;
    void *module, *function, *memory;
    size_t size;
};

/* CM_OK, or an error with the failed `action` and the driver's words; `log`: further ones, "" for none. */
cm_status cm_gpu_check(const cm_gpu_driver *driver, int result, const char *action, const char *log, cm_error *error);

/* The members of a backend that both vendors share; its `open` calls cm_gpu_driver_open with its dialect. */
cm_status cm_gpu_driver_open(const cm_gpu_dialect *dialect, const char *library, cm_gpu_driver **driver,
                             cm_error *error);
size_t cm_gpu_driver_device_count(const cm_gpu_driver *driver);
cm_status cm_gpu_driver_create_context(cm_gpu_driver *driver, size_t device, cm_error *error);
cm_status cm_gpu_driver_load(cm_gpu_driver *driver, size_t device, const void *image, const char *entry,
                             const void *memory, size_t size, size_t capacity, cm_gpu_loaded **loaded, cm_error *error);
void cm_gpu_driver_describe_code(const cm_gpu_loaded *loaded, cm_gpu_code *code);
cm_status cm_gpu_driver_launch(cm_gpu_loaded *loaded, const cm_gpu_launch *launch, cm_error *error);
cm_status cm_gpu_driver_wait(cm_gpu_loaded *loaded, cm_error *error);
cm_status cm_gpu_driver_read(cm_gpu_loaded *loaded, void *memory, cm_error *error);
void cm_gpu_driver_unload(cm_gpu_loaded *loaded);
void cm_gpu_driver_close(cm_gpu_driver *driver);

#define CM_GPU_DRIVER_MEMBERS                                                                                          \
    .device_count = cm_gpu_driver_device_count, .create_context = cm_gpu_driver_create_context,                        \
    .load = cm_gpu_driver_load, .describe_code = cm_gpu_driver_describe_code, .launch = cm_gpu_driver_launch,          \
    .wait = cm_gpu_driver_wait, .read = cm_gpu_driver_read, .unload = cm_gpu_driver_unload,                            \
    .close = cm_gpu_driver_close

/* ---- CUDA's driver API, the part that catmint uses ---- */

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

/* ---- HIP and hiprtc, the part that catmint uses ---- */

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
