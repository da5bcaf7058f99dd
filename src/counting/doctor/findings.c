#include "counting/doctor/doctor.h"

#include "core/base.h"

/* Copies a finding; false without memory. */
static bool keep_finding(cm_doctor *doctor, const cm_doctor_finding *finding)
{
    if (!CM_GROW_BY_ONE(doctor->findings, doctor->count))
        return false;
    cm_doctor_finding *kept = &doctor->findings[doctor->count];
    *kept =
        (cm_doctor_finding){strdup(finding->name), finding->severity, strdup(finding->text), strdup(finding->advice)};
    doctor->count++;
    return kept->name != NULL && kept->text != NULL && kept->advice != NULL;
}

void cm_doctor_note(cm_doctor *doctor, cm_doctor_severity severity, const char *name, const char *advice,
                    const char *format, ...)
{
    char text[2048];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    const cm_doctor_finding finding = {name, severity, text, advice};
    if (!doctor->short_of_memory && !keep_finding(doctor, &finding))
        doctor->short_of_memory = true;
}

static void drop_text(const char *text)
{
    free((void *)(uintptr_t)text); /* allocated by keep_finding() */
}

void cm_doctor_free(cm_doctor *doctor)
{
    if (doctor == NULL)
        return;
    for (size_t i = 0; i < doctor->count; i++) {
        drop_text(doctor->findings[i].name);
        drop_text(doctor->findings[i].text);
        drop_text(doctor->findings[i].advice);
    }
    CM_FREE(doctor->findings, doctor);
}

CM_GETTER(size_t cm_doctor_finding_count(const cm_doctor *doctor), doctor->count)
CM_GETTER(cm_doctor_finding cm_doctor_get(const cm_doctor *doctor, size_t finding), doctor->findings[finding])

size_t cm_doctor_count(const cm_doctor *doctor, cm_doctor_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < doctor->count; i++)
        count += doctor->findings[i].severity == severity;
    return count;
}

const char *cm_doctor_severity_name(cm_doctor_severity severity)
{
    static const char *const names[] = {"stops", "disturbs", "note"};
    return names[severity];
}
