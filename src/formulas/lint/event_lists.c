/* Finds lists of events in the trees of PAPI, LIKWID, perf and perfmon, beside their formulas. */
#include <catmint/data_path.h>

#include "core/files.h"
#include "formulas/lint/lint.h"

/* The list for a name of a processor; `known` NULL: there is none. */
typedef struct named_list {
    const char *cpu;
    cm_known_events *known;
} named_list;

struct cm_event_lists {
    cm_arena arena;
    bool by_cpu;                /* one for each name of a processor; else all are for all formulas */
    cm_libpfm_sources *sources; /* NULL: libpfm4 is asked, if it is installed */
    char *counters, *events;    /* LIKWID's tables of the processor's counters and events; NULL: none */
    size_t count;
    named_list *lists;
};

/* Appends a list, which it then owns, for that processor; "": for all. */
static cm_status add_list(cm_event_lists *lists, const char *cpu, cm_known_events *known, cm_error *error)
{
    const bool grown = CM_GROW_BY_ONE(lists->lists, lists->count);
    const char *kept = cm_arena_text(&lists->arena, cpu);
    if (!grown || kept == NULL) {
        cm_known_events_free(known);
        return cm_error_no_memory(error);
    }
    lists->lists[lists->count++] = (named_list){kept, known};
    return CM_OK;
}

/* Loads the list at a path; one that is not there, or cannot be read, is none. */
static cm_status load_list(cm_event_lists *lists, const char *path, cm_error *error)
{
    cm_known_events *known = NULL;
    struct stat found;
    cm_error none;
    if (path == NULL)
        return cm_error_no_memory(error);
    if (stat(path, &found) != 0)
        return CM_OK;
    cm_status status = S_ISDIR(found.st_mode) ? cm_known_events_load_json(path, &known, &none)
                                              : cm_known_events_load(path, &known, &none);
    if (status != CM_OK)
        return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
    return add_list(lists, "", known, error);
}

/* The directory that is `up` levels above the one of the file; the caller frees it, NULL without memory. */
static char *directory_above(const char *file, int up)
{
    const char *slash = strrchr(file, '/');
    char *path = NULL;
    int length = slash != NULL ? (int)(slash - file) : 0;
    if (asprintf(&path, "%.*s%s", length, file, slash == NULL ? "." : length == 0 ? "/" : "") < 0)
        return NULL;
    for (; up > 0; up--) {
        char *parent = NULL;
        int made = asprintf(&parent, "%s/..", path);
        free(path);
        path = made < 0 ? NULL : parent;
        if (path == NULL)
            return NULL;
    }
    return path;
}

/* Loads `name` from a directory above the file. */
static cm_status load_above(cm_event_lists *lists, const char *file, int up, const char *name, cm_error *error)
{
    char *directory = directory_above(file, up), *path = NULL;
    if (directory != NULL)
        path = cm_path_join(directory, name, "");
    cm_status status = load_list(lists, path, error);
    CM_FREE(directory, path);
    return status;
}

