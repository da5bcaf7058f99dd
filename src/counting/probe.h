/* Components are initialised in a process of their own before they are in this one. */
#ifndef CM_COUNTING_PROBE_H
#define CM_COUNTING_PROBE_H

#include "counting/session.h"

/* Forks a probe that initialises PAPI and asks every component for its events. Where it crashes, ends or gives no sign
 * of life for `seconds` (0: CM_COMPONENT_SECONDS), the component to blame is disabled for this process, and the
 * session's `lost` says why. Where PAPI is initialised already, nothing is done. CM_UNSUPPORTED where the probe is lost
 * and no component is to blame, or where it cannot be forked. */
cm_status cm_probe_components(cm_counting *counting, double seconds, cm_error *error);

#endif
