/* Events named by their codes, as in sweeps of codes: cpu:event=0xc7,umask=0x10. */
#ifndef CM_EVENTS_CODES_H
#define CM_EVENTS_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cm_event_code {
    size_t device_length; /* of the text */
    uint64_t event, umask;
    bool has_umask;  /* the device's codes have a unit mask */
    bool plain;      /* it has no other fields than event and unit mask */
    uint64_t config; /* the code in perf's raw events, if `packable` */
    bool packable;   /* all its fields have the same places on all processors of their kind */
} cm_event_code;

/* False if the text is no name of a code. A code with a unit mask is assumed to be of x86, where edge, inv and cmask
 * are at bits 18, 23 and 24 and an event of more than 8 bits continues at bit 32; a code without is the event alone. */
bool cm_event_code_parse(const char *text, cm_event_code *code);

#endif
