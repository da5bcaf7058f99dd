/* A session of counting: its PMU chosen, its events listed, and its end. */
#include <stdatomic.h>
#include <time.h>

#include "counting/uncore/uncore.h"

static const char default_model[] = CM_DEFAULT_MODEL, default_gpu[] = "hopper";

/* PAPI's state belongs to the process, so only one session is open at a time. */
static atomic_flag session_open = ATOMIC_FLAG_INIT;

const char *cm_default_model(void)
{
    return default_model;
}

cm_status cm_pmu_choice_parse(const char *text, cm_pmu_choice *choice, cm_error *error)
{
    static const char with_model[] = "software:";
    size_t length = sizeof with_model - 1;
    if (strcmp(text, "auto") == 0)
        *choice = (cm_pmu_choice){.kind = CM_PMU_AUTO};
    else if (strcmp(text, "hardware") == 0)
        *choice = (cm_pmu_choice){.kind = CM_PMU_HARDWARE};
    else if (strcmp(text, "software") == 0)
        *choice = (cm_pmu_choice){.kind = CM_PMU_SOFTWARE};
    else if (strncmp(text, with_model, length) == 0 && text[length] != '\0')
        *choice = (cm_pmu_choice){.kind = CM_PMU_SOFTWARE, .model = text + length};
    else
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "unknown PMU \"%s\": expected auto, hardware, software, software:MODEL or software:DIR", text);
    return CM_OK;
}

static cm_status list_all_but_software(cm_counting *counting, cm_error *error)
{
    cm_status status = cm_enumerate_components(counting, error);
    for (size_t i = 0; status == CM_OK && i < counting->component_count; i++)
        if (strcmp(counting->components[i].name, "sde") != 0)
            status = cm_enumerate_events(counting, i, error);
    return status == CM_OK ? cm_try_events(counting, 0, error) : status;
}

/* Lists software-defined events of other libraries in this process; the software PMU lists them with the model's. */
static cm_status list_others_software_events(cm_counting *counting, cm_error *error)
{
    size_t first = counting->event_count;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < counting->component_count; i++)
        if (strcmp(counting->components[i].name, "sde") == 0)
            status = cm_enumerate_events(counting, i, error);
    return status == CM_OK ? cm_try_events(counting, first, error) : status;
}

static cm_status no_hardware(const cm_counting *counting, const char *why, cm_error *error)
{
    static const char others[] = "; the kernel's own events are used only if --events or --component selects them";
    const char *hint = cm_hint_to_hardware(counting);
    return CM_FAIL(error, CM_UNSUPPORTED, "%s%s%s%s", why, hint[0] != '\0' ? "; " : "", hint,
                   cm_anything_to_count(counting, true) ? others : "");
}

