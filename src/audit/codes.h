/* Events by their numbers in the processor's documents: event code and unit mask, which libpfm4 knows of its names. */
#ifndef CM_AUDIT_CODES_H
#define CM_AUDIT_CODES_H

#include <stdbool.h>

#include <catmint/definitions.h>
#include <catmint/names.h>

#include "events/events.h"
#include "events/known.h"

typedef struct cm_event_codes {
    cm_libpfm_list *list;
    cm_event_names *names;  /* of the list */
    cm_known_events *known; /* the same with the kernel's own, in any combination of unit masks */
} cm_event_codes;

/* Loads the codes of the definitions' processor; *codes is all NULL if that, or libpfm4, is not known. Clear in any
 * case. */
cm_status cm_event_codes_load(const cm_definitions *definitions, cm_event_codes *codes, cm_error *error);
void cm_event_codes_clear(cm_event_codes *codes);

/* The event of `names` that has the code and unit mask of `name`, which is another name of libpfm4's, or spelled by
 * numbers, cpu/event=0xc7,umask=0x1/, or by a name with another unit mask, NAME:u0x1. CM_NO_NAME: there is none. */
size_t cm_event_codes_find(const cm_event_codes *codes, const cm_event_names *names, const char *name);
/* "FP_ARITH_INST_RETIRED:umask=0xfc" for cpu/event=0xc7,umask=0xfc/ or SCALAR_SINGLE:u0xfc, of several unit masks;
 * false if `name` is not spelled so. */
bool cm_event_codes_spell(const cm_event_codes *codes, const char *name, char *spelled, size_t size);

#endif
