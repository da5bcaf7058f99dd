/* Rows of the evidence, and the counts on them. */
#include "analysis/numerics.h"
#include "law/evidence.h"

/* Whether chance has a part in what the kernel does. */
static bool is_random(const cm_kernel_facts *kernel)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (kernel->chances[i] != 0.0)
            return true;
    return false;
}

/* How far a row's noise speaks for others. A neighbour disturbs hits, of which there are many, as much as misses, so
 * that the largest count beside the fewest hits says most. Chance swings on its kernel alone: it speaks if all have it.
 */
static double trust_in(const cm_problem *problem, size_t row, const cm_kernel_facts *kernel)
{
    const double chance = 1e-12;
    double trust = problem->rough ? pow(1.0 + problem->hits[row], -2.0) : 1.0;
    return kernel != NULL && is_random(kernel) ? chance * trust : trust;
}

/* A table of controls is read once for each benchmark that it controls: from so many bytes on it is streamed, which
 * takes less time. */
enum { SMALL_TABLE = 1 << 20 };

/* ---- rows ---- */

cm_status cm_evidence_grow(cm_evidence *evidence, size_t rows, cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    if (rows <= evidence->grown)
        return CM_OK;
    cm_evidence_row *grown = realloc(evidence->rows, (rows + 1) * sizeof *grown);
    if (grown != NULL)
        evidence->rows = grown;
    double *iterations = realloc(problem->iterations, (rows + 1) * sizeof *iterations);
    if (iterations != NULL)
        problem->iterations = iterations;
    double *payloads = realloc(problem->payloads, (rows + 1) * sizeof *payloads);
    if (payloads != NULL)
        problem->payloads = payloads;
    double *hits = realloc(problem->hits, (rows + 1) * sizeof *hits);
    if (hits != NULL)
        problem->hits = hits;
    double *trust = realloc(problem->trust, (rows + 1) * sizeof *trust);
    if (trust != NULL)
        problem->trust = trust;
    const char **kernels = realloc(problem->kernels, (rows + 1) * sizeof *kernels);
    if (kernels != NULL)
        problem->kernels = kernels;
    bool made =
        grown != NULL && iterations != NULL && payloads != NULL && hits != NULL && trust != NULL && kernels != NULL;
    evidence->grown = made ? rows : evidence->grown;
    return made ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_evidence_add_row(cm_evidence *evidence, const char *name, const cm_kernel_facts *kernel, double iterations,
                              cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    size_t row = problem->rows, symbols = problem->symbols;
    cm_status status = cm_evidence_grow(evidence, row + 1, error);
    char *copy = status == CM_OK ? cm_arena_text(&evidence->arena, name) : NULL;
    double *chances = status == CM_OK ? cm_arena_allocate(&evidence->arena, (symbols + 1) * sizeof *chances) : NULL;
    if (copy == NULL || chances == NULL)
        return status != CM_OK ? status : cm_error_no_memory(error);
    for (size_t j = 0; j < symbols; j++) {
        const double *weights = evidence->symbols + j * cm_fact_count();
        chances[j] = kernel != NULL ? cm_meaning_on(evidence->facts, weights, kernel).chance : 0.0;
    }
    evidence->rows[row] = (cm_evidence_row){.kernel = kernel, .chances = chances, .runs.counted = row};
    problem->kernels[row] = copy;
    problem->iterations[row] = iterations;
    problem->payloads[row] = 1.0;
    problem->hits[row] = kernel != NULL ? cm_first_level_hits(kernel) : 0.0;
    problem->trust[row] = trust_in(problem, row, kernel);
    problem->rows++;
    return CM_OK;
}

/* The iterations over which stray counts spread: where there are none, as if a run were endless. */
static double iterations_of(const cm_evidence *evidence, const cm_kernel_facts *kernel, const cm_measurements *table,
                            size_t column)
{
    bool exact = evidence->deterministic && kernel != NULL && !is_random(kernel);
    return table->iterations != NULL && !exact ? table->iterations[column] : INFINITY;
}

cm_status cm_evidence_add_rows(cm_evidence *evidence, const char *benchmark, const cm_measurements *table,
                               const cm_kernel_choice *choice, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < choice->count; i++) {
        const cm_kernel_facts *kernel = cm_fact_table_find(evidence->facts, benchmark, choice->names[i]);
        status = cm_evidence_add_row(evidence, choice->names[i], kernel,
                                     iterations_of(evidence, kernel, table, choice->columns[i]), error);
        if (status == CM_OK)
            evidence->rows[evidence->problem.rows - 1].runs.table = evidence->table_count + 1;
    }
    evidence->table_count++;
    return status;
}

