/* A formula as it stands against its claim, by values: on rows whose facts are known. */
#ifndef CM_AUDIT_VALUES_H
#define CM_AUDIT_VALUES_H

#include "audit/variables.h"

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
