/* A folder of files that belong together and change together, or not at all.
 *
 * Files are written in a folder aside within it (<prefix>XXXXXX). The commit is one rename, of the folder aside to
 * <prefix>commit: from then on the new files are valid, wherever they stand. After that each takes its place, the
 * record, which lists them all, last, and the emptied folder goes. Who finds <prefix>commit goes on there: a writer
 * moves what is left in it, a reader looks for each file there first.
 *
 * Nothing of anybody else's is touched: a file is replaced or removed only if the record that is there lists it and it
 * is still as it was written. No symbolic link in the folder is followed. */
#ifndef CM_CORE_FOLDER_H
#define CM_CORE_FOLDER_H

#include <jansson.h>
#include <stddef.h>

#include <catmint/error.h>

/* Lies in each folder aside, locked as long as its process is at work. */
#define CM_FOLDER_MARKER ".catmint"
/* The end of <prefix>commit. */
#define CM_FOLDER_COMMIT "commit"

typedef struct cm_folder_kind {
    const char *record; /* the file that lists the others */
    const char *prefix; /* of folders aside, ".sweep-" */
    const char *writer; /* for messages: "a sweep" */
} cm_folder_kind;

typedef struct cm_folder cm_folder;

/* Makes the folder if it is missing (its parent must exist), finishes a commit that was interrupted there, and looks
 * whether the files `names`, which may be written, and those of the record may be replaced. CM_IO where one may not,
 * with what to do, and where the folder cannot be written to; CM_BAD_ARGUMENT where another process is finishing its
 * commit there. */
cm_status cm_folder_open(const char *path, const cm_folder_kind *kind, const char *const *names, size_t count,
                         cm_folder **folder, cm_error *error);

/* Where the file of that name is to be written; the text belongs to the folder. Each name once, of those that
 * cm_folder_open was given. */
cm_status cm_folder_file(cm_folder *folder, const char *name, const char **path, cm_error *error);

/* CM_IO names a file that the earlier record lists, that is there, and that is none of these: a commit would remove it
 * unless it is kept. */
cm_status cm_folder_check_rest(const cm_folder *folder, const char *const *names, size_t count, cm_error *error);
/* Files that only the earlier record lists stay, and the new record lists those that are there, too. */
void cm_folder_keep_rest(cm_folder *folder);

/* Adds the files to `record`, which is changed, writes it, and commits. All files must have been written. Files that
 * only the earlier record lists are removed, unless they are kept. On CM_IO before the one rename all is as it was
 * before. */
cm_status cm_folder_commit(cm_folder *folder, json_t *record, cm_error *error);

/* Removes the folders aside that killed processes have left; those at work are left alone. */
void cm_folder_clean(const cm_folder *folder);

/* An error of a writer names the file aside; a person knows the one in the folder. Both may be NULL. */
void cm_folder_name_file(const cm_folder *folder, cm_error *error);

/* Without a commit nothing has changed, and a folder that was made is removed again. NULL: no operation. */
void cm_folder_free(cm_folder *folder);

#endif
