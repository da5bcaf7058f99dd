/* Opening the file of a journal: nobody else's, and by one sweep at a time. */
#ifndef CM_SWEEP_JOURNAL_FILE_H
#define CM_SWEEP_JOURNAL_FILE_H

#include <stdio.h>

#include <catmint/error.h>

/* `flags` are open's. -1 with errno: ELOOP for a link, which is not followed, EINVAL for what is no regular file. */
int cm_journal_file_open(const char *path, int flags);

/* Opens the file, which is made where it is missing, and locks it. CM_IO; CM_BAD_ARGUMENT where a sweep has it. */
cm_status cm_journal_file_lock(const char *path, FILE **stream, cm_error *error);

#endif
