/* Decides which files of a directory may be replaced or removed. */
#include "core/files.h"

static cm_status refuse_file(const cm_directory *directory, const char *name, const char *problem, cm_error *error)
{
    char text[256];
    snprintf(text, sizeof text, "%s, so it is not replaced: move it away, or name another directory", problem);
    errno = 0;
    return cm_directory_failure(directory, name, text, error);
}

/* Sets *there if there is a regular file of that name. */
static cm_status find_regular(const cm_directory *directory, const char *name, bool *there, cm_error *error)
{
    struct stat status;
    *there = fstatat(directory->descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!*there)
        return errno == ENOENT ? CM_OK : cm_directory_failure(directory, name, "cannot be examined", error);
    if (S_ISLNK(status.st_mode))
        return refuse_file(directory, name, "it is a symbolic link", error);
    if (S_ISDIR(status.st_mode))
        return refuse_file(directory, name, "it is a directory, expected a file", error);
    return S_ISREG(status.st_mode) ? CM_OK : refuse_file(directory, name, "it is not a regular file", error);
}

cm_status cm_directory_read_record(const cm_directory *directory, json_t **record, cm_error *error)
{
    bool there;
    const char *name = directory->kind->record;
    cm_status status = find_regular(directory, name, &there, error);
    *record = NULL;
    if (status != CM_OK || !there)
        return status;
    json_t *found = cm_record_load(directory->descriptor, name, O_NOFOLLOW);
    if (found == NULL && errno == ENOMEM)
        return cm_error_no_memory(error);
    const char *schema = json_string_value(json_object_get(found, "schema"));
    if (schema == NULL || strncmp(schema, "catmint.", strlen("catmint.")) != 0)
        status = refuse_file(directory, name, "catmint did not write it", error);
    else if (json_object_get(found, "files") == NULL)
        status = refuse_file(directory, name, "an older catmint wrote it, without the checksums of its files", error);
    else if (!cm_record_is_sealed(found))
        status = errno == ENOMEM ? cm_error_no_memory(error)
                                 : refuse_file(directory, name, "it was changed since catmint wrote it", error);
    CM_HAND_OVER(status, record, found, json_decref);
    return status;
}

cm_status cm_directory_check_file(const cm_directory *directory, const char *name, const json_t *record,
                                  cm_error *error)
{
    bool there;
    char text[128];
    cm_file_mark expected, found;
    cm_status status = find_regular(directory, name, &there, error);
    if (status != CM_OK || !there)
        return status;
    snprintf(text, sizeof text, "%s did not write it here", directory->kind->writer);
    if (!cm_record_find(record, name, &expected))
        return refuse_file(directory, name, text, error);
    if (!cm_file_mark_read(directory->descriptor, name, O_NOFOLLOW, &found))
        return cm_directory_failure(directory, name, "cannot be read", error);
    snprintf(text, sizeof text, "it was changed since %s wrote it", directory->kind->writer);
    return cm_same_mark(&expected, &found) ? CM_OK : refuse_file(directory, name, text, error);
}

cm_status cm_directory_check(const cm_directory *directory, const char *const *names, size_t count, cm_error *error)
{
    json_t *record = NULL;
    cm_status status = cm_directory_read_record(directory, &record, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(record); i++)
        status = cm_directory_check_file(directory, cm_record_name(record, i), record, error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        cm_file_mark mark;
        bool is_done = strcmp(names[i], directory->kind->record) == 0 || cm_record_find(record, names[i], &mark);
        if (!is_done)
            status = cm_directory_check_file(directory, names[i], record, error);
    }
    json_decref(record);
    return status;
}

cm_status cm_directory_check_rest(const cm_directory *directory, const char *const *names, size_t count,
                                  cm_error *error)
{
    json_t *record = NULL;
    cm_status status = cm_directory_read_record(directory, &record, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(record); i++) {
        const char *name = cm_record_name(record, i);
        bool there = false;
        if (!CM_HAS(name, names, count))
            status = find_regular(directory, name, &there, error);
        errno = 0;
        if (status == CM_OK && there)
            status =
                cm_directory_failure(directory, name,
                                     "an earlier result has it and the new one does not, so it would be removed: move "
                                     "it away, or name another directory",
                                     error);
    }
    json_decref(record);
    return status;
}

cm_status cm_directory_failure(const cm_directory *directory, const char *name, const char *problem, cm_error *error)
{
    int reason = errno;
    char *path = cm_path_join(directory->path, name, "");
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_error_set(error, CM_IO, path, 0, 0, "%s%s%s", problem, reason != 0 ? ": " : "",
                                    reason != 0 ? strerror(reason) : "");
    free(path);
    return status;
}

void cm_directory_commit_name(const cm_directory *directory, char name[CM_DIRECTORY_NAME_SIZE])
{
    snprintf(name, CM_DIRECTORY_NAME_SIZE, "%s" CM_DIRECTORY_COMMIT, directory->kind->prefix);
}
