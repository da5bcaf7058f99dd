/* From raw counts to measurement vectors: steps 1 and 2 of the method. */
#ifndef CM_DISCOVERY_VECTORS_H
#define CM_DISCOVERY_VECTORS_H

#include "discovery/kernel_choice.h"

/* Counts per iteration of the chosen kernels, medians over threads; one measurement vector a repetition. Where the
 * choice has an empty kernel, its median is taken off each run. `room` is for as many values as the event has threads
 * and repetitions. Returns by how many counts a run may be off. */
double cm_vectors_of(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                     double *room, double *vectors);

/* The same in memory of its own, to be freed with free(), also on failure; `slack` may be NULL. */
cm_status cm_vectors_create(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                            double **vectors, double *slack, cm_error *error);

#endif
