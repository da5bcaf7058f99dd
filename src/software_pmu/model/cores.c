/* Types of cores of a model. */
#include "software_pmu/model/model.h"

enum { CORE, MODEL, PMU, CORE_COLUMNS };

typedef struct core_list {
    const char *directory; /* directory of models */
    size_t count;
    cm_core_type types[CM_CORE_TYPES];
    char *directories[CM_CORE_TYPES];
} core_list;

static void clear_list(core_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->directories[i]);
    list->count = 0;
}

bool cm_core_is_word(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length != 0 && length < CM_CORE_TEXT && text[length] == '\0';
}

/* Refuses a row with a wrong name, or one that repeats another's. */
static cm_status check_row(const cm_csv *csv, const cm_csv_row *row, const core_list *list, cm_error *error)
{
    const char *path = cm_csv_path(csv);
    if (list->count == CM_CORE_TYPES)
        return cm_error_set(error, CM_BAD_INPUT, path, row->line, 0, "more than %d types of cores", CM_CORE_TYPES);
    for (int field = CORE; field < CORE_COLUMNS; field++)
        if (field != MODEL && !cm_core_is_word(row->fields[field]))
            return cm_error_set(error, CM_BAD_INPUT, path, row->line, 0,
                                "'%.80s' is no name, expected letters, digits and '_'", row->fields[field]);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->types[i].name, row->fields[CORE]) == 0 || strcmp(list->types[i].pmu, row->fields[PMU]) == 0)
            return cm_error_set(error, CM_BAD_INPUT, path, row->line, 0,
                                "repeats the core or the pmu of another row, expected others");
    return CM_OK;
}

/* Adds the row's type of cores and its model. */
static cm_status take_core_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    core_list *list = data;
    cm_status status = check_row(csv, row, list, error);
    if (status != CM_OK)
        return status;
    cm_core_type *type = &list->types[list->count];
    *type = (cm_core_type){0};
    strcpy(type->name, row->fields[CORE]);
    strcpy(type->pmu, row->fields[PMU]);
    list->directories[list->count] = cm_path_join(list->directory, row->fields[MODEL], "");
    if (list->directories[list->count] == NULL)
        return cm_error_no_memory(error);
    list->count++;
    return CM_OK;
}

static cm_status read_rows(const char *path, core_list *list, cm_error *error)
{
    static const char *const columns[CORE_COLUMNS] = {"core", "model", "pmu"};
    cm_status status = cm_csv_each(path, CORE_COLUMNS, columns, take_core_row, list, error);
    if (status == CM_OK && list->count < 2)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "expected two types of cores or more, a row each");
    return status;
}

/* Leaves the list empty if there is no such file. Clear the list in any case. */
static cm_status read_list(const char *directory, core_list *list, cm_error *error)
{
    struct stat found;
    *list = (core_list){.directory = directory};
    char *path = cm_path_join(directory, "cores", ".csv");
    if (path == NULL)
        return cm_error_no_memory(error);
    bool missing = stat(path, &found) != 0 && (errno == ENOENT || errno == ENOTDIR);
    cm_status status = missing ? CM_OK : read_rows(path, list, error);
    free(path);
    return status;
}

cm_status cm_model_cores_read(const char *directory, cm_core_type types[CM_CORE_TYPES], size_t *count, cm_error *error)
{
    core_list list;
    cm_status status = read_list(directory, &list, error);
    *count = status == CM_OK ? list.count : 0;
    memcpy(types, list.types, *count * sizeof *types);
    clear_list(&list);
    return status;
}

/* CM_BAD_ARGUMENT that names the model, and the types of cores that it has. */
static cm_status no_such_type(const char *directory, const core_list *list, const char *core, cm_error *error)
{
    char *name = NULL, types[CM_CORE_TYPES * (CM_CORE_TEXT + 2)] = "";
    cm_status status = cm_pmu_model_take_name(&name, directory, error);
    for (size_t i = 0; i < list->count; i++)
        cm_text_append(types, sizeof types, ", ", "%s", list->types[i].name);
    if (status == CM_OK && list->count == 0)
        status = CM_FAIL(error, CM_BAD_ARGUMENT, "the model %s has cores that are all alike, none of the type '%s'",
                         name, core);
    else if (status == CM_OK)
        status = CM_FAIL(error, CM_BAD_ARGUMENT,
                         "the model %s has cores of several types (%s): expected one of them, as in --core %s%s%s%s",
                         name, types, list->types[0].name, core != NULL ? ", found '" : "", core != NULL ? core : "",
                         core != NULL ? "'" : "");
    free(name);
    return status;
}

cm_status cm_model_core_directory(const char *directory, const char *core, char **place, cm_core_type *type,
                                  cm_error *error)
{
    core_list list;
    size_t at = 0;
    cm_status status = read_list(directory, &list, error);
    while (status == CM_OK && at < list.count && (core == NULL || strcmp(list.types[at].name, core) != 0))
        at++;
    if (status == CM_OK && at == list.count && (list.count > 0 || core != NULL))
        status = no_such_type(directory, &list, core, error);
    if (type != NULL)
        *type = status == CM_OK && list.count > 0 ? list.types[at] : (cm_core_type){0};
    if (status == CM_OK && (*place = strdup(list.count > 0 ? list.directories[at] : directory)) == NULL)
        status = cm_error_no_memory(error);
    clear_list(&list);
    return status;
}

cm_status cm_model_core_load(const char *directory, const char *core, cm_pmu_model **model, cm_error *error)
{
    cm_core_type type;
    cm_pmu_model *loaded = NULL;
    char *place = NULL;
    cm_status status = cm_model_core_directory(directory, core, &place, &type, error);
    CM_THEN(status, cm_pmu_model_load(place, &loaded, error));
    if (status == CM_OK && type.name[0] != '\0')
        status = cm_pmu_model_become_core(loaded, directory, &type, error);
    free(place);
    CM_HAND_OVER(status, model, loaded, cm_pmu_model_free);
    return status;
}
