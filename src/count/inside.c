/* Says whether the program that was counted lies in the range of a metric's definition. */
#include "analysis/rules.h"
#include "count/count.h"
#include "result/result.h"

void cm_scope_facts(const cm_program_counts *counts, const cm_scope *scope, const double *values, const char *core,
                    double *facts)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        facts[i] = scope->facts != NULL ? scope->facts[i] : NAN;
    for (size_t m = 0; m < counts->metric_count && scope->facts == NULL; m++) {
        const cm_defined_metric *metric = counts->metrics[m];
        const ptrdiff_t fact = metric->usable && metric->meaning != NULL && strcmp(metric->core, core) == 0
                                   ? cm_fact_find(metric->meaning)
                                   : -1;
        if (fact >= 0)
            facts[fact] = values[m];
    }
}

/* Writes why a bound is not known. */
static void write_unknown(const char *per, const cm_compared_facts *compared, char text[CM_RANGE_TEXT])
{
    char fact[CM_RANGE_TEXT];
    if (compared->is_unread)
        cm_text_print(text, CM_RANGE_TEXT, "'%.300s' is no fact", per);
    else
        snprintf(text, CM_RANGE_TEXT, "%.300s were not counted", cm_fact_text(per, fact));
}

/* Whether the metric is at least the range's share of the other fact; NaN: unknown. */
static cm_in_range compare_facts(const cm_defined_range *range, const cm_compared_facts *compared)
{
    if (compared->is_unread || isnan(compared->metric) ||
        (isnan(compared->per) && compared->metric < range->share * compared->most))
        return CM_IN_RANGE_UNKNOWN;
    return isnan(compared->per) || compared->metric >= range->share * compared->per ? CM_IN_RANGE_YES : CM_IN_RANGE_NO;
}

cm_status cm_count_place(cm_program_counts *counts, size_t metric, size_t range, const cm_compared_facts *compared,
                         cm_value_error *value, cm_error *error)
{
    const cm_defined_metric *defined = counts->metrics[metric];
    const cm_in_range place = compare_facts(&defined->ranges[range], compared);
    char text[CM_RANGE_TEXT];
    const bool first = value->in_range == CM_IN_RANGE_NONE;
    if (!first && (place == CM_IN_RANGE_YES || value->in_range == CM_IN_RANGE_NO || place == value->in_range))
        return CM_OK; /* the first bound that does not hold is told, else the first that is not known */
    if (place == CM_IN_RANGE_NO)
        cm_place_text(defined->metric, &defined->ranges[range], compared->metric / compared->per, text);
    else if (place == CM_IN_RANGE_YES)
        text[0] = '\0';
    else
        write_unknown(defined->ranges[range].per, compared, text);
    value->in_range = place;
    value->place = cm_counts_text(counts, text);
    return value->place != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_count_compare_error(cm_program_counts *counts, double count, cm_value_error *value, cm_error *error)
{
    char number[CM_NUMBER_SIZE], text[CM_RANGE_TEXT];
    const double most = cm_the_rules.natural * fabs(count);
    if (value->in_range != CM_IN_RANGE_YES || !(value->error > most))
        return CM_OK;
    snprintf(text, sizeof text, "its error is %s here",
             count != 0.0 ? cm_percent_text(value->error / fabs(count), number) : cm_figure_text(value->error, number));
    value->in_range = CM_IN_RANGE_UNKNOWN;
    value->place = cm_counts_text(counts, text);
    return value->place != NULL ? CM_OK : cm_error_no_memory(error);
}
