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

/* Files that are named: where each is, and its path below the prefix. */
typedef struct cm_bundle_files {
    const char *prefix;
    size_t count;
    char *const *sources, *const *paths;
} cm_bundle_files;

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

/* The same of files that are named, and of all in one part. */
CM_API cm_status cm_bundle_write_files(const cm_bundle_files *files, const cm_bundle_part *part, const char *path,
                                       cm_bundle_summary *summary, cm_error *error);

/* Unpacks a bundle into a folder that is there and empty, and holds every file against the list. CM_BAD_INPUT where it
 * is no bundle, a file is missing, was changed, or is not listed, or a path leads out of the folder; CM_IO. What was
 * unpacked before that stays. */
CM_API cm_status cm_bundle_unpack(const char *path, const char *folder, cm_bundle_summary *summary, cm_error *error);

/* Holds what is derived from a bundle's results, made once more in the folder `derived`, against what was unpacked:
 * CM_BAD_INPUT where a file of it is missing there or is another one, or where `part`, a folder in both ("exports"),
 * has more files. CM_IO. */
CM_API cm_status cm_bundle_check_derived(const char *unpacked, const char *derived, const char *part, cm_error *error);

/* Holds the results in the file `said` against those in the file `found`, which the measurements lead to: the same
 * members, texts and whole numbers, and numbers that differ by less than a millionth or that are next to nothing.
 * CM_BAD_INPUT names the first that is another. */
CM_API cm_status cm_bundle_check_results(const char *said, const char *found, cm_error *error);

/* CM_BAD_INPUT where a file was unpacked that is none of `measured`, none of `others`, and not below
 * the folder `part`. */
CM_API cm_status cm_bundle_check_others(const char *unpacked, const cm_bundle_files *measured,
                                        const char *const *others, size_t count, const char *part, cm_error *error);

/* ---- signatures, by ssh-keygen -Y: CM_UNSUPPORTED where OpenSSH's client is not installed ---- */

/* Whether a signature may be written there: nothing is there, or another signature. CM_IO. */
CM_API cm_status cm_bundle_check_signature_place(const char *signature, cm_error *error);
/* Signs the file with a private key, or with a public one whose private key an agent has, for the namespace
 * catmint-bundle. CM_UNSUPPORTED with ssh-keygen's words where that cannot be; CM_IO. */
CM_API cm_status cm_bundle_sign(const char *path, const char *key, const char *signature, cm_error *error);
/* Whether the signature is one of that file by somebody whom the file `signers` lists, as ssh-keygen(1) says of ALLOWED
 * SIGNERS. *signer: who; free it. CM_BAD_INPUT where it is not. */
CM_API cm_status cm_bundle_verify(const char *path, const char *signature, const char *signers, char **signer,
                                  cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
