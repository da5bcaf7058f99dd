/* catmint's own formulas. */
#include "formats/writer.h"

#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/memory_stream.h"

/* A name in a formula is a metric where the file has one, so an event of that name would be taken for it. */
static const char *find_metric_among_events(const cm_export *export, const cm_export_item *item)
{
    for (size_t k = 0; k < item->metric->term_count; k++)
        for (size_t i = 0; i < export->count; i++)
            if (strcmp(export->items[i].name, item->metric->terms[k].event) == 0)
                return export->items[i].name;
    return NULL;
}

static cm_status write_row(const cm_export *export, const cm_export_item *item, FILE *stream, cm_error *error)
{
    char *formula = NULL, *remark = NULL, *source = NULL;
    size_t size = 0;
    FILE *text = cm_memory_stream(&formula, &size);
    if (text == NULL)
        return cm_error_no_memory(error);
    cm_export_sum(item, item->events, true, text);
    cm_status status = fclose(text) == 0 ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        status = cm_export_remark_create(export, item->metric, CM_CSV_ROW_LIMIT / 2, &remark, error);
    if (status == CM_OK) {
        size_t length = strlen(remark) + sizeof "catmint: ";
        source = malloc(length);
        if (source == NULL)
            status = cm_error_no_memory(error);
        else
            snprintf(source, length, "catmint: %s", remark);
    }
    if (status == CM_OK) {
        cm_csv_write_field(stream, item->name);
        fputc(',', stream);
        cm_csv_write_field(stream, formula);
        fputs(",,", stream);
        cm_csv_write_field(stream, source);
        fputc('\n', stream);
    }
    free(source);
    free(remark);
    free(formula);
    return status;
}

cm_status cm_export_csv(cm_export *export, FILE *stream, cm_error *error)
{
    char *origin = NULL;
    cm_status status = cm_export_origin_create(export, &origin, error);
    if (status == CM_OK)
        fprintf(stream, "# %s\nmetric,formula,unit,source\n", origin);
    free(origin);
    for (size_t i = 0; status == CM_OK && i < export->count; i++) {
        const cm_export_item *item = &export->items[i];
        const char *metric = find_metric_among_events(export, item);
        if (metric != NULL) {
            cm_export_refuse(export, item->metric, "its event '%.200s' has the same name as a metric of the file",
                             metric);
            continue;
        }
        status = write_row(export, item, stream, error);
        export->summary.written += status == CM_OK;
    }
    return status;
}
