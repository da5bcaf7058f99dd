/* Files: their paths, and how they are read and written. */
#ifndef CM_CORE_FILES_H
#define CM_CORE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include <catmint/error.h>
#include <catmint/output.h>

#include "core/shared.h"

/* ---- input.c ---- */

/* Opens regular files alone to read: a pipe without a writer would block, and a device may never end. */

/* Opens the file `name` of the directory open as `folder`, or AT_FDCWD; `flags` are added to open's. -1 with errno:
 * EISDIR for a directory, EINVAL for anything else that is no regular file. */
int cm_input_descriptor(int folder, const char *name, int flags);
/* The same as a stream; NULL with errno. */
CM_SHARED FILE *cm_input_stream(const char *path);
/* The same with a message: CM_IO. */
CM_SHARED cm_status cm_input_open(const char *path, FILE **stream, cm_error *error);

/* ---- file_text.c: reads a whole file as text ---- */

/* The largest file that is held in memory. The results of a million events have 170 MB. */
enum { CM_FILE_TEXT_LIMIT = 1 << 30 };

/* `text`, which the caller frees with free(), has a NUL behind its `size` bytes. CM_IO if the file is no regular one,
 * or cannot be read; CM_BAD_INPUT if it has more than CM_FILE_TEXT_LIMIT bytes. */
CM_SHARED cm_status cm_file_text_read(const char *path, char **text, size_t *size, cm_error *error);
/* Reads the rest of a stream, which messages call `path`. */
cm_status cm_stream_text_read(FILE *stream, const char *path, char **text, size_t *size, cm_error *error);

/* ---- output.c: output files that are whole or missing: written aside, then renamed over the earlier file ---- */

typedef struct cm_output cm_output;

/* Opens the temporary file "<path>.catmint-XXXXXX" beside `path` for writing. An existing path that is no regular file
 * (a device, a pipe, /dev/stdout) is written directly. CM_IO if it cannot be written, as a pipe without a reader, and
 * for a symbolic link to a file or to nothing: neither the link nor its target is replaced. */
cm_status cm_output_create(const char *path, cm_output **output, cm_error *error);
FILE *cm_output_stream(cm_output *output);
/* Flushes to the disk and renames. On CM_IO the earlier file is unchanged. Call once, then free. */
cm_status cm_output_commit(cm_output *output, cm_error *error);
/* The same, but a file that `check` refuses is never replaced, even if it appeared meanwhile: the file stays, and the
 * result of `check` is returned. On a file system that can neither exchange names nor refuse to replace one, a file
 * that appears in the last moment is lost. */
cm_status cm_output_commit_checked(cm_output *output, cm_status (*check)(const char *path, cm_error *error),
                                   cm_error *error);
/* Without a commit the unfinished file is removed. NULL: no operation. */
void cm_output_free(cm_output *output);

/* ---- document.c: writes any document to a stream or into a file ---- */

typedef struct cm_document {
    const char *name; /* for messages, such as "results" */
    /* Writes the content; errors of the stream are checked by the caller. */
    cm_status (*put)(void *content, FILE *stream, cm_error *error);
    void *content;
} cm_document;

/* CM_IO with errno's words if the stream fails. */
cm_status cm_document_write(const cm_document *document, FILE *stream, cm_error *error);

/* Writes the whole file, or leaves it as it was. */
CM_SHARED cm_status cm_document_save(const cm_document *document, const char *path, cm_error *error);

/* ---- temporary.c ---- */

/* Temporary files and directories. Each is locked while it is in use; before one is made, those of the same name
 * without a lock are removed, because their processes were killed. */

enum { CM_TEMPORARY_SIZE = 4096 };

/* Makes "catmint-run-XXXXXX" in $TMPDIR if that is an absolute path, else in /tmp. Returns the locked descriptor; -1
 * with errno, and `path` is the name that failed. */
CM_SHARED int cm_temporary_folder(char path[CM_TEMPORARY_SIZE]);
int cm_temporary_file(char path[CM_TEMPORARY_SIZE]);

/* The same for a file at that path, which ends in "XXXXXX". The lock is on the file itself. */
int cm_temporary_beside(char *path);

/* Removes a file, or a directory with its content. Returns 0, or -1 with errno. */
CM_SHARED int cm_temporary_remove(const char *path);

/* ---- path.c: paths of files ---- */

/* "<directory>/<name><suffix>", or "<name><suffix>" if the directory is "". The caller frees it; NULL without
 * memory. */
char *cm_path_join(const char *folder, const char *name, const char *suffix);

/* ---- data_path.c: finds files that come with catmint and are no data ---- */

/* The path of a file in lib/catmint, the directory of plugins for other programs; *path is NULL if it is not there.
 * Free with free(). */
cm_status cm_plugin_path(const char *name, char **path, cm_error *error);

/* ---- watched.c ---- */

/* A process that is watched for signs of life. The gap between two signs leaves out the time in which the process, or
 * its watcher, was stopped or got no processor. */

typedef struct cm_watched {
    pid_t process; /* 0: ended */
    size_t signs;
    double gap;      /* seconds since the last sign */
    bool stopped;    /* by SIGSTOP or the like */
    double standing; /* seconds since then */
    bool starved;    /* found waiting for a processor; it had run for `used` seconds */
    double used;
} cm_watched;

/* The state of the process, given the `signs` so far and the `seconds` since the last look. */
typedef enum cm_watch {
    CM_WATCH_WORKING,
    CM_WATCH_SIGN,      /* the first since the last look; `gap` is still the time before it */
    CM_WATCH_TIMED_OUT, /* no sign for longer than `timeout` */
    CM_WATCH_STOPPED,   /* from outside, for CM_STOPPED_SECONDS */
} cm_watch;

#define CM_STOPPED_SECONDS 60.0

cm_watch cm_watched_look(cm_watched *watched, size_t signs, double seconds, double timeout);

#endif
