/* Bundles unpacked, and each file compared with the list. */
#include <archive.h>
#include <archive_entry.h>

#include "result/bundle/list.h"

enum { LARGEST_LIST = 1 << 24, RECORD = 512, PERMISSIONS = 0644 };

struct unpacking {
    struct archive *archive;
    const char *path, *directory;
    cm_bundle_list list;
    char digest[CM_BUNDLE_DIGEST_SIZE]; /* of the list */
    uint64_t end;                       /* of the last member, in the tar */
    const char *altered;                /* how a member's head was altered; NULL: none was */
    const cm_bundle_file *last;         /* the listed file that was unpacked last; NULL: none yet */
    bool disordered;                    /* members are in another order than in the list */
};

static cm_status fail_reading(const struct unpacking *unpacking, cm_error *error)
{
    const char *why = archive_error_string(unpacking->archive);
    if (archive_errno(unpacking->archive) == ENOMEM)
        return cm_error_no_memory(error);
    return cm_error_set(error, CM_BAD_INPUT, unpacking->path, 0, 0, "cannot be read as a bundle: %s",
                        why != NULL ? why : "it ends too soon");
}

/* Reads the next member; *entry is NULL at the end. */
static cm_status read_member(const struct unpacking *unpacking, struct archive_entry **entry, cm_error *error)
{
    int code = archive_read_next_header(unpacking->archive, entry);
    if (code == ARCHIVE_EOF)
        *entry = NULL;
    return code == ARCHIVE_OK || code == ARCHIVE_EOF ? CM_OK : fail_reading(unpacking, error);
}

/* Checks that the head has no data about a machine: catmint writes none. */
static void look_at_head(struct unpacking *unpacking, struct archive_entry *entry)
{
    const char *owner = archive_entry_uname(entry), *group = archive_entry_gname(entry);
    bool owned = archive_entry_uid(entry) != 0 || archive_entry_gid(entry) != 0 ||
                 (owner != NULL && owner[0] != '\0') || (group != NULL && group[0] != '\0');
    if (owned)
        unpacking->altered = "an owner";
    else if (archive_entry_mtime(entry) != 0 || archive_entry_mtime_nsec(entry) != 0)
        unpacking->altered = "a time";
    else if (archive_entry_perm(entry) != PERMISSIONS)
        unpacking->altered = "other permissions";
    else if (archive_entry_xattr_count(entry) != 0 || archive_entry_acl_types(entry) != 0)
        unpacking->altered = "attributes";
    uint64_t size = (uint64_t)archive_entry_size(entry), blocks = (size + RECORD - 1) / RECORD;
    unpacking->end = (uint64_t)archive_read_header_position(unpacking->archive) + RECORD * (blocks + 1);
}

/* Reads the first member, the list. */
static cm_status read_list(struct unpacking *unpacking, cm_bundle_summary *summary, cm_error *error)
{
    struct archive_entry *entry = NULL;
    cm_status status = read_member(unpacking, &entry, error);
    const char *name = entry != NULL ? archive_entry_pathname(entry) : NULL;
    la_int64_t size = entry != NULL ? archive_entry_size(entry) : 0;
    if (status != CM_OK)
        return status;
    if (entry != NULL)
        look_at_head(unpacking, entry);
    if (name == NULL || strcmp(name, CM_BUNDLE_LIST) != 0 || size <= 0 || size > LARGEST_LIST)
        return cm_error_set(error, CM_BAD_INPUT, unpacking->path, 0, 0, "expected a bundle of catmint, schema %s",
                            CM_BUNDLE_SCHEMA);
    char *text = malloc((size_t)size);
    cm_digest *digest = cm_digest_create();
    if (text == NULL || digest == NULL)
        status = cm_error_no_memory(error);
    else if (archive_read_data(unpacking->archive, text, (size_t)size) != size)
        status = fail_reading(unpacking, error);
    if (status == CM_OK) {
        cm_digest_add(digest, text, (size_t)size);
        status = cm_bundle_list_parse(text, (size_t)size, unpacking->path, &unpacking->list, summary, error);
    }
    if (digest != NULL)
        cm_digest_end(digest, unpacking->digest);
    free(text);
    return status;
}

/* Makes the directories of the path. */
static cm_status make_directories(char *whole, size_t from, cm_error *error)
{
    cm_status status = CM_OK;
    for (char *at = whole + from; status == CM_OK && (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        bool made = mkdir(whole, 0777) == 0 || errno == EEXIST;
        if (!made)
            status = cm_error_io(error, whole, "cannot be made");
        *at = '/';
    }
    return status;
}

static cm_status set_changed(const struct unpacking *unpacking, const char *name, const char *how, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, unpacking->path, 0, 0, "the bundle was changed: '%.200s' %s", name, how);
}

