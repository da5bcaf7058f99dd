/* Programs at the rates of a class of natural programs. */
#include "programs/programs.h"

/* The step of an iteration has so many instructions; rows of the table that are additions to memory. */
enum { STEP = 10, UPDATES = 4 };

/* Branches that are mispredicted at all are mispredicted about one time in ten; a predictor that guesses is wrong more
 * often than the rarer outcome comes. */
static const double mispredicted_share = 0.1, guessing = 1.2;

/* Calls that miss the first cache of code are mispredicted, too; so many are made if code misses more often. */
static const double few_fetches = 0.00035;

/* Calls with changing targets are mispredicted: some in a line that the first cache lacks, others on one page. */
static void add_changing_calls(cm_composing *work)
{
    static const cm_work row = {.kind = CM_WORK_CALL_ELSEWHERE};
    const double *natural = work->natural;
    double wrong = natural[CM_FACT_MISPREDICTED_INDIRECT],
           fetched = natural[CM_FACT_L2_FETCH_HIT] + natural[CM_FACT_L3_FETCH_HIT] + natural[CM_FACT_L3_FETCH_MISS];
    double missing = fmin(fetched, fmax(1.5 * wrong, fmin(few_fetches, fetched / 4.0)));
    if (!cm_composing_can(work, row.kind))
        return;
    cm_composing_add(work, &row, CM_AROUND, CM_NATURAL_INSTRUCTIONS * missing);
    cm_composing_add(work, &row, CM_NEAR, CM_NATURAL_INSTRUCTIONS * fmax(0.0, wrong - missing));
}

/* ---- other work ---- */

static unsigned buffer_of(cm_work_kind kind)
{
    switch (kind) {
    case CM_WORK_LOAD_FAR:
    case CM_WORK_STORE_FAR:
    case CM_WORK_CALL_FAR: return CM_ONWARD;
    case CM_WORK_NT_STORE: return CM_AROUND; /* a non-temporal store takes its line out of the caches */
    default: return CM_NEAR;
    }
}

/* Work that is not added row by row. */
static bool is_apart(cm_work_kind kind)
{
    return kind == CM_WORK_RANDOM || kind == CM_WORK_CALL_ELSEWHERE;
}

/* Instructions of the work. */
static double length_of(cm_work_kind kind)
{
    switch (kind) {
    case CM_WORK_TAKEN:
    case CM_WORK_NOT_TAKEN:
    case CM_WORK_JUMP_INDIRECT:
    case CM_WORK_CALL:
    case CM_WORK_INTEGER_DIVIDE:
    case CM_WORK_X87:
    case CM_WORK_MMX: return 2;
    case CM_WORK_RANDOM:
    case CM_WORK_CALL_INDIRECT:
    case CM_WORK_RETURN: return 3;
    case CM_WORK_STRING: return 4;
    case CM_WORK_LOAD_FAR:
    case CM_WORK_STORE_FAR:
    case CM_WORK_JUMP_FAR: return CM_WORK_HOPS;
    case CM_WORK_CALL_FAR: return 4 * CM_WORK_HOPS;
    default: return 1;
    }
}

/* Work that others also need, such as comparisons for branches. */
static bool fills_up(cm_work_kind kind)
{
    return kind == CM_WORK_NOP || kind == CM_WORK_INTEGER_ADD || kind == CM_WORK_INTEGER_SHIFT ||
           kind == CM_WORK_INTEGER_LOGIC || (kind >= CM_WORK_INTEGER_COMPARE && kind <= CM_WORK_INTEGER_ADDRESS);
}

/* How often work that other rows do, too, comes in an iteration. */
static double done_elsewhere(const cm_composing *work, cm_work_kind kind)
{
    const double *natural = work->natural;
    switch (kind) {
    case CM_WORK_TAKEN: return 1.0 + work->branches / 2.0;
    case CM_WORK_NOT_TAKEN:
        return CM_NATURAL_INSTRUCTIONS * natural[CM_FACT_BRANCHES_COND_TAKEN] + CM_PHASES + work->branches / 2.0;
    case CM_WORK_CALL: return CM_NATURAL_INSTRUCTIONS * natural[CM_FACT_CALLS_INDIRECT];
    case CM_WORK_CALL_INDIRECT: return CM_NATURAL_INSTRUCTIONS * natural[CM_FACT_MISPREDICTED_INDIRECT];
    case CM_WORK_CALL_FAR: /* mispredicted, too */
        return CM_NATURAL_INSTRUCTIONS * (natural[CM_FACT_ITLB_MISS] - natural[CM_FACT_MISPREDICTED_INDIRECT]) /
               (2 * CM_WORK_HOPS);
    case CM_WORK_STORE_FENCE: return CM_NATURAL_INSTRUCTIONS * natural[CM_FACT_LOAD_FENCES];
    case CM_WORK_UPDATE: return CM_NATURAL_INSTRUCTIONS * natural[CM_FACT_LOCKED_LOADS] / UPDATES;
    default: return 0.0;
    }
}

/* How often a row's work comes in an iteration, less that which comes with other work: accesses that miss, of the bits
 * of random branches, and of the stack. */
