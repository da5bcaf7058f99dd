/* Finds the directory of a model. */
#include <dirent.h>

#include <catmint/data_path.h>

#include "software_pmu/model/model.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends a copy of the name. */
static cm_status append_name(const char *name, char ***names, size_t *count, cm_error *error)
{
    if (!CM_GROW_BY_ONE(*names, *count) || ((*names)[*count] = strdup(name)) == NULL)
        return cm_error_no_memory(error);
    (*count)++;
    return CM_OK;
}

cm_status cm_pmu_model_names(char ***names, size_t *count, cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path("data/pmu", &path, error);
    DIR *directory = status == CM_OK ? opendir(path) : NULL;
    for (struct dirent *entry; status == CM_OK && directory != NULL && (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.')
            status = append_name(entry->d_name, names, count, error);
    if (directory != NULL)
        closedir(directory);
    free(path);
    if (*count > 0)
        qsort(*names, *count, sizeof **names, by_name);
    return status;
}

void cm_pmu_model_names_free(char **names, size_t count)
{
    cm_free_list(names, count);
}

/* The directory in data/pmu; CM_BAD_ARGUMENT if there is none. */
static cm_status find_data(const char *within, const char *model, char **directory)
{
    char name[512];
    snprintf(name, sizeof name, "data/pmu/%s%s", within, model);
    const cm_status status = cm_data_path(name, directory, NULL);
    return status == CM_OK || status == CM_NO_MEMORY ? status : CM_BAD_ARGUMENT;
}

/* The directory of a model that comes with catmint; another form of it, MODEL-FORM, lies in that of MODEL.
 * CM_BAD_ARGUMENT if there is none. */
static cm_status find_own(const char *model, char **directory)
{
    const char *form = strrchr(model, '-');
    char within[256];
    if (model[0] == '\0' || strlen(model) > 200 || strchr(model, '/') != NULL || model[0] == '.')
        return CM_BAD_ARGUMENT;
    const cm_status status = find_data("", model, directory);
    if (status != CM_BAD_ARGUMENT || form == NULL)
        return status;
    snprintf(within, sizeof within, "%.*s/", (int)(form - model), model);
    return find_data(within, model, directory);
}

/* Offers a model, and its other forms. */
static void offer_model(const char *name, cm_near *near)
{
    static const char *const forms[] = {"", "-loud", "-facts", "-plain"};
    enum { PLAIN = 3 };
    for (size_t i = 0; i < CM_COUNT_OF(forms); i++) {
        char form[CM_NEAR_NAME], *directory = NULL;
        snprintf(form, sizeof form, "%s%s", name, forms[i]);
        if (i != PLAIN || find_own(form, &directory) == CM_OK)
            cm_near_offer(near, form);
        free(directory);
    }
}

/* The error for a name that no model has, with the one that was probably meant, or all. */
static cm_status refuse_model(const char *model, cm_error *error)
{
    cm_near near = {.wanted = model};
    char offered[CM_NEAR_TEXT], all[CM_ERROR_TEXT_SIZE] = "", **names = NULL;
    size_t count = 0;
    cm_pmu_model_names(&names, &count, NULL);
    for (size_t i = 0; i < count; i++) {
        offer_model(names[i], &near);
        cm_text_append(all, sizeof all, ", ", "%s", names[i]);
    }
    cm_pmu_model_names_free(names, count);
    if (near.name[0] == '\0')
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "unknown software PMU model \"%.100s\", expected a directory with events.csv and machine.csv, "
                       "or one of: %s",
                       model, all);
    return CM_FAIL(error, CM_BAD_ARGUMENT,
                   "unknown software PMU model \"%.200s\"%s 'catmint models' lists those that come with catmint; a "
                   "directory needs events.csv and machine.csv",
                   model, cm_near_text(&near, offered));
}

cm_status cm_pmu_model_find(const char *model, char **directory, cm_error *error)
{
    const cm_status status = find_own(model, directory);
    if (status != CM_BAD_ARGUMENT)
        return status == CM_OK ? CM_OK : cm_error_no_memory(error);
    if (model[0] == '\0' || !cm_path_is_directory(model))
        return refuse_model(model, error);
    *directory = strdup(model);
    return *directory != NULL ? CM_OK : cm_error_no_memory(error);
}
