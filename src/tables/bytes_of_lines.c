#include "tables/tables.h"

static const double written_for = 64.0;

/* Lines, each with as many bytes. */
static bool is_in_bytes_of_lines(const cm_signature *metric, size_t symbols)
{
    bool any = false;
    for (size_t j = 0; j < symbols; j++) {
        if (metric->values[j] != 0.0 && fabs(metric->values[j]) != written_for)
            return false;
        any = any || metric->values[j] != 0.0;
    }
    return any;
}

/* Multiplies the metric's values and its meaning. */
static cm_status scale_metric(cm_signature *metric, size_t symbols, double factor, cm_error *error)
{
    char *meaning = NULL;
    for (size_t j = 0; j < symbols; j++)
        metric->values[j] *= factor;
    if (metric->meaning == NULL || metric->meaning[0] == '\0')
        return CM_OK;
    if (asprintf(&meaning, "%g*(%s)", factor, metric->meaning) < 0)
        return cm_error_no_memory(error);
    free(metric->meaning);
    metric->meaning = meaning;
    return CM_OK;
}

cm_status cm_scale_bytes_of_lines(cm_signatures *signatures, size_t line, cm_error *error)
{
    double factor = (double)line / written_for;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && factor != 1.0 && i < signatures->metric_count; i++)
        if (is_in_bytes_of_lines(&signatures->metrics[i], signatures->symbol_count))
            status = scale_metric(&signatures->metrics[i], signatures->symbol_count, factor, error);
    return status;
}
