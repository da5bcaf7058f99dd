/* Rows of a table of facts: found by name, and how far executed instructions may be from them. */
#include "verify/verify.h"

/* Chance stays within so many standard deviations. */
static const double deviations = 5.0;

const cm_kernel_facts *cm_fact_table_find(const cm_fact_table *table, const char *benchmark, const char *kernel)
{
    for (size_t i = 0; i < table->kernel_count + table->other_count; i++)
        if (table->kernels[i].kernel[0] == kernel[0] && strcmp(table->kernels[i].kernel, kernel) == 0 &&
            strcmp(table->kernels[i].benchmark, benchmark) == 0)
            return &table->kernels[i];
    return NULL;
}

double cm_fact_allowance(const cm_fact_table *table, const cm_kernel_facts *kernel, size_t fact, double iterations)
{
    const cm_listed_fact *listed = &table->facts[fact];
    double tolerance = listed->tolerance;
    for (size_t i = 0; listed->kind == CM_FACT_DERIVED && i < cm_fact_count(); i++)
        tolerance += fabs(listed->coefficients[i]) * table->facts[i].tolerance;
    return tolerance + kernel->ranges[fact] + deviations * kernel->chances[fact] / sqrt(iterations);
}
