#include "sweep/plan/device_cores.h"

#include <errno.h>
#include <hwloc.h>
#include <string.h>

#include "core/error.h"

/* Of the processors in `before`, those of the list, "4-7". */
static bool select_listed(const char *list, const cpu_set_t *before, cpu_set_t *listed)
{
    hwloc_bitmap_t bitmap = hwloc_bitmap_alloc();
    bool read = bitmap != NULL && hwloc_bitmap_list_sscanf(bitmap, list) == 0;
    CPU_ZERO(listed);
    for (int unit = read ? hwloc_bitmap_first(bitmap) : -1; unit >= 0 && unit < CPU_SETSIZE;
         unit = hwloc_bitmap_next(bitmap, unit))
        if (CPU_ISSET(unit, before))
            CPU_SET(unit, listed);
    hwloc_bitmap_free(bitmap);
    return read;
}

cm_status cm_device_cores_bind(const cm_raw_device *device, cm_device_cores *cores, cm_error *error)
{
    cpu_set_t listed;
    *cores = (cm_device_cores){0};
    if (device->cpus[0] == '\0')
        return CM_OK;
    if (sched_getaffinity(0, sizeof cores->before, &cores->before) != 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "the system does not say where catmint may run: %s",
                            strerror(errno));
    if (!select_listed(device->cpus, &cores->before, &listed) || CPU_COUNT(&listed) == 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                            "%s counts on the processors %s, none of which catmint may use here", device->name,
                            device->cpus);
    if (sched_setaffinity(0, sizeof listed, &listed) != 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "cannot run on the processors %s of %s: %s",
                            device->cpus, device->name, strerror(errno));
    cores->bound = true;
    return CM_OK;
}

void cm_device_cores_release(cm_device_cores *cores)
{
    if (cores->bound)
        sched_setaffinity(0, sizeof cores->before, &cores->before);
    cores->bound = false;
}
