#include "counting/raw/raw.h"

cm_status cm_code_aliases_create(const cm_machine *machine, const char *core_pmu, cm_libpfm_list **list,
                                 cm_error *error)
{
    char identity[128], pmu[64];
    cm_status status = CM_OK;
    *list = NULL;
    if (core_pmu[0] != '\0')
        return cm_libpfm_list_create(core_pmu, list, error);
    snprintf(identity, sizeof identity, "%s-%u-%X-%u", machine->vendor, machine->family, machine->model,
             machine->stepping);
    if (machine->vendor[0] != '\0')
        status = cm_processor_pmu(identity, pmu, sizeof pmu, error);
    return status == CM_OK && machine->vendor[0] != '\0' && pmu[0] != '\0' ? cm_libpfm_list_create(pmu, list, error)
                                                                           : status;
}

/* False if the code has anything but an event and a unit mask. */
static bool split_code(const cm_raw_device *device, const cm_raw_code *code, uint64_t *event, uint64_t *umask)
{
    cm_raw_code rest = *code;
    *event = *umask = 0;
    for (size_t i = 0; i < device->field_count; i++) {
        const cm_raw_field *field = &device->fields[i];
        bool is_event = strcmp(field->name, "event") == 0;
        if (!is_event && strcmp(field->name, "umask") != 0)
            continue;
        *(is_event ? event : umask) = cm_raw_field_get(field, code);
        cm_raw_field_set(field, 0, &rest);
    }
    return (rest.words[0] | rest.words[1] | rest.words[2]) == 0;
}

/* Whether the event has unit masks: without one it is no event, because the default mask need not be 0. */
static bool has_masks(const cm_libpfm_list *list, size_t at)
{
    const char *name = list->events[at].name;
    size_t length = strlen(name);
    return strchr(name, ':') == NULL && at + 1 < list->count && strncmp(list->events[at + 1].name, name, length) == 0 &&
           list->events[at + 1].name[length] == ':';
}

const char *cm_code_alias_next(const cm_libpfm_list *list, const cm_raw_device *device, const cm_raw_code *code,
                               size_t *at)
{
    uint64_t event, umask;
    if (list == NULL || !split_code(device, code, &event, &umask))
        return NULL;
    while (*at < list->count) {
        size_t i = (*at)++;
        if (list->events[i].code == event && list->events[i].umask == umask && !has_masks(list, i))
            return list->events[i].name;
    }
    return NULL;
}
