#include "report/report.h"

#include "analysis/rules.h"

void cm_interference_text(double share, char *text, size_t size)
{
    char percent[CM_NUMBER_SIZE];
    bool told = share < cm_minor();
    cm_percent_text(share, percent);
    snprintf(text, size,
             told ? "at most %s of the hits in caches were moved one level down by other programs"
                  : "other programs may have moved %s of the hits in caches one level down: no event shows that it "
                    "was less; on an idle machine, definitions hold at rarer misses, too",
             percent);
}

void cm_interference_write(const cm_results *results, const cm_page *page)
{
    char line[256];
    double least = NAN;
    for (size_t i = 0; i < results->benchmark_count; i++) {
        const cm_evidence *evidence = results->benchmarks[i]->evidence;
        if (evidence != NULL && evidence->law != NULL && evidence->problem.rough)
            least = fmin(least, cm_counted_law_setup(evidence->law)->interference);
    }
    if (isnan(least))
        return;
    cm_interference_text(least, line, sizeof line);
    cm_page_labelled(page, "Interference", line);
}
