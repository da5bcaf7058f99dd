/* Views: made from files or from results, and freed. */
#include "report/view/view.h"

CM_GETTER(const char *cm_results_view_not_comparable(const cm_results_view *view), view->definitions->not_comparable)

/* ---- the orders in which events are shown ---- */

typedef struct ranked {
    double noise;
    size_t index;
} ranked;

static int compare_by_noise(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Fills by_noise with the events whose noise is known, the quietest first. */
static cm_status order_by_noise(cm_view_benchmark *benchmark, cm_arena *arena, cm_error *error)
{
    size_t count = benchmark->listed->event_count;
    ranked *all = malloc((count + 1) * sizeof *all);
    benchmark->by_noise = cm_arena_allocate(arena, count * sizeof *benchmark->by_noise);
    if (all == NULL || benchmark->by_noise == NULL) {
        free(all);
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        if (!isnan(benchmark->events[i].max_rnmse))
            all[benchmark->noise_count++] = (ranked){benchmark->events[i].max_rnmse, i};
    qsort(all, benchmark->noise_count, sizeof *all, compare_by_noise);
    for (size_t i = 0; i < benchmark->noise_count; i++)
        benchmark->by_noise[i] = all[i].index;
    free(all);
    return CM_OK;
}

/* The selected events as the list of events has them, then the other kept ones. */
static void order_kept(cm_view_benchmark *benchmark, const cm_name_index *index)
{
    for (size_t i = 0, at; i < benchmark->read->selected_count; i++)
        if (cm_name_index_find(index, benchmark->read->selected[i], &at))
            benchmark->kept[benchmark->kept_count++] = at;
    for (size_t i = 0; i < benchmark->listed->event_count; i++)
        if (benchmark->events[i].status == CM_EVENT_DEPENDENT)
            benchmark->kept[benchmark->kept_count++] = i;
}

/* An index of the selected events; `count` includes those that depend on them. */
static cm_status index_selected(const cm_view_benchmark *benchmark, cm_name_index **index, size_t *count,
                                cm_error *error)
{
    cm_status status = cm_name_index_create(index, error);
    *count = 0;
    for (size_t i = 0; status == CM_OK && i < benchmark->listed->event_count; i++) {
        cm_event_status is = benchmark->events[i].status;
        *count += is == CM_EVENT_SELECTED || is == CM_EVENT_DEPENDENT;
        if (is == CM_EVENT_SELECTED)
            status = cm_name_index_add(*index, benchmark->events[i].event, i, error);
    }
    return status;
}

/* Fills by_noise and kept. */
static cm_status order_events(cm_view_benchmark *benchmark, cm_arena *arena, cm_error *error)
{
    cm_name_index *index = NULL;
    size_t count = 0;
    cm_status status = index_selected(benchmark, &index, &count, error);
    if (status == CM_OK) {
        benchmark->kept = cm_arena_allocate(arena, count * sizeof *benchmark->kept);
        if (benchmark->kept != NULL)
            order_kept(benchmark, index);
        else
            status = cm_error_no_memory(error);
    }
    cm_name_index_free(index);
    return status == CM_OK ? order_by_noise(benchmark, arena, error) : status;
}

/* ---- definitions as they are shown ---- */

/* A scalar of the machine's description as text; NULL if it is none or memory runs out. */
static const char *machine_text(cm_arena *arena, const json_t *value)
{
    char text[CM_NUMBER_TEXT_SIZE];
    if (json_is_string(value))
        return cm_arena_text(arena, json_string_value(value));
    if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    if (!json_is_number(value))
        return NULL;
    cm_number_write(json_number_value(value), text);
    return cm_arena_text(arena, text);
}

/* Scalars only: the other members are for programs. */
static bool is_scalar(const json_t *value)
{
    return json_is_string(value) || json_is_boolean(value) || json_is_number(value);
}

/* Lists the scalars of the description of the machine. */
static cm_status show_machine(cm_results_view *view, cm_error *error)
{
    json_t *machine = view->definitions->described, *value;
    const char *key;
    view->machine = cm_arena_allocate(&view->arena, json_object_size(machine) * sizeof *view->machine);
    if (view->machine == NULL)
        return cm_error_no_memory(error);
    json_object_foreach(machine, key, value) if (is_scalar(value))
    {
        cm_view_pair *pair = &view->machine[view->machine_count++];
        *pair = (cm_view_pair){cm_arena_text(&view->arena, key), machine_text(&view->arena, value)};
        if (pair->name == NULL || pair->text == NULL)
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

static int compare_reasons(const void *left, const void *right)
{
    const cm_unavailable *a = left, *b = right;
    int order = strcmp(a->reason, b->reason);
    return order != 0 ? order : strcmp(a->event, b->event);
}

/* The benchmark's title, on a hybrid processor with its type of cores; NULL if memory runs out. */
static const char *title_of(const cm_defined_benchmark *listed, cm_arena *arena)
{
    char *title = NULL;
    if (listed->core[0] == '\0')
        return listed->benchmark;
    if (asprintf(&title, "%s on %s", listed->benchmark, listed->core) < 0)
        return NULL;
    const char *kept = cm_arena_text(arena, title);
    free(title);
    return kept;
}

/* Makes the view of one benchmark, with its metrics and events in the order of the page. */
static cm_status show_benchmark(const cm_read_benchmark *read, cm_arena *arena, cm_view_benchmark *benchmark,
                                cm_error *error)
{
    *benchmark = (cm_view_benchmark){
        .title = title_of(&read->listed, arena), .read = read, .listed = &read->listed, .events = read->events};
    benchmark->metrics = cm_arena_allocate(arena, read->metric_count * sizeof *benchmark->metrics);
    if (benchmark->title == NULL || benchmark->metrics == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < read->metric_count; i++)
        benchmark->metrics[benchmark->metric_count++] = (cm_view_metric){.defined = &read->metrics[i]};
    return order_events(benchmark, arena, error);
}

/* Orders the lists of the definitions for showing. */
static cm_status show_view(cm_results_view *view, cm_error *error)
{
    const cm_definitions *definitions = view->definitions;
    cm_status status = show_machine(view, error);
    if (definitions->unavailable_count > 0)
        qsort(definitions->unavailable, definitions->unavailable_count, sizeof *definitions->unavailable,
              compare_reasons);
    view->benchmarks = cm_arena_allocate(&view->arena, definitions->benchmark_count * sizeof *view->benchmarks);
    if (status == CM_OK && view->benchmarks == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; i < definitions->benchmark_count && status == CM_OK; i++)
        status = show_benchmark(&definitions->benchmarks[i], &view->arena, &view->benchmarks[view->benchmark_count++],
                                error);
    return status;
}

/* ---- views ---- */

static cm_status make_view(const char *name, cm_results_view **view, cm_error *error)
{
    *view = calloc(1, sizeof **view);
    if (*view == NULL)
        return cm_error_no_memory(error);
    (*view)->definitions = calloc(1, sizeof *(*view)->definitions);
    (*view)->name = cm_arena_text(&(*view)->arena, name);
    return (*view)->definitions != NULL && (*view)->name != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Orders the view if its definitions were filled, with `status`; else frees it. */
static cm_status finish_view(cm_results_view *made, cm_status status, cm_results_view **view, cm_error *error)
{
    CM_THEN(status, show_view(made, error));
    CM_HAND_OVER(status, view, made, cm_results_view_free);
    return status;
}

cm_status cm_results_view_load(const char *path, cm_results_view **view, cm_error *error)
{
    cm_results_view *made = NULL;
    cm_status status = make_view(path, &made, error);
    CM_THEN(status, cm_definitions_read_file(made->definitions, path, error));
    return finish_view(made, status, view, error);
}

cm_status cm_results_view_create(const cm_results *results, const char *name, cm_results_view **view, cm_error *error)
{
    cm_results_view *made = NULL;
    cm_status status = make_view(name, &made, error);
    CM_THEN(status, cm_definitions_take(made->definitions, results, error));
    return finish_view(made, status, view, error);
}

void cm_results_view_free(cm_results_view *view)
{
    if (view == NULL)
        return;
    cm_definitions_free(view->definitions);
    free(view->audits);
    cm_arena_clear(&view->arena);
    free(view);
}

cm_status cm_results_view_set_name(cm_results_view *view, const char *name, cm_error *error)
{
    const char *copy = cm_arena_text(&view->arena, name);
    if (copy == NULL)
        return cm_error_no_memory(error);
    view->name = copy;
    return CM_OK;
}
