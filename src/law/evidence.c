/* The evidence of a sweep: kernels, their facts, and counts of usable events on them. */
#include "law/evidence.h"

#include "analysis/rules.h"
#include "analysis/state.h"

enum { MOST_EVENTS = 20000, MOST_OTHERS = 320, SPARE_ROWS = 64 };

void cm_evidence_free(cm_evidence *evidence)
{
    if (evidence == NULL)
        return;
    cm_counted_law_free(evidence->law);
    cm_evidence_free_targets(evidence);
    cm_sum_noise_free(evidence->noise);
    cm_fact_table_free(evidence->facts);
    cm_name_index_free(evidence->places);
    cm_arena_clear(&evidence->arena);
    free(evidence->symbols);
    free(evidence->metrics);
    free(evidence->meant);
    free(evidence->rows);
    free(evidence->problem.hits);
    free(evidence->problem.trust);
    free(evidence->nothing);
    free(evidence->problem.payloads);
    free(evidence->problem.iterations);
    free(evidence->problem.kernels);
    free(evidence->problem.events);
    free(evidence->problem.selected);
    free(evidence);
}

/* ---- what symbols and metrics mean ---- */

/* Reads the meanings of symbols as sums of facts. */
static cm_status read_symbols(cm_evidence *evidence, cm_error *error)
{
    const cm_basis *basis = evidence->basis;
    cm_symbol_words *words = NULL;
    char *path = NULL;
    cm_status status = cm_data_path("bases/symbols.csv", &path, error);
    CM_THEN(status, cm_symbol_words_load(path, &words, error));
    for (size_t j = 0; status == CM_OK && j < basis->symbol_count; j++) {
        const char *text = cm_symbol_words_expression(words, evidence->benchmark, basis->symbols[j]);
        if (text != NULL && text[0] != '\0')
            status = cm_meaning_parse(evidence->facts, text, path, evidence->symbols + j * cm_fact_count(), error);
    }
    cm_symbol_words_free(words);
    free(path);
    return status;
}

/* Reads the meanings of metrics as sums of facts, as far as they have any. */
static cm_status read_metrics(cm_evidence *evidence, cm_error *error)
{
    const cm_signatures *signatures = evidence->signatures;
    cm_status status = CM_OK;
    for (size_t m = 0; status == CM_OK && m < signatures->metric_count; m++) {
        const char *text = signatures->metrics[m].meaning;
        evidence->meant[m] = text != NULL && text[0] != '\0';
        if (evidence->meant[m])
            status = cm_meaning_parse(evidence->facts, text, signatures->file, evidence->metrics + m * cm_fact_count(),
                                      error);
    }
    return status;
}

/* Allocates the weights of symbols and metrics. */
static cm_status allocate_weights(cm_evidence *evidence, cm_error *error)
{
    size_t facts = cm_fact_count() + 1, metrics = evidence->signatures->metric_count + 1;
    evidence->symbols = calloc((evidence->basis->symbol_count + 1) * facts, sizeof *evidence->symbols);
    evidence->metrics = calloc(metrics * facts, sizeof *evidence->metrics);
    evidence->meant = calloc(metrics, sizeof *evidence->meant);
    evidence->nothing = calloc(evidence->basis->symbol_count + 1, sizeof *evidence->nothing);
    return evidence->nothing != NULL && evidence->symbols != NULL && evidence->metrics != NULL &&
                   evidence->meant != NULL
               ? CM_OK
               : cm_error_no_memory(error);
}

/* ---- the conditions ---- */

/* Symbols that no metric has are there for what kernels cannot help doing. */
static void find_nuisances(const cm_signatures *signatures, bool *nuisances)
{
    for (size_t j = 0; j < signatures->symbol_count; j++) {
        nuisances[j] = true;
        for (size_t m = 0; m < signatures->metric_count; m++)
            nuisances[j] &= signatures->metrics[m].values[j] == 0.0;
    }
}

/* Gives the analysis the iterations, chances and nuisances of the fitted kernels. */
static cm_status set_conditions(const cm_evidence *evidence, cm_analysis *analysis, cm_error *error)
{
    const cm_problem *problem = &evidence->problem;
    double *chances = calloc(problem->fitted * problem->symbols + 1, sizeof *chances);
    bool *nuisances = calloc(problem->symbols + 1, sizeof *nuisances);
    cm_status status = chances != NULL && nuisances != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t r = 0; status == CM_OK && r < problem->fitted; r++)
        memcpy(chances + r * problem->symbols, evidence->rows[r].chances, problem->symbols * sizeof *chances);
    if (status == CM_OK) {
        find_nuisances(evidence->signatures, nuisances);
        status = cm_analysis_set_conditions(analysis, &(cm_conditions){problem->iterations, chances, nuisances}, error);
        if (status == CM_OK)
            memcpy(problem->payloads, analysis->conditions->payloads, problem->fitted * sizeof *problem->payloads);
    }
    free(chances);
    free(nuisances);
    return status;
}

