/* Names of all events of a processor, from the lists of perf, perfmon or LIKWID, or from libpfm4. */
#include "formulas/events/events.h"

#include <dirent.h>

#include <catmint/data_path.h>
#include <catmint/names.h>

#include "core/json.h"

enum { LARGEST_FILE = 1 << 26 };

struct cm_known_events {
    cm_arena arena;
    const char *title;
    size_t count, capacity, masks_capacity;
    const char **events;
    cm_libpfm_name *masks; /* of the events, as libpfm4's sources have them; NULL: of other lists */
    cm_event_names *names;
    cm_pairs *spellings; /* names of events in other projects */
    bool joins;          /* an event may have several unit masks, with qualifiers behind them */
};

static cm_status add_event(cm_known_events *known, const char *event, cm_error *error)
{
    if (!CM_GROW(known->events, known->count + 1, &known->capacity))
        return cm_error_no_memory(error);
    known->events[known->count] = cm_arena_text(&known->arena, event);
    return known->events[known->count] != NULL ? (known->count++, CM_OK) : cm_error_no_memory(error);
}

/* ---- files ---- */

/* Loads a list in JSON. */
static cm_status load_json(cm_known_events *known, const char *path, cm_error *error)
{
    char *text = NULL;
    size_t size = 0, i;
    json_t *document = NULL, *object;
    cm_status status = cm_file_text_read(path, &text, &size, error);
    CM_THEN(status, cm_json_parse(path, text, size, 0, NULL, &document, error));
    const json_t *array = json_is_object(document) ? json_object_get(document, "Events") : document;
    json_array_foreach(array, i, object)
    {
        /* An event of perf or perfmon; perf's Arm events refer to architectural ones. */
        const char *name = json_string_value(json_object_get(object, "EventName"));
        if (name == NULL)
            name = json_string_value(json_object_get(object, "ArchStdEvent"));
        CM_THEN(status, name != NULL ? add_event(known, name, error) : CM_OK);
    }
    json_decref(document);
    free(text);
    return status;
}

/* The name at the beginning of the line; in LIKWID's lists only UMASK lines are whole events. NULL: none. */
static char *line_name(char *line)
{
    static const char *const other[] = {"EVENT_", "OPTIONS_", "DEFAULT_OPTIONS_", "#"};
    static const char whole[] = "UMASK_";
    line = cm_text_trim(line);
    for (size_t i = 0; i < CM_COUNT_OF(other); i++)
        if (strncmp(line, other[i], strlen(other[i])) == 0)
            return NULL;
    if (strncmp(line, whole, strlen(whole)) == 0)
        line += strlen(whole);
    line[strcspn(line, " \t,")] = '\0';
    return line[0] != '\0' ? line : NULL;
}

/* Loads a list in text. */
static cm_status load_text(cm_known_events *known, const char *path, cm_error *error)
{
    cm_text_lines lines;
    cm_status status = cm_text_lines_open(path, LARGEST_FILE, &lines, error);
    while (cm_text_lines_more(&lines, &status, error)) {
        const char *name = line_name(lines.text);
        if (name != NULL)
            status = add_event(known, name, error);
    }
    cm_text_lines_close(&lines);
    return status;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), less = strlen(ending);
    return length > less && strcmp(path + length - less, ending) == 0;
}

static cm_status load_file(cm_known_events *known, const char *path, cm_error *error)
{
    return ends_in(path, ".json") ? load_json(known, path, error) : load_text(known, path, error);
}

static cm_status load_entry(cm_known_events *known, const char *directory, const char *name, bool json, cm_error *error)
{
    if (!ends_in(name, ".json") && (json || !ends_in(name, ".txt")))
        return CM_OK;
    char *path = cm_path_join(directory, name, "");
    cm_status status = path != NULL ? load_file(known, path, error) : cm_error_no_memory(error);
    free(path);
    return status;
}

/* Loads all lists in a directory, or those in JSON. */
static cm_status load_directory(cm_known_events *known, const char *directory, bool json, cm_error *error)
{
    DIR *opened = opendir(directory);
    cm_status status = CM_OK;
    if (opened == NULL)
        return errno == ENOMEM ? cm_error_no_memory(error) : cm_error_io(error, directory, "cannot be read");
    for (const struct dirent *entry; status == CM_OK && (entry = readdir(opened)) != NULL;)
        status = load_entry(known, directory, entry->d_name, json, error);
    closedir(opened);
    return status;
}

