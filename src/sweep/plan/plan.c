/* Events packed into sets. */
#include "sweep/plan/plan.h"

cm_status cm_plan_add(cm_plan *plan, size_t count, const size_t *events, cm_error *error)
{
    if (!CM_GROW(plan->sets, plan->count + 1, &plan->capacity))
        return cm_error_no_memory(error);
    size_t *copy = malloc((count + 1) * sizeof *copy);
    if (copy == NULL)
        return cm_error_no_memory(error);
    memcpy(copy, events, count * sizeof *copy);
    plan->sets[plan->count++] = (cm_planned_set){count, copy};
    return CM_OK;
}

/* The events not yet in a set, as a list: next[i] follows i, `count` ends it. */
typedef struct remaining {
    size_t count, first, *next;
} remaining;

/* Fills one set from the list; its events are appended to `taken` and leave the list. */
static cm_status fill_set(remaining *list, const size_t *events, const cm_plan_trial *trial, size_t *taken,
                          size_t *taken_count, cm_error *error)
{
    size_t refusals = 0;
    size_t *link = &list->first;
    *taken_count = 0;
    while (*link != list->count && refusals < CM_PLAN_REFUSALS) {
        size_t i = *link;
        cm_error refusal = {0};
        bool known = *taken_count != 0 && cm_conflicts_known(trial->conflicts, events[i]);
        cm_status status = known ? CM_UNSUPPORTED : trial->add(trial->data, events[i], &refusal);
        if (status != CM_OK && status != CM_UNSUPPORTED) {
            if (error != NULL)
                *error = refusal;
            return status;
        }
        bool full = status == CM_UNSUPPORTED && *taken_count != 0;
        size_t *next = &list->next[i];
        if (!full)
            *link = *next;
        if (full) {
            link = next;
            refusals++;
            status = known ? CM_OK : cm_conflicts_refuse(trial->conflicts, events[i], error);
        } else if (status == CM_OK) {
            taken[(*taken_count)++] = events[i];
            refusals = 0;
            status = cm_conflicts_take(trial->conflicts, events[i], error);
        } else {
            status = trial->refused(trial->data, events[i], refusal.text, error);
        }
        if (status != CM_OK)
            return status;
    }
    return CM_OK;
}

static void drop_sets_from(cm_plan *plan, size_t first)
{
    while (plan->count > first)
        free(plan->sets[--plan->count].events);
}

cm_status cm_plan_pack(cm_plan *plan, size_t count, const size_t *events, const cm_plan_trial *trial, cm_error *error)
{
    size_t before = plan->count;
    remaining list = {.count = count, .next = malloc((count + 1) * sizeof *list.next)};
    size_t *taken = malloc((count + 1) * sizeof *taken);
    cm_status status = list.next != NULL && taken != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        list.next[i] = i + 1;
    while (status == CM_OK && list.first != count) {
        size_t taken_count = 0;
        cm_conflicts_begin(trial->conflicts);
        status = trial->begin(trial->data, error);
        CM_THEN(status, fill_set(&list, events, trial, taken, &taken_count, error));
        if (status == CM_OK && taken_count != 0)
            status = cm_plan_add(plan, taken_count, taken, error);
    }
    if (status != CM_OK)
        drop_sets_from(plan, before);
    CM_FREE(list.next, taken);
    return status;
}

void cm_plan_clear(cm_plan *plan)
{
    drop_sets_from(plan, 0);
    free(plan->sets);
    *plan = (cm_plan){0};
}