/* Chooses the PMU and records the reason. */
static cm_status choose_source(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error)
{
    char why[1024], pmu[320], reason[1152];
    cm_why_no_hardware(counting, why, sizeof why);
    bool core_counts = why[0] == '\0';
    if (choice->kind == CM_PMU_HARDWARE && !choice->gpu && !core_counts &&
        !cm_anything_to_count(counting, choice->any_event))
        return no_hardware(counting, why, error);
    if (choice->gpu && choice->kind != CM_PMU_SOFTWARE)
        core_counts = cm_why_no_gpu(counting, why, sizeof why)[0] == '\0';
    if (choice->gpu && choice->kind == CM_PMU_HARDWARE && !core_counts)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s", why);
    bool software = choice->kind == CM_PMU_SOFTWARE || (choice->kind == CM_PMU_AUTO && !core_counts);
    if (software) {
        if (choice->kind == CM_PMU_AUTO)
            cm_core_release(counting); /* the model's cores are all alike */
        const char *model = choice->model != NULL ? choice->model : choice->gpu ? default_gpu : default_model;
        cm_gpu_session_close(counting->gpu); /* no event counts it */
        counting->gpu = NULL;
        const char *core = choice->kind == CM_PMU_SOFTWARE ? choice->core : NULL;
        cm_status status = cm_take_software_pmu(counting, model, core, error);
        if (status != CM_OK)
            return status;
        snprintf(pmu, sizeof pmu, "software:%s", cm_pmu_model_name(counting->model));
    } else {
        snprintf(pmu, sizeof pmu, "hardware");
        cm_status status = list_others_software_events(counting, error);
        CM_THEN(status, cm_core_set_others_aside(counting, choice, error));
        if (status != CM_OK)
            return status;
    }
    if (choice->kind == CM_PMU_AUTO)
        snprintf(reason, sizeof reason, "%s", software ? why : "hardware events can be counted here");
    else
        snprintf(reason, sizeof reason, "requested%s%s", software || core_counts ? "" : ", though ",
                 software ? "" : why);
    counting->pmu = cm_text_store_add(&counting->texts, pmu);
    counting->reason = cm_text_store_add(&counting->texts, reason);
    return counting->pmu != NULL && counting->reason != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Opens the components, lists their events, and chooses the PMU. */
static cm_status open_session(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error)
{
    counting->choice = choice;
    cm_machine_read(&counting->machine);
    cm_status status = cm_core_choose(counting, choice, error);
    CM_THEN(status, cm_probe_components(counting, choice->component_seconds, error));
    if (status == CM_OK && choice->gpu && choice->kind == CM_PMU_HARDWARE)
        status = cm_gpu_session_open(NULL, NULL, &counting->gpu, error);
    else if (status == CM_OK && choice->gpu && choice->kind == CM_PMU_AUTO)
        cm_gpu_session_open(NULL, NULL, &counting->gpu, NULL); /* on failure the model is chosen, with the reason */
    CM_THEN(status, cm_source_open(&counting->papi_owned, error));
    if (status != CM_OK)
        return status;
    char version[64];
    counting->papi_version = cm_text_store_add(&counting->texts, cm_source_papi_version(version, sizeof version));
    status = counting->papi_version != NULL ? list_all_but_software(counting, error) : cm_error_no_memory(error);
    return status == CM_OK ? choose_source(counting, choice, error) : status;
}

cm_status cm_counting_open(const cm_pmu_choice *choice, cm_counting **counting, cm_error *error)
{
    if (atomic_flag_test_and_set(&session_open))
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "a counting session is open already: close it first, PAPI allows one per process");
    cm_counting *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        atomic_flag_clear(&session_open);
        return cm_error_no_memory(error);
    }
    cm_status status = open_session(opened, choice, error);
    if (status != CM_OK) {
        cm_counting_close(opened);
        return status;
    }
    opened->choice = NULL;
    *counting = opened;
    return CM_OK;
}

void cm_counting_close(cm_counting *counting)
{
    if (counting == NULL)
        return;
    cm_core_release(counting);
    cm_source_withdraw();
    cm_model_counts_end();
    /* Closing a source that counted a GPU would unload libraries that the driver still calls, so it stays until the
     * process ends. */
    cm_source_close(counting->papi_owned && !cm_counting_stays(counting));
    cm_gpu_session_close(counting->gpu);
    cm_software_pmu_free(counting->software_pmu);
    cm_pmu_model_free(counting->model);
    cm_raw_close(counting);
    cm_uncore_close(counting);
    CM_FREE(counting->lost, counting->components, counting->events);
    cm_text_store_clear(&counting->texts);
    free(counting);
    atomic_flag_clear(&session_open);
}

CM_GETTER(const char *cm_counting_pmu(const cm_counting *counting), counting->pmu)
CM_GETTER(const char *cm_counting_reason(const cm_counting *counting), counting->reason)
CM_GETTER(const char *cm_counting_papi_version(const cm_counting *counting), counting->papi_version)
CM_GETTER(cm_software_pmu *cm_counting_software_pmu(const cm_counting *counting), counting->software_pmu)
CM_GETTER(const cm_pmu_model *cm_counting_model(const cm_counting *counting), counting->model)
CM_GETTER(size_t cm_counting_component_count(const cm_counting *counting), counting->component_count)

cm_component_info cm_counting_component(const cm_counting *counting, size_t component)
{
    const cm_component_record *record = &counting->components[component];
    return (cm_component_info){record->name,   record->description, record->enabled,    record->failed,
                               record->reason, record->hint,        record->event_count};
}

CM_GETTER(size_t cm_counting_event_count(const cm_counting *counting), counting->event_count)

cm_native_event cm_counting_event(const cm_counting *counting, size_t event)
{
    const cm_event_record *record = &counting->events[event];
    return (cm_native_event){
        record->name,      record->papi_name, record->description, record->component,
        record->countable, record->reason,    record->hint,        record->outcome != NULL ? record->outcome : ""};
}

cm_status cm_counting_run(cm_counting *counting, void (*function)(void *argument), void *argument, cm_error *error)
{
    if (counting->software_pmu != NULL)
        return cm_software_pmu_run(counting->software_pmu, function, argument, error);
    function(argument);
    return CM_OK;
}

double cm_counting_ticks(const cm_counting *counting)
{
    struct timespec now;
    if (counting->software_pmu != NULL)
        return (double)cm_model_counts_ticks();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}
