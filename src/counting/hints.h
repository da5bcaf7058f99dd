/* Advice for events and components that cannot be counted here. */
#ifndef CM_COUNTING_HINTS_H
#define CM_COUNTING_HINTS_H

#include <stddef.h>

#include "counting/machine.h"

enum { CM_HINT_SIZE = 512 };

/* Writes advice for PAPI's `reason` in `component` on `machine`, "" if there is none; returns `buffer`. */
char *cm_hint(const cm_machine *machine, const char *component, const char *reason, char *buffer, size_t size);

#endif
