/* Files: their paths, and how they are read and written. */
#ifndef CM_CORE_FILES_H
#define CM_CORE_FILES_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <catmint/output.h>

#include "core/base.h"

/* ---- input.c ---- */

/* Opens regular files alone to read: a pipe without a writer would block, and a device may never end. */

/* Opens the file `name` of the directory open as `directory`, or AT_FDCWD; `flags` are added to open's. -1 with errno:
 * EISDIR for a directory, EINVAL for anything else that is no regular file. */
int cm_input_descriptor(int directory, const char *name, int flags);
/* The same as a stream; NULL with errno. */
CM_SHARED FILE *cm_input_stream(const char *path);
/* The same with a message: CM_IO. */
CM_SHARED cm_status cm_input_open(const char *path, FILE **stream, cm_error *error);

/* ---- lines ---- */

/* Reads a text file line by line and checks each line: UTF-8, no control characters, of bounded length. */

typedef struct cm_lines cm_lines;

/* Skips a byte-order mark at the start. CM_IO if the file is no regular one, or cannot be opened. */
cm_status cm_lines_open(const char *path, size_t limit, cm_lines **lines, cm_error *error);
void cm_lines_close(cm_lines *lines);

/* The next line, with its line feed if it has one; *text is NULL at the end of the file, and valid until the next call.
 * CM_BAD_INPUT for a line that is longer than `limit` bytes, not UTF-8, or has control characters other than tab, LF,
 * and CR at its end. */
cm_status cm_lines_next(cm_lines *lines, const char **text, size_t *length, cm_error *error);

/* The next line as cm_lines_next will read it, but not checked; *length is 0 at the end of the file. */
cm_status cm_lines_look_ahead(cm_lines *lines, char **text, size_t *length, cm_error *error);
/* Passes that line, which counts as read. */
void cm_lines_pass(cm_lines *lines, size_t length);

/* The first byte of the next line, -1 at the end of the file. */
cm_status cm_lines_peek(cm_lines *lines, int *byte, cm_error *error);

/* 1-based number of the line read last; at the end of the file that of the last line, 1 if there was none. */
size_t cm_lines_number(const cm_lines *lines);

/* The offset in bytes behind that line. */
size_t cm_lines_offset(const cm_lines *lines);

/* The reason why a line is refused, for the byte at *at; NULL: the line is good. */
const char *cm_lines_fault(const char *text, size_t length, size_t *at);

/* 1-based column, in characters, of the byte at `offset` of a line of UTF-8. */
size_t cm_lines_column(const char *text, size_t offset);

/* ---- text_lines.c: lines that may be overwritten: each ends in NUL, without its line feed ---- */

typedef struct cm_text_lines {
    cm_lines *lines;
    size_t number; /* of the line read last */
    char *text;    /* that line, NULL at the end of the file */
    size_t length;
    char *buffer;
    size_t capacity;
} cm_text_lines;

/* `limit` as with cm_lines_open. */
cm_status cm_text_lines_open(const char *path, size_t limit, cm_text_lines *lines, cm_error *error);
/* Reads the next line if *status is CM_OK, and sets that. False behind the last line, and after an error. */
bool cm_text_lines_more(cm_text_lines *lines, cm_status *status, cm_error *error);
void cm_text_lines_close(cm_text_lines *lines);

/* Removes blanks at both ends; the end is overwritten. */
char *cm_text_trim(char *text);

/* ---- file_text.c: reads a whole file as text ---- */

/* The largest file that is held in memory. The results of a million events have 170 MB. */
enum { CM_FILE_TEXT_LIMIT = 1 << 30 };

/* `text`, which the caller frees with free(), has a NUL behind its `size` bytes. CM_IO if the file is no regular one,
 * or cannot be read; CM_BAD_INPUT if it has more than CM_FILE_TEXT_LIMIT bytes. */
CM_SHARED cm_status cm_file_text_read(const char *path, char **text, size_t *size, cm_error *error);
/* Reads the rest of a stream, which messages call `path`. */
CM_SHARED cm_status cm_stream_text_read(FILE *stream, const char *path, char **text, size_t *size, cm_error *error);

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
cm_status cm_document_save(const cm_document *document, const char *path, cm_error *error);

/* ---- temporary.c ---- */

/* Temporary files and directories. Each is locked while it is in use; before one is made, those of the same name
 * without a lock are removed, because their processes were killed. */

enum { CM_TEMPORARY_SIZE = 4096 };

/* Makes "catmint-run-XXXXXX" in $TMPDIR if that is an absolute path, else in /tmp. Returns the locked descriptor; -1
 * with errno, and `path` is the name that failed. */
