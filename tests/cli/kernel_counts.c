/* For tests: preloaded (LD_PRELOAD), it lets PAPI count a whole program on any Linux whose kernel counts for itself:
 * perf_event gets, for each hardware event, one of the kernel's (which hardware events there are, LIBPFM_FORCE_PMU
 * says): page faults for AMD's RETIRED_INSTRUCTIONS, the task clock for CYCLES_NOT_IN_HALT, context switches for all
 * others. Threads are attached, counts inherited and read by the kernel itself. CATMINT_COUNTERS is how many events go
 * together. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 1024, INSTRUCTIONS = 0xc0, CYCLES = 0x76 };

static long members[FILES]; /* of the groups, by the file that leads them */

long syscall(long number, ...);

static long kernels_own(uint64_t config)
{
    switch (config & 0xff) {
    case INSTRUCTIONS: return PERF_COUNT_SW_PAGE_FAULTS;
    case CYCLES: return PERF_COUNT_SW_TASK_CLOCK;
    default: return PERF_COUNT_SW_CONTEXT_SWITCHES;
    }
}

long syscall(long number, ...)
{
    long (*real)(long, ...) = (long (*)(long, ...))(uintptr_t)dlsym(RTLD_NEXT, "syscall");
    const char *limit = getenv("CATMINT_COUNTERS");
    long argument[6];
    va_list list;
    va_start(list, number);
    for (size_t i = 0; i < 6; i++)
        argument[i] = va_arg(list, long);
    va_end(list);
    if (number != SYS_perf_event_open)
        return real(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
    struct perf_event_attr event = *(const struct perf_event_attr *)(uintptr_t)argument[0];
    long group = argument[3];
    if (event.type == PERF_TYPE_RAW || event.type == PERF_TYPE_HARDWARE) {
        event.type = PERF_TYPE_SOFTWARE;
        event.config = (uint64_t)kernels_own(event.config);
        event.config1 = event.config2 = 0;
    }
    if (group >= 0 && group < FILES && limit != NULL && members[group] >= atol(limit)) {
        errno = EINVAL;
        return -1;
    }
    long file = real(number, (long)&event, argument[1], argument[2], argument[3], argument[4], argument[5]);
    if (file >= 0 && file < FILES)
        members[file] = 1;
    if (file >= 0 && group >= 0 && group < FILES)
        members[group]++;
    return file;
}
