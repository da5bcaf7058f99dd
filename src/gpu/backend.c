#include "gpu/backend.h"

#include <string.h>

static const struct {
    const char *vendor;
    const cm_gpu_backend *backend;
} backends[] = {
    {"nvidia", &cm_gpu_cuda},
};

const cm_gpu_backend *cm_gpu_backend_find(const char *vendor)
{
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
        if (strcmp(backends[i].vendor, vendor) == 0)
            return backends[i].backend;
    return NULL;
}
