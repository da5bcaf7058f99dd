/* For tests: preloaded (LD_PRELOAD), it gives PAPI one more component, `cuda`, that lists, names, refuses and fails as
 * the one of PAPI 7.3 does with an NVIDIA H200. Its metrics are those that the file CUDA_METRICS lists, a name a line,
 * and CUDA_MANY made-up ones; about these nothing may be asked, or the process ends: on a real one each question takes
 * milliseconds. A count says what was counted: 100 times the metric's place in the list, plus 10 for each statistic
 * behind the first. CUDA_ASKED is a file that is made when its names are asked for. Sets of the component never reach
 * PAPI. */
#include <dlfcn.h>
#include <papi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256, NAME = 256, NAMED = 4096, SETS = 1024, CODE = 0x60000000, AT_A_TIME = 30 };

/* How an event is spelled: as listed, bare, with the first statistic, with the device, or as it was asked for. */
enum { BARE, STATISTIC, DEVICE, LISTED, ASKED = 0x68000000 };

struct event {
    size_t metric, statistic;
};

struct set {
    bool ours;
    size_t count;
    struct event events[AT_A_TIME];
};

static const char *const statistics[] = {"avg", "max", "min", "sum"};
enum { STATISTICS = sizeof statistics / sizeof statistics[0] };

static PAPI_component_info_t component = {.name = "cuda", .short_name = "cuda", .disabled = PAPI_EDELAY_INIT};
static char metrics[MOST][NAME], named[NAMED][NAME];
static size_t metric_count, all, named_count;
static struct set sets[SETS];
static bool counted;
static bool stuck; /* a set did not start: the component holds the device for ever */

#define REAL(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void list(void)
{
    const char *path = getenv("CUDA_METRICS"), *many = getenv("CUDA_MANY");
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    for (; file != NULL && metric_count < MOST && fgets(metrics[metric_count], NAME, file) != NULL; metric_count++)
        metrics[metric_count][strcspn(metrics[metric_count], "\n")] = '\0';
    if (file != NULL)
        fclose(file);
    all = metric_count + (many != NULL ? strtoul(many, NULL, 10) : 0);
    strcpy(component.disabled_reason, "Not initialized. Access component events to initialize it.");
}

static int ours(void)
{
    return REAL(PAPI_num_components)();
}

static bool is_listed(int code)
{
    return code >= CODE && code < CODE + (int)(all * LISTED);
}

static bool is_asked(int code)
{
    return code >= ASKED && code < ASKED + (int)named_count;
}

static void spell(size_t metric, char *name)
{
    if (metric < metric_count)
        strcpy(name, metrics[metric]);
    else
        snprintf(name, NAME, "FBSP.Made.up_%zu.per_second", metric);
}

static struct event find(int code)
{
    if (!is_asked(code))
        return (struct event){(size_t)(code - CODE) / LISTED, 0};
    struct event found = {0, 0};
    const char *asked = named[code - ASKED], *said = strstr(asked, ":stat=");
    for (size_t i = 0; i < metric_count; i++)
        if (strlen(metrics[i]) == strcspn(asked, ":") && strncmp(metrics[i], asked, strlen(metrics[i])) == 0)
            found.metric = i;
    for (size_t i = 0; said != NULL && i < STATISTICS; i++)
        if (strncmp(said + strlen(":stat="), statistics[i], strlen(statistics[i])) == 0)
            found.statistic = i;
    return found;
}

/* ---- what there is ---- */

int PAPI_num_components(void)
{
    return ours() + 1;
}

const PAPI_component_info_t *PAPI_get_component_info(int number)
{
    return number == ours() ? &component : REAL(PAPI_get_component_info)(number);
}

/* Once it has counted it unloads a library that the driver calls when its context goes. */
void PAPI_shutdown(void)
{
    if (counted)
        abort();
    REAL(PAPI_shutdown)();
}

int PAPI_disable_component(int number)
{
    return number == ours() ? PAPI_OK : REAL(PAPI_disable_component)(number);
}

int PAPI_enum_cmp_event(int *code, int modifier, int number)
{
    if (number != ours())
        return REAL(PAPI_enum_cmp_event)(code, modifier, number);
    const char *asked = getenv("CUDA_ASKED");
    component.disabled = PAPI_OK;
    if (asked != NULL && modifier == PAPI_ENUM_FIRST)
        fclose(fopen(asked, "a"));
    int next = *code + 1;
    if (modifier == PAPI_ENUM_FIRST)
        next = CODE;
    else if (modifier == PAPI_ENUM_EVENTS)
        next = *code - (*code - CODE) % LISTED + LISTED;
    if (!is_listed(next) || (modifier == PAPI_NTV_ENUM_UMASKS && (next - CODE) % LISTED == BARE))
        return PAPI_EINVAL;
    *code = next;
    return PAPI_OK;
}

