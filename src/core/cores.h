/* Work for all cores. */
#ifndef CM_CORE_CORES_H
#define CM_CORE_CORES_H

/* Calls `work` with `context` in one thread a core, the calling one among them, and returns when all have returned. If
 * some threads cannot be started, the work only takes longer. */
void cm_on_all_cores(void *(*work)(void *), void *context);

#endif
