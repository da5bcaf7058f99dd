/* The table of formats, and what is the same for all: opening, writing, putting in place. */
#include "results/export.h"

#include <errno.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"

static const cm_export_row rows[CM_EXPORT_FORMATS] = {
    [CM_EXPORT_TO_PAPI] = {"papi", false, false, cm_export_preset, cm_export_papi_event, cm_export_papi, NULL},
    [CM_EXPORT_TO_PAPI_USER] = {"papi-user", false, false, cm_export_identifier, cm_export_papi_event,
                                cm_export_papi_user, NULL},
    [CM_EXPORT_TO_LIKWID] = {"likwid", true, true, cm_export_plain_metric, cm_export_likwid_event, NULL,
                             cm_export_likwid},
    [CM_EXPORT_TO_PERF] = {"perf", false, true, cm_export_identifier, cm_export_perf_event, cm_export_perf, NULL},
    [CM_EXPORT_TO_CSV] = {"csv", false, false, cm_export_plain_metric, cm_export_csv_event, cm_export_csv, NULL},
};

const cm_export_row *cm_export_find_row(cm_export_format format)
{
    return &rows[format];
}

const char *cm_export_format_name(cm_export_format format)
{
    return rows[format].name;
}

bool cm_export_format_parse(const char *name, cm_export_format *format)
{
    for (size_t i = 0; i < CM_EXPORT_FORMATS; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *format = (cm_export_format)i;
            return true;
        }
    return false;
}

static cm_status write_stream(cm_export *export, FILE *stream, cm_error *error)
{
    errno = 0;
    cm_status status = cm_export_find_row(export->options->format)->write(export, stream, error);
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
    const cm_export_row *row = cm_export_find_row(export->options->format);
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
    cm_export export = {.definitions = definitions, .options = options};
    return run(&export, stream, NULL, summary, error);
}

cm_status cm_export_save(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                         cm_export_summary *summary, cm_error *error)
{
    cm_export export = {.definitions = definitions, .options = options};
    return run(&export, NULL, path, summary, error);
}
