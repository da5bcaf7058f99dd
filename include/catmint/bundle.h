/* Bundles: folders packed into one archive, with the SHA-256 of every file, that another catmint verifies. */
#ifndef CATMINT_BUNDLE_H
#define CATMINT_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this catmint was built with libarchive and nettle; without them functions here are CM_UNSUPPORTED. */
CM_API bool cm_bundle_available(void);

/* A folder, and where in the bundle its files lie: "measurements", or "" for the top. */
typedef struct cm_bundle_part {
    const char *folder;
    const char *prefix;
} cm_bundle_part;

#define CM_BUNDLE_DIGEST_SIZE 65

typedef struct cm_bundle_summary {
    size_t files;
    uint64_t bytes;
    char digest[CM_BUNDLE_DIGEST_SIZE]; /* SHA-256 of the list of files, hexadecimal: who knows it knows the bundle */
    char catmint[32];                   /* the version that made it */
} cm_bundle_summary;

/* Packs all regular files of the parts, hidden ones left out, into the file `path` (a gzipped pax archive), which is
 * whole or as it was before. Its first member, bundle.json (schema "catmint.bundle/1"), lists the others. CM_IO. */
CM_API cm_status cm_bundle_write(const cm_bundle_part *parts, size_t count, const char *path,
                                 cm_bundle_summary *summary, cm_error *error);

/* Unpacks a bundle into a folder that is there and empty, and holds every file against the list. CM_BAD_INPUT where it
 * is no bundle, a file is missing, was changed, or is not listed, or a path leads out of the folder; CM_IO. What was
 * unpacked before that stays. */
CM_API cm_status cm_bundle_unpack(const char *path, const char *folder, cm_bundle_summary *summary, cm_error *error);

/* Holds what is derived from a bundle's results, made once more in the folder `derived`, against what was unpacked:
 * CM_BAD_INPUT where a file of it is missing there or is another one, or where `part`, a folder in both ("exports"),
 * has more files. CM_IO. */
CM_API cm_status cm_bundle_check_derived(const char *unpacked, const char *derived, const char *part, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
