/* Limits of a definition: facts that nothing separates from its metric, its range, and its leaks. */
#include "report/report.h"

enum { CONFOUNDED_LINES = 2 };

void cm_explain_write_confounded(const cm_defined_metric *metric, const cm_page *page)
{
    char names[CM_PAGE_NAMES];
    size_t shown = 0;
    for (size_t line = 0; shown < metric->confounded_count && (page->cut == NULL || line < CONFOUNDED_LINES); line++) {
        const char *const *texts = metric->confounded + shown;
        const size_t alike = page->cut != NULL ? cm_page_alike(texts, metric->confounded_count - shown, names) : 1;
        cm_page_labelled(page, line == 0 ? "Confounded" : "", page->cut != NULL ? names : texts[0]);
        shown += alike;
        if (page->cut != NULL)
            *page->cut |= alike > CM_PAGE_ALIKE || shown < metric->confounded_count;
    }
    cm_page_rest(page, metric->confounded_count - shown + metric->confounded_more, "that no kernel separates");
}

void cm_explain_write_range(const cm_defined_metric *metric, const cm_page *page)
{
    const size_t width = page->cut != NULL ? page->width - CM_PAGE_LABEL : SIZE_MAX;
    char *range = cm_ranges_text(metric->ranges, metric->range_count, NAN, width, page->cut);
    char *leaks = cm_leaks_text(metric->leaks, metric->leak_count, width, page->cut);
    *page->short_of_memory |= (range == NULL && metric->range_count > 0) || (leaks == NULL && metric->leak_count > 0);
    if (range != NULL)
        cm_page_labelled(page, "Holds", range);
    if (leaks != NULL)
        cm_page_labelled(page, "Leaks", leaks);
    free(range);
    free(leaks);
}
