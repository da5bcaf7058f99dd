/* LIKWID's performance groups. */
#ifndef CM_FORMATS_LIKWID_LIKWID_H
#define CM_FORMATS_LIKWID_LIKWID_H

#include "formats/writer.h"
#include "formulas/formulas.h"

cm_status cm_likwid_read(cm_formulas *formulas, cm_error *error);
/* Writes one group after the other. */
cm_status cm_likwid_write(cm_writing *writing, FILE *stream, cm_error *error);
cm_status cm_likwid_save(cm_writing *writing, const char *path, cm_error *error);

/* Writes A_B for A:B. */
const char *cm_likwid_event(const char *event, char *name, size_t size);

#endif
