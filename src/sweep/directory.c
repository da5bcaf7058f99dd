#include "sweep/directory.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

static const char aside_prefix[] = ".sweep-";

struct file {
    char *aside;
    char *final;
    char *name;
};

struct cm_sweep_directory {
    char *path;
    char *aside; /* the folder within it */
    bool made;   /* by us */
    size_t count, capacity;
    struct file *files;
};

static char *join(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", directory, name);
    return path;
}

static cm_status failed(const char *path, const char *what, cm_error *error)
{
    return cm_error_io(error, path, what);
}

static cm_status make_folders(cm_sweep_directory *directory, cm_error *error)
{
    directory->made = mkdir(directory->path, 0777) == 0;
    if (!directory->made && errno != EEXIST)
        return failed(directory->path, "the directory cannot be made", error);
    struct stat status;
    if (stat(directory->path, &status) != 0)
        return failed(directory->path, "the directory cannot be read", error);
    if (!S_ISDIR(status.st_mode))
        return cm_error_set(error, CM_IO, directory->path, 0, 0, "it is a file, expected a directory");
    char *aside = join(directory->path, ".sweep-XXXXXX");
    if (aside == NULL)
        return cm_error_no_memory(error);
    if (mkdtemp(aside) == NULL) {
        cm_status result = failed(directory->path, "the directory cannot be written to", error);
        free(aside);
        return result;
    }
    directory->aside = aside;
    return CM_OK;
}

cm_status cm_sweep_directory_open(const char *path, cm_sweep_directory **directory, cm_error *error)
{
    cm_sweep_directory *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    opened->path = strdup(path);
    cm_status status = opened->path != NULL ? make_folders(opened, error) : cm_error_no_memory(error);
    if (status != CM_OK) {
        cm_sweep_directory_free(opened);
        return status;
    }
    *directory = opened;
    return CM_OK;
}

cm_status cm_sweep_directory_file(cm_sweep_directory *directory, const char *name, const char **path, cm_error *error)
{
    if (directory->count == directory->capacity) {
        size_t capacity = 2 * directory->capacity + 8;
        struct file *files = realloc(directory->files, capacity * sizeof *files);
        if (files == NULL)
            return cm_error_no_memory(error);
        directory->files = files;
        directory->capacity = capacity;
    }
    struct file file = {join(directory->aside, name), join(directory->path, name), strdup(name)};
    if (file.aside == NULL || file.final == NULL || file.name == NULL) {
        free(file.aside);
        free(file.final);
        free(file.name);
        return cm_error_no_memory(error);
    }
    directory->files[directory->count++] = file;
    *path = file.aside;
    return CM_OK;
}

static bool is_ours(const cm_sweep_directory *directory, const char *name)
{
    for (size_t i = 0; i < directory->count; i++)
        if (strcmp(directory->files[i].name, name) == 0)
            return true;
    return false;
}

/* Of the sweep that was there before, by its manifest; read before ours takes its place. */
static json_t *read_old_manifest(const cm_sweep_directory *directory)
{
    char *path = join(directory->path, "manifest.json");
    json_t *manifest = path != NULL ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    return manifest;
}

static void remove_old_tables(const cm_sweep_directory *directory, const json_t *manifest)
{
    const json_t *benchmarks = json_object_get(manifest, "benchmarks");
    for (size_t i = 0; i < json_array_size(benchmarks); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(benchmarks, i), "file"));
        if (name == NULL || strchr(name, '/') != NULL || is_ours(directory, name))
            continue;
        char *path = join(directory->path, name);
        if (path != NULL)
            unlink(path);
        free(path);
    }
}

cm_status cm_sweep_directory_commit(cm_sweep_directory *directory, cm_error *error)
{
    for (size_t i = 0; i < directory->count; i++) {
        struct stat status;
        if (stat(directory->files[i].final, &status) == 0 && S_ISDIR(status.st_mode))
            return cm_error_set(error, CM_IO, directory->files[i].final, 0, 0, "it is a directory, expected a file");
    }
    json_t *manifest = read_old_manifest(directory);
    cm_status result = CM_OK;
    for (size_t i = 0; result == CM_OK && i < directory->count; i++) {
        if (rename(directory->files[i].aside, directory->files[i].final) != 0)
            result = failed(directory->files[i].final, "cannot be replaced", error);
        else
            directory->made = false; /* it holds something now */
    }
    if (result == CM_OK)
        remove_old_tables(directory, manifest);
    json_decref(manifest);
    return result;
}

void cm_sweep_directory_name_file(const cm_sweep_directory *directory, cm_error *error)
{
    if (directory == NULL || error == NULL)
        return;
    for (size_t i = 0; i < directory->count; i++)
        if (strcmp(directory->files[i].aside, error->file) == 0)
            snprintf(error->file, sizeof error->file, "%s", directory->files[i].final);
}

static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL)
        closedir(folder);
    rmdir(path);
}

void cm_sweep_directory_clean(const cm_sweep_directory *directory)
{
    DIR *folder = opendir(directory->path);
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char *path = strncmp(entry->d_name, aside_prefix, sizeof aside_prefix - 1) == 0
                         ? join(directory->path, entry->d_name)
                         : NULL;
        if (path != NULL && strcmp(path, directory->aside) != 0)
            remove_folder(path);
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
}

void cm_sweep_directory_free(cm_sweep_directory *directory)
{
    if (directory == NULL)
        return;
    for (size_t i = 0; i < directory->count; i++) {
        unlink(directory->files[i].aside);
        free(directory->files[i].aside);
        free(directory->files[i].final);
        free(directory->files[i].name);
    }
    if (directory->aside != NULL)
        rmdir(directory->aside);
    if (directory->made)
        rmdir(directory->path);
    free(directory->files);
    free(directory->aside);
    free(directory->path);
    free(directory);
}
