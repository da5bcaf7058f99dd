/* Events by code and unit mask, as far as libpfm4 knows the processor. */
#include "audit/audit.h"

/* Makes the names of the listed events searchable. */
static cm_status index_list(cm_event_codes *codes, cm_error *error)
{
    size_t count = codes->list->count;
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = codes->list->events[i].name;
    cm_status status = cm_event_names_create(names, count, &codes->names, error);
    free(names);
    return status;
}

cm_status cm_event_codes_load(const cm_definitions *definitions, cm_event_codes *codes, cm_error *error)
{
    cm_arena arena = {0};
    const char *cpu = NULL;
    *codes = (cm_event_codes){0};
    cm_status status = cm_upstream_find_names(NULL, definitions, &arena, &cpu, NULL, error);
    if (status == CM_OK && cpu != NULL)
        status = cm_libpfm_list_create(cpu, &codes->list, error);
    if (status == CM_OK && codes->list != NULL)
        status = index_list(codes, error);
    if (status == CM_OK && codes->list != NULL)
        status = cm_known_events_of_pmus(&cpu, 1, &codes->known, error);
    cm_arena_clear(&arena);
    return status;
}

void cm_event_codes_clear(cm_event_codes *codes)
{
    cm_event_names_free(codes->names);
    cm_libpfm_list_free(codes->list);
    cm_known_events_free(codes->known);
    *codes = (cm_event_codes){0};
}

/* cpu/event=0xc7,umask=0x1/, with or without the unit mask, and nothing else that is not a name. */
static bool read_numbers(const char *name, uint64_t *code, uint64_t *umask)
{
    static const char *const begins[] = {"cpu/", "cpu@"};
    bool event = false;
    *umask = 0;
    for (size_t i = 0; i < 2; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            name += strlen(begins[i]);
    while (*name != '\0') {
        size_t length = strcspn(name, ",/@");
        const char *value = memchr(name, '=', length);
        char *end = NULL;
        uint64_t number = value != NULL ? strtoull(value + 1, &end, 0) : 0;
        bool whole = value != NULL && end == name + length && end != value + 1;
        bool is_event = whole && strncmp(name, "event=", 6) == 0, is_umask = whole && strncmp(name, "umask=", 6) == 0;
        if (!is_event && !is_umask && strncmp(name, "name=", 5) != 0)
            return false;
        *(is_event ? code : umask) = is_event || is_umask ? number : *umask;
        event = event || is_event;
        name += length + (name[length] != '\0');
    }
    return event;
}

/* NAME:umask=0x1, which perfmon spells NAME:u0x1, without other qualifiers: NAME's code with that unit mask. */
static bool read_masked(const cm_event_codes *codes, const char *name, uint64_t *code, uint64_t *umask)
{
    static const char mask[] = ":umask=";
    cm_spelling spelling;
    size_t index = 0, count = 0;
    char *qualifier = cm_spelling_parse(name, &spelling) ? strstr(spelling.key, mask) : NULL;
    char *end = NULL;
    if (qualifier == NULL)
        return false;
    *umask = strtoull(qualifier + strlen(mask), &end, 10);
    *qualifier = '\0';
    if (*end != '\0' || strchr(spelling.key, '=') != NULL ||
        cm_event_names_find(codes->names, spelling.key, &index, 1, &count) != CM_NAME_FOUND)
        return false;
    *code = codes->list->events[index].code;
    return true;
}

/* Whether the event's code and unit mask are known, by its name or by libpfm4. */
static bool has_numbers(const cm_event_codes *codes, const char *name, uint64_t *code, uint64_t *umask)
{
    size_t index = 0, count = 0;
    if (codes->list == NULL)
        return false;
    if (read_numbers(name, code, umask) || read_masked(codes, name, code, umask))
        return true;
    if (cm_event_names_find(codes->names, name, &index, 1, &count) != CM_NAME_FOUND)
        return false;
    *code = codes->list->events[index].code;
    *umask = codes->list->events[index].umask;
    return true;
}

size_t cm_event_codes_find(const cm_event_codes *codes, const cm_event_names *names, const char *name)
{
    uint64_t code = 0, umask = 0;
    size_t index = 0, count = 0;
    bool known = has_numbers(codes, name, &code, &umask);
    for (size_t i = 0; known && i < codes->list->count; i++) {
        const cm_libpfm_event *event = &codes->list->events[i];
        if (event->code == code && event->umask == umask &&
            cm_event_names_find(names, event->name, &index, 1, &count) == CM_NAME_FOUND)
            return index;
    }
    return CM_NO_NAME;
}

bool cm_event_codes_spell(const cm_event_codes *codes, const char *name, char *spelled, size_t size)
{
    uint64_t code = 0, umask = 0;
    if (codes->list == NULL || !(read_numbers(name, &code, &umask) || read_masked(codes, name, &code, &umask)))
        return false;
    for (size_t i = 0; i < codes->list->count; i++) {
        const cm_libpfm_event *event = &codes->list->events[i];
        if (event->code == code && strchr(event->name, ':') == NULL) {
            snprintf(spelled, size, "%s:umask=0x%llx", event->name, (unsigned long long)umask);
            return true;
        }
    }
    return false;
}
