/* Orders definitions as they are shown. */
#include "report/view/view.h"

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
    return cm_view_order_events(benchmark, arena, error);
}

cm_status cm_view_show(cm_results_view *view, cm_error *error)
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
