/* The common part of both vendors' software drivers: results, launches, copies. */
#include "software_pmu/gpu/software_driver.h"

#include "software_pmu/gpu/device.h"

static const struct result {
    int number;
    const char *cuda, *hip, *text;
} results[] = {
#define ROW(number, id, cuda, hip, text) {number, cuda, hip, text},
    CM_DRIVER_RESULTS(ROW)
#undef ROW
};

static int failed[CM_SOFTWARE_GPU_DEVICES];

static const char *name_of(const struct result *row, cm_gpu_vendor vendor)
{
    return vendor == CM_GPU_NVIDIA ? row->cuda : row->hip;
}

static const struct result *find_result(cm_gpu_vendor vendor, int result)
{
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].number == result && name_of(&results[i], vendor)[0] != '\0')
            return &results[i];
    return NULL;
}

const char *cm_driver_result_name(cm_gpu_vendor vendor, int result)
{
    const struct result *row = find_result(vendor, result);
    return row != NULL ? name_of(row, vendor) : NULL;
}

const char *cm_driver_result_text(cm_gpu_vendor vendor, int result)
{
    const struct result *row = find_result(vendor, result);
    return row != NULL ? row->text : NULL;
}

bool cm_driver_is_device(cm_gpu_vendor vendor, int device)
{
    const cm_pmu_machine *machine = cm_software_gpu_machine();
    return strcmp(machine->gpu, vendor == CM_GPU_NVIDIA ? "nvidia" : "amd") == 0 && device >= 0 &&
           device < CM_SOFTWARE_GPU_DEVICES && (unsigned)device < machine->gpu_devices;
}

void cm_driver_fail(unsigned device, int result)
{
    failed[device] = result;
}

int cm_driver_wait(unsigned device)
{
    const int result = failed[device];
    failed[device] = CM_DRIVER_SUCCESS;
    return result;
}

bool cm_driver_launch_take(const cm_driver_launch *launch, unsigned most_threads, uint64_t *memory, uint32_t *trips)
{
    const unsigned *blocks = launch->blocks, *threads = launch->threads;
    if (blocks[1] != 1 || blocks[2] != 1 || threads[1] != 1 || threads[2] != 1 || launch->shared != 0 ||
        launch->stream != NULL || launch->extra != NULL || blocks[0] == 0 || threads[0] == 0 ||
        threads[0] > most_threads)
        return false;
    memcpy(memory, launch->parameters[0], sizeof *memory);
    memcpy(trips, launch->parameters[1], sizeof *trips);
    return true;
}

int cm_driver_copy(void *to, const void *from, uint64_t device, size_t size)
{
    if (!cm_device_memory_reaches(device, size))
        return CM_DRIVER_INVALID_VALUE;
    memcpy(to, from, size);
    return CM_DRIVER_SUCCESS;
}