/* ---- counts ---- */

/* The standard error, by chance, of the mean of an event's counts on a row. */
static double chance_on(const cm_evidence *evidence, const cm_usable_event *event, size_t row, size_t repetitions)
{
    double sum = 0.0;
    for (size_t j = 0; j < evidence->problem.symbols; j++)
        sum += fabs(event->x[j]) * evidence->rows[row].chances[j];
    return sum > 0.0 ? sum / sqrt(evidence->problem.iterations[row] * (double)repetitions) : 0.0;
}

void cm_evidence_take(cm_evidence *evidence, size_t place, size_t first, size_t kernels, const double *vectors,
                      size_t repetitions, double slack)
{
    cm_usable_event *event = &evidence->problem.events[place];
    double offset = cm_analysis_event(evidence->problem.analysis, event->index).offset;
    double runs = cm_runs_of_mean(&evidence->problem, repetitions);
    cm_spread(vectors, repetitions, kernels, evidence->problem.trust + first, evidence->problem.rough,
              event->mean + first, event->error + first);
    cm_mean_vector(vectors, repetitions, kernels, event->whole + first);
    for (size_t r = first; r < first + kernels; r++) {
        event->mean[r] -= offset;
        event->whole[r] -= offset;
        event->error[r] = hypot(event->error[r] * runs, chance_on(evidence, event, r, repetitions));
    }
    event->slack = fmax(event->slack, slack);
    cm_evidence_take_runs(evidence, event, first, kernels, vectors, repetitions);
}

/* ---- tables of other benchmarks ---- */

typedef struct evidence_reading {
    cm_evidence *evidence;
    const cm_measurements *head;
    const cm_kernel_choice *choice;
    bool free; /* kernels for facts that vendors disagree about, not the others */
    size_t first;
} evidence_reading;

/* Takes an event's counts, if the problem has the event; false: they are no counts. */
static bool take_counts(void *context, size_t block, const cm_measurement *event, size_t tag, cm_vector_buffer *buffer)
{
    const evidence_reading *work = context;
    size_t place = 0;
    double slack;
    (void)block;
    (void)tag;
    if (!cm_name_index_find(work->evidence->places, event->event, &place))
        return true;
    const double *vectors = cm_vectors_of(event, work->head, work->choice, buffer, &slack);
    if (vectors != NULL)
        cm_evidence_take(work->evidence, place, work->first, work->choice->count, vectors, event->repetition_count,
                         slack);
    return vectors != NULL;
}

/* Takes the counts of all events of a table that is in memory. */
static cm_status take_held(evidence_reading *work, cm_error *error)
{
    const size_t no_block = 0, no_tag = 0; /* only streams have these */
    cm_vector_buffer buffer = {0};
    bool good = true;
    for (size_t i = 0; i < work->head->event_count && good; i++)
        good = take_counts(work, no_block, &work->head->events[i], no_tag, &buffer);
    free(buffer.values);
    return good ? CM_OK : cm_error_no_memory(error);
}

/* Chooses the kernels of a table, and adds their rows. */
static cm_status begin_table(evidence_reading *work, const char *benchmark, cm_kernel_choice *choice, cm_error *error)
{
    const cm_fact_table *facts = work->evidence->facts;
    cm_status status = work->free ? cm_kernel_choice_free(facts, benchmark, work->head, choice, error)
                                  : cm_kernel_choice_controls(facts, benchmark, work->head, NULL, choice, error);
    if (status == CM_OK && strcmp(work->evidence->benchmark, "instructions") == 0)
        cm_kernel_choice_leave_traps_out(facts, benchmark, choice);
    choice->rough = work->evidence->problem.rough;
    work->choice = choice;
    work->first = work->evidence->problem.rows;
    return status == CM_OK ? cm_evidence_add_rows(work->evidence, benchmark, work->head, choice, error) : status;
}

/* Gathers the rows of a table that fits into memory. */
static cm_status gather_held(evidence_reading *work, const cm_control_table *table, cm_kernel_choice *choice,
                             cm_error *error)
{
    cm_measurements *held = NULL;
    cm_status status = cm_measurements_load(table->path, &held, error);
    work->head = held;
    CM_THEN(status, begin_table(work, table->benchmark, choice, error));
    CM_THEN(status, take_held(work, error));
    cm_measurements_free(held);
    return status;
}

