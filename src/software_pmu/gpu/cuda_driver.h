/* The software GPU's entry points of NVIDIA's driver: those that catmint uses, with the names and arguments of CUDA's
 * driver API (gpu/cuda.h has them as pointers). */
#ifndef CM_SOFTWARE_PMU_GPU_CUDA_DRIVER_H
#define CM_SOFTWARE_PMU_GPU_CUDA_DRIVER_H

#include "gpu/cuda.h"

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

#endif
