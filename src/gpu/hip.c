/* AMD's GPUs, by HIP's functions of modules. This was never run with HIP itself, only with the software GPU's library,
 * which has the same entry points. */
#include "gpu/driver.h"

#include "core/base.h"

#define FUNCTION(name, member)                                                                                         \
    {                                                                                                                  \
        name, offsetof(cm_hip, member)                                                                                 \
    }
static const cm_gpu_symbol hip_symbols[] = {
    FUNCTION("hipInit", common.init),
    FUNCTION("hipGetErrorName", error_name),
    FUNCTION("hipGetErrorString", error_string),
    FUNCTION("hipGetDeviceCount", common.device_count),
    FUNCTION("hipGetDeviceProperties", device_properties),
    FUNCTION("hipDeviceGetAttribute", device_attribute),
    FUNCTION("hipSetDevice", set_device),
    FUNCTION("hipDeviceSynchronize", common.wait),
    FUNCTION("hipModuleLoadData", module_load),
    FUNCTION("hipModuleUnload", common.module_unload),
    FUNCTION("hipModuleGetFunction", common.module_function),
    FUNCTION("hipFuncGetAttribute", common.function_attribute),
    FUNCTION("hipModuleLaunchKernel", common.launch),
    FUNCTION("hipMalloc", common.allocate),
    FUNCTION("hipFree", common.release),
    FUNCTION("hipMemcpyHtoD", common.copy_to),
    FUNCTION("hipMemcpyDtoH", common.copy_from),
};
#undef FUNCTION

static const cm_hip *hip_calls_of(const cm_gpu_driver *driver)
{
    return (const cm_hip *)(const void *)driver->calls;
}

static void find_hip_words(const cm_gpu_driver *driver, int result, const char **name, const char **text)
{
    *name = hip_calls_of(driver)->error_name(result);
    *text = hip_calls_of(driver)->error_string(result);
}

/* Selects the device of later calls; the first of them creates its context. */
static int use_hip_device(cm_gpu_driver *driver, size_t device)
{
    return hip_calls_of(driver)->set_device((int)device);
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

/* An attribute of the device; 0: HIP does not say. */
static unsigned find_hip_attribute(const cm_gpu_driver *driver, int attribute, size_t device)
{
    int value = 0;
    return hip_calls_of(driver)->device_attribute(&value, attribute, (int)device) == 0 && value > 0 ? (unsigned)value
                                                                                                    : 0;
}

/* Describes a device. */
static cm_status describe_hip_device(cm_gpu_driver *driver, size_t device, cm_gpu_device *found, cm_error *error)
{
    char *properties = calloc(1, CM_HIP_PROPERTIES);
    if (properties == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_gpu_check(driver, hip_calls_of(driver)->device_properties(properties, (int)device),
                                    "HIP does not describe the device", "", error);
    if (status == CM_OK && !find_target(properties, found->target, sizeof found->target))
        status = CM_FAIL(error, CM_UNSUPPORTED, "HIP does not say which GPU the device is");
    if (status == CM_OK) {
        snprintf(found->name, sizeof found->name, "%.127s", properties);
        found->version = (unsigned)strtoul(found->target + 3, NULL, 16);
        found->units = find_hip_attribute(driver, CM_HIP_UNITS, device);
        found->clock = find_hip_attribute(driver, CM_HIP_CLOCK_RATE, device);
        found->warp = strncmp(found->target, "gfx9", 4) == 0 ? 64 : 32;
    }
    free(properties);
    return status;
}

/* Loads the kernel's code object, or for the software GPU its assembly. */
static cm_status load_hip_module(cm_gpu_loaded *loaded, const void *image, const char *entry, cm_error *error)
{
    cm_gpu_device device = {0};
    char *object = NULL;
    cm_status status = describe_hip_device(loaded->driver, loaded->device, &device, error);
    if (status == CM_OK && !loaded->driver->is_software)
        status = cm_gpu_code_object(image, entry, device.target, &object, error);
    CM_THEN(status,
            cm_gpu_check(loaded->driver,
                         hip_calls_of(loaded->driver)->module_load(&loaded->module, object != NULL ? object : image),
                         "the driver refuses the kernel", "", error));
    free(object);
    return status;
}

static cm_status open_hip_driver(const char *library, cm_gpu_driver **driver, cm_error *error)
{
    static const cm_gpu_dialect dialect = {
        &cm_gpu_hip,    "HIP",          hip_symbols,    sizeof hip_symbols / sizeof hip_symbols[0],
        sizeof(cm_hip), find_hip_words, use_hip_device, NULL,
        load_hip_module};
    return cm_gpu_driver_open(&dialect, library, driver, error);
}

/* Only developers' packages have the name without a number. */
static const char *const hip_libraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                            "libamdhip64.so.5", NULL};

const cm_gpu_backend cm_gpu_hip = {
    .vendor = CM_GPU_AMD,
    .maker = "amd",
    .name = "HIP",
    .libraries = hip_libraries,
    .open = open_hip_driver,
    .device = describe_hip_device,
    CM_GPU_DRIVER_MEMBERS,
};
