/* Writes measurements, row by row. */
#include "tables/tables.h"

struct cm_measurements_writer {
    char *path;
    cm_output *output;
    size_t kernel_count;
};

/* Whether the reader accepts the text as a name. */
static bool is_name(const char *text)
{
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            return false;
    return true;
}

/* CM_BAD_ARGUMENT if names or iterations of kernels are not valid. */
static cm_status check_kernels(size_t count, const char *const *kernels, const double *iterations, cm_error *error)
{
    if (count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a measurement table without kernels");
    cm_name_index *names = NULL;
    cm_status status = cm_name_index_create(&names, error);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        size_t index;
        if (!is_name(kernels[i]) || cm_name_index_find(names, kernels[i], &index))
            status = CM_FAIL(error, CM_BAD_ARGUMENT, "kernel '%s' is not a valid name, or appears twice", kernels[i]);
        else if (iterations != NULL && !(isfinite(iterations[i]) && iterations[i] > 0.0))
            status = CM_FAIL(error, CM_BAD_ARGUMENT, "kernel '%s': %g iterations, expected more than 0", kernels[i],
                             iterations[i]);
        else
            status = cm_name_index_add(names, kernels[i], i, error);
    }
    cm_name_index_free(names);
    return status;
}

static cm_status check_stream(const cm_measurements_writer *writer, cm_error *error)
{
    if (!ferror(cm_output_stream(writer->output)))
        return CM_OK;
    return cm_error_set(error, CM_IO, writer->path, 0, 0, "writing failed: %s", strerror(errno));
}

static void write_provenance(FILE *stream, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fputs(length > 0 ? "# " : "#", stream);
        fwrite(text, 1, length, stream);
        fputc('\n', stream);
        text += length + (text[length] == '\n');
    }
}

/* A row of counts, a column a kernel. */
static void write_row(FILE *stream, const char *event, size_t repetition, size_t thread, size_t kernels,
                      const double *values)
{
    cm_csv_write_field(stream, event);
    fprintf(stream, ",%zu,%zu", repetition, thread);
    for (size_t i = 0; i < kernels; i++) {
        char text[1 + CM_NUMBER_TEXT_SIZE] = ",";
        fwrite(text, 1, 1 + cm_number_write(values[i], text + 1), stream);
    }
    fputc('\n', stream);
}

cm_status cm_measurement_row_write(FILE *stream, const char *event, size_t repetition, size_t thread, size_t kernels,
                                   const double *values, cm_error *error)
{
    if (!is_name(event) || strcmp(event, "iterations") == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "'%s' cannot be the name of an event", event);
    for (size_t i = 0; i < kernels; i++)
        if (!(isfinite(values[i]) && values[i] >= 0.0))
            return CM_FAIL(error, CM_BAD_ARGUMENT, "event '%s', repetition %zu: %g is not a count", event, repetition,
                           values[i]);
    write_row(stream, event, repetition, thread, kernels, values);
    return CM_OK;
}

/* Writes provenance, header and iterations. */
static cm_status write_head(const cm_measurements_writer *writer, const char *provenance, const char *const *kernels,
                            const double *iterations, cm_error *error)
{
    FILE *stream = cm_output_stream(writer->output);
    if (provenance != NULL)
        write_provenance(stream, provenance);
    fputs("event,repetition,thread", stream);
    for (size_t i = 0; i < writer->kernel_count; i++) {
        fputc(',', stream);
        cm_csv_write_field(stream, kernels[i]);
    }
    fputc('\n', stream);
    if (iterations != NULL)
        write_row(stream, "iterations", 1, 0, writer->kernel_count, iterations);
    return check_stream(writer, error);
}

cm_status cm_measurements_writer_create(const char *path, const char *provenance, size_t kernel_count,
                                        const char *const *kernels, const double *iterations,
                                        cm_measurements_writer **writer, cm_error *error)
{
    cm_status status = check_kernels(kernel_count, kernels, iterations, error);
    if (status != CM_OK)
        return status;
    cm_measurements_writer *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->kernel_count = kernel_count;
    created->path = strdup(path);
    status = created->path != NULL ? cm_output_create(path, &created->output, error) : cm_error_no_memory(error);
    CM_THEN(status, write_head(created, provenance, kernels, iterations, error));
    CM_HAND_OVER(status, writer, created, cm_measurements_writer_free);
    return status;
}

cm_status cm_measurements_writer_add(cm_measurements_writer *writer, const char *event, size_t repetition,
                                     size_t thread, const double *values, cm_error *error)
{
    cm_status status = cm_measurement_row_write(cm_output_stream(writer->output), event, repetition, thread,
                                                writer->kernel_count, values, error);
    return status == CM_OK ? check_stream(writer, error) : status;
}

cm_status cm_measurements_writer_copy(cm_measurements_writer *writer, const char *row, size_t length, cm_error *error)
{
    fwrite(row, 1, length, cm_output_stream(writer->output));
    return check_stream(writer, error);
}

cm_status cm_measurements_writer_finish(cm_measurements_writer *writer, cm_error *error)
{
    return cm_output_commit(writer->output, error);
}

void cm_measurements_writer_free(cm_measurements_writer *writer)
{
    if (writer == NULL)
        return;
    cm_output_free(writer->output);
    CM_FREE(writer->path, writer);
}
