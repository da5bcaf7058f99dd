/* Records findings of the checks. */
#ifndef CM_DOCTOR_FINDINGS_H
#define CM_DOCTOR_FINDINGS_H

#include <catmint/doctor.h>

/* Records a finding; its text is formatted with the arguments, `advice` is not copied (a literal). A lack of memory
 * shows at the end. */
void cm_doctor_note(cm_doctor *doctor, cm_severity severity, const char *name, const char *advice, const char *format,
                    ...) CM_PRINTF(5, 6);

/* Each checks the files below `root`. */
void cm_doctor_check_access(cm_doctor *doctor, const char *root);
void cm_doctor_check_cores(cm_doctor *doctor, const char *root);
void cm_doctor_check_containers(cm_doctor *doctor, const char *root);
void cm_doctor_check_memory(cm_doctor *doctor, const char *root);

#endif
