/* An export in progress. */
#ifndef CM_FORMATS_EXPORT_EXPORT_H
#define CM_FORMATS_EXPORT_EXPORT_H

#include <catmint/export_definitions.h>
#include <catmint/names.h>

#include "formulas/events/events.h"
#include "formats/format.h"

/* ---- export ---- */

/* One definition. */
typedef struct cm_export_piece {
    const char *metric;  /* the same pointer as in the definitions */
    const char *text;    /* in the format; NULL if it was refused */
    const char *refusal; /* the reason; NULL if it was not refused */
} cm_export_piece;

/* Receives a piece, whose text and refusal live until it returns. */
typedef void (*cm_export_take)(const cm_export_piece *piece, void *data);

/* The names of all events of definitions, found by any spelling. */
typedef struct cm_export_names cm_export_names;

typedef struct cm_export {
    const cm_definitions *definitions;
    const cm_export_options *options;
    const cm_foreign_format *format;
    cm_known_events *known;       /* events that the other program counts; NULL: unknown */
    const cm_export_names *names; /* NULL: made for this export */
    char *origin;
    cm_writing writing; /* its items: definitions that are not refused yet */
    cm_export_summary summary;
    cm_export_take take; /* receives refused definitions instead of the options' note; NULL: none */
    void *take_data;
} cm_export;

/* ---- write.c ---- */

/* Begins an export. CM_BAD_ARGUMENT if there is no such format. */
cm_status cm_export_begin(const cm_definitions *definitions, const cm_export_options *options, cm_export *export,
                          cm_error *error);

/* Writes an export into memory, which the caller frees also after a failure. */
cm_status cm_export_text(const cm_definitions *definitions, const cm_export_options *options, char **text, size_t *size,
                         cm_export_summary *summary, cm_error *error);

/* ---- pieces.c ---- */

/* Writes each definition by itself, as if it were the only one, and passes it, or the reason why it was refused, to
 * `take`. `names` are those of the definitions. */
cm_status cm_export_pieces(const cm_definitions *definitions, const cm_export_options *options,
                           const cm_export_names *names, cm_export_take take, void *data, cm_error *error);

/* ---- formats.c ---- */

/* NULL if definitions cannot be exported to a format of that name. */
const cm_foreign_format *cm_export_find_format(const char *name);

/* ---- items.c ---- */

/* For several exports of the same definitions, which must live as long. `core` NULL: of all types. */
cm_status cm_export_names_create(const cm_definitions *definitions, const cm_core_type *core, cm_export_names **names,
                                 cm_error *error);
void cm_export_names_free(cm_export_names *names);
/* Chooses definitions and names them; those that cannot be named are refused. `names` NULL: made for this export. Clear
 * `export` in any case. */
cm_status cm_export_prepare(cm_export *export, const cm_export_names *names, cm_error *error);
void cm_export_clear(cm_export *export);

/* ---- cores.c ---- */

typedef cm_status (*cm_export_core)(cm_export *export, const cm_core_type *core, cm_error *error);
/* Calls `take` for each type of cores that the user wants; once with NULL if cores are all alike. CM_BAD_ARGUMENT if
 * none is left, or several that the format cannot distinguish. */
cm_status cm_export_each_core(cm_export *export, cm_export_core take, cm_error *error);

/* ---- remark.c ---- */

/* Fills the item's evidence, after its events have been named. */
cm_status cm_export_describe(const cm_definitions *definitions, const cm_defined_metric *metric, cm_writing_item *item,
                             cm_error *error);

/* The origin of all definitions, without comma: "catmint: definitions of software:golden-cove". The caller frees it. */
cm_status cm_export_origin_create(const cm_definitions *definitions, char **origin, cm_error *error);

/* ---- names.c: names of the events of definitions: of all, or of those for one type of cores ---- */

/* All events of the results, each once: a name must not be mistaken for any other. */
typedef struct cm_event_list {
    const char **events;
    size_t count, capacity;
    cm_name_index *index;
} cm_event_list;

struct cm_export_names {
    cm_event_list list;
    cm_event_names *names;
};

/* Whether `name` is this type of cores; if cores are all alike, `core` is NULL. */
bool cm_core_has(const cm_core_type *core, const char *name);

#endif
