/* GPUs that are there: opened before PAPI is, and counted in the process that opened them, for drivers do not survive a
 * fork. */
#ifndef CM_COUNTING_GPU_H
#define CM_COUNTING_GPU_H

#include "counting/session.h"

/* Whether events of that component of PAPI's count GPUs. */
bool cm_is_gpu_component(const char *component);

/* Whether the session works with a GPU that is there: then whatever counts stays in this process. */
bool cm_counting_stays(const cm_counting *counting);

/* Whether a name of such a component is listed, as the choice of the session says. `qualified`: it has a qualifier. */
bool cm_gpu_event_wanted(const cm_counting *counting, const char *component, const char *name, bool qualified);

/* Why no event of a GPU can be counted, "" where one can. Returns `buffer`. */
char *cm_why_no_gpu(const cm_counting *counting, char *buffer, size_t size);

#endif
