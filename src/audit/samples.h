/* The samples that a formula is tried on: rows with known facts and counts of its events, and mixtures of such rows,
 * whose counts are the sums of their parts'. */
#ifndef CM_AUDIT_SAMPLES_H
#define CM_AUDIT_SAMPLES_H

#include "audit/audit.h"

typedef struct cm_sample {
    const cm_row_group *group; /* NULL: a mixture */
    size_t row;
    double *counts, *uncertain; /* an iteration, one an event of the formula; by how much a count may be off */
    double above, below;        /* values of the claim's metrics; below is 1 if there is none */
    double above_allowed, below_allowed;
    bool telling; /* a row on which both are exercised and known */
    bool exact;   /* its counts are the same in each repetition */
} cm_sample;

typedef struct cm_samples {
    cm_arena arena;
    size_t event_count;
    size_t *quantities; /* of the formula's events */
    size_t count, row_count, telling_count;
    cm_sample *items; /* the rows, behind them the mixtures */
    /* if no row can be used: */
    size_t missing_count, unusable_count;
    size_t *missing;  /* quantities that no group has */
    size_t *unusable; /* quantities that are noisy or unknown on the rows that exercise the metrics */
    size_t noisy;     /* how many of these are noisy */
    size_t *untried;  /* primitive facts of the metrics that no row exercises */
    size_t untried_count;
} cm_samples;

/* Gathers samples of the groups' rows, and mixtures of kernels. CM_OK even if there are none. Clear in any case. */
cm_status cm_samples_gather(const cm_audit *audit, const cm_formulas *formulas, size_t formula, const cm_claimed *claim,
                            const cm_row_group *const *groups, size_t group_count, bool mixtures, cm_samples *samples,
                            cm_error *error);
/* Adds the remark that names facts of the metrics which no row exercises, if there are any. */
cm_status cm_audit_add_facts(cm_audit *audit, const cm_samples *samples, cm_finding_list *list, cm_error *error);
void cm_samples_clear(cm_samples *samples);

/* The metric's value on the row: by its facts, else by the basis of its benchmark; NaN if neither is known. How
 * far that itself is open, and a formula's allowance beside it. */
double cm_claimed_value(const cm_claimed_metric *metric, const cm_row_group *group, size_t row, double *allowed,
                        double *tolerated);

#endif
