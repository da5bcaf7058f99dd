/* Text files read line by line, and checked. */
#include "core/files.h"

enum { CHUNK_SIZE = 1 << 16 };

struct cm_lines {
    const char *path; /* owned by the caller */
    FILE *stream;
    char *buffer; /* read, not yet returned: begin..end */
    size_t begin, end, capacity, limit, number;
    size_t offset; /* in the file, of buffer[begin] */
    bool at_end;
};

/* Reads more text behind buffer[end]; sets at_end at the end of the file. */
static cm_status fill_buffer(cm_lines *lines, cm_error *error)
{
    if (lines->begin > 0) {
        memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
        lines->end -= lines->begin;
        lines->begin = 0;
    }
    if (!CM_GROW(lines->buffer, lines->end + CHUNK_SIZE, &lines->capacity))
        return cm_error_no_memory(error);
    errno = 0;
    size_t got = fread(lines->buffer + lines->end, 1, lines->capacity - lines->end, lines->stream);
    lines->end += got;
    lines->at_end = got == 0;
    return ferror(lines->stream) ? cm_error_io(error, lines->path, "cannot be read") : CM_OK;
}

cm_status cm_lines_open(const char *path, size_t limit, cm_lines **lines, cm_error *error)
{
    cm_lines *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    opened->path = path;
    opened->limit = limit;
    cm_status status = cm_input_open(path, &opened->stream, error);
    while (status == CM_OK && !opened->at_end && opened->end < 3)
        status = fill_buffer(opened, error);
    if (status != CM_OK) {
        cm_lines_close(opened);
        return status;
    }
    if (opened->end >= 3 && memcmp(opened->buffer, "\xEF\xBB\xBF", 3) == 0)
        opened->begin = opened->offset = 3;
    *lines = opened;
    return CM_OK;
}

void cm_lines_close(cm_lines *lines)
{
    if (lines == NULL)
        return;
    if (lines->stream != NULL)
        fclose(lines->stream);
    CM_FREE(lines->buffer, lines);
}

const char *cm_lines_fault(const char *text, size_t length, size_t *at)
{
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7F) {
            i++;
            continue;
        }
        size_t step = cm_utf8_length(text + i, length - i);
        *at = i;
        if (c == 0)
            return "NUL byte";
        if (step == 0)
            return "not UTF-8";
        if ((c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7F)
            return "control character";
        if (c == '\r' && i + 1 < length && text[i + 1] != '\n')
            return "carriage return within a line";
        i += step;
    }
    return NULL;
}

static cm_status check_line(const cm_lines *lines, const char *text, size_t length, cm_error *error)
{
    size_t at = 0;
    const char *problem = cm_lines_fault(text, length, &at);
    if (problem == NULL)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, lines->path, lines->number, cm_lines_column(text, at),
                        "%s (byte 0x%02X), expected text", problem, (unsigned char)text[at]);
}

cm_status cm_lines_look_ahead(cm_lines *lines, char **text, size_t *length, cm_error *error)
{
    size_t searched = 0;
    const char *line_feed = NULL;
    for (;;) {
        size_t available = lines->end - lines->begin;
        if (available > searched)
            line_feed = memchr(lines->buffer + lines->begin + searched, '\n', available - searched);
        searched = available;
        if (line_feed != NULL || lines->at_end || available > lines->limit)
            break;
        cm_status status = fill_buffer(lines, error);
        if (status != CM_OK)
            return status;
    }
    *text = lines->buffer + lines->begin;
    *length = line_feed != NULL ? (size_t)(line_feed + 1 - *text) : searched;
    return CM_OK;
}

void cm_lines_pass(cm_lines *lines, size_t length)
{
    lines->number++;
    lines->begin += length;
    lines->offset += length;
}

cm_status cm_lines_next(cm_lines *lines, const char **text, size_t *length, cm_error *error)
{
    char *begin = NULL;
    cm_status status = cm_lines_look_ahead(lines, &begin, length, error);
    *text = NULL;
    if (status != CM_OK || *length == 0)
        return status;
    if (*length > lines->limit)
        return cm_error_set(error, CM_BAD_INPUT, lines->path, lines->number + 1, 0, "the line is longer than %zu bytes",
                            lines->limit);
    cm_lines_pass(lines, *length);
    status = check_line(lines, begin, *length, error);
    *text = status == CM_OK ? begin : NULL;
    return status;
}

cm_status cm_lines_peek(cm_lines *lines, int *byte, cm_error *error)
{
    if (lines->begin == lines->end && !lines->at_end) {
        cm_status status = fill_buffer(lines, error);
        if (status != CM_OK)
            return status;
    }
    *byte = lines->begin < lines->end ? (unsigned char)lines->buffer[lines->begin] : -1;
    return CM_OK;
}

size_t cm_lines_number(const cm_lines *lines)
{
    return lines->number > 0 ? lines->number : 1;
}

CM_GETTER(size_t cm_lines_offset(const cm_lines *lines), lines->offset)

size_t cm_lines_column(const char *text, size_t offset)
{
    return 1 + cm_utf8_count(text, offset);
}