static double frequency_of(const cm_composing *work, const cm_work *row)
{
    const double *natural = work->natural;
    double rate = CM_NATURAL_INSTRUCTIONS * cm_work_rate(row, natural) - fmax(0.0, done_elsewhere(work, row->kind));
    for (size_t k = 0; k < 2; k++) {
        double with =
            natural[CM_FACT_CALLS] + natural[CM_FACT_UPDATES] + work->of[k].missing +
            (k == 0 ? (work->branches + CM_PHASES) / CM_NATURAL_INSTRUCTIONS : natural[CM_FACT_STRING_INSTRUCTIONS]);
        if (row->kind == work->of[k].kind && !row->split && work->of[k].all > 0.0)
            rate *= fmax(0.0, 1.0 - with / work->of[k].all);
        if (row->kind == work->of[k].far)
            rate = CM_NATURAL_INSTRUCTIONS * cm_far_rate(work, &work->of[k]) / CM_WORK_HOPS;
    }
    return fmax(0.0, rate);
}

/* The share of filling work that is left beside the other work. */
static double share_of_filling(const cm_composing *work)
{
    double filling = 0.0, rest = STEP + 3 * (work->branches + CM_PHASES);
    for (size_t i = 0; i < cm_work_table_size; i++) {
        const cm_work *row = &cm_work_table[i];
        if (work->available[i] && !is_apart(row->kind))
            *(fills_up(row->kind) ? &filling : &rest) += length_of(row->kind) * frequency_of(work, row);
    }
    return filling > 0.0 ? fmin(1.0, fmax(0.0, CM_NATURAL_INSTRUCTIONS - rest) / filling) : 0.0;
}

static void add_rows(cm_composing *work)
{
    double filling = share_of_filling(work);
    for (size_t i = 0; i < cm_work_table_size; i++) {
        const cm_work *row = &cm_work_table[i];
        if (work->available[i] && !is_apart(row->kind))
            cm_composing_add(work, row, buffer_of(row->kind),
                             frequency_of(work, row) * (fills_up(row->kind) ? filling : 1.0));
    }
}

/* Branches on random bits, of which half of the planes are taken seldom, and the others mostly. */
static void add_random_branches(cm_composing *work)
{
    static const cm_work row = {.kind = CM_WORK_RANDOM};
    double most = CM_NATURAL_INSTRUCTIONS * work->natural[CM_FACT_BRANCHES_COND];
    double wrong = CM_NATURAL_INSTRUCTIONS * work->natural[CM_FACT_MISPREDICTED_COND] / guessing;
    double count = fmax(1.0, fmin(floor(most), ceil(wrong / mispredicted_share)));
    double share = fmin(0.5, wrong / fmin(count, CM_RANDOM_PLANES)); /* a plane's first branch predicts the others */
    work->branches = count;
    for (size_t i = 0; i < CM_RANDOM_PLANES; i++)
        work->composition->shares[i] = i % 2 == 0 ? share : 1.0 - share;
    for (size_t i = 0; i < (size_t)count && work->composition->count < CM_NATURAL_MOST; i++) {
        cm_composing_add_to_all(work, &row, CM_NEAR);
        work->composition->works[work->composition->count - 1].plane = (unsigned)i % CM_RANDOM_PLANES;
    }
}

/* Shuffles the works; the phases follow as a whole at the end. */
static void shuffle_works(cm_composing *work)
{
    cm_composition *composition = work->composition;
    for (size_t i = composition->count; i > 1; i--) {
        size_t other = cm_random_below(&work->random, i);
        cm_work moved = composition->works[i - 1];
        composition->works[i - 1] = composition->works[other];
        composition->works[other] = moved;
    }
    composition->phases = CM_PHASES;
    for (size_t i = 0; i < CM_PHASES; i++) {
        composition->shares[CM_RANDOM_PLANES + i] = 1.0 - cm_phase_shares[i];
        if (work->counts[i] == 0)
            continue;
        composition->works[composition->count++] = (cm_work){
            .kind = CM_WORK_RANDOM, .plane = CM_RANDOM_PLANES + (unsigned)i, .skips = (unsigned)work->counts[i]};
        memcpy(composition->works + composition->count, work->phases[i], work->counts[i] * sizeof(cm_work));
        composition->count += work->counts[i];
    }
}

cm_status cm_compose_natural(uint64_t seed, const bool *available, const cm_natural *natural, size_t class,
                             cm_composition *composition, cm_error *error)
{
    cm_composing *work = calloc(1, sizeof *work);
    *composition = (cm_composition){.class = natural->classes[class]};
    composition->works =
        calloc(CM_NATURAL_MOST + CM_PHASES * (CM_NATURAL_MOST_OF_PHASE + 1), sizeof *composition->works);
    if (work == NULL || composition->works == NULL) {
        free(work);
        return cm_error_no_memory(error);
    }
    work->random = seed;
    size_t program = class * CM_NATURAL_OF_A_CLASS + cm_random_below(&work->random, CM_NATURAL_OF_A_CLASS);
    work->available = available;
    work->natural = natural->facts + program * cm_fact_count();
    work->composition = composition;
    cm_accesses_find(work);
    add_random_branches(work);
    cm_composing_add_missing(work);
    add_changing_calls(work);
    add_rows(work);
    cm_composing_set_ways(work, class);
    shuffle_works(work);
    free(work);
    return CM_OK;
}
