/* Tables of events in libpfm4's sources, which PAPI's tree holds: all processors', whatever libpfm4 is installed. */
#ifndef CM_EVENTS_LIBPFM_SOURCES_H
#define CM_EVENTS_LIBPFM_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include <catmint/error.h>

#include "core/text.h"

typedef struct cm_libpfm_sources cm_libpfm_sources;

/* Reads the list of PMUs of the C files in libpfm4's directory `lib`. *sources stays NULL if it has none. */
cm_status cm_libpfm_sources_load(const char *lib, cm_libpfm_sources **sources, cm_error *error);
void cm_libpfm_sources_free(cm_libpfm_sources *sources);
/* Whether the PMU counts for a core; true for one that the sources do not have. */
bool cm_libpfm_sources_is_core(const cm_libpfm_sources *sources, const char *pmu);
/* Offers the names of all PMUs. */
void cm_libpfm_sources_offer(const cm_libpfm_sources *sources, cm_near *near);

/* An event, EVENT or EVENT:UMASK. libpfm4 takes no two unit masks of a group of which one counts alone. */
typedef struct cm_libpfm_name {
    const char *event;
    long group; /* of the unit mask */
    bool alone;
} cm_libpfm_name;

/* Unit masks of one event, all zero: none. A bit a group: those that have a mask, and in which one counts alone. */
typedef struct cm_libpfm_masks {
    uint64_t groups, alone;
} cm_libpfm_masks;

/* Whether libpfm4 takes the unit mask beside those before it. */
bool cm_libpfm_masks_join(cm_libpfm_masks *masks, const cm_libpfm_name *mask);

typedef cm_status (*cm_libpfm_take)(const cm_libpfm_name *name, void *data, cm_error *error);

/* Gives all events of the PMU, an event with unit masks alone, too; none if it is not among the sources. Names that
 * only some models of a family have are given for all of them. */
cm_status cm_libpfm_sources_each(const cm_libpfm_sources *sources, const char *pmu, cm_libpfm_take take, void *data,
                                 cm_error *error);

#endif
