/* Splits the spelling of an event's name into parts, which <catmint/names.h> describes. */
#ifndef CM_EVENTS_SPELLING_H
#define CM_EVENTS_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

#include "events/component.h"

enum {
    CM_SPELLING_LIMIT = 1023, /* bytes of a spelling */
    CM_SPELLING_SIZE = 1024,
    CM_SPELLING_PMU_SIZE = CM_SPELLING_SIZE,
    CM_SPELLING_KEY_SIZE = 4 * CM_SPELLING_SIZE, /* qualifiers may become longer than they were */
};

typedef struct cm_spelling {
    /* Lower case, with the colons behind a component: "spr", "sde:::", "sde:::golden-cove"; "" if there is none. One of
     * perf's that is not the core's ends in a slash: "cpu_atom/". */
    char pmu[CM_SPELLING_PMU_SIZE];
    char key[CM_SPELLING_KEY_SIZE]; /* shared by all spellings of one event */
    /* PMU, and the key with its original separators: names that share this are one event. */
    char event[CM_SPELLING_PMU_SIZE + CM_SPELLING_KEY_SIZE];
} cm_spelling;

/* False if the text is too long, has no name, or has more qualifiers than any event. */
bool cm_spelling_parse(const char *text, cm_spelling *spelling);

/* How well the PMU of a wanted name matches that of a name in the list. */
typedef enum cm_pmu_match {
    CM_PMU_OTHER,
    CM_PMU_COMPATIBLE, /* one of them is missing, in part or wholly */
    CM_PMU_SAME,
} cm_pmu_match;

/* Whether a PMU, as above, counts a core; true for "". */
bool cm_spelling_is_core(const char *pmu);

cm_pmu_match cm_spelling_match_pmu(const char *wanted, const char *listed);

#endif
