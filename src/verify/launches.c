/* Launches every GPU kernel once, on this machine's GPU or on the software GPU, and checks its results. */
#include "cat-kernels/gpu/run.h"
#include "core/system.h"
#include "software_pmu/gpu/engine.h"
#include "software_pmu/model/model.h"
#include "verify/verify.h"

/* Turns of a thread: as many as a sweep of a GPU has, and two on the software GPU, which takes its time. */
enum { HARDWARE_TURNS = 8192, SOFTWARE_TURNS = 2 };

typedef struct launching {
    const cm_gpu_session *session;
    bool software;
    uint32_t turns;
    const volatile int *stop; /* may be NULL */
} launching;

static cm_status describe_outcome(cm_launched_kernel *launched, cm_launch_outcome outcome, const char *text,
                                  cm_error *error)
{
    launched->outcome = outcome;
    free(launched->text);
    launched->text = strdup(text);
    return launched->text != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Launches a loaded kernel and reads its memory. `failure`: the driver's words. */
static cm_status launch_kernel(const launching *how, cm_gpu_loaded *loaded, const cm_gpu_launch *size, void *memory,
                               double *seconds, cm_error *failure)
{
    const cm_gpu_backend *backend = how->session->backend;
    const double begin = cm_clock_seconds();
    cm_status status = backend->launch(loaded, size, failure);
    CM_THEN(status, backend->wait(loaded, failure));
    *seconds = cm_clock_seconds() - begin;
    return status == CM_OK ? backend->read(loaded, memory, failure) : status;
}

/* Judges a kernel that was launched. */
static cm_status judge_launch(const launching *how, const cm_gpu_kernel *kernel, const cm_gpu_launch *size,
                              const void *before, const void *after, double seconds, cm_launched_kernel *launched,
                              cm_error *error)
{
    char text[256];
    const cm_gpu_vendor vendor = how->session->backend->vendor;
    cm_status status = cm_gpu_results_check(kernel, vendor, size, before, after, text, sizeof text, error);
    CM_THEN(status, describe_outcome(launched, text[0] == '\0' ? CM_LAUNCH_RIGHT : CM_LAUNCH_WRONG, text, error));
    if (status == CM_OK && !how->software)
        status = cm_gpu_rate(kernel, vendor, &how->session->devices[0], size, seconds, launched, error);
    return status;
}

/* Launches one kernel on the first device. Failures of the driver and the device are the kernel's. */
static cm_status launch_one(const launching *how, const cm_gpu_kernel *kernel, cm_launched_kernel *launched,
                            cm_error *error)
{
    const cm_gpu_backend *backend = how->session->backend;
    cm_gpu_launch size = cm_gpu_launch_of(backend->vendor, kernel->family, CM_GPU_ITERATIONS);
    const size_t bytes = cm_gpu_memory_size(kernel->family, &size);
    unsigned char *before = malloc(bytes), *after = malloc(bytes);
    cm_gpu_code code = {-1, -1};
    cm_gpu_run run = {0};
    cm_error failure = {0};
    double seconds = NAN;
    cm_status status = before != NULL && after != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK) {
        cm_gpu_memory_fill(kernel->family, &size, before);
        size.trips = how->turns;
        status = cm_gpu_run_open(&run, how->session, kernel, &failure);
        if (status == CM_OK)
            backend->describe_code(run.loaded[0], &code);
        CM_THEN(status, launch_kernel(how, run.loaded[0], &size, after, &seconds, &failure));
        launched->registers = code.registers;
        launched->version = code.version;
        status = status == CM_OK ? judge_launch(how, kernel, &size, before, after, seconds, launched, error)
                                 : describe_outcome(launched, CM_LAUNCH_REFUSED, failure.text, error);
    }
    cm_gpu_run_close(&run);
    CM_FREE(before, after);
    return status;
}

bool cm_gpu_is_chosen(const char *const *benchmarks, size_t count, const char *benchmark)
{
    return count == 0 || CM_FIND(benchmark, benchmarks, count) < count;
}

