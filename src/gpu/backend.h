/* GPUs behind one table of functions. A backend finds its driver's library at run time and needs nothing of it when
 * catmint is built; what it loads instead, a software GPU, is a parameter. Errors carry the driver's own words. */
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
    char name[128];   /* the driver's: "NVIDIA H100 80GB HBM3" */
    char target[32];  /* what code is made for: "sm_90", "gfx90a" */
    unsigned version; /* of the target: 90 for sm_90, 0x90a for gfx90a */
    unsigned warp;    /* lanes of a warp or wavefront */
} cm_gpu_device;

/* How often a kernel is executed: `threads` of each of `blocks`, its loop `trips` times. */
typedef struct cm_gpu_launch {
    unsigned blocks, threads;
    uint32_t trips;
} cm_gpu_launch;

typedef struct cm_gpu_driver cm_gpu_driver; /* a backend's own */
typedef struct cm_gpu_loaded cm_gpu_loaded; /* a kernel on a device, likewise */

/* All functions but `close` and `unload` return CM_UNSUPPORTED where the driver refuses, and CM_NO_MEMORY where memory
 * of the machine, not the device's, is short. */
typedef struct cm_gpu_backend {
    cm_gpu_vendor vendor;
    const char *maker; /* "nvidia" */
    const char *name;  /* "CUDA" */
    const char *const
        *libraries; /* the driver's, where none is named, the first of these that is there; up to a NULL */

    /* Loads the library, NULL: the driver's, and asks it for devices: at least one. Close with `close`. */
    cm_status (*open)(const char *library, cm_gpu_driver **driver, cm_error *error);
    size_t (*device_count)(const cm_gpu_driver *driver);
    cm_status (*device)(cm_gpu_driver *driver, size_t device, cm_gpu_device *found, cm_error *error);
    /* What events are counted in; it is there once `device` was asked to load. Harmless when it is there already. */
    cm_status (*create_context)(cm_gpu_driver *driver, size_t device, cm_error *error);
    /* `image`: PTX as text with its end, or a code object. `entry`: the kernel's name in it. `memory`, `size` bytes, is
     * copied to the device for the kernel, which gets its address and the trips. Unload with `unload`. */
    cm_status (*load)(cm_gpu_driver *driver, size_t device, const void *image, const char *entry, const void *memory,
                      size_t size, cm_gpu_loaded **loaded, cm_error *error);
    /* What the driver makes of `image`, text with its end, as `load` would: a file of `size` bytes for the vendor's
     * disassembler, to be freed. NULL: the backend loads what is the device's own code. */
    cm_status (*machine_code)(cm_gpu_driver *driver, size_t device, const char *image, void **code, size_t *size,
                              cm_error *error);
    /* Returns at once; what goes wrong on the device `wait` says. */
    cm_status (*launch)(cm_gpu_loaded *loaded, const cm_gpu_launch *launch, cm_error *error);
    cm_status (*wait)(cm_gpu_loaded *loaded, cm_error *error);
    /* Copies the kernel's memory back, `size` bytes as it was loaded with. */
    cm_status (*read)(cm_gpu_loaded *loaded, void *memory, cm_error *error);
    void (*unload)(cm_gpu_loaded *loaded); /* NULL is allowed, likewise */
    void (*close)(cm_gpu_driver *driver);
} cm_gpu_backend;

extern const cm_gpu_backend cm_gpu_cuda, cm_gpu_hip;

/* All of them, up to a NULL. */
extern const cm_gpu_backend *const cm_gpu_backends[];
/* "nvidia", "amd"; NULL for another name. */
const cm_gpu_backend *cm_gpu_backend_find(const char *vendor);

#endif
