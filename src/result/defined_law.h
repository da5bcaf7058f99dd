/* The law of a benchmark of results: what those share who make it and who ask it. */
#ifndef CM_RESULT_DEFINED_LAW_H
#define CM_RESULT_DEFINED_LAW_H

#include "result/result.h"

struct cm_defined_law {
    const cm_read_benchmark *benchmark;
    cm_arena arena;
    cm_fact_table *facts;
    cm_problem problem; /* rows are the kernels of the law, those without fit behind them; events are the results' */
    size_t *rows;
    cm_law_kernel *kernels;
    double *metrics; /* weights of facts, cm_fact_count() a metric, with room for one more */
    bool *meant;
    bool *last;         /* likewise: the one more alone */
    cm_target *targets; /* one a metric; its arrays are made on demand */
    double *nothing;    /* zeros: the symbols of an event without representation */
    cm_counted_law *law;
    cm_sum_noise *noise;
    struct cm_asked_law {
        const double *meaning; /* of a metric that the results lack, the one asked for last; NULL: none */
        cm_counted_law *law;   /* of all metrics and that one, which is the last */
    } asked[2];                /* ... and the same if its own facts may be miscounted as kernels leave open */
    cm_problem loose;          /* for that: the problem, and nothing of the metric is too far off */
};

/* Zeroed memory of the law's. */
void *cm_defined_law_allocate(cm_defined_law *law, size_t count, size_t size);

/* Fills the counts of an event on every row from those that are not zero; NaN if the kernel was not counted. */
cm_status cm_defined_law_take_counts(cm_defined_law *law, size_t index, cm_error *error);

/* Makes the law of the first metrics, which judges those that are meant, over a problem that is the law's own. */
cm_status cm_defined_law_count(const cm_defined_law *law, const cm_problem *problem, size_t metrics, const bool *meant,
                               cm_counted_law **made, cm_error *error);

#endif
