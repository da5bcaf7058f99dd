/* What manifests of catmint hold. */
#ifndef CM_VALIDATION_MANIFEST_H
#define CM_VALIDATION_MANIFEST_H

#include <catmint/error.h>

/* Holds the manifest in the file to its schema and to its own checksum; `path` is what messages call it. One that does
 * not name the catmint that wrote it is of people who write tables: it need only say what an analysis reads.
 * CM_BAD_INPUT. */
cm_status cm_manifest_check(const char *file, const char *path, cm_error *error);

#endif
