#include "analysis/state.h"

#include "core/system.h"

/* A column whose orthogonal part is smaller than this, relative to the column, is rounding error, however large beside
 * beta: it says nothing about independence. */
static const double smallest_part = 1e-12;

/* Norms that differ by less than this part of alpha are equal: a stray count is no reason to prefer one of two events
 * that count the same to the other. Fine enough to separate events whose noise differs. */
static const double norm_resolution = 1.0 / 200;

enum {
    PORTION = 4096,          /* candidates that a thread takes at a time */
    TOGETHER = 256,          /* that are projected at a time */
    WORTH_THREADS = 1 << 15, /* fewer are done before a thread has started */
};

cm_candidate cm_candidate_make(const double *column, size_t symbols, double alpha, size_t index)
{
    double norm = cm_without_rounding_error(cm_vector_norm(column, symbols));
    return (cm_candidate){
        .score = cm_without_rounding_error(cm_score(column, symbols, alpha)),
        .rank = nearbyint(norm / (alpha * norm_resolution)),
        .norm = norm,
        .index = index,
    };
}

int cm_candidate_compare(const cm_candidate *a, const cm_candidate *b)
{
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

bool cm_candidate_is_independent(const cm_candidate *tried, double part, double beta)
{
    return !(cm_without_rounding_error(part) < beta) && part > smallest_part * tried->norm;
}

/* Moves the candidate at `index` down to its place: those below it are in order already. */
static void sift_candidate(cm_candidate *heap, size_t count, size_t index)
{
    cm_candidate moved = heap[index];
    for (size_t below; (below = 2 * index + 1) < count; index = below) {
        if (below + 1 < count && cm_candidate_compare(&heap[below + 1], &heap[below]) < 0)
            below++;
        if (cm_candidate_compare(&moved, &heap[below]) <= 0)
            break;
        heap[index] = heap[below];
    }
    heap[index] = moved;
}

cm_candidate cm_candidates_take(cm_candidate *heap, size_t *count)
{
    cm_candidate first = heap[0];
    heap[0] = heap[--*count];
    if (*count > 0)
        sift_candidate(heap, *count, 0);
    return first;
}

/* Keeps those with a score, as a heap: mostly the first few of very many decide, and the rest need no order. */
static size_t keep_scored(cm_candidate *candidates, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (candidates[i].score > 0.0)
            candidates[left++] = candidates[i];
    for (size_t index = left / 2; index-- > 0;)
        sift_candidate(candidates, left, index);
    return left;
}

/* ---- work on each of many candidates ---- */

typedef struct task {
    const double *const *columns;
    size_t count, symbols;
    double alpha;        /* for scores */
    const cm_span *span; /* for refusals */
    const double *rest;  /* directions outside the span */
    cm_candidate *candidates;
    atomic_size_t next;
} task;

/* The next candidates for a thread; false: none is left. */
static bool take_portion(task *shared, size_t *from, size_t *to)
{
    *from = atomic_fetch_add(&shared->next, PORTION);
    *to = *from + PORTION < shared->count ? *from + PORTION : shared->count;
    return *from < shared->count;
}

static void *score_portions(void *context)
{
    task *shared = context;
    for (size_t from, to; take_portion(shared, &from, &to);)
        for (size_t i = from; i < to; i++)
            shared->candidates[i] = cm_candidate_make(shared->columns[i], shared->symbols, shared->alpha, i);
    return NULL;
}

/* A remainder of half of beta or more is judged in its turn, with care. */
static bool is_within(const task *shared, const cm_candidate *tried, const double *part)
{
    double left = cm_vector_norm(part, shared->symbols - shared->span->count);
    return left + smallest_part * tried->norm < 0.5 * shared->span->beta;
}

/* Candidates at a time: their columns side by side, and their parts outside the span. */
static void *refuse_portions(void *context)
{
    task *shared = context;
    size_t symbols = shared->symbols, width = symbols - shared->span->count;
    double *vectors = malloc(TOGETHER * (symbols + width + 1) * sizeof *vectors);
    for (size_t from, to; vectors != NULL && take_portion(shared, &from, &to);)
        for (size_t count; from < to; from += count) {
            double *parts = vectors + TOGETHER * symbols;
            cm_candidate *candidates = shared->candidates + from;
            count = to - from < TOGETHER ? to - from : TOGETHER;
            for (size_t i = 0; i < count; i++)
                memcpy(vectors + i * symbols, shared->columns[candidates[i].index], symbols * sizeof *vectors);
            cm_find_parts(shared->rest, width, symbols, vectors, count, parts);
            for (size_t i = 0; i < count; i++)
                if (is_within(shared, &candidates[i], parts + i * width))
                    candidates[i].score = 0.0;
        }
    free(vectors);
    return NULL;
}

static void do_all(void *(*work)(void *), task *shared)
{
    if (shared->count < WORTH_THREADS)
        (void)work(shared);
    else
        cm_on_all_cores(work, shared);
}

size_t cm_candidates_rank(const double *const *columns, size_t count, size_t symbols, double alpha,
                          cm_candidate *candidates)
{
    task shared = {.columns = columns, .count = count, .symbols = symbols, .alpha = alpha, .candidates = candidates};
    do_all(score_portions, &shared);
    return keep_scored(candidates, count);
}

size_t cm_candidates_refuse(const cm_span *span, const double *const *columns, cm_candidate *candidates, size_t count)
{
    size_t symbols = span->symbols;
    double *rest = malloc(symbols * symbols * sizeof *rest);
    if (rest != NULL && cm_find_complement(span->directions, span->count, symbols, rest)) {
        task shared = {.columns = columns,
                       .count = count,
                       .symbols = symbols,
                       .span = span,
                       .rest = rest,
                       .candidates = candidates};
        do_all(refuse_portions, &shared);
        count = keep_scored(candidates, count);
    }
    free(rest);
    return count;
}
