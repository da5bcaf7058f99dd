#include "report/report.h"

void cm_unmeasurable_text(const cm_benchmark_result *result, size_t metric, char text[CM_UNMEASURABLE_SIZE])
{
    static const char here[] = "not measurable on this machine:";
    if (cm_name_is_beyond(result->basis->cache_levels, result->signatures->metrics[metric].metric))
        snprintf(text, CM_UNMEASURABLE_SIZE, "%s it has no such level of cache", here);
    else if (result->lacking[metric] != NULL)
        snprintf(text, CM_UNMEASURABLE_SIZE, "%s no kernel of %.150s ran", here, result->lacking[metric]);
    else
        snprintf(text, CM_UNMEASURABLE_SIZE, "%s %s", here,
                 result->basis->confounded_count > 0 ? "the kernels that ran cannot separate it from other metrics"
                                                     : "none of its kernels ran");
}
