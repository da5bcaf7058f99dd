#include "sweep/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/folder.h"
#include "core/grow.h"
#include "core/json.h"
#include "core/number.h"
#include "tables/measured.h"

static const char schema[] = CM_JOURNAL_SCHEMA;

struct cm_journal {
    char *path;
    FILE *stream;
    long end;    /* of the last complete block */
    bool filled; /* at least one block exists */
    char *block;
    size_t length, capacity;
};

static uint64_t checksum(const char *text, size_t length)
{
    return cm_checksum(CM_CHECKSUM_START, text, length);
}

/* Whether the rest of a line is the checksum of the text. */
static bool is_sum(const char *rest, const char *text, size_t length)
{
    char expected[32];
    snprintf(expected, sizeof expected, "\t%016llx\n", (unsigned long long)checksum(text, length));
    return strcmp(rest, expected) == 0;
}

static cm_status failed(const cm_journal *journal, const char *what, cm_error *error)
{
    return cm_error_io(error, journal->path, what);
}

/* ---- writing ---- */

static cm_status append(cm_journal *journal, const char *text, size_t length, cm_error *error)
{
    char *block = cm_grow(journal->block, journal->length + length + 1, &journal->capacity, 1);
    if (block == NULL)
        return cm_error_no_memory(error);
    journal->block = block;
    memcpy(journal->block + journal->length, text, length);
    journal->length += length;
    return CM_OK;
}

/* Appends fields with tabs between them. */
static cm_status append_fields(cm_journal *journal, const char *const *fields, size_t count, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        if (i != 0)
            status = append(journal, "\t", 1, error);
        if (status == CM_OK)
            status = append(journal, fields[i], strlen(fields[i]), error);
    }
    return status;
}

cm_status cm_journal_add_counts(cm_journal *journal, const char *benchmark, const char *event, size_t count,
                                const double *counts, long *offset, cm_error *error)
{
    const char *const fields[] = {"E", benchmark, event, ""};
    if (offset != NULL)
        *offset = journal->end + (long)journal->length;
    cm_status status = append_fields(journal, fields, sizeof fields / sizeof fields[0], error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        char number[CM_NUMBER_TEXT_SIZE + 1];
        size_t length = cm_number_write(counts[i], number);
        number[length] = i + 1 < count ? ',' : '\n';
        status = append(journal, number, length + 1, error);
    }
    return status;
}

cm_status cm_journal_add_failure(cm_journal *journal, const char *benchmark, const char *event, const char *outcome,
                                 const char *reason, cm_error *error)
{
    const char *const fields[] = {"F", benchmark, event, outcome, reason};
    cm_status status = append_fields(journal, fields, sizeof fields / sizeof fields[0], error);
    return status == CM_OK ? append(journal, "\n", 1, error) : status;
}

cm_status cm_journal_add_refusal(cm_journal *journal, const char *benchmark, size_t count, const char *const *events,
                                 cm_error *error)
{
    const char *const fields[] = {"R", benchmark};
    cm_status status = append_fields(journal, fields, sizeof fields / sizeof fields[0], error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        status = append(journal, "\t", 1, error);
        if (status == CM_OK)
            status = append(journal, events[i], strlen(events[i]), error);
    }
    return status == CM_OK ? append(journal, "\n", 1, error) : status;
}

cm_status cm_journal_commit(cm_journal *journal, cm_error *error)
{
    char line[64];
    if (journal->length == 0)
        return CM_OK;
    int length =
        snprintf(line, sizeof line, "S\t%016llx\n", (unsigned long long)checksum(journal->block, journal->length));
    cm_status status = append(journal, line, (size_t)length, error);
    if (status != CM_OK)
        return status;
    if (fseek(journal->stream, journal->end, SEEK_SET) != 0 ||
        fwrite(journal->block, 1, journal->length, journal->stream) != journal->length ||
        fflush(journal->stream) != 0 || fdatasync(fileno(journal->stream)) != 0)
        return failed(journal, "writing failed", error);
    journal->end += (long)journal->length;
    journal->length = 0;
    journal->filled = true;
    return CM_OK;
}

/* ---- reading ---- */

enum { NO_MEMORY = -2 };

/* As getline, which does not distinguish short memory from the end of the file: text that cannot be read is dropped. */
static ssize_t read_line_of(FILE *stream, char **line, size_t *size)
{
    errno = 0;
    ssize_t length = getline(line, size, stream);
    return length < 0 && errno == ENOMEM ? NO_MEMORY : length;
}

