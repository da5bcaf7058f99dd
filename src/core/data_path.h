/* What else comes with catmint, beside its data. */
#ifndef CM_CORE_DATA_PATH_H
#define CM_CORE_DATA_PATH_H

#include <catmint/error.h>

/* The path of a file in lib/catmint, where plugins for other programs are; *path is NULL where it is not there. Free
 * with free(). */
cm_status cm_plugin_path(const char *name, char **path, cm_error *error);

#endif
