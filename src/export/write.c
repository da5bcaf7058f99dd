/* What is the same for all formats: opening, writing, putting in place. */
#include "formats/writer.h"

#include "core/document.h"
#include "core/error.h"

static cm_status put(void *content, FILE *stream, cm_error *error)
{
    cm_export *export = content;
    return export->row->write(export, stream, error);
}

static cm_status run(cm_export *export, FILE *stream, const char *path, cm_export_summary *summary, cm_error *error)
{
    const cm_export_row *row = export->row;
    const cm_document document = {"definitions", put, export};
    cm_status status = cm_export_prepare(export, error);
    if (status == CM_OK && row->directory)
        status = row->save(export, path, error);
    else if (status == CM_OK)
        status =
            stream != NULL ? cm_document_write(&document, stream, error) : cm_document_save(&document, path, error);
    if (status == CM_OK && !row->directory && stream == NULL)
        export->summary.files = 1;
    if (status == CM_OK && summary != NULL)
        *summary = export->summary;
    cm_export_clear(export);
    return status;
}

cm_status cm_export_write(const cm_definitions *definitions, const cm_export_options *options, FILE *stream,
                          cm_export_summary *summary, cm_error *error)
{
    if (cm_export_find_row(options->format)->directory)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "%s is written as a directory of files, expected its path",
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
