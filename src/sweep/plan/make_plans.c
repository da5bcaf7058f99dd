/* Plans are made by trying events in a forked process, so that an event that crashes or hangs when it is added to a set
 * ends only that process. The process records every answer that the planner gets; the sweep then makes the same plan
 * from the answers. If the process is lost, the next one continues from the answers, too, at the set that was being
 * filled. The set refuses the event that ended the process; an event that was alone in the set is added to an empty set
 * once more, and is given up if that fails again. */
#include "sweep/plan/plan.h"

enum answer { TAKEN = 1, REFUSED };

/* Shared with the forked process. */
struct answers {
    atomic_size_t count;
    atomic_size_t whole; /* the first of them, which belong to complete sets */
    atomic_size_t event; /* the one being tried, SIZE_MAX: none */
    atomic_size_t held;  /* events in the set */
    uint8_t list[];
};

/* A component's plan in the making. */
struct making {
    cm_sweep_state *state;
    const cm_plan_findings *findings;
    size_t component, event_count;
    const size_t *events;
    struct answers *answers;
    size_t most_answers;
    size_t *group;      /* shared: the events in the set, with space for one more */
    size_t suspect;     /* an event that failed once while alone, SIZE_MAX: none */
    size_t next_answer; /* of the next answer */
    cm_event_set *set;  /* the current set, in the forked process */
    cm_team_member *member;
};

/* ---- in the forked process ---- */

/* Begins a set, unless its answers are recorded. */
static cm_status begin_trying(void *data, cm_error *error)
{
    struct making *making = data;
    cm_event_set_free(making->set);
    making->set = NULL;
    if (making->next_answer < atomic_load(&making->answers->count))
        return CM_OK; /* its answers are recorded */
    atomic_store(&making->answers->whole, making->next_answer);
    atomic_store(&making->answers->held, 0);
    atomic_store(&making->answers->event, SIZE_MAX); /* a set that cannot be made is no event's fault */
    return cm_event_set_create(making->state->counting, making->component, &making->set, error);
}

static cm_status recall_next(struct making *making, cm_error *error)
{
    bool taken = making->answers->list[making->next_answer++] == TAKEN;
    return taken ? CM_OK : CM_FAIL(error, CM_UNSUPPORTED, "it was refused before");
}

/* Adds an event to the set and records the answer; recalls it if it is recorded. */
static cm_status try_to_add(void *data, size_t event, cm_error *error)
{
    struct making *making = data;
    struct answers *answers = making->answers;
    if (making->next_answer < atomic_load(&answers->count))
        return recall_next(making, error);
    if (making->next_answer == making->most_answers)
        return cm_error_no_memory(error);
    cm_status status = CM_UNSUPPORTED; /* the answer for an event that has failed */
    if (cm_counting_event(making->state->counting, event).countable) {
        atomic_store(&answers->event, event);
        cm_team_alive(making->member, false);
        status = cm_event_set_add(making->set, event, error);
        if (atomic_load(&answers->held) == 0) /* otherwise the set is full, whatever the reason */
            status = cm_event_set_judge(making->set, status, error);
    }
    if (status != CM_OK && status != CM_UNSUPPORTED)
        return status;
    if (status == CM_OK)
        making->group[atomic_fetch_add(&answers->held, 1)] = event;
    answers->list[making->next_answer++] = status == CM_OK ? TAKEN : REFUSED;
    atomic_store(&answers->count, making->next_answer);
    return status;
}

/* Ends the process, so that the sweep records the reason. */
static cm_status report_refusal(void *data, size_t event, const char *reason, cm_error *error)
{
    const struct making *making = data;
    if (!cm_counting_event(making->state->counting, event).countable)
        return CM_OK; /* recorded before */
    return CM_FAIL(error, CM_UNSUPPORTED, "%s", reason);
}

/* The work of the forked process: plans by trying. */
static cm_status try_to_plan(cm_team_member *member, void *data, cm_error *error)
{
    struct making *making = data;
    const cm_plan_trial trial = {making, begin_trying, try_to_add, report_refusal, making->state->conflicts};
    cm_plan plan = {0};
    cm_conflicts_mark before = cm_conflicts_now(trial.conflicts);
    making->member = member;
    making->next_answer = 0;
    /* The process before may have been lost while it filled a set. */
    atomic_store(&making->answers->count, atomic_load(&making->answers->whole));
    atomic_store(&making->answers->event, SIZE_MAX);
    cm_status status = cm_plan_pack(&plan, making->event_count, making->events, &trial, error);
    cm_plan_clear(&plan);
    cm_conflicts_forget(trial.conflicts, before); /* recalling the answers will learn them again */
    cm_event_set_free(making->set);
    making->set = NULL;
    return status;
}

