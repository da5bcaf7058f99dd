/* What of this machine stops or disturbs counting, in words, and what can be done about it. Read from the kernel's
 * files in /proc and /sys, and from what PAPI says of its components. Nothing is changed. */
#ifndef CATMINT_DOCTOR_H
#define CATMINT_DOCTOR_H

#include <stddef.h>

#include <catmint/counting.h>
#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_severity {
    CM_SEVERITY_STOPS,    /* hardware events cannot be counted, or not all */
    CM_SEVERITY_DISTURBS, /* counts are noisier, or fewer counters are there */
    CM_SEVERITY_NOTE,     /* good to know when results are compared */
} cm_severity;

typedef struct cm_doctor_finding {
    const char *name; /* "nmi-watchdog": the same wherever it is found */
    cm_severity severity;
    const char *text;   /* a sentence or two */
    const char *advice; /* "" where nothing can be done */
} cm_doctor_finding;

typedef struct cm_doctor cm_doctor;

typedef struct cm_doctor_options {
    const char *root;            /* the folder that holds proc and sys; NULL: "", this machine's own */
    const cm_counting *counting; /* whose components are looked at, NULL: none */
} cm_doctor_options;

/* CM_BAD_INPUT where the root has no proc/ folder. A file that is missing tells nothing, and is no error. `counting` is
 * not needed afterwards. */
CM_API cm_status cm_doctor_create(const cm_doctor_options *options, cm_doctor **doctor, cm_error *error);
CM_API void cm_doctor_free(cm_doctor *doctor);

/* What stops comes first, then what disturbs, then notes; by name within each. Texts live as long as `doctor`. */
CM_API size_t cm_doctor_finding_count(const cm_doctor *doctor);
CM_API cm_doctor_finding cm_doctor_get(const cm_doctor *doctor, size_t finding);
/* Of one severity. */
CM_API size_t cm_doctor_count(const cm_doctor *doctor, cm_severity severity);
/* "stops", "disturbs", "note". */
CM_API const char *cm_severity_name(cm_severity severity);

#ifdef __cplusplus
}
#endif
#endif
