/* Chooses the metrics to count, and their events. */
#include "count/count.h"
#include "formulas/events/events.h"
#include "software_pmu/machine/facts.h"

/* A plan while it is read. */
typedef struct planned {
    cm_program_counts *counts;
    const char **sets; /* their names, in the order in which they begin */
    size_t count;
} planned;

/* Adds an event, unless it is there. */
static cm_status choose_event(cm_program_counts *counts, const char *name, bool asked, cm_error *error)
{
    for (size_t i = 0; i < counts->event_count; i++) {
        if (strcmp(counts->events[i].name, name) == 0) {
            counts->events[i].asked |= asked;
            return CM_OK;
        }
    }
    if (!CM_GROW_BY_ONE(counts->events, counts->event_count))
        return cm_error_no_memory(error);
    cm_counted_event event = {.name = cm_counts_text(counts, name), .asked = asked};
    if (event.name == NULL)
        return cm_error_no_memory(error);
    counts->events[counts->event_count++] = event;
    return CM_OK;
}

/* The number of a plan's set, from 1; 0: no memory. */
static size_t number_of_set(planned *plan, const char *name)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->sets[i], name) == 0)
            return i + 1;
    if (!CM_GROW_BY_ONE(plan->sets, plan->count))
        return 0;
    plan->sets[plan->count] = cm_counts_text(plan->counts, name);
    return plan->sets[plan->count] != NULL ? ++plan->count : 0;
}

/* Adds an event of a set, whose rows need not stand together. */
static cm_status add_planned(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    planned *plan = data;
    cm_program_counts *counts = plan->counts;
    cm_status status = cm_csv_name(csv, row, 0, error);
    CM_THEN(status, cm_csv_name(csv, row, 1, error));
    for (size_t i = 0; status == CM_OK && i < counts->event_count; i++)
        if (strcmp(counts->events[i].name, row->fields[1]) == 0)
            return CM_CSV_FAULT(csv, row->line, error, "event '%s' is there already", row->fields[1]);
    if (status != CM_OK)
        return status;
    const size_t set = number_of_set(plan, row->fields[0]);
    status = set > 0 ? choose_event(counts, row->fields[1], true, error) : cm_error_no_memory(error);
    if (status == CM_OK) {
        counts->events[counts->event_count - 1].plan = set;
        counts->events[counts->event_count - 1].optional = true;
    }
    return status;
}

static cm_status add_plan(const char *path, cm_program_counts *counts, cm_error *error)
{
    static const char *const columns[] = {"set", "event"};
    planned plan = {.counts = counts};
    cm_status status = cm_csv_each(path, 2, columns, add_planned, &plan, error);
    free(plan.sets);
    if (status == CM_OK && counts->event_count == 0)
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "no event follows the header");
    return status;
}

static bool is_of_core(const cm_count_options *options, const cm_defined_metric *metric)
{
    return options->pmu.core == NULL || metric->core[0] == '\0' || strcmp(metric->core, options->pmu.core) == 0;
}

static bool is_of_socket(const cm_defined_metric *metric)
{
    for (size_t i = 0; i < metric->term_count; i++)
        if (cm_is_socket_event(metric->terms[i].event))
            return true;
    return false;
}

/* Adds a metric and its events. */
static cm_status add_metric(cm_program_counts *counts, const cm_defined_metric *metric, cm_error *error)
{
    for (size_t i = 0; i < counts->metric_count; i++)
        if (counts->metrics[i] == metric)
            return CM_OK;
    if (!CM_APPEND(counts->metrics, counts->metric_count, metric))
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    if (is_of_socket(metric))
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "'%s' counts for a whole socket, not for a program: exported, perf and LIKWID can count it",
                       metric->metric);
    for (size_t i = 0; status == CM_OK && i < metric->term_count; i++)
        status = choose_event(counts, metric->terms[i].event, false, error);
    return status;
}

/* CM_BAD_ARGUMENT that suggests a similar name. */
static cm_status no_such_metric(const cm_definitions *definitions, const char *name, cm_error *error)
{
    cm_near near = {.wanted = name};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < cm_definitions_count(definitions); i++) {
        cm_near_offer(&near, cm_definitions_get(definitions, i)->metric);
        cm_near_offer(&near, cm_definitions_get(definitions, i)->preset);
    }
    return CM_FAIL(error, CM_BAD_ARGUMENT, "the results define no metric '%s'%s", name, cm_near_text(&near, offered));
}

/* CM_BAD_ARGUMENT if the metric has no definition. */
static cm_status check_defined(const cm_defined_metric *metric, cm_error *error)
{
    if (metric->lacks[0] != '\0')
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "'%s' has no definition: no kernel of %s ran on the machine of the results", metric->metric,
                       metric->lacks);
    if (!metric->measurable || metric->term_count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "'%s' has no definition: no event of the results counts it",
                       metric->metric);
    return CM_OK;
}

