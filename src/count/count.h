/* The steps of counting a program. */
#ifndef CM_COUNT_COUNT_H
#define CM_COUNT_COUNT_H

#include "count/child.h"
#include "count/counts.h"

/* One run of the program, or one look at a process. */
typedef struct cm_run {
    const cm_count_options *options;
    cm_counts *counts;
    size_t repetition;
    size_t set;   /* from 1 on */
    bool *wanted; /* events that are still to be counted in this repetition; those of this run are cleared */
} cm_run;

/* choose.c: which metrics, and which events they need; their names alone. */
cm_status cm_count_choose(const cm_count_options *options, cm_counts *counts, cm_error *error);
/* hardware.c: finds the events through PAPI; CM_UNSUPPORTED where one cannot be counted here. */
cm_status cm_count_find_events(cm_counts *counts, cm_error *error);
/* One run with as many of the wanted events as go together. */
cm_status cm_count_run(cm_run *run, cm_error *error);
/* emulated.c: whether, and the same under the emulated PMU. */
bool cm_count_is_emulated(const cm_count_options *options);
cm_status cm_count_emulated(const cm_count_options *options, cm_counts *counts, cm_error *error);

/* errors.c: what each metric's value may be off by, in each scope. */
cm_status cm_count_find_errors(cm_counts *counts, cm_error *error);

/* Ends the child, once, where the user wants no more. */
void cm_count_heed(cm_run *run, const cm_child *child);
/* Keeps how the child ended. */
void cm_count_ended(cm_counts *counts, const cm_child *child, int cannot);
void cm_count_cannot(cm_counts *counts, int cannot);
double cm_count_now(void);

#endif
