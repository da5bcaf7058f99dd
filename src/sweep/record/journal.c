#include "sweep/record/record.h"

static const char schema[] = CM_JOURNAL_SCHEMA;

struct cm_journal {
    char *path;
    FILE *stream;
    long end;    /* of the last complete block */
    bool filled; /* at least one block exists */
    FILE *block; /* lines that are not yet a complete block, written into `text` */
    char *text;
    size_t length; /* as of the last flush */
};

/* Whether the rest of a line is the checksum of the text. */
static bool is_sum(const char *rest, const char *text, size_t length)
{
    char expected[32];
    snprintf(expected, sizeof expected, "\t%016llx\n",
             (unsigned long long)cm_checksum(CM_CHECKSUM_START, text, length));
    return strcmp(rest, expected) == 0;
}

static cm_status report_failure(const cm_journal *journal, const char *problem, cm_error *error)
{
    return cm_error_io(error, journal->path, problem);
}

/* ---- writing ---- */

/* Writes the lines of the block, and a line with their checksum, to the file at `offset`. */
static cm_status write_block(cm_journal *journal, const char *mark, long offset, cm_error *error)
{
    bool whole = fflush(journal->block) == 0;
    if (whole)
        fprintf(journal->block, "%s\t%016llx\n", mark,
                (unsigned long long)cm_checksum(CM_CHECKSUM_START, journal->text, journal->length));
    if (!whole || fflush(journal->block) != 0 || ferror(journal->block))
        return cm_error_no_memory(error);
    if (fseek(journal->stream, offset, SEEK_SET) != 0 ||
        fwrite(journal->text, 1, journal->length, journal->stream) != journal->length || fflush(journal->stream) != 0)
        return report_failure(journal, "writing failed", error);
    journal->end = offset + (long)journal->length;
    rewind(journal->block);
    return CM_OK;
}

void cm_journal_add_event(cm_journal *journal, const char *benchmark, const char *event, long *offset)
{
    fprintf(journal->block, "E\t%s\t%s\n", benchmark, event);
    *offset = journal->end + ftell(journal->block);
}

cm_status cm_journal_add_row(cm_journal *journal, const char *label, size_t repetition, size_t thread, size_t kernels,
                             const double *counts, cm_error *error)
{
    return cm_measurement_row_write(journal->block, label, repetition, thread, kernels, counts, error);
}

void cm_journal_add_failure(cm_journal *journal, const char *benchmark, const char *event, const char *outcome,
                            const char *reason)
{
    fprintf(journal->block, "F\t%s\t%s\t%s\t%s\n", benchmark, event, outcome, reason);
}

void cm_journal_add_refusal(cm_journal *journal, const char *benchmark, size_t count, const char *const *events)
{
    fprintf(journal->block, "R\t%s", benchmark);
    for (size_t i = 0; i < count; i++)
        fprintf(journal->block, "\t%s", events[i]);
    fputc('\n', journal->block);
}

cm_status cm_journal_commit(cm_journal *journal, cm_error *error)
{
    if (ftell(journal->block) == 0)
        return CM_OK;
    cm_status status = write_block(journal, "S", journal->end, error);
    if (status == CM_OK && fdatasync(fileno(journal->stream)) != 0)
        status = report_failure(journal, "writing failed", error);
    journal->filled |= status == CM_OK;
    return status;
}

/* ---- reading ---- */

enum { NO_MEMORY = -2 };

/* Whether the line is none of a table's, which have no tab. */
static bool is_mark(const char *line)
{
    return line[0] == '\0' || line[1] == '\t';
}

/* As getline, which does not distinguish short memory from the end of the file: text that cannot be read is dropped. */
static ssize_t read_line_of(FILE *stream, char **line, size_t *size)
{
    errno = 0;
    ssize_t length = getline(line, size, stream);
    return length < 0 && errno == ENOMEM ? NO_MEMORY : length;
}

cm_status cm_journal_copy_rows(cm_journal *journal, long offset, size_t count, cm_measurements_writer *writer,
                               cm_error *error)
{
    char *line = NULL;
    size_t size = 0;
    cm_status status =
        fseek(journal->stream, offset, SEEK_SET) == 0 ? CM_OK : report_failure(journal, "reading failed", error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        ssize_t length = read_line_of(journal->stream, &line, &size);
        if (length == NO_MEMORY)
            status = cm_error_no_memory(error);
        else if (length < 0)
            status = report_failure(journal, "reading failed", error);
        else if (is_mark(line))
            status = cm_error_set(error, CM_BAD_INPUT, journal->path, 0, 0, "an event lacks counts");
        else
            status = cm_measurements_writer_copy(writer, line, (size_t)length, error);
    }
    free(line);
    return status;
}

