/* Findings as JSON, in the sweep's manifest and in the report. */
#ifndef CM_DOCTOR_JSON_H
#define CM_DOCTOR_JSON_H

#include <jansson.h>

#include <catmint/doctor.h>

/* [{"finding", "severity", "text", "advice"}, ...]; NULL without memory. */
json_t *cm_doctor_json(const cm_doctor *doctor);

#endif
