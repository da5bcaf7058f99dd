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

#endif