/* Splits a line of a block and passes it to the reader. `next`: the offset behind it. */
static cm_status read_line(char *text, long next, cm_journal_reader reader, void *data, cm_error *error)
{
    char *rest = text;
    text[strcspn(text, "\n")] = '\0';
    const char *kind = strsep(&rest, "\t");
    cm_journal_line line = {.benchmark = strsep(&rest, "\t"), .event = strsep(&rest, "\t"), .reason = ""};
    if (line.event == NULL || (kind[0] != 'E' && rest == NULL))
        return CM_OK;
    if (kind[0] == 'E') {
        line.offset = next;
    } else if (kind[0] == 'R') {
        line.others = rest;
    } else {
        line.outcome = strsep(&rest, "\t");
        line.reason = rest != NULL ? rest : "";
    }
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
        if (is_mark(block + at))
            status = read_line(block + at, offset + (long)next, reader, data, error);
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
        if (line[0] != 'S' || !is_mark(line)) {
            fwrite(line, 1, (size_t)length, journal->block);
            continue;
        }
        if (fflush(journal->block) != 0 || ferror(journal->block))
            status = cm_error_no_memory(error);
        else if (!is_sum(line + 1, journal->text, journal->length))
            break;
        else
            status = read_block(journal->text, journal->length, journal->end, reader, data, error);
        journal->end += (long)journal->length + length;
        journal->filled = true;
        rewind(journal->block);
    }
    if (status == CM_OK && length == NO_MEMORY)
        status = cm_error_no_memory(error);
    rewind(journal->block);
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
static bool is_journal(const char *line, ssize_t length)
{
    static const char kind[] = CM_JOURNAL_KIND;
    size_t known = length < (ssize_t)sizeof kind - 1 ? (size_t)(length > 0 ? length : 0) : sizeof kind - 1;
    return known == 0 || strncmp(line, kind, known) == 0;
}

/* Whether anything was counted: the first line is not the last. */
static bool has_more(const cm_journal *journal, ssize_t length)
{
    struct stat found;
    return fstat(fileno(journal->stream), &found) != 0 || found.st_size > (length > 0 ? length : 0);
}

/* Writes the first line. */
static cm_status begin_journal(cm_journal *journal, const json_t *identity, cm_error *error)
{
    fprintf(journal->block, "%s\t", schema);
    if (json_dumpf(identity, journal->block, JSON_COMPACT) != 0)
        return cm_error_no_memory(error);
    return write_block(journal, "", 0, error);
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
    } else if (!is_journal(line, length)) {
        status = cm_error_set(
            error, CM_IO, journal->path, 0, 0,
            "it is not the journal of a sweep, so it is not replaced: move it away, or name another directory");
    } else if (!has_more(journal, length) && (!resume || !is_first_line(line, length))) {
        status = begin_journal(journal, identity, error);
    } else if (!is_first_line(line, length)) {
        bool changed = strncmp(line, schema, sizeof schema - 1) == 0;
        status = cm_error_set(error, CM_BAD_INPUT, journal->path, 1, 0,
                              "%s, so the sweep cannot be resumed: remove this file to discard its counts",
                              changed ? "it was changed" : "another version of catmint wrote it");
    } else if (!resume) {
        status = cm_error_set(error, CM_BAD_ARGUMENT, journal->path, 0, 0,
                              "this directory holds an unfinished sweep: continue it with --resume, which 'catmint "
                              "sweep' and 'catmint validate' have, or remove this file to discard its counts");
    } else {
        journal->end = length;
        status = check_identity(journal, line, identity, error);
        CM_THEN(status, read_blocks(journal, reader, data, error));
    }
    if (status == CM_OK && ftruncate(fileno(journal->stream), journal->end) != 0)
        status = report_failure(journal, "cannot cut off the incomplete end", error);
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
    CM_FREE(line, path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* ---- opening and closing ---- */

cm_status cm_journal_open(const char *directory, const json_t *identity, bool resume, cm_journal_reader reader,
                          void *data, cm_journal **journal, cm_error *error)
{
    cm_journal *opened = calloc(1, sizeof *opened);
    if (opened == NULL || (opened->path = cm_path_join(directory, CM_JOURNAL_NAME, "")) == NULL ||
        (opened->block = open_memstream(&opened->text, &opened->length)) == NULL) {
        cm_journal_close(opened, false);
        return cm_error_no_memory(error);
    }
    cm_status status = cm_journal_file_lock(opened->path, &opened->stream, error);
    CM_THEN(status, take_up(opened, identity, resume, reader, data, error));
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
    if (journal->block != NULL)
        fclose(journal->block);
    CM_FREE(journal->text, journal->path, journal);
}
