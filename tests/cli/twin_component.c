/* For tests: preloaded (LD_PRELOAD), it gives PAPI one more component, `twin`, on any machine: its events have the
 * names that the file TWIN_EVENTS lists, a name a line. With a `!` before it one is refused when it is added to a set,
 * as by a perf_event that lists what it cannot count; with a `+` it is counted for the first SOUND readings of a
 * process and kills it afterwards; the others are counted, always. Sets of the component never reach PAPI. */
#include <dlfcn.h>
#include <papi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, SETS = 1024, CODE = 0x60000000, AT_A_TIME = 16, SOUND = 5, NAME = 256 };

struct set {
    size_t count;
    size_t events[AT_A_TIME];
    bool twin;
};

static PAPI_component_info_t twin;
static size_t count;
static char names[MOST][NAME];
static struct set sets[SETS];
static size_t readings;

#define REAL(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void list(void)
{
    const char *path = getenv("TWIN_EVENTS");
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    for (; file != NULL && count < MOST && fgets(names[count], NAME, file) != NULL; count++)
        names[count][strcspn(names[count], "\n")] = '\0';
    if (file != NULL)
        fclose(file);
    snprintf(twin.name, sizeof twin.name, "twin");
    snprintf(twin.short_name, sizeof twin.short_name, "%.*s", (int)sizeof twin.short_name - 1, twin.name);
}

static bool is_marked(size_t event)
{
    return event < count && (names[event][0] == '!' || names[event][0] == '+');
}

static bool is_ours(int code)
{
    return code >= CODE && code < CODE + (int)count;
}

static struct set *find(int set)
{
    return set >= 0 && set < SETS && sets[set].twin ? &sets[set] : NULL;
}

/* ---- what there is ---- */

int PAPI_num_components(void)
{
    return REAL(PAPI_num_components)() + 1;
}

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
    return component == REAL(PAPI_num_components)() ? &twin : REAL(PAPI_get_component_info)(component);
}

int PAPI_disable_component(int component)
{
    return component == REAL(PAPI_num_components)() ? PAPI_OK : REAL(PAPI_disable_component)(component);
}

int PAPI_enum_cmp_event(int *code, int modifier, int component)
{
    if (component != REAL(PAPI_num_components)())
        return REAL(PAPI_enum_cmp_event)(code, modifier, component);
    int next = modifier == PAPI_ENUM_FIRST ? CODE : *code + 1;
    if (modifier == PAPI_NTV_ENUM_UMASKS || !is_ours(next))
        return PAPI_ENOEVNT;
    *code = next;
    return PAPI_OK;
}

int PAPI_get_event_info(int code, PAPI_event_info_t *info)
{
    if (!is_ours(code))
        return REAL(PAPI_get_event_info)(code, info);
    size_t event = (size_t)(code - CODE);
    snprintf(info->symbol, sizeof info->symbol, "%s", names[event] + is_marked(event));
    snprintf(info->long_descr, sizeof info->long_descr, "A twin");
    return PAPI_OK;
}

int PAPI_get_event_component(int code)
{
    return is_ours(code) ? REAL(PAPI_num_components)() : REAL(PAPI_get_event_component)(code);
}

/* ---- sets ---- */

int PAPI_assign_eventset_component(int set, int component)
{
    if (component != REAL(PAPI_num_components)() || set < 0 || set >= SETS)
        return REAL(PAPI_assign_eventset_component)(set, component);
    sets[set] = (struct set){.twin = true};
    return PAPI_OK;
}

int PAPI_add_event(int set, int code)
{
    if (!is_ours(code))
        return REAL(PAPI_add_event)(set, code);
    if (set < 0 || set >= SETS || (is_marked((size_t)(code - CODE)) && names[code - CODE][0] == '!'))
        return PAPI_ENOEVNT;
    struct set *taking = &sets[set];
    if (taking->twin && taking->count == AT_A_TIME)
        return PAPI_ECNFLCT;
    taking->twin = true;
    taking->events[taking->count++] = (size_t)(code - CODE);
    return PAPI_OK;
}

int PAPI_start(int set)
{
    return find(set) != NULL ? PAPI_OK : REAL(PAPI_start)(set);
}

/* An event counts its place in the list, plus one. */
static int fill(const struct set *set, long long *counts)
{
    for (size_t i = 0; i < set->count && counts != NULL; i++) {
        if (is_marked(set->events[i]) && names[set->events[i]][0] == '+' && ++readings > SOUND) {
            signal(SIGSEGV, SIG_DFL); /* not the sanitizer's */
            raise(SIGSEGV);
        }
        counts[i] = (long long)set->events[i] + 1;
    }
    return PAPI_OK;
}

int PAPI_read(int set, long long *counts)
{
    return find(set) != NULL ? fill(find(set), counts) : REAL(PAPI_read)(set, counts);
}

int PAPI_stop(int set, long long *counts)
{
    return find(set) != NULL ? fill(find(set), counts) : REAL(PAPI_stop)(set, counts);
}

int PAPI_cleanup_eventset(int set)
{
    if (find(set) == NULL)
        return REAL(PAPI_cleanup_eventset)(set);
    sets[set] = (struct set){0};
    return REAL(PAPI_cleanup_eventset)(set);
}
