/* Summarises values over the repetitions. */
#include "count/counts.h"

/* The value in one repetition; NaN: there is none. */
typedef double (*cm_value_of)(const cm_program_counts *counts, const cm_scope *scope, size_t repetition, size_t index);

/* Summarises the values that are numbers; there are few, so they are sorted by insertion. */
static cm_summary summarise_values(const cm_program_counts *counts, cm_value_of value, const cm_scope *scope,
                                   size_t index)
{
    cm_summary summary = {NAN, NAN, NAN, 0};
    double *sorted = calloc(counts->repetitions, sizeof *sorted);
    if (sorted == NULL)
        return summary;
    for (size_t i = 0; i < counts->repetitions; i++) {
        double found = value(counts, scope, i, index);
        if (!isnan(found)) {
            size_t at = summary.count++;
            for (; at > 0 && sorted[at - 1] > found; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = found;
        }
    }
    if (summary.count > 0) {
        size_t middle = summary.count / 2;
        summary.lowest = sorted[0];
        summary.highest = sorted[summary.count - 1];
        summary.median = summary.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
    }
    free(sorted);
    return summary;
}

static double event_value(const cm_program_counts *counts, const cm_scope *scope, size_t repetition, size_t event)
{
    return scope->counts[repetition * counts->event_count + event];
}

static double seconds_value(const cm_program_counts *counts, const cm_scope *scope, size_t repetition, size_t index)
{
    (void)counts;
    (void)index;
    return scope->seconds[repetition];
}

static double count_of(const cm_program_counts *counts, const double *row, const char *event)
{
    const size_t i = CM_FIND_BY(name, event, counts->events, counts->event_count);
    return i < counts->event_count ? row[i] : NAN;
}

static double metric_value(const cm_program_counts *counts, const cm_scope *scope, size_t repetition, size_t metric)
{
    const double *row = scope->counts + repetition * counts->event_count;
    const cm_defined_metric *defined = counts->metrics[metric];
    double sum = 0.0;
    for (size_t i = 0; i < defined->term_count; i++)
        sum += defined->terms[i].coefficient * count_of(counts, row, defined->terms[i].event);
    return sum;
}

cm_summary cm_scope_event(const cm_program_counts *counts, const cm_scope *scope, size_t event)
{
    return summarise_values(counts, event_value, scope, event);
}

cm_summary cm_scope_seconds(const cm_program_counts *counts, const cm_scope *scope)
{
    return summarise_values(counts, seconds_value, scope, 0);
}

cm_summary cm_scope_metric(const cm_program_counts *counts, const cm_scope *scope, size_t metric)
{
    return summarise_values(counts, metric_value, scope, metric);
}

double cm_summary_spread(const cm_summary *summary)
{
    if (summary->count < 2)
        return NAN;
    double half = (summary->highest - summary->lowest) / 2.0;
    return half == 0.0 ? 0.0 : half / fabs(summary->median);
}

double cm_metric_error(const cm_defined_metric *metric)
{
    return fmax(metric->backward_error, fmax(metric->misfit, metric->validation_worst));
}

/* Whether an event of its definition is modelled. */
static bool has_modelled_event(const cm_program_counts *counts, size_t metric)
{
    const cm_defined_metric *defined = counts->metrics[metric];
    for (size_t i = 0; i < defined->term_count; i++)
        for (size_t k = 0; k < counts->event_count; k++)
            if (counts->events[k].modelled && strcmp(counts->events[k].name, defined->terms[i].event) == 0)
                return true;
    return false;
}

cm_remark_words cm_remark_words_of(cm_remark remark)
{
    static const cm_remark_words words[CM_REMARKS] = {
        [CM_REMARK_NOT_MODELLED] = {"not modelled", "the emulated PMU does not know its meaning"},
        [CM_REMARK_NOT_COUNTED] = {"not counted", "no run counted it"},
        [CM_REMARK_NOT_KNOWN] = {"not known", "this processor has no such event, or cannot count it"},
        [CM_REMARK_NOT_DEFINED] = {"not defined", "the results have no definition that measures it"},
        [CM_REMARK_NO_RESULTS] = {"no results", "a metric, whose definition --results FILE gives"},
        [CM_REMARK_LACKS_EVENT] = {"lacks an event", "an event of its definition has no value"},
        [CM_REMARK_NOT_COMPOSABLE] = {"not composable", "its definition does not measure the metric"},
        [CM_REMARK_IN_RANGE] = {"inside its range", "its definition holds only where the metric is frequent, as here"},
        [CM_REMARK_OUTSIDE] = {"outside its range", NULL},
        [CM_REMARK_RANGE_UNKNOWN] = {"range not known", NULL},
        [CM_REMARK_CUT_SHORT] = {"cut short", "a signal ended the program, the counts go up to then"},
        [CM_REMARK_MODELLED] = {"modelled", "the model of the emulated PMU decides it"}};
    return words[remark];
}

const char *cm_value_reason(cm_remark remark, const cm_value_error *value, char text[CM_VALUE_REASON])
{
    const cm_remark_words words = cm_remark_words_of(remark);
    if (words.mark == NULL || words.reason != NULL)
        return words.reason;
    snprintf(text, CM_VALUE_REASON, "%s: %s", words.mark, value->place);
    return text;
}

cm_remark cm_event_remark(const cm_program_counts *counts, size_t event, const cm_summary *summary)
{
    if (counts->events[event].lack != CM_REMARK_NONE)
        return counts->events[event].lack;
    if (isnan(summary->median))
        return CM_REMARK_NOT_COUNTED;
    if (counts->signal != 0)
        return CM_REMARK_CUT_SHORT;
    return counts->events[event].modelled ? CM_REMARK_MODELLED : CM_REMARK_NONE;
}

cm_remark cm_metric_remark(const cm_program_counts *counts, const cm_scope *scope, size_t metric,
                           const cm_summary *summary)
{
    static const cm_remark of_range[] = {[CM_IN_RANGE_YES] = CM_REMARK_IN_RANGE,
                                         [CM_IN_RANGE_NO] = CM_REMARK_OUTSIDE,
                                         [CM_IN_RANGE_UNKNOWN] = CM_REMARK_RANGE_UNKNOWN};
    if (isnan(summary->median))
        return CM_REMARK_LACKS_EVENT;
    if (!counts->metrics[metric]->usable)
        return CM_REMARK_NOT_COMPOSABLE;
    if (counts->signal != 0)
        return CM_REMARK_CUT_SHORT;
    if (scope->errors[metric].in_range != CM_IN_RANGE_NONE)
        return of_range[scope->errors[metric].in_range];
    return has_modelled_event(counts, metric) ? CM_REMARK_MODELLED : CM_REMARK_NONE;
}