/* On a hybrid processor a program may run on cores of each type, so the metric of each type is counted. */
static cm_status add_of_cores(const cm_count_options *options, cm_program_counts *counts,
                              const cm_defined_metric *named, cm_error *error)
{
    const cm_definitions *definitions = options->definitions;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < cm_definitions_core_count(definitions); i++) {
        const char *core = cm_definitions_core(definitions, i)->name;
        const cm_defined_metric *metric = cm_definitions_find_on(definitions, named->metric, core);
        if (metric == NULL || !is_of_core(options, metric))
            continue;
        status = check_defined(metric, error);
        CM_THEN(status, add_metric(counts, metric, error));
    }
    return status;
}

/* Adds the metric with this name or preset. */
static cm_status add_named(const cm_count_options *options, cm_program_counts *counts, const char *name,
                           cm_error *error)
{
    const cm_defined_metric *metric = NULL;
    cm_status status = cm_definitions_resolve(options->definitions, name, &metric, error);
    if (status != CM_OK)
        return status;
    if (metric == NULL)
        return no_such_metric(options->definitions, name, error);
    if (cm_definitions_core_count(options->definitions) > 0)
        return add_of_cores(options, counts, metric, error);
    status = check_defined(metric, error);
    return status == CM_OK ? add_metric(counts, metric, error) : status;
}

/* Adds the metrics that are usable, or with options->all every measurable one. Those of a whole socket are skipped:
 * only a user who names one gets an error. */
static cm_status add_defined(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < cm_definitions_count(options->definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(options->definitions, i);
        if (metric->measurable && metric->term_count > 0 && (metric->usable || options->all) &&
            is_of_core(options, metric) && !is_of_socket(metric))
            status = add_metric(counts, metric, error);
    }
    return status;
}

/* CM_BAD_ARGUMENT if the results do not have the type of cores. */
static cm_status check_core(const cm_count_options *options, cm_error *error)
{
    const cm_definitions *definitions = options->definitions;
    const size_t count = definitions != NULL ? cm_definitions_core_count(definitions) : 0;
    for (size_t i = 0; i < count; i++)
        if (options->pmu.core == NULL || strcmp(cm_definitions_core(definitions, i)->name, options->pmu.core) == 0)
            return CM_OK;
    if (options->pmu.core == NULL || (definitions == NULL && cm_count_is_emulated(options)))
        return CM_OK;
    return CM_FAIL(error, CM_BAD_ARGUMENT, "unknown type of cores '%.100s'%s%.100s", options->pmu.core,
                   count > 0 ? ", expected one such as " : ": the results are of cores that are all alike",
                   count > 0 ? cm_definitions_core(definitions, 0)->name : "");
}

/* Adds an event that the user names, which counting does not go on without; a metric that the results define by its
 * definition. */
static cm_status add_asked(const cm_count_options *options, cm_program_counts *counts, const char *name,
                           cm_error *error)
{
    const cm_defined_metric *metric =
        options->definitions != NULL ? cm_definitions_find(options->definitions, name) : NULL;
    if (metric != NULL && strcmp(metric->metric, name) == 0 && check_defined(metric, NULL) == CM_OK)
        return add_named(options, counts, name, error);
    cm_status status = choose_event(counts, name, true, error);
    for (size_t i = 0; status == CM_OK && i < counts->event_count; i++)
        counts->events[i].optional &= strcmp(counts->events[i].name, name) != 0;
    return status;
}

static cm_status add_mix(cm_program_counts *counts, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t fact = 0; status == CM_OK && fact < cm_fact_count(); fact++)
        if (cm_fact_is_of_mix(fact))
            status = choose_event(counts, cm_fact_name(fact), true, error);
    return status;
}

/* Whether a name of a formula is a variable: those of catmint's own files, such as `seconds`, have small letters and
 * neither capitals, a colon nor, as ncu's metrics, "__"; other names are metrics, events or facts. */
static bool is_variable(const char *name)
{
    return strchr(name, ':') == NULL && strstr(name, "__") == NULL &&
           strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL && strpbrk(name, "abcdefghijklmnopqrstuvwxyz") != NULL &&
           cm_fact_find(name) < 0;
}

/* Whether a name of a formula is a metric's, and no event's: it has a blank, or a capital and small letters alone. */
static bool is_metric(const char *name)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", small[] = "abcdefghijklmnopqrstuvwxyz";
    const size_t rest = strlen(name) > 0 ? strlen(name + 1) : 0;
    return strchr(name, ' ') != NULL ||
           (rest > 0 && strchr(capitals, name[0]) != NULL && strspn(name + 1, small) == rest);
}