cm_status cm_journal_read_counts(cm_journal *journal, long offset, size_t count, double *counts, cm_error *error)
{
    char *line = NULL;
    size_t size = 0;
    cm_status status = CM_OK;
    ssize_t length = fseek(journal->stream, offset, SEEK_SET) == 0 ? read_line_of(journal->stream, &line, &size) : -1;
    if (length < 0)
        status = length == NO_MEMORY ? cm_error_no_memory(error) : failed(journal, "reading failed", error);
    char *rest = line;
    for (int tabs = 0; status == CM_OK && rest != NULL && tabs < 3; tabs++)
        strsep(&rest, "\t");
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        const char *number = strsep(&rest, ",\n");
        if (number == NULL || cm_number_parse(number, &counts[i], NULL) != CM_OK)
            status = cm_error_set(error, CM_BAD_INPUT, journal->path, 0, 0, "an event lacks counts");
    }
    free(line);
    return status;
}

/* Splits a line of a block and passes it to the reader. */
static cm_status read_line(char *text, long offset, cm_journal_reader reader, void *data, cm_error *error)
{
    char *rest = text;
    text[strcspn(text, "\n")] = '\0';
    const char *kind = strsep(&rest, "\t"), *benchmark = strsep(&rest, "\t"), *event = strsep(&rest, "\t");
    if (kind[0] == 'R' && rest != NULL) {
        const cm_journal_line refusal = {.benchmark = benchmark, .event = event, .others = rest, .offset = offset};
        return reader(&refusal, data, error);
    }
    const char *first = strsep(&rest, "\t");
    if (first == NULL)
        return CM_OK;
    bool counts = kind[0] == 'E';
    const cm_journal_line line = {.benchmark = benchmark,
                                  .event = event,
                                  .counts = counts ? first : NULL,
                                  .outcome = counts ? NULL : first,
                                  .reason = rest != NULL ? rest : "",
                                  .offset = offset};
    return reader(&line, data, error);
}

/* Passes the lines of a complete block to the reader. */
static cm_status read_block(char *block, size_t length, long offset, cm_journal_reader reader, void *data,
                            cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t at = 0; status == CM_OK && at < length;) {
        char *end = memchr(block + at, '\n', length - at);
        size_t next = (size_t)(end - block) + 1;
        status = read_line(block + at, offset + (long)at, reader, data, error);
        at = next;
    }
    return status;
}

/* Reads block after block, as long as they are complete. */
static cm_status read_blocks(cm_journal *journal, cm_journal_reader reader, void *data, cm_error *error)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    cm_status status = CM_OK;
    while (status == CM_OK && (length = read_line_of(journal->stream, &line, &size)) > 0 && line[length - 1] == '\n') {
        if (line[0] != 'S') {
            status = append(journal, line, (size_t)length, error);
            continue;
        }
        if (!is_sum(line + 1, journal->block, journal->length))
            break;
        status = read_block(journal->block, journal->length, journal->end, reader, data, error);
        journal->end += (long)journal->length + length;
        journal->length = 0;
        journal->filled = true;
    }
    if (status == CM_OK && length == NO_MEMORY)
        status = cm_error_no_memory(error);
    journal->length = 0;
    free(line);
    return status;
}

/* Reads the sweep's identity from the first line, which is complete. */
static cm_status parse_identity(const char *path, const char *line, json_t **identity, cm_error *error)
{
    const char *end = strrchr(line, '\t');
    cm_status status =
        cm_json_parse(NULL, line + sizeof schema, (size_t)(end - line) - sizeof schema, 0, NULL, identity, error);
    if (status != CM_BAD_INPUT)
        return status;
    return cm_error_set(error, CM_BAD_INPUT, path, 1, 0, "it is not the journal of a sweep");
}

/* CM_BAD_ARGUMENT if the journal is of another sweep. */
static cm_status check_identity(const cm_journal *journal, const char *line, const json_t *identity, cm_error *error)
{
    json_t *before = NULL;
    cm_status status = parse_identity(journal->path, line, &before, error);
    if (status != CM_OK)
        return status;
    char *directory = strndup(journal->path, strlen(journal->path) - sizeof CM_JOURNAL_NAME);
    status = directory != NULL ? cm_sweep_resumes(before, identity, directory, error) : cm_error_no_memory(error);
    free(directory);
    json_decref(before);
    return status;
}

/* Whether the first line is complete. */
static bool is_first_line(const char *line, ssize_t length)
{
    const char *end = length > 0 && line[length - 1] == '\n' ? strrchr(line, '\t') : NULL;
    return end != NULL && (size_t)(end - line) >= sizeof schema && strncmp(line, schema, sizeof schema - 1) == 0 &&
           is_sum(end, line, (size_t)(end - line));
}

/* Whether the file is empty or begins as a journal, torn or not; catmint wrote no other. */
static bool is_ours(const char *line, ssize_t length)
{
    size_t known = length < (ssize_t)sizeof schema - 1 ? (size_t)(length > 0 ? length : 0) : sizeof schema - 1;
    return known == 0 || strncmp(line, schema, known) == 0;
}

