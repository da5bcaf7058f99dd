/* Detects a hypervisor by the processor: one directory for each architecture that can, `none` for the others. */
#ifndef CM_COUNTING_HYPERVISOR_H
#define CM_COUNTING_HYPERVISOR_H

#include <stdbool.h>

enum { CM_HYPERVISOR_NAME_SIZE = 16 };

/* Whether the processor reports a virtual machine; `name` is the hypervisor's, "" if unknown. */
bool cm_hypervisor_read(char name[CM_HYPERVISOR_NAME_SIZE]);

#endif
