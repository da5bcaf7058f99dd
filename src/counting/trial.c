#include "core/system.h"
#include "counting/counting.h"

enum {
    TRIAL_WORK = 1000, /* turns of a loop: enough for a working counter to move */
    MOST_TRIED = 4096, /* events tried by one process */
};

enum step { ADDING, STARTING, READING, STOPPING };

/* The result of trying an event. */
struct finding {
    int code;         /* the source's, of the step that failed */
    int system_error; /* errno after it */
    enum step step;
    bool short_of; /* lack of memory or files, not the event's fault */
    bool moved;
};

/* Written by the forked process. */
struct findings {
    atomic_size_t event; /* the one being tried */
    struct finding of[MOST_TRIED];
};

/* Tries the events from `next` up to `end`. */
struct trial {
    cm_counting *counting;
    size_t first, next, end;
    struct findings *shared;
};

/* ---- in the forked process ---- */

/* Adds an event to a set and counts once; *step is the one that failed. */
static int try_in_set(cm_counter_set *set, const cm_event_record *event, long long *value, enum step *step)
{
    long long read = 0;
    *step = ADDING;
    cm_pmu_fault_show(event->fault, CM_PMU_FAULT_CRASH_TRIAL, CM_PMU_FAULT_HANG_TRIAL);
    int code = cm_counter_set_add(set, event);
    if (code != 0)
        return code;
    *step = STARTING;
    code = cm_counter_set_start(set);
    if (code != 0)
        return code;
    for (volatile unsigned turn = 0; turn < TRIAL_WORK;)
        turn = turn + 1;
    *step = READING;
    code = cm_counter_set_read(set, &read);
    int stopping = cm_counter_set_stop(set, value);
    if (code == 0 && stopping != 0) {
        *step = STOPPING;
        code = stopping;
    }
    return code;
}

/* Tries one event in a set of its own. */
static struct finding try_event(const cm_counting *counting, const cm_event_record *event)
{
    cm_counter_set *set = NULL;
    long long value = 0;
    struct finding finding = {.step = ADDING};
    errno = 0;
    finding.code = cm_counter_set_create(counting, event->component, &set);
    if (finding.code == 0)
        finding.code = try_in_set(set, event, &value, &finding.step);
    finding.system_error = errno;
    finding.short_of = set == NULL || cm_source_is_short_of_files(finding.code, finding.system_error) ||
                       cm_source_is_short(finding.code, finding.system_error);
    finding.moved = value > 0;
    cm_counter_set_free(set);
    return finding;
}

/* The work of the process: tries events in turn. */
static cm_status try_events(cm_team_member *member, void *data, cm_error *error)
{
    (void)error;
    const struct trial *trial = data;
    for (size_t i = trial->next; i < trial->end; i++) {
        const cm_event_record *event = &trial->counting->events[i];
        atomic_store(&trial->shared->event, i);
        cm_team_alive(member, false);
        if (!event->floating)
            trial->shared->of[i - trial->first] = try_event(trial->counting, event);
    }
    return CM_OK;
}

/* ---- in the session's process ---- */

cm_status cm_event_refused(cm_counting *counting, size_t event, const char *reason, cm_error *error)
{
    cm_event_record *record = &counting->events[event];
    char hint[CM_HINT_SIZE];
    cm_counting_hint(&counting->machine, counting->components[record->component].name, reason, hint, sizeof hint);
    const char *kept_reason = cm_text_store_add(&counting->texts, reason);
    const char *kept_hint = cm_text_store_add(&counting->texts, hint);
    if (kept_reason == NULL || kept_hint == NULL)
        return cm_error_no_memory(error);
    record->countable = false;
    record->reason = kept_reason;
    record->hint = kept_hint;
    return CM_OK;
}

cm_status cm_event_failed(cm_counting *counting, size_t event, const char *outcome, const char *reason, cm_error *error)
{
    const char *kept = cm_text_store_add(&counting->texts, outcome);
    if (kept == NULL)
        return cm_error_no_memory(error);
    counting->events[event].outcome = kept;
    return cm_event_refused(counting, event, reason, error);
}

