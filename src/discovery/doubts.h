/* What kernels cannot tell apart. */
#ifndef CM_DISCOVERY_DOUBTS_H
#define CM_DISCOVERY_DOUBTS_H

#include "discovery/benchmark_result.h"

/* How often the fact happens beside the symbol, where it happens on exactly those fitted kernels that have it, always
 * as often, and the machine decides how often; 0: it does not. */
double cm_goes_with(const cm_evidence *evidence, size_t fact, size_t symbol);

/* What an event represented by `x`, one element a symbol, should count on each kernel. */
void cm_represent(const cm_evidence *evidence, const double *x, double *counts);
/* Which multiple of the fact these counts are on each kernel, fitted or control; 0: none. */
double cm_is_like(const cm_evidence *evidence, const double *counts, size_t fact);

/* ---- apart.c ---- */

/* How often an event that is represented by `x` counts a primitive fact. */
double cm_fact_weight(const cm_evidence *evidence, const double *x, size_t fact);

/* Pairs of the facts that symbols are made of, and whether a row tells a definition from one that overcounts the first
 * fact where it meets the second. */
typedef struct cm_apart {
    size_t count;
    size_t *facts;
    double *parts;   /* how much of each the definition's terms count */
    size_t *tellers; /* rows that show an overcount of it; two where there is nothing to tell */
    bool *told;      /* count x count; true, too, where there is nothing to tell */
    size_t pairs;    /* that are not told */
} cm_apart;

/* The caller calls cm_apart_clear, after an error, too. */
cm_status cm_find_apart(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                        cm_apart *apart, cm_error *error);
void cm_apart_clear(cm_apart *apart);
/* Into doubts that have room for the pairs and facts. */
void cm_list_apart(const cm_apart *apart, cm_doubts *doubts);

#endif
