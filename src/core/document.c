#include "core/files.h"

cm_status cm_document_write(const cm_document *document, FILE *stream, cm_error *error)
{
    errno = 0;
    cm_status status = document->put(document->content, stream, error);
    bool failed = status == CM_OK && (fflush(stream) != 0 || ferror(stream));
    if (failed && errno == ENOMEM)
        return cm_error_no_memory(error);
    if (failed)
        return CM_FAIL(error, CM_IO, "%s cannot be written: %s", document->name, strerror(errno != 0 ? errno : EIO));
    return status;
}

cm_status cm_document_save(const cm_document *document, const char *path, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    CM_THEN(status, cm_document_write(document, cm_output_stream(output), error));
    /* The commit reports a stream that failed, with the path. */
    if (output != NULL && (status == CM_OK || status == CM_IO))
        status = cm_output_commit(output, error);
    cm_output_free(output);
    return status;
}