/* Copies the member, at most as many bytes as listed, whatever the archive has. */
static cm_status copy_member(const struct unpacking *unpacking, const cm_bundle_file *listed, FILE *file,
                             const char *whole, cm_error *error)
{
    char *block = malloc(CM_BUNDLE_BLOCK), digest[CM_BUNDLE_DIGEST_SIZE] = "";
    cm_digest *made = cm_digest_create();
    cm_status status = block != NULL && made != NULL ? CM_OK : cm_error_no_memory(error);
    uint64_t bytes = 0;
    for (la_ssize_t got = 1; status == CM_OK && got != 0 && bytes <= listed->bytes; bytes += (uint64_t)got) {
        got = archive_read_data(unpacking->archive, block, CM_BUNDLE_BLOCK);
        if (got < 0)
            status = fail_reading(unpacking, error);
        else if (fwrite(block, 1, (size_t)got, file) != (size_t)got)
            status = cm_error_io(error, whole, "cannot be written");
        if (status == CM_OK)
            cm_digest_add(made, block, (size_t)got);
    }
    if (made != NULL)
        cm_digest_end(made, digest);
    free(block);
    if (status == CM_OK && (bytes != listed->bytes || strcmp(digest, listed->digest) != 0))
        status = set_changed(unpacking, listed->path, "is not the file that its list has", error);
    return status;
}

/* Unpacks a member into its file. */
static cm_status unpack_file(const struct unpacking *unpacking, const cm_bundle_file *listed, cm_error *error)
{
    char *whole = NULL;
    if (asprintf(&whole, "%s/%s", unpacking->directory, listed->path) < 0)
        return cm_error_no_memory(error);
    cm_status status = make_directories(whole, strlen(unpacking->directory) + 1, error);
    FILE *file = status == CM_OK ? fopen(whole, "wxe") : NULL;
    if (status == CM_OK && file == NULL)
        status = cm_error_io(error, whole, "cannot be written");
    CM_THEN(status, copy_member(unpacking, listed, file, whole, error));
    if (file != NULL && fclose(file) != 0 && status == CM_OK)
        status = cm_error_io(error, whole, "cannot be written");
    free(whole);
    return status;
}

/* Checks a member against the list and unpacks it. */
static cm_status unpack_member(struct unpacking *unpacking, struct archive_entry *entry, cm_error *error)
{
    look_at_head(unpacking, entry);
    const char *name = archive_entry_pathname(entry);
    cm_bundle_file *listed = name != NULL ? cm_bundle_list_get(&unpacking->list, name) : NULL;
    if (listed == NULL)
        return set_changed(unpacking, name != NULL ? name : "", "is not in its list", error);
    if (listed->seen || archive_entry_filetype(entry) != AE_IFREG)
        return set_changed(unpacking, name, listed->seen ? "is there twice" : "is no file", error);
    listed->seen = true;
    unpacking->disordered |= unpacking->last != NULL && listed < unpacking->last;
    unpacking->last = listed;
    return unpack_file(unpacking, listed, error);
}

/* Unpacks all members; each listed file must be there. */
static cm_status unpack_all(struct unpacking *unpacking, cm_error *error)
{
    struct archive_entry *entry = NULL;
    cm_status status = read_member(unpacking, &entry, error);
    while (status == CM_OK && entry != NULL) {
        status = unpack_member(unpacking, entry, error);
        CM_THEN(status, read_member(unpacking, &entry, error));
    }
    for (size_t i = 0; status == CM_OK && i < unpacking->list.count; i++)
        if (!unpacking->list.files[i].seen)
            status = set_changed(unpacking, unpacking->list.files[i].path, "is missing", error);
    return status;
}

cm_status cm_bundle_unpack(const char *path, const char *directory, cm_bundle_summary *summary, cm_error *error)
{
    struct unpacking unpacking = {.archive = archive_read_new(), .path = path, .directory = directory};
    if (unpacking.archive == NULL)
        return cm_error_no_memory(error);
    FILE *file = NULL;
    archive_read_support_filter_gzip(unpacking.archive);
    archive_read_support_format_tar(unpacking.archive);
    cm_status status = cm_error_of_input(cm_input_open(path, &file, error), error);
    if (status == CM_OK && archive_read_open_FILE(unpacking.archive, file) != ARCHIVE_OK)
        status = fail_reading(&unpacking, error);
    CM_THEN(status, read_list(&unpacking, summary, error));
    CM_THEN(status, unpack_all(&unpacking, error));
    if (status == CM_OK && unpacking.disordered)
        status =
            cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "the bundle was changed: its members stand in another order");
    if (status == CM_OK && unpacking.altered != NULL)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                              "the bundle was changed: the head of a member has %s, which catmint does not write",
                              unpacking.altered);
    CM_THEN(status, cm_bundle_check_frame(path, unpacking.end, error));
    if (status == CM_OK)
        cm_bundle_summarise(&unpacking.list, unpacking.digest, summary);
    archive_read_free(unpacking.archive);
    if (file != NULL)
        fclose(file);
    cm_bundle_list_clear(&unpacking.list);
    return status;
}
