/* For tests: preloaded (LD_PRELOAD), it lets two components of PAPI count on any Linux. The kernel's software clock
 * counts where perf_event asks for a hardware event, in groups of COUNTERS as a core takes them (which events there
 * are, LIBPFM_FORCE_PMU says), and sde has the events of a library: two of them fail once a process has read them
 * often, for so they are sound when they are tried. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sde_lib.h>

enum { COUNTERS = 6, EVENTS = 100, OFTEN = 30, CRASHES = 7, HANGS = 50, FILES = 1024 };

static size_t members[FILES]; /* of the groups, by the file that leads them */
static long long reads[EVENTS];

long syscall(long number, ...)
{
    long (*real)(long, ...) = (long (*)(long, ...))(uintptr_t)dlsym(RTLD_NEXT, "syscall");
    long argument[6];
    va_list list;
    va_start(list, number);
    for (size_t i = 0; i < 6; i++)
        argument[i] = va_arg(list, long);
    va_end(list);
    if (number != SYS_perf_event_open)
        return real(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
    struct perf_event_attr event = *(const struct perf_event_attr *)(uintptr_t)argument[0];
    if (event.type == PERF_TYPE_RAW || event.type == PERF_TYPE_HARDWARE) {
        event.type = PERF_TYPE_SOFTWARE;
        event.config = PERF_COUNT_SW_TASK_CLOCK;
        event.config1 = event.config2 = 0;
    }
    long group = argument[3];
    if (group >= 0 && group < FILES && members[group] == COUNTERS) {
        errno = EINVAL;
        return -1;
    }
    long file = real(number, &event, argument[1], argument[2], group, argument[4]);
    if (file >= 0 && file < FILES)
        members[file] = 1;
    if (file >= 0 && group >= 0 && group < FILES)
        members[group]++;
    return file;
}

static long long count(void *data)
{
    long long *event = data;
    if (++*event == OFTEN && event == reads + CRASHES) {
        signal(SIGSEGV, SIG_DFL); /* not the sanitizer's */
        raise(SIGSEGV);
    }
    while (*event == OFTEN && event == reads + HANGS)
        pause();
    return *event;
}

__attribute__((constructor)) static void publish(void)
{
    papi_handle_t library = papi_sde_init("other");
    for (size_t i = 0; i < EVENTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "COUNT_%zu", i);
        papi_sde_register_counter_cb(library, name, PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, count, &reads[i]);
    }
}
