/* The version of the library. */
#include <catmint/version.h>

const char *cm_version(void)
{
    return CATMINT_VERSION;
}
