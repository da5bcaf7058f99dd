/* AMD's GPUs, by HIP's functions of modules. This was never run with HIP itself, only with the software GPU's library,
 * which has the same entry points. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "gpu/gpu.h"
#include "gpu/hip.h"

struct cm_gpu_driver {
    void *library;
    cm_hip hip;
    size_t devices;
    bool takes_assembly; /* it is the software GPU's library */
};

struct cm_gpu_loaded {
    cm_gpu_driver *driver;
    size_t device;
    cm_hip_module module;
    cm_hip_function function;
    void *memory;
    size_t size;
};

#define FUNCTION(name, member)                                                                                         \
    {                                                                                                                  \
        name, offsetof(cm_hip, member)                                                                                 \
    }
static const cm_gpu_symbol symbols[] = {
    FUNCTION("hipInit", init),
    FUNCTION("hipGetErrorName", error_name),
    FUNCTION("hipGetErrorString", error_string),
    FUNCTION("hipGetDeviceCount", device_count),
    FUNCTION("hipGetDeviceProperties", device_properties),
    FUNCTION("hipSetDevice", set_device),
    FUNCTION("hipDeviceSynchronize", wait),
    FUNCTION("hipModuleLoadData", module_load),
    FUNCTION("hipModuleUnload", module_unload),
    FUNCTION("hipModuleGetFunction", module_function),
    FUNCTION("hipModuleLaunchKernel", launch),
    FUNCTION("hipMalloc", allocate),
    FUNCTION("hipFree", release),
    FUNCTION("hipMemcpyHtoD", copy_to),
    FUNCTION("hipMemcpyDtoH", copy_from),
};

/* CM_OK, or an error with `action` failed and the driver's words. */
static cm_status check_call(const cm_hip *hip, cm_hip_result result, const char *action, cm_error *error)
{
    if (result == 0)
        return CM_OK;
    return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s: %s (%s %d)", action, hip->error_string(result),
                        hip->error_name(result), result);
}

/* ---- the driver ---- */

static cm_status count_devices(cm_gpu_driver *driver, cm_error *error)
{
    int count = 0;
    cm_status status = check_call(&driver->hip, driver->hip.init(0), "HIP does not start", error);
    if (status == CM_OK)
        status = check_call(&driver->hip, driver->hip.device_count(&count), "HIP does not list devices", error);
    if (status == CM_OK && count <= 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "HIP has no device");
    driver->devices = (size_t)count;
    return status;
}

static void close_driver(cm_gpu_driver *driver)
{
    if (driver == NULL)
        return;
    cm_gpu_library_close(driver->library);
    free(driver);
}

/* Loads HIP and counts its devices. */
static cm_status open_driver(const char *library, cm_gpu_driver **driver, cm_error *error)
{
    cm_gpu_driver *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    const char *const named[] = {library, NULL};
    opened->takes_assembly = library != NULL;
    cm_status status = cm_gpu_library_open(library != NULL ? named : cm_gpu_hip.libraries, "HIP", symbols,
                                           sizeof symbols / sizeof symbols[0], &opened->hip, &opened->library, error);
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

/* Finds "gfx90a" in the "gfx90a:sramecc+:xnack-" somewhere in the properties. */
static bool find_target(const char *properties, char *target, size_t size)
{
    for (size_t i = sizeof((cm_gpu_device *)NULL)->name; i + size < CM_HIP_PROPERTIES; i++) {
        size_t length = 3;
        if (memcmp(properties + i, "gfx", 3) != 0)
            continue;
        while (length + 1 < size && isxdigit((unsigned char)properties[i + length]))
            length++;
        memcpy(target, properties + i, length);
        target[length] = '\0';
        return length > 3;
    }
    return false;
}

/* Fills in a device's name and target. */
static cm_status describe_device(cm_gpu_driver *driver, size_t device, cm_gpu_device *found, cm_error *error)
{
    char *properties = calloc(1, CM_HIP_PROPERTIES);
    if (properties == NULL)
        return cm_error_no_memory(error);
    cm_status status = check_call(&driver->hip, driver->hip.device_properties(properties, (int)device),
                                  "HIP does not describe the device", error);
    if (status == CM_OK && !find_target(properties, found->target, sizeof found->target))
        status = cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "HIP does not say which GPU the device is");
    if (status == CM_OK) {
        snprintf(found->name, sizeof found->name, "%.127s", properties);
        found->version = (unsigned)strtoul(found->target + 3, NULL, 16);
        found->warp = strncmp(found->target, "gfx9", 4) == 0 ? 64 : 32;
    }
    free(properties);
    return status;
}

