/* Each definition by itself in other programs' formats, as the writers of exports write it. */
#include "formats/export/export.h"
#include "report/view/view.h"

const char *const cm_view_exports[CM_VIEW_EXPORTS] = {"papi", "papi-user", "likwid", "perf"};

typedef struct filling {
    cm_results_view *view;
    size_t format;
    bool short_of_memory;
} filling;

static cm_view_metric *find_metric(cm_results_view *view, const cm_export_piece *piece)
{
    for (size_t i = 0; i < view->benchmark_count; i++)
        for (size_t k = 0; k < view->benchmarks[i].metric_count; k++)
            if (view->benchmarks[i].metrics[k].defined->metric == piece->metric)
                return &view->benchmarks[i].metrics[k];
    return NULL;
}

/* Keeps the text of a definition in one format, or why the format refuses it; the first piece wins. */
static void take_piece(const cm_export_piece *piece, void *data)
{
    filling *fill = data;
    cm_view_metric *metric = find_metric(fill->view, piece);
    if (metric == NULL || metric->exports[fill->format] != NULL)
        return;
    const char *copied = cm_arena_text(&fill->view->arena, piece->text != NULL ? piece->text : piece->refusal);
    fill->short_of_memory = fill->short_of_memory || copied == NULL;
    metric->exports[fill->format] = piece->text != NULL ? copied : NULL;
    metric->refusals[fill->format] = piece->text != NULL ? NULL : copied;
}

/* LIKWID does not distinguish types of cores, so that each is written as if it were the only one. */
static cm_status fill_cores(cm_results_view *view, const cm_export_names *names, size_t format,
                            cm_export_options *options, filling *fill, cm_error *error)
{
    cm_export_format described;
    bool apart = cm_export_format_find(cm_view_exports[format], &described) && described.directory;
    size_t count = apart ? cm_definitions_core_count(view->definitions) : 0;
    if (count == 0)
        return cm_export_pieces(view->definitions, options, names, take_piece, fill, error);
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        options->core = cm_definitions_core(view->definitions, i)->name;
        status = cm_export_pieces(view->definitions, options, names, take_piece, fill, error);
    }
    return status;
}

static cm_status fill_format(cm_results_view *view, const cm_export_names *names, size_t format,
                             const char *const *cpus, size_t cpu_count, cm_error *error)
{
    filling fill = {.view = view, .format = format};
    cm_export_options options = {
        .size = sizeof options, .format = cm_view_exports[format], .cpus = cpus, .cpu_count = cpu_count};
    cm_status status = fill_cores(view, names, format, &options, &fill, error);
    return status == CM_OK && fill.short_of_memory ? cm_error_no_memory(error) : status;
}

/* If neither the caller nor the events' names give the PMU, a placeholder stands for its name. */
cm_status cm_view_fill_exports(cm_results_view *view, const char *const *cpus, size_t cpu_count, cm_error *error)
{
    static const char *const unnamed[] = {CM_VIEW_UNNAMED_PMU};
    cm_export_names *names = NULL;
    cm_status status = cm_export_names_create(view->definitions, NULL, &names, error);
    for (size_t i = 0; i < CM_VIEW_EXPORTS && status == CM_OK; i++) {
        cm_export_format format;
        status = fill_format(view, names, i, cpus, cpu_count, error);
        bool named = cpu_count != 0 || cm_definitions_core_count(view->definitions) != 0;
        if (status == CM_OK && !named && cm_export_format_find(cm_view_exports[i], &format) && format.takes_cpus)
            status = fill_format(view, names, i, unnamed, 1, error);
    }
    cm_export_names_free(names);
    return status;
}
