/* How the rooms' checks note what they find. */
#ifndef CM_DOCTOR_FINDINGS_H
#define CM_DOCTOR_FINDINGS_H

#include <catmint/doctor.h>

/* Notes a finding; its text is printed with the arguments, `advice` is kept as it is (a literal). Running out of memory
 * is seen at the end. */
void cm_doctor_note(cm_doctor *doctor, cm_severity severity, const char *name, const char *advice, const char *format,
                    ...) CM_PRINTF(5, 6);

/* Each looks below `root`. */
void cm_doctor_check_access(cm_doctor *doctor, const char *root);
void cm_doctor_check_cores(cm_doctor *doctor, const char *root);
void cm_doctor_check_containers(cm_doctor *doctor, const char *root);
void cm_doctor_check_memory(cm_doctor *doctor, const char *root);

#endif
