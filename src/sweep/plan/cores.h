/* The cores that a team runs on, and the caches that they have, by hwloc. */
#ifndef CM_SWEEP_PLAN_CORES_H
#define CM_SWEEP_PLAN_CORES_H

#include <stddef.h>

#include <catmint/error.h>

#include "sweep/plan/placement.h"

/* One processing unit a core; who calls for the first is where the caller runs, and those follow that share the last
 * level of cache with it. */
typedef struct cm_cores {
    void *topology; /* hwloc's */
    size_t count;
    unsigned *units;  /* their numbers in the system */
    size_t available; /* cores that this process may use */
    size_t sharing;   /* of them, those that share the last-level cache */
} cm_cores;

/* `cpus`: the processors to choose from, "4-7", "" for all that this process may use; `wanted`: how many, 0 for all
 * that share the last-level cache. CM_BAD_ARGUMENT where there are not as many, or
 * `cpus` is no list, or names none that this process may use. Free with cm_cores_clear, also after a
 * failure. */
cm_status cm_cores_find(const char *cpus, size_t wanted, cm_cores *cores, cm_error *error);
/* The same of processors that somebody named, without a number: CM_BAD_ARGUMENT also where this process may use but
 * some of them. */
cm_status cm_cores_find_all(const char *cpus, cm_cores *cores, cm_error *error);
/* The same as cm_cores_find of a topology that hwloc has loaded, of any machine; it belongs to the cores afterwards. */
cm_status cm_cores_choose(void *topology, const char *cpus, size_t wanted, cm_cores *cores, cm_error *error);
void cm_cores_clear(cm_cores *cores);

/* Binds the calling process to one of them: a bind function for a team, `data` being the cores. */
cm_status cm_cores_bind(size_t core, const void *data, cm_error *error);

/* The caches of the first core. */
void cm_cores_geometry(const cm_cores *cores, cm_geometry *geometry);

#endif
