/* Joining the sweep directories of several processes, machines of one kind, or times. */
#ifndef CATMINT_MERGE_H
#define CATMINT_MERGE_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_merge_summary {
    size_t events;  /* in the joined events.csv */
    size_t counted; /* counted events among them */
} cm_merge_summary;

/* Joins sweep directories into `directory`, which is written as a sweep writes it. They must be compatible: swept by
 * the same version of catmint on machines of the same kind under the same PMU, with the same kernels, options and names
 * of events; either every shard of a sweep once, whose events are then in the order of the whole, or sweeps that have
 * no event in common. CM_BAD_INPUT names the directories and their difference, or a file that differs from its manifest
 * or lacks rows of a counted event. `summary` may be NULL. */
CM_API cm_status cm_merge_sweeps(const char *const *sources, size_t source_count, const char *directory,
                                 cm_merge_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
