/* NVIDIA's driver as catmint calls it: devices, contexts, modules of PTX, launches, memory. Launches are executed at
 * once; as in the driver, the next wait reports their errors. */
#include "software_pmu/gpu/cuda_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "software_pmu/gpu/device_memory.h"
#include "software_pmu/gpu/ptx.h"
#include "software_pmu/gpu/published.h"

#define ENTRY __attribute__((visibility("default")))

/* X(number, name, text), as in the driver. */
#define RESULTS(X)                                                                                                     \
    X(0, SUCCESS, "no error")                                                                                          \
    X(1, INVALID_VALUE, "invalid argument")                                                                            \
    X(2, OUT_OF_MEMORY, "out of memory")                                                                               \
    X(3, NOT_INITIALIZED, "initialization error")                                                                      \
    X(100, NO_DEVICE, "no CUDA-capable device is detected")                                                            \
    X(101, INVALID_DEVICE, "invalid device ordinal")                                                                   \
    X(201, INVALID_CONTEXT, "invalid device context")                                                                  \
    X(218, INVALID_PTX, "a PTX JIT compilation failed")                                                                \
    X(500, NOT_FOUND, "named symbol not found")                                                                        \
    X(700, ILLEGAL_ADDRESS, "an illegal memory access was encountered")                                                \
    X(719, LAUNCH_FAILED, "unspecified launch failure")                                                                \
    X(801, NOT_SUPPORTED, "operation not supported")

enum {
#define ROW(number, name, text) name = number,
    RESULTS(ROW)
#undef ROW
};

static const struct {
    int number;
    const char *name, *text;
} results[] = {
#define ROW(number, name, text) {number, "CUDA_ERROR_" #name, text},
    RESULTS(ROW)
#undef ROW
};

/* The state of the process's driver. Contexts are devices' numbers from 1 on. */
static struct {
    bool started;
    uintptr_t context;
    cm_cu_result failed[CM_SOFTWARE_GPU_DEVICES]; /* error of a launch there, until it is reported */
} driver;

static cm_cu_result find_text(cm_cu_result result, bool name, const char **text)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].number == result) {
            *text = name ? results[i].name : results[i].text;
            return SUCCESS;
        }
    return INVALID_VALUE;
}

static bool is_device(int device)
{
    return device >= 0 && device < CM_SOFTWARE_GPU_DEVICES && (unsigned)device < cm_software_gpu_machine()->gpu_devices;
}

/* ---- the driver and its devices ---- */

ENTRY cm_cu_result cuInit(unsigned flags)
{
    if (strcmp(cm_software_gpu_machine()->gpu, "nvidia") != 0)
        return NO_DEVICE;
    driver.started = flags == 0;
    return flags == 0 ? SUCCESS : INVALID_VALUE;
}

ENTRY cm_cu_result cuGetErrorName(cm_cu_result result, const char **text)
{
    return find_text(result, true, text);
}

ENTRY cm_cu_result cuGetErrorString(cm_cu_result result, const char **text)
{
    return find_text(result, false, text);
}

ENTRY cm_cu_result cuDriverGetVersion(int *version)
{
    *version = 12000; /* the oldest version that knows sm_90 */
    return SUCCESS;
}

ENTRY cm_cu_result cuDeviceGetCount(int *count)
{
    *count = (int)cm_software_gpu_machine()->gpu_devices;
    return driver.started ? SUCCESS : NOT_INITIALIZED;
}

ENTRY cm_cu_result cuDeviceGet(cm_cu_device *device, int ordinal)
{
    *device = ordinal;
    return is_device(ordinal) ? SUCCESS : INVALID_DEVICE;
}

ENTRY cm_cu_result cuDeviceGetName(char *name, int size, cm_cu_device device)
{
    snprintf(name, (size_t)size, "software GPU sm_%u", cm_software_gpu_machine()->gpu_target);
    return is_device(device) ? SUCCESS : INVALID_DEVICE;
}

ENTRY cm_cu_result cuDeviceGetAttribute(int *value, int attribute, cm_cu_device device)
{
    unsigned target = cm_software_gpu_machine()->gpu_target;
    switch (attribute) {
    case CM_CU_WARP_SIZE: *value = CM_PTX_WARP; break;
    case CM_CU_MAJOR: *value = (int)(target / 10); break;
    case CM_CU_MINOR: *value = (int)(target % 10); break;
    default: return INVALID_VALUE;
    }
    return is_device(device) ? SUCCESS : INVALID_DEVICE;
}

/* ---- contexts ---- */

ENTRY cm_cu_result cuDevicePrimaryCtxRetain(cm_cu_context *context, cm_cu_device device)
{
    if (!driver.started)
        return NOT_INITIALIZED;
    *context = (cm_cu_context)(uintptr_t)(device + 1);
    return is_device(device) ? SUCCESS : INVALID_DEVICE;
}

ENTRY cm_cu_result cuDevicePrimaryCtxRelease_v2(cm_cu_device device)
{
    if (driver.context == (uintptr_t)(device + 1))
        driver.context = 0;
    return is_device(device) ? SUCCESS : INVALID_DEVICE;
}

ENTRY cm_cu_result cuCtxSetCurrent(cm_cu_context context)
{
    if (context != NULL && !is_device((int)((uintptr_t)context - 1)))
        return INVALID_CONTEXT;
    driver.context = (uintptr_t)context;
    return SUCCESS;
}

