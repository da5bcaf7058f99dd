/* A table of facts on kernels: as a sweep under MODEL-facts writes it, or as it is kept, less all zeros, and with
 * one row, of repetition 0, for a fact that is the same in all repetitions. */
#ifndef CM_SWEEP_RECORD_FACT_TABLE_H
#define CM_SWEEP_RECORD_FACT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

typedef struct cm_fact_counts {
    size_t kernel_count, repetitions;
    char **kernels;
    double *iterations; /* one a kernel */
    uint64_t *counts;   /* [repetition][kernel][fact] */
} cm_fact_counts;

/* `repetitions`: as many as the manifest says. `known` is set for each fact that the table has. Free with
 * cm_fact_counts_clear, also after a failure. */
cm_status cm_fact_counts_load(const char *path, size_t repetitions, bool *known, cm_fact_counts *table,
                              cm_error *error);
/* Drops the kernels of which `keep`, one a kernel, is false. */
void cm_fact_counts_drop(cm_fact_counts *table, const bool *keep);
void cm_fact_counts_clear(cm_fact_counts *table);

/* The facts of a kernel in a repetition, from 0. */
const uint64_t *cm_fact_counts_of(const cm_fact_counts *table, size_t repetition, size_t kernel);

#endif
