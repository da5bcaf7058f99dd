/* Facts that a processor without some instruction sets cannot have. */
#include "verify/verify.h"

/* Whether the kernel needs none of the sets. */
static bool runs_without(const cm_kernel_facts *kernel, unsigned missing)
{
    const cm_kernel *known = cm_kernel_find(kernel->benchmark, kernel->kernel);
    return known == NULL || (known->isa & missing) == 0;
}

void cm_fact_table_leave_out(cm_fact_table *table, unsigned missing)
{
    enum { ELSEWHERE = 1, HERE = 2 };
    for (size_t i = 0; i < table->primitive_count && missing != 0; i++) {
        unsigned done = 0;
        for (size_t k = 0; k < table->kernel_count && (done & HERE) == 0; k++)
            if (table->kernels[k].values[table->primitives[i]] > 0.0)
                done |= runs_without(&table->kernels[k], missing) ? HERE : ELSEWHERE;
        if (done == ELSEWHERE)
            table->facts[table->primitives[i]].elsewhere = table->facts[table->primitives[i]].lacking = true;
    }
}

bool cm_fact_table_is_lacking(const cm_fact_table *table, const cm_kernel_facts *kernel)
{
    for (size_t i = 0; kernel != NULL && i < table->primitive_count; i++)
        if (table->facts[table->primitives[i]].lacking && kernel->values[table->primitives[i]] > 0.0)
            return true;
    return false;
}
