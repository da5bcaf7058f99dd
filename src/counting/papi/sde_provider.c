/* The software PMU's events published to PAPI's component for software events. */
#include "counting/papi/papi.h"

#include <papi.h>
#include <sde_lib.h>
#include <search.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "counting/counting.h"

/* A name registered with PAPI. */
struct slot {
    char *papi_name;
    struct slot *next;
    bool active;
    size_t event;
};

static struct {
    void *by_name; /* tree of slots, by name */
    struct slot *slots;
} provider;

static int compare_slots(const void *a, const void *b)
{
    return strcmp(((const struct slot *)a)->papi_name, ((const struct slot *)b)->papi_name);
}

static long long read_counter(void *parameter)
{
    const struct slot *slot = parameter;
    return slot->active ? cm_model_counts_read(slot->event) : 0;
}

/* libsde 7.0 never frees its copies of a name: leak checkers must not report them here. */
static int register_counter(papi_handle_t library, const char *name, const char *description, struct slot *slot)
{
#if defined(__SANITIZE_ADDRESS__)
    __lsan_disable();
#endif
    int code = papi_sde_register_counter_cb(library, name, PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long,
                                            read_counter, slot);
    if (code == PAPI_OK && description[0] != '\0')
        papi_sde_describe_counter(library, name, description);
#if defined(__SANITIZE_ADDRESS__)
    __lsan_enable();
#endif
    return code;
}

static struct slot *find_slot(const char *papi_name)
{
    struct slot key = {.papi_name = (char *)(uintptr_t)papi_name};
    struct slot **found = tfind(&key, &provider.by_name, compare_slots);
    return found != NULL ? *found : NULL;
}

/* Registers a name with libsde and adds its slot. */
static cm_status add_slot(papi_handle_t library, const char *papi_name, const cm_pmu_event *event, struct slot **added,
                          cm_error *error)
{
    struct slot *slot = calloc(1, sizeof *slot);
    char *name = strdup(papi_name);
    if (slot == NULL || name == NULL) {
        CM_FREE(slot, name);
        return cm_error_no_memory(error);
    }
    slot->papi_name = name;
    if (register_counter(library, event->name, event->description, slot) != PAPI_OK) {
        CM_FREE(slot, name);
        return CM_FAIL(error, CM_UNSUPPORTED, "libsde rejects the event %s", event->name);
    }
    slot->next = provider.slots; /* libsde keeps a pointer to it from now on */
    provider.slots = slot;
    if (tsearch(slot, &provider.by_name, compare_slots) == NULL)
        return cm_error_no_memory(error);
    *added = slot;
    return CM_OK;
}

/* Publishes all events of the model; names registered earlier are used again. */
static cm_status publish_all(const cm_pmu_model *model, cm_error *error)
{
    const char *name = cm_pmu_model_name(model);
    papi_handle_t library = papi_sde_init(name);
    if (library == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "libsde rejects the model %s", name);
    size_t events = cm_pmu_model_event_count(model);
    for (size_t i = 0; i < events; i++) {
        cm_pmu_event event = cm_pmu_model_event(model, i);
        char papi_name[PAPI_HUGE_STR_LEN];
        int length = snprintf(papi_name, sizeof papi_name, "sde:::%s::%s", name, event.name);
        if (length < 0 || (size_t)length >= sizeof papi_name)
            return CM_FAIL(error, CM_BAD_INPUT, "the event name %.40s... is too long for PAPI", event.name);
        struct slot *slot = find_slot(papi_name);
        cm_status status = slot != NULL ? CM_OK : add_slot(library, papi_name, &event, &slot, error);
        if (status != CM_OK)
            return status;
        slot->event = i;
        slot->active = true;
    }
    return CM_OK;
}

cm_status cm_source_publish(const cm_pmu_model *model, cm_error *error)
{
    cm_source_withdraw();
    cm_status status = publish_all(model, error);
    if (status != CM_OK)
        cm_source_withdraw();
    return status;
}

void cm_source_withdraw(void)
{
    for (struct slot *slot = provider.slots; slot != NULL; slot = slot->next)
        slot->active = false;
}

cm_sde_provider cm_sde_provider_find(const char *papi_name)
{
    const struct slot *slot = find_slot(papi_name);
    if (slot == NULL)
        return (cm_sde_provider){CM_SDE_PROVIDED_NEVER, 0};
    return (cm_sde_provider){slot->active ? CM_SDE_PROVIDED_NOW : CM_SDE_PROVIDED_BEFORE, slot->event};
}