/* ---- complete lists ---- */

static cm_status load_spellings(cm_known_events *known, cm_error *error)
{
    static const char *const columns[] = {"alias", "event"};
    char *path = NULL;
    cm_status status = cm_data_path("data/amd-events/names.csv", &path, error);
    CM_THEN(status, cm_pairs_load(path, columns, &known->spellings, error));
    free(path);
    return status;
}

/* Indexes the names and loads the other spellings. */
static cm_status finish_events(cm_known_events *made, cm_status status, cm_known_events **known, cm_error *error)
{
    CM_THEN(status, cm_event_names_create(made->events, made->count, &made->names, error));
    CM_THEN(status, load_spellings(made, error));
    CM_HAND_OVER(status, known, made, cm_known_events_free);
    return status;
}

/* Makes an empty list; NULL without memory. */
static cm_known_events *create_events(const char *title, cm_error *error)
{
    cm_known_events *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->title = cm_arena_text(&made->arena, title);
    if (made != NULL && made->title != NULL)
        return made;
    free(made);
    cm_error_no_memory(error);
    return NULL;
}

/* Loads a file or a directory. */
static cm_status load_path(const char *path, bool json, cm_known_events **known, cm_error *error)
{
    cm_known_events *made = create_events(path, error);
    if (made == NULL)
        return CM_NO_MEMORY;
    bool directory = cm_path_is_directory(path);
    cm_status status = directory ? load_directory(made, path, json, error) : load_file(made, path, error);
    if (status == CM_OK && made->count == 0)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                              "no names of events here, expected perf's or perfmon's "
                              "lists in JSON, LIKWID's, or one name per line");
    return finish_events(made, cm_error_of_input(status, error), known, error);
}

cm_status cm_known_events_load(const char *path, cm_known_events **known, cm_error *error)
{
    return load_path(path, false, known, error);
}

cm_status cm_known_events_load_json(const char *directory, cm_known_events **known, cm_error *error)
{
    return load_path(directory, true, known, error);
}

/* Adds the events of the first PMU; for later ones removes those that they lack. */
static cm_status add_pmu_events(cm_known_events *known, const char *pmu, bool first, bool *all, cm_error *error)
{
    cm_libpfm_list *list = NULL;
    cm_status status = cm_libpfm_list_create(pmu, &list, error);
    size_t kept = 0;
    *all = list != NULL;
    for (size_t i = 0; first && list != NULL && i < list->count && status == CM_OK; i++)
        status = add_event(known, list->events[i].name, error);
    for (size_t i = 0; !first && list != NULL && i < known->count; i++)
        if (CM_FIND_BY(name, known->events[i], list->events, list->count) < list->count)
            known->events[kept++] = known->events[i];
    if (!first && list != NULL)
        known->count = kept;
    cm_libpfm_list_free(list);
    return status;
}

/* Adds the kernel's own events, which any processor has, with and without their PMU. */
static cm_status add_kernels_own(cm_known_events *known, cm_error *error)
{
    char name[256];
    cm_libpfm_list *list = NULL;
    cm_status status = cm_libpfm_list_create("perf", &list, error);
    for (size_t i = 0; list != NULL && i < list->count && status == CM_OK; i++) {
        status = add_event(known, list->events[i].name, error);
        snprintf(name, sizeof name, "perf::%s", list->events[i].name);
        CM_THEN(status, add_event(known, name, error));
    }
    cm_libpfm_list_free(list);
    return status;
}

cm_status cm_known_events_of_pmus(const char *const *pmus, size_t count, cm_known_events **known, cm_error *error)
{
    char title[160];
    snprintf(title, sizeof title, "libpfm4's list for %.120s", count > 0 ? pmus[0] : "");
    cm_known_events *made = create_events(title, error);
    if (made == NULL)
        return CM_NO_MEMORY;
    bool all = count > 0;
    cm_status status = CM_OK;
    made->joins = true;
    for (size_t i = 0; i < count && status == CM_OK && all; i++)
        status = add_pmu_events(made, pmus[i], i == 0, &all, error);
    if (status == CM_OK && all)
        status = add_kernels_own(made, error);
    if (status == CM_OK && all)
        return finish_events(made, status, known, error);
    cm_known_events_free(made);
    return status;
}

