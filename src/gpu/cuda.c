/* NVIDIA's GPUs, by CUDA's driver API. The context is the device's primary one, which PAPI and CUPTI use, too. */
#include "gpu/driver.h"

#include "core/base.h"

enum { LOG_SIZE = 1024 };

#define FUNCTION(name, member)                                                                                         \
    {                                                                                                                  \
        name, offsetof(cm_cu, member)                                                                                  \
    }
static const cm_gpu_symbol cuda_symbols[] = {
    FUNCTION("cuInit", common.init),
    FUNCTION("cuGetErrorName", get_error_name),
    FUNCTION("cuGetErrorString", get_error_string),
    FUNCTION("cuDriverGetVersion", driver_version),
    FUNCTION("cuDeviceGetCount", common.device_count),
    FUNCTION("cuDeviceGet", device_get),
    FUNCTION("cuDeviceGetName", device_name),
    FUNCTION("cuDeviceGetAttribute", device_attribute),
    FUNCTION("cuDevicePrimaryCtxRetain", context_retain),
    FUNCTION("cuDevicePrimaryCtxRelease_v2", context_release),
    FUNCTION("cuCtxSetCurrent", context_set),
    FUNCTION("cuCtxSynchronize", common.wait),
    FUNCTION("cuModuleLoadDataEx", module_load),
    FUNCTION("cuModuleUnload", common.module_unload),
    FUNCTION("cuModuleGetFunction", common.module_function),
    FUNCTION("cuFuncGetAttribute", common.function_attribute),
    FUNCTION("cuLinkCreate_v2", link_create),
    FUNCTION("cuLinkAddData_v2", link_add),
    FUNCTION("cuLinkComplete", link_complete),
    FUNCTION("cuLinkDestroy", link_destroy),
    FUNCTION("cuLaunchKernel", common.launch),
    FUNCTION("cuMemAlloc_v2", common.allocate),
    FUNCTION("cuMemFree_v2", common.release),
    FUNCTION("cuMemcpyHtoD_v2", common.copy_to),
    FUNCTION("cuMemcpyDtoH_v2", common.copy_from),
};
#undef FUNCTION

static const cm_cu *cuda_calls_of(const cm_gpu_driver *driver)
{
    return (const cm_cu *)(const void *)driver->calls;
}

static void find_cuda_words(const cm_gpu_driver *driver, int result, const char **name, const char **text)
{
    if (cuda_calls_of(driver)->get_error_name(result, name) != 0)
        *name = NULL;
    if (cuda_calls_of(driver)->get_error_string(result, text) != 0)
        *text = NULL;
}

static int use_cuda_device(cm_gpu_driver *driver, size_t device)
{
    const cm_cu *cu = cuda_calls_of(driver);
    int result = 0;
    if (driver->contexts[device] == NULL)
        result = cu->context_retain(&driver->contexts[device], (int)device);
    return result == 0 ? cu->context_set(driver->contexts[device]) : result;
}

static void leave_device(cm_gpu_driver *driver, size_t device)
{
    if (driver->contexts[device] != NULL)
        cuda_calls_of(driver)->context_release((int)device);
}

/* An attribute of the device; 0: the driver does not say. */
static unsigned find_cuda_attribute(const cm_cu *cu, int attribute, int device)
{
    int value = 0;
    return cu->device_attribute(&value, attribute, device) == 0 && value > 0 ? (unsigned)value : 0;
}

/* Describes a device. */
static cm_status describe_cuda_device(cm_gpu_driver *driver, size_t device, cm_gpu_device *found, cm_error *error)
{
    const cm_cu *cu = cuda_calls_of(driver);
    int handle = 0;
    int major = 0, minor = 0, warp = 0;
    int result = cu->device_get(&handle, (int)device);
    if (result == 0)
        result = cu->device_name(found->name, sizeof found->name, handle);
    if (result == 0)
        result = cu->device_attribute(&major, CM_CU_MAJOR, handle);
    if (result == 0)
        result = cu->device_attribute(&minor, CM_CU_MINOR, handle);
    if (result == 0)
        result = cu->device_attribute(&warp, CM_CU_WARP_SIZE, handle);
    if (result == 0) {
        found->units = find_cuda_attribute(cu, CM_CU_UNITS, handle);
        found->clock = find_cuda_attribute(cu, CM_CU_CLOCK_RATE, handle);
    }
    found->version = (unsigned)(10 * major + minor);
    found->warp = (unsigned)warp;
    snprintf(found->target, sizeof found->target, "sm_%u", found->version);
    return cm_gpu_check(driver, result, "the NVIDIA driver does not describe the device", "", error);
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

static cm_status check_compiled(const cm_gpu_driver *driver, int result, jit_options *jit, cm_error *error)
{
    jit->log[sizeof jit->log - 1] = '\0';
    return cm_gpu_check(driver, result, "the driver refuses the kernel", jit->log, error);
}

static cm_status load_cuda_module(cm_gpu_loaded *loaded, const void *image, const char *entry, cm_error *error)
{
    jit_options jit;
    (void)entry;
    choose_options(&jit);
    int result = cuda_calls_of(loaded->driver)->module_load(&loaded->module, image, JIT_OPTIONS, jit.keys, jit.values);
    return check_compiled(loaded->driver, result, &jit, error);
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
    const cm_cu *cu = cuda_calls_of(driver);
    jit_options jit;
    void *link = NULL;
    void *made = NULL;
    choose_options(&jit);
    cm_status status = cm_gpu_driver_create_context(driver, device, error);
    if (status != CM_OK)
        return status;
    int result = cu->link_create(JIT_OPTIONS, jit.keys, jit.values, &link);
    if (result != 0)
        return cm_gpu_check(driver, result, "the driver does not give the machine code that it makes", "", error);
    result =
        cu->link_add(link, CM_CU_JIT_INPUT_PTX, (void *)(uintptr_t)image, strlen(image) + 1, "catmint", 0, NULL, NULL);
    if (result == 0)
        result = cu->link_complete(link, &made, size);
    status = check_compiled(driver, result, &jit, error);
    CM_THEN(status, copy_code(made, *size, code, error));
    cu->link_destroy(link);
    return status;
}

static cm_status open_cuda_driver(const char *library, cm_gpu_driver **driver, cm_error *error)
{
    static const cm_gpu_dialect dialect = {
        &cm_gpu_cuda,    "the NVIDIA driver", cuda_symbols,    sizeof cuda_symbols / sizeof cuda_symbols[0],
        sizeof(cm_cu),   find_cuda_words,     use_cuda_device, leave_device,
        load_cuda_module};
    return cm_gpu_driver_open(&dialect, library, driver, error);
}

static const char *const cuda_libraries[] = {"libcuda.so.1", NULL};

const cm_gpu_backend cm_gpu_cuda = {
    .vendor = CM_GPU_NVIDIA,
    .maker = "nvidia",
    .name = "CUDA",
    .libraries = cuda_libraries,
    .open = open_cuda_driver,
    .device = describe_cuda_device,
    .machine_code = make_machine_code,
    CM_GPU_DRIVER_MEMBERS,
};
