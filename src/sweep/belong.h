/* Whether sweeps belong together, by their manifests. */
#ifndef CM_SWEEP_BELONG_H
#define CM_SWEEP_BELONG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* CM_BAD_INPUT names `path` and the first thing in which `second` differs from `first`: schema, version, PMU, the kind
 * of the machine, options, and the benchmarks with their kernels, iterations and threads. */
cm_status cm_sweeps_belong(const json_t *first, const json_t *second, const char *path, cm_error *error);

/* What of a manifest is compared, as an object of its own; NULL without memory. */
json_t *cm_sweep_identity(const json_t *manifest);

/* The same for two identities; the text says what differs and how. Returns whether they are equal. */
bool cm_same_identity(const json_t *first, const json_t *second, char *text, size_t size);

#endif
