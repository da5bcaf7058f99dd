/* The list of a bundle's files with their digests, bundle.json. */
#include "result/bundle/list.h"

#include <dirent.h>

#include <catmint/version.h>

#include "core/json.h"

enum { DEEPEST = 8 };

static int by_path(const void *left, const void *right)
{
    return strcmp(((const cm_bundle_file *)left)->path, ((const cm_bundle_file *)right)->path);
}

static cm_status append_file(cm_bundle_list *list, const char *source, const char *path, cm_error *error)
{
    if (!CM_GROW(list->files, list->count + 1, &list->capacity))
        return cm_error_no_memory(error);
    cm_bundle_file *file = &list->files[list->count++];
    *file = (cm_bundle_file){.source = source != NULL ? strdup(source) : NULL, .path = strdup(path)};
    return file->path != NULL && (source == NULL || file->source != NULL) ? CM_OK : cm_error_no_memory(error);
}

static cm_status find_in(const char *directory, const char *prefix, int depth, cm_bundle_list *list, cm_error *error);

/* Adds a file, or the files of a directory. */
static cm_status take_file(const char *source, const char *path, int depth, cm_bundle_list *list, cm_error *error)
{
    struct stat status;
    if (lstat(source, &status) != 0)
        return cm_error_io(error, source, "cannot be read");
    if (S_ISDIR(status.st_mode))
        return find_in(source, path, depth + 1, list, error);
    if (!S_ISREG(status.st_mode))
        return CM_OK;
    cm_status taken = append_file(list, source, path, error);
    if (taken != CM_OK)
        return taken;
    cm_bundle_file *file = &list->files[list->count - 1];
    return cm_digest_file(source, file->digest, &file->bytes, error);
}

/* Adds all files below a directory, but hidden ones. */
static cm_status find_in(const char *place, const char *prefix, int depth, cm_bundle_list *list, cm_error *error)
{
    DIR *directory = opendir(place);
    if (directory == NULL)
        return cm_error_io(error, place, "cannot be read");
    cm_status status = depth < DEEPEST ? CM_OK : cm_error_set(error, CM_IO, place, 0, 0, "lies too deep");
    for (struct dirent *entry; status == CM_OK && (entry = readdir(directory)) != NULL;) {
        char *source = NULL, *path = NULL;
        if (entry->d_name[0] == '.')
            continue;
        bool made = asprintf(&source, "%s/%s", place, entry->d_name) >= 0;
        made = made && asprintf(&path, "%s%s%s", prefix, prefix[0] != '\0' ? "/" : "", entry->d_name) >= 0;
        status = made ? take_file(source, path, depth, list, error) : cm_error_no_memory(error);
        if (source != NULL)
            free(made ? path : NULL);
        free(source);
    }
    closedir(directory);
    return status;
}

/* Sorts a complete list. */
static cm_status sort_list(cm_bundle_list *list, cm_status status)
{
    if (status == CM_OK && list->count != 0)
        qsort(list->files, list->count, sizeof *list->files, by_path);
    return status;
}

cm_status cm_bundle_list_add(const cm_bundle_files *files, cm_bundle_list *list, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < files->count; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s", files->prefix, files->paths[i]) < 0)
            return cm_error_no_memory(error);
        status = take_file(files->sources[i], path, 0, list, error);
        free(path);
    }
    return sort_list(list, status);
}

cm_status cm_bundle_list_find(const cm_bundle_part *part, cm_bundle_list *list, cm_error *error)
{
    cm_status status = find_in(part->directory, part->prefix, 0, list, error);
    return sort_list(list, status);
}

void cm_bundle_list_clear(cm_bundle_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        CM_FREE(list->files[i].source, list->files[i].path);
    }
    free(list->files);
    *list = (cm_bundle_list){0};
}

static json_t *list_json(const cm_bundle_list *list)
{
    json_t *files = json_array();
    for (size_t i = 0; i < list->count; i++)
        files = cm_json_append(files, json_pack("{s:s, s:I, s:s}", "path", list->files[i].path, "bytes",
                                                (json_int_t)list->files[i].bytes, "sha256", list->files[i].digest));
    return json_pack("{s:s, s:s, s:o}", "schema", CM_BUNDLE_SCHEMA, "catmint", CATMINT_VERSION, "files", files);
}

