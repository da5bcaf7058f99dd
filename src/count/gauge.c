#include "count/count.h"

#include <sys/syscall.h>

#include "software_pmu/plugin_protocol.h"

struct cm_gauge_plan {
    bool emulated;
    size_t count;
    cm_counted_event *events;
};

struct cm_gauge {
    const cm_gauge_plan *plan;
    cm_attachment attachment;
};

/* Adds an event of the source to the plan. */
static cm_status plan_event(cm_gauge_plan *plan, const char *name, cm_error *error)
{
    if (!CM_GROW_BY_ONE(plan->events, plan->count))
        return cm_error_no_memory(error);
    cm_counted_event event = {.name = strdup(name)};
    if (event.name == NULL)
        return cm_error_no_memory(error);
    event.component = cm_source_find_event(name, &event.code);
    plan->events[plan->count++] = event;
    return event.component >= 0 ? CM_OK : CM_FAIL(error, CM_UNSUPPORTED, "no event %s", name);
}

/* Opens the source and reads the events of the plan. */
static cm_status load_events(cm_gauge_plan *plan, FILE *file, cm_error *error)
{
    bool owned = false;
    char line[2048];
    cm_status status = cm_source_open(&owned, error);
    if (status == CM_OK && cm_source_use_threads() != 0)
        status = CM_FAIL(error, CM_UNSUPPORTED, "threads cannot count for themselves");
    while (status == CM_OK && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        status = plan_event(plan, line, error);
    }
    return status;
}

cm_status cm_gauge_plan_load(const char *directory, cm_gauge_plan **plan, cm_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" CM_REGIONS_EVENTS, directory);
    cm_gauge_plan *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    *plan = made;
    made->emulated = getenv(CM_REGIONS_EMULATED) != NULL;
    if (made->emulated)
        return CM_OK;
    FILE *file = cm_input_stream(path);
    if (file == NULL)
        return cm_error_io(error, path, "cannot be read");
    cm_status status = load_events(made, file, error);
    fclose(file);
    return status;
}

size_t cm_gauge_width(const cm_gauge_plan *plan)
{
    return plan->emulated ? cm_fact_count() : plan->count;
}

/* All events fit in one set, as catmint has tried. */
static cm_status attach_gauge(cm_gauge *gauge, cm_error *error)
{
    const cm_gauge_plan *plan = gauge->plan;
    const cm_attach_how how = {0};
    bool *wanted = malloc(plan->count + 1);
    if (wanted == NULL)
        return cm_error_no_memory(error);
    memset(wanted, 1, plan->count);
    cm_status status = cm_attach(&gauge->attachment, plan->events, plan->count, wanted, &how, error);
    free(wanted);
    return status == CM_OK ? cm_attachment_start(&gauge->attachment, error) : status;
}

cm_status cm_gauge_create(const cm_gauge_plan *plan, cm_gauge **gauge, cm_error *error)
{
    cm_gauge *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->plan = plan;
    cm_status status = plan->emulated ? CM_OK : attach_gauge(made, error);
    CM_HAND_OVER(status, gauge, made, cm_gauge_free);
    return status;
}

void cm_gauge_free(cm_gauge *gauge)
{
    if (gauge == NULL)
        return;
    cm_attachment_clear(&gauge->attachment);
    free(gauge);
}

bool cm_gauge_read(cm_gauge *gauge, uint64_t *counts)
{
    if (gauge->plan->emulated)
        return syscall(SYS_prctl, (long)CM_QEMU_MAGIC, (long)CM_QEMU_READ, counts, 0L, 0L) != 0;
    if (cm_attachment_read(&gauge->attachment, NULL) != CM_OK)
        return false;
    for (size_t i = 0; i < gauge->plan->count; i++)
        counts[i] = (uint64_t)gauge->attachment.counts[i];
    return true;
}
