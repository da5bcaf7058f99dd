/* Kernels run on GPUs: made, loaded on each device, launched and checked. */
#include "cat-kernels/gpu/run.h"

#include <stdlib.h>

#include "core/base.h"

/* The image that the device's driver loads, to be freed. */
static cm_status make_image(cm_gpu_vendor vendor, const cm_gpu_device *device, const cm_gpu_kernel *kernel,
                            void **image, cm_error *error)
{
    char *text = NULL;
    cm_status status = vendor == CM_GPU_NVIDIA ? cm_gpu_ptx(kernel, device->version, &text, error)
                                               : cm_gpu_amdgpu(kernel, device->target, &text, error);
    *image = text;
    return status;
}

/* Makes the kernel's image and memory and loads both on one device. */
static cm_status load_on(cm_gpu_run *run, size_t device, const cm_gpu_kernel *kernel, cm_error *error)
{
    const cm_gpu_backend *backend = run->session->backend;
    const cm_gpu_launch launch = cm_gpu_launch_of(backend->vendor, kernel->family, CM_GPU_ITERATIONS);
    char entry[CM_GPU_ENTRY_SIZE];
    void *image = NULL, *memory = malloc(cm_gpu_memory_size(kernel->family, &launch));
    cm_status status = memory != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        status = make_image(backend->vendor, &run->session->devices[device], kernel, &image, error);
    if (status == CM_OK) {
        cm_gpu_entry(kernel, entry, sizeof entry);
        cm_gpu_memory_fill(kernel->family, &launch, memory);
        status = backend->load(run->session->driver, device, image, entry, memory,
                               cm_gpu_memory_size(kernel->family, &launch),
                               cm_gpu_memory_capacity(kernel->family, &launch), &run->loaded[device], error);
    }
    free(memory);
    free(image);
    return status;
}

static size_t device_count(const cm_gpu_session *session)
{
    return session->device_count < CM_GPU_MOST_DEVICES ? session->device_count : CM_GPU_MOST_DEVICES;
}

cm_status cm_gpu_run_open(cm_gpu_run *run, const cm_gpu_session *session, const cm_gpu_kernel *kernel, cm_error *error)
{
    cm_status status = CM_OK;
    *run = (cm_gpu_run){.session = session, .family = kernel->family};
    for (size_t i = 0; status == CM_OK && i < device_count(session); i++)
        status = load_on(run, i, kernel, error);
    return status;
}

void cm_gpu_run_close(cm_gpu_run *run)
{
    for (size_t i = 0; run->session != NULL && i < device_count(run->session); i++)
        run->session->backend->unload(run->loaded[i]);
    *run = (cm_gpu_run){0};
}

cm_status cm_gpu_run_check(const cm_gpu_session *session, const cm_gpu_kernel *kernel, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < device_count(session); i++) {
        void *image = NULL;
        status = make_image(session->backend->vendor, &session->devices[i], kernel, &image, error);
        free(image);
    }
    return status;
}

void cm_gpu_run_body(uint64_t iterations, cm_kernel_data *data)
{
    cm_gpu_run *run = data->buffer;
    const cm_gpu_backend *backend = run->session->backend;
    const cm_gpu_launch launch = cm_gpu_launch_of(backend->vendor, run->family, iterations);
    size_t devices = device_count(run->session);
    run->status = CM_OK;
    for (size_t i = 0; run->status == CM_OK && i < devices; i++)
        run->status = backend->launch(run->loaded[i], &launch, &run->error);
    for (size_t i = 0; run->status == CM_OK && i < devices; i++)
        run->status = backend->wait(run->loaded[i], &run->error);
}

bool cm_kernel_is_of_gpu(const cm_kernel *kernel)
{
    return kernel->body == cm_gpu_run_body;
}

cm_status cm_gpu_run_outcome(const cm_kernel *kernel, const cm_kernel_data *data, cm_error *error)
{
    if (!cm_kernel_is_of_gpu(kernel))
        return CM_OK;
    const cm_gpu_run *run = data->buffer;
    if (run->status != CM_OK && error != NULL)
        *error = run->error;
    return run->status;
}
