/* The common part of both vendors' drivers: entry points, contexts and launches. */
#include "gpu/driver.h"

#include "core/base.h"

cm_status cm_gpu_check(const cm_gpu_driver *driver, int result, const char *action, const char *log, cm_error *error)
{
    const char *name = NULL, *text = NULL;
    if (result == 0)
        return CM_OK;
    driver->dialect->find_words(driver, result, &name, &text);
    return CM_FAIL(error, CM_UNSUPPORTED, "%s: %s (%s %d)%s%.600s", action, text != NULL ? text : "",
                   name != NULL ? name : "an unknown error", result, log[0] != '\0' ? ": " : "", log);
}

/* Makes the device of a loaded kernel the current one. */
static int turn_to(const cm_gpu_loaded *loaded)
{
    return loaded->driver->dialect->use(loaded->driver, loaded->device);
}

/* Fails with the driver's name in front of the action. */
static cm_status check_driver(const cm_gpu_driver *driver, int result, const char *action, cm_error *error)
{
    char text[64];
    snprintf(text, sizeof text, "%s %s", driver->dialect->name, action);
    return cm_gpu_check(driver, result, text, "", error);
}

/* ---- the driver ---- */

/* Starts the driver and counts its devices; none is an error. */
static cm_status count_devices(cm_gpu_driver *driver, cm_error *error)
{
    int count = 0;
    cm_status status = check_driver(driver, driver->calls->init(0), "does not start", error);
    CM_THEN(status, check_driver(driver, driver->calls->device_count(&count), "does not list devices", error));
    if (status == CM_OK && count <= 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s has no device", driver->dialect->name);
    driver->devices = (size_t)(count < CM_GPU_CALL_DEVICES ? count : CM_GPU_CALL_DEVICES);
    return status;
}

void cm_gpu_driver_close(cm_gpu_driver *driver)
{
    if (driver == NULL)
        return;
    for (size_t i = 0; driver->dialect->leave != NULL && i < driver->devices; i++)
        driver->dialect->leave(driver, i);
    cm_gpu_library_close(driver->library);
    CM_FREE(driver->calls, driver);
}

cm_status cm_gpu_driver_open(const cm_gpu_dialect *dialect, const char *library, cm_gpu_driver **driver,
                             cm_error *error)
{
    cm_gpu_driver *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    const char *const named[] = {library, NULL};
    opened->dialect = dialect;
    opened->is_software = library != NULL;
    opened->calls = calloc(1, dialect->calls_size);
    cm_status status = opened->calls != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status,
            cm_gpu_library_open(library != NULL ? named : dialect->backend->libraries, dialect->name, dialect->symbols,
                                dialect->symbol_count, opened->calls, &opened->library, error));
    CM_THEN(status, count_devices(opened, error));
    CM_HAND_OVER(status, driver, opened, cm_gpu_driver_close);
    return status;
}

CM_GETTER(size_t cm_gpu_driver_device_count(const cm_gpu_driver *driver), driver->devices)

cm_status cm_gpu_driver_create_context(cm_gpu_driver *driver, size_t device, cm_error *error)
{
    return cm_gpu_check(driver, driver->dialect->use(driver, device), "the device takes no context", "", error);
}

/* ---- kernels ---- */

static cm_status fill_memory(cm_gpu_loaded *loaded, const void *memory, size_t capacity, cm_error *error)
{
    const cm_gpu_calls *calls = loaded->driver->calls;
    cm_status status = cm_gpu_check(loaded->driver, calls->allocate(&loaded->memory, capacity),
                                    "the device has no memory for the kernel", "", error);
    CM_THEN(status, cm_gpu_check(loaded->driver, calls->copy_to(loaded->memory, memory, loaded->size),
                                 "the device takes no data", "", error));
    return status;
}

void cm_gpu_driver_unload(cm_gpu_loaded *loaded)
{
    if (loaded == NULL)
        return;
    turn_to(loaded);
    if (loaded->memory != NULL)
        loaded->driver->calls->release(loaded->memory);
    if (loaded->module != NULL)
        loaded->driver->calls->module_unload(loaded->module);
    free(loaded);
}

cm_status cm_gpu_driver_load(cm_gpu_driver *driver, size_t device, const void *image, const char *entry,
                             const void *memory, size_t size, size_t capacity, cm_gpu_loaded **loaded, cm_error *error)
{
    cm_gpu_loaded *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    *made = (cm_gpu_loaded){.driver = driver, .device = device, .size = size};
    cm_status status = cm_gpu_driver_create_context(driver, device, error);
    CM_THEN(status, driver->dialect->load(made, image, entry, error));
    CM_THEN(status, cm_gpu_check(driver, driver->calls->module_function(&made->function, made->module, entry),
                                 "the driver refuses the kernel", "", error));
    CM_THEN(status, fill_memory(made, memory, capacity, error));
    CM_HAND_OVER(status, loaded, made, cm_gpu_driver_unload);
    return status;
}

static int find_attribute(const cm_gpu_loaded *loaded, int attribute)
{
    int value = 0;
    return loaded->driver->calls->function_attribute(&value, attribute, loaded->function) == 0 ? value : -1;
}

void cm_gpu_driver_describe_code(const cm_gpu_loaded *loaded, cm_gpu_code *code)
{
    turn_to(loaded);
    *code = (cm_gpu_code){find_attribute(loaded, CM_GPU_REGISTERS), find_attribute(loaded, CM_GPU_CODE_VERSION)};
}

cm_status cm_gpu_driver_launch(cm_gpu_loaded *loaded, const cm_gpu_launch *launch, cm_error *error)
{
    uint32_t trips = launch->trips;
    void *parameters[] = {&loaded->memory, &trips};
    int result = turn_to(loaded);
    if (result == 0)
        result = loaded->driver->calls->launch(loaded->function, launch->blocks, 1, 1, launch->threads, 1, 1, 0, NULL,
                                               parameters, NULL);
    return cm_gpu_check(loaded->driver, result, "the device does not launch the kernel", "", error);
}

cm_status cm_gpu_driver_wait(cm_gpu_loaded *loaded, cm_error *error)
{
    int result = turn_to(loaded);
    if (result == 0)
        result = loaded->driver->calls->wait();
    return cm_gpu_check(loaded->driver, result, "the kernel failed on the device", "", error);
}

cm_status cm_gpu_driver_read(cm_gpu_loaded *loaded, void *memory, cm_error *error)
{
    int result = turn_to(loaded);
    if (result == 0)
        result = loaded->driver->calls->copy_from(memory, loaded->memory, loaded->size);
    return cm_gpu_check(loaded->driver, result, "the device gives no data", "", error);
}
