/* GPUs behind one table of functions. */
#ifndef CM_GPU_GPU_H
#define CM_GPU_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include <catmint/error.h>

/* ---- backend.c ---- */

/* GPUs behind one table of functions. A backend finds its driver's library at run time; building catmint needs nothing
 * of it. A software GPU can be loaded instead of the driver: the library is a parameter. Errors carry the driver's own
 * words. */

typedef enum cm_gpu_vendor {
    CM_GPU_NVIDIA = 1, /* bits, so that a set of them is a number */
    CM_GPU_AMD = 2,
} cm_gpu_vendor;

typedef struct cm_gpu_device {
    char name[128];   /* as the driver names it: "NVIDIA H100 80GB HBM3" */
    char target[32];  /* target of its code: "sm_90", "gfx90a" */
    unsigned version; /* of the target: 90 for sm_90, 0x90a for gfx90a */
    unsigned warp;    /* lanes of a warp or wavefront */
    unsigned units;   /* multiprocessors or compute units; 0: the driver does not say */
    unsigned clock;   /* its peak, in kHz; 0: the driver does not say */
} cm_gpu_device;

/* The driver's figures of a loaded kernel's code; -1: it has none. */
typedef struct cm_gpu_code {
    int registers; /* of a thread */
    int version;   /* of the machine code: 90 for sm_90 */
} cm_gpu_code;

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
     * copied to the device for the kernel, which gets its address and the trips; of `capacity` bytes there the others
     * are left as they are. Unload with `unload`. */
    cm_status (*load)(cm_gpu_driver *driver, size_t device, const void *image, const char *entry, const void *memory,
                      size_t size, size_t capacity, cm_gpu_loaded **loaded, cm_error *error);
    /* The machine code that the driver makes of `image`, text with its NUL, when it loads it: a file of `size` bytes
     * for the vendor's disassembler, to be freed. NULL: the backend loads the device's own code. */
    cm_status (*machine_code)(cm_gpu_driver *driver, size_t device, const char *image, void **code, size_t *size,
                              cm_error *error);
    void (*describe_code)(const cm_gpu_loaded *loaded, cm_gpu_code *code);
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

/* ---- code_object.c: code objects for AMD's GPUs: made of assembly by the build, or by hiprtc at run time ---- */

/* `assembly`: of one kernel, `entry`, with its description. *object is to be freed. CM_UNSUPPORTED if neither way
 * works, with both reasons. */
cm_status cm_gpu_code_object(const char *assembly, const char *entry, const char *target, char **object,
                             cm_error *error);

/* ---- hip_source.c ---- */

/* The same kernel as HIP source, whose body is the assembly; to be freed. */
cm_status cm_gpu_hip_source(const char *assembly, const char *entry, char **source, cm_error *error);

/* ---- disassemble.c ---- */

/* Machine code as text, by NVIDIA's own disassemblers, which are searched for in PATH when needed. */

/* Disassembles a cubin by nvdisasm or cuobjdump; *text is to be freed. CM_UNSUPPORTED if neither is installed, with
 * advice, or if it fails; CM_IO if no temporary file can be written. */
cm_status cm_gpu_disassemble(const void *code, size_t size, char **text, cm_error *error);

/* ---- library.c: a driver's library, and its functions by name ---- */

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

/* ---- session.c: the GPUs in use: one vendor's driver, and its devices ---- */

typedef struct cm_gpu_session {
    const cm_gpu_backend *backend;
    cm_gpu_driver *driver;
    size_t device_count;
    cm_gpu_device *devices;
} cm_gpu_session;

/* Opens the driver, with a context on each device. `backend` NULL: the first whose driver has a device; if none has,
 * CM_UNSUPPORTED with the words of each. `library` NULL: the driver's. Free with cm_gpu_session_close. */
cm_status cm_gpu_session_open(const cm_gpu_backend *backend, const char *library, cm_gpu_session **session,
                              cm_error *error);
void cm_gpu_session_close(cm_gpu_session *session); /* accepts NULL */

#endif