/* Fills the evidence of the benchmark's own kernels, and gives the analysis its conditions. */
static cm_status fill_evidence(cm_evidence *evidence, const cm_benchmark_request *request, cm_event_source *source,
                               cm_analysis *analysis, cm_error *error)
{
    cm_thresholds thresholds = cm_analysis_thresholds(analysis);
    evidence->problem = (cm_problem){.symbols = evidence->basis->symbol_count,
                                     .basis = evidence->basis->expectations,
                                     .tolerance = thresholds.residual,
                                     .amplification = thresholds.amplification,
                                     .rough = cm_is_rough(thresholds.residual)};
    cm_status status = allocate_weights(evidence, error);
    CM_THEN(status, cm_take_facts(request, &evidence->facts, error));
    if (status == CM_OK)
        cm_meaning_set_levels(evidence->facts, evidence->basis->cache_levels);
    CM_THEN(status, read_symbols(evidence, error));
    CM_THEN(status, read_metrics(evidence, error));
    if (status == CM_OK)
        cm_kernel_choice_find_empty(evidence->facts, evidence->benchmark, source->measurements, &source->choice);
    source->choice.rough = evidence->problem.rough;
    evidence->deterministic = request->deterministic;
    CM_THEN(status, cm_evidence_add_rows(evidence, evidence->benchmark, source->measurements, &source->choice, error));
    evidence->problem.fitted = evidence->problem.rows;
    return status == CM_OK ? set_conditions(evidence, analysis, error) : status;
}

cm_status cm_evidence_create(const char *benchmark, const cm_benchmark_request *request, cm_event_source *source,
                             const cm_basis *basis, const cm_signatures *signatures, cm_analysis *analysis,
                             cm_evidence **evidence, cm_error *error)
{
    cm_evidence *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->benchmark = benchmark;
    created->basis = basis;
    created->signatures = signatures;
    cm_status status = fill_evidence(created, request, source, analysis, error);
    CM_HAND_OVER(status, evidence, created, cm_evidence_free);
    return status;
}

/* ---- the events ---- */