ENTRY cm_cu_result cuCtxSynchronize(void)
{
    if (driver.context == 0)
        return INVALID_CONTEXT;
    cm_cu_result failed = driver.failed[driver.context - 1];
    driver.failed[driver.context - 1] = SUCCESS;
    return failed;
}

/* ---- modules ---- */

ENTRY cm_cu_result cuModuleLoadDataEx(cm_cu_module *module, const void *image, unsigned options, int *keys,
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
        return INVALID_CONTEXT;
    *module = cm_ptx_read(image, cm_software_gpu_machine()->gpu_target, log, sizeof log);
    if (*module == NULL && to != NULL && size != 0)
        snprintf(to, size, "%s", log);
    return *module != NULL ? SUCCESS : INVALID_PTX;
}

ENTRY cm_cu_result cuModuleUnload(cm_cu_module module)
{
    cm_ptx_free(module);
    return SUCCESS;
}

ENTRY cm_cu_result cuModuleGetFunction(cm_cu_function *function, cm_cu_module module, const char *name)
{
    *function = module; /* a module has one function */
    return strcmp(((const cm_ptx_program *)module)->entry, name) == 0 ? SUCCESS : NOT_FOUND;
}

/* ---- machine code: PTX is executed directly, not compiled ---- */

ENTRY cm_cu_result cuFuncGetAttribute(int *value, int attribute, cm_cu_function function)
{
    (void)attribute;
    (void)function;
    *value = 0;
    return NOT_SUPPORTED;
}

ENTRY cm_cu_result cuLinkCreate_v2(unsigned options, int *keys, void **values, cm_cu_link *link)
{
    (void)options;
    (void)keys;
    (void)values;
    *link = NULL;
    return NOT_SUPPORTED;
}

ENTRY cm_cu_result cuLinkAddData_v2(cm_cu_link link, int kind, void *data, size_t size, const char *name,
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
    return NOT_SUPPORTED;
}

ENTRY cm_cu_result cuLinkComplete(cm_cu_link link, void **image, size_t *size)
{
    (void)link;
    *image = NULL;
    *size = 0;
    return NOT_SUPPORTED;
}

ENTRY cm_cu_result cuLinkDestroy(cm_cu_link link)
{
    (void)link;
    return NOT_SUPPORTED;
}

ENTRY cm_cu_result cuLaunchKernel(cm_cu_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                                  unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                                  void *stream, void **parameters, void **extra)
{
    static const cm_cu_result outcomes[] = {[CM_PTX_DONE] = SUCCESS,
                                            [CM_PTX_NO_MEMORY] = OUT_OF_MEMORY,
                                            [CM_PTX_BAD_ADDRESS] = ILLEGAL_ADDRESS,
                                            [CM_PTX_DIVERGED] = LAUNCH_FAILED};
    const cm_ptx_program *program = function;
    uint64_t values[4] = {0};
    bool flat = blocks_y == 1 && blocks_z == 1 && threads_y == 1 && threads_z == 1 && shared == 0;
    if (driver.context == 0)
        return INVALID_CONTEXT;
    if (!flat || stream != NULL || extra != NULL || blocks_x == 0 || threads_x == 0 || threads_x > CM_PTX_MOST_THREADS)
        return INVALID_VALUE;
    memcpy(&values[0], parameters[0], sizeof(uint64_t));
    memcpy(&values[1], parameters[1], sizeof(uint32_t));
    const cm_ptx_run run = {.program = program,
                            .parameters = values,
                            .blocks = blocks_x,
                            .threads = threads_x,
                            .reaches = cm_device_memory_reaches,
                            .hierarchy = cm_software_gpu_hierarchy((unsigned)driver.context - 1),
                            .facts = cm_software_gpu_counts((unsigned)driver.context - 1)};
    cm_cu_result outcome = run.hierarchy != NULL ? outcomes[cm_ptx_execute(&run)] : OUT_OF_MEMORY;
    if (outcome != SUCCESS)
        driver.failed[driver.context - 1] = outcome;
    return SUCCESS;
}

/* ---- memory ---- */

ENTRY cm_cu_result cuMemAlloc_v2(cm_cu_pointer *pointer, size_t size)
{
    void *memory = cm_device_memory_create(size);
    *pointer = (cm_cu_pointer)(uintptr_t)memory;
    return memory != NULL ? SUCCESS : OUT_OF_MEMORY;
}

ENTRY cm_cu_result cuMemFree_v2(cm_cu_pointer pointer)
{
    return cm_device_memory_free(pointer) ? SUCCESS : INVALID_VALUE;
}

ENTRY cm_cu_result cuMemcpyHtoD_v2(cm_cu_pointer to, const void *from, size_t size)
{
    if (!cm_device_memory_reaches(to, size))
        return INVALID_VALUE;
    memcpy((void *)(uintptr_t)to, from, size);
    return SUCCESS;
}

ENTRY cm_cu_result cuMemcpyDtoH_v2(void *to, cm_cu_pointer from, size_t size)
{
    if (!cm_device_memory_reaches(from, size))
        return INVALID_VALUE;
    memcpy(to, (const void *)(uintptr_t)from, size);
    return SUCCESS;
}
