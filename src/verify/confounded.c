/* Facts that the kernels cannot separate: on all of them, one is a sum of multiples of others. */
#include "analysis/numerics.h"
#include "verify/verify.h"

/* Parts of a column, and coefficients, up to this are rounding errors: facts are small rational numbers, and columns
 * are scaled to 1. */
static const double rounding_error = 1e-9;
/* What a kernel has beside the facts' directions and the kernels before it, if facts are independent without it. */
static const double least_rest = 1e-4;

/* Kernels x facts, column by column. Facts that must be separate come first, so that the dependent one of a set is
 * another fact if possible. */
typedef struct fact_columns {
    size_t rows, columns, rank;
    double *values;
    double *scales; /* one a column; 0: no kernel exercises the fact */
    size_t *facts;  /* of a column */
    size_t *pivots; /* the columns that are independent of those before them */
    bool *is_pivot; /* one a column */
    double *directions, *scratch;
    cm_least_squares *squares; /* of the pivots; NULL: there are none */
} fact_columns;

static double *element_at(const fact_columns *work, size_t row, size_t column)
{
    return &work->values[column * work->rows + row];
}

/* `without`: as below; facts that are alike on every kernel are separated by none, whichever is left out. */
static bool is_asked(const cm_fact_table *table, size_t fact, size_t without)
{
    return !table->facts[fact].elsewhere &&
           (without == SIZE_MAX || fact == without || table->facts[fact].kind != CM_FACT_ALIKE);
}

/* Whether the machine decides if the kernel does the fact at all. */
static bool is_open(const cm_kernel_facts *kernel, size_t fact)
{
    return kernel->ranges[fact] > 0.0 && kernel->values[fact] <= kernel->ranges[fact];
}

/* Fills the certain part of each kernel's value, since the part that the machine decides separates it from no other
 * fact; if no kernel has a certain part, the whole values. Leaves out the kernels of which the machine decides whether
 * they do `without`. Returns the largest. */
static double fill_fact(const cm_fact_table *table, size_t without, const fact_columns *work, size_t column)
{
    size_t fact = work->facts[column];
    double largest = 0.0;
    for (int sure = 1; sure >= 0 && largest == 0.0; sure--)
        for (size_t i = 0; i < work->rows; i++) {
            const cm_kernel_facts *kernel = &table->kernels[i];
            bool left_out = without != SIZE_MAX && is_open(kernel, without);
            double value = fmax(0.0, kernel->values[fact] - (sure ? kernel->ranges[fact] : 0.0));
            *element_at(work, i, column) = left_out ? 0.0 : value;
            largest = fmax(largest, *element_at(work, i, column));
        }
    return largest;
}

/* Lists the facts of the columns: the last one, if there is such, behind all others. */
static void order_facts(const cm_fact_table *table, size_t last, fact_columns *work)
{
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < table->primitive_count; i++) {
            size_t fact = table->primitives[i];
            if (is_asked(table, fact, last) && fact != last && table->facts[fact].separate == (pass == 0))
                work->facts[count++] = fact;
        }
    if (last != SIZE_MAX)
        work->facts[count] = last;
}

/* Fills the matrix of kernels and facts, scaled by columns, without kernels that may or may not do the fact `without`,
 * which is last; SIZE_MAX: with all. */
static cm_status make_columns(const cm_fact_table *table, size_t without, fact_columns *work, cm_error *error)
{
    size_t rows = table->kernel_count, columns = 0;
    for (size_t i = 0; i < table->primitive_count; i++)
        columns += is_asked(table, table->primitives[i], without);
    *work = (fact_columns){.rows = rows, .columns = columns};
    if (!CM_ALLOCATE(work->values, 3 * rows * columns + 1) || !CM_ALLOCATE(work->scales, columns + 1) ||
        !CM_ALLOCATE(work->facts, columns + 1) || !CM_ALLOCATE(work->pivots, columns + 1) ||
        !CM_ALLOCATE(work->is_pivot, columns + 1) || !CM_ALLOCATE(work->scratch, 2 * columns + rows + 1))
        return cm_error_no_memory(error);
    work->directions = work->values + rows * columns;
    order_facts(table, without, work);
    for (size_t j = 0; j < columns; j++) {
        work->scales[j] = fill_fact(table, without, work, j);
        for (size_t i = 0; i < rows && work->scales[j] > 0.0; i++)
            *element_at(work, i, j) /= work->scales[j];
    }
    return CM_OK;
}

static void clear_columns(fact_columns *work)
{
    CM_FREE(work->values, work->scales, work->facts, work->pivots, work->is_pivot, work->scratch);
    cm_least_squares_free(work->squares);
}

/* Finds the columns that are no sums of those before them. `all`: not the last one alone is asked for. */
static cm_status find_pivots(fact_columns *work, bool all, cm_error *error)
{
    size_t rows = work->rows;
    for (size_t j = 0; j < work->columns && work->rank < rows; j++) {
        memcpy(work->directions + work->rank * rows, element_at(work, 0, j), rows * sizeof *work->values);
        work->is_pivot[j] = cm_extend_directions(work->directions, work->rank, rows, rounding_error);
        if (work->is_pivot[j])
            work->pivots[work->rank++] = j;
    }
    if (work->rank == 0 || (!all && work->is_pivot[work->columns - 1]))
        return CM_OK;
    const cm_matrix pivots = {.rows = rows, .columns = work->rank, .values = work->directions + work->columns * rows};
    for (size_t k = 0; k < work->rank; k++)
        memcpy(pivots.values + k * rows, element_at(work, 0, work->pivots[k]), rows * sizeof *work->values);
    return cm_least_squares_create(&pivots, &work->squares, error);
}

