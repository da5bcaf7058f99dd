#include "core/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "core/json.h"

static cm_status cannot_complete(const cm_folder *folder, const char *problem, cm_error *error)
{
    return cm_error_io(error, folder->path, problem);
}

/* ---- opening ---- */

static cm_status enter_folder(cm_folder *folder, cm_error *error)
{
    folder->made = mkdir(folder->path, 0777) == 0;
    if (!folder->made && errno != EEXIST)
        return cannot_complete(folder, "the directory cannot be made", error);
    folder->descriptor = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->descriptor < 0 && errno == ENOTDIR)
        return cm_error_set(error, CM_IO, folder->path, 0, 0, "it is a file, expected a directory");
    return folder->descriptor >= 0 ? CM_OK : cannot_complete(folder, "the directory cannot be read", error);
}

cm_status cm_folder_open(const char *path, const cm_folder_kind *kind, const char *const *names, size_t count,
                         cm_folder **folder, cm_error *error)
{
    cm_folder *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    *opened =
        (struct cm_folder){.kind = kind, .path = strdup(path), .descriptor = -1, .aside_descriptor = -1, .marker = -1};
    cm_status status = opened->path != NULL ? enter_folder(opened, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_folder_recover(opened, error));
    CM_THEN(status, cm_folder_check(opened, names, count, error));
    CM_THEN(status, cm_folder_make_aside(opened, error));
    if (status != CM_OK) {
        cm_folder_free(opened);
        return status;
    }
    *folder = opened;
    return CM_OK;
}

static void clear_file(struct cm_folder_file *file)
{
    free(file->aside);
    free(file->final);
    free(file->name);
}

cm_status cm_folder_file(cm_folder *folder, const char *name, const char **path, cm_error *error)
{
    if (!CM_GROW(folder->files, folder->count + 1, &folder->capacity))
        return cm_error_no_memory(error);
    struct cm_folder_file file = {cm_path_join(folder->aside, name, ""), cm_path_join(folder->path, name, ""),
                                  strdup(name)};
    if (file.aside == NULL || file.final == NULL || file.name == NULL) {
        clear_file(&file);
        return cm_error_no_memory(error);
    }
    folder->files[folder->count++] = file;
    *path = file.aside;
    return CM_OK;
}

/* ---- committing ---- */

void cm_folder_keep_rest(cm_folder *folder)
{
    folder->keeps = true;
}

/* Lists the files that stay. A file that was changed has been refused before. */
static cm_status list_kept(const cm_folder *folder, json_t *record, cm_error *error)
{
    json_t *earlier = NULL;
    cm_status status = cm_folder_read_record(folder, &earlier, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(earlier); i++) {
        cm_file_mark mark;
        const char *name = cm_record_name(earlier, i);
        if (!cm_record_find(record, name, &mark) && cm_file_mark_read(folder->descriptor, name, O_NOFOLLOW, &mark))
            status = cm_record_add(record, name, &mark, error);
    }
    json_decref(earlier);
    return status;
}

/* Lists all files in the record, with their checksums, and seals it. */
static cm_status list_files(const cm_folder *folder, json_t *record, cm_error *error)
{
    cm_status status = CM_OK;
    json_object_del(record, "files");
    json_object_del(record, "checksum");
    if (json_object_set_new(record, "files", json_array()) != 0)
        return cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < folder->count; i++) {
        cm_file_mark mark;
        const char *name = folder->files[i].name;
        status = cm_file_mark_read(folder->aside_descriptor, name, O_NOFOLLOW, &mark)
                     ? cm_record_add(record, name, &mark, error)
                     : cm_folder_fault(folder, name, "cannot be read", error);
    }
    if (status == CM_OK && folder->keeps)
        status = list_kept(folder, record, error);
    return status == CM_OK ? cm_record_seal(record, error) : status;
}

static cm_status write_record(cm_folder *folder, const json_t *record, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_folder_file(folder, folder->kind->record, &path, error);
    return status == CM_OK ? cm_json_save(record, path, error) : status;
}

/* Checks before the commit, again, that all files may be replaced. */
static cm_status check_again(const cm_folder *folder, cm_error *error)
{
    const char **names = malloc((folder->count + 1) * sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < folder->count; i++)
        names[i] = folder->files[i].name;
    cm_status status = cm_folder_check(folder, names, folder->count, error);
    free(names);
    return status;
}

/* The rename that decides. Some file systems answer EINVAL when a directory is flushed. */
static cm_status decide_commit(cm_folder *folder, cm_error *error)
{
    char name[CM_FOLDER_NAME_SIZE];
    struct stat status;
    cm_folder_commit_name(folder, name);
    /* As readable as its parent, because an interrupted commit leaves it there. */
    if (fstat(folder->descriptor, &status) == 0)
        fchmod(folder->aside_descriptor, (status.st_mode & 0777) | 0700);
    if (fsync(folder->aside_descriptor) != 0 && errno != EINVAL)
        return cannot_complete(folder, "writing failed", error);
    if (renameat(folder->descriptor, strrchr(folder->aside, '/') + 1, folder->descriptor, name) != 0)
        return cm_folder_fault(folder, name, "is in the way", error);
    free(folder->aside);
    folder->aside = NULL;
    folder->made = false;
    return CM_OK;
}

cm_status cm_folder_commit(cm_folder *folder, json_t *record, cm_error *error)
{
    cm_status status = list_files(folder, record, error);
    CM_THEN(status, write_record(folder, record, error));
    CM_THEN(status, check_again(folder, error));
    CM_THEN(status, decide_commit(folder, error));
    CM_THEN(status, cm_folder_roll(folder, folder->aside_descriptor, record, error));
    return status;
}

/* ---- the end ---- */

void cm_folder_name_file(const cm_folder *folder, cm_error *error)
{
    if (folder == NULL || error == NULL)
        return;
    for (size_t i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i].aside, error->file) == 0)
            snprintf(error->file, sizeof error->file, "%s", folder->files[i].final);
}

void cm_folder_free(cm_folder *folder)
{
    if (folder == NULL)
        return;
    for (size_t i = 0; i < folder->count; i++) {
        if (folder->aside != NULL)
            unlinkat(folder->aside_descriptor, folder->files[i].name, 0);
        clear_file(&folder->files[i]);
    }
    if (folder->aside != NULL) {
        unlinkat(folder->aside_descriptor, CM_FOLDER_MARKER, 0);
        rmdir(folder->aside);
    }
    if (folder->made)
        rmdir(folder->path);
    for (size_t i = 0; i < 3; i++) {
        int descriptor = (const int[]){folder->marker, folder->aside_descriptor, folder->descriptor}[i];
        if (descriptor >= 0)
            close(descriptor);
    }
    free(folder->files);
    free(folder->aside);
    free(folder->path);
    free(folder);
}

cm_status cm_folder_end(cm_folder *folder, cm_status status, json_t *record, cm_error *error)
{
    CM_THEN(status, record != NULL ? cm_folder_commit(folder, record, error) : cm_error_no_memory(error));
    json_decref(record);
    if (status != CM_OK)
        cm_folder_name_file(folder, error);
    cm_folder_free(folder);
    return status;
}