/* Why the metric cannot stand in a formula; CM_REMARK_NONE: it can. One that the user names, too, always can. */
static cm_remark lack_of(const cm_program_counts *counts, const cm_defined_metric *metric)
{
    for (size_t i = 0; i < counts->metric_count; i++)
        if (counts->metrics[i] == metric)
            return CM_REMARK_NONE;
    if (!metric->measurable || metric->term_count == 0 || !metric->usable)
        return CM_REMARK_NOT_DEFINED;
    return is_of_socket(metric) ? CM_REMARK_NOT_KNOWN : CM_REMARK_NONE;
}

/* The same for all types of cores. A name that is not in the results is an event's, or that of an undefined metric. */
static cm_remark lack_on_cores(const cm_count_options *options, const cm_program_counts *counts, const char *name)
{
    const cm_definitions *definitions = options->definitions;
    const size_t cores = definitions != NULL ? cm_definitions_core_count(definitions) : 0;
    const cm_defined_metric *metric = definitions != NULL ? cm_definitions_find(definitions, name) : NULL;
    cm_remark lack = metric != NULL && cores == 0 ? lack_of(counts, metric) : CM_REMARK_NONE;
    if (metric == NULL && is_metric(name))
        return definitions != NULL ? CM_REMARK_NOT_DEFINED : CM_REMARK_NO_RESULTS;
    for (size_t i = 0; metric != NULL && i < cores && lack == CM_REMARK_NONE; i++) {
        const char *core = cm_definitions_core(definitions, i)->name;
        const cm_defined_metric *one = cm_definitions_find_on(definitions, metric->metric, core);
        if (one != NULL && is_of_core(options, one))
            lack = lack_of(counts, one);
    }
    return lack;
}

/* Adds a metric or event that formulas need; one that cannot be counted has no value, and the rest is counted. */
static cm_status add_for_formulas(const cm_count_options *options, cm_program_counts *counts, const char *name,
                                  cm_error *error)
{
    const size_t before = counts->event_count;
    const cm_remark lack = lack_on_cores(options, counts, name);
    const bool defined = options->definitions != NULL && cm_definitions_find(options->definitions, name) != NULL;
    cm_status status = defined && lack == CM_REMARK_NONE ? add_named(options, counts, name, error)
                                                         : choose_event(counts, name, true, error);
    for (size_t i = before; status == CM_OK && i < counts->event_count; i++) {
        counts->events[i].optional = true;
        counts->events[i].lack = lack;
    }
    return status;
}

/* Adds the metrics and events that the formulas need. */
static cm_status add_needed(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    const cm_formulas *formulas = options->formulas;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < cm_formulas_quantity_count(formulas); i++) {
        const char *name = cm_formulas_quantity_name(formulas, i);
        if (cm_formulas_quantity_kind(formulas, i) == CM_QUANTITY_EVENT && !is_variable(name))
            status = add_for_formulas(options, counts, name, error);
    }
    return status;
}

cm_status cm_count_refuse_metric(const char *name, cm_error *error)
{
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "the metric '%.100s', which formulas need, is counted by its definition: give --results FILE "
                   "besides, which 'catmint discover --format json --output FILE' writes",
                   name);
}

cm_status cm_count_choose(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    cm_status status = check_core(options, error);
    if (status == CM_OK && options->plan != NULL)
        status = add_plan(options->plan, counts, error);
    if (status == CM_OK && options->definitions != NULL && options->metric_count == 0 && options->formulas == NULL)
        status = add_defined(options, counts, error);
    for (size_t i = 0; status == CM_OK && i < options->metric_count; i++)
        status = add_named(options, counts, options->metrics[i], error);
    for (size_t i = 0; status == CM_OK && i < options->event_count; i++)
        status = add_asked(options, counts, options->events[i], error);
    if (status == CM_OK && options->formulas != NULL)
        status = add_needed(options, counts, error);
    if (status == CM_OK && options->mix)
        status = add_mix(counts, error);
    if (status == CM_OK && cm_count_names_nothing(options) && cm_count_is_emulated(options))
        status = cm_count_add_usual(counts, error);
    return status;
}

bool cm_count_names_nothing(const cm_count_options *options)
{
    return options->definitions == NULL && options->event_count == 0 && options->formulas == NULL &&
           options->plan == NULL && !options->mix;
}

bool cm_count_is_emulated(const cm_count_options *options)
{
    const char *pmu = options->definitions != NULL ? cm_definitions_pmu(options->definitions) : NULL;
    if (options->pmu.kind == CM_PMU_AUTO &&
        (options->mix || options->vector_bits != 0 || options->stepped || cm_count_names_nothing(options)))
        return true; /* only the emulated PMU counts facts, chooses the length of vectors, and steps */
    if (options->pmu.kind != CM_PMU_AUTO)
        return options->pmu.kind == CM_PMU_SOFTWARE;
    return pmu != NULL && strncmp(pmu, "software:", strlen("software:")) == 0;
}
