#include "counting/counting.h"

#include "core/system.h"

cm_status cm_device_cores_bind(const char *device, const char *cpus, cm_device_cores *cores, cm_error *error)
{
    cpu_set_t listed;
    *cores = (cm_device_cores){0};
    if (cpus[0] == '\0')
        return CM_OK;
    if (sched_getaffinity(0, sizeof cores->before, &cores->before) != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the system does not say where catmint may run: %s", strerror(errno));
    const bool read = cm_cpu_list_parse(cpus, &listed);
    CPU_AND(&listed, &listed, &cores->before);
    if (!read || CPU_COUNT(&listed) == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s counts on the processors %s, none of which catmint may use here",
                       device, cpus);
    if (sched_setaffinity(0, sizeof listed, &listed) != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "cannot run on the processors %s of %s: %s", cpus, device,
                       strerror(errno));
    cores->bound = true;
    return CM_OK;
}

void cm_device_cores_release(cm_device_cores *cores)
{
    if (cores->bound)
        sched_setaffinity(0, sizeof cores->before, &cores->before);
    cores->bound = false;
}