/* Launches each kernel of the benchmarks and keeps its outcome. */
static cm_status launch_all(const launching *how, const char *const *benchmarks, size_t count, cm_launches *made,
                            cm_error *error)
{
    cm_status status = CM_OK;
    made->kernels = calloc(cm_gpu_kernel_table_size + 1, sizeof *made->kernels);
    made->device = strdup(how->session->devices[0].name);
    if (made->kernels == NULL || made->device == NULL)
        return cm_error_no_memory(error);
    made->timed = !how->software;
    made->turns = how->turns;
    const cm_gpu_launch size = cm_gpu_launch_of(how->session->backend->vendor, CM_GPU_FLOPS, CM_GPU_ITERATIONS);
    made->threads = size.blocks * size.threads;
    made->units = how->session->devices[0].units;
    for (size_t i = 0; status == CM_OK && i < cm_gpu_kernel_table_size; i++) {
        const cm_gpu_kernel *kernel = &cm_gpu_kernel_table[i];
        cm_error reason = {0};
        if (how->stop != NULL && *how->stop != 0)
            return CM_FAIL(error, CM_INTERRUPTED, "interrupted, nothing was written");
        if (!cm_gpu_is_chosen(benchmarks, count, cm_gpu_benchmarks[kernel->family]))
            continue;
        cm_launched_kernel *launched = &made->kernels[made->count++];
        *launched = (cm_launched_kernel){.benchmark = cm_gpu_benchmarks[kernel->family],
                                         .kernel = kernel->name,
                                         .registers = -1,
                                         .version = -1,
                                         .seconds = NAN,
                                         .rate = NAN,
                                         .peak = NAN};
        status = cm_gpu_run_check(how->session, kernel, &reason);
        if (status == CM_OK)
            status = launch_one(how, kernel, launched, error);
        else if (status == CM_UNSUPPORTED)
            status = describe_outcome(launched, CM_LAUNCH_LEFT_OUT, reason.text, error);
        made->counts[launched->outcome]++;
    }
    return status;
}

/* Opens this machine's GPU, or the software GPU of a model. */
static cm_status open_gpu(const cm_pmu_model *model, cm_software_pmu **pmu, cm_gpu_session **session, cm_error *error)
{
    if (model == NULL)
        return cm_gpu_session_open(NULL, NULL, session, error);
    cm_status status = cm_software_pmu_create(cm_pmu_model_machine(model), pmu, error);
    return status == CM_OK ? cm_software_gpu_open(cm_pmu_model_machine(model), session, error) : status;
}

cm_status cm_gpu_model_load(const char *name, cm_pmu_model **model, cm_error *error)
{
    char *directory = NULL;
    cm_status status = cm_pmu_model_find(name, &directory, error);
    CM_THEN(status, cm_pmu_model_load(directory, model, error));
    free(directory);
    if (status == CM_OK && cm_pmu_model_machine(*model)->gpu[0] == '\0')
        status = CM_FAIL(error, CM_BAD_ARGUMENT,
                         "the model %s is a processor's: expected a GPU's, as in hopper or mi250x", name);
    return status;
}

cm_status cm_launches_create(const char *model, const char *const *benchmarks, size_t count, uint32_t turns,
                             const volatile int *stop, cm_launches **launches, cm_error *error)
{
    cm_pmu_model *loaded = NULL;
    cm_software_pmu *pmu = NULL;
    cm_gpu_session *session = NULL;
    cm_launches *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && model != NULL)
        status = cm_gpu_model_load(model, &loaded, error);
    CM_THEN(status, open_gpu(loaded, &pmu, &session, error));
    if (status == CM_OK) {
        const uint32_t usual = model != NULL ? SOFTWARE_TURNS : HARDWARE_TURNS;
        const launching how = {session, model != NULL, turns != 0 ? turns : usual, stop};
        status = launch_all(&how, benchmarks, count, made, error);
    }
    cm_gpu_session_close(session);
    cm_software_pmu_free(pmu);
    cm_pmu_model_free(loaded);
    CM_HAND_OVER(status, launches, made, cm_launches_free);
    return status;
}

void cm_launches_free(cm_launches *launches)
{
    if (launches == NULL)
        return;
    for (size_t i = 0; i < launches->count; i++)
        free(launches->kernels[i].text);
    CM_FREE(launches->kernels, launches->device, launches);
}
