#include "gpu/gpu.h"

const cm_gpu_backend *const cm_gpu_backends[] = {&cm_gpu_cuda, &cm_gpu_hip, NULL};

const cm_gpu_backend *cm_gpu_backend_find(const char *vendor)
{
    for (size_t i = 0; cm_gpu_backends[i] != NULL; i++)
        if (strcmp(cm_gpu_backends[i]->maker, vendor) == 0)
            return cm_gpu_backends[i];
    return NULL;
}
