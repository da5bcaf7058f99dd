/* Algorithm 2: independent columns chosen by their scores. */
#include "analysis/state.h"

/* After so many refusals in a row all candidates are tried at once: if the columns span less than all symbols, none of
 * the many that are left would ever be chosen. */
enum { MOST_REFUSALS = 1024 };

/* Leaves in the scratch the part of the candidate that is orthogonal to the span, and its norm in `norm`. */
static bool stands_out(const cm_span *spanned, const double *const *columns, const cm_candidate *tried, double *norm)
{
    double *part = spanned->directions + spanned->count * spanned->symbols;
    memcpy(part, columns[tried->index], spanned->symbols * sizeof *part);
    cm_orthogonalise(part, spanned->directions, spanned->count, spanned->symbols);
    *norm = cm_vector_norm(part, spanned->symbols);
    return cm_candidate_is_independent(tried, *norm, spanned->beta);
}

/* Algorithm 2 as one pass. Scores never change and an orthogonal part only shrinks as columns are chosen, so a column
 * that was refused once stays refused: the smallest score among the columns still allowed is always the next one in
 * the order of scores, and no column needs updating before its turn. */
cm_status cm_pivot(const double *const *columns, size_t count, size_t symbols, double alpha, size_t *chosen,
                   size_t *chosen_count, cm_error *error)
{
    cm_candidate *candidates = malloc((count + 1) * sizeof *candidates);
    cm_span spanned = {.symbols = symbols, .beta = cm_without_rounding_error(alpha * sqrt((double)symbols))};
    spanned.directions = malloc((symbols + 1) * symbols * sizeof *spanned.directions);
    cm_status status = CM_OK;
    if (candidates == NULL || spanned.directions == NULL) {
        status = cm_error_no_memory(error);
        goto done;
    }
    size_t ranked = cm_candidates_rank(columns, count, symbols, alpha, candidates);
    size_t refused = 0; /* one after another */
    while (ranked > 0 && spanned.count < symbols) {
        cm_candidate tried = cm_candidates_take(candidates, &ranked);
        double norm, *part = spanned.directions + spanned.count * symbols;
        if (stands_out(&spanned, columns, &tried, &norm)) {
            cm_vector_divide(part, norm, symbols);
            chosen[spanned.count++] = tried.index;
            refused = 0;
        } else if (++refused == MOST_REFUSALS) {
            ranked = cm_candidates_refuse(&spanned, columns, candidates, ranked);
        }
    }
    *chosen_count = spanned.count;
done:
    free(candidates);
    free(spanned.directions);
    return status;
}

struct cm_pivot_chain {
    size_t count, symbols;
    double alpha;
    cm_candidate *members;
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
        created->members[k] = cm_candidate_make(columns[k], symbols, alpha, indices[k]);
        memcpy(created->directions + k * symbols, columns[k], symbols * sizeof *created->directions);
        (void)cm_extend_directions(created->directions, k, symbols, 0.0); /* the pivoting chose it */
    }
    *chain = created;
    return CM_OK;
}

bool cm_pivot_chain_accepts(cm_pivot_chain *chain, const double *column, size_t index)
{
    cm_candidate tried = cm_candidate_make(column, chain->symbols, chain->alpha, index);
    if (!(tried.score > 0.0))
        return false;
    size_t before = 0;
    while (before < chain->count && cm_candidate_compare(&chain->members[before], &tried) < 0)
        before++;
    if (before == chain->symbols)
        return false;
    double *part = chain->directions + chain->count * chain->symbols;
    memcpy(part, column, chain->symbols * sizeof *part);
    cm_orthogonalise(part, chain->directions, before, chain->symbols);
    return cm_candidate_is_independent(&tried, cm_vector_norm(part, chain->symbols),
                                       cm_without_rounding_error(chain->alpha * sqrt((double)chain->symbols)));
}

void cm_pivot_chain_free(cm_pivot_chain *chain)
{
    if (chain == NULL)
        return;
    free(chain->members);
    free(chain->directions);
    free(chain);
}
