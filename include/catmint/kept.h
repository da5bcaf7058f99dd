/* Files kept beside the measurements of a directory: results, a page, presets. The file .catmint-discover lists them
 * with their checksums and names the sweep from which they were derived. So they are replaced together, a file of
 * another origin is never replaced, and those of an earlier sweep are recognised. */
#ifndef CATMINT_KEPT_H
#define CATMINT_KEPT_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_kept_file {
    const char *name; /* in the directory, without '/' */
    /* Writes the file to `path`, a temporary place until all files are written. */
    cm_status (*save)(const char *path, void *data, cm_error *error);
} cm_kept_file;

/* Whether these files may be written there, with those that an analysis and a validation of its sweep write:
 * together.json and the directories of programs. Call it before long work. CM_IO names the obstacle: a link, or a file
 * that catmint did not write or that was changed since. `files` may be empty. */
CM_API cm_status cm_kept_check(const char *directory, const cm_kept_file *files, size_t count, cm_error *error);

/* Writes all files, then moves them into the directory together: the earlier ones stay until all are written. CM_IO as
 * above, or the error of `save`. */
CM_API cm_status cm_kept_save(const char *directory, const cm_kept_file *files, size_t count, void *data,
                              cm_error *error);

typedef enum cm_kept_state {
    CM_KEPT_CURRENT,    /* they were derived from the present sweep, or there are none */
    CM_KEPT_EARLIER,    /* they were derived from an earlier sweep */
    CM_KEPT_INTERRUPTED /* some may have been replaced and some not: the next cm_kept_save or cm_kept_check finishes it
                         */
} cm_kept_state;

/* The state of the files kept in the directory `path`, or of the kept file `path`; CM_KEPT_CURRENT if it is neither.
 * *names: "results.json, report.html and presets.csv", or the one file; NULL if they are current. The caller frees it.
 * CM_NO_MEMORY. */
CM_API cm_status cm_kept_look(const char *path, cm_kept_state *state, char **names, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
