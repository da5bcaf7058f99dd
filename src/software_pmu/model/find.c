/* Finds the directory of a model. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <catmint/data_path.h>

#include "core/error.h"
#include "core/text.h"
#include "software_pmu/model/model.h"

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Offers the models that come with catmint. */
static void offer_models(cm_near *near)
{
    char *path = NULL;
    DIR *folder = cm_data_path("data/pmu", &path, NULL) == CM_OK ? opendir(path) : NULL;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            cm_near_offer(near, entry->d_name);
    if (folder != NULL)
        closedir(folder);
    free(path);
}

cm_status cm_pmu_model_find(const char *model, char **directory, cm_error *error)
{
    char name[256];
    int length = snprintf(name, sizeof name, "data/pmu/%s", model);
    if (model[0] != '\0' && strchr(model, '/') == NULL && model[0] != '.' && length > 0 &&
        (size_t)length < sizeof name) {
        char *path = NULL;
        cm_status status = cm_data_path(name, &path, NULL);
        if (status == CM_OK)
            *directory = path;
        if (status == CM_OK || status == CM_NO_MEMORY)
            return status == CM_OK ? CM_OK : cm_error_no_memory(error);
    }
    if (model[0] == '\0' || !is_directory(model)) {
        cm_near near = {.wanted = model};
        char offered[CM_NEAR_TEXT];
        offer_models(&near);
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "unknown software PMU model \"%s\": expected the name of a model that comes with catmint, "
                            "or a directory with events.csv and machine.csv%s",
                            model, cm_near_text(&near, offered));
    }
    *directory = strdup(model);
    return *directory != NULL ? CM_OK : cm_error_no_memory(error);
}
