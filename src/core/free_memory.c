#include "core/system.h"

#include "core/files.h"

/* The number in the first line that fits `format`; SIZE_MAX if none does. */
static size_t read_number(const char *path, const char *format)
{
    unsigned long long number = 0;
    char line[256];
    size_t found = SIZE_MAX;
    FILE *file = cm_input_stream(path);
    if (file == NULL)
        return SIZE_MAX;
    while (found == SIZE_MAX && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, format, &number) == 1)
            found = (size_t)number;
    fclose(file);
    return found;
}

/* The system's free memory ignores a container's limit. Cached files count as free: they are dropped on demand. */
size_t cm_free_memory(void)
{
    static const struct {
        const char *limit, *used, *statistics, *cached;
    } groups[] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat",
         "inactive_file %llu"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
         "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file %llu"},
    };
    size_t available = read_number("/proc/meminfo", "MemAvailable: %llu kB");
    size_t bytes = available != SIZE_MAX ? available * 1024 : SIZE_MAX;
    for (size_t i = 0; i < CM_COUNT_OF(groups); i++) {
        size_t limit = read_number(groups[i].limit, "%llu"), used = read_number(groups[i].used, "%llu");
        size_t cached = read_number(groups[i].statistics, groups[i].cached);
        if (limit == SIZE_MAX || used == SIZE_MAX)
            continue;
        if (cached != SIZE_MAX)
            used = used > cached ? used - cached : 0;
        size_t left = limit > used ? limit - used : 0;
        bytes = left < bytes ? left : bytes;
    }
    return bytes != SIZE_MAX ? bytes : 0;
}
