/* Counts of programs for other programs. */
#include "report/report.h"

json_t *cm_ranges_json(const cm_defined_range *ranges, size_t count)
{
    json_t *array = count > 0 ? json_array() : json_null();
    for (size_t i = 0; i < count; i++)
        array = cm_json_append(array, json_pack("{s:o, s:o, s:o}", "fact", cm_json_text(ranges[i].fact), "per",
                                                cm_json_text(ranges[i].per), "share", cm_json_number(ranges[i].share)));
    return array;
}

static json_t *in_range_json(cm_in_range in_range)
{
    return in_range == CM_IN_RANGE_YES ? json_true() : in_range == CM_IN_RANGE_NO ? json_false() : json_null();
}

/* One event or metric of a scope; `reason` is null unless the value is unknown or doubtful. */
static json_t *summary_json(const char *kind, const char *name, const cm_summary *summary, cm_rates rates,
                            cm_remark remark, const cm_value_error *value_error)
{
    char text[CM_VALUE_REASON];
    const char *reason = cm_value_reason(remark, value_error, text);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", kind, cm_json_text(name), "value",
                     cm_json_number(summary->median), "lowest", cm_json_number(summary->lowest), "highest",
                     cm_json_number(summary->highest), "repetitions", cm_json_count(summary->count), "per_second",
                     cm_json_number(rates.per_second), "per_cycle", cm_json_number(rates.per_cycle),
                     "repetitions_error", cm_json_number(cm_summary_spread(summary)), "reason",
                     reason != NULL ? cm_json_text(reason) : json_null());
}

/* A scope with the values of its metrics and events. */
static json_t *scope_json(const cm_program_counts *counts, const cm_scope *scope)
{
    json_t *metrics = json_array(), *events = json_array();
    for (size_t i = 0; i < counts->metric_count; i++) {
        cm_summary summary = cm_scope_metric(counts, scope, i);
        json_t *metric =
            summary_json("metric", counts->metrics[i]->metric, &summary, cm_scope_rates(counts, scope, summary.median),
                         cm_metric_remark(counts, scope, i, &summary), &scope->errors[i]);
        metric = cm_json_set(metric, "definition_error", cm_json_number(cm_metric_error(counts->metrics[i])));
        metric = cm_json_set(metric, "error", cm_json_number(scope->errors[i].error));
        metric = cm_json_set(metric, "error_because", cm_json_name(scope->errors[i].because));
        metric = cm_json_set(metric, "valid_above",
                             cm_ranges_json(counts->metrics[i]->ranges, counts->metrics[i]->range_count));
        metric = cm_json_set(metric, "in_range", in_range_json(scope->errors[i].in_range));
        metrics = cm_json_append(metrics, cm_json_set(metric, "core", cm_json_name(counts->metrics[i]->core)));
    }
    for (size_t i = 0; i < counts->event_count; i++) {
        cm_summary summary = cm_scope_event(counts, scope, i);
        events = cm_json_append(events, summary_json("event", counts->events[i].name, &summary,
                                                     cm_scope_rates(counts, scope, summary.median),
                                                     cm_event_remark(counts, i, &summary), NULL));
    }
    cm_summary seconds = cm_scope_seconds(counts, scope);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "scope", cm_scope_kind_name(scope->kind), "number",
                     cm_json_count(scope->number), "name", cm_json_text(scope->name), "calls",
                     cm_json_number(scope->calls), "seconds", cm_json_number(seconds.median), "metrics", metrics,
                     "events", events);
}

static json_t *counted_metric_json(const cm_defined_metric *metric)
{
    json_t *terms = json_array();
    for (size_t i = 0; i < metric->term_count; i++)
        terms = cm_json_append(terms, json_pack("{s:o, s:o}", "event", cm_json_text(metric->terms[i].event),
                                                "coefficient", cm_json_number(metric->terms[i].coefficient)));
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o}", "metric", cm_json_text(metric->metric), "preset",
                     cm_json_name(metric->preset), "benchmark", cm_json_text(metric->benchmark), "core",
                     cm_json_name(metric->core), "composable", (int)metric->composable, "definition", terms);
}

json_t *cm_counts_json(const void *content)
{
    const cm_program_counts *counts = content;
    json_t *metrics = json_array(), *events = json_array(), *scopes = json_array();
    for (size_t i = 0; i < counts->metric_count; i++)
        metrics = cm_json_append(metrics, counted_metric_json(counts->metrics[i]));
    for (size_t i = 0; i < counts->event_count; i++)
        events = cm_json_append(events, json_pack("{s:o, s:o}", "event", cm_json_text(counts->events[i].name), "run",
                                                  cm_json_count(counts->events[i].set)));
    for (size_t i = 0; i < counts->scope_count; i++)
        scopes = cm_json_append(scopes, scope_json(counts, &counts->scopes[i]));
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o}",
        "schema", "catmint.count/1", "pmu", cm_json_text(counts->pmu), "reason", cm_json_text(counts->reason),
        "command", cm_json_text(counts->command), "process",
        counts->process != 0 ? json_integer(counts->process) : json_null(), "processors",
        counts->processors != NULL ? cm_json_text(counts->processors) : json_null(), "exit_status", counts->exit,
        "repetitions", cm_json_count(counts->repetitions), "runs_each", cm_json_count(counts->sets), "seconds",
        cm_json_numbers(counts->seconds, counts->run_count), "interval",
        counts->interval > 0.0 ? cm_json_number(counts->interval) : json_null(), "vector_bits",
        counts->vector_bits > 0 ? cm_json_count(counts->vector_bits) : json_null(), "line_bytes",
        counts->line_bytes > 0 ? cm_json_count(counts->line_bytes) : json_null(), "multiplexed",
        (int)counts->multiplexed, "interrupted", (int)counts->interrupted, "signal",
        counts->signal != 0 ? json_integer(counts->signal) : json_null(), "note", cm_json_text(counts->note), "metrics",
        metrics, "events", events, "scopes", scopes, "formulas",
        counts->values != NULL ? cm_evaluation_json(counts->values) : json_null());
}
