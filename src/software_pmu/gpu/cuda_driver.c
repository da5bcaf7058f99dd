/* NVIDIA's driver as catmint calls it: devices, contexts, modules of PTX, launches, memory. Launches are executed at
 * once; as in the driver, the next wait reports their errors. */
#include "software_pmu/gpu/software_driver.h"

#include "software_pmu/gpu/device.h"

/* The state of the process's driver. Contexts are devices' numbers from 1 on. */
static struct {
    bool started;
    uintptr_t context;
} driver;

static bool is_cuda_device(int device)
{
    return cm_driver_is_device(CM_GPU_NVIDIA, device);
}

static cm_cu_result give_text(const char *found, const char **text)
{
    if (found != NULL)
        *text = found;
    return found != NULL ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_VALUE;
}

/* ---- the driver and its devices ---- */

CM_DRIVER_ENTRY cm_cu_result cuInit(unsigned flags)
{
    if (!is_cuda_device(0))
        return CM_DRIVER_NO_DEVICE;
    driver.started = flags == 0;
    return flags == 0 ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_VALUE;
}

CM_DRIVER_ENTRY cm_cu_result cuGetErrorName(cm_cu_result result, const char **text)
{
    return give_text(cm_driver_result_name(CM_GPU_NVIDIA, result), text);
}

CM_DRIVER_ENTRY cm_cu_result cuGetErrorString(cm_cu_result result, const char **text)
{
    return give_text(cm_driver_result_text(CM_GPU_NVIDIA, result), text);
}

CM_DRIVER_ENTRY cm_cu_result cuDriverGetVersion(int *version)
{
    *version = 12000; /* the oldest version that knows sm_90 */
    return CM_DRIVER_SUCCESS;
}

CM_DRIVER_ENTRY cm_cu_result cuDeviceGetCount(int *count)
{
    *count = (int)cm_software_gpu_machine()->gpu_devices;
    return driver.started ? CM_DRIVER_SUCCESS : CM_DRIVER_NOT_INITIALIZED;
}

CM_DRIVER_ENTRY cm_cu_result cuDeviceGet(cm_cu_device *device, int ordinal)
{
    *device = ordinal;
    return is_cuda_device(ordinal) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_DEVICE;
}

CM_DRIVER_ENTRY cm_cu_result cuDeviceGetName(char *name, int size, cm_cu_device device)
{
    snprintf(name, (size_t)size, "software GPU sm_%u", cm_software_gpu_machine()->gpu_target);
    return is_cuda_device(device) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_DEVICE;
}

CM_DRIVER_ENTRY cm_cu_result cuDeviceGetAttribute(int *value, int attribute, cm_cu_device device)
{
    unsigned target = cm_software_gpu_machine()->gpu_target;
    switch (attribute) {
    case CM_CU_WARP_SIZE: *value = CM_PTX_WARP; break;
    case CM_CU_MAJOR: *value = (int)(target / 10); break;
    case CM_CU_MINOR: *value = (int)(target % 10); break;
    default: return CM_DRIVER_INVALID_VALUE;
    }
    return is_cuda_device(device) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_DEVICE;
}

/* ---- contexts ---- */

CM_DRIVER_ENTRY cm_cu_result cuDevicePrimaryCtxRetain(cm_cu_context *context, cm_cu_device device)
{
    if (!driver.started)
        return CM_DRIVER_NOT_INITIALIZED;
    *context = (cm_cu_context)(uintptr_t)(device + 1);
    return is_cuda_device(device) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_DEVICE;
}

CM_DRIVER_ENTRY cm_cu_result cuDevicePrimaryCtxRelease_v2(cm_cu_device device)
{
    if (driver.context == (uintptr_t)(device + 1))
        driver.context = 0;
    return is_cuda_device(device) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_DEVICE;
}

CM_DRIVER_ENTRY cm_cu_result cuCtxSetCurrent(cm_cu_context context)
{
    if (context != NULL && !is_cuda_device((int)((uintptr_t)context - 1)))
        return CM_DRIVER_INVALID_CONTEXT;
    driver.context = (uintptr_t)context;
    return CM_DRIVER_SUCCESS;
}

CM_DRIVER_ENTRY cm_cu_result cuCtxSynchronize(void)
{
    if (driver.context == 0)
        return CM_DRIVER_INVALID_CONTEXT;
    return cm_driver_wait((unsigned)driver.context - 1);
}

/* ---- modules ---- */

CM_DRIVER_ENTRY cm_cu_result cuModuleLoadDataEx(cm_cu_module *module, const void *image, unsigned options, int *keys,
                                                void **values)
{
    char log[256] = "", *to = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < options; i++) {
        if (keys[i] == CM_CU_JIT_ERROR_LOG_BUFFER)
            to = values[i];
        else if (keys[i] == CM_CU_JIT_ERROR_LOG_SIZE)
            size = (size_t)(uintptr_t)values[i];
    }
    if (driver.context == 0)
        return CM_DRIVER_INVALID_CONTEXT;
    *module = cm_ptx_read(image, cm_software_gpu_machine()->gpu_target, log, sizeof log);
    if (*module == NULL && to != NULL && size != 0)
        snprintf(to, size, "%s", log);
    return *module != NULL ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_PTX;
}

