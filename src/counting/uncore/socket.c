#include <hwloc.h>

#include "counting/uncore/uncore.h"

enum { PATH_SIZE = 4096 };

/* The number of a processor's socket; -1 if the system does not tell. */
static int socket_of(const char *root, int cpu)
{
    char path[PATH_SIZE];
    int number = -1;
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/topology/physical_package_id", root, cpu);
    FILE *file = cm_input_stream(path);
    if (file == NULL)
        return -1;
    if (fscanf(file, "%d", &number) != 1)
        number = -1;
    fclose(file);
    return number;
}

int cm_uncore_cpu_of_socket(const char *root, const char *cpus)
{
    hwloc_bitmap_t bitmap = hwloc_bitmap_alloc();
    int here = socket_of(root, sched_getcpu()), found = -1;
    bool read = bitmap != NULL && hwloc_bitmap_list_sscanf(bitmap, cpus) == 0;
    for (int cpu = read ? hwloc_bitmap_first(bitmap) : -1; cpu >= 0 && found < 0; cpu = hwloc_bitmap_next(bitmap, cpu))
        if (socket_of(root, cpu) == here)
            found = cpu;
    hwloc_bitmap_free(bitmap);
    return found;
}

bool cm_uncore_is_one_socket(const char *root, const unsigned *cpus, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (socket_of(root, (int)cpus[i]) != socket_of(root, (int)cpus[0]))
            return false;
    return true;
}
