#include "counting/raw/raw.h"

enum { DEVICE, PMU, COLUMNS };

typedef struct core_list {
    cm_core_type *types;
    size_t count;
} core_list;

static cm_status name_pmu(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    (void)error;
    const core_list *list = data;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->types[i].name, row->fields[DEVICE]) == 0)
            snprintf(list->types[i].pmu, sizeof list->types[i].pmu, "%s", row->fields[PMU]);
    return CM_OK;
}

/* Finds the devices with a list of their processors, if there are several. */
static cm_status find_in_system(const char *root, cm_core_type types[CM_CORE_TYPES], size_t *count, cm_error *error)
{
    cm_raw_device devices[CM_RAW_DEVICES];
    size_t device_count = 0;
    cm_status status = cm_raw_devices_read(root, devices, &device_count, error);
    for (size_t i = 0; i < device_count && status == CM_OK && *count < CM_CORE_TYPES; i++) {
        if (devices[i].cpus[0] == '\0')
            continue;
        cm_core_type *type = &types[(*count)++];
        *type = (cm_core_type){0};
        strcpy(type->name, devices[i].name);
        strcpy(type->cpus, devices[i].cpus);
    }
    if (*count < 2)
        *count = 0;
    /* libpfm4's PMU of each type that is listed. */
    static const char *const columns[COLUMNS] = {"device", "pmu"};
    core_list list = {types, *count};
    return status == CM_OK && *count != 0
               ? cm_csv_each_data("data/core-pmus.csv", COLUMNS, columns, name_pmu, &list, error)
               : status;
}

/* The model's types of cores; their processors are known only if the choice has a root. */
static cm_status find_in_model(const cm_pmu_choice *choice, cm_core_type types[CM_CORE_TYPES], size_t *count,
                               cm_error *error)
{
    cm_model_place place;
    cm_core_type there[CM_CORE_TYPES];
    size_t there_count = 0;
    cm_status status = choice->model != NULL ? cm_model_locate(choice->model, &place, error) : CM_OK;
    if (status == CM_OK && choice->model != NULL)
        status = cm_model_cores_read(place.directory, types, count, error);
    if (choice->model != NULL)
        free(place.directory);
    if (status == CM_OK && *count != 0 && choice->root != NULL)
        status = find_in_system(choice->root, there, &there_count, error);
    for (size_t i = 0; i < *count; i++)
        for (size_t j = 0; j < there_count; j++)
            if (strcmp(types[i].name, there[j].name) == 0)
                memcpy(types[i].cpus, there[j].cpus, sizeof types[i].cpus);
    return status;
}

cm_status cm_core_types_find(const cm_pmu_choice *choice, cm_core_type types[CM_CORE_TYPES], size_t *count,
                             cm_error *error)
{
    *count = 0;
    if (choice->kind == CM_PMU_SOFTWARE)
        return find_in_model(choice, types, count, error);
    return find_in_system(choice->root != NULL ? choice->root : "", types, count, error);
}

cm_status cm_core_choose(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0, at = 0;
    if (choice->core == NULL)
        return CM_OK;
    cm_status status = cm_core_types_find(choice, types, &count, error);
    while (at < count && strcmp(types[at].name, choice->core) != 0)
        at++;
    if (status == CM_OK && at == count)
        status = CM_FAIL(error, CM_BAD_ARGUMENT, "there are no cores of the type '%s' here%s%s", choice->core,
                         count != 0 ? ", expected one such as " : ", the cores are all alike",
                         count != 0 ? types[0].name : "");
    if (status != CM_OK)
        return status;
    counting->core = types[at];
    return cm_device_cores_bind(types[at].name, types[at].cpus, &counting->device_cores, error);
}

void cm_core_release(cm_counting *counting)
{
    cm_device_cores_release(&counting->device_cores);
    counting->core = (cm_core_type){0};
}

/* The type whose PMU precedes the event's name; `count` if none does. */
static size_t type_of(const char *event, const cm_core_type *types, size_t count)
{
    const char *end = strstr(event, "::");
    size_t length = end != NULL ? (size_t)(end - event) : 0, at = 0;
    while (at < count && (length == 0 || strlen(types[at].pmu) != length || memcmp(types[at].pmu, event, length) != 0))
        at++;
    return at;
}

cm_status cm_core_set_others_aside(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    if (counting->core.name[0] == '\0')
        return CM_OK;
    cm_status status = cm_core_types_find(choice, types, &count, error);
    for (size_t i = 0; status == CM_OK && i < counting->event_count; i++) {
        size_t type = type_of(counting->events[i].name, types, count);
        char reason[CM_CORE_TEXT + 64];
        if (type == count || strcmp(types[type].name, counting->core.name) == 0 || !counting->events[i].countable)
            continue;
        snprintf(reason, sizeof reason, "it counts on the cores of the type %s", types[type].name);
        status = cm_event_refused(counting, i, reason, error);
    }
    return status;
}

const cm_core_type *cm_counting_core(const cm_counting *counting)
{
    return counting->core.name[0] != '\0' ? &counting->core : NULL;
}
