/* PAPI's tables of derived events, and its names of metrics and events. */
#ifndef CM_FORMATS_PAPI_PAPI_H
#define CM_FORMATS_PAPI_PAPI_H

#include "formats/format.h"

/* ---- Tables of PAPI's derived events: papi_events.csv, and files of user-defined events ---- */

enum {
    CM_PAPI_TERMS = 12,  /* PAPI_MAX_INFO_TERMS; also the depth of its stack */
    CM_PAPI_LINE = 2048, /* LINE_MAX, with the line feed and a NUL */
};

/* One field of a line, without blanks around it. */
typedef struct cm_papi_field {
    const char *text;
    size_t column;
} cm_papi_field;

/* The current definition. */
typedef struct cm_papi_definition {
    cm_formulas *formulas;
    size_t formula, line;
    size_t term_count;           /* at most CM_PAPI_TERMS */
    size_t terms[CM_PAPI_TERMS]; /* quantities */
    size_t columns[CM_PAPI_TERMS];
} cm_papi_definition;

/* ---- arithmetic.c: they fill the formula's expression; a fault is recorded, and leaves it empty ---- */

typedef enum cm_papi_type {
    CM_PAPI_NOT_DERIVED,
    CM_PAPI_ADD,
    CM_PAPI_SUB,
    CM_PAPI_PS,
    CM_PAPI_ADD_PS,
    CM_PAPI_CMPD,
    CM_PAPI_POSTFIX,
    CM_PAPI_INFIX,
} cm_papi_type;

cm_status cm_papi_derive(cm_papi_definition *definition, cm_papi_type type, cm_error *error);
cm_status cm_papi_infix(cm_papi_definition *definition, const cm_papi_field *arithmetic, cm_error *error);

/* ---- postfix.c ---- */

cm_status cm_papi_postfix(cm_papi_definition *definition, const cm_papi_field *arithmetic, cm_error *error);

/* ---- tree.c ---- */

/* Fills most_events, from the header beside the table in PAPI's tree: *told. Without one it is the old number. */
cm_status cm_papi_read_most_terms(cm_formulas *formulas, bool *told, cm_error *error);
/* Records a remark if a formula before `first`, of earlier sections, defines the name for one of its processors. */
cm_status cm_papi_check_sections(cm_formulas *formulas, size_t first, size_t formula, size_t column);

/* ---- presets.c ---- */

typedef struct cm_papi_presets cm_papi_presets; /* the names of PAPI's presets */

/* Without catmint's data any name is accepted. */
cm_status cm_papi_presets_load(cm_papi_presets **presets, cm_error *error);
void cm_papi_presets_free(cm_papi_presets *presets);
/* Ignores case, as PAPI does. */
bool cm_papi_presets_know(const cm_papi_presets *presets, const char *name);

/* ---- papi ---- */

enum {
    /* PAPI_EVENTS_IN_DERIVED_EVENT up to PAPI 7.2, which silently drops further terms; later it is 12. */
    CM_PAPI_OLD_TERMS = 8,
};

cm_status cm_papi_read(cm_formulas *formulas, cm_error *error);

const char *cm_papi_preset(const cm_writing_item *item, char *name, size_t size);
/* Copies the name without a core's component. */
const char *cm_papi_event(const char *event, char *name, size_t size);

/* ---- patch.c: changes definitions in PAPI's own table of presets ---- */

/* Writes, as a unified diff, the changes to PAPI's table `path` that make the presets of `table`, which cm_papi_write
 * wrote, valid for the PMUs. A preset defined in sections of these PMUs alone is replaced there. Others are added in a
 * section of their own, behind the last section that names one of the PMUs, so that they take precedence; or at the end
 * of the table if no section does. A definition that is the same does not change. *changed: the number of changed
 * presets. CM_IO, CM_NO_MEMORY. */
cm_status cm_papi_patch(const char *table, const char *path, const char *const *pmus, size_t pmu_count, FILE *stream,
                        size_t *changed, cm_error *error);

#endif
