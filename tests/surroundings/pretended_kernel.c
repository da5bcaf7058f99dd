/* For tests: preloaded (LD_PRELOAD), it makes the kernel's perf_event the same on every machine, as CATMINT_PRETENDED
 * says: `refusing` (it is alive, and has none of the events that are asked for), `software` (it counts the kernel's own
 * events, no other), `off` (the kernel was built without it). Counting of the kernel's own events is done here. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

enum { FILES = 1024 };

typedef struct counter {
    bool open, running;
    int leader;
    uint64_t config, format;
    uint64_t count, since; /* until it was stopped last, and what the clock said when it was started */
} counter;

static counter counters[FILES]; /* by file descriptor */

int access(const char *path, int mode);
int close(int file);
FILE *fopen(const char *path, const char *mode);
int ioctl(int file, unsigned long request, ...);
ssize_t read(int file, void *buffer, size_t size);
long syscall(long number, ...);

static void *real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static bool pretends(const char *what)
{
    const char *asked = getenv("CATMINT_PRETENDED");
    return asked != NULL && (what == NULL || strcmp(asked, what) == 0);
}

/* ---- counters ---- */

static uint64_t clock_of(uint64_t config)
{
    struct rusage used;
    struct timespec now;
    getrusage(RUSAGE_THREAD, &used);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    switch (config) {
    case PERF_COUNT_SW_CPU_CLOCK:
    case PERF_COUNT_SW_TASK_CLOCK: return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    case PERF_COUNT_SW_PAGE_FAULTS: return (uint64_t)(used.ru_minflt + used.ru_majflt);
    case PERF_COUNT_SW_PAGE_FAULTS_MIN: return (uint64_t)used.ru_minflt;
    case PERF_COUNT_SW_PAGE_FAULTS_MAJ: return (uint64_t)used.ru_majflt;
    case PERF_COUNT_SW_CONTEXT_SWITCHES: return (uint64_t)(used.ru_nvcsw + used.ru_nivcsw);
    default: return 0;
    }
}

static counter *counter_of(int file)
{
    return file >= 0 && file < FILES && counters[file].open ? &counters[file] : NULL;
}

static uint64_t count_of(const counter *one)
{
    return one->count + (one->running ? clock_of(one->config) - one->since : 0);
}

static void run(counter *one, bool on)
{
    one->count = count_of(one);
    one->since = clock_of(one->config);
    one->running = on;
}

static void run_group(int leader, bool on)
{
    for (size_t i = 0; i < FILES; i++)
        if (counters[i].open && counters[i].leader == leader)
            run(&counters[i], on);
}

static long open_counter(const struct perf_event_attr *event, int group)
{
    if (event->type != PERF_TYPE_SOFTWARE || event->config >= PERF_COUNT_SW_MAX) {
        errno = ENOENT;
        return -1;
    }
    int file = eventfd(0, 0);
    if (file >= FILES) {
        close(file);
        errno = EMFILE;
        return -1;
    }
    if (file >= 0) {
        counters[file] = (counter){.open = true, .config = event->config, .format = event->read_format};
        counters[file].leader = group >= 0 ? group : file;
        const counter *leader = counter_of(counters[file].leader);
        run(&counters[file], group >= 0 ? leader != NULL && leader->running : !event->disabled);
    }
    return file;
}

static ssize_t read_counter(int file, uint64_t *values, size_t size)
{
    uint64_t found[FILES + 3];
    size_t length = 0, members = 0;
    const uint64_t format = counters[file].format;
    const size_t head = format & PERF_FORMAT_GROUP ? 1 : 0;
    const size_t times =
        (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) + (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);
    length = head + times;
    for (size_t i = 0; i < times; i++)
        found[head + i] = 1;
    for (int i = 0; i < FILES; i++)
        if (i == file || (head != 0 && counters[i].open && counters[i].leader == file)) {
            found[length++] = count_of(&counters[i]);
            members++;
        }
    if (head != 0)
        found[0] = members;
    if (length * sizeof *found > size) {
        errno = ENOSPC;
        return -1;
    }
    memcpy(values, found, length * sizeof *found);
    return (ssize_t)(length * sizeof *found);
}

/* ---- what PAPI and libpfm4 call ---- */

long syscall(long number, ...)
{
    long (*next)(long, ...) = (long (*)(long, ...))(uintptr_t)real("syscall");
    long argument[6];
    va_list list;
    va_start(list, number);
    for (size_t i = 0; i < 6; i++)
        argument[i] = va_arg(list, long);
    va_end(list);
    if (number != SYS_perf_event_open || !pretends(NULL))
        return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
    if (pretends("software"))
        return open_counter((const struct perf_event_attr *)(uintptr_t)argument[0], (int)argument[3]);
    errno = pretends("off") ? ENOSYS : ENOENT;
    return -1;
}

int ioctl(int file, unsigned long request, ...)
{
    int (*next)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))(uintptr_t)real("ioctl");
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    counter *one = counter_of(file);
    if (one == NULL)
        return next(file, request, argument);
    if (request == PERF_EVENT_IOC_RESET) {
        one->count = 0;
        one->since = clock_of(one->config);
    } else if (request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE) {
        run_group(file, request == PERF_EVENT_IOC_ENABLE);
    }
    return 0;
}

ssize_t read(int file, void *buffer, size_t size)
{
    ssize_t (*next)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))(uintptr_t)real("read");
    return counter_of(file) != NULL ? read_counter(file, buffer, size) : next(file, buffer, size);
}

int close(int file)
{
    int (*next)(int) = (int (*)(int))(uintptr_t)real("close");
    counter *one = counter_of(file);
    if (one != NULL)
        one->open = false;
    return next(file);
}

int access(const char *path, int mode)
{
    int (*next)(const char *, int) = (int (*)(const char *, int))(uintptr_t)real("access");
    if (!pretends(NULL) || strcmp(path, PARANOID) != 0)
        return next(path, mode);
    errno = ENOENT;
    return pretends("off") ? -1 : 0;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *) = (FILE * (*)(const char *, const char *))(uintptr_t)real("fopen");
    if (!pretends(NULL) || strcmp(path, PARANOID) != 0)
        return next(path, mode);
    static char least[] = "-1\n"; /* paranoid */
    errno = ENOENT;
    return pretends("off") ? NULL : fmemopen(least, sizeof least - 1, "r");
}
