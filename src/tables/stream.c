#include "tables/stream.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/number.h"
#include "tables/names.h"

enum { BLOCK = 4 << 20, WINDOW = 1 << 20, FIXED_COLUMNS = 3, NUMBER_SIZE = 64, NAME_SIZE = 1024 };

struct cm_stream {
    int file;
    cm_measurements head;
    size_t repetition_count;
    size_t *repetitions; /* their numbers, ascending */
    size_t block_count;
    size_t *starts; /* of the blocks, and the end of the file */
};

/* Room for one event that is being read. */
typedef struct run {
    char name[NAME_SIZE];
    size_t length, rows, offset;
    double *vectors;
} run;

/* Bytes that a plain table has after its header. */
static bool is_plain(const char *text, size_t length)
{
    unsigned odd = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        odd |= (unsigned)(c >= 0x7F) | (unsigned)(c <= ' ' && c != '\n') | (unsigned)(c == '"');
    }
    return odd == 0;
}

static bool read_at(int file, char *buffer, size_t length, size_t offset)
{
    while (length > 0) {
        ssize_t done = pread(file, buffer, length, (off_t)offset);
        if (done <= 0)
            return false;
        buffer += done;
        length -= (size_t)done;
        offset += (size_t)done;
    }
    return true;
}

/* The number from `*at` to the next comma or line feed, after which *at then stands; counts are not negative. */
static bool take_number(const char **at, char end, double *value)
{
    const char *start = *at, *text = start;
    uint64_t digits = 0;
    while ((unsigned)(*text - '0') < 10)
        digits = digits * 10 + (uint64_t)(*text++ - '0');
    size_t length = (size_t)(text - start);
    if (length > 0 && length <= 15 && *text == end) {
        *value = (double)digits;
        *at = text + 1;
        return true;
    }
    char copy[NUMBER_SIZE];
    for (length = 0; start[length] != ',' && start[length] != '\n'; length++) {
        if (length + 1 == NUMBER_SIZE)
            return false;
        copy[length] = start[length];
    }
    copy[length] = '\0';
    cm_error ignored;
    *at = start + length + 1;
    return start[length] == end && cm_number_parse(copy, value, &ignored) == CM_OK && !(*value < 0.0);
}

/* One row; `text` ends with a line feed. False where it is not plain or belongs to no place of its event. */
static bool take_row(const cm_stream *stream, const char **text, size_t offset, run *now, bool *begins)
{
    const char *comma = strchr(*text, ','), *at;
    if (comma == NULL || comma == *text)
        return false;
    size_t length = (size_t)(comma - *text), kernels = stream->head.kernel_count;
    double repetition, thread;
    *begins = length != now->length || memcmp(*text, now->name, length) != 0;
    if (*begins) {
        if (length >= NAME_SIZE || memchr(*text, '\n', length) != NULL)
            return false;
        memcpy(now->name, *text, length);
        now->name[length] = '\0';
        now->length = length;
        now->rows = 0;
        now->offset = offset;
        if (strcmp(now->name, "iterations") == 0)
            return false;
    }
    at = comma + 1;
    if (now->rows == stream->repetition_count || !take_number(&at, ',', &repetition) ||
        !take_number(&at, ',', &thread) || repetition != (double)stream->repetitions[now->rows] || thread != 0.0)
        return false;
    double *vector = now->vectors + now->rows * kernels;
    for (size_t i = 0; i < kernels; i++)
        if (!take_number(&at, i + 1 < kernels ? ',' : '\n', &vector[i]))
            return false;
    if (stream->head.iterations != NULL)
        for (size_t i = 0; i < kernels; i++)
            vector[i] /= stream->head.iterations[i];
    now->rows++;
    *text = at;
    return true;
}

static bool visit_rows(const cm_stream *stream, const char *text, size_t length, size_t offset, run *now,
                       cm_stream_visit visit, void *context)
{
    const char *at = text, *end = text + length;
    while (at < end) {
        bool begins, complete = now->rows == stream->repetition_count || now->length == 0;
        if (!take_row(stream, &at, offset + (size_t)(at - text), now, &begins) || (begins && !complete))
            return false;
        if (now->rows == stream->repetition_count && !visit(context, now->name, now->offset, now->vectors))
            return false;
    }
    return now->rows == stream->repetition_count;
}

