/* Prints what PAPI makes of the tables that its environment variables name. With --kernel-events, the kernel's own
 * events (libpfm4's PMU "perf": page faults and the like) pass for a processor's, so that where there are no hardware
 * counters derived events are loaded, added and counted all the same. With --software-defined, the program publishes an
 * event of its own, sde:::client::EVENT.
 *
 *   event NAME DERIVED POSTFIX
 *   native NAME             no table is needed for it
 *   term EVENT
 *   note TEXT
 *   count NUMBER           with --touch PAGES: while so many new pages are touched, one page fault each
 *   unknown NAME REASON    not in the tables, or an event of it does not exist
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <papi.h>
#include <sde_lib.h>

/* libpfm4's answer about a PMU, as far as it is changed here (its headers are no part of PAPI's package). */
typedef struct pmu_info {
    const char *name, *description;
    size_t size;
    int pmu, type, event_count, first_event, max_encoding, counters, fixed_counters;
    unsigned present : 1, is_default : 1, rest : 30;
} pmu_info;

enum { PMU_OF_A_CORE = 1 };

static bool kernel_events;

__attribute__((visibility("default"))) int pfm_get_pmu_info(int pmu, pmu_info *info);

/* Stands before libpfm4's own. */
int pfm_get_pmu_info(int pmu, pmu_info *info)
{
    static int (*real)(int, pmu_info *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "pfm_get_pmu_info");
    int result = real(pmu, info);
    if (result == 0 && kernel_events && strcmp(info->name, "perf") == 0) {
        info->type = PMU_OF_A_CORE;
        info->is_default = 1;
        info->counters = 8;
    }
    return result;
}

static void count(int code, long pages)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)pages * page;
    int set = PAPI_NULL;
    long long value = 0;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, size, MADV_NOHUGEPAGE) != 0)
        return;
    int result = PAPI_create_eventset(&set);
    if (result == PAPI_OK)
        result = PAPI_add_event(set, code);
    if (result == PAPI_OK)
        result = PAPI_start(set);
    if (result == PAPI_OK) {
        for (size_t at = 0; at < size; at += page)
            ((volatile char *)memory)[at] = 1;
        result = PAPI_stop(set, &value);
    }
    if (result == PAPI_OK)
        printf("count\t%lld\n", value);
    else
        printf("uncounted\t%s\n", PAPI_strerror(result));
    munmap(memory, size);
}

static void print_event(const char *name, long pages)
{
    PAPI_event_info_t info;
    int code = 0, result = PAPI_event_name_to_code(name, &code);
    memset(&info, 0, sizeof info);
    if (result == PAPI_OK)
        result = PAPI_get_event_info(code, &info);
    if (result == PAPI_OK && (unsigned)code >> 30 == 1) { /* neither a preset nor a user event */
        printf("native\t%s\n", name);
        return;
    }
    if (result != PAPI_OK || info.count == 0) {
        printf("unknown\t%s\t%s\n", name, result != PAPI_OK ? PAPI_strerror(result) : "it has no terms");
        return;
    }
    printf("event\t%s\t%s\t%s\n", info.symbol, info.derived, info.postfix);
    for (unsigned i = 0; i < info.count && i < PAPI_MAX_INFO_TERMS; i++)
        printf("term\t%s\n", info.name[i]);
    printf("note\t%s\n", info.note);
    if (pages > 0)
        count(code, pages);
}

static void publish(void)
{
    static long long counter;
    papi_sde_register_counter(papi_sde_init("client"), "EVENT", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long,
                              &counter);
}

static const char *refusal(void)
{
    const PAPI_component_info_t *component = PAPI_get_component_info(0);
    if (component == NULL)
        return "PAPI has no component";
    return component->disabled ? component->disabled_reason : NULL;
}

int main(int argc, char **argv)
{
    long pages = 0;
    int first = 1;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++)
        if (strcmp(argv[first], "--kernel-events") == 0)
            kernel_events = true;
        else if (strcmp(argv[first], "--software-defined") == 0)
            publish();
        else if (strcmp(argv[first], "--touch") == 0 && first + 1 < argc)
            pages = strtol(argv[++first], NULL, 10);
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
        puts("refused\tPAPI does not start");
        return 0;
    }
    if (refusal() != NULL) {
        printf("refused\t%s\n", refusal());
        return 0;
    }
    for (int i = first; i < argc; i++)
        print_event(argv[i], pages);
    PAPI_shutdown();
    return 0;
}
