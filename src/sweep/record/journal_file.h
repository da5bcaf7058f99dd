/* Opens a journal's file: only one of catmint's, and for one sweep at a time. */
#ifndef CM_SWEEP_RECORD_JOURNAL_FILE_H
#define CM_SWEEP_RECORD_JOURNAL_FILE_H

#include <stdio.h>

#include <catmint/error.h>

/* `flags` are open's. -1 with errno: ELOOP for a link, which is not followed, EINVAL if it is no regular file. */
int cm_journal_file_open(const char *path, int flags);

/* Opens the file, which is made if it is missing, and locks it. CM_IO; CM_BAD_ARGUMENT if another sweep holds it. */
cm_status cm_journal_file_lock(const char *path, FILE **stream, cm_error *error);

#endif
