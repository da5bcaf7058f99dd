/* Checks by their manifests that sweeps are compatible. */
#ifndef CM_SWEEP_RECORD_COMPATIBLE_H
#define CM_SWEEP_RECORD_COMPATIBLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef enum cm_difference_kind {
    CM_DIFFERENT_OPTION, /* `what` is the option, as in "--repetitions" */
    CM_DIFFERENT_FACT,   /* `what` is a noun, as in "the version of PAPI" */
    CM_DIFFERENT_EVENT,  /* `what` is an event that only one of them has selected */
    CM_DIFFERENT_PREFIX, /* `what` is an event that has the component before its name in the tables of one alone */
} cm_difference_kind;

/* The first difference of two sweeps. */
typedef struct cm_difference {
    cm_difference_kind kind;
    char what[256];
    char first[160], second[160]; /* the values, "": none; for an event "x" if the sweep has it */
} cm_difference;

/* Whether two identities (record/identity.h) differ. */
bool cm_sweeps_differ(const json_t *first, const json_t *second, cm_difference *difference);

/* CM_BAD_ARGUMENT, with the difference, if the sweep that is to resume the one in `directory` is another one. */
cm_status cm_sweep_resumes(const json_t *before, const json_t *now, const char *directory, cm_error *error);

/* The same for manifests, if the sweep in `directory` is complete: compares only the request, because everything is
 * counted again. */
cm_status cm_sweep_repeats(const json_t *before, const json_t *now, const char *directory, cm_error *error);

/* The same for manifests, if the sweep keeps a table of the one in `directory`: both must be of one PMU and name events
 * alike. */
cm_status cm_sweep_joins(const json_t *before, const json_t *now, const char *directory, const char *table,
                         cm_error *error);

/* CM_BAD_INPUT, with the difference, if the second manifest differs from the first in format, version, PMU, kind of
 * machine, options, names of events, benchmarks, kernels, iterations or threads. */
cm_status cm_sweeps_compatible(const json_t *first, const char *first_path, const json_t *second,
                               const char *second_path, cm_error *error);

#endif
