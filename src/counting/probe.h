/* Initialises components in a separate process before this one does. */
#ifndef CM_COUNTING_PROBE_H
#define CM_COUNTING_PROBE_H

#include "counting/session.h"

/* Forks a probe that initialises PAPI and asks every component for its events. If it crashes, ends, or is silent for
 * `seconds` (0: CM_COMPONENT_SECONDS), the component that causes this is disabled for this process, and the session's
 * `lost` has the reason. If PAPI is initialised already, nothing is done. CM_UNSUPPORTED if the probe is lost and no
 * component causes it, or if it cannot be forked. */
cm_status cm_probe_components(cm_counting *counting, double seconds, cm_error *error);

#endif
