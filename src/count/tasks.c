#include "count/count.h"

#include <dirent.h>

#include "core/system.h"

void cm_task_read_name(cm_attachment *task)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)task->thread);
    FILE *file = cm_input_stream(path);
    if (file == NULL)
        return;
    size_t size = fread(task->name, 1, sizeof task->name - 1, file);
    fclose(file);
    task->name[size] = '\0';
    task->name[strcspn(task->name, "\n")] = '\0';
}

/* Chooses the events of this run with the first thread; all other threads count the same. */
static cm_status attach_events(cm_tasks *tasks, cm_run *run, cm_attachment *task, const cm_attach_how *how,
                               cm_error *error)
{
    size_t count = run->counts->event_count;
    bool *wanted = calloc(count + 1, sizeof *wanted);
    if (wanted == NULL)
        return cm_error_no_memory(error);
    bool first = tasks->accepted == NULL;
    memcpy(wanted, first ? run->wanted : tasks->accepted, count * sizeof *wanted);
    cm_status status = cm_attach(task, run->counts->events, count, wanted, how, error);
    for (size_t i = 0; first && status == CM_OK && i < count; i++) {
        bool taken = run->wanted[i] && !wanted[i];
        run->wanted[i] = wanted[i];
        run->counts->events[i].set = taken ? run->set : run->counts->events[i].set;
        wanted[i] = taken;
    }
    if (!first || status != CM_OK)
        free(wanted);
    else
        tasks->accepted = wanted;
    return status;
}

/* Begins to count one task. */
static cm_status add_task(cm_tasks *tasks, cm_run *run, const cm_attach_how *how, cm_error *error)
{
    if (!CM_GROW_BY_ONE(tasks->tasks, tasks->count))
        return cm_error_no_memory(error);
    cm_attachment *task = &tasks->tasks[tasks->count++];
    *task = (cm_attachment){0};
    cm_status status = attach_events(tasks, run, task, how, error);
    CM_THEN(status, cm_attachment_start(task, error));
    cm_task_read_name(task);
    return status;
}

cm_status cm_tasks_add(cm_tasks *tasks, cm_run *run, pid_t thread, bool inherited, cm_error *error)
{
    const cm_attach_how how = {.thread = thread, .inherited = inherited, .multiplexed = run->options->multiplex};
    return add_task(tasks, run, &how, error);
}

/* The processors that are online, as the kernel lists them. */
static bool read_online(cpu_set_t *online)
{
    char list[4096] = "";
    FILE *file = cm_input_stream("/sys/devices/system/cpu/online");
    bool read = file != NULL && fgets(list, sizeof list, file) != NULL;
    if (file != NULL)
        fclose(file);
    list[strcspn(list, "\n")] = '\0';
    return read && cm_cpu_list_parse(list, online);
}

/* Names the counts that may be lacking. */
static cm_status denied(cm_error *error)
{
    cm_error found = *error;
    return CM_FAIL(
        error, found.status,
        "%.400s: programs of others are counted for root, with CAP_PERFMON, or if perf_event_paranoid is at most 0",
        found.text);
}

cm_status cm_tasks_attach_processors(cm_tasks *tasks, cm_run *run, const char *processors, cm_error *error)
{
    cpu_set_t online, chosen;
    if (!read_online(&online))
        return CM_FAIL(error, CM_UNSUPPORTED, "the kernel does not say which processors are online");
    if (processors[0] == '\0')
        chosen = online;
    else if (!cm_cpu_list_parse(processors, &chosen))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "'%.100s' is no list of processors, as in '0-3,8'", processors);
    cm_attach_how how = {.multiplexed = run->options->multiplex, .whole = true};
    cm_status status = CM_OK;
    for (; status == CM_OK && how.processor < CPU_SETSIZE; how.processor++) {
        if (CPU_ISSET(how.processor, &chosen) && !CPU_ISSET(how.processor, &online))
            return CM_FAIL(error, CM_BAD_ARGUMENT, "processor %u is not online", how.processor);
        if (CPU_ISSET(how.processor, &chosen))
            status = add_task(tasks, run, &how, error);
    }
    return status == CM_UNSUPPORTED && geteuid() != 0 ? denied(error) : status;
}

cm_status cm_tasks_attach_process(cm_tasks *tasks, cm_run *run, pid_t process, cm_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return CM_FAIL(error, errno == ENOENT ? CM_BAD_ARGUMENT : CM_UNSUPPORTED, "process %ld cannot be looked at: %s",
                       (long)process, errno == ENOENT ? "there is none" : strerror(errno));
    cm_status status = CM_OK;
    for (struct dirent *entry; status == CM_OK && (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.')
            status = cm_tasks_add(tasks, run, (pid_t)strtol(entry->d_name, NULL, 10), true, error);
    closedir(directory);
    return status;
}

static cm_status note_counts(cm_run *run, cm_scope *scope, const cm_attachment *task, cm_error *error)
{
    if (scope == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < run->counts->event_count; i++)
        if (!isnan(task->counts[i]))
            cm_scope_add(run->counts, scope, run->repetition, i, task->counts[i]);
    return CM_OK;
}

cm_status cm_tasks_note(cm_tasks *tasks, cm_run *run, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < tasks->count; i++) {
        cm_attachment *task = &tasks->tasks[i];
        if (task->set_count > 0) /* otherwise it has ended, and was read then */
            status = cm_attachment_read(task, error);
        CM_THEN(status, note_counts(run, cm_counts_scope(run->counts, CM_SCOPE_PROGRAM, 0, ""), task, error));
        if (status == CM_OK && run->options->per_thread)
            status = note_counts(run, cm_counts_scope(run->counts, CM_SCOPE_THREAD, i + 1, task->name), task, error);
    }
    return status;
}

cm_status cm_tasks_note_interval(cm_tasks *tasks, cm_run *run, size_t interval, cm_error *error)
{
    cm_status status = CM_OK;
    cm_scope *scope = cm_counts_scope(run->counts, CM_SCOPE_INTERVAL, interval, "");
    const double now = cm_clock_seconds();
    if (scope == NULL)
        return cm_error_no_memory(error);
    if (run->set == 1)
        cm_scope_add_seconds(scope, run->repetition, now - tasks->since);
    tasks->since = now;
    for (size_t i = 0; status == CM_OK && i < tasks->count; i++) {
        cm_attachment *task = &tasks->tasks[i];
        status = cm_attachment_read(task, error);
        for (size_t k = 0; status == CM_OK && k < run->counts->event_count; k++)
            if (!isnan(task->counts[k]))
                cm_scope_add(run->counts, scope, run->repetition, k,
                             task->counts[k] - (isnan(task->before[k]) ? 0.0 : task->before[k]));
    }
    return status;
}

void cm_tasks_clear(cm_tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++)
        cm_attachment_clear(&tasks->tasks[i]);
    CM_FREE(tasks->tasks, tasks->accepted);
    *tasks = (cm_tasks){0};
}
