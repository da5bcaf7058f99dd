#include <catmint/doctor.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "counting/doctor/doctor.h"

struct cm_doctor {
    struct cm_doctor_finding *findings;
    size_t count;
    bool short_of_memory;
};

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
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const cm_doctor_finding finding = {name, severity, text, advice};
    if (!doctor->short_of_memory && !keep_finding(doctor, &finding))
        doctor->short_of_memory = true;
}

/* Reports components of PAPI that are disabled. An obstacle to all of perf_event has its advice already. */
static void check_components(cm_doctor *doctor, const cm_counting *counting)
{
    const bool advised = cm_doctor_count(doctor, CM_SEVERITY_STOPS) > 0;
    for (size_t i = 0; i < cm_counting_component_count(counting); i++) {
        cm_component_info component = cm_counting_component(counting, i);
        if (component.enabled)
            continue;
        char name[64];
        snprintf(name, sizeof name, "papi-%s", component.name);
        const char *reason = component.reason[0] != '\0' ? component.reason : "PAPI does not say why";
        size_t length = strlen(reason);
        cm_doctor_note(doctor, strcmp(component.name, "perf_event") == 0 ? CM_SEVERITY_STOPS : CM_SEVERITY_NOTE, name,
                       advised && strncmp(component.name, "perf_event", strlen("perf_event")) == 0 ? ""
                                                                                                   : component.hint,
                       "PAPI's component %s is disabled: %.*s.", component.name,
                       (int)(length - (reason[length - 1] == '.')), reason);
    }
}

static int by_severity(const void *a, const void *b)
{
    const cm_doctor_finding *left = a, *right = b;
    if (left->severity != right->severity)
        return left->severity < right->severity ? -1 : 1;
    return strcmp(left->name, right->name);
}

cm_status cm_doctor_create(const cm_doctor_options *options, cm_doctor **doctor, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_doctor_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    const char *root = options->root != NULL ? options->root : "";
    *doctor = NULL;
    if (!cm_source_exists(root, "proc"))
        return cm_error_set(error, CM_BAD_INPUT, root, 0, 0, "there is no directory 'proc' in it");
    cm_doctor *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    cm_doctor_check_access(made, root);
    cm_doctor_check_cores(made, root);
    cm_doctor_check_containers(made, root);
    cm_doctor_check_memory(made, root);
    if (options->counting != NULL)
        check_components(made, options->counting);
    if (made->short_of_memory) {
        cm_doctor_free(made);
        return cm_error_no_memory(error);
    }
    if (made->count > 1)
        qsort(made->findings, made->count, sizeof *made->findings, by_severity);
    *doctor = made;
    return CM_OK;
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
    free(doctor->findings);
    free(doctor);
}

size_t cm_doctor_finding_count(const cm_doctor *doctor)
{
    return doctor->count;
}

cm_doctor_finding cm_doctor_get(const cm_doctor *doctor, size_t finding)
{
    return doctor->findings[finding];
}

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
