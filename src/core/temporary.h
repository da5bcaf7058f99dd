/* Temporary files and folders. Each is locked while it is in use; whoever makes one first removes those of the same
 * name that nobody holds: what made them was killed. */
#ifndef CM_CORE_TEMPORARY_H
#define CM_CORE_TEMPORARY_H

enum { CM_TEMPORARY_SIZE = 4096 };

/* Makes "catmint-run-XXXXXX" in $TMPDIR where that is an absolute path, else in /tmp. Returns the descriptor that holds
 * the lock, which is the file's own; -1 with errno, and `path` is what could not be made. */
int cm_temporary_folder(char path[CM_TEMPORARY_SIZE]);
int cm_temporary_file(char path[CM_TEMPORARY_SIZE]);

/* The same for a file of that path, which ends in "XXXXXX". */
int cm_temporary_beside(char *path);

/* Removes a folder with all that is in it, or a file. 0, or -1 with errno. */
int cm_temporary_remove(const char *path);

#endif
