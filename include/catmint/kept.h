/* What is kept beside the measurements of a directory: results, a page, presets. The file .catmint-discover lists them
 * with their checksums and names the sweep that they follow from, so that nobody else's file is replaced, all of them
 * are replaced together, and those of an earlier sweep are known. */
#ifndef CATMINT_KEPT_H
#define CATMINT_KEPT_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_kept_file {
    const char *name; /* in the directory, without '/' */
    /* Writes the file to `path`, which is somewhere else until all of them are written. */
    cm_status (*save)(const char *path, void *data, cm_error *error);
} cm_kept_file;

/* Whether these files may be written there, and what an analysis and a validation of its sweep write: together.json and
 * the folders of programs. To be asked before long work. CM_IO names what is in the way: a link, or a file that catmint
 * did not write or that was changed since. `files` may be none. */
CM_API cm_status cm_kept_check(const char *directory, const cm_kept_file *files, size_t count, cm_error *error);

/* Writes them, and puts them into the directory at once: the earlier ones stay until all are written. CM_IO as above,
 * or what `save` says. */
CM_API cm_status cm_kept_save(const char *directory, const cm_kept_file *files, size_t count, void *data,
                              cm_error *error);

typedef enum cm_kept_state {
    CM_KEPT_CURRENT,    /* they follow from the sweep that is there, or there are none */
    CM_KEPT_EARLIER,    /* they follow from an earlier sweep */
    CM_KEPT_INTERRUPTED /* some may have been replaced and some not: the next cm_kept_save or cm_kept_check ends it */
} cm_kept_state;

/* What holds for the files kept in the directory `path`, or for the one that `path` is; what is neither is
 * CM_KEPT_CURRENT. *names: "results.json, report.html and presets.csv", or the one; NULL where they are current. The
 * caller frees it. CM_NO_MEMORY. */
CM_API cm_status cm_kept_look(const char *path, cm_kept_state *state, char **names, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
