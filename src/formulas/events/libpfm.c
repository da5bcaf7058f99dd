#include "formulas/events/events.h"

#include <dlfcn.h>

/* Structures that libpfm.so.4 fills; `size` 0 selects these first versions. Source: perfmon/pfmlib.h, libpfm4 4.13. */
typedef struct pfm_pmu_info {
    const char *name, *desc;
    size_t size;
    int pmu, type, nevents, first_event, max_encoding, num_cntrs, num_fixed_cntrs;
    unsigned flags;
} pfm_pmu_info;

typedef struct pfm_event_info {
    const char *name, *desc, *equiv;
    size_t size;
    uint64_t code;
    int pmu, dtype, idx, nattrs, reserved;
    unsigned flags;
} pfm_event_info;

typedef struct pfm_attr_info {
    const char *name, *desc, *equiv;
    size_t size;
    uint64_t code;
    int type, idx, ctrl;
    unsigned flags;
    uint64_t dfl;
} pfm_attr_info;

enum { PFM_MOST_PMUS = 4096, PFM_UNIT_MASK = 1 };

typedef struct pfm_library {
    void *handle;
    int (*initialize)(void);
    int (*get_pmu_info)(int pmu, pfm_pmu_info *info);
    int (*get_event_info)(int event, int os, pfm_event_info *info);
    int (*get_event_next)(int event);
    int (*get_event_attr_info)(int event, int attr, int os, pfm_attr_info *info);
} pfm_library;

typedef struct owned_list {
    cm_libpfm_list list;
    cm_libpfm_event *events;
    cm_arena arena;
} owned_list;

/* Finds a function of the library; whether it exists. ISO C cannot convert an object's address to a function's. */
static bool find_function(void *handle, const char *name, void *function)
{
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool open_library(pfm_library *pfm)
{
    pfm->handle = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
    return pfm->handle != NULL && find_function(pfm->handle, "pfm_initialize", &pfm->initialize) &&
           find_function(pfm->handle, "pfm_get_pmu_info", &pfm->get_pmu_info) &&
           find_function(pfm->handle, "pfm_get_event_info", &pfm->get_event_info) &&
           find_function(pfm->handle, "pfm_get_event_next", &pfm->get_event_next) &&
           find_function(pfm->handle, "pfm_get_event_attr_info", &pfm->get_event_attr_info) && pfm->initialize() == 0;
}

/* The first event of the PMU; -1: the PMU is unknown. */
static int find_pmu_event(const pfm_library *pfm, const char *name)
{
    for (int pmu = 0; pmu < PFM_MOST_PMUS; pmu++) {
        pfm_pmu_info info = {0};
        if (pfm->get_pmu_info(pmu, &info) == 0 && strcmp(info.name, name) == 0)
            return info.first_event;
    }
    return -1;
}

bool cm_libpfm_offer_pmus(cm_near *near)
{
    pfm_library pfm = {0};
    bool opened = open_library(&pfm);
    for (int pmu = 0; opened && pmu < PFM_MOST_PMUS; pmu++) {
        pfm_pmu_info info = {0};
        if (pfm.get_pmu_info(pmu, &info) == 0)
            cm_near_offer(near, info.name);
    }
    return opened;
}

/* Adds a name and its code. */
static cm_status append_event(owned_list *owned, const char *name, uint64_t code, uint64_t umask, cm_error *error)
{
    if (!CM_GROW_BY_ONE(owned->events, owned->list.count))
        return cm_error_no_memory(error);
    owned->list.events = owned->events;
    const char *kept = cm_arena_text(&owned->arena, name);
    if (kept == NULL)
        return cm_error_no_memory(error);
    owned->events[owned->list.count++] = (cm_libpfm_event){kept, code, umask};
    return CM_OK;
}

/* Adds an event, alone and with each of its unit masks. */
static cm_status append_event_masks(const pfm_library *pfm, int event, const pfm_event_info *info, owned_list *owned,
                                    cm_error *error)
{
    char name[512];
    cm_status status = append_event(owned, info->name, info->code, 0, error);
    for (int attr = 0; attr < info->nattrs && status == CM_OK; attr++) {
        pfm_attr_info mask = {0};
        if (pfm->get_event_attr_info(event, attr, 0, &mask) != 0 || mask.type != PFM_UNIT_MASK)
            continue;
        snprintf(name, sizeof name, "%s:%s", info->name, mask.name);
        status = append_event(owned, name, info->code, mask.code, error);
    }
    return status;
}

/* Adds another name of an event: with its numbers, and with its unit masks, which libpfm4 takes behind either name. */
static cm_status add_equivalent(const pfm_event_info *info, owned_list *owned, cm_error *error)
{
    char name[512];
    const size_t count = owned->list.count, length = strlen(info->equiv);
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const cm_libpfm_event same = owned->events[i];
        if (strncmp(same.name, info->equiv, length) != 0 || (same.name[length] != '\0' && same.name[length] != ':'))
            continue;
        snprintf(name, sizeof name, "%s%s", info->name, same.name + length);
        status = append_event(owned, name, same.code, same.umask, error);
    }
    return status;
}

/* Adds the PMU's events from `event` on that are names of their own, or those that are other names of events. */
static cm_status add_events(const pfm_library *pfm, int event, bool equivalent, owned_list *owned, cm_error *error)
{
    cm_status status = CM_OK;
    for (; event >= 0 && status == CM_OK; event = pfm->get_event_next(event)) {
        pfm_event_info info = {0};
        if (pfm->get_event_info(event, 0, &info) != 0 || (info.equiv != NULL) != equivalent)
            continue;
        const size_t count = owned->list.count;
        if (equivalent)
            status = add_equivalent(&info, owned, error);
        if (status == CM_OK && owned->list.count == count)
            status = append_event_masks(pfm, event, &info, owned, error);
    }
    return status;
}

cm_status cm_libpfm_list_create(const char *pmu, cm_libpfm_list **list, cm_error *error)
{
    pfm_library pfm = {0};
    cm_status status = CM_OK;
    int event = open_library(&pfm) ? find_pmu_event(&pfm, pmu) : -1;
    owned_list *owned = event >= 0 ? calloc(1, sizeof *owned) : NULL;
    if (event >= 0 && owned == NULL)
        status = cm_error_no_memory(error);
    if (owned != NULL)
        status = add_events(&pfm, event, false, owned, error);
    if (owned != NULL && status == CM_OK)
        status = add_events(&pfm, event, true, owned, error);
    if (status == CM_OK && owned != NULL)
        *list = &owned->list;
    else if (owned != NULL)
        cm_libpfm_list_free(&owned->list);
    return status; /* the library stays open, because PAPI uses it, too */
}

void cm_libpfm_list_free(cm_libpfm_list *list)
{
    owned_list *owned = (owned_list *)list; /* `list` is its first member */
    if (owned == NULL)
        return;
    cm_arena_clear(&owned->arena);
    CM_FREE(owned->events, owned);
}
