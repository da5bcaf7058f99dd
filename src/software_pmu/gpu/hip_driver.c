/* HIP as catmint calls it: devices, modules of catmint's assembly, launches, memory. Launches are executed at once; the
 * next wait reports their errors. */
#include "software_pmu/gpu/hip_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "software_pmu/gpu/device_memory.h"
#include "software_pmu/gpu/published.h"
#include "software_pmu/gpu/wavefront.h"

#define ENTRY __attribute__((visibility("default")))

/* X(number, name, text), as in HIP. */
#define RESULTS(X)                                                                                                     \
    X(0, Success, "no error")                                                                                          \
    X(1, ErrorInvalidValue, "invalid argument")                                                                        \
    X(2, ErrorOutOfMemory, "out of memory")                                                                            \
    X(100, ErrorNoDevice, "no ROCm-capable device is detected")                                                        \
    X(101, ErrorInvalidDevice, "invalid device ordinal")                                                               \
    X(200, ErrorInvalidImage, "device kernel image is invalid")                                                        \
    X(500, ErrorNotFound, "named symbol not found")                                                                    \
    X(700, ErrorIllegalAddress, "an illegal memory access was encountered")                                            \
    X(801, ErrorNotSupported, "operation not supported")

enum {
#define ROW(number, name, text) name = number,
    RESULTS(ROW)
#undef ROW
};

static const struct {
    int number;
    const char *name, *text;
} results[] = {
#define ROW(number, name, text) {number, "hip" #name, text},
    RESULTS(ROW)
#undef ROW
};

/* The state of the process's driver. */
static struct {
    int device;
    cm_hip_result failed[CM_SOFTWARE_GPU_DEVICES]; /* error of a launch there, until it is reported */
} driver;

enum { TARGET_AT = 1160, TARGET_SIZE = 256, NAME_SIZE = 256 }; /* offsets in the properties of ROCm 6 */

static bool is_device(int device)
{
    return strcmp(cm_software_gpu_machine()->gpu, "amd") == 0 && device >= 0 && device < CM_SOFTWARE_GPU_DEVICES &&
           (unsigned)device < cm_software_gpu_machine()->gpu_devices;
}

ENTRY const char *hipGetErrorName(cm_hip_result result)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].number == result)
            return results[i].name;
    return "hipErrorUnknown";
}

ENTRY const char *hipGetErrorString(cm_hip_result result)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].number == result)
            return results[i].text;
    return "unknown error";
}

/* ---- devices ---- */

ENTRY cm_hip_result hipInit(unsigned flags)
{
    if (!is_device(0))
        return ErrorNoDevice;
    return flags == 0 ? Success : ErrorInvalidValue;
}

ENTRY cm_hip_result hipGetDeviceCount(int *count)
{
    *count = is_device(0) ? (int)cm_software_gpu_machine()->gpu_devices : 0;
    return is_device(0) ? Success : ErrorNoDevice;
}

ENTRY cm_hip_result hipGetDeviceProperties(void *properties, int device)
{
    char *bytes = properties;
    unsigned target = cm_software_gpu_machine()->gpu_target;
    if (!is_device(device))
        return ErrorInvalidDevice;
    snprintf(bytes, NAME_SIZE, "software GPU gfx%x", target);
    snprintf(bytes + TARGET_AT, TARGET_SIZE, "gfx%x:sramecc+:xnack-", target);
    return Success;
}

/* Nothing here has a clock or compute units. */
ENTRY cm_hip_result hipDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)attribute;
    *value = 0;
    return is_device(device) ? ErrorNotSupported : ErrorInvalidDevice;
}

ENTRY cm_hip_result hipSetDevice(int device)
{
    if (!is_device(device))
        return ErrorInvalidDevice;
    driver.device = device;
    return Success;
}

ENTRY cm_hip_result hipDeviceSynchronize(void)
{
    cm_hip_result failed = driver.failed[driver.device];
    driver.failed[driver.device] = Success;
    return failed;
}

/* ---- modules ---- */

ENTRY cm_hip_result hipModuleLoadData(cm_hip_module *module, const void *image)
{
    *module = cm_wavefront_read(image);
    return *module != NULL ? Success : ErrorInvalidImage;
}

ENTRY cm_hip_result hipModuleUnload(cm_hip_module module)
{
    free(module);
    return Success;
}

ENTRY cm_hip_result hipModuleGetFunction(cm_hip_function *function, cm_hip_module module, const char *name)
{
    *function = module; /* a module has one function */
    return strcmp(((const cm_wavefront_program *)module)->entry, name) == 0 ? Success : ErrorNotFound;
}

/* The description is executed: no code has registers. */
ENTRY cm_hip_result hipFuncGetAttribute(int *value, int attribute, cm_hip_function function)
{
    (void)attribute;
    (void)function;
    *value = 0;
    return ErrorNotSupported;
}

ENTRY cm_hip_result hipModuleLaunchKernel(cm_hip_function function, unsigned blocks_x, unsigned blocks_y,
                                          unsigned blocks_z, unsigned threads_x, unsigned threads_y, unsigned threads_z,
                                          unsigned shared, void *stream, void **parameters, void **extra)
{
    bool flat = blocks_y == 1 && blocks_z == 1 && threads_y == 1 && threads_z == 1 && shared == 0;
    if (!flat || stream != NULL || extra != NULL || blocks_x == 0 || threads_x == 0 ||
        threads_x > CM_WAVEFRONT_MOST_THREADS)
        return ErrorInvalidValue;
    cm_wavefront_run run = {.program = function,
                            .blocks = blocks_x,
                            .threads = threads_x,
                            .hierarchy = cm_software_gpu_hierarchy((unsigned)driver.device),
                            .facts = cm_software_gpu_counts((unsigned)driver.device)};
    memcpy(&run.memory, parameters[0], sizeof run.memory);
    memcpy(&run.trips, parameters[1], sizeof run.trips);
    if (run.hierarchy == NULL)
        driver.failed[driver.device] = ErrorOutOfMemory;
    else if (cm_device_memory_reaches(run.memory, cm_wavefront_reach(&run)))
        cm_wavefront_execute(&run);
    else
        driver.failed[driver.device] = ErrorIllegalAddress;
    return Success;
}

/* ---- memory ---- */

ENTRY cm_hip_result hipMalloc(void **pointer, size_t size)
{
    *pointer = cm_device_memory_create(size);
    return *pointer != NULL ? Success : ErrorOutOfMemory;
}

ENTRY cm_hip_result hipFree(void *pointer)
{
    return cm_device_memory_free((uint64_t)(uintptr_t)pointer) ? Success : ErrorInvalidValue;
}

static cm_hip_result copy_memory(void *to, const void *from, const void *device, size_t size)
{
    if (!cm_device_memory_reaches((uint64_t)(uintptr_t)device, size))
        return ErrorInvalidValue;
    memcpy(to, from, size);
    return Success;
}

ENTRY cm_hip_result hipMemcpyHtoD(void *to, const void *from, size_t size)
{
    return copy_memory(to, from, to, size);
}

ENTRY cm_hip_result hipMemcpyDtoH(void *to, void *from, size_t size)
{
    return copy_memory(to, from, from, size);
}
