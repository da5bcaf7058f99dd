/* The files of a processor in checkouts of perf, perfmon, LIKWID and PAPI: data/upstream.csv. */
#include "audit/audit.h"

#include <fnmatch.h>

enum { CPU, MODEL, IDENTITY, PERF, PERFMON, LIKWID, PAPI, COLUMNS, ROOTS = 4 };

/* The directories in which a project's tree may begin. */
static const struct {
    const char *name;
    int column;
    const char *roots[ROOTS];
    const char *file; /* the one file of all processors; NULL: a directory each */
} projects[] = {
    {"perf", PERF, {"tools/perf/pmu-events/arch", "pmu-events/arch", "arch", "."}, NULL},
    {"perfmon", PERFMON, {"."}, NULL},
    {"LIKWID", LIKWID, {"groups", "."}, NULL},
    {"PAPI", PAPI, {"src", "."}, "papi_events.csv"},
};
enum { PROJECTS = CM_COUNT_OF(projects) };

/* A row of the table, in the arena. */
typedef struct upstream_cpu {
    const char *fields[COLUMNS];
} upstream_cpu;

/* Whether the row is of the processor that is asked for, else of that of the definitions. */
static bool is_wanted(const char *const *fields, const char *cpu, const cm_definitions *definitions)
{
    static const char software[] = "software:";
    if (cpu != NULL)
        return strcmp(fields[CPU], cpu) == 0;
    const char *pmu = cm_definitions_pmu(definitions);
    if (pmu != NULL && strncmp(pmu, software, strlen(software)) == 0)
        return strcmp(fields[MODEL], pmu + strlen(software)) == 0;
    return fields[IDENTITY][0] != '\0' && cm_pattern_fits_whole(fields[IDENTITY], cm_definitions_identity(definitions));
}

static cm_status keep_row(const cm_csv_row *row, cm_arena *arena, upstream_cpu *found, cm_error *error)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        found->fields[i] = cm_arena_text(arena, row->fields[i]);
        if (found->fields[i] == NULL)
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

/* CM_BAD_INPUT for a processor without files; says which ones are known. */
static cm_status refuse_cpu(const char *cpu, const char *known, const cm_definitions *definitions, cm_error *error)
{
    if (cpu != NULL)
        return CM_FAIL(error, CM_BAD_INPUT,
                       "'%.100s' is no processor of data/upstream.csv, expected libpfm4's name, one of %s", cpu, known);
    const char *pmu = cm_definitions_pmu(definitions);
    return CM_FAIL(error, CM_BAD_INPUT,
                   "which files are of the processor of these results is not known (%.100s %.100s): say it with --cpu, "
                   "as in '--cpu skx'",
                   pmu != NULL ? pmu : "unknown PMU", cm_definitions_identity(definitions));
}

static const char table_name[] = "data/upstream.csv";
static const char *const columns[COLUMNS] = {"cpu", "model", "identity", "perf", "perfmon", "likwid", "papi"};

typedef struct search {
    const char *cpu;
    const cm_definitions *definitions;
    cm_arena *arena;
    upstream_cpu *row;
    bool found;
    char known[1600]; /* the processors of the rows before that one */
} search;

/* Keeps the first row that is wanted. */
static cm_status look_at(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    search *in = data;
    if (in->found)
        return CM_OK;
    in->found = is_wanted(row->fields, in->cpu, in->definitions);
    if (in->found)
        return keep_row(row, in->arena, in->row, error);
    cm_text_append(in->known, sizeof in->known, ", ", "%s", row->fields[CPU]);
    return CM_OK;
}

static cm_status find_cpu(const char *cpu, const cm_definitions *definitions, cm_arena *arena, upstream_cpu *row,
                          cm_error *error)
{
    search in = {cpu, definitions, arena, row, false, ""};
    cm_status status = cm_csv_each_data(table_name, COLUMNS, columns, look_at, &in, error);
    return status != CM_OK || in.found ? status : refuse_cpu(cpu, in.known, definitions, error);
}

cm_status cm_upstream_find_names(const char *cpu, const cm_definitions *definitions, cm_arena *arena,
                                 const char **found, const char **model, cm_error *error)
{
    upstream_cpu row = {{NULL}};
    search in = {cpu, definitions, arena, &row, false, ""};
    cm_status status = cm_csv_each_data(table_name, COLUMNS, columns, look_at, &in, error);
    if (status == CM_OK && in.found && found != NULL)
        *found = row.fields[CPU];
    if (status == CM_OK && in.found && model != NULL)
        *model = row.fields[MODEL];
    return status;
}

