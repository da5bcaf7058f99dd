/* A sweep directory that changes only when a sweep is complete: files are written in a folder aside within it, and
 * renamed into place one by one at the end. */
#ifndef CM_SWEEP_DIRECTORY_H
#define CM_SWEEP_DIRECTORY_H

#include <catmint/error.h>

typedef struct cm_sweep_directory cm_sweep_directory;

/* Makes the directory if it is missing (its parent must exist). CM_IO where it cannot be written to. */
cm_status cm_sweep_directory_open(const char *path, cm_sweep_directory **directory, cm_error *error);

/* Where the file of that name is to be written; the text belongs to the directory. Each name once. */
cm_status cm_sweep_directory_file(cm_sweep_directory *directory, const char *name, const char **path, cm_error *error);

/* Renames the files into place, in the order in which they were asked for. All of them must have been written. Tables
 * that only the sweep which was there before names in its manifest are removed: a directory is one sweep. */
cm_status cm_sweep_directory_commit(cm_sweep_directory *directory, cm_error *error);

/* Removes the folders aside that killed sweeps have left. Only for who knows that no other sweep is at work here. */
void cm_sweep_directory_clean(const cm_sweep_directory *directory);

/* An error of a writer names the file aside; a person knows the one in the directory. `error` may be NULL. */
void cm_sweep_directory_name_file(const cm_sweep_directory *directory, cm_error *error);

/* Without a commit nothing that was there before has changed, and a directory that was made is removed again. NULL: no
 * operation. */
void cm_sweep_directory_free(cm_sweep_directory *directory);

#endif
