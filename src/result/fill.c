#include "result/result.h"

#include "result/fills.h"
#include "result/rows.h"

#include "result/benchmark_fields.h"

/* ---- events ---- */

static size_t next_event(const void *parent, size_t from)
{
    const cm_benchmark_result *result = ((const cm_read_benchmark *)parent)->result;
    size_t count = result != NULL ? cm_analysis_event_count(result->analysis) : 0;
    while (from < count && !cm_benchmark_result_lists(result, from))
        from++;
    return from < count ? from : SIZE_MAX;
}

/* Fills the event's counts on controls, and their errors. */
static void fill_on_controls(const cm_evidence *evidence, const cm_usable_event *looked, cm_filler *filler,
                             cm_defined_event *filled)
{
    size_t count = cm_evidence_control_count(evidence);
    double *counts = count > 0 ? cm_filler_allocate(filler, 2 * count, sizeof *counts) : NULL;
    if (counts == NULL)
        return;
    cm_evidence_on_controls(evidence, looked, counts, counts + count);
    set_event_control(filled, counts, count, looked->slack);
}

/* Fills the repetitions of a noisy event on the kernels on which it is not zero. */
static void fill_runs(const cm_evidence *evidence, const cm_usable_event *looked, const cm_law_sight *sight,
                      cm_filler *filler, cm_defined_event *filled)
{
    size_t each = evidence->repetitions, size = each * sizeof(double);
    double *runs = looked->runs != NULL ? cm_filler_allocate(filler, sight->count, size) : NULL;
    for (size_t i = 0; runs != NULL && i < sight->count; i++) {
        const cm_evidence_row *row = &evidence->rows[cm_evidence_law_row(evidence, sight->places[i])];
        memcpy(runs + i * each, looked->runs + row->runs.counted * each, size);
    }
    filled->law_runs = runs;
    filled->law_run_count = runs != NULL ? sight->count * each : 0;
}

/* Fills the event's counts on the kernels of the law. */
static cm_status fill_sight(const cm_evidence *evidence, const cm_usable_event *looked, cm_filler *filler,
                            cm_defined_event *filled, cm_error *error)
{
    cm_law_sight sight = {0};
    cm_status status = cm_evidence_law_sight(evidence, looked, &sight, error);
    if (status != CM_OK)
        return status;
    size_t *places = cm_filler_allocate(filler, sight.count, sizeof *places);
    double *means = cm_filler_allocate(filler, 2 * sight.count, sizeof *means);
    for (size_t i = 0; i < sight.count && places != NULL && means != NULL; i++) {
        places[i] = sight.places[i];
        means[i] = sight.means[i];
        means[sight.count + i] = sight.errors[i];
    }
    set_event_law(filled, places, means, sight.count, looked->slack);
    fill_runs(evidence, looked, &sight, filler, filled);
    cm_law_sight_clear(&sight);
    return CM_OK;
}

/* Fills an event from the analysis, and its counts on controls and on the kernels of the law. */
static cm_status fill_event(const void *parent, size_t index, cm_arena *arena, void *item, cm_error *error)
{
    const cm_benchmark_result *result = ((const cm_read_benchmark *)parent)->result;
    const cm_event_analysis event = cm_analysis_event(result->analysis, index);
    const cm_usable_event *looked = result->evidence != NULL ? cm_evidence_event(result->evidence, index) : NULL;
    cm_filler filler = {.arena = arena};
    cm_defined_event *filled = item;
    const char *equivalent_to = NULL;
    if (event.equivalent_to != CM_NO_EVENT)
        equivalent_to = cm_analysis_event(result->analysis, (size_t)event.equivalent_to).event;
    *filled = (cm_defined_event){0};
    set_event(filled, &event, equivalent_to);
    if (looked == NULL)
        return CM_OK;
    fill_on_controls(result->evidence, looked, &filler, filled);
    cm_status status =
        result->evidence->law_count > 0 ? fill_sight(result->evidence, looked, &filler, filled, error) : CM_OK;
    return status == CM_OK && filler.short_of_memory ? cm_error_no_memory(error) : status;
}

const cm_field_stream cm_event_stream = {next_event, fill_event};

/* ---- benchmarks ---- */

/* Fills the names of controls and their iterations. */
static void fill_controls(const cm_evidence *evidence, cm_filler *filler, cm_read_benchmark *filled)
{
    size_t count = cm_evidence_control_count(evidence);
    const char **names = cm_filler_allocate(filler, count, sizeof *names);
    double *iterations = cm_filler_allocate(filler, count, sizeof *iterations);
    for (size_t i = 0; i < count && names != NULL && iterations != NULL; i++) {
        size_t row = cm_evidence_control(evidence, i);
        names[i] = evidence->problem.kernels[row];
        iterations[i] = evidence->problem.iterations[row];
    }
    set_benchmark_control(filled, names, iterations, count);
}

static const char *reason_of(cm_threshold_source source, const char *choice)
{
    const char *usual = source == CM_THRESHOLD_GIVEN ? "given by the user" : "the default of this benchmark";
    return choice != NULL ? choice : usual;
}

/* The evidence of the data for alpha; NULL: the data were not asked. */
static const cm_read_evidence *alpha_evidence(const cm_alpha_choice *choice, cm_filler *filler)
{
    if (choice == NULL)
        return NULL;
    cm_read_evidence *evidence = cm_filler_allocate(filler, 1, sizeof *evidence);
    cm_read_plateau *plateaus = cm_filler_allocate(filler, choice->count, sizeof *plateaus);
    for (size_t i = 0; i < choice->count && plateaus != NULL; i++)
        set_plateau(&plateaus[i], &choice->plateaus[i], !choice->refused && i == choice->widest);
    if (evidence != NULL && plateaus != NULL)
        set_alpha(evidence, choice, plateaus);
    return evidence;
}

