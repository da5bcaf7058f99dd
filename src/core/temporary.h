/* Temporary files and directories. Each is locked while it is in use; before one is made, those of the same name
 * without a lock are removed, because their processes were killed. */
#ifndef CM_CORE_TEMPORARY_H
#define CM_CORE_TEMPORARY_H

enum { CM_TEMPORARY_SIZE = 4096 };

/* Makes "catmint-run-XXXXXX" in $TMPDIR if that is an absolute path, else in /tmp. Returns the locked descriptor; -1
 * with errno, and `path` is the name that failed. */
int cm_temporary_folder(char path[CM_TEMPORARY_SIZE]);
int cm_temporary_file(char path[CM_TEMPORARY_SIZE]);

/* The same for a file at that path, which ends in "XXXXXX". The lock is on the file itself. */
int cm_temporary_beside(char *path);

/* Removes a file, or a directory with its content. Returns 0, or -1 with errno. */
int cm_temporary_remove(const char *path);

#endif
