/* NVIDIA's GPUs, by CUDA's driver API. The context is the device's primary one, which PAPI and CUPTI use, too. */
#include "gpu/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "gpu/gpu.h"

enum { LOG_SIZE = 1024, MOST_DEVICES = 64 };

struct cm_gpu_driver {
    void *library;
    cm_cu cu;
    size_t devices;
    cm_cu_context contexts[MOST_DEVICES]; /* NULL: not created */
};

struct cm_gpu_loaded {
    cm_gpu_driver *driver;
    size_t device;
    cm_cu_module module;
    cm_cu_function function;
    cm_cu_pointer memory;
    size_t size;
};

#define FUNCTION(name, member)                                                                                         \
    {                                                                                                                  \
        name, offsetof(cm_cu, member)                                                                                  \
    }
static const cm_gpu_symbol symbols[] = {
    FUNCTION("cuInit", init),
    FUNCTION("cuGetErrorName", get_error_name),
    FUNCTION("cuGetErrorString", get_error_string),
    FUNCTION("cuDriverGetVersion", driver_version),
    FUNCTION("cuDeviceGetCount", device_count),
    FUNCTION("cuDeviceGet", device_get),
    FUNCTION("cuDeviceGetName", device_name),
    FUNCTION("cuDeviceGetAttribute", device_attribute),
    FUNCTION("cuDevicePrimaryCtxRetain", context_retain),
    FUNCTION("cuDevicePrimaryCtxRelease_v2", context_release),
    FUNCTION("cuCtxSetCurrent", context_set),
    FUNCTION("cuCtxSynchronize", context_wait),
    FUNCTION("cuModuleLoadDataEx", module_load),
    FUNCTION("cuModuleUnload", module_unload),
    FUNCTION("cuModuleGetFunction", module_function),
    FUNCTION("cuLinkCreate_v2", link_create),
    FUNCTION("cuLinkAddData_v2", link_add),
    FUNCTION("cuLinkComplete", link_complete),
    FUNCTION("cuLinkDestroy", link_destroy),
    FUNCTION("cuLaunchKernel", launch),
    FUNCTION("cuMemAlloc_v2", allocate),
    FUNCTION("cuMemFree_v2", release),
    FUNCTION("cuMemcpyHtoD_v2", copy_to),
    FUNCTION("cuMemcpyDtoH_v2", copy_from),
};

/* CM_OK, or an error with `action` failed and the driver's words; `log`: further words of the driver, "" for none. */
static cm_status check_with(const cm_cu *cu, cm_cu_result result, const char *action, const char *log, cm_error *error)
{
    const char *name = NULL, *text = NULL;
    if (result == 0)
        return CM_OK;
    if (cu->get_error_name(result, &name) != 0 || name == NULL)
        name = "an unknown error";
    if (cu->get_error_string(result, &text) != 0 || text == NULL)
        text = "";
    return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s: %s (%s %d)%s%.600s", action, text, name, result,
                        log[0] != '\0' ? ": " : "", log);
}

static cm_status check_call(const cm_cu *cu, cm_cu_result result, const char *action, cm_error *error)
{
    return check_with(cu, result, action, "", error);
}

/* ---- the driver ---- */

