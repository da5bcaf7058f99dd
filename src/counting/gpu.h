/* This machine's GPUs: opened before PAPI, and counted in the process that opened them, because drivers do not survive
 * a fork. */
#ifndef CM_COUNTING_GPU_H
#define CM_COUNTING_GPU_H

#include "counting/counting.h"

/* Whether PAPI's component has events of GPUs. */
bool cm_is_gpu_component(const char *component);

/* Whether the session uses one of this machine's GPUs, so that all counting stays in this process. */
bool cm_counting_stays(const cm_counting *counting);

/* Whether the component is asked for its events at all: this initialises the driver, which takes a second. */
bool cm_gpu_component_asked(const cm_counting *counting, const char *component);

/* Whether the session's patterns take a name of such a component. `qualified`: it has a qualifier. */
bool cm_gpu_event_wanted(const cm_counting *counting, const char *component, const char *name, bool qualified);

/* The result of completing a name without qualifiers by pattern `number` of the session. */
typedef enum cm_gpu_completion {
    CM_GPU_NO_PATTERN, /* no pattern has that number or a higher one */
    CM_GPU_OTHER_NAME,
    CM_GPU_COMPLETED, /* `completed` is the name with the pattern's qualifiers, which have no wildcards */
} cm_gpu_completion;

cm_gpu_completion cm_gpu_event_complete(const cm_counting *counting, const char *component, const char *name,
                                        size_t number, char *completed, size_t size);

/* Whether an event is counted in a set of its own. PAPI's component cuda checks how many passes over a kernel an event
 * needs, but not a set: a set that needs two does not start, and afterwards no set starts in this process. Metrics of
 * instructions (`sass`) are counted together in one pass. */
bool cm_gpu_event_is_alone(const char *component, const char *name);

/* Writes the reason why no event of a GPU can be counted, "" if one can. Returns `buffer`. */
char *cm_why_no_gpu(const cm_counting *counting, char *buffer, size_t size);

#endif
