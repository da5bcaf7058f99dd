/* What the processor says of a hypervisor: a folder for each architecture that says something, `none` for the rest. */
#ifndef CM_COUNTING_HYPERVISOR_H
#define CM_COUNTING_HYPERVISOR_H

#include <stdbool.h>

enum { CM_HYPERVISOR_NAME_SIZE = 16 };

/* Whether this is a virtual machine as far as the processor tells; `name` is the hypervisor's, "" if unknown. */
bool cm_hypervisor_read(char name[CM_HYPERVISOR_NAME_SIZE]);

#endif
