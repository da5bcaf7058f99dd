/* Events that are named by their codes, as sweeps of codes name them: cpu:event=0xc7,umask=0x10. */
#ifndef CM_EVENTS_CODES_H
#define CM_EVENTS_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cm_event_code {
    size_t device_length; /* of the text */
    uint64_t event, umask;
    bool has_umask;  /* the device's codes have a unit mask */
    bool plain;      /* event and unit mask are all of it */
    uint64_t config; /* as perf's raw events have it, where `packable` */
    bool packable;   /* its fields are those that have the same places on all processors of their kind */
} cm_event_code;

/* False where the text is no name of a code. A code with a unit mask is taken for one of x86, where edge, inv and cmask
 * stand at bits 18, 23 and 24 and an event beyond 8 bits goes on at bit 32; one without is all of its event. */
bool cm_event_code_parse(const char *text, cm_event_code *code);

#endif
