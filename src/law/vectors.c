/* Makes measurement vectors of raw counts: steps 1 and 2 of the method. */
#include "analysis/state.h"
#include "core/system.h"
#include "law/evidence.h"

/* One run: the median over its threads. */
static double run_of(const cm_measurement *event, const cm_measurements *table, size_t repetition, size_t column,
                     double *threads)
{
    size_t count = event->thread_count;
    const double *counts = event->values + repetition * count * table->kernel_count;
    for (size_t thread = 0; thread < count && count != 1; thread++)
        threads[thread] = counts[thread * table->kernel_count + column];
    return count != 1 ? cm_median(threads, count) : counts[column];
}

/* The count of an empty run, the median over repetitions, and its standard deviation. */
static double empty_run(const cm_measurement *event, const cm_measurements *table, ptrdiff_t column, double *buffer,
                        double *deviation)
{
    double *runs = buffer + event->thread_count, mean;
    for (size_t r = 0; r < event->repetition_count; r++)
        runs[r] = column != CM_NO_COLUMN ? run_of(event, table, r, (size_t)column, buffer) : 0.0;
    cm_runs(runs, event->repetition_count, 0.0, &mean, deviation);
    return cm_median(runs, event->repetition_count);
}

/* The standard deviation of a run of a kernel that counts none of the event; a few repetitions may agree by chance, all
 * such kernels do not. */
static double silent_deviation(const cm_measurement *event, const cm_measurements *table,
                               const cm_kernel_choice *choice, double *buffer, const double *vectors)
{
    double *runs = buffer + event->thread_count, squares = 0.0;
    double largest = choice->rough ? cm_vector_largest(vectors, event->repetition_count * choice->count) : 0.0;
    size_t silent = 0, repetitions = event->repetition_count;
    for (size_t kernel = 0; kernel < choice->count && table->iterations != NULL; kernel++) {
        double iterations = table->iterations[choice->columns[kernel]], mean, deviation;
        for (size_t r = 0; r < repetitions; r++)
            runs[r] = vectors[r * choice->count + kernel] * iterations;
        cm_runs(runs, repetitions, largest * iterations, &mean, &deviation);
        if (!cm_is_silent(mean))
            continue;
        squares += deviation * deviation;
        silent++;
    }
    return silent > 0 ? sqrt(squares / (double)silent) : 0.0;
}

/* Counts per iteration of the chosen kernels, medians over threads; returns by how many counts a run may be off. */
static double fill_vectors(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                           double *buffer, double *vectors)
{
    double deviation, empty = empty_run(event, table, choice->empty, buffer, &deviation);
    for (size_t repetition = 0; repetition < event->repetition_count; repetition++) {
        double *vector = vectors + repetition * choice->count;
        for (size_t kernel = 0; kernel < choice->count; kernel++) {
            size_t column = choice->columns[kernel];
            ptrdiff_t quiet = choice->quiet[kernel];
            vector[kernel] = run_of(event, table, repetition, column, buffer) - empty;
            if (quiet != CM_NO_COLUMN)
                vector[kernel] -= run_of(event, table, repetition, (size_t)quiet, buffer);
            if (table->iterations != NULL)
                vector[kernel] /= table->iterations[column];
        }
    }
    if (choice->empty == CM_NO_COLUMN)
        return cm_slack_of(0.0);
    return cm_slack_of(fmax(deviation, silent_deviation(event, table, choice, buffer, vectors)));
}

double *cm_vectors_of(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                      cm_vector_buffer *buffer, double *slack)
{
    size_t size = event->repetition_count * choice->count, beside = event->thread_count + event->repetition_count + 1;
    double *values = cm_grow(buffer->values, size + beside, &buffer->size, sizeof *values);
    if (values == NULL)
        return NULL;
    buffer->values = values;
    *slack = fill_vectors(event, table, choice, values + size, values);
    return values;
}

/* ---- events of streamed tables ---- */

typedef struct walk {
    const cm_stream *stream;
    cm_take_streamed take;
    void *context;
    atomic_size_t next;
    atomic_bool failed;
} walk;

/* The memory of a thread. */
typedef struct walker {
    const walk *work;
    size_t block;
    cm_vector_buffer buffer;
} walker;

static bool pass_event(void *context, const cm_measurement *event, size_t tag)
{
    walker *own = context;
    return own->work->take(own->work->context, own->block, event, tag, &own->buffer);
}

/* A thread: takes blocks of the table until there are none, or one fails. */
static void *walk_blocks(void *data)
{
    walk *work = data;
    walker own = {.work = work};
    while (!atomic_load(&work->failed)) {
        own.block = atomic_fetch_add(&work->next, 1);
        if (own.block >= cm_stream_block_count(work->stream))
            break;
        if (!cm_stream_block(work->stream, own.block, pass_event, &own))
            atomic_store(&work->failed, true);
    }
    free(own.buffer.values);
    return NULL;
}

bool cm_take_all_streamed(const cm_stream *stream, cm_take_streamed take, void *context)
{
    walk work = {.stream = stream, .take = take, .context = context};
    cm_on_all_cores(walk_blocks, &work);
    return !atomic_load(&work.failed);
}

/* ---- one event once more ---- */

typedef struct again {
    const cm_event_source *source;
    const cm_kernel_choice *choice;
    cm_vector_buffer buffer;
    double slack;
    bool short_of_memory;
} again;

static bool take_again(void *context, const cm_measurement *event, size_t tag)
{
    again *work = context;
    (void)tag;
    work->short_of_memory =
        cm_vectors_of(event, work->source->measurements, work->choice, &work->buffer, &work->slack) == NULL;
    return !work->short_of_memory;
}

cm_status cm_event_source_vectors(const cm_event_source *source, const cm_kernel_choice *choice, size_t event,
                                  double **vectors, double *slack, size_t *repetitions, cm_error *error)
{
    again work = {.source = source, .choice = choice};
    const cm_measurement *held = source->stream == NULL ? &source->measurements->events[event] : NULL;
    bool found = held != NULL ? take_again(&work, held, 0)
                              : cm_stream_again(source->stream, source->tags[event], take_again, &work);
    *vectors = work.buffer.values;
    *slack = work.slack;
    *repetitions = held != NULL ? held->repetition_count : cm_stream_repetitions(source->stream);
    if (found)
        return CM_OK;
    return work.short_of_memory ? cm_error_no_memory(error)
                                : cm_error_set(error, CM_IO, source->measurements->file, 0, 0,
                                               "cannot be read again: it has changed, or memory ran out");
}
