/* An export under way. */
#ifndef CM_EXPORT_EXPORT_H
#define CM_EXPORT_EXPORT_H

#include <catmint/export_definitions.h>

#include "export/known.h"
#include "formats/format.h"

typedef struct cm_export {
    const cm_definitions *definitions;
    const cm_export_options *options;
    const cm_foreign_format *format;
    cm_known_events *known; /* what the other program counts; NULL: not known */
    char *origin;
    cm_writing writing; /* its items: definitions that are not refused yet */
    cm_export_summary summary;
} cm_export;

/* ---- formats.c ---- */

/* NULL where definitions cannot be exported to a format of that name. */
const cm_foreign_format *cm_export_find_format(const char *name);

/* ---- items.c ---- */

/* Chooses definitions and names them; those that cannot be named are refused. Clear `export` in any case. */
cm_status cm_export_prepare(cm_export *export, cm_error *error);
void cm_export_clear(cm_export *export);

/* ---- remark.c ---- */

/* Fills what the item says of how far the metric can be trusted. */
cm_status cm_export_describe(const cm_definitions *definitions, const cm_defined_metric *metric, cm_writing_item *item,
                             cm_error *error);

/* "catmint: definitions of software:golden-cove": where all of them come from, without comma. The caller frees it. */
cm_status cm_export_origin_create(const cm_definitions *definitions, char **origin, cm_error *error);

#endif
