/* Counting programs: events and metrics of a whole program, its threads and its regions.
 *
 * A program that links with libcatmint names its regions:
 *
 *   cm_count_start("solve");
 *   solve();
 *   cm_count_stop("solve");
 *
 * and `catmint count --regions -- PROGRAM` prints the counts of each. Otherwise both calls do nothing, and take
 * nanoseconds. */
#ifndef CATMINT_COUNT_H
#define CATMINT_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/counting.h>
#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/evaluate.h>
#include <catmint/formulas.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For any thread, at any time: it enters or leaves a region. Threads may be in a region of one name at the same time,
 * and regions may overlap; a thread that enters a region again before it has left it begins it anew. Names have at most
 * 63 bytes (the rest is cut off), a program at most 256 regions. Counts are written when the program exits, not if it
 * is killed or calls _exit. A forked child counts no regions unless it calls exec. */
CM_API void cm_count_start(const char *region);
CM_API void cm_count_stop(const char *region);

typedef struct cm_count_options {
    size_t size;                       /* of this structure */
    const cm_definitions *definitions; /* of the metrics; NULL: events alone. Must outlive the counts */
    size_t metric_count;
    const char *const *metrics; /* names or presets, as cm_definitions_resolve takes them; none: the composable ones */
    bool all;                   /* if `metrics` is empty: all metrics that can be measured */
    size_t event_count;
    const char *const *events;   /* further events, as PAPI or the model calls them, metrics that have definitions, and
                                  * under the emulated PMU facts and sums of them; may be none. If nothing at all is
                                  * named, the emulated PMU counts the usual facts: instructions, branches, operations,
                                  * loads, stores, bytes and misses */
    cm_pmu_choice pmu;           /* CM_PMU_AUTO: the PMU of the definitions; else hardware if it counts */
    char *const *command;        /* ends with NULL; NULL: none */
    long process;                /* process to attach to, 0: none. With a command too, it is counted until the command
                                  * ends */
    const char *processors;      /* counts all that runs on these, "0-3,8", or "": on all that are online, while the
                                  * command runs, without one until `stop`; hardware only. NULL: the command */
    size_t repetitions;          /* 0: 1 */
    double interval;             /* seconds between readings, 0: none */
    const char *plan;            /* path of a table set,event: counts these events, too, those of different sets in
                                  * different runs; the emulated PMU counts all in one. NULL: none */
    const cm_formulas *formulas; /* also counts the metrics (definitions by their presets) and events that these need,
                                  * no variables; NULL: none */
    size_t vector_bits;          /* bits of scalable vectors under the emulated PMU, a power of 2 from 128 on; 0: 256 */
    bool mix;                    /* also counts all facts of a mix (<catmint/project.h>); emulated PMU only */
    bool stepped;                /* the emulated PMU steps the program in its own process, as this processor executes it
                                  * (AVX-512, which QEMU lacks): the first thread of a dynamically linked program, from
                                  * main to the end */
    bool per_thread;
    bool multiplex;           /* in one run, even if the counters do not suffice */
    bool regions;             /* counts the regions, not the whole program */
    const volatile int *stop; /* counting ends when it becomes 1; may be NULL */
    const char *separator;    /* between the fields of CSV, must outlive the counts; NULL: a comma */
} cm_count_options;
CM_OPTIONS_DEFAULT(cm_count_options)

typedef struct cm_program_counts cm_program_counts;

/* Runs the command once for each repetition and set of events, and counts it with its children and threads.
 * CM_BAD_ARGUMENT for unknown metrics and events and options that exclude each other; CM_UNSUPPORTED if they cannot be
 * counted here, or the caller ignores SIGCHLD. A command that cannot be started is no error: see
 * cm_program_counts_exit. */
CM_API cm_status cm_count_program(const cm_count_options *options, cm_program_counts **counts, cm_error *error);
CM_API void cm_program_counts_free(cm_program_counts *counts);
/* The command's exit status, of several runs the first that is not 0; 128 plus the signal if one ended it; 126 or 127
 * if it could not be started, with the cause in *reason ("" otherwise); 0 without a command. */
CM_API int cm_program_counts_exit(const cm_program_counts *counts, const char **reason);
/* The part of the program that was not counted, such as programs that it started; "": none. */
CM_API const char *cm_program_counts_note(const cm_program_counts *counts);
/* Adds the values of formulas for these counts to table and JSON; NULL: none. They must outlive the writing. */
CM_API void cm_program_counts_set_values(cm_program_counts *counts, const cm_evaluation *values);
/* JSON has the schema catmint.count/1. */
CM_API cm_status cm_program_counts_write(const cm_program_counts *counts, const cm_output_style *style, FILE *stream,
                                         cm_error *error);
CM_API cm_status cm_program_counts_save(const cm_program_counts *counts, const cm_output_style *style, const char *path,
                                        cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