/* Fills tau and alpha: value, origin, reason and evidence of each. */
static void fill_thresholds(const cm_benchmark_result *result, cm_filler *filler, cm_read_benchmark *filled)
{
    const cm_tau_choice *tau = result->tau_choice;
    const cm_alpha_choice *alpha = result->alpha_choice;
    cm_read_evidence *evidence = tau != NULL ? cm_filler_allocate(filler, 1, sizeof *evidence) : NULL;
    if (evidence != NULL)
        set_tau(evidence, tau);
    set_tau_threshold(filled, result->thresholds.tau, result->tau_source,
                      reason_of(result->tau_source, tau != NULL ? tau->reason : NULL), evidence);
    set_alpha_threshold(filled, result->thresholds.alpha, result->alpha_source,
                        reason_of(result->alpha_source, alpha != NULL ? alpha->reason : NULL),
                        alpha_evidence(alpha, filler));
}

/* Fills the names of the selected events, and how many of them have equivalents. */
static void fill_selected(const cm_benchmark_result *result, cm_filler *filler, cm_read_benchmark *filled)
{
    const cm_analysis *analysis = result->analysis;
    size_t count = cm_analysis_selected_count(analysis);
    const char **names = cm_filler_allocate(filler, count, sizeof *names);
    for (size_t i = 0; i < count && names != NULL; i++) {
        names[i] = cm_analysis_event(analysis, cm_analysis_selected(analysis, i)).event;
        filled->replaceable += result->equivalents != NULL && result->equivalents[i].count > 0;
    }
    filled->selected = names;
    filled->selected_count = names != NULL ? count : 0;
}

/* Keeps the names under which other programs know an event's code. */
static void name_code(const char *event, const json_t *names, cm_filler *filler, cm_named_code *code)
{
    size_t count = json_array_size(names);
    const char **list = cm_filler_allocate(filler, count, sizeof *list), *kept = cm_arena_text(filler->arena, event);
    for (size_t i = 0; i < count && list != NULL; i++) {
        list[i] = cm_arena_text(filler->arena, json_string_value(json_array_get(names, i)));
        filler->short_of_memory = filler->short_of_memory || list[i] == NULL;
    }
    filler->short_of_memory = filler->short_of_memory || kept == NULL;
    set_code(code, kept, list, list != NULL ? count : 0);
    filler->short_of_memory = filler->short_of_memory || !cm_finish_code(filler->arena, code);
}

/* Whether the best definition of a metric has the event, which may be one that is not selected. */
static bool is_defining(const cm_benchmark_result *result, size_t event)
{
    for (size_t m = 0; m < result->signatures->metric_count; m++) {
        const cm_fit *fit = result->fits[m];
        for (size_t i = 0; fit != NULL && i < fit->term_count; i++)
            if (fit->events[i] == event && fit->rounded[i] != 0.0)
                return true;
    }
    return false;
}

/* Fills the names of events that are named by their codes and that definitions may use. */
static void fill_codes(const cm_benchmark_result *result, cm_filler *filler, cm_read_benchmark *filled)
{
    if (result->code_names != NULL)
        filled->codes = cm_filler_allocate(filler, json_object_size(result->code_names), sizeof *filled->codes);
    for (size_t i = 0; filled->codes != NULL && i < cm_analysis_event_count(result->analysis); i++) {
        const cm_event_analysis event = cm_analysis_event(result->analysis, i);
        const json_t *names = json_object_get(result->code_names, event.event);
        if (names != NULL &&
            (event.status == CM_EVENT_SELECTED || event.status == CM_EVENT_DEPENDENT || is_defining(result, i)))
            name_code(event.event, names, filler, &filled->codes[filled->code_count++]);
    }
}

static void fill_costs(const cm_benchmark_result *result, cm_read_benchmark *filled)
{
    size_t place = cm_costs_event(result);
    if (place == SIZE_MAX)
        return;
    const cm_event_analysis event = cm_analysis_event(result->analysis, place);
    set_cost(filled, &event);
}

void cm_fill_benchmark(const cm_benchmark_result *result, cm_filler *filler, cm_read_benchmark *filled)
{
    set_benchmark(filled, result);
    set_count(filled, result);
    fill_thresholds(result, filler, filled);
    if (result->evidence != NULL)
        fill_controls(result->evidence, filler, filled);
    if (result->evidence != NULL && result->evidence->law != NULL) {
        const cm_evidence *evidence = result->evidence;
        cm_defined_kernel *kernels = cm_filler_allocate(filler, evidence->law_count, sizeof *kernels);
        for (size_t k = 0; k < evidence->law_count && kernels != NULL; k++)
            set_kernel(&kernels[k], evidence, k);
        set_benchmark_law(filled, evidence, kernels);
    }
    fill_selected(result, filler, filled);
    fill_codes(result, filler, filled);
    fill_costs(result, filled);
    const size_t count = result->signatures->metric_count;
    filled->metrics = cm_filler_allocate(filler, count, sizeof *filled->metrics);
    for (size_t m = 0; m < count && filled->metrics != NULL; m++)
        cm_fill_metric(result, m, filler, &filled->metrics[filled->metric_count++]);
    cm_finish_benchmark(filler->arena, filled);
    filled->result = result;
}
