/* An export under way. */
#ifndef CM_EXPORT_EXPORT_H
#define CM_EXPORT_EXPORT_H

#include <catmint/export_definitions.h>

#include "export/known.h"
#include "formats/format.h"

/* One definition by itself. */
typedef struct cm_export_piece {
    const char *metric;  /* the very text that the definitions have */
    const char *text;    /* as the format writes it; NULL where it was refused */
    const char *refusal; /* why; NULL where it was not */
} cm_export_piece;

/* Takes a piece, whose text and refusal live until it returns. */
typedef void (*cm_export_take)(const cm_export_piece *piece, void *data);

/* The names of all events of definitions, found by any of their spellings. */
typedef struct cm_export_names cm_export_names;

typedef struct cm_export {
    const cm_definitions *definitions;
    const cm_export_options *options;
    const cm_foreign_format *format;
    cm_known_events *known;       /* what the other program counts; NULL: not known */
    const cm_export_names *names; /* NULL: made for this export */
    char *origin;
    cm_writing writing; /* its items: definitions that are not refused yet */
    cm_export_summary summary;
    cm_export_take take; /* of refused definitions, instead of the options' note; NULL: of none */
    void *take_data;
} cm_export;

/* ---- write.c ---- */

/* Begins an export. CM_BAD_ARGUMENT where there is no such format. */
cm_status cm_export_begin(const cm_definitions *definitions, const cm_export_options *options, cm_export *export,
                          cm_error *error);

/* ---- pieces.c ---- */

/* Writes each definition by itself, as if it were the only one, and hands it to `take`, or why it was refused. `names`
 * are those of the definitions. */
cm_status cm_export_pieces(const cm_definitions *definitions, const cm_export_options *options,
                           const cm_export_names *names, cm_export_take take, void *data, cm_error *error);

/* ---- formats.c ---- */

/* NULL where definitions cannot be exported to a format of that name. */
const cm_foreign_format *cm_export_find_format(const char *name);

/* ---- items.c ---- */

/* For several exports of the same definitions, which must outlive it. */
cm_status cm_export_names_create(const cm_definitions *definitions, cm_export_names **names, cm_error *error);
void cm_export_names_free(cm_export_names *names);
/* Chooses definitions and names them; those that cannot be named are refused. `names` NULL: for this one export. Clear
 * `export` in any case. */
cm_status cm_export_prepare(cm_export *export, const cm_export_names *names, cm_error *error);
void cm_export_clear(cm_export *export);

/* ---- cores.c ---- */

typedef cm_status (*cm_export_core)(cm_export *export, const cm_core_type *core, cm_error *error);
/* Calls it for each type of cores that is asked for; once with NULL where cores are all alike. CM_BAD_ARGUMENT where
 * none is left, or several are and the format cannot tell them apart. */
cm_status cm_export_each_core(cm_export *export, cm_export_core take, cm_error *error);

/* ---- remark.c ---- */

/* Fills what the item, whose events have their names there, says of how far the metric can be trusted. */
cm_status cm_export_describe(const cm_definitions *definitions, const cm_defined_metric *metric, cm_writing_item *item,
                             cm_error *error);

/* "catmint: definitions of software:golden-cove": where all of them come from, without comma. The caller frees it. */
cm_status cm_export_origin_create(const cm_definitions *definitions, char **origin, cm_error *error);

#endif