/* The device's context exists as soon as the device is used. */
static cm_status create_context(cm_gpu_driver *driver, size_t device, cm_error *error)
{
    return check_call(&driver->hip, driver->hip.set_device((int)device), "the device cannot be used", error);
}

/* ---- kernels ---- */

/* Loads the kernel's code object, or for the software GPU its assembly. */
static cm_status load_module(cm_gpu_loaded *loaded, const void *image, const char *entry, cm_error *error)
{
    const cm_hip *hip = &loaded->driver->hip;
    cm_gpu_device device = {0};
    char *object = NULL;
    cm_status status = describe_device(loaded->driver, loaded->device, &device, error);
    if (status == CM_OK && !loaded->driver->takes_assembly)
        status = cm_gpu_code_object(image, entry, device.target, &object, error);
    if (status == CM_OK)
        status = check_call(hip, hip->module_load(&loaded->module, object != NULL ? object : image),
                            "the driver refuses the kernel", error);
    if (status == CM_OK)
        status = check_call(hip, hip->module_function(&loaded->function, loaded->module, entry),
                            "the driver refuses the kernel", error);
    free(object);
    return status;
}

static cm_status fill_memory(cm_gpu_loaded *loaded, const void *memory, size_t room, cm_error *error)
{
    const cm_hip *hip = &loaded->driver->hip;
    cm_status status =
        check_call(hip, hip->allocate(&loaded->memory, room), "the device has no memory for the kernel", error);
    if (status == CM_OK)
        status = check_call(hip, hip->copy_to(loaded->memory, memory, loaded->size), "the device takes no data", error);
    return status;
}

static void unload(cm_gpu_loaded *loaded)
{
    if (loaded == NULL)
        return;
    loaded->driver->hip.set_device((int)loaded->device);
    if (loaded->memory != NULL)
        loaded->driver->hip.release(loaded->memory);
    if (loaded->module != NULL)
        loaded->driver->hip.module_unload(loaded->module);
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
        status = load_module(made, image, entry, error);
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
    const cm_hip *hip = &loaded->driver->hip;
    uint32_t trips = launched->trips;
    void *parameters[] = {&loaded->memory, &trips};
    cm_hip_result result = hip->set_device((int)loaded->device);
    if (result == 0)
        result =
            hip->launch(loaded->function, launched->blocks, 1, 1, launched->threads, 1, 1, 0, NULL, parameters, NULL);
    return check_call(hip, result, "the device does not launch the kernel", error);
}

static cm_status wait_for(cm_gpu_loaded *loaded, cm_error *error)
{
    const cm_hip *hip = &loaded->driver->hip;
    cm_hip_result result = hip->set_device((int)loaded->device);
    if (result == 0)
        result = hip->wait();
    return check_call(hip, result, "the kernel failed on the device", error);
}

static cm_status read_memory(cm_gpu_loaded *loaded, void *memory, cm_error *error)
{
    const cm_hip *hip = &loaded->driver->hip;
    return check_call(hip, hip->copy_from(memory, loaded->memory, loaded->size), "the device gives no data", error);
}

/* Only developers' packages have the name without a number. */
static const char *const libraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        NULL};

const cm_gpu_backend cm_gpu_hip = {
    .vendor = CM_GPU_AMD,
    .maker = "amd",
    .name = "HIP",
    .libraries = libraries,
    .open = open_driver,
    .device_count = device_count,
    .device = describe_device,
    .create_context = create_context,
    .load = load_kernel,
    .launch = launch,
    .wait = wait_for,
    .read = read_memory,
    .unload = unload,
    .close = close_driver,
};
