/* Shared by the software GPU's two drivers: CUDA's and HIP's results have the same numbers, and devices, launches and
 * memory the same rules. Each driver's file has its entry points, and all that the other does not have. */
#ifndef CM_SOFTWARE_PMU_GPU_SOFTWARE_DRIVER_H
#define CM_SOFTWARE_PMU_GPU_SOFTWARE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

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

#endif
