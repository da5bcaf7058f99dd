/* Steps of counting a program. */
#ifndef CM_COUNT_COUNT_H
#define CM_COUNT_COUNT_H

#include "count/child.h"
#include "count/counts.h"

/* One run of the program, or one observation of a process. */
typedef struct cm_run {
    const cm_count_options *options;
    cm_counts *counts;
    size_t repetition;
    size_t set;   /* from 1 */
    bool *wanted; /* events left to count in this repetition; the run clears those that it counts */
} cm_run;

/* choose.c: chooses the metrics, and the names of the events they need. */
cm_status cm_count_choose(const cm_count_options *options, cm_counts *counts, cm_error *error);
/* hardware.c: finds the events through PAPI; CM_UNSUPPORTED if one cannot be counted here. */
cm_status cm_count_find_events(cm_counts *counts, cm_error *error);
/* Runs the program once, with as many of the wanted events as can be counted together. */
cm_status cm_count_run(cm_run *run, cm_error *error);
/* emulated.c: whether the options ask for the emulated PMU, and counting under it. */
bool cm_count_is_emulated(const cm_count_options *options);
cm_status cm_count_emulated(const cm_count_options *options, cm_counts *counts, cm_error *error);

/* errors.c: finds the possible error of each metric's value, in each scope. */
cm_status cm_count_find_errors(cm_counts *counts, cm_error *error);

/* Ends the child if the user interrupts; only once. */
void cm_count_heed(cm_run *run, const cm_child *child);
/* Records how the child ended. */
void cm_count_ended(cm_counts *counts, const cm_child *child, int cannot);
void cm_count_cannot(cm_counts *counts, int cannot);
double cm_count_now(void);

#endif
