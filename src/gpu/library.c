#include "gpu/gpu.h"

#include <dlfcn.h>

#include "core/base.h"

/* Looks the driver's functions up; a missing one means that the driver is too old. */
static cm_status find_all(void *library, const char *path, const char *driver, const cm_gpu_symbol *symbols,
                          size_t count, void *functions, cm_error *error)
{
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(library, symbols[i].name);
        if (found == NULL)
            return CM_FAIL(error, CM_UNSUPPORTED, "%s is too old: %s has no function %s", driver, path,
                           symbols[i].name);
        memcpy((char *)functions + symbols[i].offset, &found, sizeof found);
    }
    return CM_OK;
}

cm_status cm_gpu_library_open(const char *const *names, const char *driver, const cm_gpu_symbol *symbols, size_t count,
                              void *functions, void **library, cm_error *error)
{
    char said[CM_ERROR_TEXT_SIZE] = "";
    void *opened = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    while (opened == NULL) {
        cm_text_append(said, sizeof said, "; ", "%s", dlerror());
        if (*++names == NULL)
            break;
        opened = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    }
    if (opened == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s cannot be loaded: %s", driver, said);
    cm_status status = find_all(opened, *names, driver, symbols, count, functions, error);
    CM_HAND_OVER(status, library, opened, dlclose);
    return status;
}

void cm_gpu_library_close(void *library)
{
    if (library != NULL)
        dlclose(library);
}
