/* All checks of the doctor, in order. */
#include "core/base.h"
#include "counting/doctor/doctor.h"

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
