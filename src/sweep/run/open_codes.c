#include "sweep/run/run.h"

/* CM_BAD_ARGUMENT if an event named by its code is of another device; SIZE_MAX: any device. */
static cm_status check_device(const struct cm_raw *raw, const char *event, size_t *device, cm_error *error)
{
    cm_raw_code code;
    if (!cm_raw_name_parse(raw->devices, raw->device_count, event, &code))
        return CM_OK; /* an unknown event is reported later */
    if (*device != SIZE_MAX && *device != code.device)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "codes of %s and %s cannot be counted together: each counts on its own cores",
                       raw->devices[*device].name, raw->devices[code.device].name);
    *device = code.device;
    return CM_OK;
}

/* Finds the device of the codes in the options. */
static cm_status find_device(const cm_sweep_state *state, size_t *device, cm_error *error)
{
    const cm_sweep_options *options = state->options;
    const struct cm_raw *raw = state->counting->raw;
    cm_raw_spec spec;
    cm_status status = CM_OK;
    if (options->raw != NULL) {
        status = cm_raw_spec_parse(options->raw, raw->devices, raw->device_count, &spec, error);
        *device = spec.device;
    }
    for (size_t i = 0; status == CM_OK && i < options->events_count; i++)
        status = check_device(raw, cm_component_bare(options->events[i]), device, error);
    return status;
}

static bool names_codes(const cm_sweep_options *options)
{
    for (size_t i = 0; i < options->events_count; i++)
        if (cm_raw_is_name(cm_component_bare(options->events[i])))
            return true;
    return false;
}

cm_status cm_sweep_open_codes(cm_sweep_state *state, cm_error *error)
{
    const cm_sweep_options *options = state->options;
    size_t device = SIZE_MAX;
    if (options->uncore || (options->raw == NULL && !names_codes(options)))
        return CM_OK;
    cm_status status = cm_raw_open(state->counting, options->root, error);
    if (status == CM_UNSUPPORTED && options->raw == NULL)
        return CM_OK; /* without codes, unknown events are reported later */
    CM_THEN(status, find_device(state, &device, error));
    if (status != CM_OK || device == SIZE_MAX)
        return status;
    const cm_raw_device *found = &state->counting->raw->devices[device];
    return cm_device_cores_bind(found->name, found->cpus, &state->device_cores, error);
}
