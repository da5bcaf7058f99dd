/* Where a model is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <catmint/data_path.h>

#include "core/error.h"
#include "software_pmu/model/model.h"

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
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
    if (model[0] == '\0' || !is_directory(model))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "unknown software PMU model \"%s\": expected the name of a model that comes with catmint, "
                            "or a folder with events.csv and machine.csv",
                            model);
    *directory = strdup(model);
    return *directory != NULL ? CM_OK : cm_error_no_memory(error);
}
