#include "sweep/expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/name_index.h"
#include "counting/add_event.h"

enum { NAME_SIZE = 4096, MOST_QUALIFIERS = 1024 };

uint64_t cm_combinations(size_t qualifiers, size_t most)
{
    uint64_t sum = 0;
    double term = (double)qualifiers;
    for (size_t k = 2; k <= most && k <= qualifiers; k++) {
        term = term * (double)(qualifiers - k + 1) / (double)k;
        if (term + (double)sum > 1e18)
            return UINT64_MAX;
        sum += (uint64_t)(term + 0.5);
    }
    return sum;
}

/* An event without qualifiers, and those that the session lists of it. */
struct family {
    size_t event;
    size_t count;
    const char *qualifiers[MOST_QUALIFIERS]; /* with the colon before them */
};

/* The session lists an event's qualifiers right behind it. */
static bool find_family(const cm_counting *counting, size_t event, size_t end, struct family *family)
{
    cm_native_event base = cm_counting_event(counting, event);
    size_t length = strlen(base.name);
    *family = (struct family){.event = event};
    if (cm_qualifier_count(base.name) != 0)
        return false;
    for (size_t i = event + 1; i < end && family->count < MOST_QUALIFIERS; i++) {
        const char *name = cm_counting_event(counting, i).name;
        if (strncmp(name, base.name, length) != 0 || name[length] != ':' || cm_qualifier_count(name) != 1)
            break;
        family->qualifiers[family->count++] = name + length;
    }
    return family->count != 0;
}

struct expansion {
    cm_counting *counting;
    const cm_selection *selection;
    cm_error *error;
};

static cm_status add_name(const struct expansion *expansion, const char *name, const char *component)
{
    if (!cm_selection_takes(expansion->selection, name, component))
        return CM_OK;
    size_t event;
    cm_status status = cm_counting_add_event(expansion->counting, name, &event, expansion->error);
    return status == CM_UNSUPPORTED ? CM_OK : status; /* PAPI knows no such combination */
}

/* All combinations that begin with what `name` holds and go on with qualifiers from `first` on. */
static cm_status add_combinations(const struct expansion *expansion, const struct family *family, const char *component,
                                  char *name, size_t first, size_t held, size_t most)
{
    size_t length = strlen(name);
    cm_status status = CM_OK;
    for (size_t i = first; status == CM_OK && i < family->count; i++) {
        if (length + strlen(family->qualifiers[i]) >= NAME_SIZE)
            continue;
        strcpy(name + length, family->qualifiers[i]);
        if (held + 1 >= 2)
            status = add_name(expansion, name, component);
        if (status == CM_OK && held + 1 < most)
            status = add_combinations(expansion, family, component, name, i + 1, held + 1, most);
        name[length] = '\0';
    }
    return status;
}

static const char *component_of(const cm_counting *counting, size_t event)
{
    return cm_counting_component(counting, cm_counting_event(counting, event).component).name;
}

static cm_status warn(const struct expansion *expansion, uint64_t count, void (*say)(const char *text, void *data),
                      void *data)
{
    if (count > CM_MOST_COMBINATIONS)
        return cm_error_set(expansion->error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "there are more than %d combinations of qualifiers, ask for fewer qualifiers or events",
                            CM_MOST_COMBINATIONS);
    char text[160];
    snprintf(text, sizeof text, "%llu combinations of qualifiers are tried, which takes about %.0f s",
             (unsigned long long)count, (double)count * cm_counting_trial_seconds(expansion->counting));
    if (say != NULL)
        say(text, data);
    return CM_OK;
}

static cm_status combine(const struct expansion *expansion, void (*say)(const char *text, void *data), void *data)
{
    size_t end = cm_counting_event_count(expansion->counting);
    struct family *family = malloc(sizeof *family);
    char *name = malloc(NAME_SIZE);
    uint64_t total = 0;
    cm_status status = family != NULL && name != NULL ? CM_OK : cm_error_no_memory(expansion->error);
    for (int pass = 0; status == CM_OK && pass < 2; pass++) {
        for (size_t i = 0; status == CM_OK && i < end; i++) {
            const char *component = component_of(expansion->counting, i);
            const char *base = cm_counting_event(expansion->counting, i).name;
            size_t most = cm_selection_qualifiers(expansion->selection, base);
            if (most < 2 || !cm_selection_takes_component(expansion->selection, component) ||
                !find_family(expansion->counting, i, end, family) || strlen(base) >= NAME_SIZE)
                continue;
            uint64_t count = cm_combinations(family->count, most);
            if (pass == 0) {
                total = count > UINT64_MAX - total ? UINT64_MAX : total + count;
                continue;
            }
            strcpy(name, base);
            status = add_combinations(expansion, family, component, name, 0, 0, most);
        }
        if (status == CM_OK && pass == 0 && total == 0)
            break;
        if (status == CM_OK && pass == 0)
            status = warn(expansion, total, say, data);
    }
    free(family);
    free(name);
    return status;
}

/* A name without wildcards that nobody lists may be one that PAPI knows all the same, with several qualifiers. */
static cm_status add_exact_names(const struct expansion *expansion)
{
    cm_counting *counting = expansion->counting;
    cm_name_index *index = NULL;
    cm_status status = cm_name_index_create(&index, expansion->error);
    for (size_t i = 0; status == CM_OK && i < cm_counting_event_count(counting); i++) {
        size_t place;
        const char *name = cm_counting_event(counting, i).name;
        if (!cm_name_index_find(index, name, &place))
            status = cm_name_index_add(index, name, i, expansion->error);
    }
    for (size_t i = 0; status == CM_OK && i < expansion->selection->count; i++) {
        const cm_pattern *pattern = &expansion->selection->patterns[i];
        size_t place;
        if (!cm_pattern_is_name(pattern) || cm_name_index_find(index, pattern->glob, &place))
            continue;
        status = cm_counting_add_event(counting, pattern->glob, &place, expansion->error);
        status = status == CM_UNSUPPORTED ? CM_OK : status; /* nothing fits it: said later */
    }
    cm_name_index_free(index);
    return status;
}

cm_status cm_expand_events(cm_counting *counting, const cm_selection *selection,
                           void (*say)(const char *text, void *data), void *data, cm_error *error)
{
    const struct expansion expansion = {counting, selection, error};
    size_t listed = cm_counting_event_count(counting);
    cm_status status = add_exact_names(&expansion);
    if (status == CM_OK)
        status = combine(&expansion, say, data);
    return status == CM_OK ? cm_counting_try_added(counting, listed, error) : status;
}