int PAPI_event_code_to_name(int code, char *name)
{
    static const char *const qualifiers[] = {[BARE] = "", [STATISTIC] = ":stat=avg", [DEVICE] = ":device=0"};
    char metric[NAME];
    if (!is_listed(code) && !is_asked(code))
        return REAL(PAPI_event_code_to_name)(code, name);
    spell(find(code).metric, metric);
    if (is_asked(code))
        sprintf(name, "cuda:::%s:stat=%s:device=0", metric, statistics[find(code).statistic]);
    else
        sprintf(name, "cuda:::%s%s", metric, qualifiers[(code - CODE) % LISTED]);
    return PAPI_OK;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
    static const char prefix[] = "cuda:::";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return REAL(PAPI_event_name_to_code)(name, code);
    const char *bare = name + sizeof prefix - 1;
    size_t length = strcspn(bare, ":");
    for (size_t i = 0; i < metric_count && named_count < NAMED; i++) {
        if (strlen(metrics[i]) != length || strncmp(metrics[i], bare, length) != 0)
            continue;
        snprintf(named[named_count], NAME, "%s", bare);
        *code = ASKED + (int)named_count++;
        return PAPI_OK;
    }
    return PAPI_ENOEVNT;
}

/* It says the first statistic, whichever was asked for. */
int PAPI_get_event_info(int code, PAPI_event_info_t *info)
{
    if (!is_listed(code) && !is_asked(code))
        return REAL(PAPI_get_event_info)(code, info);
    struct event event = find(code);
    if (event.metric >= metric_count)
        abort();
    if (is_asked(code))
        snprintf(info->symbol, sizeof info->symbol, "cuda:::%s:stat=avg:device=0", metrics[event.metric]);
    else
        PAPI_event_code_to_name(code, info->symbol);
    snprintf(info->long_descr, sizeof info->long_descr, "A metric. Units=(inst). Numpass=1.");
    return PAPI_OK;
}

int PAPI_get_event_component(int code)
{
    return is_listed(code) || is_asked(code) ? ours() : REAL(PAPI_get_event_component)(code);
}

/* ---- sets ---- */

static struct set *find_set(int set)
{
    return set >= 0 && set < SETS && sets[set].ours ? &sets[set] : NULL;
}

int PAPI_assign_eventset_component(int set, int number)
{
    if (number != ours() || set < 0 || set >= SETS)
        return REAL(PAPI_assign_eventset_component)(set, number);
    sets[set] = (struct set){.ours = true};
    return PAPI_OK;
}

int PAPI_add_event(int set, int code)
{
    if (!is_listed(code) && !is_asked(code))
        return REAL(PAPI_add_event)(set, code);
    if (set < 0 || set >= SETS)
        return PAPI_ENOEVST;
    struct set *taking = &sets[set];
    if (taking->ours && taking->count == AT_A_TIME)
        return PAPI_ECOUNT;
    taking->ours = true;
    taking->events[taking->count++] = find(code);
    return PAPI_OK;
}

/* In one pass metrics of instructions are counted, or one other. */
int PAPI_start(int set)
{
    const struct set *starting = find_set(set);
    if (starting == NULL)
        return REAL(PAPI_start)(set);
    for (size_t i = 0; i < starting->count && starting->count > 1; i++)
        if (!stuck && strstr(metrics[starting->events[i].metric], "__sass_") == NULL) {
            stuck = true;
            return PAPI_EMISC;
        }
    counted = true;
    return stuck ? PAPI_ECNFLCT : PAPI_OK;
}

static int fill(const struct set *set, long long *counts)
{
    for (size_t i = 0; i < set->count && counts != NULL; i++)
        counts[i] = (long long)(100 * (set->events[i].metric + 1) + 10 * set->events[i].statistic);
    return PAPI_OK;
}

int PAPI_read(int set, long long *counts)
{
    return find_set(set) != NULL ? fill(find_set(set), counts) : REAL(PAPI_read)(set, counts);
}

int PAPI_stop(int set, long long *counts)
{
    return find_set(set) != NULL ? fill(find_set(set), counts) : REAL(PAPI_stop)(set, counts);
}

int PAPI_cleanup_eventset(int set)
{
    if (find_set(set) != NULL)
        sets[set] = (struct set){0};
    return REAL(PAPI_cleanup_eventset)(set);
}