bool cm_stream_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context)
{
    size_t offset = stream->starts[block], length = stream->starts[block + 1] - offset;
    run now = {.length = 0};
    char *text = calloc(length + 2, 1);
    now.vectors = malloc((stream->repetition_count * stream->head.kernel_count + 1) * sizeof *now.vectors);
    bool done = length > 0 && text != NULL && now.vectors != NULL && read_at(stream->file, text, length, offset);
    if (done) {
        if (text[length - 1] != '\n')
            text[length++] = '\n';
        text[length] = '\0';
        done = is_plain(text, length) && visit_rows(stream, text, length, offset, &now, visit, context);
    }
    free(text);
    free(now.vectors);
    return done;
}

typedef struct copy_context {
    double *vectors;
    size_t count;
} copy_context;

static bool copy_first(void *context, const char *event, size_t offset, const double *vectors)
{
    copy_context *copy = context;
    (void)event;
    (void)offset;
    memcpy(copy->vectors, vectors, copy->count * sizeof *vectors);
    copy->count = 0;
    return false;
}

bool cm_stream_again(const cm_stream *stream, size_t offset, double *vectors)
{
    size_t block = 0;
    while (stream->starts[block + 1] <= offset)
        block++;
    size_t starts[2] = {offset, stream->starts[block + 1]};
    cm_stream part = *stream;
    part.starts = starts;
    copy_context copy = {vectors, stream->repetition_count * stream->head.kernel_count};
    (void)cm_stream_block(&part, 0, copy_first, &copy);
    return copy.count == 0;
}

/* Start of the line after `at`; NULL where none is in the window. */
static const char *next_line(const char *at, const char *end)
{
    const char *feed = memchr(at, '\n', (size_t)(end - at));
    return feed != NULL && feed + 1 < end ? feed + 1 : NULL;
}

static bool same_event(const char *one, const char *other, const char *end)
{
    while (other < end && *one == *other && *one != ',') {
        one++;
        other++;
    }
    return other < end && *one == ',' && *other == ',';
}

/* The first place from `offset` on where a row begins that is of another event than the row before it. 0: none near. */
static size_t find_border(const cm_stream *stream, char *window, size_t offset, size_t size)
{
    size_t length = size - offset < WINDOW ? size - offset : WINDOW;
    if (!read_at(stream->file, window, length, offset))
        return 0;
    const char *end = window + length, *line = next_line(window, end);
    for (const char *next; line != NULL; line = next) {
        next = next_line(line, end);
        if (next != NULL && !same_event(line, next, end))
            return offset + (size_t)(next - window);
    }
    return 0;
}

static bool cut_blocks(cm_stream *stream, size_t begin, size_t size)
{
    stream->starts = malloc(((size - begin) / BLOCK + 3) * sizeof *stream->starts);
    char *window = malloc(WINDOW);
    bool cut = stream->starts != NULL && window != NULL;
    size_t at = begin;
    while (cut && at < size) {
        stream->starts[stream->block_count++] = at;
        at = size - at <= 2 * (size_t)BLOCK ? size : find_border(stream, window, at + BLOCK, size);
        cut = at != 0;
    }
    if (cut)
        stream->starts[stream->block_count] = size;
    free(window);
    return cut;
}

/* The rows of iterations and of the first event, through the reader of all tables. */
static cm_status read_beginning(cm_stream *stream, cm_csv *csv, bool *plain, cm_error *error)
{
    cm_csv_row row;
    bool found = false;
    char *first = NULL;
    size_t capacity = 0;
    cm_error ignored;
    *plain = true;
    while (*plain && cm_csv_next(csv, &row, &found, &ignored) == CM_OK && found) {
        if (stream->repetition_count == 0 && strcmp(row.fields[0], "iterations") == 0 &&
            stream->head.iterations == NULL) {
            stream->head.iterations = calloc(stream->head.kernel_count, sizeof(double));
            if (stream->head.iterations == NULL)
                return cm_error_no_memory(error);
            for (size_t i = 0; i < stream->head.kernel_count; i++)
                *plain = *plain &&
                         cm_csv_number(csv, &row, FIXED_COLUMNS + i, &stream->head.iterations[i], &ignored) == CM_OK &&
                         stream->head.iterations[i] > 0.0;
            *plain = *plain && cm_csv_size(csv, &row, 1, &capacity, &ignored) == CM_OK &&
                     cm_csv_size(csv, &row, 2, &capacity, &ignored) == CM_OK;
            capacity = 0;
            continue;
        }
        if (first != NULL && strcmp(first, row.fields[0]) != 0)
            break;
        if (stream->repetition_count == capacity) {
            capacity = capacity == 0 ? 8 : 2 * capacity;
            size_t *grown = realloc(stream->repetitions, capacity * sizeof *grown);
            if (grown == NULL) {
                free(first);
                return cm_error_no_memory(error);
            }
            stream->repetitions = grown;
        }
        size_t count = stream->repetition_count;
        *plain = cm_csv_size(csv, &row, 1, &stream->repetitions[count], &ignored) == CM_OK &&
                 stream->repetitions[count] < (size_t)1 << 40 &&
                 (count == 0 || stream->repetitions[count] > stream->repetitions[count - 1]);
        stream->repetition_count++;
        if (first == NULL && (first = strdup(row.fields[0])) == NULL)
            return cm_error_no_memory(error);
    }
    free(first);
    *plain = *plain && stream->repetition_count >= 2;
    return CM_OK;
}

