/* A formula as it stands against its claim, by values: on rows whose facts are known. */
#ifndef CM_AUDIT_VALUES_H
#define CM_AUDIT_VALUES_H

#include "audit/audit.h"

/* ---- samples ---- */

/* The samples that a formula is tried on: rows with known facts and counts of its events, and mixtures of such rows,
 * whose counts are the sums of their parts'. */

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
cm_status cm_samples_gather(const cm_audit *audit, const cm_formulas *formulas, size_t formula,
                            const cm_claimed_quantity *claim, const cm_row_group *const *groups, size_t group_count,
                            bool mixtures, cm_samples *samples, cm_error *error);
/* Adds the remark that names facts of the metrics which no row exercises, if there are any. */
cm_status cm_audit_add_facts(cm_audit *audit, const cm_samples *samples, cm_finding_list *list, cm_error *error);
void cm_samples_clear(cm_samples *samples);

/* The metric's value on the row: by its facts, else by the basis of its benchmark; NaN if neither is known. How
 * far that itself is open, and a formula's allowance beside it. */
double cm_claimed_value(const cm_claimed_metric *metric, const cm_row_group *group, size_t row, double *allowed,
                        double *tolerated);

/* ---- variables ---- */

/* A formula's variables, names that are no events: time it is divided by, and switches such as #smt_on. */

/* A formula, its samples, and values for all that it names. */
typedef struct cm_evaluator {
    const cm_formulas *formulas;
    size_t formula;
    const cm_samples *samples;
    double *values;  /* one a quantity */
    bool *no_memory; /* set if memory was short for a value */
} cm_evaluator;

/* The formula's value for `scale` iterations of the sample, one event's counts being `more` of its uncertainty larger
 * (samples->event_count: none's). NaN if it has none. */
double cm_evaluate_sample(const cm_evaluator *in, const cm_sample *sample, double scale, size_t event, double more);

enum { CM_MOST_VARIABLES = 8, CM_MOST_SETTINGS = 64 };

typedef struct cm_variables {
    size_t rate_count, switch_count;
    size_t rates[CM_MOST_VARIABLES]; /* quantities that the formula is divided by */
    size_t switches[CM_MOST_VARIABLES];
    size_t setting_count; /* all settings of the switches: 1 without any */
    double settings[CM_MOST_SETTINGS][CM_MOST_VARIABLES];
    size_t obscure; /* a quantity of which neither is clear; CM_NO_NAME: none */
} cm_variables;

/* All variables of `in` are then 1. */
void cm_variables_find(const cm_evaluator *in, cm_variables *variables);
/* perf's "has_event(X)", which is 1 if X can be counted. */
bool cm_is_event_test(const char *name);
/* Sets the switches. */
void cm_variables_set(const cm_evaluator *in, const cm_variables *variables, size_t setting);

/* ---- values ---- */

typedef enum cm_value_outcome {
    CM_VALUES_AGREE,
    CM_VALUES_DIFFER,
    CM_VALUES_UNCLEAR, /* near the limit, or with names that are neither events nor clear */
    CM_VALUES_UNTOLD,  /* no row tells: why not is in the samples */
} cm_value_outcome;

/* A row on which the formula is off, or the worst of those that are not. */
typedef struct cm_value_deviation {
    const cm_sample *sample; /* NULL: none was evaluated */
    double value, expected;  /* divided by the factor; of a sum an iteration */
    double times;            /* its deviation in allowances; infinity if it has no value */
    size_t setting;          /* of the switches */
} cm_value_deviation;

typedef struct cm_value_judgement {
    cm_value_outcome outcome;
    cm_variables variables;
    double factor;   /* as used */
    int power;       /* of 10 that nothing tells */
    bool constant;   /* it has a value though nothing is counted */
    bool other_kind; /* a ratio though a sum is claimed, or the reverse: then nothing is said */
    cm_value_deviation worst;
} cm_value_judgement;

cm_status cm_judge_values(const cm_formulas *formulas, size_t formula, const cm_samples *samples, bool ratio,
                          cm_claimed_factor factor, cm_value_judgement *judgement, cm_error *error);

/* The rows on which a formula is off, switches as they are: `found` has room for as many as there are rows. */
cm_status cm_find_deviations(const cm_formulas *formulas, size_t formula, const cm_samples *samples, bool ratio,
                             cm_claimed_factor factor, cm_value_deviation *found, size_t *count, cm_error *error);

/* By how much the formula is off in programs, relative: the median over those of which the claim is known and large
 * enough, of which there are *count. NaN if there is none, or if names are ambiguous. */
cm_status cm_judge_programs(const cm_formulas *formulas, size_t formula, const cm_samples *samples, bool ratio,
                            cm_claimed_factor factor, size_t *count, double *median, cm_error *error);

#endif