static cm_status take_event(const cm_libpfm_name *name, void *data, cm_error *error)
{
    cm_known_events *known = data;
    if (!CM_GROW(known->masks, known->count + 1, &known->masks_capacity))
        return cm_error_no_memory(error);
    known->masks[known->count] = *name;
    return add_event(known, name->event, error);
}

cm_status cm_known_events_of_sources(const cm_libpfm_sources *sources, const char *pmu, cm_known_events **known,
                                     cm_error *error)
{
    cm_known_events *made = create_events("the tree's libpfm4", error);
    if (made == NULL)
        return CM_NO_MEMORY;
    made->joins = true;
    cm_status status = cm_libpfm_sources_each(sources, pmu, take_event, made, error);
    if (status == CM_OK && made->count > 0)
        return finish_events(made, status, known, error);
    cm_known_events_free(made);
    return status;
}

void cm_known_events_free(cm_known_events *known)
{
    if (known == NULL)
        return;
    cm_event_names_free(known->names);
    cm_pairs_free(known->spellings);
    cm_arena_clear(&known->arena);
    CM_FREE(known->events, known->masks, known);
}

CM_GETTER(const char *cm_known_events_title(const cm_known_events *known), known->title)

/* ---- looking up ---- */

static bool find_index(const cm_known_events *known, const char *event, size_t *index)
{
    size_t count = 0;
    return cm_event_names_find(known->names, event, index, 1, &count) == CM_NAME_FOUND;
}

static const char *find_spelling(const cm_known_events *known, const char *event)
{
    size_t index = 0;
    return find_index(known, event, &index) ? known->events[index] : NULL;
}

/* Whether the event is in a list such as "A | B". */
static bool is_one_of(const char *list, const char *event)
{
    size_t length = strlen(event);
    for (const char *at = list; at != NULL; at = strstr(at, " | ") != NULL ? strstr(at, " | ") + 3 : NULL)
        if (strncmp(at, event, length) == 0 && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

/* Whether a part of a name is no unit mask: c=1, or e alone. */
static bool is_qualifier(const char *part, size_t length)
{
    static const char complement[] = "cmpl"; /* netburst's */
    return length == 1 || memchr(part, '=', length) != NULL ||
           (length == strlen(complement) && strncmp(part, complement, length) == 0);
}

/* Whether the list has the event, and the event with each of its unit masks: EVENT:A:B:c=1; *clash: it has, but they
 * are not counted together. */
static bool has_parts(const cm_known_events *known, const char *event, bool *clash)
{
    const char *core = event;
    for (const char *at = strstr(event, "::"); at != NULL; at = strstr(at + 1, "::"))
        core = at + 2;
    size_t base = strcspn(core, ":."), index = 0;
    cm_libpfm_masks masks = {0};
    char *one = calloc(strlen(core) + 1, 1);
    bool all = one != NULL && known->joins && core[base] != '\0';
    *clash = false;
    for (const char *part = core + base; all && *part != '\0';) {
        size_t length = 1 + strcspn(part + 1, ":.");
        bool qualifier = is_qualifier(part + 1, length - 1);
        snprintf(one, strlen(core) + 1, "%.*s%.*s", (int)base, core, qualifier ? 0 : (int)length, part);
        all = find_index(known, one, &index);
        *clash = *clash ||
                 (all && !qualifier && known->masks != NULL && !cm_libpfm_masks_join(&masks, &known->masks[index]));
        part += length;
    }
    free(one);
    *clash = *clash && all;
    return all && !*clash;
}

bool cm_known_events_clash(const cm_known_events *known, const char *event)
{
    bool clash = false;
    return !has_parts(known, event, &clash) && clash;
}

const char *cm_known_events_spell(const cm_known_events *known, const char *event)
{
    const char *found = find_spelling(known, event);
    for (size_t i = 0; i < known->spellings->count && found == NULL; i++)
        if (is_one_of(known->spellings->items[i].second, event))
            found = find_spelling(known, known->spellings->items[i].first);
    bool clash = false;
    return found == NULL && has_parts(known, event, &clash) ? event : found;
}

bool cm_known_events_have(const cm_known_events *known, const char *event)
{
    size_t index = 0, count = 0;
    bool clash = false;
    return cm_event_names_find(known->names, event, &index, 1, &count) != CM_NAME_UNKNOWN ||
           has_parts(known, event, &clash);
}

void cm_known_events_offer(const cm_known_events *known, cm_near *near)
{
    for (size_t i = 0; i < known->count; i++)
        cm_near_offer(near, known->events[i]);
}
