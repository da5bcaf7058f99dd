/* HIP as catmint calls it: devices, modules of catmint's assembly, launches, memory. Launches are executed at once; the
 * next wait reports their errors. */
#include "software_pmu/gpu/software_driver.h"

#include <stdlib.h>

#include "software_pmu/gpu/device.h"

static int current; /* device of the process */

enum { TARGET_AT = 1160, TARGET_SIZE = 256, NAME_SIZE = 256 }; /* offsets in the properties of ROCm 6 */

static bool is_hip_device(int device)
{
    return cm_driver_is_device(CM_GPU_AMD, device);
}

CM_DRIVER_ENTRY const char *hipGetErrorName(cm_hip_result result)
{
    const char *name = cm_driver_result_name(CM_GPU_AMD, result);
    return name != NULL ? name : "hipErrorUnknown";
}

CM_DRIVER_ENTRY const char *hipGetErrorString(cm_hip_result result)
{
    const char *text = cm_driver_result_text(CM_GPU_AMD, result);
    return text != NULL ? text : "unknown error";
}

/* ---- devices ---- */

CM_DRIVER_ENTRY cm_hip_result hipInit(unsigned flags)
{
    if (!is_hip_device(0))
        return CM_DRIVER_NO_HIP_DEVICE;
    return flags == 0 ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_VALUE;
}

CM_DRIVER_ENTRY cm_hip_result hipGetDeviceCount(int *count)
{
    *count = is_hip_device(0) ? (int)cm_software_gpu_machine()->gpu_devices : 0;
    return is_hip_device(0) ? CM_DRIVER_SUCCESS : CM_DRIVER_NO_HIP_DEVICE;
}

CM_DRIVER_ENTRY cm_hip_result hipGetDeviceProperties(void *properties, int device)
{
    char *bytes = properties;
    unsigned target = cm_software_gpu_machine()->gpu_target;
    if (!is_hip_device(device))
        return CM_DRIVER_INVALID_DEVICE;
    snprintf(bytes, NAME_SIZE, "software GPU gfx%x", target);
    snprintf(bytes + TARGET_AT, TARGET_SIZE, "gfx%x:sramecc+:xnack-", target);
    return CM_DRIVER_SUCCESS;
}

/* Nothing here has a clock or compute units. */
CM_DRIVER_ENTRY cm_hip_result hipDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)attribute;
    *value = 0;
    return is_hip_device(device) ? CM_DRIVER_NOT_SUPPORTED : CM_DRIVER_INVALID_DEVICE;
}

CM_DRIVER_ENTRY cm_hip_result hipSetDevice(int device)
{
    if (!is_hip_device(device))
        return CM_DRIVER_INVALID_DEVICE;
    current = device;
    return CM_DRIVER_SUCCESS;
}

CM_DRIVER_ENTRY cm_hip_result hipDeviceSynchronize(void)
{
    return cm_driver_wait((unsigned)current);
}

/* ---- modules ---- */

CM_DRIVER_ENTRY cm_hip_result hipModuleLoadData(cm_hip_module *module, const void *image)
{
    *module = cm_wavefront_read(image);
    return *module != NULL ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_IMAGE;
}

CM_DRIVER_ENTRY cm_hip_result hipModuleUnload(cm_hip_module module)
{
    free(module);
    return CM_DRIVER_SUCCESS;
}

CM_DRIVER_ENTRY cm_hip_result hipModuleGetFunction(cm_hip_function *function, cm_hip_module module, const char *name)
{
    *function = module; /* a module has one function */
    return strcmp(((const cm_wavefront_program *)module)->entry, name) == 0 ? CM_DRIVER_SUCCESS : CM_DRIVER_NOT_FOUND;
}

/* The description is executed: no code has registers. */
CM_DRIVER_ENTRY cm_hip_result hipFuncGetAttribute(int *value, int attribute, cm_hip_function function)
{
    (void)attribute;
    (void)function;
    *value = 0;
    return CM_DRIVER_NOT_SUPPORTED;
}

CM_DRIVER_ENTRY cm_hip_result hipModuleLaunchKernel(cm_hip_function function, unsigned blocks_x, unsigned blocks_y,
                                                    unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                                                    unsigned threads_z, unsigned shared, void *stream,
                                                    void **parameters, void **extra)
{
    const cm_driver_launch launch = {
        {blocks_x, blocks_y, blocks_z}, {threads_x, threads_y, threads_z}, shared, stream, parameters, extra};
    cm_wavefront_run run = {.program = function,
                            .blocks = blocks_x,
                            .threads = threads_x,
                            .hierarchy = cm_software_gpu_hierarchy((unsigned)current),
                            .facts = cm_software_gpu_counts((unsigned)current)};
    if (!cm_driver_launch_take(&launch, CM_WAVEFRONT_MOST_THREADS, &run.memory, &run.trips))
        return CM_DRIVER_INVALID_VALUE;
    if (run.hierarchy == NULL)
        cm_driver_fail((unsigned)current, CM_DRIVER_OUT_OF_MEMORY);
    else if (cm_device_memory_reaches(run.memory, cm_wavefront_reach(&run)))
        cm_wavefront_execute(&run);
    else
        cm_driver_fail((unsigned)current, CM_DRIVER_ILLEGAL_ADDRESS);
    return CM_DRIVER_SUCCESS;
}

/* ---- memory ---- */

CM_DRIVER_ENTRY cm_hip_result hipMalloc(void **pointer, size_t size)
{
    *pointer = cm_device_memory_create(size);
    return *pointer != NULL ? CM_DRIVER_SUCCESS : CM_DRIVER_OUT_OF_MEMORY;
}

CM_DRIVER_ENTRY cm_hip_result hipFree(void *pointer)
{
    return cm_device_memory_free((uint64_t)(uintptr_t)pointer) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_VALUE;
}

CM_DRIVER_ENTRY cm_hip_result hipMemcpyHtoD(void *to, const void *from, size_t size)
{
    return cm_driver_copy(to, from, (uint64_t)(uintptr_t)to, size);
}

CM_DRIVER_ENTRY cm_hip_result hipMemcpyDtoH(void *to, void *from, size_t size)
{
    return cm_driver_copy(to, from, (uint64_t)(uintptr_t)from, size);
}
