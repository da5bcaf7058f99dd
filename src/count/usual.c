/* Sums of facts that are counted where neither metrics nor events are named. */
#include "core/base.h"
#include "count/count.h"
#include "software_pmu/machine/facts.h"

enum { PARTS = 5, NONE = CM_FACT_COUNT };

/* A sum of facts; of floating-point operations one a precision. */
typedef struct usual {
    const char *name;
    size_t facts[PARTS]; /* up to NONE, or to the end */
} usual;

static const usual sums[] = {
    {"Instructions", {CM_FACT_INSTRUCTIONS, NONE}},
    {"Branches",
     {CM_FACT_BRANCHES_COND, CM_FACT_BRANCHES_UNCOND, CM_FACT_BRANCHES_INDIRECT, CM_FACT_CALLS, CM_FACT_RETURNS}},
    {"Mispredicted Branches",
     {CM_FACT_MISPREDICTED_COND, CM_FACT_MISPREDICTED_INDIRECT, CM_FACT_MISPREDICTED_RETURNS, NONE}},
    {"Loads", {CM_FACT_LOADS, NONE}},
    {"Stores", {CM_FACT_STORES, NONE}},
    {"Bytes Loaded", {CM_FACT_LOAD_BYTES, NONE}},
    {"Bytes Stored", {CM_FACT_STORE_BYTES, NONE}},
    {"L1 Data Misses", {CM_FACT_L1D_LOAD_MISS, CM_FACT_L1D_STORE_MISS, NONE}},
    {"L2 Data Misses", {CM_FACT_L2_LOAD_MISS, CM_FACT_L2_STORE_MISS, NONE}},
    {"L3 Data Misses", {CM_FACT_L3_LOAD_MISS, CM_FACT_L3_STORE_MISS, NONE}},
    {"L1 Instruction Misses", {CM_FACT_L1I_FETCH_MISS, NONE}},
    {"Data TLB Misses", {CM_FACT_DTLB_LOAD_MISS, CM_FACT_DTLB_STORE_MISS, NONE}},
};
enum { OPERATIONS_AT = 3 }; /* the row before which operations stand */

/* Adds an event that is a sum of facts; NULL without memory. */
static double *add_sum(cm_program_counts *counts, const char *name)
{
    if (!CM_GROW_BY_ONE(counts->events, counts->event_count))
        return NULL;
    double *weights = cm_arena_allocate(&counts->arena, CM_FACT_COUNT * sizeof *weights);
    for (size_t i = 0; weights != NULL && i < CM_FACT_COUNT; i++)
        weights[i] = 0.0;
    counts->events[counts->event_count++] = (cm_counted_event){.name = name, .asked = true, .weights = weights};
    return weights;
}

/* Operations of all widths, an FMA two in each lane; of scalable vectors those of active lanes. */
static cm_status add_operations(cm_program_counts *counts, const char *name, cm_fp_precision precision, cm_error *error)
{
    static const size_t bits[] = {[CM_FP_128] = 128, [CM_FP_256] = 256, [CM_FP_512] = 512};
    double *weights = add_sum(counts, name);
    if (weights == NULL)
        return cm_error_no_memory(error);
    for (cm_fp_width width = CM_FP_SCALAR; width <= CM_FP_512; width++) {
        const double lanes = width == CM_FP_SCALAR ? 1.0 : (double)(bits[width] / ((size_t)16 << precision));
        for (cm_fp_operation operation = CM_FP_ADD; operation <= CM_FP_SQRT; operation++)
            weights[cm_fact_fp(precision, width, operation)] = lanes;
        weights[cm_fact_fp(precision, width, CM_FP_FMA)] = 2.0 * lanes;
    }
    weights[cm_fact_lanes(precision, false)] = 1.0;
    weights[cm_fact_lanes(precision, true)] = 2.0;
    return CM_OK;
}

static cm_status add_row(cm_program_counts *counts, const usual *row, cm_error *error)
{
    double *weights = add_sum(counts, row->name);
    if (weights == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < PARTS && row->facts[i] != NONE; i++)
        weights[row->facts[i]] = 1.0;
    return CM_OK;
}

cm_status cm_count_add_usual(cm_program_counts *counts, cm_error *error)
{
    static const char *const operations[] = {
        [CM_FP_HALF] = "HP Ops.", [CM_FP_SINGLE] = "SP Ops.", [CM_FP_DOUBLE] = "DP Ops."};
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < sizeof sums / sizeof sums[0]; i++) {
        for (int precision = CM_FP_DOUBLE; status == CM_OK && i == OPERATIONS_AT && precision >= CM_FP_HALF;
             precision--)
            status = add_operations(counts, operations[precision], (cm_fp_precision)precision, error);
        if (status == CM_OK)
            status = add_row(counts, &sums[i], error);
    }
    return status;
}

bool cm_count_lacks_lanes(const cm_counted_event *event, const uint64_t *facts)
{
    return event->weights != NULL &&
           event->weights[CM_FACT_FP_LANES] + event->weights[CM_FACT_FP_LANES + 2] +
                   event->weights[CM_FACT_FP_LANES + 4] >
               0.0 &&
           facts[CM_FACT_FP_LANES_UNKNOWN] > 0;
}
