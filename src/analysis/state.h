/* What a cm_analysis holds. */
#ifndef CM_ANALYSIS_STATE_H
#define CM_ANALYSIS_STATE_H

#include <stdbool.h>

#include <catmint/analysis.h>

#include "analysis/arena.h"
#include "analysis/least_squares.h"

struct cm_analysis {
    cm_thresholds thresholds;
    cm_matrix *expectations; /* E: rows are kernels, columns symbols */
    cm_least_squares *basis; /* E factorised */
    cm_arena arena;          /* names, means, representations */
    size_t event_count;
    size_t event_room;
    cm_event_analysis *events; /* before the pivoting, candidates are marked dependent */
    size_t scratch_room;
    double *scratch; /* rounded counts; residual and step of a representation */

    /* After the pivoting. */
    bool pivoted;
    size_t selected_count;
    size_t *selected;      /* indices of events, in pivot order; room for one a symbol */
    cm_matrix *columns;    /* X^, symbols x selected_count */
    cm_least_squares *fit; /* X^ factorised; NULL where nothing is selected */
    double spectral_norm;  /* ||X^||_2, 0 where nothing is selected */
};

#endif
