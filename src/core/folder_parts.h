/* Shared by the parts of cm_folder. */
#ifndef CM_CORE_FOLDER_PARTS_H
#define CM_CORE_FOLDER_PARTS_H

#include <stdbool.h>

#include "core/folder.h"
#include "core/path.h"
#include "core/record.h"

enum { CM_FOLDER_NAME_SIZE = 64 };

struct cm_folder_file {
    char *aside, *final, *name;
};

struct cm_folder {
    const cm_folder_kind *kind;
    char *path;
    int descriptor; /* of the directory */
    bool made;      /* by this process, and still empty */
    char *aside;    /* path of the directory aside; NULL: none, or committed */
    int aside_descriptor, marker;
    bool keeps; /* files that only the earlier record lists stay */
    size_t count, capacity;
    struct cm_folder_file *files;
};

/* CM_IO on a file of the directory: "what: errno's words", or `what` alone where errno is 0. */
cm_status cm_folder_fault(const cm_folder *folder, const char *name, const char *what, cm_error *error);

/* ---- folder_check.c ---- */

/* The existing record; *record is NULL if there is none. CM_IO if it is not catmint's, was changed, or is a link. */
cm_status cm_folder_read_record(const cm_folder *folder, json_t **record, cm_error *error);
/* CM_OK if the file may be replaced, or does not exist. */
cm_status cm_folder_check_file(const cm_folder *folder, const char *name, const json_t *record, cm_error *error);
/* CM_OK if all of these, and all of the record, may be replaced. */
cm_status cm_folder_check(const cm_folder *folder, const char *const *names, size_t count, cm_error *error);

/* ---- folder_aside.c ---- */

cm_status cm_folder_make_aside(cm_folder *folder, cm_error *error);
/* Locks the marker of a directory aside and returns its descriptor; -1 with errno: ENOENT without a marker, EWOULDBLOCK
 * if its process is at work. */
int cm_folder_lock_marker(int aside);

/* ---- folder_roll.c ---- */

void cm_folder_commit_name(const cm_folder *folder, char name[CM_FOLDER_NAME_SIZE]);
/* Moves the files of `record` that are still in the directory of the commit, open as `commit`, into place, then the
 * record. */
cm_status cm_folder_roll(const cm_folder *folder, int commit, const json_t *record, cm_error *error);
/* Finishes the commit that was interrupted, if there is one. */
cm_status cm_folder_recover(const cm_folder *folder, cm_error *error);

#endif
