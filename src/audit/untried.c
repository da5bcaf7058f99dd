/* The untried parts of a right formula: terms that no kernel counts, and parts of its metric that no kernel has. */
#include "audit/values.h"

enum { NAMES = 6 };

/* Whether the event counts anything on a row of which all of the formula is known. */
static bool is_exercised(const cm_audit *audit, const cm_samples *samples, size_t event)
{
    for (size_t row = 0; row < samples->row_count; row++) {
        const cm_sample *sample = &samples->items[row];
        bool program = audit->programs != NULL && sample->group == &audit->programs->rows;
        if (fabs(sample->counts[event]) > (program ? CM_HALF_A_COUNT : sample->uncertain[event]))
            return true;
    }
    return false;
}

/* A benchmark on whose kernels the event counts something, though not everything that the formula needs was counted
 * there, or they do facts of no verdict; NULL: there is none. */
static const char *find_counted_benchmark(const cm_audit *audit, const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; i < audit->context_count; i++) {
        size_t parts[CM_MOST_PARTS];
        const cm_row_group *group = audit->kernels[i];
        size_t count = cm_audit_find_parts(audit, group->names, name, parts);
        for (size_t part = 0; part < count; part++) {
            const cm_row_event *event = &group->counted[parts[part]];
            if (event->status != CM_EVENT_ZERO || cm_row_group_counts(group, parts[part], group->control, 0.0))
                return group->name;
            found = found != NULL ? found : event->happens_in;
        }
    }
    return found;
}

/* Adds a finding for each event that counts nothing here: it does elsewhere, in programs alone, or nowhere. */
static void add_events(const cm_audit *audit, const cm_formulas *formulas, const cm_samples *samples,
                       cm_finding_list *list)
{
    for (size_t i = 0; i < samples->event_count; i++) {
        if (is_exercised(audit, samples, i))
            continue;
        const char *name = cm_formulas_quantity_name(formulas, samples->quantities[i]);
        const char *elsewhere = find_counted_benchmark(audit, name);
        cm_finding_list_add(list, &(cm_audit_finding){.kind = elsewhere != NULL ? CM_FINDING_ZERO_HERE
                                                              : cm_audit_counts_in_programs(audit, name)
                                                                  ? CM_FINDING_IN_PROGRAMS_ALONE
                                                                  : CM_FINDING_ZERO,
                                                      .subject = name,
                                                      .other = elsewhere});
    }
}

cm_status cm_audit_add_facts(cm_audit *audit, const cm_samples *samples, cm_finding_list *list, cm_error *error)
{
    size_t shown = samples->untried_count < NAMES ? samples->untried_count : NAMES;
    const char **names = cm_arena_allocate(&audit->arena, (shown + 1) * sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < shown; i++) {
        const char *words = audit->facts->facts[samples->untried[i]].words;
        names[i] = words != NULL ? words : "";
    }
    if (shown > 0)
        cm_finding_list_add(list, &(cm_audit_finding){.kind = CM_FINDING_NOT_EXERCISED,
                                                      .name_count = shown,
                                                      .total = samples->untried_count,
                                                      .names = names});
    return CM_OK;
}

bool cm_audit_finding_is_untried(cm_audit_finding_kind kind)
{
    return kind == CM_FINDING_ZERO || kind == CM_FINDING_ZERO_HERE || kind == CM_FINDING_SYMBOLS_NOT_RUN ||
           kind == CM_FINDING_NOT_EXERCISED || kind == CM_FINDING_NOT_HELD || kind == CM_FINDING_IN_PROGRAMS_ALONE ||
           kind == CM_FINDING_UNCONTROLLED;
}

bool cm_audit_is_ranged(const cm_audit_entry *entry)
{
    size_t ranges = entry->numerator.range_count;
    if (entry->denominator != NULL)
        ranges += entry->denominator->range_count;
    return entry->verdict == CM_VERDICT_RIGHT && ranges > 0;
}

bool cm_audit_is_partial(const cm_audit_entry *entry)
{
    bool partial = false;
    for (size_t i = 0; i < entry->numerator.remark_count; i++)
        partial = partial || cm_audit_finding_is_untried(entry->numerator.remarks[i].kind);
    return entry->verdict == CM_VERDICT_RIGHT && partial;
}

/* Programs do many things at once, and try none of them by itself while kernels try some: so results by themselves,
 * which do not have programs, lead to the same verdict. */
