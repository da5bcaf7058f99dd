/* Files of a bundle that follow from others: made again and compared. */
#include "result/bundle/list.h"

static cm_status another(const char *path, const char *how, cm_error *error)
{
    return CM_FAIL(error, CM_BAD_INPUT, "the bundle was changed: '%.200s' %s its results", path, how);
}

/* CM_BAD_INPUT if the bundle's file differs from the derived one. */
static cm_status check_file(const char *unpacked, const cm_bundle_file *derived, cm_error *error)
{
    char *path = NULL, digest[CM_BUNDLE_DIGEST_SIZE];
    uint64_t bytes = 0;
    if (asprintf(&path, "%s/%s", unpacked, derived->path) < 0)
        return cm_error_no_memory(error);
    cm_status status = cm_digest_file(path, digest, &bytes, error);
    free(path);
    bool same = status == CM_OK && strcmp(digest, derived->digest) == 0;
    return same || status == CM_NO_MEMORY ? status : another(derived->path, "does not follow from", error);
}

/* CM_BAD_INPUT if the part has files that are not derived. */
static cm_status check_others(const char *unpacked, const char *part, const cm_bundle_list *derived, cm_error *error)
{
    char *directory = NULL;
    cm_bundle_list list = {0};
    if (asprintf(&directory, "%s/%s", unpacked, part) < 0)
        return cm_error_no_memory(error);
    cm_status status = cm_bundle_list_find(&(cm_bundle_part){directory, part}, &list, error);
    for (size_t i = 0; status == CM_OK && i < list.count; i++)
        if (cm_bundle_list_get(derived, list.files[i].path) == NULL)
            status = another(list.files[i].path, "does not follow from", error);
    cm_bundle_list_clear(&list);
    free(directory);
    return status;
}

cm_status cm_bundle_check_derived(const char *unpacked, const char *derived, const char *part, cm_error *error)
{
    cm_bundle_list list = {0};
    cm_status status = cm_bundle_list_find(&(cm_bundle_part){derived, ""}, &list, error);
    for (size_t i = 0; status == CM_OK && i < list.count; i++)
        status = check_file(unpacked, &list.files[i], error);
    CM_THEN(status, check_others(unpacked, part, &list, error));
    cm_bundle_list_clear(&list);
    return status;
}

static bool is_named(const char *path, const cm_bundle_files *measured, const char *const *others, size_t count)
{
    size_t length = strlen(measured->prefix);
    bool below = strncmp(path, measured->prefix, length) == 0 && path[length] == '/', named = false;
    for (size_t i = 0; below && i < measured->count && !named; i++)
        named = strcmp(path + length + 1, measured->paths[i]) == 0;
    for (size_t i = 0; i < count && !named; i++)
        named = strcmp(path, others[i]) == 0;
    return named;
}

cm_status cm_bundle_check_others(const char *unpacked, const cm_bundle_files *measured, const char *const *others,
                                 size_t count, const char *part, cm_error *error)
{
    size_t length = strlen(part);
    cm_bundle_list list = {0};
    cm_status status = cm_bundle_list_find(&(cm_bundle_part){unpacked, ""}, &list, error);
    for (size_t i = 0; status == CM_OK && i < list.count; i++) {
        const char *path = list.files[i].path;
        bool in_part = strncmp(path, part, length) == 0 && path[length] == '/';
        if (!in_part && !is_named(path, measured, others, count))
            status =
                CM_FAIL(error, CM_BAD_INPUT, "the bundle was changed: '%.200s' is no file that catmint packs", path);
    }
    cm_bundle_list_clear(&list);
    return status;
}
