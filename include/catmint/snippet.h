/* A snippet of the user's own assembly as a kernel: assembled by the system's compiler, proven by the software PMU, and
 * counted under all events. x86-64 alone.
 *
 * The snippet is copied into loops of 0, N and 2 N copies. A copy's work is the difference between the last two;
 * that the first two differ by the same is the proof that each copy does it. It may use all registers: the loop counts
 * in memory. It finds r14 in the middle of 64 KiB of zeroed memory, 1 in the other general registers, 0 in xmm0 to
 * xmm15, and a stack, whose pointer it must leave as it was. */
#ifndef CATMINT_SNIPPET_H
#define CATMINT_SNIPPET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <catmint/counting.h>
#include <catmint/error.h>
#include <catmint/style.h>
#include <catmint/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CM_SNIPPET_COPIES = 100, CM_SNIPPET_TURNS = 1000 };

/* The facts of one copy of the snippet. */
typedef struct cm_snippet_fact {
    const char *name;
    double value; /* a copy */
    bool proven;  /* twice as many copies execute twice as much */
    bool derived; /* a sum of others */
} cm_snippet_fact;

/* An event's count in a copy: the median of the repetitions, and how far these are apart. */
typedef struct cm_snippet_event {
    char *name;
    double value, spread;
    bool steady;       /* twice as many copies count twice as much, and the spread is at most a tenth of the count */
    size_t fact_count; /* facts of the same number, those that are no sums of others first */
    size_t *facts;     /* indices into the snippet's */
} cm_snippet_event;

typedef struct cm_snippet {
    char *file, *pmu;
    size_t copies;
    size_t fact_count; /* all facts, also those that are 0 */
    cm_snippet_fact *facts;
    size_t event_count; /* counted ones, in the order of the sweep's table */
    cm_snippet_event *events;
    size_t unavailable; /* events that could not be counted */
} cm_snippet;

typedef struct cm_snippet_options {
    size_t size;                   /* of this structure */
    const char *file;              /* assembly of GNU's assembler */
    const char *directory;         /* for files in between, empty at first */
    size_t copies;                 /* in a turn of the loop; 0: CM_SNIPPET_COPIES */
    uint64_t turns;                /* of the loop under hardware; 0: CM_SNIPPET_TURNS */
    const cm_sweep_options *sweep; /* events, repetitions, progress, messages and *stop; the rest is not used */
} cm_snippet_options;
CM_OPTIONS_DEFAULT(cm_snippet_options)

/* CM_BAD_INPUT, with the assembler's own words, for a snippet that cannot be assembled, and for one that crashes, does
 * not end, returns, leaves the stack pointer changed or cannot be stepped; CM_UNSUPPORTED without a compiler, on
 * another processor than x86-64, and for a model of a GPU. Else as cm_sweep. */
CM_API cm_status cm_snippet_measure(cm_counting *counting, const cm_snippet_options *options, cm_snippet **snippet,
                                    cm_error *error);
CM_API void cm_snippet_free(cm_snippet *snippet);

/* Facts, events and the facts that each fits; JSON has the schema catmint.snippet/1. */
CM_API cm_status cm_snippet_write(const cm_snippet *snippet, const cm_output_style *style, FILE *stream,
                                  cm_error *error);
/* The snippet as a row of a benchmark's basis, header and row, in CSV: each symbol's count in a copy by its
 * expression over facts. CM_BAD_INPUT for an unknown benchmark, or a fact that is not proven. */
CM_API cm_status cm_snippet_write_row(const cm_snippet *snippet, const char *benchmark, FILE *stream, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
