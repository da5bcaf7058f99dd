/* The library of the software GPU found, loaded and configured. */
#include "software_pmu/gpu/engine.h"

#include "core/files.h"
#include "software_pmu/gpu/device.h"

struct state {
    void *library;
    cm_software_gpu_configure_function *configure;
    cm_software_gpu_facts_function *facts;
};

static const cm_gpu_symbol symbols[] = {
    {CM_SOFTWARE_GPU_CONFIGURE, offsetof(struct state, configure)},
    {CM_SOFTWARE_GPU_FACTS, offsetof(struct state, facts)},
};

cm_status cm_software_gpu_library(char **path, cm_error *error)
{
    static const char name[] = "libcatmint_software_gpu.so";
    cm_status status = cm_plugin_path(name, path, error);
    if (status == CM_OK && *path == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the software GPU (%s) is not in lib/catmint beside this program: 'cmake --build build --target "
                       "catmint_software_gpu' builds it",
                       name);
    return status;
}

/* Loads the software GPU's library and configures its devices. */
static cm_status create_engine(const cm_pmu_machine *machine, void **state, cm_error *error)
{
    char *path = NULL;
    struct state *created = calloc(1, sizeof *created);
    cm_status status = created != NULL ? cm_software_gpu_library(&path, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_gpu_library_open((const char *[]){path, NULL}, "the software GPU", symbols, CM_COUNT_OF(symbols),
                                        created, &created->library, error));
    free(path);
    if (status != CM_OK) {
        free(created);
        return status;
    }
    created->configure(machine);
    *state = created;
    return CM_OK;
}

static void free_state(void *state)
{
    cm_gpu_library_close(((struct state *)state)->library);
    free(state);
}

static cm_status run_function(void *state, void (*function)(void *argument), void *argument, cm_error *error)
{
    (void)state;
    (void)error;
    function(argument);
    return CM_OK;
}

static const uint64_t *facts_of(const void *state)
{
    return ((const struct state *)state)->facts(0);
}

static void seed_engine(void *state, uint64_t seed_of_run)
{
    (void)state; /* a GPU has no interference to seed */
    (void)seed_of_run;
}

const cm_engine cm_gpu_engine = {create_engine, free_state, run_function, facts_of, seed_engine, NULL};