/* jansson's own dump silently loses parts without memory. */
char *cm_bundle_list_text(const cm_bundle_list *list)
{
    char *text = NULL;
    FILE *stream = cm_memory_stream(&text, NULL);
    json_t *json = list_json(list);
    const bool whole = stream != NULL && json != NULL && cm_json_write(json, stream);
    json_decref(json);
    if (cm_memory_text(stream, &text) != NULL && !whole) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Whether the path has only plain names, none of them hidden or "..". */
static bool is_safe(const char *path)
{
    for (const char *at = path;; at++) {
        size_t length = strcspn(at, "/");
        if (length == 0 || at[0] == '.')
            return false;
        at += length;
        if (*at == '\0')
            return strcmp(path, CM_BUNDLE_LIST) != 0;
    }
}

static const cm_json_member file_members[] = {
    {"path", "s", 0, NULL}, {"bytes", "i", 0, NULL}, {"sha256", "s", 0, NULL}};
static const cm_json_shape file_shape = {3, file_members};
static const cm_json_member list_members[] = {
    {"schema", "s", 0, NULL}, {"catmint", "s", 0, NULL}, {"files", "a", 0, &file_shape}};
static const cm_json_shape list_shape = {3, list_members};

/* Reads an entry of the list. */
static cm_status take_entry(const json_t *entry, const char *file, cm_bundle_list *list, cm_error *error)
{
    const char *path = json_string_value(json_object_get(entry, "path"));
    const char *digest = json_string_value(json_object_get(entry, "sha256"));
    json_int_t bytes = json_integer_value(json_object_get(entry, "bytes"));
    if (strlen(digest) != CM_BUNDLE_DIGEST_SIZE - 1)
        return cm_error_set(error, CM_BAD_INPUT, file, 0, 0, "its list of files is incomplete");
    if (!is_safe(path))
        return cm_error_set(error, CM_BAD_INPUT, file, 0, 0, "the path '%.200s' leads out of the bundle", path);
    cm_status status = append_file(list, NULL, path, error);
    if (status == CM_OK) {
        list->files[list->count - 1].bytes = (uint64_t)bytes;
        memcpy(list->files[list->count - 1].digest, digest, CM_BUNDLE_DIGEST_SIZE);
    }
    return status;
}

static cm_status check_order(const cm_bundle_list *list, const char *file, cm_error *error)
{
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(list->files[i - 1].path, list->files[i].path) == 0)
            return cm_error_set(error, CM_BAD_INPUT, file, 0, 0, "'%.200s' is listed twice", list->files[i].path);
    return CM_OK;
}

/* Whether the text may follow a version: nothing, or "-rc1". */
static bool is_prerelease(const char *text)
{
    return text[0] == '\0' ||
           (strncmp(text, "-rc", 3) == 0 && text[3] != '\0' && text[3 + strspn(text + 3, "0123456789")] == '\0');
}

/* CM_BAD_INPUT for a version before 0.2.0, the first that packs bundles. */
static cm_status check_version(const char *version, const char *file, cm_error *error)
{
    unsigned major, minor, patch;
    int length = 0;
    bool is_one = is_prerelease(version + strspn(version, "0123456789.")) && /* without signs and blanks */
                  sscanf(version, "%4u.%4u.%4u%n", &major, &minor, &patch, &length) == 3 &&
                  is_prerelease(version + length);
    if (is_one && (major > 0 || minor >= 2))
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, file, 0, 0,
                        "the bundle was changed: no catmint of version '%.40s' packs bundles", version);
}

cm_status cm_bundle_list_parse(const char *text, size_t size, const char *file, cm_bundle_list *list,
                               cm_bundle_summary *summary, cm_error *error)
{
    json_t *document = NULL;
    cm_status status = cm_json_parse(file, text, size, JSON_REJECT_DUPLICATES, NULL, &document, error);
    if (status != CM_OK)
        return status;
    const char *schema = json_string_value(json_object_get(document, "schema"));
    const char *catmint = json_string_value(json_object_get(document, "catmint"));
    const json_t *files = json_object_get(document, "files");
    if (schema == NULL || strcmp(schema, CM_BUNDLE_SCHEMA) != 0)
        status =
            cm_error_set(error, CM_BAD_INPUT, file, 0, 0, "expected a bundle of catmint, schema %s", CM_BUNDLE_SCHEMA);
    else
        status = cm_json_hold(document, &list_shape, "the bundle's '" CM_BUNDLE_LIST "'", error);
    CM_THEN(status, check_version(catmint, file, error));
    for (size_t i = 0; status == CM_OK && i < json_array_size(files); i++)
        status = take_entry(json_array_get(files, i), file, list, error);
    sort_list(list, status);
    CM_THEN(status, check_order(list, file, error));
    if (status == CM_OK)
        snprintf(summary->catmint, sizeof summary->catmint, "%s", catmint);
    json_decref(document);
    return status;
}

cm_bundle_file *cm_bundle_list_get(const cm_bundle_list *list, const char *path)
{
    cm_bundle_file key = {.path = (char *)(uintptr_t)path};
    return list->count != 0 ? bsearch(&key, list->files, list->count, sizeof key, by_path) : NULL;
}

void cm_bundle_summarise(const cm_bundle_list *list, const char *digest, cm_bundle_summary *summary)
{
    summary->files = list->count;
    summary->bytes = 0;
    for (size_t i = 0; i < list->count; i++)
        summary->bytes += list->files[i].bytes;
    memcpy(summary->digest, digest, CM_BUNDLE_DIGEST_SIZE);
}
