/* Writes catmint's own formulas. */
#include "formats/format.h"

/* Writes a definition as a row. */
static cm_status write_row(const cm_writing_item *item, FILE *stream, cm_error *error)
{
    char *formula = NULL, *source = NULL;
    size_t formula_size = 0, source_size = 0;
    FILE *sum = cm_memory_stream(&formula, &formula_size), *remark = cm_memory_stream(&source, &source_size);
    if (sum != NULL)
        cm_writing_sum(item, item->events, true, sum);
    if (remark != NULL) {
        fputs("catmint: ", remark);
        cm_writing_write(item->trust, SIZE_MAX, true, remark);
    }
    bool whole = sum != NULL && fclose(sum) == 0;
    whole = remark != NULL && fclose(remark) == 0 && whole;
    if (whole) {
        cm_csv_write_cell(stream, item->name);
        fputc(',', stream);
        cm_csv_write_field(stream, formula);
        fputs(",,", stream);
        cm_csv_write_field(stream, source);
        fputc('\n', stream);
    }
    CM_FREE(source, formula);
    return whole ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_csv_write_formulas(cm_writing *writing, FILE *stream, cm_error *error)
{
    cm_status status = CM_OK;
    fprintf(stream, "# %s\nmetric,formula,unit,source\n", writing->origin);
    for (size_t i = 0; status == CM_OK && i < writing->count; i++) {
        const cm_writing_item *item = &writing->items[i];
        /* In a formula, the name of one of the item's events would mean a metric of that name. */
        const char *metric = NULL;
        for (size_t k = 0; metric == NULL && k < item->term_count; k++)
            metric = cm_writing_find_metric(writing, item->terms[k].event, strcmp);
        if (metric != NULL) {
            cm_writing_refuse(writing, item, "its event '%.200s' has the same name as a metric of the file", metric);
            continue;
        }
        status = write_row(item, stream, error);
        writing->written += status == CM_OK;
    }
    return status;
}
