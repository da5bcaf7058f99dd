/* Shared by the software GPU's two drivers: CUDA's and HIP's results have the same numbers, and devices, launches and
 * memory the same rules. Each driver's file has its entry points, and all that the other does not have. */
#ifndef CM_SOFTWARE_PMU_GPU_SOFTWARE_DRIVER_H
#define CM_SOFTWARE_PMU_GPU_SOFTWARE_DRIVER_H

#include "gpu/driver.h"

#define CM_DRIVER_ENTRY __attribute__((visibility("default")))

/* X(number, id, CUDA's name, HIP's name, text), "" if one of them has no such result. */
#define CM_DRIVER_RESULTS(X)                                                                                           \
    X(0, SUCCESS, "CUDA_ERROR_SUCCESS", "hipSuccess", "no error")                                                      \
    X(1, INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue", "invalid argument")                        \
    X(2, OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory", "out of memory")                            \
    X(3, NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "", "initialization error")                                    \
    X(100, NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "", "no CUDA-capable device is detected")                                \
    X(100, NO_HIP_DEVICE, "", "hipErrorNoDevice", "no ROCm-capable device is detected")                                \
    X(101, INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice", "invalid device ordinal")             \
    X(200, INVALID_IMAGE, "", "hipErrorInvalidImage", "device kernel image is invalid")                                \
    X(201, INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "", "invalid device context")                                \
    X(218, INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "", "a PTX JIT compilation failed")                                  \
    X(500, NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound", "named symbol not found")                            \
    X(700, ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress",                                    \
      "an illegal memory access was encountered")                                                                      \
    X(719, LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "", "unspecified launch failure")                                \
    X(801, NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "hipErrorNotSupported", "operation not supported")

enum {
#define ROW(number, id, cuda, hip, text) CM_DRIVER_##id = (number),
    CM_DRIVER_RESULTS(ROW)
#undef ROW
};

/* NULL: the vendor's driver has no such result. */
const char *cm_driver_result_name(cm_gpu_vendor vendor, int result);
const char *cm_driver_result_text(cm_gpu_vendor vendor, int result);

/* Whether the modelled machine has devices of the vendor, and this one. */
bool cm_driver_is_device(cm_gpu_vendor vendor, int device);

/* Launches execute at once; a failed one is reported by the next wait for its device, once. */
void cm_driver_fail(unsigned device, int result);
int cm_driver_wait(unsigned device);

/* The arguments of a launch. */
typedef struct cm_driver_launch {
    unsigned blocks[3], threads[3], shared;
    void *stream;
    void **parameters, **extra;
} cm_driver_launch;

/* Whether the software GPU executes such a launch: of one dimension, in the default stream. Takes the kernel's two
 * parameters. */
bool cm_driver_launch_take(const cm_driver_launch *launch, unsigned most_threads, uint64_t *memory, uint32_t *trips);

/* Copies if the bytes at `device`, which is `to` or `from`, are a device's. */
int cm_driver_copy(void *to, const void *from, uint64_t device, size_t size);

/* ---- the entry points of CUDA's driver API that catmint uses (gpu/driver.h has them as pointers) ---- */

cm_cu_result cuInit(unsigned flags);
cm_cu_result cuGetErrorName(cm_cu_result result, const char **text);
cm_cu_result cuGetErrorString(cm_cu_result result, const char **text);
cm_cu_result cuDriverGetVersion(int *version);
cm_cu_result cuDeviceGetCount(int *count);
cm_cu_result cuDeviceGet(cm_cu_device *device, int ordinal);
cm_cu_result cuDeviceGetName(char *name, int size, cm_cu_device device);
cm_cu_result cuDeviceGetAttribute(int *value, int attribute, cm_cu_device device);
cm_cu_result cuDevicePrimaryCtxRetain(cm_cu_context *context, cm_cu_device device);
cm_cu_result cuDevicePrimaryCtxRelease_v2(cm_cu_device device);
cm_cu_result cuCtxSetCurrent(cm_cu_context context);
cm_cu_result cuCtxSynchronize(void);
cm_cu_result cuModuleLoadDataEx(cm_cu_module *module, const void *image, unsigned options, int *keys, void **values);
cm_cu_result cuModuleUnload(cm_cu_module module);
cm_cu_result cuModuleGetFunction(cm_cu_function *function, cm_cu_module module, const char *name);
cm_cu_result cuFuncGetAttribute(int *value, int attribute, cm_cu_function function);
cm_cu_result cuLinkCreate_v2(unsigned options, int *keys, void **values, cm_cu_link *link);
cm_cu_result cuLinkAddData_v2(cm_cu_link link, int kind, void *data, size_t size, const char *name, unsigned options,
                              int *keys, void **values);
cm_cu_result cuLinkComplete(cm_cu_link link, void **image, size_t *size);
cm_cu_result cuLinkDestroy(cm_cu_link link);
cm_cu_result cuLaunchKernel(cm_cu_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                            unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared, void *stream,
                            void **parameters, void **extra);
cm_cu_result cuMemAlloc_v2(cm_cu_pointer *pointer, size_t size);
cm_cu_result cuMemFree_v2(cm_cu_pointer pointer);
cm_cu_result cuMemcpyHtoD_v2(cm_cu_pointer to, const void *from, size_t size);
cm_cu_result cuMemcpyDtoH_v2(void *to, cm_cu_pointer from, size_t size);

/* ---- the entry points of HIP that catmint uses ---- */

const char *hipGetErrorName(cm_hip_result result);
const char *hipGetErrorString(cm_hip_result result);
cm_hip_result hipInit(unsigned flags);
cm_hip_result hipGetDeviceCount(int *count);
cm_hip_result hipGetDeviceProperties(void *properties, int device);
cm_hip_result hipDeviceGetAttribute(int *value, int attribute, int device);
cm_hip_result hipSetDevice(int device);
cm_hip_result hipDeviceSynchronize(void);
cm_hip_result hipModuleLoadData(cm_hip_module *module, const void *image);
cm_hip_result hipModuleUnload(cm_hip_module module);
cm_hip_result hipModuleGetFunction(cm_hip_function *function, cm_hip_module module, const char *name);
cm_hip_result hipFuncGetAttribute(int *value, int attribute, cm_hip_function function);
cm_hip_result hipModuleLaunchKernel(cm_hip_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                                    unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                                    void *stream, void **parameters, void **extra);
cm_hip_result hipMalloc(void **pointer, size_t size);
cm_hip_result hipFree(void *pointer);
cm_hip_result hipMemcpyHtoD(void *to, const void *from, size_t size);
cm_hip_result hipMemcpyDtoH(void *to, void *from, size_t size);

#endif
