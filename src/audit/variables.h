/* A formula's variables, names that are no events: time it is divided by, and switches such as #smt_on. */
#ifndef CM_AUDIT_VARIABLES_H
#define CM_AUDIT_VARIABLES_H

#include "audit/samples.h"

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

#endif