static int compare_events(const void *left, const void *right)
{
    const cm_usable_event *a = left, *b = right;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Noise by which events are put into an order: selected ones first, then those with little. */
static double order_of(const cm_event_analysis *event, double tolerance)
{
    if (event->status == CM_EVENT_SELECTED)
        return -1.0;
    return event->noise > cm_the_rules.least * tolerance ? event->noise : 0.0;
}

/* Appends the first events of this status, at most `most`. The kernels explain none of them by itself, but a metric may
 * be the sum of one and others. */
static void add_others(cm_problem *problem, const cm_analysis *analysis, cm_event_status status, size_t most)
{
    for (size_t i = 0; i < cm_analysis_event_count(analysis) && most > 0; i++) {
        cm_event_analysis event = cm_analysis_event(analysis, i);
        if (event.status == status && event.offset == 0.0) {
            problem->events[problem->event_count++] = (cm_usable_event){.index = i};
            most--;
        }
    }
}

/* Whether it counts something, if only on controls, with little noise: of many hits, it is a neighbour's. */
static bool is_heard(const cm_evidence *evidence, const cm_usable_event *event)
{
    const cm_problem *problem = &evidence->problem;
    double squares = 0.0, errors = 0.0;
    for (size_t r = problem->fitted; r < problem->rows && event->norm == 0.0; r++)
        if (fabs(event->mean[r]) > event->slack / problem->iterations[r]) {
            double weight = pow(1.0 + problem->hits[r], -2.0);
            squares += weight * event->mean[r] * event->mean[r];
            errors += weight * event->error[r] * event->error[r];
        }
    return event->norm > 0.0 ||
           (squares > 0.0 && sqrt(errors) <= cm_the_rules.least * problem->tolerance * sqrt(squares));
}

/* Events that are not go behind the others, where nobody uses them. */
static void keep_heard(cm_evidence *evidence)
{
    cm_problem *problem = &evidence->problem;
    size_t kept = 0;
    for (size_t i = 0; i < problem->event_count; i++)
        if (is_heard(evidence, &problem->events[i])) {
            cm_usable_event event = problem->events[i];
            problem->events[i] = problem->events[kept];
            problem->events[kept++] = event;
        }
    problem->event_count = kept;
}

/* Chooses the events that definitions may use: the represented ones by noise, then a few others. */
static cm_status choose_events(cm_evidence *evidence, const cm_analysis *analysis, cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    size_t count = cm_analysis_event_count(analysis), found = 0;
    problem->analysis = analysis;
    problem->events = calloc(count + 1, sizeof *problem->events);
    if (problem->events == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        cm_event_analysis event = cm_analysis_event(analysis, i);
        if (event.status == CM_EVENT_SELECTED || event.status == CM_EVENT_DEPENDENT)
            problem->events[found++] = (cm_usable_event){.index = i, .noise = order_of(&event, problem->tolerance)};
    }
    qsort(problem->events, found, sizeof *problem->events, compare_events);
    problem->event_count = found < MOST_EVENTS ? found : MOST_EVENTS;
    add_others(problem, analysis, CM_EVENT_NOISY, MOST_OTHERS);
    add_others(problem, analysis, CM_EVENT_UNREPRESENTABLE, MOST_OTHERS);
    add_others(problem, analysis, CM_EVENT_ZERO, MOST_OTHERS);
    cm_usable_event *kept =
        realloc(problem->events, (problem->event_count + 1) * sizeof *kept); /* of very many events */
    problem->events = kept != NULL ? kept : problem->events;
    return CM_OK;
}

/* Room for an event's counts, which nobody knows yet. */
static cm_status prepare_event(cm_evidence *evidence, size_t place, cm_error *error)
{
    cm_usable_event *event = &evidence->problem.events[place];
    cm_event_analysis judged = cm_analysis_event(evidence->problem.analysis, event->index);
    event->noise = judged.noise;
    event->x = judged.representation != NULL ? judged.representation : evidence->nothing;
    event->norm = cm_vector_norm(event->x, evidence->problem.symbols);
    event->mean = cm_arena_allocate(&evidence->arena, evidence->row_capacity * sizeof *event->mean);
    event->error = cm_arena_allocate(&evidence->arena, evidence->row_capacity * sizeof *event->error);
    event->whole = cm_arena_allocate(&evidence->arena, evidence->row_capacity * sizeof *event->whole);
    if (event->mean == NULL || event->error == NULL || event->whole == NULL)
        return cm_error_no_memory(error);
    for (size_t r = 0; r < evidence->row_capacity; r++) {
        event->mean[r] = event->whole[r] = NAN;
        event->error[r] = 0.0;
    }
    return cm_name_index_add(evidence->places, judged.event, place, error);
}

/* The events that the pivoting selected, by their places among those of the problem. */
static cm_status find_selected(cm_evidence *evidence, cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    size_t count = cm_analysis_selected_count(problem->analysis);
    problem->selected = calloc(count + 1, sizeof *problem->selected);
    if (problem->selected == NULL)
        return cm_error_no_memory(error);
    for (size_t k = 0; k < count; k++) {
        const char *name = cm_analysis_event(problem->analysis, cm_analysis_selected(problem->analysis, k)).event;
        size_t place = 0;
        if (cm_name_index_find(evidence->places, name, &place))
            problem->selected[problem->selected_count++] = place;
    }
    return CM_OK;
}

/* Finds the thresholds at which other events would be selected, or noisy ones would come in. */
static cm_status find_ends(cm_evidence *evidence, const cm_analysis *analysis, cm_error *error)
{
    evidence->next_noise = INFINITY;
    for (size_t i = 0; i < cm_analysis_event_count(analysis); i++) {
        cm_event_analysis event = cm_analysis_event(analysis, i);
        if (event.status == CM_EVENT_NOISY && cm_event_representable(analysis, &event))
            evidence->next_noise = fmin(evidence->next_noise, event.noise);
    }
    return cm_analysis_selected_range(analysis, evidence->alphas, error);
}

/* ---- the counts ---- */

/* The benchmark's own table: of fitted kernels or of its controls, from row `first` on. */
static cm_status gather_own(cm_evidence *evidence, const cm_event_source *source, const cm_kernel_choice *choice,
                            size_t first, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < evidence->problem.event_count; i++) {
        double *vectors = NULL, slack = 0.0;
        size_t repetitions = 0;
        status = cm_event_source_vectors(source, choice, evidence->problem.events[i].index, &vectors, &slack,
                                         &repetitions, error);
        if (status == CM_OK && first == 0)
            status = cm_evidence_keep_runs(evidence, &evidence->problem.events[i], repetitions, error);
        if (status == CM_OK)
            cm_evidence_take(evidence, i, first, choice->count, vectors, repetitions, slack);
        free(vectors);
    }
    return status;
}

