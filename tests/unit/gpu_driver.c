/* A driver of NVIDIA's that fails as CATMINT_TEST_DRIVER says: "start", "no-device", "context", "memory", "refuses",
 * "refuses-products" of matrices alone, "refuses-groups" of warps alone, "gone" while a kernel runs, "first-gone" the
 * first of two devices; else it works, and its kernels do nothing. With OLD it lacks a function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "software_pmu/gpu/software_driver.h"

enum { SUCCESS = 0, OUT_OF_MEMORY = 2, UNAVAILABLE = 46, NO_DEVICE = 100, INVALID_PTX = 218, SYSTEM = 802 };

static cm_cu_context current;

static int fails(const char *how)
{
    const char *set = getenv("CATMINT_TEST_DRIVER");
    return set != NULL && strcmp(set, how) == 0;
}

cm_cu_result cuInit(unsigned flags)
{
    (void)flags;
    return fails("start") ? SYSTEM : SUCCESS;
}

cm_cu_result cuGetErrorName(cm_cu_result result, const char **text)
{
    *text = result == SYSTEM        ? "CUDA_ERROR_SYSTEM_NOT_READY"
            : result == UNAVAILABLE ? "CUDA_ERROR_DEVICE_UNAVAILABLE"
                                    : "CUDA_ERROR";
    return SUCCESS;
}

cm_cu_result cuGetErrorString(cm_cu_result result, const char **text)
{
    *text = result == OUT_OF_MEMORY ? "out of memory"
            : result == UNAVAILABLE ? "CUDA-capable device(s) is/are busy or unavailable"
                                    : "words of the driver";
    return SUCCESS;
}

#ifndef OLD
cm_cu_result cuDevicePrimaryCtxRetain(cm_cu_context *context, cm_cu_device device)
{
    *context = (cm_cu_context)(size_t)(device + 1);
    return fails("context") ? UNAVAILABLE : SUCCESS;
}
#endif

cm_cu_result cuDriverGetVersion(int *version)
{
    *version = 11040;
    return SUCCESS;
}

cm_cu_result cuDeviceGetCount(int *count)
{
    *count = fails("no-device") ? 0 : fails("first-gone") ? 2 : 1;
    return SUCCESS;
}

cm_cu_result cuDeviceGet(cm_cu_device *device, int ordinal)
{
    *device = ordinal;
    return SUCCESS;
}

cm_cu_result cuDeviceGetName(char *name, int size, cm_cu_device device)
{
    (void)device;
    snprintf(name, (size_t)size, "made up");
    return SUCCESS;
}

cm_cu_result cuDeviceGetAttribute(int *value, int attribute, cm_cu_device device)
{
    (void)device;
    *value = attribute == CM_CU_WARP_SIZE ? 32 : attribute == CM_CU_MAJOR ? 9 : 0;
    if (attribute == CM_CU_UNITS || attribute == CM_CU_CLOCK_RATE)
        *value = attribute == CM_CU_UNITS ? 132 : 1980000;
    return SUCCESS;
}

cm_cu_result cuDevicePrimaryCtxRelease_v2(cm_cu_device device)
{
    (void)device;
    return SUCCESS;
}

cm_cu_result cuCtxSetCurrent(cm_cu_context context)
{
    current = context;
    return SUCCESS;
}

cm_cu_result cuCtxSynchronize(void)
{
    return fails("gone") || (fails("first-gone") && (size_t)current == 1) ? UNAVAILABLE : SUCCESS;
}

cm_cu_result cuModuleLoadDataEx(cm_cu_module *module, const void *image, unsigned options, int *keys, void **values)
{
    *module = values;
    const bool refused = fails("refuses") || (fails("refuses-products") && strstr(image, "mma.") != NULL) ||
                         (fails("refuses-groups") && strstr(image, "wgmma.") != NULL);
    for (unsigned i = 0; refused && i < options; i++)
        if (keys[i] == CM_CU_JIT_ERROR_LOG_BUFFER)
            strcpy(values[i], "ptxas: unknown instruction");
    return refused ? INVALID_PTX : SUCCESS;
}

cm_cu_result cuModuleUnload(cm_cu_module module)
{
    (void)module;
    return SUCCESS;
}

cm_cu_result cuFuncGetAttribute(int *value, int attribute, cm_cu_function function)
{
    (void)function;
    *value = attribute == CM_GPU_REGISTERS ? 24 : 90;
    return SUCCESS;
}

cm_cu_result cuModuleGetFunction(cm_cu_function *function, cm_cu_module module, const char *name)
{
    (void)name;
    *function = module;
    return SUCCESS;
}

/* The machine code is the PTX itself. */
static struct {
    void *image;
    size_t size;
} linked;

cm_cu_result cuLinkCreate_v2(unsigned options, int *keys, void **values, cm_cu_link *link)
{
    (void)options;
    (void)keys;
    (void)values;
    *link = &linked;
    return SUCCESS;
}

cm_cu_result cuLinkAddData_v2(cm_cu_link link, int kind, void *data, size_t size, const char *name, unsigned options,
                              int *keys, void **values)
{
    (void)link;
    (void)name;
    (void)options;
    (void)keys;
    (void)values;
    linked.image = data;
    linked.size = size;
    return kind == CM_CU_JIT_INPUT_PTX && !fails("refuses") ? SUCCESS : INVALID_PTX;
}

cm_cu_result cuLinkComplete(cm_cu_link link, void **image, size_t *size)
{
    (void)link;
    *image = linked.image;
    *size = linked.size;
    return SUCCESS;
}

cm_cu_result cuLinkDestroy(cm_cu_link link)
{
    (void)link;
    return SUCCESS;
}

cm_cu_result cuLaunchKernel(cm_cu_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                            unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared, void *stream,
                            void **parameters, void **extra)
{
    (void)function;
    (void)blocks_x;
    (void)blocks_y;
    (void)blocks_z;
    (void)threads_x;
    (void)threads_y;
    (void)threads_z;
    (void)shared;
    (void)stream;
    (void)parameters;
    (void)extra;
    return SUCCESS;
}

cm_cu_result cuMemAlloc_v2(cm_cu_pointer *pointer, size_t size)
{
    *pointer = fails("memory") ? 0 : size;
    return fails("memory") ? OUT_OF_MEMORY : SUCCESS;
}

cm_cu_result cuMemFree_v2(cm_cu_pointer pointer)
{
    (void)pointer;
    return SUCCESS;
}

cm_cu_result cuMemcpyHtoD_v2(cm_cu_pointer to, const void *from, size_t size)
{
    (void)to;
    (void)from;
    (void)size;
    return SUCCESS;
}

cm_cu_result cuMemcpyDtoH_v2(void *to, cm_cu_pointer from, size_t size)
{
    (void)from;
    memset(to, 0, size);
    return SUCCESS;
}
