#include "verify/verify.h"

#include "formulas/formulas.h"
#include "software_pmu/machine/facts.h"

ptrdiff_t cm_fact_resolve(const char *name, void *data)
{
    (void)data;
    ptrdiff_t fact = cm_fact_find(name);
    return fact >= 0 ? fact : CM_RESOLVED_NONE;
}

/* Adds a fact, or the primitive ones of a derived fact. */
static void add_fact(const cm_fact_table *table, size_t fact, double weight, double *weights)
{
    const cm_listed_fact *listed = &table->facts[fact];
    if (listed->kind != CM_FACT_DERIVED) {
        weights[fact] += weight;
        return;
    }
    for (size_t i = 0; i < cm_fact_count(); i++)
        weights[i] += weight * listed->coefficients[i];
}

cm_status cm_meaning_parse(const cm_fact_table *table, const char *text, const char *file, double *weights,
                           cm_error *error)
{
    const cm_expression_source source = {.file = file, .names_are = "fact"};
    cm_expression *expression = NULL;
    double *values = calloc(cm_fact_count() + 1, sizeof *values);
    cm_status status = values != NULL ? cm_expression_parse(text, &source, cm_fact_resolve, NULL, &expression, error)
                                      : cm_error_no_memory(error);
    CM_THEN(status, cm_expression_check_divisors(expression, error));
    for (size_t i = 0; status == CM_OK && i < cm_expression_name_count(expression); i++) {
        size_t fact = cm_expression_name_index(expression, i);
        values[fact] = 1.0;
        add_fact(table, fact, cm_expression_evaluate(expression, values), weights);
        values[fact] = 0.0;
    }
    cm_expression_free(expression);
    free(values);
    return status;
}

/* One level serves each access: within a row, one fact grows at the cost of another. */
static const cm_fact served[][4] = {
    {CM_FACT_L1D_LOAD_HIT, CM_FACT_L2_LOAD_HIT, CM_FACT_L3_LOAD_HIT, CM_FACT_L3_LOAD_MISS},
    {CM_FACT_L1D_STORE_HIT, CM_FACT_L2_STORE_HIT, CM_FACT_L3_STORE_HIT, CM_FACT_L3_STORE_MISS},
    {CM_FACT_L1I_FETCH_HIT, CM_FACT_L2_FETCH_HIT, CM_FACT_L3_FETCH_HIT, CM_FACT_L3_FETCH_MISS},
};

void cm_meaning_set_levels(cm_fact_table *table, size_t levels)
{
    for (size_t i = 0; i < CM_COUNT_OF(served); i++)
        for (size_t level = 0; levels != 0 && level + 1 < sizeof served[0] / sizeof served[0][0]; level++)
            *(level < levels ? &table->facts[served[i][level]].here : &table->facts[served[i][level]].elsewhere) = true;
}

/* The part of the range that cancels because two levels exchange accesses, equally in both directions; 0 if more than
 * two do. */
static double exchanged(const double *weights, const cm_kernel_facts *kernel, const cm_fact levels[4])
{
    size_t between[4], count = 0;
    for (size_t i = 0; i < 4; i++) {
        if (kernel->ranges[levels[i]] > 0.0)
            between[count++] = levels[i];
    }
    if (count != 2 || kernel->ranges[between[0]] != kernel->ranges[between[1]])
        return 0.0;
    double one = weights[between[0]], other = weights[between[1]];
    return (fabs(one) + fabs(other) - fabs(one - other)) * kernel->ranges[between[0]];
}

cm_meant cm_meaning_on(const cm_fact_table *table, const double *weights, const cm_kernel_facts *kernel)
{
    cm_meant meant = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < table->primitive_count; i++) {
        size_t fact = table->primitives[i];
        meant.value += weights[fact] * kernel->values[fact];
        meant.range += fabs(weights[fact]) * kernel->ranges[fact];
        meant.chance += fabs(weights[fact]) * kernel->chances[fact];
    }
    for (size_t i = 0; i < CM_COUNT_OF(served); i++)
        meant.range -= exchanged(weights, kernel, served[i]);
    return meant;
}