static cm_status count_devices(cm_gpu_driver *driver, cm_error *error)
{
    int count = 0;
    cm_status status = check_call(&driver->cu, driver->cu.init(0), "the NVIDIA driver does not start", error);
    if (status == CM_OK)
        status =
            check_call(&driver->cu, driver->cu.device_count(&count), "the NVIDIA driver does not list devices", error);
    if (status == CM_OK && count <= 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the NVIDIA driver has no device");
    driver->devices = (size_t)(count < MOST_DEVICES ? count : MOST_DEVICES);
    return status;
}

static void close_driver(cm_gpu_driver *driver)
{
    if (driver == NULL)
        return;
    for (size_t i = 0; i < driver->devices; i++)
        if (driver->contexts[i] != NULL)
            driver->cu.context_release((cm_cu_device)i);
    cm_gpu_library_close(driver->library);
    free(driver);
}

/* Loads the driver and counts its devices. */
static cm_status open_driver(const char *library, cm_gpu_driver **driver, cm_error *error)
{
    cm_gpu_driver *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    const char *const named[] = {library, NULL};
    cm_status status =
        cm_gpu_library_open(library != NULL ? named : cm_gpu_cuda.libraries, "the NVIDIA driver", symbols,
                            sizeof symbols / sizeof symbols[0], &opened->cu, &opened->library, error);
    if (status == CM_OK)
        status = count_devices(opened, error);
    if (status == CM_OK)
        *driver = opened;
    else
        close_driver(opened);
    return status;
}

static size_t device_count(const cm_gpu_driver *driver)
{
    return driver->devices;
}

/* Fills in a device's name and target. */
static cm_status describe_device(cm_gpu_driver *driver, size_t device, cm_gpu_device *found, cm_error *error)
{
    const cm_cu *cu = &driver->cu;
    cm_cu_device handle = 0;
    int major = 0, minor = 0, warp = 0;
    cm_cu_result result = cu->device_get(&handle, (int)device);
    if (result == 0)
        result = cu->device_name(found->name, sizeof found->name, handle);
    if (result == 0)
        result = cu->device_attribute(&major, CM_CU_MAJOR, handle);
    if (result == 0)
        result = cu->device_attribute(&minor, CM_CU_MINOR, handle);
    if (result == 0)
        result = cu->device_attribute(&warp, CM_CU_WARP_SIZE, handle);
    found->version = (unsigned)(10 * major + minor);
    found->warp = (unsigned)warp;
    snprintf(found->target, sizeof found->target, "sm_%u", found->version);
    return check_call(cu, result, "the NVIDIA driver does not describe the device", error);
}

/* Makes the device the current one for the driver's next calls. */
static cm_cu_result turn_to(const cm_gpu_loaded *loaded)
{
    return loaded->driver->cu.context_set(loaded->driver->contexts[loaded->device]);
}

static cm_status create_context(cm_gpu_driver *driver, size_t device, cm_error *error)
{
    cm_cu_result result = 0;
    if (driver->contexts[device] == NULL)
        result = driver->cu.context_retain(&driver->contexts[device], (cm_cu_device)device);
    if (result == 0)
        result = driver->cu.context_set(driver->contexts[device]);
    return check_call(&driver->cu, result, "the device takes no context", error);
}

/* ---- kernels ---- */

/* The compiler's options, for code that runs and for code that is only examined. Optimisation is off: it would pack two
 * chains in half precision into one, balance pairs between two kinds of instructions, and drop loops whose result it
 * knows. */
enum { JIT_OPTIONS = 3 };
typedef struct jit_options {
    int keys[JIT_OPTIONS];
    void *values[JIT_OPTIONS];
    char log[LOG_SIZE];
} jit_options;

static void choose_options(jit_options *jit)
{
    *jit = (jit_options){.keys = {CM_CU_JIT_ERROR_LOG_BUFFER, CM_CU_JIT_ERROR_LOG_SIZE, CM_CU_JIT_OPTIMIZATION_LEVEL}};
    jit->values[0] = jit->log;
    jit->values[1] = (void *)(uintptr_t)sizeof jit->log;
    jit->values[2] = NULL; /* level 0 */
}

static cm_status check_compiled(const cm_cu *cu, cm_cu_result result, jit_options *jit, cm_error *error)
{
    jit->log[sizeof jit->log - 1] = '\0';
    return check_with(cu, result, "the driver refuses the kernel", jit->log, error);
}

static cm_status compile(cm_gpu_loaded *loaded, const void *image, const char *entry, cm_error *error)
{
    const cm_cu *cu = &loaded->driver->cu;
    jit_options jit;
    choose_options(&jit);
    cm_cu_result result = cu->module_load(&loaded->module, image, JIT_OPTIONS, jit.keys, jit.values);
    if (result == 0)
        result = cu->module_function(&loaded->function, loaded->module, entry);
    return check_compiled(cu, result, &jit, error);
}

static cm_status copy_code(const void *from, size_t size, void **code, cm_error *error)
{
    *code = malloc(size + 1);
    if (*code == NULL)
        return cm_error_no_memory(error);
    memcpy(*code, from, size);
    return CM_OK;
}

/* Compiles the image and copies the machine code. */
static cm_status make_machine_code(cm_gpu_driver *driver, size_t device, const char *image, void **code, size_t *size,
                                   cm_error *error)
{
    const cm_cu *cu = &driver->cu;
    jit_options jit;
    cm_cu_link link = NULL;
    void *made = NULL;
    choose_options(&jit);
    cm_status status = create_context(driver, device, error);
    if (status != CM_OK)
        return status;
    cm_cu_result result = cu->link_create(JIT_OPTIONS, jit.keys, jit.values, &link);
    if (result != 0)
        return check_call(cu, result, "the driver does not give the machine code that it makes", error);
    result =
        cu->link_add(link, CM_CU_JIT_INPUT_PTX, (void *)(uintptr_t)image, strlen(image) + 1, "catmint", 0, NULL, NULL);
    if (result == 0)
        result = cu->link_complete(link, &made, size);
    status = check_compiled(cu, result, &jit, error);
    if (status == CM_OK)
        status = copy_code(made, *size, code, error);
    cu->link_destroy(link);
    return status;
}

static cm_status fill_memory(cm_gpu_loaded *loaded, const void *memory, size_t room, cm_error *error)
{
    const cm_cu *cu = &loaded->driver->cu;
    cm_status status =
        check_call(cu, cu->allocate(&loaded->memory, room), "the device has no memory for the kernel", error);
    if (status == CM_OK)
        status = check_call(cu, cu->copy_to(loaded->memory, memory, loaded->size), "the device takes no data", error);
    return status;
}

static void unload(cm_gpu_loaded *loaded)
{
    if (loaded == NULL)
        return;
    turn_to(loaded);
    if (loaded->memory != 0)
        loaded->driver->cu.release(loaded->memory);
    if (loaded->module != NULL)
        loaded->driver->cu.module_unload(loaded->module);
    free(loaded);
}

/* Loads a kernel and its memory onto a device. */
static cm_status load_kernel(cm_gpu_driver *driver, size_t device, const void *image, const char *entry,
                             const void *memory, size_t size, size_t room, cm_gpu_loaded **loaded, cm_error *error)
{
    cm_gpu_loaded *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    *made = (cm_gpu_loaded){.driver = driver, .device = device, .size = size};
    cm_status status = create_context(driver, device, error);
    if (status == CM_OK)
        status = compile(made, image, entry, error);
    if (status == CM_OK)
        status = fill_memory(made, memory, room, error);
    if (status == CM_OK)
        *loaded = made;
    else
        unload(made);
    return status;
}

static cm_status launch(cm_gpu_loaded *loaded, const cm_gpu_launch *launched, cm_error *error)
{
    const cm_cu *cu = &loaded->driver->cu;
    uint32_t trips = launched->trips;
    void *parameters[] = {&loaded->memory, &trips};
    cm_cu_result result = turn_to(loaded);
    if (result == 0)
        result =
            cu->launch(loaded->function, launched->blocks, 1, 1, launched->threads, 1, 1, 0, NULL, parameters, NULL);
    return check_call(cu, result, "the device does not launch the kernel", error);
}

static cm_status wait_for(cm_gpu_loaded *loaded, cm_error *error)
{
    cm_cu_result result = turn_to(loaded);
    if (result == 0)
        result = loaded->driver->cu.context_wait();
    return check_call(&loaded->driver->cu, result, "the kernel failed on the device", error);
}

static cm_status read_memory(cm_gpu_loaded *loaded, void *memory, cm_error *error)
{
    const cm_cu *cu = &loaded->driver->cu;
    cm_cu_result result = turn_to(loaded);
    if (result == 0)
        result = cu->copy_from(memory, loaded->memory, loaded->size);
    return check_call(cu, result, "the device gives no data", error);
}

static const char *const libraries[] = {"libcuda.so.1", NULL};

const cm_gpu_backend cm_gpu_cuda = {
    .vendor = CM_GPU_NVIDIA,
    .maker = "nvidia",
    .name = "CUDA",
    .libraries = libraries,
    .open = open_driver,
    .device_count = device_count,
    .device = describe_device,
    .create_context = create_context,
    .load = load_kernel,
    .machine_code = make_machine_code,
    .launch = launch,
    .wait = wait_for,
    .read = read_memory,
    .unload = unload,
    .close = close_driver,
};
