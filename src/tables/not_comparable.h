/* A mark in tables that may leave their directory: `# Not comparable: why`. */
#ifndef CM_TABLES_NOT_COMPARABLE_H
#define CM_TABLES_NOT_COMPARABLE_H

#include <catmint/error.h>

#define CM_NOT_COMPARABLE_MARK "Not comparable: "

/* *why, to be freed, is the text behind the mark. NULL: there is none, or the file cannot be read as CSV.
 * CM_NO_MEMORY. */
cm_status cm_table_not_comparable(const char *path, char **why, cm_error *error);

#endif
