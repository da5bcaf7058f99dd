/* Finds events by any spelling: one hash table has exact names, another the key that an event's spellings share. */
#include <catmint/names.h>

#include "formulas/events/events.h"

typedef struct event_name {
    const char *name, *pmu;
    size_t next;      /* the next event with the same key, in the order of the list; CM_NO_NAME: none */
    size_t last;      /* for the first event of a key: the last one */
    size_t preferred; /* of several names of one event, the one that is returned */
} event_name;

struct cm_event_names {
    event_name *names;
    cm_name_index *exact;
    cm_name_index *keys;   /* first name with each key */
    cm_name_index *events; /* first name of each event of each PMU */
    cm_arena texts;
};

/* Adds a name by its spelling: as another name of a known event, or as a new event. */
static cm_status add_spelling(cm_event_names *names, size_t index, const cm_spelling *spelling, cm_error *error)
{
    event_name *added = &names->names[index];
    size_t found;
    if (cm_name_index_find(names->events, spelling->event, &found)) {
        event_name *same = &names->names[found];
        if (strlen(added->name) < strlen(names->names[same->preferred].name))
            same->preferred = index;
        return CM_OK;
    }
    const char *event = cm_arena_text(&names->texts, spelling->event);
    added->pmu = cm_arena_text(&names->texts, spelling->pmu);
    cm_status status = event != NULL && added->pmu != NULL ? cm_name_index_add(names->events, event, index, error)
                                                           : cm_error_no_memory(error);
    if (status != CM_OK)
        return status;
    if (cm_name_index_find(names->keys, spelling->key, &found)) {
        names->names[names->names[found].last].next = index;
        names->names[found].last = index;
        return CM_OK;
    }
    const char *key = cm_arena_text(&names->texts, spelling->key);
    return key != NULL ? cm_name_index_add(names->keys, key, index, error) : cm_error_no_memory(error);
}

/* Adds a name. */
static cm_status add_name(cm_event_names *names, size_t index, const char *name, cm_error *error)
{
    cm_spelling spelling;
    size_t found;
    event_name *added = &names->names[index];
    *added = (event_name){.next = CM_NO_NAME, .last = index, .preferred = index};
    if (cm_name_index_find(names->exact, name, &found))
        return CM_OK;
    added->name = cm_arena_text(&names->texts, name);
    cm_status status =
        added->name != NULL ? cm_name_index_add(names->exact, added->name, index, error) : cm_error_no_memory(error);
    if (status == CM_OK && cm_spelling_parse(name, &spelling))
        status = add_spelling(names, index, &spelling, error);
    return status;
}

cm_status cm_event_names_create(const char *const *events, size_t count, cm_event_names **names, cm_error *error)
{
    cm_event_names *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->names = calloc(count > 0 ? count : 1, sizeof *created->names);
    cm_status status = created->names != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_name_index_create(&created->exact, error));
    CM_THEN(status, cm_name_index_create(&created->keys, error));
    CM_THEN(status, cm_name_index_create(&created->events, error));
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = add_name(created, i, events[i], error);
    CM_HAND_OVER(status, names, created, cm_event_names_free);
    return status;
}

void cm_event_names_free(cm_event_names *names)
{
    if (names == NULL)
        return;
    cm_name_index_free(names->exact);
    cm_name_index_free(names->keys);
    cm_name_index_free(names->events);
    cm_arena_clear(&names->texts);
    CM_FREE(names->names, names);
}

/* The best match of `pmu` among the names with this key. */
static cm_pmu_match nearest(const cm_event_names *names, size_t first, const char *pmu)
{
    cm_pmu_match best = CM_PMU_OTHER;
    for (size_t at = first; at != CM_NO_NAME && best != CM_PMU_SAME; at = names->names[at].next) {
        cm_pmu_match match = cm_spelling_match_pmu(pmu, names->names[at].pmu);
        best = match > best ? match : best;
    }
    return best;
}

cm_name_match cm_event_names_find(const cm_event_names *names, const char *spelling, size_t *indices, size_t capacity,
                                  size_t *count)
{
    cm_spelling wanted;
    size_t first, found = 0;
    *count = 0;
    if (cm_name_index_find(names->exact, spelling, &first)) {
        if (capacity > 0)
            indices[0] = first;
        *count = 1;
        return CM_NAME_FOUND;
    }
    if (!cm_spelling_parse(spelling, &wanted) || !cm_name_index_find(names->keys, wanted.key, &first))
        return CM_NAME_UNKNOWN;
    cm_pmu_match best = nearest(names, first, wanted.pmu);
    for (size_t at = first; at != CM_NO_NAME && best != CM_PMU_OTHER; at = names->names[at].next) {
        if (cm_spelling_match_pmu(wanted.pmu, names->names[at].pmu) != best)
            continue;
        if (found < capacity)
            indices[found] = names->names[at].preferred;
        found++;
    }
    *count = found;
    return found == 0 ? CM_NAME_UNKNOWN : found == 1 ? CM_NAME_FOUND : CM_NAME_AMBIGUOUS;
}

cm_status cm_event_names_resolve(const cm_event_names *names, const char *spelling, size_t *index, cm_error *error)
{
    size_t candidates[8], count;
    const size_t most = CM_COUNT_OF(candidates);
    cm_name_match match = cm_event_names_find(names, spelling, candidates, most, &count);
    if (match != CM_NAME_AMBIGUOUS) {
        *index = match == CM_NAME_FOUND ? candidates[0] : CM_NO_NAME;
        return CM_OK;
    }
    char list[CM_ERROR_TEXT_SIZE] = "";
    const size_t listed = count <= most ? count : most;
    for (size_t i = 0; i < listed; i++)
        cm_text_append(list, sizeof list, i + 1 < listed || listed < count ? ", " : " or ", "'%.100s'",
                       names->names[candidates[i]].name);
    if (listed < count)
        cm_text_append(list, sizeof list, "", " or one of %zu more", count - listed);
    return CM_FAIL(error, CM_BAD_INPUT, "event '%.100s' is ambiguous, expected %s", spelling, list);
}
