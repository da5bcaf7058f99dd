/* Finds the files that come with catmint. */
#include <dlfcn.h>

#include <catmint/data_path.h>

#include "core/files.h"

/* *path becomes "<directory>/<between><name>" if that can be read. */
static cm_status try_path(const char *directory, const char *between, const char *name, char **path, cm_error *error)
{
    char *candidate = NULL;
    if (asprintf(&candidate, "%s/%s%s", directory, between, name) < 0)
        return cm_error_no_memory(error);
    if (access(candidate, R_OK) == 0)
        *path = candidate;
    else
        free(candidate);
    return CM_OK;
}

/* The directory of the library, or of the program into which it was linked, with links resolved. NULL if unknown, or
 * with errno ENOMEM without memory. */
static char *library_directory(void)
{
    static const char anchor; /* its address is within the library */
    Dl_info info;
    errno = 0;
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    /* dladdr names a program that was found through PATH without its directory. */
    char *file = realpath(strchr(info.dli_fname, '/') != NULL ? info.dli_fname : "/proc/self/exe", NULL);
    char *slash = file != NULL ? strrchr(file, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    return file;
}

/* Looks for the file in the directories beside the library, in this order; *found is NULL if none has it. */
static cm_status find_beside(const char *const *directories, size_t count, const char *name, char *directory,
                             char **found, cm_error *error)
{
    cm_status status = directory == NULL && errno == ENOMEM ? cm_error_no_memory(error) : CM_OK;
    *found = NULL;
    for (size_t i = 0; directory != NULL && i < count; i++)
        if (status == CM_OK && *found == NULL)
            status = try_path(directory, directories[i], name, found, error);
    return status;
}

cm_status cm_plugin_path(const char *name, char **path, cm_error *error)
{
    static const char *const directories[] = {"catmint/", "../lib/catmint/"};
    char *directory = library_directory();
    cm_status status = find_beside(directories, CM_COUNT_OF(directories), name, directory, path, error);
    free(directory);
    return status;
}

cm_status cm_data_path(const char *name, char **path, cm_error *error)
{
    static const char *const directories[] = {"../share/catmint/", "../../share/catmint/"};
    const char *chosen = getenv("CATMINT_DATA_DIR");
    char *found = NULL;
    if (chosen != NULL) {
        cm_status status = try_path(chosen, "", name, &found, error);
        if (status == CM_OK && found == NULL)
            return CM_FAIL(error, CM_IO, "'%s' is not in %s, the directory that CATMINT_DATA_DIR names", name, chosen);
        if (status == CM_OK)
            *path = found;
        return status;
    }
    char *directory = library_directory();
    cm_status status = find_beside(directories, CM_COUNT_OF(directories), name, directory, &found, error);
    if (status == CM_OK && found == NULL)
        status = CM_FAIL(
            error, CM_IO,
            "'%s' is not in share/catmint beside the library in %s; set CATMINT_DATA_DIR to use another directory",
            name, directory != NULL ? directory : "(unknown)");
    free(directory);
    if (status == CM_OK)
        *path = found;
    return status;
}
