/* The entry points of HIP that catmint uses. */
#ifndef CM_SOFTWARE_PMU_GPU_HIP_DRIVER_H
#define CM_SOFTWARE_PMU_GPU_HIP_DRIVER_H

#include "gpu/hip.h"

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
