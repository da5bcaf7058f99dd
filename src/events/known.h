/* The events that another program knows: it cannot use a definition with any other event. */
#ifndef CM_EVENTS_KNOWN_H
#define CM_EVENTS_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "core/text.h"
#include "events/libpfm_sources.h"

typedef struct cm_known_events cm_known_events;

/* Loads a file or a directory of files (.json, .txt): perf's or perfmon's lists of events in JSON, LIKWID's counter
 * lists (perfmon_*_events.txt), or any text whose lines begin with names. CM_BAD_INPUT if it has none. */
cm_status cm_known_events_load(const char *path, cm_known_events **known, cm_error *error);
/* Loads the lists in JSON of a directory alone. */
cm_status cm_known_events_load_json(const char *folder, cm_known_events **known, cm_error *error);
/* The events that libpfm4 has for all of these PMUs; *known stays NULL if libpfm4 does not know one of them. */
cm_status cm_known_events_of_pmus(const char *const *pmus, size_t count, cm_known_events **known, cm_error *error);
/* The events of a PMU in libpfm4's sources; *known stays NULL if they do not have it. */
cm_status cm_known_events_of_sources(const cm_libpfm_sources *sources, const char *pmu, cm_known_events **known,
                                     cm_error *error);
void cm_known_events_free(cm_known_events *known);

/* The list's spelling of the event, by its own name or another project's (data/amd-events); NULL: not listed. */
const char *cm_known_events_spell(const cm_known_events *known, const char *event);

/* Whether the list has the event, in any spelling. */
bool cm_known_events_have(const cm_known_events *known, const char *event);
/* Whether it has the event with each of the unit masks, which libpfm4 does not take together, though. */
bool cm_known_events_clash(const cm_known_events *known, const char *event);
/* Offers all names, for the one that was probably meant. */
void cm_known_events_offer(const cm_known_events *known, cm_near *near);

/* "libpfm4's list for spr", or the path. */
const char *cm_known_events_title(const cm_known_events *known);

#endif
