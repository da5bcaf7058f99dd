/* Whether sweeps are compatible, by their manifests. */
#ifndef CM_SWEEP_RECORD_COMPATIBLE_H
#define CM_SWEEP_RECORD_COMPATIBLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef enum cm_difference_kind {
    CM_DIFFERENT_OPTION, /* what: the option, as in "--repetitions" */
    CM_DIFFERENT_FACT,   /* what: a noun, as in "the version of PAPI" */
    CM_DIFFERENT_EVENT,  /* what: an event that one of them has selected */
    CM_DIFFERENT_PREFIX, /* what: an event that tables of one of them name with its component */
} cm_difference_kind;

/* The first thing in which two sweeps differ. */
typedef struct cm_difference {
    cm_difference_kind kind;
    char what[256];
    char first[160], second[160]; /* the values, "": none; of an event "x" where the sweep has it */
} cm_difference;

/* Whether two identities (record/identity.h) differ. */
bool cm_sweeps_differ(const json_t *first, const json_t *second, cm_difference *difference);

/* CM_BAD_ARGUMENT says in which the sweep that is to resume the one in `directory` differs from it. */
cm_status cm_sweep_resumes(const json_t *before, const json_t *now, const char *directory, cm_error *error);

/* The same of manifests, where the sweep in `directory` is complete: only what was asked for is compared, since
 * everything is counted again. */
cm_status cm_sweep_repeats(const json_t *before, const json_t *now, const char *directory, cm_error *error);

/* The same of manifests, where the sweep leaves a table of the one in `directory`: whether both are of one PMU, and
 * name events alike. */
cm_status cm_sweep_joins(const json_t *before, const json_t *now, const char *directory, const char *table,
                         cm_error *error);

/* CM_BAD_INPUT says in which the second manifest differs from the first, in the format, version, PMU, kind of the
 * machine, options, names of events, benchmarks, kernels, iterations or threads. */
cm_status cm_sweeps_compatible(const json_t *first, const char *first_path, const json_t *second,
                               const char *second_path, cm_error *error);

#endif
