#include "tables/tables.h"

/* Reads the header; a faulty one is left to the other reader. */
static cm_status read_stream_header(cm_stream *stream, const char *path, bool *good, cm_error *error)
{
    cm_status status = cm_rows_open(path, &stream->table, NULL);
    *good = status == CM_OK;
    if (status != CM_OK)
        return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
    stream->header_end = cm_csv_offset(stream->table.csv);
    return cm_rows_head(&stream->table, &stream->head, error);
}

cm_status cm_stream_open(const char *path, size_t smallest, const volatile int *stop, cm_stream **stream,
                         cm_error *error)
{
    struct stat found;
    int file = cm_input_descriptor(AT_FDCWD, path, 0);
    if (file < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || (size_t)found.st_size < smallest) {
        if (file >= 0)
            close(file);
        return CM_OK;
    }
    cm_stream *created = calloc(1, sizeof *created);
    if (created == NULL) {
        close(file);
        return cm_error_no_memory(error);
    }
    created->file = file;
    created->stop = stop;
    created->size = (size_t)found.st_size;
    created->changed = found.st_mtim;
    bool good = false;
    cm_status status = read_stream_header(created, path, &good, error);
    if (status == CM_OK && good)
        status = cm_stream_index(created, &good, error);
    good = status == CM_OK && good && cm_stream_read_first(created);
    if (!good)
        cm_stream_close(created);
    else
        *stream = created;
    return status;
}

void cm_stream_close(cm_stream *stream)
{
    if (stream == NULL)
        return;
    close(stream->file);
    cm_rows_close(&stream->table);
    CM_FREE(stream->rows, stream->firsts, stream->runs, stream->repetitions);
    cm_free_list(stream->head.kernels, stream->head.kernel_count);
    CM_FREE(stream->head.iterations, stream->head.file, stream);
}

CM_GETTER(const cm_measurements *cm_stream_head(const cm_stream *stream), &stream->head)
CM_GETTER(size_t cm_stream_repetitions(const cm_stream *stream), stream->repetition_count)
