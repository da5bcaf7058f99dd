#include <catmint/audit.h>

#include <errno.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "results/audit.h"

cm_status cm_audit_write(const cm_audit *audit, const cm_audit_style *style, FILE *stream, cm_error *error)
{
    errno = 0;
    cm_status status = style->json ? cm_audit_write_json(audit, stream, error)
                                   : cm_audit_write_table(audit, style->width, style->colour, stream, error);
    if (status == CM_OK && (fflush(stream) != 0 || ferror(stream)))
        return cm_error_set(error, CM_IO, NULL, 0, 0, "the audit cannot be written: %s",
                            strerror(errno != 0 ? errno : EIO));
    return status;
}

cm_status cm_audit_save(const cm_audit *audit, const cm_audit_style *style, const char *path, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status != CM_OK)
        return status;
    /* A stream that fails is told by the commit, with the path. */
    cm_error ignored;
    status = cm_audit_write(audit, style, cm_output_stream(output), &ignored);
    if (status == CM_NO_MEMORY)
        cm_error_no_memory(error);
    else
        status = cm_output_commit(output, error);
    cm_output_free(output);
    return status;
}
