/* Exports definitions one by one. */
#include "formats/export/export.h"

/* Writes one definition. If an option is missing, the writer's error is the refusal. */
static cm_status write_piece(cm_export *export, cm_writing_item *item, cm_error *error)
{
    cm_writing one = export->writing;
    char *text = NULL;
    cm_error fault;
    one.items = item;
    one.count = 1;
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    cm_status status = export->format->write(&one, stream, &fault);
    if (fclose(stream) != 0 || status == CM_NO_MEMORY) {
        free(text);
        return cm_error_no_memory(error);
    }
    if (status != CM_OK)
        export->take(&(cm_export_piece){.metric = item->metric, .refusal = fault.text}, export->take_data);
    else if (one.written == 1)
        export->take(&(cm_export_piece){.metric = item->metric, .text = text}, export->take_data);
    free(text);
    return CM_OK;
}

cm_status cm_export_pieces(const cm_definitions *definitions, const cm_export_options *options,
                           const cm_export_names *names, cm_export_take take, void *data, cm_error *error)
{
    cm_export export;
    cm_status status = cm_export_begin(definitions, options, &export, error);
    if (status != CM_OK)
        return status;
    export.take = take;
    export.take_data = data;
    status = cm_export_prepare(&export, names, error);
    for (size_t i = 0; i < export.writing.count && status == CM_OK; i++)
        status = write_piece(&export, &export.writing.items[i], error);
    cm_export_clear(&export);
    return status;
}
