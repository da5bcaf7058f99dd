/* The files of a bundle, and their list, which is its first member. */
#ifndef CM_BUNDLE_LIST_H
#define CM_BUNDLE_LIST_H

#include <catmint/bundle.h>

#include "core/files.h"

#define CM_BUNDLE_SCHEMA "catmint.bundle/1"
#define CM_BUNDLE_LIST "bundle.json"
enum { CM_BUNDLE_BLOCK = 1 << 16 /* bytes that are copied at once */ };

typedef struct cm_bundle_file {
    char *source; /* path on this machine, NULL in a list that was read */
    char *path;   /* in the bundle */
    uint64_t bytes;
    char digest[CM_BUNDLE_DIGEST_SIZE];
    bool seen; /* it was unpacked */
} cm_bundle_file;

/* Zero-initialised: empty. */
typedef struct cm_bundle_list {
    size_t count, capacity;
    cm_bundle_file *files; /* by path */
} cm_bundle_list;

/* Finds the files of a part, with their digests. Free with cm_bundle_list_clear, also after a failure. */
cm_status cm_bundle_list_find(const cm_bundle_part *part, cm_bundle_list *list, cm_error *error);
/* The same for named files. */
cm_status cm_bundle_list_add(const cm_bundle_files *files, cm_bundle_list *list, cm_error *error);
void cm_bundle_list_clear(cm_bundle_list *list);

/* The list as JSON, which the caller frees; NULL without memory. */
char *cm_bundle_list_text(const cm_bundle_list *list);
/* CM_BAD_INPUT if the text is no such list, has a path that may lead out of the bundle, or has a path twice. `file` is
 * the bundle's, for messages. */
cm_status cm_bundle_list_parse(const char *text, size_t size, const char *file, cm_bundle_list *list,
                               cm_bundle_summary *summary, cm_error *error);
/* NULL if it is not listed. */
cm_bundle_file *cm_bundle_list_get(const cm_bundle_list *list, const char *path);
/* `digest`: of the list's text. */
void cm_bundle_summarise(const cm_bundle_list *list, const char *digest, cm_bundle_summary *summary);

/* ---- digest.c: SHA-256 ---- */

typedef struct cm_digest cm_digest;

cm_digest *cm_digest_create(void); /* NULL without memory */
void cm_digest_add(cm_digest *digest, const void *bytes, size_t size);
/* Writes the digest and frees its state. */
void cm_digest_end(cm_digest *digest, char text[CM_BUNDLE_DIGEST_SIZE]);
/* The digest and size of a file; CM_IO. */
cm_status cm_digest_file(const char *path, char text[CM_BUNDLE_DIGEST_SIZE], uint64_t *bytes, cm_error *error);

/* ---- frame.c ---- */

/* Checks a bundle around its members: CM_BAD_INPUT if it is cut off, or has data behind its members. */

/* `end`: the end of the last member in the tar. CM_BAD_INPUT unless the file is one gzip stream without name and time,
 * with the right length and CRC, and only zeros follow the end. */
cm_status cm_bundle_check_frame(const char *path, uint64_t end, cm_error *error);

#endif