/* The path of a project's files; NULL if they are not there. */
static cm_status find_path(const char *directory, size_t project, size_t root, const char *cpu, char **path,
                           cm_error *error)
{
    const char *from = projects[project].roots[root];
    *path = NULL;
    if (from == NULL || cpu[0] == '\0')
        return CM_OK;
    bool here = strcmp(from, ".") == 0;
    char *place = cm_path_join(directory, here ? "" : from, "");
    char *joined = place != NULL ? cm_path_join(here ? directory : place,
                                                projects[project].file ? projects[project].file : cpu, "")
                                 : NULL;
    free(place);
    if (joined == NULL)
        return cm_error_no_memory(error);
    if (access(joined, F_OK) == 0)
        *path = joined;
    else
        free(joined);
    return CM_OK;
}

bool cm_section_fits(const char *section, const char *pattern)
{
    if (pattern == NULL)
        return true;
    char *copy = strdup(section);
    bool found = false;
    for (char *rest = copy, *name; !found && (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        found = fnmatch(pattern, name, 0) == 0;
    }
    free(copy);
    return found;
}

/* Finds the first project that is there with files of the processor; *path is NULL if none is. */
static cm_status find_project(const char *directory, const char *const *fields, size_t *project, char **path,
                              cm_error *error)
{
    cm_status status = CM_OK;
    *path = NULL;
    for (size_t i = 0; i < PROJECTS * ROOTS && status == CM_OK && *path == NULL; i++) {
        *project = i / ROOTS;
        status = find_path(directory, *project, i % ROOTS, fields[projects[*project].column], path, error);
    }
    return status;
}

/* Whether there are formulas at the path. */
static cm_status has_formulas(const char *path, bool *there, cm_error *error)
{
    cm_formula_files files;
    cm_error none;
    cm_status status = cm_formula_files_find((const char *const[]){path}, 1, &files, &none);
    *there = status == CM_OK && files.count > 0;
    cm_formula_files_clear(&files);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* Whether the checkout has formulas of the processor, and their section in a file that has those of all. */
static cm_status is_there(const char *directory, const char *const *fields, bool *there, const char **section,
                          cm_error *error)
{
    char *path = NULL;
    size_t project = 0;
    cm_status status = find_project(directory, fields, &project, &path, error);
    *section = path != NULL && projects[project].file != NULL ? fields[projects[project].column] : NULL;
    *there = false;
    if (status == CM_OK && path != NULL)
        status = has_formulas(path, there, error);
    free(path);
    return status;
}

struct cm_upstream_list {
    cm_arena arena;
    size_t count;
    const char **cpus, **models;
    size_t name_count;
    const char **names; /* of PAPI's, of all processors that have a model */
    size_t unmodelled_count;
    cm_unmodelled_section *unmodelled;
};

typedef struct listing {
    const char *directory, *pattern;
    cm_upstream_list *list;
    cm_formulas *papi; /* PAPI's table; NULL: the checkout has none */
} listing;

/* Whether PAPI's table has formulas of the processor. */
static bool is_in_papi(const cm_formulas *papi, const char *name)
{
    for (size_t i = 0; papi != NULL && i < cm_formulas_count(papi); i++)
        if (cm_section_fits(cm_formulas_info(papi, i)->section, name))
            return true;
    return false;
}

/* Keeps PAPI's name of a processor that has a model. */
static cm_status add_name(cm_upstream_list *list, const char *name, cm_error *error)
{
    if (!CM_GROW_BY_ONE(list->names, list->name_count))
        return cm_error_no_memory(error);
    list->names[list->name_count] = cm_arena_text(&list->arena, name);
    return list->names[list->name_count++] != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Adds a processor whose formulas the checkout has; one with a model is listed as known in any case. */
static cm_status add_processor(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    const listing *in = data;
    cm_upstream_list *list = in->list;
    if (row->fields[MODEL][0] != '\0' && add_name(list, row->fields[PAPI], error) != CM_OK)
        return CM_NO_MEMORY;
    const char *section = NULL;
    bool there = in->directory == NULL;
    cm_status status = there ? CM_OK : is_there(in->directory, row->fields, &there, &section, error);
    bool wanted = section == NULL || (cm_section_fits(section, in->pattern) && is_in_papi(in->papi, section));
    if (status != CM_OK || !there || !wanted)
        return status;
    if (!CM_GROW_BY_ONE(list->cpus, list->count) || !CM_GROW_BY_ONE(list->models, list->count))
        return cm_error_no_memory(error);
    list->cpus[list->count] = cm_arena_text(&list->arena, row->fields[CPU]);
    list->models[list->count] = cm_arena_text(&list->arena, row->fields[MODEL]);
    bool whole = list->cpus[list->count] != NULL && list->models[list->count] != NULL;
    list->count++;
    return whole ? CM_OK : cm_error_no_memory(error);
}

static bool has_model(const cm_upstream_list *list, const char *section)
{
    for (size_t i = 0; i < list->name_count; i++)
        if (list->names[i][0] != '\0' && cm_section_fits(section, list->names[i]))
            return true;
    return false;
}

/* Counts a formula of a section without a model. */
static cm_status add_unmodelled(cm_upstream_list *list, const char *section, cm_error *error)
{
    for (size_t i = 0; i < list->unmodelled_count; i++)
        if (strcmp(list->unmodelled[i].section, section) == 0) {
            list->unmodelled[i].formulas++;
            return CM_OK;
        }
    if (!CM_GROW_BY_ONE(list->unmodelled, list->unmodelled_count))
        return cm_error_no_memory(error);
    list->unmodelled[list->unmodelled_count] = (cm_unmodelled_section){cm_arena_text(&list->arena, section), 1};
    return list->unmodelled[list->unmodelled_count++].section != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Loads PAPI's table, if the checkout has it. */
static cm_status load_papi(const char *directory, cm_formulas **formulas, cm_error *error)
{
    const size_t papi = PROJECTS - 1;
    char *path = NULL;
    cm_status status = CM_OK;
    for (size_t root = 0; root < ROOTS && status == CM_OK && path == NULL && directory != NULL; root++)
        status = find_path(directory, papi, root, projects[papi].name, &path, error);
    if (status == CM_OK && path != NULL)
        status = cm_formulas_load(path, NULL, formulas, error);
    free(path);
    return status;
}

/* Finds the sections for whose processors there is no model. */
static cm_status find_unmodelled(const listing *in, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; in->papi != NULL && i < cm_formulas_count(in->papi) && status == CM_OK; i++) {
        const char *section = cm_formulas_info(in->papi, i)->section;
        if (cm_section_fits(section, in->pattern) && !has_model(in->list, section))
            status = add_unmodelled(in->list, section, error);
    }
    return status;
}

cm_status cm_upstream_list_create(const char *directory, const char *section, cm_upstream_list **list, cm_error *error)
{
    listing in = {directory, section, calloc(1, sizeof *in.list), NULL};
    cm_upstream_list *created = in.list;
    cm_status status = created != NULL ? load_papi(directory, &in.papi, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_csv_each_data(table_name, COLUMNS, columns, add_processor, &in, error));
    CM_THEN(status, find_unmodelled(&in, error));
    cm_formulas_free(in.papi);
    CM_HAND_OVER(status, list, created, cm_upstream_list_free);
    return status;
}

void cm_upstream_list_free(cm_upstream_list *list)
{
    if (list == NULL)
        return;
    CM_FREE(list->cpus, list->models, list->names, list->unmodelled);
    cm_arena_clear(&list->arena);
    free(list);
}

size_t cm_upstream_list_unmodelled(const cm_upstream_list *list, const cm_unmodelled_section **sections)
{
    *sections = list->unmodelled;
    return list->unmodelled_count;
}

CM_GETTER(size_t cm_upstream_list_count(const cm_upstream_list *list), list->count)

const char *cm_upstream_list_cpu(const cm_upstream_list *list, size_t index)
{
    return index < list->count ? list->cpus[index] : NULL;
}

const char *cm_upstream_list_model(const cm_upstream_list *list, size_t index)
{
    return index < list->count && list->models[index][0] != '\0' ? list->models[index] : NULL;
}

cm_status cm_upstream_find(const char *directory, const char *cpu, const cm_definitions *definitions, cm_arena *arena,
                           cm_upstream *upstream, cm_error *error)
{
    upstream_cpu row = {{NULL}};
    char *path = NULL;
    size_t project = 0;
    *upstream = (cm_upstream){.directory = cm_arena_text(arena, directory)};
    cm_status status = upstream->directory != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, find_cpu(cpu, definitions, arena, &row, error));
    CM_THEN(status, find_project(directory, row.fields, &project, &path, error));
    if (path != NULL) {
        upstream->project = projects[project].name;
        upstream->section = projects[project].file != NULL ? row.fields[PAPI] : NULL;
    }
    upstream->cpu = row.fields[CPU];
    if (status == CM_OK && path == NULL)
        status =
            cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                         "nothing for '%.100s' here, expected a checkout of perf's pmu-events, perfmon, LIKWID or PAPI",
                         upstream->cpu);
    CM_THEN(status, cm_formula_files_find((const char *const[]){path}, 1, &upstream->files, error));
    free(path);
    return status;
}
