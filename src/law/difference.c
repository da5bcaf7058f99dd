/* The difference of two kernels. */
#include "law/law.h"

const cm_kernel_facts *cm_law_difference(cm_arena *arena, const cm_kernel_facts *const *twins, const char *name)
{
    size_t facts = cm_fact_count(), same = (size_t)cm_fact_find("mispredicted_cond");
    cm_kernel_facts *made = cm_arena_allocate(arena, sizeof *made);
    double *values = cm_arena_allocate(arena, 3 * facts * sizeof *values);
    char *kernel = cm_arena_text(arena, name);
    if (made == NULL || values == NULL || kernel == NULL)
        return NULL;
    *made = *twins[0];
    made->kernel = kernel;
    made->values = values;
    made->chances = values + facts;
    made->ranges = values + 2 * facts;
    for (size_t i = 0; i < facts; i++) {
        made->values[i] = twins[0]->values[i] - twins[1]->values[i];
        made->chances[i] = 0.0; /* the counts' errors have it */
        made->ranges[i] = i == same ? 0.0 : twins[0]->ranges[i] + twins[1]->ranges[i];
    }
    return made;
}
