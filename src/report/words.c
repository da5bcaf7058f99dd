/* Words that several reports have in common. */
#include "report/report.h"

#include "analysis/rules.h"

bool cm_interference_text(const cm_definitions *document, char text[CM_INTERFERENCE_SIZE])
{
    double least = NAN;
    char percent[CM_NUMBER_SIZE];
    for (size_t i = 0; i < document->benchmark_count; i++) {
        const cm_defined_benchmark *listed = &document->benchmarks[i].listed;
        if (listed->law_count > 0 && cm_is_rough(listed->residual))
            least = fmin(least, listed->interference);
    }
    cm_percent_text(least, percent);
    snprintf(text, CM_INTERFERENCE_SIZE,
             least < cm_minor()
                 ? "at most %s of the hits in caches were moved one level down by other programs"
                 : "other programs may have moved %s of the hits in caches one level down: no event shows that it was "
                   "less; on an idle machine, definitions hold at rarer misses, too",
             percent);
    return !isnan(least);
}

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

void cm_unmeasurable_text(const cm_defined_metric *metric, char text[CM_UNMEASURABLE_SIZE])
{
    static const char here[] = "not measurable on this machine:";
    if (metric->obstacle == CM_OBSTACLE_NO_LEVEL)
        snprintf(text, CM_UNMEASURABLE_SIZE, "%s it has no such level of cache", here);
    else if (metric->lacks[0] != '\0')
        snprintf(text, CM_UNMEASURABLE_SIZE, "%s no kernel of %.150s ran", here, metric->lacks);
    else
        snprintf(text, CM_UNMEASURABLE_SIZE, "%s %s", here,
                 metric->obstacle == CM_OBSTACLE_CONFOUNDED
                     ? "the kernels that ran cannot separate it from other metrics"
                     : "none of its kernels ran");
}
