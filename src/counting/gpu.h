/* GPUs that are there: opened before PAPI is, and counted in the process that opened them, for drivers do not survive a
 * fork. */
#ifndef CM_COUNTING_GPU_H
#define CM_COUNTING_GPU_H

#include "counting/session.h"

/* Whether events of that component of PAPI's count GPUs. */
bool cm_is_gpu_component(const char *component);

/* Whether the session works with a GPU that is there: then whatever counts stays in this process. */
bool cm_counting_stays(const cm_counting *counting);

/* Whether such a component is asked for its events at all: it then initialises the driver, which takes a second. */
bool cm_gpu_component_asked(const cm_counting *counting, const char *component);

/* Whether a name that such a component lists is taken, as the choice of the session says. `qualified`: it has a
 * qualifier. */
bool cm_gpu_event_wanted(const cm_counting *counting, const char *component, const char *name, bool qualified);

/* What pattern `number` of the session says about a name without qualifiers. */
typedef enum cm_gpu_completion {
    CM_GPU_NO_PATTERN, /* there is none with that number, nor behind it */
    CM_GPU_OTHER_NAME,
    CM_GPU_COMPLETED, /* with the pattern's qualifiers, which have no wildcards, it is wanted: `completed` */
} cm_gpu_completion;

cm_gpu_completion cm_gpu_event_complete(const cm_counting *counting, const char *component, const char *name,
                                        size_t number, char *completed, size_t size);

/* Whether an event is counted in a set of its own. PAPI's component cuda asks how many passes over a kernel an event
 * needs, not how many a set does: a set that needs two does not start, and no other starts in this process after it.
 * Metrics of instructions (`sass`) are counted together in one. */
bool cm_gpu_event_is_alone(const char *component, const char *name);

/* Why no event of a GPU can be counted, "" where one can. Returns `buffer`. */
char *cm_why_no_gpu(const cm_counting *counting, char *buffer, size_t size);

#endif
