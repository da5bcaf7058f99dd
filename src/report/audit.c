#include <catmint/audit.h>

#include "audit/audit.h"
#include "core/document.h"

typedef struct styled {
    const cm_audit *audit;
    const cm_audit_style *style;
} styled;

static cm_status put(void *content, FILE *stream, cm_error *error)
{
    const styled *what = content;
    return what->style->json
               ? cm_audit_write_json(what->audit, stream, error)
               : cm_audit_write_table(what->audit, what->style->width, what->style->colour, stream, error);
}

cm_status cm_audit_write(const cm_audit *audit, const cm_audit_style *style, FILE *stream, cm_error *error)
{
    return cm_document_write(&(cm_document){"the audit", put, &(styled){audit, style}}, stream, error);
}

cm_status cm_audit_save(const cm_audit *audit, const cm_audit_style *style, const char *path, cm_error *error)
{
    return cm_document_save(&(cm_document){"the audit", put, &(styled){audit, style}}, path, error);
}
