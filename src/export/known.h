/* The events that another program knows: a definition with any other one is of no use to it. */
#ifndef CM_EXPORT_KNOWN_H
#define CM_EXPORT_KNOWN_H

#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_known_events cm_known_events;

/* Of a file or a folder's files (.json, .txt): perf's or perfmon's lists of events in JSON, LIKWID's counter lists
 * (perfmon_*_events.txt), or any text whose lines begin with names. CM_BAD_INPUT where there is none in it. */
cm_status cm_known_events_load(const char *path, cm_known_events **known, cm_error *error);
/* libpfm4's of these PMUs, those that all of them have; *known stays NULL where libpfm4 does not know one of them. */
cm_status cm_known_events_of_pmus(const char *const *pmus, size_t count, cm_known_events **known, cm_error *error);
void cm_known_events_free(cm_known_events *known);

/* How the list spells the event, by its own name, or by another project's name of it (data/amd-events); NULL: it is not
 * there. */
const char *cm_known_events_spell(const cm_known_events *known, const char *event);

/* "libpfm4's list for spr", or the path. */
const char *cm_known_events_title(const cm_known_events *known);

#endif