/* The fault of a table that cannot be streamed, as reading it whole finds it, with its place. */
static cm_status find_failure(const cm_control_table *table, cm_error *error)
{
    cm_measurements *held = NULL;
    cm_status status = cm_measurements_load(table->path, &held, error);
    cm_measurements_free(held);
    return status != CM_OK
               ? status
               : cm_error_set(error, CM_BAD_INPUT, table->path, 0, 0,
                              "cannot be read as the table of %s, whose kernels control the other benchmarks",
                              table->benchmark);
}

/* Gathers the rows of a table that is streamed. */
static cm_status gather_streamed(evidence_reading *work, const cm_control_table *table, const cm_stream *stream,
                                 cm_kernel_choice *choice, const volatile int *stop, cm_error *error)
{
    work->head = cm_stream_head(stream);
    cm_status status = begin_table(work, table->benchmark, choice, error);
    if (status == CM_OK && !cm_take_all_streamed(stream, take_counts, work))
        status = stop != NULL && *stop != 0
                     ? cm_error_set(error, CM_INTERRUPTED, table->path, 0, 0, "interrupted, nothing was written")
                     : find_failure(table, error);
    return status;
}

cm_status cm_evidence_gather_table(cm_evidence *evidence, const cm_control_table *table, bool is_free,
                                   const volatile int *stop, cm_error *error)
{
    evidence_reading work = {.evidence = evidence, .free = is_free};
    cm_kernel_choice choice = {.empty = CM_NO_COLUMN};
    cm_stream *stream = NULL;
    size_t from = table->stream_from < SMALL_TABLE ? table->stream_from : SMALL_TABLE;
    cm_status status = cm_stream_open(table->path, from, stop, &stream, error);
    CM_THEN(status, stream != NULL ? gather_streamed(&work, table, stream, &choice, stop, error)
                                   : gather_held(&work, table, &choice, error));
    cm_kernel_choice_clear(&choice);
    cm_stream_close(stream);
    return status;
}

/* ---- the difference of two controls ---- */

static bool are_twins(const cm_evidence *evidence, size_t one, size_t other, size_t fact)
{
    const cm_kernel_facts *a = evidence->rows[one].kernel, *b = evidence->rows[other].kernel;
    return a != NULL && b != NULL && a->ranges[fact] > 0.0 && a->ranges[fact] == b->ranges[fact] &&
           a->values[fact] == b->values[fact];
}

/* Two controls that mispredict equally often, whatever the machine decides. */
static bool find_twins(const cm_evidence *evidence, size_t fact, size_t *one, size_t *other)
{
    for (*one = evidence->problem.fitted; *one < evidence->problem.rows; ++*one)
        for (*other = *one + 1; *other < evidence->problem.rows; ++*other)
            if (are_twins(evidence, *one, *other, fact))
                return true;
    return false;
}

cm_status cm_evidence_add_difference(cm_evidence *evidence, cm_error *error)
{
    cm_problem *problem = &evidence->problem;
    size_t fact = (size_t)cm_fact_find("mispredicted_cond"), one, other, row = problem->rows;
    if (!find_twins(evidence, fact, &one, &other))
        return CM_OK;
    char name[256];
    snprintf(name, sizeof name, "%s - %s", problem->kernels[one], problem->kernels[other]);
    const cm_kernel_facts *twins[] = {evidence->rows[one].kernel, evidence->rows[other].kernel};
    const cm_kernel_facts *difference = cm_law_difference(&evidence->arena, twins, name);
    cm_status status = difference != NULL
                           ? cm_evidence_add_row(evidence, name, difference, 0.5 * problem->iterations[one], error)
                           : cm_error_no_memory(error);
    if (status != CM_OK)
        return status;
    memcpy(evidence->rows[row].twins, twins, sizeof twins);
    problem->difference = row;
    evidence->rows[row].runs.table = ++evidence->table_count;
    evidence->own_difference = other < problem->fitted + evidence->own_controls;
    for (size_t i = 0; i < problem->event_count; i++) {
        cm_usable_event *event = &problem->events[i];
        event->mean[row] = event->mean[one] - event->mean[other];
        event->error[row] = hypot(event->error[one], event->error[other]);
        for (size_t r = 0; event->runs != NULL && r < evidence->repetitions; r++)
            event->runs[row * evidence->repetitions + r] =
                event->runs[one * evidence->repetitions + r] - event->runs[other * evidence->repetitions + r];
    }
    return CM_OK;
}
