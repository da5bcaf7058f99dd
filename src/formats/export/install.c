/* Installs presets for PAPI. The last line of the file has a checksum of the lines before it, which distinguishes
 * catmint's own files from others, and from edited ones. */
#include <inttypes.h>

#include "core/files.h"
#include "formats/export/export.h"

#define MARK "# catmint installed this table; of the lines above fnv1a64:"

enum { MARK_SIZE = sizeof MARK + 17 };

/* A table to be installed. */
struct table {
    const char *text;
    size_t size;
};

static void write_mark(const struct table *table, char mark[MARK_SIZE])
{
    snprintf(mark, MARK_SIZE, MARK "%016" PRIx64 "\n", cm_checksum(CM_CHECKSUM_START, table->text, table->size));
}

static void write_table(const struct table *table, FILE *stream)
{
    char mark[MARK_SIZE];
    write_mark(table, mark);
    fwrite(table->text, 1, table->size, stream);
    fputs(mark, stream);
}

static bool is_ours(const char *text, size_t size)
{
    char mark[MARK_SIZE];
    if (size < MARK_SIZE - 1)
        return false;
    write_mark(&(struct table){text, size - (MARK_SIZE - 1)}, mark);
    return memcmp(text + size - (MARK_SIZE - 1), mark, MARK_SIZE - 1) == 0;
}

/* CM_UNSUPPORTED if a file is there that catmint may not replace. */
static cm_status check_place(const char *path, cm_error *error)
{
    struct stat found;
    char *text = NULL;
    size_t size = 0;
    if (lstat(path, &found) != 0)
        return errno == ENOENT ? CM_OK : cm_error_io(error, path, "cannot be looked at");
    cm_status status = S_ISREG(found.st_mode) ? cm_file_text_read(path, &text, &size, error) : CM_OK;
    if (status == CM_OK && (text == NULL || !is_ours(text, size)))
        status = cm_error_set(error, CM_UNSUPPORTED, path, 0, 0,
                              "catmint did not install this file, or it was changed since: it stays as it is");
    free(text);
    return status;
}

/* Writes the file; one that appeared meanwhile is checked, too. */
static cm_status save_table(struct table *table, const char *path, bool replace, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status == CM_OK) {
        write_table(table, cm_output_stream(output));
        status = replace ? cm_output_commit(output, error) : cm_output_commit_checked(output, check_place, error);
    }
    cm_output_free(output);
    return status;
}

cm_status cm_export_install(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                            bool replace, cm_export_summary *summary, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_export_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    char *text = NULL;
    size_t size = 0;
    cm_export_summary written = {0};
    if (options->format == NULL || strcmp(options->format, "papi") != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "presets for PAPI alone can be installed");
    cm_status status = replace ? CM_OK : check_place(path, error);
    CM_THEN(status, cm_export_text(definitions, options, &text, &size, &written, error));
    if (status == CM_OK && written.written == 0)
        status = CM_FAIL(error, CM_BAD_INPUT, "no definition is a preset that PAPI takes: nothing was installed");
    CM_THEN(status, save_table(&(struct table){text, size}, path, replace, error));
    written.files = 1;
    if (status == CM_OK && summary != NULL)
        *summary = written;
    free(text);
    return status;
}
