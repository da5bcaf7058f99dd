/* Want of files, for which no event is to blame. */
#ifndef CM_COUNTING_SHORT_OF_FILES_H
#define CM_COUNTING_SHORT_OF_FILES_H

#include <catmint/counting.h>

/* `status`, which a function of the set gave; CM_NO_MEMORY instead of CM_UNSUPPORTED where the set was refused because
 * the process has as many files open as it may. Functions of the set leave that to the caller, who may close some. */
cm_status cm_event_set_judge(const cm_event_set *set, cm_status status, cm_error *error);

#endif