/* Where the first row of an event begins: after provenance, header and iterations. 0: not plain. */
static size_t find_begin(const cm_stream *stream, size_t size)
{
    size_t length = size < WINDOW ? size : WINDOW, begin = 0;
    char *window = malloc(length);
    if (window != NULL && read_at(stream->file, window, length, 0) && (unsigned char)window[0] < 0x7F) {
        const char *at = window, *end = window + length;
        while (at != NULL && *at == '#')
            at = next_line(at, end);
        const char *header = at;
        at = at != NULL ? next_line(at, end) : NULL;
        if (at != NULL && memchr(header, '"', (size_t)(at - header)) == NULL) {
            if (stream->head.iterations != NULL)
                at = strncmp(at, "iterations,", 11) == 0 ? next_line(at, end) : NULL;
            begin = at != NULL ? (size_t)(at - window) : 0;
        }
    }
    free(window);
    return begin;
}

static cm_status prepare(cm_stream *stream, const char *path, size_t size, bool *plain, cm_error *error)
{
    static const char *const fixed[FIXED_COLUMNS] = {"event", "repetition", "thread"};
    cm_csv *csv = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status == CM_OK)
        status = cm_csv_expect(csv, FIXED_COLUMNS, fixed, true, error);
    *plain = status == CM_OK && cm_csv_header(csv).count > FIXED_COLUMNS;
    if (*plain) {
        cm_csv_row header = cm_csv_header(csv);
        stream->head.header_line = header.line;
        stream->head.kernel_count = header.count - FIXED_COLUMNS;
        stream->head.file = strdup(path);
        status = stream->head.file == NULL ? cm_error_no_memory(error)
                                           : cm_names_copy(stream->head.kernel_count, header.fields + FIXED_COLUMNS,
                                                           &stream->head.kernels, error);
        if (status == CM_OK)
            status = read_beginning(stream, csv, plain, error);
    }
    cm_csv_close(csv);
    if (status == CM_OK && *plain) {
        size_t begin = find_begin(stream, size);
        *plain = begin != 0 && begin < size && cut_blocks(stream, begin, size);
    }
    return status;
}

cm_status cm_stream_open(const char *path, size_t smallest, cm_stream **stream, cm_error *error)
{
    struct stat found;
    cm_stream *created = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || (size_t)found.st_size < smallest) {
        if (file >= 0)
            close(file);
        return CM_OK;
    }
    created = calloc(1, sizeof *created);
    if (created == NULL) {
        close(file);
        return cm_error_no_memory(error);
    }
    created->file = file;
    bool plain = false;
    cm_status status = prepare(created, path, (size_t)found.st_size, &plain, error);
    if (status == CM_OK && plain) {
        *stream = created;
        return CM_OK;
    }
    cm_stream_close(created);
    return status;
}

void cm_stream_close(cm_stream *stream)
{
    if (stream == NULL)
        return;
    close(stream->file);
    cm_names_free(stream->head.kernel_count, stream->head.kernels);
    free(stream->head.iterations);
    free(stream->head.file);
    free(stream->repetitions);
    free(stream->starts);
    free(stream);
}

const cm_measurements *cm_stream_head(const cm_stream *stream)
{
    return &stream->head;
}

size_t cm_stream_repetitions(const cm_stream *stream)
{
    return stream->repetition_count;
}

size_t cm_stream_block_count(const cm_stream *stream)
{
    return stream->block_count;
}
