/* catmint's own files of formulas. */
#ifndef CM_FORMATS_CSV_CSV_H
#define CM_FORMATS_CSV_CSV_H

#include "formats/format.h"

cm_status cm_csv_write_formulas(cm_writing *writing, FILE *stream, cm_error *error);

/* Quotes the name if necessary. */
const char *cm_csv_event(const char *event, char *name, size_t size);

/* ---- relations.c ---- */

/* Finds parents and wholes by their names. Faults are recorded, and their formulas lose their expressions. */
cm_status cm_csv_find_relations(cm_formulas *formulas, cm_error *error);

#endif
