#include <archive.h>
#include <archive_entry.h>

#include <catmint/version.h>

#include "result/bundle/list.h"

enum { MODE = 0644 };

bool cm_bundle_available(void)
{
    return true;
}

static cm_status fail_writing(struct archive *archive, const char *path, cm_error *error)
{
    const char *why = archive_error_string(archive);
    if (archive_errno(archive) == ENOMEM)
        return cm_error_no_memory(error);
    return cm_error_set(error, CM_IO, path, 0, 0, "cannot be written: %s", why != NULL ? why : "libarchive fails");
}

/* Writes a head without data about the machine: no owners, no times. */
static cm_status write_head(struct archive *archive, const char *name, uint64_t bytes, const char *path,
                            cm_error *error)
{
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return cm_error_no_memory(error);
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)bytes);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, MODE);
    archive_entry_set_mtime(entry, 0, 0);
    int code = archive_write_header(archive, entry);
    archive_entry_free(entry);
    return code == ARCHIVE_OK ? CM_OK : fail_writing(archive, path, error);
}

static cm_status write_bytes(struct archive *archive, const char *bytes, size_t size, const char *path, cm_error *error)
{
    return archive_write_data(archive, bytes, size) == (la_ssize_t)size ? CM_OK : fail_writing(archive, path, error);
}

/* Writes a file. One that has changed since it was listed is found when the bundle is checked. */
static cm_status write_file(struct archive *archive, const cm_bundle_file *listed, const char *path, cm_error *error)
{
    FILE *file = NULL;
    cm_status status = cm_input_open(listed->source, &file, error);
    if (status != CM_OK)
        return status;
    char *block = malloc(CM_BUNDLE_BLOCK);
    status = block != NULL ? write_head(archive, listed->path, listed->bytes, path, error) : cm_error_no_memory(error);
    for (size_t got = 1; status == CM_OK && got != 0;) {
        got = fread(block, 1, CM_BUNDLE_BLOCK, file);
        status = write_bytes(archive, block, got, path, error);
    }
    free(block);
    fclose(file);
    return status;
}

static cm_status write_all(struct archive *archive, const cm_bundle_list *list, const char *text, const char *path,
                           cm_error *error)
{
    cm_status status = write_head(archive, CM_BUNDLE_LIST, strlen(text), path, error);
    CM_THEN(status, write_bytes(archive, text, strlen(text), path, error));
    for (size_t i = 0; status == CM_OK && i < list->count; i++)
        status = write_file(archive, &list->files[i], path, error);
    return status;
}

/* Writes the archive. */
static cm_status pack_files(const cm_bundle_list *list, const char *text, FILE *stream, const char *path,
                            cm_error *error)
{
    struct archive *archive = archive_write_new();
    if (archive == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    if (archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
        archive_write_add_filter_gzip(archive) != ARCHIVE_OK ||
        archive_write_set_options(archive, "gzip:!timestamp") < ARCHIVE_WARN ||
        archive_write_set_bytes_in_last_block(archive, 1) != ARCHIVE_OK || /* no padding behind the stream */
        archive_write_open_FILE(archive, stream) != ARCHIVE_OK)
        status = fail_writing(archive, path, error);
    CM_THEN(status, write_all(archive, list, text, path, error));
    if (status == CM_OK && archive_write_close(archive) != ARCHIVE_OK)
        status = fail_writing(archive, path, error);
    archive_write_free(archive);
    return status;
}

static cm_status find_all(const cm_bundle_part *parts, size_t count, cm_bundle_list *list, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = cm_bundle_list_find(&parts[i], list, error);
    return status;
}

static cm_status digest_text(const char *text, char digest[CM_BUNDLE_DIGEST_SIZE], cm_error *error)
{
    cm_digest *made = cm_digest_create();
    if (made == NULL)
        return cm_error_no_memory(error);
    cm_digest_add(made, text, strlen(text));
    cm_digest_end(made, digest);
    return CM_OK;
}

/* Writes the bundle, unless `status` says that the list is incomplete, and clears the list. */
static cm_status write_list(cm_bundle_list *list, cm_status status, const char *path, cm_bundle_summary *summary,
                            cm_error *error)
{
    cm_output *output = NULL;
    char digest[CM_BUNDLE_DIGEST_SIZE] = "";
    char *text = status == CM_OK ? cm_bundle_list_text(list) : NULL;
    CM_THEN(status, text != NULL ? digest_text(text, digest, error) : cm_error_no_memory(error));
    CM_THEN(status, cm_output_create(path, &output, error));
    CM_THEN(status, pack_files(list, text, cm_output_stream(output), path, error));
    CM_THEN(status, cm_output_commit(output, error));
    if (status == CM_OK) {
        cm_bundle_summarise(list, digest, summary);
        snprintf(summary->catmint, sizeof summary->catmint, "%s", CATMINT_VERSION);
    }
    cm_output_free(output);
    free(text);
    cm_bundle_list_clear(list);
    return status;
}

cm_status cm_bundle_write(const cm_bundle_part *parts, size_t count, const char *path, cm_bundle_summary *summary,
                          cm_error *error)
{
    cm_bundle_list list = {0};
    cm_status status = find_all(parts, count, &list, error);
    return write_list(&list, status, path, summary, error);
}

cm_status cm_bundle_write_files(const cm_bundle_files *files, const cm_bundle_part *part, const char *path,
                                cm_bundle_summary *summary, cm_error *error)
{
    cm_bundle_list list = {0};
    cm_status status = cm_bundle_list_add(files, &list, error);
    CM_THEN(status, cm_bundle_list_find(part, &list, error));
    return write_list(&list, status, path, summary, error);
}
