#include "core/files.h"

char *cm_path_join(const char *directory, const char *name, const char *suffix)
{
    size_t size = strlen(directory) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s%s", directory, directory[0] != '\0' ? "/" : "", name, suffix);
    return path;
}

bool cm_path_is_directory(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}
