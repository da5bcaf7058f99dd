/* Finds files that come with catmint and are no data. */
#ifndef CM_CORE_DATA_PATH_H
#define CM_CORE_DATA_PATH_H

#include <catmint/error.h>

/* The path of a file in lib/catmint, the directory of plugins for other programs; *path is NULL if it is not there.
 * Free with free(). */
cm_status cm_plugin_path(const char *name, char **path, cm_error *error);

#endif