/* ---- in the sweep ---- */

static bool go_on(size_t steps, void *data)
{
    (void)steps;
    return !cm_sweep_stopped(((const struct making *)data)->state);
}

/* Records a failure with `event`: a conflict if the set has others; alone, the event is given up the second time. */
static cm_status suspect_event(struct making *making, size_t event, const cm_team_loss *loss, const cm_error *failure,
                               cm_error *error)
{
    size_t held = atomic_load(&making->answers->held);
    making->group[held] = event;
    if (held != 0)
        return making->findings->remember(making->state, held + 1, making->group, error);
    bool again = making->suspect == event;
    making->suspect = event;
    return again ? making->findings->blame(making->state, event, loss, failure, error) : CM_OK;
}

/* Forks processes until every answer is recorded; an event that ends a process, or is refused, is left out. */
static cm_status find_answers(struct making *making, cm_error *error)
{
    for (;;) {
        cm_team_loss loss = {0};
        cm_error failure = {0};
        cm_team_job job = {.size = 1,
                           .work = try_to_plan,
                           .data = making,
                           .timeout = CM_TRIAL_SECONDS,
                           .watch = go_on,
                           .here = cm_counting_stays(making->state->counting),
                           .loss = &loss};
        cm_status status = cm_team_run(&job, NULL, &failure);
        size_t event = atomic_load(&making->answers->event);
        if (status != CM_UNSUPPORTED || event == SIZE_MAX || cm_team_blameless(&loss)) {
            if (status != CM_OK && error != NULL)
                *error = failure;
            return status;
        }
        status = suspect_event(making, event, &loss, &failure, error);
        if (status != CM_OK)
            return status;
    }
}

static cm_status begin_recalling(void *data, cm_error *error)
{
    (void)data;
    (void)error;
    return CM_OK;
}

static cm_status recall_answer(void *data, size_t event, cm_error *error)
{
    (void)event;
    return recall_next(data, error);
}

/* An event that an empty set refuses has been given up already. */
static cm_status ignore_refusal(void *data, size_t event, const char *reason, cm_error *error)
{
    (void)data;
    (void)event;
    (void)reason;
    (void)error;
    return CM_OK;
}

/* Makes the plan of a component: collects the answers, then plans by them. */
static cm_status make_plan(struct making *making, cm_error *error)
{
    /* A set refuses fewer than CM_PLAN_REFUSALS events between two that it takes, and CM_PLAN_REFUSALS at its end. */
    making->most_answers = (2 * CM_PLAN_REFUSALS + 1) * making->event_count;
    size_t size = sizeof *making->answers + making->most_answers;
    size_t group_size = (making->event_count + 1) * sizeof *making->group;
    making->answers = cm_team_memory_create(size);
    making->group = cm_team_memory_create(group_size);
    const cm_plan_trial trial = {making, begin_recalling, recall_answer, ignore_refusal, making->state->conflicts};
    bool allocated = making->answers != NULL && making->group != NULL;
    cm_status status = allocated ? find_answers(making, error) : cm_error_no_memory(error);
    making->next_answer = 0;
    CM_THEN(status,
            cm_plan_pack(&making->state->plans[making->component], making->event_count, making->events, &trial, error));
    cm_team_memory_free(making->group, group_size);
    cm_team_memory_free(making->answers, size);
    return status;
}

/* Plans the countable events of a component that are not counted yet. */
static cm_status plan_component(cm_sweep_state *state, const cm_plan_findings *findings, size_t component,
                                size_t *events, cm_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < state->event_count; i++) {
        cm_native_event event = cm_counting_event(state->counting, i);
        bool counted = state->counted != NULL && state->counted[i] != 0;
        if (state->selected[i] && !counted && event.countable && event.component == component)
            events[count++] = i;
    }
    struct making making = {.state = state,
                            .findings = findings,
                            .component = component,
                            .event_count = count,
                            .events = events,
                            .suspect = SIZE_MAX};
    cm_status status = state->options->promising_first ? cm_promising_first(state, events, count, error) : CM_OK;
    return status == CM_OK && count != 0 ? make_plan(&making, error) : status;
}

cm_status cm_sweep_make_plans(cm_sweep_state *state, const cm_plan_findings *findings, cm_error *error)
{
    size_t *events = malloc((state->event_count + 1) * sizeof *events);
    cm_status status = events != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < state->plan_count; i++)
        status = plan_component(state, findings, i, events, error);
    free(events);
    return status;
}
