/* Directories whose files are replaced all together, or not at all. */
#include "core/json.h"

static cm_status cannot_complete(const cm_directory *directory, const char *problem, cm_error *error)
{
    return cm_error_io(error, directory->path, problem);
}

/* ---- opening ---- */

static cm_status enter_directory(cm_directory *directory, cm_error *error)
{
    directory->made = mkdir(directory->path, 0777) == 0;
    if (!directory->made && errno != EEXIST)
        return cannot_complete(directory, "the directory cannot be made", error);
    directory->descriptor = open(directory->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->descriptor < 0 && errno == ENOTDIR)
        return cm_error_set(error, CM_IO, directory->path, 0, 0, "it is a file, expected a directory");
    return directory->descriptor >= 0 ? CM_OK : cannot_complete(directory, "the directory cannot be read", error);
}

cm_status cm_directory_open(const char *path, const cm_directory_kind *kind, const char *const *names, size_t count,
                            cm_directory **directory, cm_error *error)
{
    cm_directory *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    *opened = (struct cm_directory){
        .kind = kind, .path = strdup(path), .descriptor = -1, .aside_descriptor = -1, .marker = -1};
    cm_status status = opened->path != NULL ? enter_directory(opened, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_directory_recover(opened, error));
    CM_THEN(status, cm_directory_check(opened, names, count, error));
    CM_THEN(status, cm_directory_make_aside(opened, error));
    CM_HAND_OVER(status, directory, opened, cm_directory_free);
    return status;
}

static void clear_file(struct cm_directory_file *file)
{
    CM_FREE(file->aside, file->final, file->name);
}

cm_status cm_directory_file(cm_directory *directory, const char *name, const char **path, cm_error *error)
{
    if (!CM_GROW(directory->files, directory->count + 1, &directory->capacity))
        return cm_error_no_memory(error);
    struct cm_directory_file file = {cm_path_join(directory->aside, name, ""), cm_path_join(directory->path, name, ""),
                                     strdup(name)};
    if (file.aside == NULL || file.final == NULL || file.name == NULL) {
        clear_file(&file);
        return cm_error_no_memory(error);
    }
    directory->files[directory->count++] = file;
    *path = file.aside;
    return CM_OK;
}

/* ---- committing ---- */

void cm_directory_keep_rest(cm_directory *directory)
{
    directory->keeps = true;
}

/* Lists the files that stay. A file that was changed has been refused before. */
static cm_status list_kept(const cm_directory *directory, json_t *record, cm_error *error)
{
    json_t *earlier = NULL;
    cm_status status = cm_directory_read_record(directory, &earlier, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(earlier); i++) {
        cm_file_mark mark;
        const char *name = cm_record_name(earlier, i);
        if (!cm_record_find(record, name, &mark) && cm_file_mark_read(directory->descriptor, name, O_NOFOLLOW, &mark))
            status = cm_record_add(record, name, &mark, error);
    }
    json_decref(earlier);
    return status;
}

/* Lists all files in the record, with their checksums, and seals it. */
static cm_status list_files(const cm_directory *directory, json_t *record, cm_error *error)
{
    cm_status status = CM_OK;
    json_object_del(record, "files");
    json_object_del(record, "checksum");
    if (json_object_set_new(record, "files", json_array()) != 0)
        return cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < directory->count; i++) {
        cm_file_mark mark;
        const char *name = directory->files[i].name;
        status = cm_file_mark_read(directory->aside_descriptor, name, O_NOFOLLOW, &mark)
                     ? cm_record_add(record, name, &mark, error)
                     : cm_directory_failure(directory, name, "cannot be read", error);
    }
    if (status == CM_OK && directory->keeps)
        status = list_kept(directory, record, error);
    return status == CM_OK ? cm_record_seal(record, error) : status;
}

static cm_status write_record(cm_directory *directory, const json_t *record, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_directory_file(directory, directory->kind->record, &path, error);
    return status == CM_OK ? cm_json_save(record, path, error) : status;
}

