/* A directory of measurements, from a sweep, merge or import: tables, events.csv, manifest.json, their record. */
#ifndef CM_TABLES_MEASURED_H
#define CM_TABLES_MEASURED_H

#include <time.h>

#include "core/files.h"

/* Schemas of manifests. */
#define CM_SWEEP_SCHEMA "catmint.sweep/1"
#define CM_IMPORT_SCHEMA "catmint.import/1"

/* The manifest, and the directory of a commit that is not finished. */
#define CM_MEASURED_MANIFEST "manifest.json"
#define CM_MEASURED_PREFIX ".sweep-"
#define CM_MEASURED_COMMIT CM_MEASURED_PREFIX CM_DIRECTORY_COMMIT

/* The journal of a sweep, and the manifest's member that ends it; then the beginnings of the file, of any version and
 * of this one. */
#define CM_JOURNAL_NAME "journal"
#define CM_JOURNAL_KIND "catmint.journal/"
#define CM_JOURNAL_SCHEMA CM_JOURNAL_KIND "2"

/* The manifest's member of a sweep that ended early: an array with the events that each benchmark lacks. */
#define CM_INCOMPLETE_KEY "incomplete"

/* ---- writing ---- */

/* cm_directory_open for such a directory: `tables` names those that may be written. Only a sweep may write into a
 * directory with an unfinished sweep, whose journal then decides: else CM_BAD_ARGUMENT. */
cm_status cm_measured_begin(const char *directory, const char *const *tables, size_t count, bool sweeps,
                            cm_directory **opened, cm_error *error);

/* Records in the manifest of a complete sweep which journal it ends: if the process is killed before the journal is
 * removed, the sweep is still known to be complete. CM_NO_MEMORY. */
cm_status cm_measured_end_journal(const char *directory, json_t *manifest, cm_error *error);
/* Removes the journal that the manifest in the directory ends, unless its sweep is still at work. */
void cm_measured_drop_journal(const char *directory);

/* ---- reading ---- */

/* The state of a directory at some time: its manifest, and whether that is in its final place. */
typedef struct cm_measured_moment {
    uint64_t device, inode;
    struct timespec changed;
    bool committing;
    int moves; /* replacements so far */
} cm_measured_moment;

void cm_measured_note(const char *directory, cm_measured_moment *moment);
/* Whether a process has replaced the measurements since that time, so that parts may be missing or of two sweeps, and
 * must be read again. Waits for a commit in progress, and updates the moment. False also if readers would never
 * finish. */
bool cm_measured_has_moved(const char *directory, cm_measured_moment *moment);

typedef struct cm_measured cm_measured;

/* Reads the list in the manifest, if there is one: an older catmint wrote none, and tables may lie there without a
 * manifest. If a commit was interrupted, the committed files are read; none is moved. */
cm_status cm_measured_open(const char *directory, cm_measured **measured, cm_error *error);
void cm_measured_free(cm_measured *measured);

/* The path of the manifest, which need not exist. */
const char *cm_measured_manifest(const cm_measured *measured);
bool cm_measured_has_manifest(const cm_measured *measured);
/* The whole manifest of the directory; *manifest stays NULL if there is none. CM_BAD_INPUT; json_decref it. */
cm_status cm_measured_read_manifest(const char *directory, json_t **manifest, cm_error *error);
/* The manifest if it lists its files, else NULL. Owned by `measured`. */
const json_t *cm_measured_record(const cm_measured *measured);
/* The events that a sweep lacks because it ended early, as its manifest says; NULL: none. Owned by `measured`. */
const json_t *cm_measured_incomplete(const cm_measured *measured);
/* Whether the directory has the journal of an unfinished sweep. */
bool cm_measured_is_unfinished(const cm_measured *measured);
/* The same without reading the manifest, which may end the journal. */
bool cm_measured_has_journal(const char *directory);

/* The path of a file; the caller frees it. *path is NULL if there is none; *foreign: there is one, but the manifest
 * does not list it. CM_BAD_INPUT if it differs from the manifest. */
cm_status cm_measured_find(const cm_measured *measured, const char *name, char **path, bool *foreign, cm_error *error);

#endif
