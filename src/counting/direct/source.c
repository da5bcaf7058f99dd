/* Without PAPI nothing is initialised, and no component can fail. Codes are those of errno. */
#include "counting/counting.h"

const char *const cm_source_name = "the software PMU";
const int cm_source_no_memory = ENOMEM, cm_source_full = ENOSPC;
const char *const cm_source_no_core = "this catmint was built without PAPI";

cm_status cm_probe_components(cm_counting *counting, double seconds, cm_error *error)
{
    (void)counting;
    (void)seconds;
    (void)error;
    return CM_OK;
}

cm_status cm_source_open(bool *owned, cm_error *error)
{
    (void)error;
    *owned = false;
    return CM_OK;
}

void cm_source_close(bool owned)
{
    (void)owned;
}

int cm_source_use_threads(void)
{
    return 0;
}

char *cm_source_papi_version(char *text, size_t size)
{
    snprintf(text, size, "%s", "");
    return text;
}

int cm_source_find_event(const char *name, int *code)
{
    (void)name; /* all events are listed */
    (void)code;
    return -1;
}

cm_status cm_source_publish(const cm_pmu_model *model, cm_error *error)
{
    (void)model;
    (void)error;
    return CM_OK;
}

void cm_source_withdraw(void)
{
}

bool cm_source_is_short(int code, int system_error)
{
    (void)system_error;
    return code == ENOMEM;
}

cm_status cm_source_short(int code, int system_error, cm_error *error)
{
    (void)code;
    (void)system_error;
    return cm_error_no_memory(error);
}

bool cm_source_is_short_of_files(int code, int system_error)
{
    (void)code;
    (void)system_error;
    return false;
}

char *cm_source_text(int code, int system_error, char *buffer, size_t size)
{
    (void)system_error;
    snprintf(buffer, size, "%s", strerror(code));
    return buffer;
}