/* Checks before the commit, again, that all files may be replaced. */
static cm_status check_again(const cm_directory *directory, cm_error *error)
{
    const char **names = malloc((directory->count + 1) * sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < directory->count; i++)
        names[i] = directory->files[i].name;
    cm_status status = cm_directory_check(directory, names, directory->count, error);
    free(names);
    return status;
}

/* The rename that decides. Some file systems answer EINVAL when a directory is flushed. */
static cm_status decide_commit(cm_directory *directory, cm_error *error)
{
    char name[CM_DIRECTORY_NAME_SIZE];
    struct stat status;
    cm_directory_commit_name(directory, name);
    /* As readable as its parent, because an interrupted commit leaves it there. */
    if (fstat(directory->descriptor, &status) == 0)
        fchmod(directory->aside_descriptor, (status.st_mode & 0777) | 0700);
    if (fsync(directory->aside_descriptor) != 0 && errno != EINVAL)
        return cannot_complete(directory, "writing failed", error);
    if (renameat(directory->descriptor, strrchr(directory->aside, '/') + 1, directory->descriptor, name) != 0)
        return cm_directory_failure(directory, name, "is in the way", error);
    free(directory->aside);
    directory->aside = NULL;
    directory->made = false;
    return CM_OK;
}

cm_status cm_directory_commit(cm_directory *directory, json_t *record, cm_error *error)
{
    cm_status status = list_files(directory, record, error);
    CM_THEN(status, write_record(directory, record, error));
    CM_THEN(status, check_again(directory, error));
    CM_THEN(status, decide_commit(directory, error));
    CM_THEN(status, cm_directory_roll(directory, directory->aside_descriptor, record, error));
    return status;
}

/* ---- the end ---- */

void cm_directory_name_file(const cm_directory *directory, cm_error *error)
{
    if (directory == NULL || error == NULL)
        return;
    for (size_t i = 0; i < directory->count; i++)
        if (strcmp(directory->files[i].aside, error->file) == 0)
            snprintf(error->file, sizeof error->file, "%s", directory->files[i].final);
}

void cm_directory_free(cm_directory *directory)
{
    if (directory == NULL)
        return;
    for (size_t i = 0; i < directory->count; i++) {
        if (directory->aside != NULL)
            unlinkat(directory->aside_descriptor, directory->files[i].name, 0);
        clear_file(&directory->files[i]);
    }
    if (directory->aside != NULL) {
        unlinkat(directory->aside_descriptor, CM_DIRECTORY_MARKER, 0);
        rmdir(directory->aside);
    }
    if (directory->made)
        rmdir(directory->path);
    for (size_t i = 0; i < 3; i++) {
        int descriptor = (const int[]){directory->marker, directory->aside_descriptor, directory->descriptor}[i];
        if (descriptor >= 0)
            close(descriptor);
    }
    CM_FREE(directory->files, directory->aside, directory->path, directory);
}

cm_status cm_directory_end(cm_directory *directory, cm_status status, json_t *record, cm_error *error)
{
    CM_THEN(status, record != NULL ? cm_directory_commit(directory, record, error) : cm_error_no_memory(error));
    json_decref(record);
    if (status != CM_OK)
        cm_directory_name_file(directory, error);
    cm_directory_free(directory);
    return status;
}

cm_status cm_directory_save(const char *path, const cm_directory_kind *kind, const cm_directory_document *files,
                            size_t count, json_t *record, cm_error *error)
{
    cm_directory *directory = NULL;
    const char **names = calloc(count + 1, sizeof *names);
    cm_status status = names != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        names[i] = files[i].name;
    CM_THEN(status, cm_directory_open(path, kind, names, count, &directory, error));
    if (status == CM_OK)
        cm_directory_clean(directory);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const char *aside = NULL;
        status = cm_directory_file(directory, files[i].name, &aside, error);
        CM_THEN(status, cm_document_save(&files[i].document, aside, error));
    }
    free(names);
    return cm_directory_end(directory, status, record, error);
}