CM_DRIVER_ENTRY cm_cu_result cuModuleUnload(cm_cu_module module)
{
    cm_ptx_free(module);
    return CM_DRIVER_SUCCESS;
}

CM_DRIVER_ENTRY cm_cu_result cuModuleGetFunction(cm_cu_function *function, cm_cu_module module, const char *name)
{
    *function = module; /* a module has one function */
    return strcmp(((const cm_ptx_program *)module)->entry, name) == 0 ? CM_DRIVER_SUCCESS : CM_DRIVER_NOT_FOUND;
}

/* ---- machine code: PTX is executed directly, not compiled ---- */

CM_DRIVER_ENTRY cm_cu_result cuFuncGetAttribute(int *value, int attribute, cm_cu_function function)
{
    (void)attribute;
    (void)function;
    *value = 0;
    return CM_DRIVER_NOT_SUPPORTED;
}

CM_DRIVER_ENTRY cm_cu_result cuLinkCreate_v2(unsigned options, int *keys, void **values, cm_cu_link *link)
{
    (void)options;
    (void)keys;
    (void)values;
    *link = NULL;
    return CM_DRIVER_NOT_SUPPORTED;
}

CM_DRIVER_ENTRY cm_cu_result cuLinkAddData_v2(cm_cu_link link, int kind, void *data, size_t size, const char *name,
                                              unsigned options, int *keys, void **values)
{
    (void)link;
    (void)kind;
    (void)data;
    (void)size;
    (void)name;
    (void)options;
    (void)keys;
    (void)values;
    return CM_DRIVER_NOT_SUPPORTED;
}

CM_DRIVER_ENTRY cm_cu_result cuLinkComplete(cm_cu_link link, void **image, size_t *size)
{
    (void)link;
    *image = NULL;
    *size = 0;
    return CM_DRIVER_NOT_SUPPORTED;
}

CM_DRIVER_ENTRY cm_cu_result cuLinkDestroy(cm_cu_link link)
{
    (void)link;
    return CM_DRIVER_NOT_SUPPORTED;
}

CM_DRIVER_ENTRY cm_cu_result cuLaunchKernel(cm_cu_function function, unsigned blocks_x, unsigned blocks_y,
                                            unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                                            unsigned threads_z, unsigned shared, void *stream, void **parameters,
                                            void **extra)
{
    static const cm_cu_result outcomes[] = {[CM_PTX_DONE] = CM_DRIVER_SUCCESS,
                                            [CM_PTX_NO_MEMORY] = CM_DRIVER_OUT_OF_MEMORY,
                                            [CM_PTX_BAD_ADDRESS] = CM_DRIVER_ILLEGAL_ADDRESS,
                                            [CM_PTX_DIVERGED] = CM_DRIVER_LAUNCH_FAILED};
    const cm_ptx_program *program = function;
    const cm_driver_launch launch = {
        {blocks_x, blocks_y, blocks_z}, {threads_x, threads_y, threads_z}, shared, stream, parameters, extra};
    uint64_t values[4] = {0};
    uint32_t trips = 0;
    if (driver.context == 0)
        return CM_DRIVER_INVALID_CONTEXT;
    if (!cm_driver_launch_take(&launch, CM_PTX_MOST_THREADS, &values[0], &trips))
        return CM_DRIVER_INVALID_VALUE;
    values[1] = trips;
    const cm_ptx_run run = {.program = program,
                            .parameters = values,
                            .blocks = blocks_x,
                            .threads = threads_x,
                            .reaches = cm_device_memory_reaches,
                            .hierarchy = cm_software_gpu_hierarchy((unsigned)driver.context - 1),
                            .facts = cm_software_gpu_counts((unsigned)driver.context - 1)};
    cm_cu_result outcome = run.hierarchy != NULL ? outcomes[cm_ptx_execute(&run)] : CM_DRIVER_OUT_OF_MEMORY;
    if (outcome != CM_DRIVER_SUCCESS)
        cm_driver_fail((unsigned)driver.context - 1, outcome);
    return CM_DRIVER_SUCCESS;
}

/* ---- memory ---- */

CM_DRIVER_ENTRY cm_cu_result cuMemAlloc_v2(cm_cu_pointer *pointer, size_t size)
{
    void *memory = cm_device_memory_create(size);
    *pointer = (cm_cu_pointer)(uintptr_t)memory;
    return memory != NULL ? CM_DRIVER_SUCCESS : CM_DRIVER_OUT_OF_MEMORY;
}

CM_DRIVER_ENTRY cm_cu_result cuMemFree_v2(cm_cu_pointer pointer)
{
    return cm_device_memory_free(pointer) ? CM_DRIVER_SUCCESS : CM_DRIVER_INVALID_VALUE;
}

CM_DRIVER_ENTRY cm_cu_result cuMemcpyHtoD_v2(cm_cu_pointer to, const void *from, size_t size)
{
    return cm_driver_copy((void *)(uintptr_t)to, from, to, size);
}

CM_DRIVER_ENTRY cm_cu_result cuMemcpyDtoH_v2(void *to, cm_cu_pointer from, size_t size)
{
    return cm_driver_copy(to, (const void *)(uintptr_t)from, from, size);
}
