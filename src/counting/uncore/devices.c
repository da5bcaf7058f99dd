#include "counting/uncore/uncore.h"

/* The length of the name without a number, and an underscore before it, at its end: uncore_imc_0, amd_umc_11,
 * hisi_sccl1_ddrc0. */
static size_t length_of_kind(const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length > 1 && name[length - 1] == '_' && name[length] != '\0' ? length - 1 : length;
}

/* Whether both have the same format, so that a code means the same to each. */
static bool is_alike(const cm_raw_device *one, const cm_raw_device *other)
{
    return one->field_count == other->field_count &&
           memcmp(one->fields, other->fields, one->field_count * sizeof *one->fields) == 0;
}

/* Whether the device is neither a memory controller nor a cache: kernels do not use the others. */
static bool is_other(const char *name)
{
    return strcmp(name, "power") == 0 || strncmp(name, "cstate", strlen("cstate")) == 0 || strcmp(name, "msr") == 0;
}

static cm_uncore_device *find_kind(struct cm_uncore *uncore, const cm_raw_device *box)
{
    for (size_t i = 0; i < uncore->device_count; i++)
        if (strcmp(uncore->formats[i].name, box->name) == 0 && is_alike(&uncore->formats[i], box))
            return &uncore->devices[i];
    if (uncore->device_count == CM_UNCORE_DEVICES)
        return NULL;
    uncore->formats[uncore->device_count] = *box;
    return &uncore->devices[uncore->device_count++];
}

/* Adds a box to the device of its kind. */
static cm_status take_device(const char *root, const char *name, void *data, cm_error *error)
{
    struct cm_uncore *uncore = data;
    char cpus[CM_RAW_LINE], cores[CM_RAW_LINE];
    cm_raw_device box;
    (void)error;
    if (is_other(name) || !cm_raw_device_line(root, name, "cpumask", cpus) || strlen(cpus) >= CM_UNCORE_CPUS ||
        cm_raw_device_line(root, name, "cpus", cores) || !cm_raw_device_read(root, name, &box))
        return CM_OK;
    box.name[length_of_kind(name)] = '\0';
    cm_uncore_device *device = find_kind(uncore, &box);
    if (device == NULL || device->box_count == CM_UNCORE_BOXES)
        return CM_OK;
    if (device->box_count == 0) {
        strcpy(device->cpus, cpus);
        strcpy(device->first, name);
    }
    device->types[device->box_count++] = box.type;
    return CM_OK;
}

cm_status cm_uncore_devices_read(const char *root, struct cm_uncore *uncore, cm_error *error)
{
    return cm_raw_each_entry(root, ".", "", take_device, uncore, error);
}
