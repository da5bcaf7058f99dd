/* Counts of the software PMU in this process, by the facts since the start. */
#include "counting/counting.h"

static struct {
    const cm_pmu_model *model; /* NULL: no model is active */
    const uint64_t *facts;
    uint64_t *start; /* the facts at the last restart */
    uint64_t *since; /* scratch: the facts since then */
    uint64_t run;    /* number of restarts */
} counts;

cm_status cm_model_counts_begin(const cm_pmu_model *model, const cm_software_pmu *pmu, cm_error *error)
{
    cm_model_counts_end();
    size_t facts = cm_fact_count();
    if (!CM_ALLOCATE(counts.start, facts + 1) || !CM_ALLOCATE(counts.since, facts + 1)) {
        cm_model_counts_end();
        return cm_error_no_memory(error);
    }
    counts.run = 0;
    counts.model = model;
    counts.facts = cm_software_pmu_facts(pmu);
    cm_model_counts_restart();
    return CM_OK;
}

void cm_model_counts_end(void)
{
    CM_FREE(counts.start, counts.since);
    counts.model = NULL;
    counts.facts = NULL;
    counts.start = NULL;
    counts.since = NULL;
}

void cm_model_counts_restart(void)
{
    if (counts.model != NULL)
        memcpy(counts.start, counts.facts, cm_fact_count() * sizeof *counts.start);
    counts.run++;
}

void cm_model_counts_add(const uint64_t *facts)
{
    for (size_t i = 0; counts.model != NULL && i < cm_fact_count(); i++)
        counts.start[i] -= facts[i];
}

const uint64_t *cm_model_counts_facts(uint64_t *run)
{
    if (counts.model == NULL)
        return NULL;
    size_t facts = cm_fact_count();
    for (size_t i = 0; i < facts; i++)
        counts.since[i] = counts.facts[i] - counts.start[i];
    *run = counts.run;
    return counts.since;
}

uint64_t cm_model_counts_ticks(void)
{
    return counts.model != NULL ? counts.facts[cm_fact_find("instructions")] : 0;
}

long long cm_model_counts_read(size_t event)
{
    uint64_t run = 0;
    const uint64_t *facts = cm_model_counts_facts(&run);
    return facts != NULL ? cm_pmu_model_evaluate(counts.model, event, facts) : 0;
}
