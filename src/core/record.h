/* A record: a JSON object that is written into a directory with other files and lists them. By it a reader checks that
 * the files were written together, and a writer that they were not changed since:
 *
 *   "files": [{"name": "branch.csv", "bytes": 1234, "checksum": "fnv1a64:<16 hexadecimal digits>"}, ...]
 *   "checksum": the same of the record itself, without this member, as compact JSON with sorted keys */
#ifndef CM_CORE_RECORD_H
#define CM_CORE_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

typedef struct cm_file_mark {
    uint64_t bytes, checksum;
} cm_file_mark;

/* Whether the name is that of a file directly in its directory: no '/', and none of "", "." and "..". */
bool cm_is_bare_name(const char *name);

/* Reads size and checksum of the regular file `name` of the directory open as `folder`; `flags` (O_NOFOLLOW or 0) are
 * added to open's. False, with errno, if it cannot be read or is no regular file. */
bool cm_file_mark_read(int folder, const char *name, int flags, cm_file_mark *mark);
bool cm_same_mark(const cm_file_mark *a, const cm_file_mark *b);

/* The regular file as JSON; NULL if it is missing or no JSON, with errno ENOMEM without memory. Free with
 * json_decref. */
json_t *cm_record_load(int folder, const char *name, int flags);

/* Whether the record lists its files, all by bare names. */
bool cm_record_has_files(const json_t *record);
/* Whether the record is unchanged since it was sealed, and lists its files; false with errno ENOMEM without memory. */
bool cm_record_is_sealed(const json_t *record);
size_t cm_record_count(const json_t *record);
/* The name of a file that the record lists. */
const char *cm_record_name(const json_t *record, size_t index);
bool cm_record_find(const json_t *record, const char *name, cm_file_mark *mark);

/* A file as in the list, {"name", "bytes", "checksum"}, for other members of the record; NULL without memory. */
json_t *cm_record_entry(const char *name, const cm_file_mark *mark);
/* False if the entry is no such object. */
bool cm_record_parse_entry(const json_t *entry, cm_file_mark *mark);

/* Adds a file to the list. CM_NO_MEMORY. */
cm_status cm_record_add(json_t *record, const char *name, const cm_file_mark *mark, cm_error *error);
/* Gives the record its checksum; after that it must not change. CM_NO_MEMORY. */
cm_status cm_record_seal(json_t *record, cm_error *error);

#endif
