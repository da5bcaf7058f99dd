#include "report/report.h"

char *cm_together_refusal(const cm_defined_metric *metric)
{
    char *text = NULL;
    FILE *stream = metric->refusing_count > 0 ? cm_memory_stream(&text, NULL) : NULL;
    if (stream == NULL)
        return NULL;
    fputs("cannot be counted together: ", stream);
    for (size_t i = 0; i < metric->refusing_count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", metric->refusing[i]);
    fputs(" refuse each other", stream);
    return cm_memory_text(stream, &text);
}
