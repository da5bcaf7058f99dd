/* Alternatives, which a definition may count beside its metric: every other fact, sums of facts, facts that nearly go
 * together, and places where two facts meet. */
#include "analysis/rules.h"
#include "law/state.h"

/* ---- which there are ---- */

static cm_status add_alternative(cm_law *law, cm_law_alternative alternative, cm_error *error)
{
    cm_law_alternative *grown = cm_grow_by_one(law->alternatives, law->total, sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    law->alternatives = grown;
    grown[law->total++] = alternative;
    return CM_OK;
}

static bool is_here(const cm_law *law, size_t fact)
{
    return !law->lacking[fact];
}

static double on_kernel(const cm_law *law, size_t kernel, size_t fact)
{
    return law->setup.kernels[kernel].facts->values[fact];
}

static double in_program(const cm_law *law, size_t program, size_t fact)
{
    return law->setup.natural->facts[program * cm_fact_count() + fact];
}

/* Adds a derived fact, or a metric's meaning, if it is a sum of at least two facts that are here. */
static cm_status add_sum(cm_law *law, cm_law_sort sort, size_t fact, const double *coefficients, cm_error *error)
{
    size_t *parts = cm_arena_allocate(&law->arena, (cm_fact_count() + 1) * sizeof *parts), count = 0;
    double *weights = cm_arena_allocate(&law->arena, (cm_fact_count() + 1) * sizeof *weights);
    if (parts == NULL || weights == NULL)
        return cm_error_no_memory(error);
    bool speculates = true;
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (coefficients[i] != 0.0 && is_here(law, i)) {
            speculates &= law->setup.facts->facts[i].kind == CM_FACT_SPECULATIVE;
            weights[count] = coefficients[i];
            parts[count++] = i;
        }
    parts[count] = SIZE_MAX;
    const cm_law_alternative sum = {
        .sort = sort, .fact = fact, .is_speculative = speculates, .weights = weights, .parts = parts};
    return count > 1 ? add_alternative(law, sum, error) : CM_OK;
}

/* Adds turns of loops, the primitive facts that are here, and the derived ones. */
static cm_status add_facts(cm_law *law, cm_error *error)
{
    cm_status status = add_alternative(law, (cm_law_alternative){.sort = CM_LAW_TURN}, error);
    for (size_t i = 0; i < law->setup.facts->primitive_count && status == CM_OK; i++) {
        size_t fact = law->setup.facts->primitives[i];
        cm_fact_kind kind = law->setup.facts->facts[fact].kind;
        const cm_law_alternative added = {.sort = CM_LAW_FACT,
                                          .fact = fact,
                                          .is_free = kind == CM_FACT_FREE,
                                          .is_speculative = kind == CM_FACT_SPECULATIVE};
        status = is_here(law, fact) ? add_alternative(law, added, error) : CM_OK;
    }
    for (size_t fact = 0; fact < cm_fact_count() && status == CM_OK; fact++)
        if (law->setup.facts->facts[fact].kind == CM_FACT_DERIVED)
            status = add_sum(law, CM_LAW_DERIVED, fact, law->setup.facts->facts[fact].coefficients, error);
    return status;
}

static bool are_the_same(const cm_law *law, size_t one, size_t other, double ratio)
{
    bool same = true;
    for (size_t k = 0; k < law->setup.kernel_count && same; k++)
        same = fabs(on_kernel(law, k, one) - ratio * on_kernel(law, k, other)) <= 1e-9 * on_kernel(law, k, one);
    for (size_t p = 0; p < law->setup.natural->count && same; p++)
        same = fabs(in_program(law, p, one) - ratio * in_program(law, p, other)) <= 1e-9 * in_program(law, p, one);
    return same;
}

/* The ratio at which two facts nearly go together on kernels; 0: they do not, or they are the same everywhere.
 * `buffer`: one a kernel. */
static double ratio_of(const cm_law *law, size_t one, size_t other, double *buffer)
{
    size_t count = 0;
    for (size_t k = 0; k < law->setup.kernel_count; k++)
        if (on_kernel(law, k, one) * on_kernel(law, k, other) > 0.0)
            buffer[count++] = on_kernel(law, k, one) / on_kernel(law, k, other);
    double ratio = count > 0 ? cm_median(buffer, count) : 0.0;
    return ratio == 0.0 || are_the_same(law, one, other, ratio) ? 0.0 : ratio;
}

/* The products of each two primitive facts' counts on kernels: facts x facts. */
static double *products_of(const cm_law *law)
{
    size_t kernels = law->setup.kernel_count, facts = law->setup.facts->primitive_count;
    double *columns = calloc(kernels * facts + 1, sizeof *columns);
    double *products = calloc(facts * facts + 1, sizeof *products);
    for (size_t i = 0; i < facts && columns != NULL; i++)
        for (size_t k = 0; k < kernels && is_here(law, law->setup.facts->primitives[i]); k++)
            columns[i * kernels + k] = on_kernel(law, k, law->setup.facts->primitives[i]);
    if (columns != NULL && products != NULL)
        cm_multiply_transposed(columns, facts, columns, facts, kernels, products);
    if (columns == NULL) {
        free(products);
        products = NULL;
    }
    free(columns);
    return products;
}

/* The difference of two facts, from the one that most programs do more of: a range by a difference that is never there
 * would say nothing. */
static cm_law_alternative difference_of(const cm_law *law, size_t one, size_t other, double ratio)
{
    size_t more = 0, less = 0;
    for (size_t p = 0; p < law->setup.natural->count; p++) {
        double difference = in_program(law, p, one) - ratio * in_program(law, p, other);
        more += difference > 0.0;
        less += difference < 0.0;
    }
    const cm_listed_fact *facts = law->setup.facts->facts;
    bool alike = facts[one].kind == CM_FACT_ALIKE || facts[other].kind == CM_FACT_ALIKE;
    return less > more ? (cm_law_alternative){CM_LAW_DIFFERENCE, other, one, 1.0 / ratio, .is_alike = alike}
                       : (cm_law_alternative){CM_LAW_DIFFERENCE, one, other, ratio, .is_alike = alike};
}

/* Whether the difference of two facts may be counted: none of wrong paths is, and one that is alike to another on every
 * kernel goes with that alone. */
static bool may_differ(const cm_law *law, size_t one, size_t other)
{
    const cm_listed_fact *first = &law->setup.facts->facts[one], *second = &law->setup.facts->facts[other];
    return first->kind != CM_FACT_SPECULATIVE && second->kind != CM_FACT_SPECULATIVE &&
           (first->kind != CM_FACT_ALIKE || first->like == other) &&
           (second->kind != CM_FACT_ALIKE || second->like == one);
}

/* Adds the differences of facts that nearly go together. */
static cm_status add_differences(cm_law *law, cm_error *error)
{
    size_t count = law->setup.facts->primitive_count;
    double *buffer = calloc(law->setup.kernel_count + 1, sizeof *buffer), *products = products_of(law);
    double least = cm_the_rules.kin * cm_the_rules.kin;
    cm_status status = buffer != NULL && products != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        for (size_t j = i + 1; j < count && status == CM_OK; j++) {
            size_t one = law->setup.facts->primitives[i], other = law->setup.facts->primitives[j];
            double both = products[j * count + i];
            bool kin =
                may_differ(law, one, other) && both * both > least * products[i * count + i] * products[j * count + j];
            double ratio = kin ? ratio_of(law, one, other, buffer) : 0.0;
            if (ratio != 0.0)
                status = add_alternative(law, difference_of(law, one, other, ratio), error);
        }
    free(products);
    free(buffer);
    return status;
}

static bool is_meant(const cm_law *law, size_t fact)
{
    bool meant = false;
    for (size_t m = 0; m < law->setup.metric_count && !meant; m++)
        meant = law->setup.metrics[m * cm_fact_count() + fact] != 0.0;
    return meant && is_here(law, fact);
}

/* Whether programs have both, and neither is everywhere all that they share. */
static bool may_meet(const cm_law *law, size_t one, size_t other)
{
    bool is_one = true, is_other = true, there = false;
    for (size_t k = 0; k < law->setup.kernel_count; k++) {
        is_one &= on_kernel(law, k, one) <= on_kernel(law, k, other);
        is_other &= on_kernel(law, k, other) <= on_kernel(law, k, one);
    }
    for (size_t p = 0; p < law->setup.natural->count; p++) {
        is_one &= in_program(law, p, one) <= in_program(law, p, other);
        is_other &= in_program(law, p, other) <= in_program(law, p, one);
        there |= in_program(law, p, one) > 0.0 && in_program(law, p, other) > 0.0;
    }
    return there && !is_one && !is_other;
}

/* Two facts of metrics; or one, and mispredictions, behind which accesses come that do not retire. */
static bool is_pair(const cm_law *law, size_t one, size_t other)
{
    bool wrong = one == CM_FACT_MISPREDICTED_COND || other == CM_FACT_MISPREDICTED_COND;
    return wrong ? (is_meant(law, one) || is_meant(law, other)) && is_here(law, one) && is_here(law, other)
                 : is_meant(law, one) && is_meant(law, other);
}

/* Adds the pairs of facts that may meet. */
static cm_status add_pairs(cm_law *law, cm_error *error)
{
    const cm_fact_table *facts = law->setup.facts;
    cm_status status = CM_OK;
    for (size_t i = 0; i < facts->primitive_count; i++)
        for (size_t j = 0; j < i && status == CM_OK; j++) {
            size_t one = facts->primitives[i], other = facts->primitives[j];
            if (is_pair(law, one, other) && may_meet(law, one, other))
                status =
                    add_alternative(law, (cm_law_alternative){.sort = CM_LAW_PAIR, .fact = one, .other = other}, error);
        }
    return status;
}

/* Adds metrics' meanings: they are no alternatives, but an event may count them. */
static cm_status add_meanings(cm_law *law, cm_error *error)
{
    cm_status status = CM_OK;
    law->count = law->total;
    for (size_t m = 0; m < law->setup.metric_count && status == CM_OK; m++)
        status = add_sum(law, CM_LAW_MEANT, m, law->setup.metrics + m * cm_fact_count(), error);
    return status;
}

/* ---- amounts of alternatives on kernels and in programs ---- */

static double sum_parts(const cm_law_alternative *entry, const double *facts, bool sizes)
{
    double sum = 0.0;
    for (size_t i = 0; entry->parts[i] != SIZE_MAX; i++)
        sum += (sizes ? fabs(entry->weights[i]) : entry->weights[i]) * facts[entry->parts[i]];
    return sum;
}

/* The amount of an alternative, from those of its facts; `turns`: of loops. */
double cm_law_amount(const cm_law_alternative *entry, const double *facts, double turns)
{
    switch (entry->sort) {
    case CM_LAW_TURN: return turns;
    case CM_LAW_FACT: return facts[entry->fact];
    case CM_LAW_DERIVED:
    case CM_LAW_MEANT: return sum_parts(entry, facts, false);
    case CM_LAW_DIFFERENCE: return facts[entry->fact] - entry->ratio * facts[entry->other];
    case CM_LAW_PAIR: return fmin(facts[entry->fact], facts[entry->other]);
    }
    return 0.0;
}

/* The amount on a kernel; on the difference of two, the first one's less the second one's. */
static double amount_on(const cm_law_alternative *entry, const cm_law_kernel *kernel)
{
    if (kernel->twins[0] == NULL)
        return cm_law_amount(entry, kernel->facts->values, kernel->loops ? 1.0 : 0.0);
    return cm_law_amount(entry, kernel->twins[0]->values, 1.0) - cm_law_amount(entry, kernel->twins[1]->values, 1.0);
}

/* The part of the amount that the machine decides. */
double cm_law_bound(const cm_law_alternative *entry, const double *facts, const double *ranges)
{
    size_t one = entry->fact, other = entry->other;
    switch (entry->sort) {
    case CM_LAW_FACT: return ranges[one];
    case CM_LAW_DERIVED:
    case CM_LAW_MEANT: return sum_parts(entry, ranges, true);
    case CM_LAW_DIFFERENCE: return ranges[one] + entry->ratio * ranges[other];
    case CM_LAW_PAIR:
        return fmax(fmin(facts[one] + ranges[one], facts[other] + ranges[other]) - fmin(facts[one], facts[other]),
                    fmin(facts[one], facts[other]) - fmin(facts[one] - ranges[one], facts[other] - ranges[other]));
    default: return 0.0;
    }
}

double cm_law_unit(size_t fact)
{
    return fact == CM_FACT_LOAD_BYTES || fact == CM_FACT_STORE_BYTES ? 8.0 : 1.0;
}

/* The most that an occurrence may be counted, of the metric's weight. */
static double size_of(const cm_law_alternative *entry)
{
    double largest = entry->sort == CM_LAW_DIFFERENCE ? fmax(1.0, entry->ratio) : 1.0;
    for (size_t i = 0; entry->parts != NULL && entry->parts[i] != SIZE_MAX; i++)
        largest = fmax(largest, fabs(entry->weights[i]));
    if (entry->sort == CM_LAW_FACT)
        largest = cm_law_unit(entry->fact);
    return 1.0 / largest;
}

bool cm_law_is_done(double amount, double range)
{
    return amount > range || amount >= cm_the_rules.least;
}

/* Whether programs have the alternative, and no kernel does it. */
static bool is_untried(const cm_law *law, size_t alternative)
{
    size_t kernels = law->setup.kernel_count, programs = law->setup.natural->count;
    bool run = false, there = false;
    for (size_t k = 0; k < kernels && !run; k++)
        run = cm_law_is_done(fabs(law->kernels[alternative * kernels + k]), law->bounds[alternative * kernels + k]);
    for (size_t p = 0; p < programs && !there; p++)
        there = law->programs[alternative * programs + p] > 0.0;
    return there && !run;
}

/* Finds the kernels that do one thing that vendors disagree about, and no other. */
static void find_alone(cm_law *law)
{
    for (size_t k = 0; k < law->setup.kernel_count; k++) {
        law->alone[k] = SIZE_MAX;
        for (size_t a = 0; a < law->count; a++)
            if (law->alternatives[a].is_free && law->kernels[a * law->setup.kernel_count + k] != 0.0)
                law->alone[k] = law->alone[k] == SIZE_MAX ? a : law->total;
    }
}

/* Fills the amounts of all alternatives on kernels and in programs. */
static cm_status fill_amounts(cm_law *law, cm_error *error)
{
    size_t kernels = law->setup.kernel_count, programs = law->setup.natural->count;
    law->kernels = calloc(kernels * law->total + 1, sizeof *law->kernels);
    law->bounds = calloc(kernels * law->total + 1, sizeof *law->bounds);
    law->programs = calloc(programs * law->total + 1, sizeof *law->programs);
    law->sizes = calloc(law->total + 1, sizeof *law->sizes);
    law->most = calloc(law->total + 1, sizeof *law->most);
    law->alone = calloc(kernels + 1, sizeof *law->alone);
    if (law->alone == NULL || law->kernels == NULL || law->bounds == NULL || law->programs == NULL ||
        law->sizes == NULL || law->most == NULL)
        return cm_error_no_memory(error);
    for (size_t a = 0; a < law->total; a++) {
        const cm_law_alternative *entry = &law->alternatives[a];
        law->sizes[a] = size_of(entry);
        for (size_t k = 0; k < kernels; k++) {
            const cm_law_kernel *kernel = &law->setup.kernels[k];
            law->kernels[a * kernels + k] = amount_on(entry, kernel);
            law->bounds[a * kernels + k] = cm_law_bound(entry, kernel->facts->values, kernel->facts->ranges);
        }
        for (size_t p = 0; p < programs; p++) {
            double amount =
                cm_law_amount(entry, law->setup.natural->facts + p * cm_fact_count(), law->setup.natural->turns[p]);
            law->programs[a * programs + p] = amount;
            law->most[a] = fmax(law->most[a], fabs(amount));
        }
        law->alternatives[a].is_untried = is_untried(law, a);
        if (entry->sort == CM_LAW_FACT)
            law->tried[entry->fact] = !law->alternatives[a].is_untried;
    }
    find_alone(law);
    return CM_OK;
}

cm_status cm_law_create(const cm_law_setup *setup, cm_law **law, cm_error *error)
{
    cm_law *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->setup = *setup;
    cm_status status = cm_law_find_lacking(made, error);
    CM_THEN(status, add_facts(made, error));
    CM_THEN(status, add_differences(made, error));
    CM_THEN(status, add_pairs(made, error));
    CM_THEN(status, add_meanings(made, error));
    CM_THEN(status, fill_amounts(made, error));
    CM_THEN(status, cm_law_find_readable(made, error));
    made->quantile = cm_law_quantile(made->count);
    CM_HAND_OVER(status, law, made, cm_law_free);
    return status;
}

void cm_law_free(cm_law *law)
{
    if (law == NULL)
        return;
    cm_arena_clear(&law->arena);
    free(law->lacking);
    free(law->sure);
    free(law->tried);
    free(law->readable);
    free(law->alternatives);
    free(law->kernels);
    free(law->bounds);
    free(law->programs);
    free(law->sizes);
    free(law->most);
    free(law->alone);
    free(law);
}

CM_GETTER(const cm_law_alternative *cm_law_alternative_at(const cm_law *law, size_t alternative),
          &law->alternatives[alternative])
