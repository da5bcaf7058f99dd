/* A directory of measurements, of a sweep, a merge or an import: tables, events.csv, and manifest.json, the record that
 * lists them. */
#ifndef CM_TABLES_MEASURED_H
#define CM_TABLES_MEASURED_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "core/folder.h"

/* Schemas of manifests. */
#define CM_SWEEP_SCHEMA "catmint.sweep/1"
#define CM_IMPORT_SCHEMA "catmint.import/1"

/* The manifest, and the folder of a commit that is not finished. */
#define CM_MEASURED_MANIFEST "manifest.json"
#define CM_MEASURED_PREFIX ".sweep-"
#define CM_MEASURED_COMMIT CM_MEASURED_PREFIX CM_FOLDER_COMMIT

/* The journal of a sweep, which is also the manifest's member that ends it; and what the file begins with, of any
 * version and of this one. */
#define CM_JOURNAL_NAME "journal"
#define CM_JOURNAL_KIND "catmint.journal/"
#define CM_JOURNAL_SCHEMA CM_JOURNAL_KIND "1"

/* The manifest's member of a sweep that was ended early: an array of what each benchmark lacks. */
#define CM_INCOMPLETE_KEY "incomplete"

/* ---- writing ---- */

/* cm_folder_open for such a directory: `tables` are the names of those that may be written. Only a sweep writes where
 * an unfinished sweep lies, of which its journal says more: else CM_BAD_ARGUMENT. */
cm_status cm_measured_begin(const char *directory, const char *const *tables, size_t count, bool sweeps,
                            cm_folder **folder, cm_error *error);

/* Notes in the manifest of a sweep that is complete which journal it ends: killed before it removes the journal, it is
 * still known to be complete. CM_NO_MEMORY. */
cm_status cm_measured_end_journal(const char *directory, json_t *manifest, cm_error *error);
/* Removes the journal that the manifest there ends, unless its sweep is still at work. */
void cm_measured_drop_journal(const char *directory);

/* ---- reading ---- */

/* A directory at a moment: its manifest, and whether that is in its place yet. */
typedef struct cm_measured_moment {
    uint64_t device, inode;
    struct timespec changed;
    bool committing;
    int moves; /* so far */
} cm_measured_moment;

void cm_measured_note(const char *directory, cm_measured_moment *moment);
/* Whether a process has replaced the measurements since that moment, so that what was read may be of two sweeps, or
 * missing, and is to be read again. Waits for one that is at it, and notes the moment anew. false, too, where readers
 * would never come to an end. */
bool cm_measured_has_moved(const char *directory, cm_measured_moment *moment);

typedef struct cm_measured cm_measured;

/* Takes in what the manifest lists, which may be nothing: an older catmint wrote none, and tables may lie there alone.
 * Where a commit was interrupted, what was committed is read: nothing is moved. */
cm_status cm_measured_open(const char *directory, cm_measured **measured, cm_error *error);
void cm_measured_free(cm_measured *measured);

/* The path of the manifest, whether there is one or not. */
const char *cm_measured_manifest(const cm_measured *measured);
bool cm_measured_has_manifest(const cm_measured *measured);
/* The whole manifest of the directory; *manifest stays NULL where there is none. CM_BAD_INPUT; json_decref it. */
cm_status cm_measured_read_manifest(const char *directory, json_t **manifest, cm_error *error);
/* The manifest, where it lists its files; NULL: it does not, or there is none. It belongs to `measured`. */
const json_t *cm_measured_record(const cm_measured *measured);
/* What the sweep lacks that was ended early, as its manifest says; NULL: nothing. It belongs to `measured`. */
const json_t *cm_measured_incomplete(const cm_measured *measured);
/* Whether an unfinished sweep's journal is in the directory. */
bool cm_measured_is_unfinished(const cm_measured *measured);
/* The same without a look at the manifest, which may end it. */
bool cm_measured_has_journal(const char *directory);

/* Where the file of that name is; the caller frees it. *path is NULL where there is none; *foreign says whether that
 * is so because the manifest does not list the one that is there. CM_BAD_INPUT where it is not as the manifest says. */
cm_status cm_measured_find(const cm_measured *measured, const char *name, char **path, bool *foreign, cm_error *error);

#endif
