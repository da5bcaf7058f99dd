/* Obstacles to counting on this machine, in words, with advice. Reads the kernel's files in /proc and /sys, and PAPI's
 * account of its components. Changes nothing. */
#ifndef CATMINT_DOCTOR_H
#define CATMINT_DOCTOR_H

#include <stddef.h>

#include <catmint/counting.h>
#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_doctor_severity {
    CM_SEVERITY_STOPS,    /* no or not all hardware events can be counted */
    CM_SEVERITY_DISTURBS, /* counts are noisier, or fewer counters are available */
    CM_SEVERITY_NOTE,     /* good to know when results are compared */
} cm_doctor_severity;

typedef struct cm_doctor_finding {
    const char *name; /* "nmi-watchdog": the same on every machine */
    cm_doctor_severity severity;
    const char *text;   /* a sentence or two */
    const char *advice; /* "" if there is none */
} cm_doctor_finding;

typedef struct cm_doctor cm_doctor;

typedef struct cm_doctor_options {
    size_t size;                 /* of this structure */
    const char *root;            /* the directory that holds proc and sys; NULL: "", this machine's own */
    const cm_counting *counting; /* its components are examined; NULL: none */
} cm_doctor_options;
CM_OPTIONS_DEFAULT(cm_doctor_options)

/* CM_BAD_INPUT if the root has no directory proc. A missing file tells nothing, and is no error. `counting` is not
 * needed afterwards. */
CM_API cm_status cm_doctor_create(const cm_doctor_options *options, cm_doctor **doctor, cm_error *error);
CM_API void cm_doctor_free(cm_doctor *doctor);

/* In the order of severity: stops, disturbs, note; by name within each. Texts live as long as `doctor`. */
CM_API size_t cm_doctor_finding_count(const cm_doctor *doctor);
CM_API cm_doctor_finding cm_doctor_get(const cm_doctor *doctor, size_t finding);
/* Number of findings of one severity. */
CM_API size_t cm_doctor_count(const cm_doctor *doctor, cm_doctor_severity severity);
/* "stops", "disturbs", "note". */
CM_API const char *cm_doctor_severity_name(cm_doctor_severity severity);

#ifdef __cplusplus
}
#endif
#endif
