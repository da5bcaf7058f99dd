/* Work for all cores. */
#ifndef CM_CORE_CORES_H
#define CM_CORE_CORES_H

/* Calls `work` with `context` in as many threads as there are cores, this one among them, and returns when all have
 * returned. Threads that cannot be had are missed only by the clock. */
void cm_on_all_cores(void *(*work)(void *), void *context);

#endif
