/* GPUs behind one table of functions. A backend finds its driver's library at run time; building catmint needs nothing
 * of it. A software GPU can be loaded instead of the driver: the library is a parameter. Errors carry the driver's own
 * words. */
#ifndef CM_GPU_BACKEND_H
#define CM_GPU_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

typedef enum cm_gpu_vendor {
    CM_GPU_NVIDIA = 1, /* bits, so that a set of them is a number */
    CM_GPU_AMD = 2,
} cm_gpu_vendor;

typedef struct cm_gpu_device {
    char name[128];   /* as the driver names it: "NVIDIA H100 80GB HBM3" */
    char target[32];  /* target of its code: "sm_90", "gfx90a" */
    unsigned version; /* of the target: 90 for sm_90, 0x90a for gfx90a */
    unsigned warp;    /* lanes of a warp or wavefront */
} cm_gpu_device;

/* The size of a launch: `threads` of each of `blocks` execute the kernel's loop `trips` times. */
typedef struct cm_gpu_launch {
    unsigned blocks, threads;
    uint32_t trips;
} cm_gpu_launch;

typedef struct cm_gpu_driver cm_gpu_driver; /* each backend has its own */
typedef struct cm_gpu_loaded cm_gpu_loaded; /* a kernel on a device; each backend has its own */

/* All functions but `close` and `unload` return CM_UNSUPPORTED if the driver refuses, and CM_NO_MEMORY if memory of the
 * machine, not of the device, is short. */
typedef struct cm_gpu_backend {
    cm_gpu_vendor vendor;
    const char *maker; /* "nvidia" */
    const char *name;  /* "CUDA" */
    const char *const
        *libraries; /* names of the driver's library, up to a NULL; by default the first that exists is loaded */

    /* Loads the library, NULL: the driver's, and finds its devices: at least one. Close with `close`. */
    cm_status (*open)(const char *library, cm_gpu_driver **driver, cm_error *error);
    size_t (*device_count)(const cm_gpu_driver *driver);
    cm_status (*device)(cm_gpu_driver *driver, size_t device, cm_gpu_device *found, cm_error *error);
    /* Creates the context in which events are counted, as `load` does; harmless if it exists already. */
    cm_status (*create_context)(cm_gpu_driver *driver, size_t device, cm_error *error);
    /* `image`: PTX as text with its NUL, or a code object. `entry`: the kernel's name in it. `memory`, `size` bytes, is
     * copied to the device for the kernel, which gets its address and the trips. Unload with `unload`. */
    cm_status (*load)(cm_gpu_driver *driver, size_t device, const void *image, const char *entry, const void *memory,
                      size_t size, cm_gpu_loaded **loaded, cm_error *error);
    /* The machine code that the driver makes of `image`, text with its NUL, when it loads it: a file of `size` bytes
     * for the vendor's disassembler, to be freed. NULL: the backend loads the device's own code. */
    cm_status (*machine_code)(cm_gpu_driver *driver, size_t device, const char *image, void **code, size_t *size,
                              cm_error *error);
    /* Returns at once; `wait` reports errors on the device. */
    cm_status (*launch)(cm_gpu_loaded *loaded, const cm_gpu_launch *launch, cm_error *error);
    cm_status (*wait)(cm_gpu_loaded *loaded, cm_error *error);
    /* Copies the kernel's memory back, `size` bytes as loaded. */
    cm_status (*read)(cm_gpu_loaded *loaded, void *memory, cm_error *error);
    void (*unload)(cm_gpu_loaded *loaded); /* accepts NULL, as `close` does */
    void (*close)(cm_gpu_driver *driver);
} cm_gpu_backend;

extern const cm_gpu_backend cm_gpu_cuda, cm_gpu_hip;

/* All backends, up to a NULL. */
extern const cm_gpu_backend *const cm_gpu_backends[];
/* "nvidia", "amd"; NULL for another name. */
const cm_gpu_backend *cm_gpu_backend_find(const char *vendor);

#endif