/* Whether anything was counted: the first line is not the last. */
static bool has_more(const cm_journal *journal, ssize_t length)
{
    struct stat found;
    return fstat(fileno(journal->stream), &found) != 0 || found.st_size > (length > 0 ? length : 0);
}

struct dumping {
    cm_journal *journal;
    bool failed; /* jansson continues after a piece that could not be stored */
};

static int append_piece(const char *text, size_t size, void *data)
{
    struct dumping *to = data;
    to->failed = to->failed || append(to->journal, text, size, NULL) != CM_OK;
    return to->failed ? -1 : 0;
}

/* Writes the first line. */
static cm_status begin(cm_journal *journal, const json_t *identity, cm_error *error)
{
    struct dumping to = {journal, append(journal, schema, sizeof schema - 1, NULL) != CM_OK};
    append_piece("\t", 1, &to);
    if (json_dump_callback(identity, append_piece, &to, JSON_COMPACT) != 0 || to.failed)
        return cm_error_no_memory(error);
    rewind(journal->stream);
    if (fwrite(journal->block, 1, journal->length, journal->stream) != journal->length ||
        fprintf(journal->stream, "\t%016llx\n", (unsigned long long)checksum(journal->block, journal->length)) < 0 ||
        fflush(journal->stream) != 0)
        return failed(journal, "writing failed", error);
    journal->length = 0;
    journal->end = ftell(journal->stream);
    return CM_OK;
}

/* Continues the journal, or begins it, after checking the file. */
static cm_status take_up(cm_journal *journal, const json_t *identity, bool resume, cm_journal_reader reader, void *data,
                         cm_error *error)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length = read_line_of(journal->stream, &line, &size);
    cm_status status = CM_OK;
    if (length == NO_MEMORY) {
        status = cm_error_no_memory(error);
    } else if (!is_ours(line, length)) {
        status = cm_error_set(
            error, CM_IO, journal->path, 0, 0,
            "it is not the journal of a sweep, so it is not replaced: move it away, or name another directory");
    } else if (!has_more(journal, length) && (!resume || !is_first_line(line, length))) {
        status = begin(journal, identity, error);
    } else if (!is_first_line(line, length)) {
        status = cm_error_set(
            error, CM_BAD_INPUT, journal->path, 1, 0,
            "it was changed, so the sweep cannot be resumed: remove this file to discard what was counted");
    } else if (!resume) {
        status = cm_error_set(error, CM_BAD_ARGUMENT, journal->path, 0, 0,
                              "this directory holds an unfinished sweep: continue it with --resume, which 'catmint "
                              "sweep' and 'catmint validate' have, or remove this file to discard what was counted");
    } else {
        journal->end = length;
        status = check_identity(journal, line, identity, error);
        if (status == CM_OK)
            status = read_blocks(journal, reader, data, error);
    }
    if (status == CM_OK && ftruncate(fileno(journal->stream), journal->end) != 0)
        status = failed(journal, "cannot cut off the incomplete end", error);
    free(line);
    return status;
}

cm_status cm_journal_identity(const char *directory, json_t **identity, cm_error *error)
{
    char *path = cm_path_join(directory, CM_JOURNAL_NAME, ""), *line = NULL;
    size_t size = 0;
    cm_status status = path != NULL ? CM_OK : CM_NO_MEMORY;
    *identity = NULL;
    int file = path != NULL ? cm_journal_file_open(path, O_RDONLY) : -1;
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (stream != NULL) {
        ssize_t length = read_line_of(stream, &line, &size);
        status = length == NO_MEMORY ? CM_NO_MEMORY : CM_OK;
        if (is_first_line(line, length))
            status = parse_identity(path, line, identity, NULL); /* opening the journal will report any other error */
        fclose(stream);
    }
    free(line);
    free(path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* ---- opening and closing ---- */

cm_status cm_journal_open(const char *directory, const json_t *identity, bool resume, cm_journal_reader reader,
                          void *data, cm_journal **journal, cm_error *error)
{
    cm_journal *opened = calloc(1, sizeof *opened);
    if (opened == NULL || (opened->path = cm_path_join(directory, CM_JOURNAL_NAME, "")) == NULL) {
        free(opened);
        return cm_error_no_memory(error);
    }
    cm_status status = cm_journal_file_lock(opened->path, &opened->stream, error);
    if (status == CM_OK)
        status = take_up(opened, identity, resume, reader, data, error);
    if (status == CM_OK)
        *journal = opened;
    else
        cm_journal_close(opened, false);
    return status;
}

bool cm_journal_is_empty(const cm_journal *journal)
{
    return !journal->filled;
}

void cm_journal_close(cm_journal *journal, bool finished)
{
    if (journal == NULL)
        return;
    if (finished)
        unlink(journal->path);
    if (journal->stream != NULL)
        fclose(journal->stream);
    free(journal->block);
    free(journal->path);
    free(journal);
}