/* Loads one of LIKWID's tables as text, from a directory above the file; one that is not there is none. */
static cm_status load_table(const char *file, const char *name, char **text, cm_error *error)
{
    size_t size = 0;
    cm_error none;
    char *directory = directory_above(file, 2), *path = directory != NULL ? cm_path_join(directory, name, "") : NULL;
    cm_status status = path != NULL ? cm_file_text_read(path, text, &size, &none) : CM_NO_MEMORY;
    CM_FREE(directory, path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* LIKWID: groups/<directory>/GROUP.txt, and src/includes/perfmon_<list>_events.txt. */
static cm_status find_likwid(cm_event_lists *lists, const char *file, cm_error *error)
{
    static const char *const columns[] = {"folder", "list"};
    char directory[128], name[256], *path = NULL;
    cm_pairs *pairs = NULL;
    /* The name of the directory that the file is in. */
    const char *end = strrchr(file, '/'), *begin = end;
    while (begin != NULL && begin > file && begin[-1] != '/')
        begin--;
    snprintf(directory, sizeof directory, "%.*s", begin != NULL ? (int)(end - begin) : 0, begin != NULL ? begin : "");
    cm_status status = cm_data_path("data/likwid-lists.csv", &path, error);
    if (status == CM_OK)
        status = cm_pairs_load(path, columns, &pairs, error);
    else if (status == CM_IO)
        status = CM_OK; /* the user's own data */
    const char *list = directory;
    for (size_t i = 0; pairs != NULL && i < pairs->count; i++)
        if (strcmp(pairs->items[i].first, directory) == 0)
            list = pairs->items[i].second;
    snprintf(name, sizeof name, "src/includes/perfmon_%.100s_events.txt", list);
    if (status == CM_OK && directory[0] != '\0')
        status = load_above(lists, file, 2, name, error);
    if (status == CM_OK && directory[0] != '\0')
        status = load_table(file, name, &lists->events, error);
    snprintf(name, sizeof name, "src/includes/perfmon_%.100s_counters.h", list);
    if (status == CM_OK && directory[0] != '\0')
        status = load_table(file, name, &lists->counters, error);
    cm_pairs_free(pairs);
    free(path);
    return status;
}

/* Loads the lists for a file of metrics. perfmon has <CPU>/metrics/[perf/]FILE.json and <CPU>/events; perf has both in
 * one directory, and lists that all of Arm's processors share. */
static cm_status find_json(cm_event_lists *lists, const char *file, bool perf, cm_error *error)
{
    static const char arms[] = "common-and-microarch.json";
    cm_status status = load_above(lists, file, 1, "events", error);
    if (status == CM_OK && lists->count == 0)
        status = load_above(lists, file, 2, "events", error);
    if (status == CM_OK && lists->count == 0 && perf)
        status = load_above(lists, file, 0, "", error);
    if (status == CM_OK && lists->count > 0 && perf)
        status = load_above(lists, file, 2, arms, error);
    return status;
}

/* PAPI: src/papi_events.csv and src/libpfm4/lib. */
static cm_status find_papi(cm_event_lists *lists, const char *file, cm_error *error)
{
    char *directory = directory_above(file, 0), *path = NULL;
    if (directory != NULL)
        path = cm_path_join(directory, "libpfm4/lib", "");
    cm_status status = path != NULL ? cm_libpfm_sources_load(path, &lists->sources, error) : cm_error_no_memory(error);
    lists->by_cpu = true;
    CM_FREE(directory, path);
    return status;
}

/* Finds the lists that fit: the user's, the processor's by libpfm4, else those in the formulas' own tree. */
static cm_status find_lists(cm_event_lists *lists, const cm_formulas *formulas, const cm_lint_options *options,
                            cm_error *error)
{
    const char *file = formulas->place;
    cm_known_events *known = NULL;
    cm_status status = CM_OK;
    if (options->known_events != NULL) {
        status = cm_known_events_load(options->known_events, &known, error);
        return status == CM_OK ? add_list(lists, "", known, error) : status;
    }
    if (options->cpu != NULL && strcmp(formulas->format, "likwid") == 0)
        return cm_error_set(error, CM_BAD_ARGUMENT, formulas->file, 0, 0,
                            "LIKWID's groups have other names of events than libpfm4: give LIKWID's list with "
                            "--known-events, or a group in LIKWID's tree");
    if (options->cpu != NULL) {
        status = cm_known_events_of_pmus(&options->cpu, 1, &known, error);
        if (status == CM_OK && known != NULL)
            return add_list(lists, "", known, error);
        if (status == CM_OK) /* libpfm4 may be of another architecture: then by the tree */
            status = cm_processor_check(options->cpu, error);
        if (status != CM_OK)
            return status;
    }
    if (strcmp(formulas->format, "papi") == 0)
        return find_papi(lists, file, error);
    if (strcmp(formulas->format, "likwid") == 0)
        return find_likwid(lists, file, error);
    bool perf = strcmp(formulas->format, "perf") == 0 || strcmp(formulas->format, "perf-python") == 0;
    return perf || strcmp(formulas->format, "perfmon") == 0 ? find_json(lists, file, perf, error) : CM_OK;
}

cm_status cm_event_lists_create(const cm_formulas *formulas, const cm_lint_options *options, cm_event_lists **lists,
                                cm_error *error)
{
    cm_event_lists *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? find_lists(made, formulas, options, error) : cm_error_no_memory(error);
    CM_HAND_OVER(status, lists, made, cm_event_lists_free);
    return status;
}

void cm_event_lists_free(cm_event_lists *lists)
{
    if (lists == NULL)
        return;
    for (size_t i = 0; i < lists->count; i++)
        cm_known_events_free(lists->lists[i].known);
    cm_libpfm_sources_free(lists->sources);
    cm_arena_clear(&lists->arena);
    CM_FREE(lists->counters, lists->events, lists->lists, lists);
}

bool cm_event_lists_is_core(const cm_event_lists *lists, const char *cpu)
{
    return lists->sources == NULL || cm_libpfm_sources_is_core(lists->sources, cpu);
}

cm_status cm_event_lists_offer(const cm_event_lists *lists, cm_near *near, cm_error *error)
{
    if (lists->sources == NULL)
        return cm_processor_offer(near, error);
    cm_libpfm_sources_offer(lists->sources, near);
    return CM_OK;
}

bool cm_event_lists_of_tree(const cm_event_lists *lists)
{
    return lists->sources != NULL;
}

CM_GETTER(const char *cm_event_lists_counters(const cm_event_lists *lists), lists->counters)
CM_GETTER(const char *cm_event_lists_events(const cm_event_lists *lists), lists->events)
CM_GETTER(bool cm_event_lists_by_cpu(const cm_event_lists *lists), lists->by_cpu)

const cm_known_events *cm_event_lists_at(const cm_event_lists *lists, size_t index)
{
    return !lists->by_cpu && index < lists->count ? lists->lists[index].known : NULL;
}

cm_status cm_event_lists_get(cm_event_lists *lists, const char *cpu, const cm_known_events **list, cm_error *error)
{
    cm_known_events *known = NULL;
    *list = NULL;
    for (size_t i = 0; i < lists->count; i++)
        if (strcmp(lists->lists[i].cpu, cpu) == 0) {
            *list = lists->lists[i].known;
            return CM_OK;
        }
    cm_status status = lists->sources != NULL ? cm_known_events_of_sources(lists->sources, cpu, &known, error)
                                              : cm_known_events_of_pmus(&cpu, 1, &known, error);
    CM_THEN(status, add_list(lists, cpu, known, error));
    if (status == CM_OK)
        *list = known;
    return status == CM_NO_MEMORY ? status : CM_OK; /* sources that cannot be read are none */
}
