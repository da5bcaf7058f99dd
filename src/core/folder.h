/* A directory of files that belong together and change together, or not at all.
 *
 * Files are written in a directory aside within it (<prefix>XXXXXX). The commit renames the directory aside to
 * <prefix>commit: from then on the new files are valid, in either place. Then each file is moved to its place, last the
 * record, which lists them all, and the empty directory is removed. After a kill, <prefix>commit shows that a commit is
 * unfinished: a writer moves the files that are left in it, a reader looks for each file there first.
 *
 * Files of others are never touched: a file is replaced or removed only if the existing record lists it and it has not
 * been changed since. No symbolic link in the directory is followed. */
#ifndef CM_CORE_FOLDER_H
#define CM_CORE_FOLDER_H

#include <jansson.h>
#include <stddef.h>

#include <catmint/error.h>

/* A file in each directory aside, locked while its process is at work. */
#define CM_FOLDER_MARKER ".catmint"
/* The end of <prefix>commit. */
#define CM_FOLDER_COMMIT "commit"

typedef struct cm_folder_kind {
    const char *record; /* the file that lists the others */
    const char *prefix; /* of directories aside, such as ".sweep-" */
    const char *writer; /* for messages: "a sweep" */
} cm_folder_kind;

typedef struct cm_folder cm_folder;

/* Makes the directory if it is missing (its parent must exist), finishes a commit that was interrupted there, and
 * checks that the files `names`, which may be written, and those of the record may be replaced. CM_IO if one may not,
 * with advice, or if the directory cannot be written to; CM_BAD_ARGUMENT if another process is finishing its commit
 * there. */
cm_status cm_folder_open(const char *path, const cm_folder_kind *kind, const char *const *names, size_t count,
                         cm_folder **folder, cm_error *error);

/* The path at which to write the file of that name, owned by `folder`. Call once for each name, of those that
 * cm_folder_open was given. */
cm_status cm_folder_file(cm_folder *folder, const char *name, const char **path, cm_error *error);

/* CM_IO if the earlier record lists an existing file that is none of these, and names it: a commit would remove it
 * unless it is kept. */
cm_status cm_folder_check_rest(const cm_folder *folder, const char *const *names, size_t count, cm_error *error);
/* Keeps files that only the earlier record lists; the new record lists those that exist, too. */
void cm_folder_keep_rest(cm_folder *folder);

/* Adds the files to `record`, which is changed, writes it, and commits. All files must have been written. Files that
 * only the earlier record lists are removed, unless they are kept. If CM_IO happens before the rename that decides,
 * nothing has changed. */
cm_status cm_folder_commit(cm_folder *folder, json_t *record, cm_error *error);

/* Removes the directories aside of killed processes, not those in use. */
void cm_folder_clean(const cm_folder *folder);

/* Makes an error of a writer name the file in the directory instead of the one aside. Both may be NULL. */
void cm_folder_name_file(const cm_folder *folder, cm_error *error);

/* Without a commit nothing changes: a directory that was made is removed again. NULL: no operation. */
void cm_folder_free(cm_folder *folder);

#endif
