#include "analysis/pivoting.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/score.h"
#include "analysis/vector.h"
#include "core/error.h"

/* A column whose orthogonal part is smaller than this, relative to the column, is rounding dust, however large beside
 * beta: it says nothing about independence. */
static const double smallest_part = 1e-12;

/* Norms that differ by less than this part of alpha are equal: a stray count is no reason to prefer one of two events
 * that count the same to the other. Fine enough to tell events apart whose noise differs. */
static const double norm_resolution = 1.0 / 200;

typedef struct candidate {
    double score;
    double rank; /* the norm, in steps of that resolution */
    double norm;
    size_t index;
} candidate;

static candidate make_candidate(const double *column, size_t symbols, double alpha, size_t index)
{
    double norm = cm_without_dust(cm_vector_norm(column, symbols));
    return (candidate){
        .score = cm_without_dust(cm_score(column, symbols, alpha)),
        .rank = nearbyint(norm / (alpha * norm_resolution)),
        .norm = norm,
        .index = index,
    };
}

static int compare(const candidate *a, const candidate *b)
{
    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Moves the candidate at `place` down to where it belongs: those below it stand in order already. */
static void sift(candidate *heap, size_t count, size_t place)
{
    candidate moved = heap[place];
    for (size_t below; (below = 2 * place + 1) < count; place = below) {
        if (below + 1 < count && compare(&heap[below + 1], &heap[below]) < 0)
            below++;
        if (compare(&moved, &heap[below]) <= 0)
            break;
        heap[place] = heap[below];
    }
    heap[place] = moved;
}

/* Columns that may be chosen at all, as a heap: mostly the first few of very many settle it, and need no order behind
 * them. */
static size_t rank_candidates(const double *const *columns, size_t count, size_t symbols, double alpha,
                              candidate *candidates)
{
    size_t ranked = 0;
    for (size_t i = 0; i < count; i++) {
        candidate made = make_candidate(columns[i], symbols, alpha, i);
        if (made.score > 0.0)
            candidates[ranked++] = made;
    }
    for (size_t place = ranked / 2; place-- > 0;)
        sift(candidates, ranked, place);
    return ranked;
}

static candidate take_first(candidate *heap, size_t *count)
{
    candidate first = heap[0];
    heap[0] = heap[--*count];
    if (*count > 0)
        sift(heap, *count, 0);
    return first;
}

static bool is_independent(const candidate *tried, double part, double beta)
{
    return !(cm_without_dust(part) < beta) && part > smallest_part * tried->norm;
}

/* Algorithm 2 as one pass. Scores never change and an orthogonal part only shrinks as columns are chosen, so a column
 * that was refused once stays refused: the smallest score among the columns still allowed is always the next one in
 * the order of scores, and no column needs updating before its turn. */
cm_status cm_pivot(const double *const *columns, size_t count, size_t symbols, double alpha, size_t *chosen,
                   size_t *chosen_count, cm_error *error)
{
    candidate *candidates = malloc((count + 1) * sizeof *candidates);
    double *directions = malloc((symbols + 1) * symbols * sizeof *directions);
    cm_status status = CM_OK;
    if (candidates == NULL || directions == NULL) {
        status = cm_error_no_memory(error);
        goto done;
    }
    size_t ranked = rank_candidates(columns, count, symbols, alpha, candidates);
    double beta = cm_without_dust(alpha * sqrt((double)symbols));
    size_t found = 0;
    while (ranked > 0 && found < symbols) {
        candidate tried = take_first(candidates, &ranked);
        double *part = directions + found * symbols;
        memcpy(part, columns[tried.index], symbols * sizeof *part);
        cm_vector_orthogonalise(part, directions, found, symbols);
        double norm = cm_vector_norm(part, symbols);
        if (!is_independent(&tried, norm, beta))
            continue;
        for (size_t s = 0; s < symbols; s++)
            part[s] /= norm;
        chosen[found++] = tried.index;
    }
    *chosen_count = found;
done:
    free(candidates);
    free(directions);
    return status;
}

struct cm_pivot_chain {
    size_t count, symbols;
    double alpha;
    candidate *members;
    double *directions; /* and room for one more */
};

cm_status cm_pivot_chain_create(const double *const *columns, const size_t *indices, size_t count, size_t symbols,
                                double alpha, cm_pivot_chain **chain, cm_error *error)
{
    cm_pivot_chain *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    *created = (cm_pivot_chain){.count = count, .symbols = symbols, .alpha = alpha};
    created->members = malloc((count + 1) * sizeof *created->members);
    created->directions = malloc((count + 1) * symbols * sizeof *created->directions);
    if (created->members == NULL || created->directions == NULL) {
        cm_pivot_chain_free(created);
        return cm_error_no_memory(error);
    }
    for (size_t k = 0; k < count; k++) {
        double *part = created->directions + k * symbols;
        created->members[k] = make_candidate(columns[k], symbols, alpha, indices[k]);
        memcpy(part, columns[k], symbols * sizeof *part);
        cm_vector_orthogonalise(part, created->directions, k, symbols);
        double norm = cm_vector_norm(part, symbols);
        for (size_t s = 0; s < symbols; s++)
            part[s] /= norm;
    }
    *chain = created;
    return CM_OK;
}

bool cm_pivot_chain_accepts(cm_pivot_chain *chain, const double *column, size_t index)
{
    candidate tried = make_candidate(column, chain->symbols, chain->alpha, index);
    if (!(tried.score > 0.0))
        return false;
    size_t before = 0;
    while (before < chain->count && compare(&chain->members[before], &tried) < 0)
        before++;
    if (before == chain->symbols)
        return false;
    double *part = chain->directions + chain->count * chain->symbols;
    memcpy(part, column, chain->symbols * sizeof *part);
    cm_vector_orthogonalise(part, chain->directions, before, chain->symbols);
    return is_independent(&tried, cm_vector_norm(part, chain->symbols),
                          cm_without_dust(chain->alpha * sqrt((double)chain->symbols)));
}

void cm_pivot_chain_free(cm_pivot_chain *chain)
{
    if (chain == NULL)
        return;
    free(chain->members);
    free(chain->directions);
    free(chain);
}
