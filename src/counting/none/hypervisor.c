/* No hypervisor, for processors that do not report one. */
#include "counting/counting.h"

bool cm_hypervisor_read(char name[CM_HYPERVISOR_NAME_SIZE])
{
    name[0] = '\0';
    return false;
}