CM_SHARED int cm_temporary_directory(char path[CM_TEMPORARY_SIZE]);
int cm_temporary_file(char path[CM_TEMPORARY_SIZE]);

/* The same for a file at that path, which ends in "XXXXXX". The lock is on the file itself. */
int cm_temporary_beside(char *path);

/* Whether `path` is still the file or directory that is open: a process that had its lock may have removed it. */
bool cm_file_is_at(int descriptor, const char *path);
/* Removes a file, or a directory with its content. Returns 0, or -1 with errno. */
CM_SHARED int cm_temporary_remove(const char *path);

/* ---- path.c: paths of files ---- */

/* "<directory>/<name><suffix>", or "<name><suffix>" if the directory is "". The caller frees it; NULL without
 * memory. */
char *cm_path_join(const char *directory, const char *name, const char *suffix);
CM_SHARED bool cm_path_is_directory(const char *path);

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

/* ---- directory ---- */

/* A directory of files that belong together and change together, or not at all.
 *
 * Files are written in a directory aside within it (<prefix>XXXXXX). The commit renames the directory aside to
 * <prefix>commit: from then on the new files are valid, in either place. Then each file is moved to its place, last the
 * record, which lists them all, and the empty directory is removed. After a kill, <prefix>commit shows that a commit is
 * unfinished: a writer moves the files that are left in it, a reader looks for each file there first.
 *
 * Files of others are never touched: a file is replaced or removed only if the existing record lists it and it has not
 * been changed since. No symbolic link in the directory is followed. */

/* A file in each directory aside, locked while its process is at work. */
#define CM_DIRECTORY_MARKER ".catmint"
/* The end of <prefix>commit. */
#define CM_DIRECTORY_COMMIT "commit"

typedef struct cm_directory_kind {
    const char *record; /* the file that lists the others */
    const char *prefix; /* of directories aside, such as ".sweep-" */
    const char *writer; /* for messages: "a sweep" */
} cm_directory_kind;

typedef struct cm_directory cm_directory;

/* Makes the directory if it is missing (its parent must exist), finishes a commit that was interrupted there, and
 * checks that the files `names`, which may be written, and those of the record may be replaced. CM_IO if one may not,
 * with advice, or if the directory cannot be written to; CM_BAD_ARGUMENT if another process is finishing its commit
 * there. */
CM_SHARED cm_status cm_directory_open(const char *path, const cm_directory_kind *kind, const char *const *names,
                                      size_t count, cm_directory **directory, cm_error *error);

/* The path at which to write the file of that name, owned by `directory`; once for each name given to
 * cm_directory_open. */
cm_status cm_directory_file(cm_directory *directory, const char *name, const char **path, cm_error *error);

/* CM_IO if the earlier record lists an existing file that is none of these: a commit would remove it unless kept. */
cm_status cm_directory_check_rest(const cm_directory *directory, const char *const *names, size_t count,
                                  cm_error *error);
/* Keeps files that only the earlier record lists; the new record lists those that exist, too. */
void cm_directory_keep_rest(cm_directory *directory);

/* Adds the files to `record`, which is changed, writes it, and commits. All files must have been written. Files that
 * only the earlier record lists are removed, unless they are kept. If CM_IO happens before the rename that decides,
 * nothing has changed. */
cm_status cm_directory_commit(cm_directory *directory, json_t *record, cm_error *error);

/* Removes the directories aside of killed processes, not those in use. */
void cm_directory_clean(const cm_directory *directory);

/* Ends the writing of a directory with `status`: on CM_OK commits with `record`, which it takes; NULL: memory was
 * short. Otherwise the error names the file in the directory. Frees the directory, which may be NULL, and returns the
 * outcome. */
cm_status cm_directory_end(cm_directory *directory, cm_status status, json_t *record, cm_error *error);

/* Makes an error of a writer name the file in the directory instead of the one aside. Both may be NULL. */
void cm_directory_name_file(const cm_directory *directory, cm_error *error);

/* A document as a file of a directory. */
typedef struct cm_directory_document {
    const char *name;
    cm_document document;
} cm_directory_document;

/* Writes these files into the directory and no others, or leaves it as it was. Takes `record`; NULL: memory was short.
 */
CM_SHARED cm_status cm_directory_save(const char *path, const cm_directory_kind *kind,
                                      const cm_directory_document *files, size_t count, json_t *record,
                                      cm_error *error);

/* Without a commit nothing changes: a directory that was made is removed again. NULL: no operation. */
CM_SHARED void cm_directory_free(cm_directory *directory);

/* ---- record.c ---- */

