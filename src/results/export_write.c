/* What is the same for all formats: opening, writing, putting in place. */
#include "results/export.h"

#include <errno.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"

static cm_status write_stream(cm_export *export, FILE *stream, cm_error *error)
{
    errno = 0;
    cm_status status = export->row->write(export, stream, error);
    if (status == CM_OK && (fflush(stream) != 0 || ferror(stream)))
        return cm_error_set(error, CM_IO, NULL, 0, 0, "definitions cannot be written: %s",
                            strerror(errno != 0 ? errno : EIO));
    return status;
}

static cm_status write_file(cm_export *export, const char *path, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status == CM_OK)
        status = write_stream(export, cm_output_stream(output), error);
    /* A stream that fails is told by the commit, with the path. */
    if (status == CM_OK || status == CM_IO)
        status = output != NULL ? cm_output_commit(output, error) : status;
    cm_output_free(output);
    export->summary.files = 1;
    return status;
}

static cm_status run(cm_export *export, FILE *stream, const char *path, cm_export_summary *summary, cm_error *error)
{
    const cm_export_row *row = export->row;
    cm_status status = cm_export_prepare(export, error);
    if (status == CM_OK && row->directory)
        status = row->save(export, path, error);
    else if (status == CM_OK)
        status = stream != NULL ? write_stream(export, stream, error) : write_file(export, path, error);
    if (status == CM_OK)
        *summary = export->summary;
    cm_export_clear(export);
    return status;
}

cm_status cm_export_write(const cm_definitions *definitions, const cm_export_options *options, FILE *stream,
                          cm_export_summary *summary, cm_error *error)
{
    if (cm_export_find_row(options->format)->directory)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "%s has files of a directory, expected its path",
                            cm_export_format_name(options->format));
    cm_export export = {.definitions = definitions, .options = options, .row = cm_export_find_row(options->format)};
    return run(&export, stream, NULL, summary, error);
}

cm_status cm_export_save(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                         cm_export_summary *summary, cm_error *error)
{
    cm_export export = {.definitions = definitions, .options = options, .row = cm_export_find_row(options->format)};
    return run(&export, NULL, path, summary, error);
}
