/* Equal events, which no kernel that was run can distinguish: a verdict on one of them is as much one on the other. And
 * events that are read as sums of others. */
#include "audit/audit.h"

enum { SHOWN = 3 };

static const double rounding_errors = 1e-9;

/* An event in a group: its place, CM_NO_NAME if the group has none. */
static size_t place_in(const cm_audit *audit, const cm_row_group *group, const char *name)
{
    size_t parts[CM_MOST_PARTS];
    return cm_audit_find_parts(audit, group->names, name, parts) == 1 ? parts[0] : CM_NO_NAME;
}

static double error_on(const cm_audit *audit, const cm_row_group *group, size_t event, size_t row)
{
    const cm_audit_programs *programs = audit->programs;
    return programs != NULL && group == &programs->rows
               ? 3.0 * programs->table->errors[event * programs->table->program_count + row]
               : group->counted[event].uncertain[row];
}

/* *counts: one of them counts anything there. */
static bool count_alike(const cm_audit *audit, const cm_row_group *group, size_t one, size_t other, bool *counts)
{
    const double *a = group->counted[one].counts, *b = group->counted[other].counts;
    if (a == NULL || b == NULL)
        return false;
    for (size_t row = 0; row < group->row_count; row++) {
        double allowed = fmax(error_on(audit, group, one, row), error_on(audit, group, other, row));
        if (fabs(a[row] - b[row]) > allowed + rounding_errors * fmax(fabs(a[row]), fabs(b[row])))
            return false;
        *counts = *counts || fabs(a[row]) > 0.0;
    }
    return true;
}

/* Whether two events count the same on all kernels and programs that have both, and somewhere more than nothing. */
static bool are_equal(const cm_audit *audit, const char *one, const char *other)
{
    bool counts = false;
    for (size_t i = 0; i <= audit->context_count; i++) {
        const cm_row_group *group = i < audit->context_count  ? audit->kernels[i]
                                    : audit->programs != NULL ? &audit->programs->rows
                                                              : NULL;
        size_t first = group != NULL ? place_in(audit, group, one) : CM_NO_NAME;
        size_t second = first != CM_NO_NAME ? place_in(audit, group, other) : CM_NO_NAME;
        if (second != CM_NO_NAME && (first == second || !count_alike(audit, group, first, second, &counts)))
            return false;
    }
    return counts;
}

static const cm_row_group *group_with(const cm_audit *audit, const char *name, size_t *place)
{
    for (size_t i = 0; i < audit->context_count; i++) {
        *place = place_in(audit, audit->kernels[i], name);
        if (*place != CM_NO_NAME)
            return audit->kernels[i];
    }
    return NULL;
}

/* Finds the events equal to one. They are remembered, for many formulas have the same events. */
static cm_status find_equal_events(cm_audit *audit, const char *name, cm_equal_events *equal, cm_error *error)
{
    size_t place = 0;
    const cm_row_group *group = group_with(audit, name, &place);
    const char **names = cm_arena_allocate(&audit->arena, SHOWN * sizeof *names);
    *equal = (cm_equal_events){.event = name, .names = names};
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; group != NULL && i < group->event_count; i++) {
        bool counts = false;
        if (i == place || !count_alike(audit, group, place, i, &counts) || !are_equal(audit, name, group->events[i]))
            continue;
        if (equal->count < SHOWN)
            names[equal->count] = group->events[i];
        equal->count++;
    }
    return CM_OK;
}

/* The events equal to one, found once for all formulas. */
static cm_status equal_events_of(cm_audit *audit, const char *name, const cm_equal_events **found, cm_error *error)
{
    for (size_t i = 0; i < audit->equal_events_count; i++)
        if (strcmp(audit->equal_events[i].event, name) == 0) {
            *found = &audit->equal_events[i];
            return CM_OK;
        }
    if (!CM_GROW_BY_ONE(audit->equal_events, audit->equal_events_count))
        return cm_error_no_memory(error);
    cm_status status = find_equal_events(audit, name, &audit->equal_events[audit->equal_events_count], error);
    *found = &audit->equal_events[audit->equal_events_count];
    audit->equal_events_count += status == CM_OK;
    return status;
}

cm_status cm_audit_remark_equal_events(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                       cm_audited_sum *sum, cm_error *error)
{
    size_t count = 0;
    const size_t *needs = cm_formulas_needs(formulas, formula, &count);
    cm_finding_list list = {.arena = &audit->arena};
    cm_status status = CM_OK;
    for (size_t i = 0; i < sum->remark_count; i++)
        cm_finding_list_add(&list, &sum->remarks[i]);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        const cm_equal_events *equal = NULL;
        if (cm_formulas_quantity_kind(formulas, needs[i]) != CM_QUANTITY_EVENT)
            continue;
        status = equal_events_of(audit, cm_formulas_quantity_name(formulas, needs[i]), &equal, error);
        if (status == CM_OK && equal->count > 0)
            cm_finding_list_add(&list, &(cm_audit_finding){.kind = CM_FINDING_INDISTINGUISHABLE,
                                                           .subject = equal->event,
                                                           .names = equal->names,
                                                           .name_count = equal->count < SHOWN ? equal->count : SHOWN,
                                                           .total = equal->count});
    }
    sum->remarks = list.items;
    sum->remark_count = list.count;
    return status == CM_OK && list.short_of_memory ? cm_error_no_memory(error) : status;
}

/* The parts of an event in the first group that has them, as a finding; false: it is no sum, or memory ran out. */
static bool find_sum_parts(cm_audit *audit, const char *name, cm_finding_list *list, cm_audit_finding *finding)
{
    size_t parts[CM_MOST_PARTS], count = 0;
    for (size_t i = 0; i < audit->context_count && count == 0; i++) {
        const cm_row_group *group = audit->kernels[i];
        count = cm_audit_find_parts(audit, group->names, name, parts);
        const char **names = count > 1 ? cm_arena_allocate(&audit->arena, count * sizeof *names) : NULL;
        list->short_of_memory = list->short_of_memory || (count > 1 && names == NULL);
        for (size_t part = 0; names != NULL && part < count; part++)
            names[part] = group->events[parts[part]];
        *finding = (cm_audit_finding){
            .kind = CM_FINDING_SUM_OF, .subject = name, .names = names, .name_count = count, .total = count};
    }
    return count > 1 && finding->names != NULL;
}

cm_status cm_audit_remark_sums(cm_audit *audit, const cm_formulas *formulas, size_t formula, cm_audited_sum *sum,
                               cm_error *error)
{
    size_t count = 0;
    const size_t *needs = cm_formulas_needs(formulas, formula, &count);
    cm_finding_list list = {.arena = &audit->arena};
    for (size_t i = 0; i < sum->remark_count; i++)
        cm_finding_list_add(&list, &sum->remarks[i]);
    for (size_t i = 0; i < count; i++) {
        cm_audit_finding finding = {0};
        if (cm_formulas_quantity_kind(formulas, needs[i]) == CM_QUANTITY_EVENT &&
            find_sum_parts(audit, cm_formulas_quantity_name(formulas, needs[i]), &list, &finding))
            cm_finding_list_add(&list, &finding);
    }
    sum->remarks = list.items;
    sum->remark_count = list.count;
    return list.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}
