#include "count/count.h"

enum { MOST_TOGETHER = 512 };

static cm_status refused(const char *subject, int code, cm_error *error)
{
    char text[256];
    int system_error = errno;
    if (cm_source_is_short(code, system_error))
        return cm_source_short(code, system_error, error);
    return CM_FAIL(error, CM_UNSUPPORTED, "%s cannot be counted: %s", subject,
                   cm_source_text(code, system_error, text, sizeof text));
}

static cm_attached_set *find_set(const cm_attachment *attachment, int component)
{
    for (size_t i = 0; i < attachment->set_count; i++)
        if (attachment->sets[i].component == component)
            return &attachment->sets[i];
    return NULL;
}

/* Prepares a set of events for a task or a processor; returns PAPI's code. */
static int prepare_set(cm_source_set *source, int component, const cm_attach_how *how)
{
    int code = cm_source_set_assign(source, (size_t)component);
    if (code == 0 && how->multiplexed)
        code = cm_source_set_multiplex(source);
    if (code == 0 && how->whole)
        code = cm_source_set_attach_processor(source, how->processor);
    if (code == 0 && how->thread != 0)
        code = cm_source_set_attach(source, how->thread, how->inherited);
    return code;
}

/* For another thread, which does not run yet, or a processor, PAPI does not notice that there are too few counters, and
 * all events would count nothing. So they are added to a set of this thread, too, which does notice. */
static int make_trial(cm_attached_set *set, const cm_attach_how *how)
{
    if ((how->thread == 0 && !how->whole) || how->multiplexed)
        return 0;
    int code = cm_source_set_create(&set->trial);
    return code == 0 ? cm_source_set_assign(set->trial, (size_t)set->component) : code;
}

/* Makes the set of a component; a code of the source. */
static int make_set(cm_attachment *attachment, int component, const cm_attach_how *how, cm_attached_set **set)
{
    if (!CM_GROW_BY_ONE(attachment->sets, attachment->set_count))
        return cm_source_no_memory;
    *set = &attachment->sets[attachment->set_count];
    **set = (cm_attached_set){.component = component};
    int code = cm_source_set_create(&(*set)->source);
    if ((*set)->source != NULL)
        attachment->set_count++;
    if (code == 0)
        code = make_trial(*set, how);
    return code == 0 ? prepare_set((*set)->source, component, how) : code;
}

/* Adds an event to the set of its component; a code of the source. */
static int attach_event(cm_attachment *attachment, const cm_counted_event *event, size_t index,
                        const cm_attach_how *how)
{
    cm_attached_set *set = find_set(attachment, event->component);
    int code = set == NULL ? make_set(attachment, event->component, how, &set) : 0;
    if (code != 0)
        return code;
    if (!CM_GROW_BY_ONE(set->events, set->count))
        return cm_source_no_memory;
    code = set->count < MOST_TOGETHER ? 0 : cm_source_full;
    if (code == 0 && set->trial != NULL)
        code = cm_source_set_add(set->trial, event->code);
    if (code == 0)
        code = cm_source_set_add(set->source, event->code);
    if (code == 0)
        set->events[set->count++] = index;
    return code;
}

static cm_status allocate_counts(cm_attachment *attachment, size_t count, cm_error *error)
{
    if (!CM_ALLOCATE(attachment->counts, count + 1) || !CM_ALLOCATE(attachment->before, count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        attachment->counts[i] = NAN;
    return CM_OK;
}

cm_status cm_attach(cm_attachment *attachment, const cm_counted_event *events, size_t count, bool *wanted,
                    const cm_attach_how *how, cm_error *error)
{
    attachment->thread = how->thread;
    cm_status status = allocate_counts(attachment, count, error);
    size_t taken = 0;
    cm_error first = {0};
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        errno = 0;
        int code = wanted[i] ? attach_event(attachment, &events[i], i, how) : 0;
        if (code == 0) {
            taken += wanted[i];
            wanted[i] = false;
        } else if (refused(events[i].name, code, first.status == CM_OK ? &first : NULL) == CM_NO_MEMORY) {
            status = cm_error_no_memory(error);
        }
    }
    for (size_t i = 0; i < attachment->set_count; i++) {
        cm_source_set_free(attachment->sets[i].trial);
        attachment->sets[i].trial = NULL;
    }
    if (status != CM_OK || taken > 0 || first.status == CM_OK)
        return status;
    if (error != NULL)
        *error = first;
    return first.status;
}

cm_status cm_attachment_start(cm_attachment *attachment, cm_error *error)
{
    for (size_t i = 0; i < attachment->set_count; i++) {
        errno = 0;
        int code = attachment->sets[i].count > 0 ? cm_source_set_start(attachment->sets[i].source) : 0;
        if (code != 0)
            return refused("the events", code, error);
    }
    return CM_OK;
}

cm_status cm_attachment_read(cm_attachment *attachment, cm_error *error)
{
    long long values[MOST_TOGETHER];
    for (size_t i = 0; i < attachment->set_count; i++) {
        const cm_attached_set *set = &attachment->sets[i];
        errno = 0;
        int code = set->count > 0 ? cm_source_set_read(set->source, values) : 0;
        if (code != 0)
            return refused("the events", code, error);
        for (size_t k = 0; k < set->count; k++) {
            attachment->before[set->events[k]] = attachment->counts[set->events[k]];
            attachment->counts[set->events[k]] = (double)values[k];
        }
    }
    return CM_OK;
}

static void free_sets(cm_attachment *attachment)
{
    for (size_t i = 0; i < attachment->set_count; i++) {
        cm_source_set_free(attachment->sets[i].source);
        free(attachment->sets[i].events);
    }
    free(attachment->sets);
    attachment->sets = NULL;
    attachment->set_count = 0;
}

cm_status cm_attachment_end(cm_attachment *attachment, cm_error *error)
{
    cm_status status = cm_attachment_read(attachment, error);
    free_sets(attachment);
    return status;
}

void cm_attachment_clear(cm_attachment *attachment)
{
    free_sets(attachment);
    CM_FREE(attachment->counts, attachment->before);
    *attachment = (cm_attachment){0};
}
