/* Counts a program through PAPI, from outside. */
#include "count/count.h"
#include "core/system.h"

enum { LOOK_S = 1 }; /* between polls of the stop flag; a signal ends the wait at once */

bool cm_count_has_counters(cm_error *error)
{
    cm_machine machine;
    cm_machine_read(&machine);
    if (machine.perf_errno != 0)
        CM_FAIL(error, CM_UNSUPPORTED, "the kernel offers no hardware counters here (%s)",
                strerror(machine.perf_errno));
    return machine.perf_errno == 0;
}

/* CM_UNSUPPORTED that blames the event only if counters can be read at all. */
static cm_status refuse_hardware_event(const cm_counted_event *event, cm_error *error)
{
    if (!cm_count_has_counters(error))
        return CM_UNSUPPORTED;
    if (event->lack == CM_REMARK_NO_RESULTS)
        return cm_count_refuse_metric(event->name, error);
    return CM_FAIL(error, CM_UNSUPPORTED, "%s knows no event '%s' here; 'catmint events' lists those that it has",
                   cm_source_name, event->name);
}

/* CM_UNSUPPORTED if none of the wanted events can be counted in this process. */
static cm_status try_wanted(const cm_program_counts *counts, bool *wanted, cm_error *error)
{
    cm_attachment trial = {0};
    const cm_attach_how how = {0};
    cm_status status = cm_attach(&trial, counts->events, counts->event_count, wanted, &how, error);
    cm_attachment_clear(&trial);
    return status;
}

/* Tries events that only formulas need one by one, since formulas go on without them, and the others together. */
static cm_status try_events(const cm_program_counts *counts, cm_error *error)
{
    bool *wanted = calloc(counts->event_count + 1, sizeof *wanted);
    if (wanted == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < counts->event_count; i++) {
        cm_counted_event *event = &counts->events[i];
        wanted[i] = event->optional && event->lack == CM_REMARK_NONE;
        status = wanted[i] ? try_wanted(counts, wanted, error) : CM_OK;
        if (status == CM_UNSUPPORTED) {
            event->lack = CM_REMARK_NOT_KNOWN;
            status = CM_OK;
        }
        wanted[i] = false;
    }
    bool any = false;
    for (size_t i = 0; i < counts->event_count; i++)
        any |= wanted[i] = counts->events[i].lack == CM_REMARK_NONE;
    if (status == CM_OK && !any && counts->event_count > 0)
        status = refuse_hardware_event(&counts->events[0], error);
    else if (status == CM_OK)
        status = try_wanted(counts, wanted, error);
    free(wanted);
    return status;
}

cm_status cm_count_find_events(cm_program_counts *counts, cm_error *error)
{
    for (size_t i = 0; i < counts->event_count; i++) {
        cm_counted_event *event = &counts->events[i];
        event->asked_as = event->name;
        event->component = cm_source_find_event(event->name, &event->code);
        if (event->component < 0 && !event->optional)
            return refuse_hardware_event(event, error);
        if (event->component < 0 && event->lack == CM_REMARK_NONE)
            event->lack = CM_REMARK_NOT_KNOWN;
    }
    return try_events(counts, error);
}

static bool is_over(const cm_run *run, cm_child *child, double seconds)
{
    return child->process > 0 ? cm_child_wait(child, seconds) : cm_process_wait((pid_t)run->options->process, seconds);
}

/* Waits until the program has ended, or the user interrupts. */
static cm_status watch_tasks(cm_run *run, cm_tasks *tasks, cm_child *child, cm_error *error)
{
    double next = cm_clock_seconds() + run->options->interval;
    size_t interval = 0;
    cm_status status = CM_OK;
    while (status == CM_OK && !run->counts->interrupted) {
        double left = run->options->interval > 0.0 ? next - cm_clock_seconds() : LOOK_S;
        if (is_over(run, child, fmax(left, 0.0)))
            break;
        if (run->options->interval > 0.0 && cm_clock_seconds() >= next) {
            status = cm_tasks_note_interval(tasks, run, ++interval, error);
            next += run->options->interval;
        }
        cm_count_heed(run, child);
    }
    while (child->process > 0 && !cm_child_wait(child, LOOK_S))
        cm_count_heed(run, child);
    return status == CM_OK && run->options->interval > 0.0 ? cm_tasks_note_interval(tasks, run, interval + 1, error)
                                                           : status;
}

/* Attaches to the processors or the process that were named, or to the child. */
static cm_status attach_tasks(cm_run *run, cm_tasks *tasks, const cm_child *child, cm_error *error)
{
    if (run->options->processors != NULL)
        return cm_tasks_attach_processors(tasks, run, run->options->processors, error);
    if (run->options->process != 0)
        return cm_tasks_attach_process(tasks, run, (pid_t)run->options->process, error);
    return cm_tasks_attach_child(tasks, run, child->process, error);
}

/* Counts one run. */
static cm_status count_tasks(cm_run *run, cm_tasks *tasks, cm_child *child, cm_error *error)
{
    int cannot = 0;
    cm_status status = attach_tasks(run, tasks, child, error);
    double begin = tasks->since = cm_clock_seconds();
    if (status == CM_OK && child->process > 0)
        status = cm_child_begin(child, &cannot, error);
    CM_THEN(status, run->options->per_thread && run->options->process == 0 ? cm_tasks_trace(tasks, run, child, error)
                                                                           : watch_tasks(run, tasks, child, error));
    CM_THEN(status, cm_counts_add_run(run->counts, cm_clock_seconds() - begin, error));
    if (status == CM_OK && child->process > 0)
        cm_count_ended(run->counts, child, cannot);
    return status == CM_OK ? cm_tasks_note(tasks, run, error) : status;
}

cm_status cm_count_run(cm_run *run, cm_error *error)
{
    cm_child child = {0};
    cm_tasks tasks = {0};
    cm_status status = CM_OK;
    if (run->options->command != NULL)
        status = cm_child_fork(run->options->command, NULL, 0, &child, error);
    CM_THEN(status, count_tasks(run, &tasks, &child, error));
    cm_tasks_clear(&tasks);
    cm_child_clear(&child);
    return status;
}
