/* The cores of a team, and their caches, from hwloc. */
#ifndef CM_SWEEP_PLAN_CORES_H
#define CM_SWEEP_PLAN_CORES_H

#include <stddef.h>

#include <catmint/error.h>

#include "sweep/plan/placement.h"

/* One processing unit a core: first the one that the caller runs on, then those that share its last-level cache. */
typedef struct cm_cores {
    void *topology; /* hwloc's */
    size_t count;
    unsigned *units;  /* numbers of the system */
    size_t available; /* cores that this process may use */
    size_t sharing;   /* the first of them, which share the last-level cache */
} cm_cores;

/* `cpus`: the processors to choose from, "4-7", or "" for all that this process may use; `wanted`: their number, 0 for
 * all that share the last-level cache. CM_BAD_ARGUMENT if there are fewer, if `cpus` is no list, or if this process may
 * use none of it. Free with cm_cores_clear, also after a failure. */
cm_status cm_cores_find(const char *cpus, size_t wanted, cm_cores *cores, cm_error *error);
/* Finds all cores of a list that the user named: CM_BAD_ARGUMENT also if this process may use only some of them. */
cm_status cm_cores_find_all(const char *cpus, cm_cores *cores, cm_error *error);
/* As cm_cores_find, in a topology of any machine that hwloc has loaded; the cores own it afterwards. */
cm_status cm_cores_choose(void *topology, const char *cpus, size_t wanted, cm_cores *cores, cm_error *error);
void cm_cores_clear(cm_cores *cores);

/* Binds the calling process to a core: a bind function for a team; `data` is the cores. */
cm_status cm_cores_bind(size_t core, const void *data, cm_error *error);

/* The caches of the first core. */
void cm_cores_geometry(const cm_cores *cores, cm_geometry *geometry);

#endif