static cm_status gather_samples(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                const cm_claimed_quantity *claim, cm_samples *samples, cm_error *error)
{
    size_t count = audit->context_count;
    const cm_row_group **groups = calloc(count + 1, sizeof(const cm_row_group *));
    if (groups == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        groups[i] = audit->kernels[i];
    cm_status status = cm_samples_gather(audit, formulas, formula, claim, groups, count, false, samples, error);
    if (status == CM_OK && samples->telling_count == 0 && audit->programs != NULL) {
        groups[count++] = &audit->programs->rows;
        cm_samples_clear(samples);
        status = cm_samples_gather(audit, formulas, formula, claim, groups, count, false, samples, error);
    }
    free(groups);
    return status;
}

/* Adds the untried parts of the metrics, by their symbols if the benchmark has them, else by their facts. */
static cm_status add_parts(cm_audit *audit, const cm_claimed_quantity *claim, const cm_samples *samples,
                           cm_finding_list *list, cm_error *error)
{
    const cm_defined_metric *metrics[] = {claim->numerator.metric, claim->denominator.metric};
    size_t before = list->count;
    for (size_t i = 0; i < 2 && list->count == before; i++) {
        const cm_audit_context *context = metrics[i] != NULL ? cm_audit_context_of(audit, metrics[i]) : NULL;
        if (context != NULL)
            cm_audit_add_dropped(context, metrics[i]->metric, list);
    }
    return list->count == before ? cm_audit_add_facts(audit, samples, list, error) : CM_OK;
}

/* Whether the event was judged by its counts on controls: through the law, or the facts of the caller's controls. */
static bool is_held(const cm_audit_context *context, const cm_defined_event *event)
{
    bool own = false;
    for (size_t row = context->rows.control; row < context->rows.row_count && event->control_counts != NULL; row++)
        own = own || context->rows.does[row] != NULL;
    return event->law_places != NULL || own;
}

/* Whether an event of the formula was measured for the benchmark, but its counts on controls are not known. */
static bool lacks_counts(const cm_audit *audit, const cm_formulas *formulas, size_t formula,
                         const cm_audit_context *context)
{
    size_t count = 0, parts[CM_MOST_PARTS];
    const size_t *needs = cm_formulas_needs(formulas, formula, &count);
    bool lacks = false;
    for (size_t i = 0; i < count; i++) {
        const char *name = cm_formulas_quantity_name(formulas, needs[i]);
        bool event = cm_formulas_quantity_kind(formulas, needs[i]) == CM_QUANTITY_EVENT;
        size_t found = event ? cm_audit_find_parts(audit, context->names, name, parts) : 0;
        for (size_t part = 0; part < found; part++)
            lacks = lacks || !is_held(context, cm_definitions_event(audit->definitions, context->index, parts[part]));
    }
    return lacks;
}

/* Controls that definitions of the claim's metrics are held to, and the formula is not. */
static void add_controls(const cm_audit *audit, const cm_formulas *formulas, size_t formula,
                         const cm_claimed_quantity *claim, cm_finding_list *list)
{
    const cm_defined_metric *metrics[] = {claim->numerator.metric, claim->denominator.metric};
    const cm_audit_context *said = NULL;
    for (size_t i = 0; i < 2; i++) {
        const cm_audit_context *context = metrics[i] != NULL ? cm_audit_context_of(audit, metrics[i]) : NULL;
        if (context == NULL || context == said)
            continue;
        const cm_defined_benchmark *benchmark = context->benchmark;
        if (cm_audit_lacks_controls(audit, context)) {
            cm_finding_list_add(list,
                                &(cm_audit_finding){.kind = CM_FINDING_UNCONTROLLED, .subject = benchmark->benchmark});
            said = context;
        } else if (benchmark->held_count > 0 && lacks_counts(audit, formulas, formula, context)) {
            cm_finding_list_add(list, &(cm_audit_finding){.kind = CM_FINDING_NOT_HELD,
                                                          .subject = benchmark->benchmark,
                                                          .count = benchmark->held_count});
            said = context;
        }
    }
}

cm_status cm_audit_remark_untried(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                  const cm_claimed_quantity *claim, cm_audit_entry *entry, cm_error *error)
{
    cm_samples samples = {0};
    cm_audited_sum *sum = &entry->numerator;
    cm_finding_list list = {.arena = &audit->arena};
    cm_status status = gather_samples(audit, formulas, formula, claim, &samples, error);
    bool known = status == CM_OK && samples.row_count > 0;
    for (size_t i = 0; i < sum->remark_count; i++)
        if (!known || !(cm_audit_finding_is_untried(sum->remarks[i].kind) ||
                        sum->remarks[i].kind == CM_FINDING_ON_CONTROLS_ALONE))
            cm_finding_list_add(&list, &sum->remarks[i]);
    if (known) {
        add_events(audit, formulas, &samples, &list);
        status = add_parts(audit, claim, &samples, &list, error);
    }
    add_controls(audit, formulas, formula, claim, &list);
    cm_samples_clear(&samples);
    if (status != CM_OK)
        return status;
    sum->remark_count = list.count;
    sum->remarks = list.items;
    return list.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}
