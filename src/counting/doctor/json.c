#include "counting/doctor/doctor.h"

#include "core/json.h"

json_t *cm_doctor_json(const cm_doctor *doctor)
{
    json_t *findings = json_array();
    for (size_t i = 0; i < cm_doctor_finding_count(doctor); i++) {
        cm_doctor_finding finding = cm_doctor_get(doctor, i);
        findings =
            cm_json_append(findings, json_pack("{s:o, s:s, s:o, s:o}", "finding", cm_json_text(finding.name),
                                               "severity", cm_doctor_severity_name(finding.severity), "text",
                                               cm_json_text(finding.text), "advice", cm_json_text(finding.advice)));
    }
    return findings;
}