/* Gathers the controls of the benchmark's own table, and then those of the other tables. */
static cm_status gather_controls(cm_evidence *evidence, const cm_benchmark_request *request,
                                 const cm_event_source *source, const cm_kernel_choice *own, cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    cm_status status = gather_own(evidence, source, &source->choice, 0, error);
    if (status == CM_OK && own->count > 0)
        status = gather_own(evidence, source, own, problem->fitted, error);
    for (size_t i = 0; status == CM_OK && i < request->control_count; i++)
        status = cm_evidence_gather_table(evidence, &request->controls[i], false, request->stop, error);
    return status == CM_OK ? cm_evidence_add_difference(evidence, error) : status;
}

/* Gathers rows of facts on which vendors disagree, behind the problem's, as they are part of no verdict. */
static cm_status gather_free(cm_evidence *evidence, const cm_benchmark_request *request, const cm_event_source *source,
                             cm_error *error)
{
    cm_kernel_choice choice = {.empty = CM_NO_COLUMN};
    size_t first = evidence->problem.rows;
    cm_status status =
        cm_kernel_choice_free(evidence->facts, evidence->benchmark, source->measurements, &choice, error);
    CM_THEN(status, cm_evidence_add_rows(evidence, evidence->benchmark, source->measurements, &choice, error));
    choice.rough = evidence->problem.rough;
    if (status == CM_OK && choice.count > 0)
        status = gather_own(evidence, source, &choice, first, error);
    for (size_t i = 0; status == CM_OK && i < request->control_count; i++)
        status = cm_evidence_gather_table(evidence, &request->controls[i], true, request->stop, error);
    evidence->free_count = status == CM_OK ? evidence->problem.rows - first : 0;
    evidence->problem.rows = first;
    cm_kernel_choice_clear(&choice);
    return status;
}

static bool is_of_control(const cm_benchmark_request *request, const char *benchmark)
{
    bool found = false;
    for (size_t i = 0; i < request->control_count && !found; i++)
        found = strcmp(request->controls[i].benchmark, benchmark) == 0;
    return found;
}

/* `beside`: kernels of the benchmark's own table that are not fitted. */
static cm_status prepare_rows(cm_evidence *evidence, const cm_benchmark_request *request, const cm_analysis *analysis,
                              size_t beside, cm_error *error)
{
    cm_status status = choose_events(evidence, analysis, error);
    evidence->row_capacity = evidence->problem.rows + SPARE_ROWS + beside;
    for (size_t i = 0; i < evidence->facts->kernel_count; i++)
        evidence->row_capacity += is_of_control(request, evidence->facts->kernels[i].benchmark);
    CM_THEN(status, cm_name_index_create(&evidence->places, error));
    for (size_t i = 0; status == CM_OK && i < evidence->problem.event_count; i++)
        status = prepare_event(evidence, i, error);
    CM_THEN(status, find_ends(evidence, analysis, error));
    return status == CM_OK ? find_selected(evidence, error) : status;
}

cm_status cm_evidence_gather(cm_evidence *evidence, const cm_benchmark_request *request, const cm_event_source *source,
                             const cm_analysis *analysis, cm_error *error)
{
    cm_kernel_choice own = {.empty = CM_NO_COLUMN};
    cm_status status = cm_evidence_add_controls(evidence, request, source->measurements, &own, error);
    evidence->problem.stop = request->stop;
    CM_THEN(status, prepare_rows(evidence, request, analysis, source->measurements->kernel_count - source->choice.count,
                                 error));
    CM_THEN(status, gather_controls(evidence, request, source, &own, error));
    CM_THEN(status, cm_evidence_make_targets(evidence, error));
    CM_THEN(status, gather_free(evidence, request, source, error));
    cm_kernel_choice_clear(&own);
    size_t looked = evidence->problem.event_count;
    if (status == CM_OK)
        keep_heard(evidence);
    CM_THEN(status, cm_evidence_make_noise(evidence, error));
    return status == CM_OK ? cm_evidence_list(evidence, looked, error) : status;
}
