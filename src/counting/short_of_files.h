/* Lack of files, which is not the fault of an event. */
#ifndef CM_COUNTING_SHORT_OF_FILES_H
#define CM_COUNTING_SHORT_OF_FILES_H

#include <catmint/counting.h>

/* Returns `status`, the result of a function of the set, or CM_NO_MEMORY instead of CM_UNSUPPORTED if the set was
 * refused because the process has no more files. Functions of the set do not decide this, because the caller may be
 * able to close some. */
cm_status cm_event_set_judge(const cm_event_set *set, cm_status status, cm_error *error);

#endif
