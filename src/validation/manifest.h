/* The contents of catmint's manifests. */
#ifndef CM_VALIDATION_MANIFEST_H
#define CM_VALIDATION_MANIFEST_H

#include <catmint/error.h>

/* Checks the manifest in the file against its schema and its own checksum; `path` is its name in messages. One without
 * the name of the catmint that wrote it was written by hand: it needs only the members that an analysis reads.
 * CM_BAD_INPUT. */
cm_status cm_manifest_check(const char *file, const char *path, cm_error *error);

#endif
