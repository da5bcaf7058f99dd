/* PAPI's state, and the texts of its codes. */
#include "counting/counting.h"

#include <papi.h>
#include <pthread.h>

const char *const cm_source_name = "PAPI";
const int cm_source_no_memory = PAPI_ENOMEM, cm_source_full = PAPI_ECNFLCT;
const char *const cm_source_no_core = "this PAPI was built without its perf_event component";

cm_status cm_source_open(bool *owned, cm_error *error)
{
    if (PAPI_is_initialized() != PAPI_NOT_INITED) {
        *owned = false;
        return CM_OK;
    }
    errno = 0;
    int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version == PAPI_VER_CURRENT) {
        *owned = true;
        return CM_OK;
    }
    if (version > 0)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "PAPI %d.%d is loaded, catmint was built for PAPI %d.%d: install the matching libpapi",
                       PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version), PAPI_VERSION_MAJOR(PAPI_VER_CURRENT),
                       PAPI_VERSION_MINOR(PAPI_VER_CURRENT));
    char text[256];
    return CM_FAIL(error, CM_UNSUPPORTED, "PAPI cannot be initialised: %s",
                   cm_source_text(version, errno, text, sizeof text));
}

void cm_source_close(bool owned)
{
    if (owned)
        PAPI_shutdown();
}

int cm_source_use_threads(void)
{
    return PAPI_thread_init((unsigned long (*)(void))(uintptr_t)pthread_self);
}

char *cm_source_papi_version(char *text, size_t size)
{
    int version = PAPI_get_opt(PAPI_LIB_VERSION, NULL);
    snprintf(text, size, "%d.%d.%d", PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version),
             PAPI_VERSION_REVISION(version));
    return text;
}

int cm_source_find_event(const char *name, int *code)
{
    bool found = PAPI_event_name_to_code(name, code) == PAPI_OK && (*code & (int)PAPI_NATIVE_MASK) != 0;
    return found ? PAPI_get_event_component(*code) : -1;
}

char *cm_source_text(int code, int system_error, char *buffer, size_t size)
{
    const char *text = code > 0 ? strerror(code) : PAPI_strerror(code);
    if (text == NULL)
        snprintf(buffer, size, "PAPI's error %d", code);
    else if (code == PAPI_ESYS && system_error != 0)
        snprintf(buffer, size, "%s (%s)", text, strerror(system_error));
    else
        snprintf(buffer, size, "%s", text);
    return buffer;
}

/* Whether less memory is left than a set needs. */
static bool memory_is_short(void)
{
    void *memory = malloc(1 << 20);
    free(memory);
    return memory == NULL;
}

bool cm_source_is_short(int code, int system_error)
{
    if (code == PAPI_ESYS && system_error == ENFILE)
        return true;
    bool of_memory = code == ENOMEM || code == PAPI_ENOMEM || (code == PAPI_ESYS && system_error == ENOMEM);
    return of_memory && memory_is_short();
}

cm_status cm_source_short(int code, int system_error, cm_error *error)
{
    if (code == ENOMEM || code == PAPI_ENOMEM || system_error == ENOMEM)
        return cm_error_no_memory(error);
    return CM_FAIL(error, CM_NO_MEMORY, "cannot open another file: %s", strerror(system_error));
}

bool cm_source_is_short_of_files(int code, int system_error)
{
    return code == EMFILE || (code == PAPI_ESYS && system_error == EMFILE);
}
