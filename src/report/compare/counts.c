/* Counts of an event that differ between two documents. */
#include "report/compare/compare.h"

static bool are_same(const char *const *names, const char *const *others, size_t count, size_t other_count)
{
    bool same = count == other_count;
    for (size_t i = 0; i < count && same; i++)
        same = strcmp(names[i], others[i]) == 0;
    return same;
}

static bool have_same_kernels(const cm_defined_benchmark *before, const cm_defined_benchmark *after)
{
    bool same = before->law_count == after->law_count;
    for (size_t k = 0; k < before->law_count && same; k++)
        same = strcmp(before->law_kernels[k].kernel, after->law_kernels[k].kernel) == 0;
    return same;
}

/* The counts of the event on the kernels of its benchmark that the law looks at; those of others are left out. */
static void spread_counts(const cm_compared_event *counted, double *counts)
{
    const cm_defined_event *event = counted->event;
    for (size_t i = 0; i < event->law_count; i++) {
        const cm_defined_kernel *kernel = &counted->benchmark->law_kernels[event->law_places[i]];
        if (strcmp(kernel->benchmark, counted->benchmark->benchmark) == 0)
            counts[event->law_places[i]] = event->law_means[i];
    }
}

static void keep_change(cm_changed_counts *changed, const char *name, double before, double after)
{
    const double same = 1e-6;
    if (!(fabs(before - after) > same * fmax(1.0, fmax(fabs(before), fabs(after)))))
        return;
    changed->names[changed->count] = name;
    changed->before[changed->count] = before;
    changed->after[changed->count++] = after;
}

static cm_status make_room(cm_changed_counts *changed, size_t count, cm_error *error)
{
    if (!CM_ALLOCATE(changed->names, count + 1) || !CM_ALLOCATE(changed->before, 2 * (count + 1)))
        return cm_error_no_memory(error);
    changed->after = changed->before + count + 1;
    return CM_OK;
}

/* Keeps the facts whose coefficients differ; nothing if the benchmarks have different facts. */
static cm_status find_symbols(const cm_compared_event *before, const cm_compared_event *after,
                              cm_changed_counts *changed, cm_error *error)
{
    const cm_defined_benchmark *was = before->benchmark, *is = after->benchmark;
    if (before->event->representation == NULL || after->event->representation == NULL ||
        !are_same(was->symbols, is->symbols, was->symbol_count, is->symbol_count))
        return CM_OK;
    cm_status status = make_room(changed, was->symbol_count, error);
    for (size_t j = 0; j < was->symbol_count && status == CM_OK; j++)
        keep_change(changed, was->symbols[j], before->event->representation[j], after->event->representation[j]);
    return status;
}

/* Finds the fitted kernels on which the counts of an event differ that no symbols explain. */
static cm_status find_fitted(const cm_compared_event *before, const cm_compared_event *after,
                             cm_changed_counts *changed, cm_error *error)
{
    const cm_defined_benchmark *was = before->benchmark, *is = after->benchmark;
    if (before->event->counts == NULL || after->event->counts == NULL ||
        !are_same(was->kernels, is->kernels, was->kernel_count, is->kernel_count))
        return CM_OK;
    cm_status status = make_room(changed, was->kernel_count, error);
    for (size_t k = 0; k < was->kernel_count && status == CM_OK; k++)
        keep_change(changed, was->kernels[k], before->event->counts[k], after->event->counts[k]);
    return status;
}

/* Finds the kernels on which counts differ, of the law if both documents have it. */
static cm_status find_kernels(const cm_compared_event *before, const cm_compared_event *after,
                              cm_changed_counts *changed, cm_error *error)
{
    size_t count = before->benchmark->law_count;
    if (before->event->law_places == NULL || after->event->law_places == NULL ||
        !have_same_kernels(before->benchmark, after->benchmark))
        return find_fitted(before, after, changed, error);
    double *counts = calloc(2 * count + 1, sizeof *counts);
    cm_status status = counts != NULL ? make_room(changed, count, error) : cm_error_no_memory(error);
    if (status == CM_OK) {
        spread_counts(before, counts);
        spread_counts(after, counts + count);
        for (size_t k = 0; k < count; k++)
            keep_change(changed, before->benchmark->law_kernels[k].kernel, counts[k], counts[count + k]);
    }
    free(counts);
    return status;
}

cm_status cm_changed_counts_find(const cm_compared_event *before, const cm_compared_event *after, bool on_kernels,
                                 cm_changed_counts *changed, cm_error *error)
{
    changed->on_kernels = on_kernels;
    if (before->event->max_rnmse != 0.0 || after->event->max_rnmse != 0.0)
        return CM_OK;
    return on_kernels ? find_kernels(before, after, changed, error) : find_symbols(before, after, changed, error);
}

void cm_changed_counts_clear(cm_changed_counts *changed)
{
    CM_FREE(changed->names, changed->before);
    *changed = (cm_changed_counts){0};
}

void cm_changed_counts_write(const void *content, FILE *stream)
{
    enum { SHOWN = 6 };
    const cm_changed_counts *changed = content;
    const double *values = changed->are_after ? changed->after : changed->before;
    for (size_t i = 0; i < changed->count && i < SHOWN; i++)
        fprintf(stream, "%s%.6g %s %s", i > 0 ? ", " : "", values[i] + 0.0, changed->on_kernels ? "on" : "of",
                changed->names[i]);
    if (changed->count > SHOWN)
        fprintf(stream, ", and %zu more", changed->count - SHOWN);
}
