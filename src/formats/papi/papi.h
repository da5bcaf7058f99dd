/* PAPI's tables of derived events, and its names of metrics and events. */
#ifndef CM_FORMATS_PAPI_PAPI_H
#define CM_FORMATS_PAPI_PAPI_H

#include "formats/writer.h"
#include "formulas/formulas.h"

enum {
    /* PAPI_EVENTS_IN_DERIVED_EVENT up to PAPI 7.2, which silently drops further terms; later it is 12. */
    CM_PAPI_OLD_TERMS = 8,
};

cm_status cm_papi_read(cm_formulas *formulas, cm_error *error);
/* Write presets, and user events. */
cm_status cm_papi_write(cm_writing *writing, FILE *stream, cm_error *error);
cm_status cm_papi_write_user(cm_writing *writing, FILE *stream, cm_error *error);

const char *cm_papi_preset(const cm_writing_item *item, char *name, size_t size);
/* Copies the name without a core's component. */
const char *cm_papi_event(const char *event, char *name, size_t size);

#endif
