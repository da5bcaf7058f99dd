/* What a person can do about an event or a component that cannot be counted here. */
#ifndef CM_COUNTING_HINTS_H
#define CM_COUNTING_HINTS_H

#include <stddef.h>

#include "counting/machine.h"

enum { CM_HINT_SIZE = 512 };

/* Writes the advice for PAPI's `reason` in `component` on `machine`, "" if none is known; returns `buffer`. */
char *cm_hint(const cm_machine *machine, const char *component, const char *reason, char *buffer, size_t size);

#endif