/* A record: a JSON object that is written into a directory with other files and lists them. By it a reader checks that
 * the files were written together, and a writer that they were not changed since:
 *
 *   "files": [{"name": "branch.csv", "bytes": 1234, "checksum": "fnv1a64:<16 hexadecimal digits>"}, ...]
 *   "checksum": the same of the record itself, without this member, as compact JSON with sorted keys */

typedef struct cm_file_mark {
    uint64_t bytes, checksum;
} cm_file_mark;

/* Whether the name is that of a file directly in its directory: no '/', and none of "", "." and "..". */
bool cm_is_bare_name(const char *name);

/* Reads size and checksum of the regular file `name` of the directory open as `directory`; `flags` (O_NOFOLLOW or 0)
 * are added to open's. False, with errno, if it cannot be read or is no regular file. */
bool cm_file_mark_read(int directory, const char *name, int flags, cm_file_mark *mark);
bool cm_same_mark(const cm_file_mark *a, const cm_file_mark *b);

/* The regular file as JSON; NULL if missing or no JSON, errno ENOMEM without memory. Free with json_decref. */
json_t *cm_record_load(int directory, const char *name, int flags);

/* Whether the record lists its files, all by bare names. */
bool cm_record_has_files(const json_t *record);
/* Whether the record is unchanged since it was sealed, and lists its files; false with errno ENOMEM without memory. */
bool cm_record_is_sealed(const json_t *record);
size_t cm_record_count(const json_t *record);
/* The name of a file that the record lists. */
const char *cm_record_name(const json_t *record, size_t index);
bool cm_record_find(const json_t *record, const char *name, cm_file_mark *mark);

/* A file as in the list, {"name", "bytes", "checksum"}, for other members of the record; NULL without memory. */
json_t *cm_record_entry(const char *name, const cm_file_mark *mark);
/* False if the entry is no such object. */
bool cm_record_parse_entry(const json_t *entry, cm_file_mark *mark);

/* Adds a file to the list. CM_NO_MEMORY. */
cm_status cm_record_add(json_t *record, const char *name, const cm_file_mark *mark, cm_error *error);
/* Gives the record its checksum; after that it must not change. CM_NO_MEMORY. */
cm_status cm_record_seal(json_t *record, cm_error *error);

/* ---- directory_parts: shared by the parts of cm_directory ---- */

enum { CM_DIRECTORY_NAME_SIZE = 64 };

struct cm_directory_file {
    char *aside, *final, *name;
};

struct cm_directory {
    const cm_directory_kind *kind;
    char *path;
    int descriptor; /* of the directory */
    bool made;      /* by this process, and still empty */
    char *aside;    /* path of the directory aside; NULL: none, or committed */
    int aside_descriptor, marker;
    bool keeps; /* files that only the earlier record lists stay */
    size_t count, capacity;
    struct cm_directory_file *files;
};

/* CM_IO on a file of the directory: "problem: errno's words", or `problem` alone if errno is 0. */
cm_status cm_directory_failure(const cm_directory *directory, const char *name, const char *problem, cm_error *error);

/* ---- directory_check.c ---- */

void cm_directory_commit_name(const cm_directory *directory, char name[CM_DIRECTORY_NAME_SIZE]);
/* The existing record; *record is NULL if there is none. CM_IO if it is not catmint's, was changed, or is a link. */
cm_status cm_directory_read_record(const cm_directory *directory, json_t **record, cm_error *error);
/* CM_OK if the file may be replaced, or does not exist. */
cm_status cm_directory_check_file(const cm_directory *directory, const char *name, const json_t *record,
                                  cm_error *error);
/* CM_OK if all of these, and all of the record, may be replaced. */
cm_status cm_directory_check(const cm_directory *directory, const char *const *names, size_t count, cm_error *error);

/* ---- directory_aside.c ---- */

cm_status cm_directory_make_aside(cm_directory *directory, cm_error *error);
/* Locks the marker of a directory aside; its descriptor, or -1 with ENOENT (none) or EWOULDBLOCK (in use) in errno. */
int cm_directory_lock_marker(int aside);

/* ---- directory_roll.c ---- */

/* Moves the files of `record` that are still in the commit's directory into place, then the record. */
cm_status cm_directory_roll(const cm_directory *directory, int commit, const json_t *record, cm_error *error);
/* Finishes the commit that was interrupted, if there is one. */
cm_status cm_directory_recover(const cm_directory *directory, cm_error *error);

/* ---- checksum.c ---- */

/* FNV-1a, 64 bits. A checksum against torn, swapped and edited files, not forged ones; also the hash of name tables. */

#define CM_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Continues from `sum`; the first call passes CM_CHECKSUM_START. */
uint64_t cm_checksum(uint64_t sum, const void *bytes, size_t length);

#endif
