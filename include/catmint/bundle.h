/* Bundles: directories packed into one archive, with the SHA-256 of every file, that another catmint verifies. */
#ifndef CATMINT_BUNDLE_H
#define CATMINT_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this catmint was built with libarchive and nettle; without them these functions return CM_UNSUPPORTED. */
CM_API bool cm_bundle_available(void);

/* A directory, and the directory of its files in the bundle: "measurements", or "" for the top. */
typedef struct cm_bundle_part {
    const char *directory;
    const char *prefix;
} cm_bundle_part;

/* Named files: the path of each on disk, and its path in the bundle below the prefix. */
typedef struct cm_bundle_files {
    const char *prefix;
    size_t count;
    char *const *sources, *const *paths;
} cm_bundle_files;

#define CM_BUNDLE_DIGEST_SIZE 65

typedef struct cm_bundle_summary {
    size_t files;
    uint64_t bytes;
    char digest[CM_BUNDLE_DIGEST_SIZE]; /* SHA-256 of the list of files, hexadecimal; it identifies the bundle */
    char catmint[32];                   /* the version that made it */
} cm_bundle_summary;

/* Packs all regular files of the parts, except hidden ones, into the file `path` (a gzipped pax archive). Its first
 * member, bundle.json (schema "catmint.bundle/1"), lists the others. `path` is whole, or as it was before. CM_IO. */
CM_API cm_status cm_bundle_write(const cm_bundle_part *parts, size_t count, const char *path,
                                 cm_bundle_summary *summary, cm_error *error);

/* Packs named files, and all files of one part, in the same way. */
CM_API cm_status cm_bundle_write_files(const cm_bundle_files *files, const cm_bundle_part *part, const char *path,
                                       cm_bundle_summary *summary, cm_error *error);

/* Unpacks a bundle into an existing, empty directory and compares every file with the list. CM_BAD_INPUT if it is no
 * bundle, a file is missing, changed or not listed, or a path leads out of the directory; CM_IO. Files unpacked before
 * the error stay. */
CM_API cm_status cm_bundle_unpack(const char *path, const char *directory, cm_bundle_summary *summary, cm_error *error);

/* Compares the unpacked files with those that were derived from the bundle's results once more, in the directory
 * `derived`. CM_BAD_INPUT if one of these is missing among the unpacked ones or differs, or if `part`, a directory in
 * both ("exports"), has more files; CM_IO. */
CM_API cm_status cm_bundle_check_derived(const char *unpacked, const char *derived, const char *part, cm_error *error);

/* Compares the results in the file `said` with those in the file `found`, which were derived from the measurements: the
 * same members, texts and whole numbers; numbers may differ by less than a millionth, or be next to nothing.
 * CM_BAD_INPUT names the first difference. */
CM_API cm_status cm_bundle_check_results(const char *said, const char *found, cm_error *error);

/* CM_BAD_INPUT if an unpacked file is none of `measured`, none of `others`, and not below the directory `part`. */
CM_API cm_status cm_bundle_check_others(const char *unpacked, const cm_bundle_files *measured,
                                        const char *const *others, size_t count, const char *part, cm_error *error);

/* ---- signatures, by ssh-keygen -Y: CM_UNSUPPORTED if OpenSSH's client is not installed ---- */

/* Whether a signature may be written there: the path is free, or holds another signature. CM_IO. */
CM_API cm_status cm_bundle_check_signature_place(const char *signature, cm_error *error);
/* Signs the file with a private key, or with a public key whose private key an agent has, for the namespace
 * catmint-bundle. CM_UNSUPPORTED with ssh-keygen's words if that fails; CM_IO. */
CM_API cm_status cm_bundle_sign(const char *path, const char *key, const char *signature, cm_error *error);
/* Whether the signature is one of that file by a signer whom the file `signers` lists (ALLOWED SIGNERS in
 * ssh-keygen(1)). *signer: the signer's name; free it. CM_BAD_INPUT if it is not. */
CM_API cm_status cm_bundle_verify(const char *path, const char *signature, const char *signers, char **signer,
                                  cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
