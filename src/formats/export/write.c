/* The common part of all formats: opening, writing, committing. */
#include "formats/export/export.h"

#include "core/files.h"
#include "formats/papi/papi.h"

static cm_status write_content(void *content, FILE *stream, cm_error *error)
{
    cm_export *export = content;
    return export->format->write(&export->writing, stream, error);
}

/* Prepares the export and writes it to the stream or path. */
static cm_status run_export(cm_export *export, FILE *stream, const char *path, cm_export_summary *summary,
                            cm_error *error)
{
    const cm_foreign_format *format = export->format;
    const cm_document document = {"definitions", write_content, export};
    cm_status status = cm_export_prepare(export, NULL, error);
    if (status == CM_OK && format->save != NULL)
        status = format->save(&export->writing, path, error);
    else if (status == CM_OK)
        status =
            stream != NULL ? cm_document_write(&document, stream, error) : cm_document_save(&document, path, error);
    if (status == CM_OK && summary != NULL) {
        *summary = export->summary;
        summary->written = export->writing.written;
        summary->files = format->save != NULL ? export->writing.files : stream == NULL;
    }
    cm_export_clear(export);
    return status;
}

cm_status cm_export_begin(const cm_definitions *definitions, const cm_export_options *options, cm_export *export,
                          cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_export_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    *export =
        (cm_export){.definitions = definitions, .options = options, .format = cm_export_find_format(options->format)};
    if (export->format == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "'%.200s' is not a format of exports",
                       options->format != NULL ? options->format : "");
    return CM_OK;
}

cm_status cm_export_write(const cm_definitions *definitions, const cm_export_options *options, FILE *stream,
                          cm_export_summary *summary, cm_error *error)
{
    cm_export export;
    cm_status status = cm_export_begin(definitions, options, &export, error);
    if (status != CM_OK)
        return status;
    if (export.format->save != NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%s is written as a directory of files, expected its path",
                       options->format);
    return run_export(&export, stream, NULL, summary, error);
}

cm_status cm_export_save(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                         cm_export_summary *summary, cm_error *error)
{
    cm_export export;
    cm_status status = cm_export_begin(definitions, options, &export, error);
    return status == CM_OK ? run_export(&export, NULL, path, summary, error) : status;
}

cm_status cm_export_text(const cm_definitions *definitions, const cm_export_options *options, char **text, size_t *size,
                         cm_export_summary *summary, cm_error *error)
{
    FILE *memory = cm_memory_stream(text, size);
    if (memory == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_export_write(definitions, options, memory, summary, error);
    return fclose(memory) != 0 && status == CM_OK ? cm_error_no_memory(error) : status;
}

/* Inserts the same table as in a file of its own into PAPI's. */
cm_status cm_export_patch(const cm_definitions *definitions, const cm_export_options *options, const char *table,
                          FILE *stream, cm_export_summary *summary, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_export_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    char *text = NULL;
    size_t size, changed = 0;
    cm_export_summary written = {0};
    if (options->format == NULL || strcmp(options->format, "papi") != 0 || options->cpu_count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a patch is of PAPI's table, for a PMU");
    cm_status status = cm_export_text(definitions, options, &text, &size, &written, error);
    CM_THEN(status, cm_papi_patch(text, table, options->cpus, options->cpu_count, stream, &changed, error));
    if (status == CM_OK && (fflush(stream) != 0 || ferror(stream)))
        status = CM_FAIL(error, CM_IO, "the patch cannot be written");
    written.written = changed;
    if (status == CM_OK && summary != NULL)
        *summary = written;
    free(text);
    return status;
}