/* Stores the result of trying an event. */
static cm_status note_finding(cm_counting *counting, size_t index, const struct finding *finding, cm_error *error)
{
    static const char *const steps[] = {
        [ADDING] = "", [STARTING] = "when started: ", [READING] = "when read: ", [STOPPING] = "when stopped: "};
    cm_event_record *event = &counting->events[index];
    if (event->floating)
        return cm_event_refused(counting, index, "counts in floating point, catmint reads integers", error);
    if (finding->code == 0) {
        event->countable = true;
        event->moved = finding->moved;
        return CM_OK;
    }
    if (finding->short_of)
        return cm_source_short(finding->code, finding->system_error, error);
    char text[256], reason[320];
    snprintf(reason, sizeof reason, "%s%s", steps[finding->step],
             cm_source_text(finding->code, finding->system_error, text, sizeof text));
    return cm_event_refused(counting, index, reason, error);
}

static cm_status note_loss(cm_counting *counting, size_t index, const cm_team_loss *loss, cm_error *error)
{
    char outcome[CM_LOSS_TEXT_SIZE], reason[CM_LOSS_TEXT_SIZE + 32];
    snprintf(reason, sizeof reason, "%s when it was tried", cm_team_loss_text(loss, "", outcome, sizeof outcome));
    return cm_event_failed(counting, index, outcome, reason, error);
}

/* Tries events up to `end` in a new process; if it is lost, `loss` says how, and trial->shared names the event. */
static cm_status try_until(struct trial *trial, size_t end, cm_team_loss *loss, cm_error *error)
{
    cm_error failure = {0};
    size_t whole = trial->end;
    *loss = (cm_team_loss){0};
    trial->end = end;
    atomic_store(&trial->shared->event, trial->next);
    cm_team_job job = {.size = 1,
                       .work = try_events,
                       .data = trial,
                       .timeout = CM_TRIAL_SECONDS,
                       .here = cm_counting_stays(trial->counting),
                       .loss = loss};
    cm_status status = cm_team_run(&job, NULL, &failure);
    trial->end = whole;
    if (status == CM_OK || (cm_team_lost(loss) && !cm_team_blameless(loss)))
        return CM_OK;
    if (error != NULL)
        *error = failure;
    return status;
}

/* Tries an event again, alone: only a second failure is the event's fault. */
static cm_status try_alone(struct trial *trial, cm_error *error)
{
    cm_team_loss loss;
    size_t event = trial->next;
    cm_status status = try_until(trial, event + 1, &loss, error);
    trial->next++;
    if (status == CM_OK && cm_team_lost(&loss))
        return note_loss(trial->counting, event, &loss, error);
    return status == CM_OK ? note_finding(trial->counting, event, &trial->shared->of[event - trial->first], error)
                           : status;
}

/* Tries events, and continues behind one that ended the process. */
static cm_status try_some(struct trial *trial, cm_error *error)
{
    cm_status status = CM_OK;
    while (status == CM_OK && trial->next < trial->end) {
        cm_team_loss loss;
        status = try_until(trial, trial->end, &loss, error);
        size_t tried = cm_team_lost(&loss) ? atomic_load(&trial->shared->event) : trial->end;
        for (; status == CM_OK && trial->next < tried; trial->next++)
            status = note_finding(trial->counting, trial->next, &trial->shared->of[trial->next - trial->first], error);
        if (status == CM_OK && cm_team_lost(&loss))
            status = try_alone(trial, error);
    }
    return status;
}

cm_status cm_try_events(cm_counting *counting, size_t first, cm_error *error)
{
    const double start = cm_clock_seconds();
    struct trial trial = {.counting = counting, .shared = cm_team_memory_create(sizeof *trial.shared)};
    cm_status status = trial.shared != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = first; status == CM_OK && i < counting->event_count; i = trial.end) {
        trial.first = trial.next = i;
        trial.end = counting->event_count - i > MOST_TRIED ? i + MOST_TRIED : counting->event_count;
        status = try_some(&trial, error);
    }
    counting->trial_seconds += cm_clock_seconds() - start;
    cm_team_memory_free(trial.shared, sizeof *trial.shared);
    counting->tried += counting->event_count - first;
    return status;
}