/* The coefficients of a column over the pivots. */
static const double *find_coefficients(const fact_columns *work, size_t column)
{
    double *solution = work->scratch, *step = solution + work->columns, *residual = step + work->columns;
    memset(solution, 0, work->columns * sizeof *solution);
    if (work->squares != NULL && work->scales[column] > 0.0)
        cm_least_squares_solve(work->squares, element_at(work, 0, column), solution, residual, step);
    return solution;
}

static cm_status add_member(const cm_fact_table *table, size_t fact, double coefficient, cm_fact_set *set,
                            cm_error *error)
{
    cm_fact_member *member = &set->members[set->count++];
    *member = (cm_fact_member){strdup(cm_fact_name(fact)), strdup(table->facts[fact].words), coefficient};
    return member->fact != NULL && member->words != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Adds the set of a column that is the sum of others, or that no kernel exercises. */
static cm_status add_set(const cm_fact_table *table, const fact_columns *work, size_t column,
                         cm_confounded_facts *found, cm_error *error)
{
    cm_fact_set *set = &found->sets[found->set_count++];
    const cm_listed_fact *listed = &table->facts[work->facts[column]];
    set->members = calloc(work->rank + 1, sizeof *set->members);
    set->left_to = strdup(listed->separate ? "" : listed->subject);
    cm_status status = set->members != NULL && set->left_to != NULL
                           ? add_member(table, work->facts[column], 1.0, set, error)
                           : cm_error_no_memory(error);
    const double *coefficients = find_coefficients(work, column);
    for (size_t i = 0; status == CM_OK && i < work->rank; i++) {
        size_t pivot = work->pivots[i];
        if (fabs(coefficients[i]) > rounding_error)
            status = add_member(table, work->facts[pivot], coefficients[i] * work->scales[column] / work->scales[pivot],
                                set, error);
    }
    found->failures += listed->separate;
    return status;
}

/* Adds the set of a fact that only kernels separate of which the machine decides whether they do it. */
static cm_status add_open(const cm_fact_table *table, size_t fact, cm_confounded_facts *found, cm_error *error)
{
    fact_columns work = {0};
    cm_status status = make_columns(table, fact, &work, error);
    CM_THEN(status, find_pivots(&work, false, error));
    if (status == CM_OK && !work.is_pivot[work.columns - 1]) {
        found->rank--;
        status = add_set(table, &work, work.columns - 1, found, error);
    }
    clear_columns(&work);
    return status;
}

/* Whether facts may be dependent without the kernels of which the machine decides whether they do the fact: those leave
 * something of each other, outside of the facts' directions, where all stay independent. */
static bool may_be_open(const cm_fact_table *table, const fact_columns *work, size_t fact)
{
    enum { MOST_OPEN = 64 };
    size_t open[MOST_OPEN], count = 0;
    double rest[MOST_OPEN * MOST_OPEN], *at = rest;
    for (size_t k = 0; k < work->rows && count < MOST_OPEN; k++)
        if (is_open(&table->kernels[k], fact))
            open[count++] = k;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++, at++) {
            *at = i == j;
            for (const double *c = work->directions; c < work->directions + work->rank * work->rows; c += work->rows)
                *at -= c[open[i]] * c[open[j]];
        }
    bool may = count == MOST_OPEN || (count > 0 && !cm_cholesky(rest, count));
    for (size_t i = 0; i < count && !may; i++)
        may = rest[i * count + i] < least_rest;
    return may;
}

/* Finds all dependent sets. */
static cm_status find_sets(const cm_fact_table *table, fact_columns *work, cm_confounded_facts *found, cm_error *error)
{
    cm_status status = make_columns(table, SIZE_MAX, work, error);
    found->sets = calloc(work->columns + 1, sizeof *found->sets);
    if (status == CM_OK && found->sets == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_linear_start(error));
    CM_THEN(status, find_pivots(work, true, error));
    if (status != CM_OK)
        return status;
    found->kernel_count = work->rows;
    found->fact_count = work->columns;
    found->rank = work->rank;
    for (size_t j = 0; status == CM_OK && j < work->columns; j++)
        if (!work->is_pivot[j])
            status = add_set(table, work, j, found, error);
        else if (may_be_open(table, work, work->facts[j]))
            status = add_open(table, work->facts[j], found, error);
    return status;
}

cm_status cm_confounded_facts_create(const char *facts, cm_confounded_facts **confounded, cm_error *error)
{
    cm_fact_table *table = NULL;
    fact_columns work = {0};
    cm_confounded_facts *found = calloc(1, sizeof *found);
    cm_status status = found != NULL ? cm_fact_table_load(facts, NULL, &table, error) : cm_error_no_memory(error);
    CM_THEN(status, find_sets(table, &work, found, error));
    clear_columns(&work);
    cm_fact_table_free(table);
    CM_HAND_OVER(status, confounded, found, cm_confounded_facts_free);
    return status;
}

void cm_confounded_facts_free(cm_confounded_facts *confounded)
{
    if (confounded == NULL)
        return;
    for (size_t i = 0; i < confounded->set_count; i++) {
        for (size_t k = 0; k < confounded->sets[i].count; k++) {
            CM_FREE(confounded->sets[i].members[k].fact, confounded->sets[i].members[k].words);
        }
        CM_FREE(confounded->sets[i].members, confounded->sets[i].left_to);
    }
    CM_FREE(confounded->sets, confounded);
}
