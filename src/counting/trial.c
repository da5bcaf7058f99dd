#include "counting/trial.h"

#include <errno.h>
#include <papi.h>
#include <stdio.h>
#include <time.h>

#include "core/error.h"
#include "counting/hints.h"
#include "counting/papi.h"

enum { TRIAL_WORK = 1000 }; /* turns of a loop: enough for a counter that works to move */

static void work(void)
{
    for (volatile unsigned turn = 0; turn < TRIAL_WORK;)
        turn = turn + 1;
}

/* PAPI's code of the first step that failed; `step` names it. */
static int try_in_set(int set, const cm_event_record *event, long long *value, const char **step)
{
    long long read = 0;
    *step = "";
    int code = PAPI_add_event(set, event->code);
    if (code != PAPI_OK)
        return code;
    *step = "when started: ";
    code = PAPI_start(set);
    if (code != PAPI_OK)
        return code;
    work();
    *step = "when read: ";
    code = PAPI_read(set, &read);
    int stopping = PAPI_stop(set, value);
    if (code == PAPI_OK && stopping != PAPI_OK) {
        *step = "when stopped: ";
        code = stopping;
    }
    return code;
}

cm_status cm_event_refused(cm_counting *counting, size_t event, const char *reason, cm_error *error)
{
    cm_event_record *record = &counting->events[event];
    char hint[CM_HINT_SIZE];
    cm_hint(&counting->machine, counting->components[record->component].name, reason, hint, sizeof hint);
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

static cm_status try_event(cm_counting *counting, size_t index, cm_error *error)
{
    cm_event_record *event = &counting->events[index];
    if (event->floating)
        return cm_event_refused(counting, index, "counts in floating point, catmint reads integers", error);
    int set = PAPI_NULL;
    long long value = 0;
    const char *step = "";
    errno = 0;
    int code = PAPI_create_eventset(&set);
    if (code == PAPI_OK) {
        code = try_in_set(set, event, &value, &step);
        int system_error = errno;
        PAPI_cleanup_eventset(set);
        PAPI_destroy_eventset(&set);
        errno = system_error;
    }
    if (code == PAPI_OK) {
        event->countable = true;
        event->moved = value > 0;
        return CM_OK;
    }
    char text[256], reason[320];
    snprintf(reason, sizeof reason, "%s%s", step, cm_papi_text(code, errno, text, sizeof text));
    return cm_event_refused(counting, index, reason, error);
}

cm_status cm_try_events(cm_counting *counting, size_t first, cm_error *error)
{
    cm_status status = CM_OK;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t i = first; status == CM_OK && i < counting->event_count; i++)
        status = try_event(counting, i, error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    counting->tried += counting->event_count - first;
    counting->trial_seconds += (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    return status;
}
