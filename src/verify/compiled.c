/* The GPU kernels as the machine's driver compiles them, disassembled and judged one by one. */
#include "cat-kernels/gpu/run.h"
#include "verify/verify.h"

/* Fills in the benchmark's and the quantities' names. */
static cm_status name_all(const cm_gpu_session *session, cm_verification *made, cm_error *error)
{
    if (asprintf(&made->benchmark, "%s on %s", cm_gpu_benchmarks[CM_GPU_FLOPS], session->devices[0].name) < 0) {
        made->benchmark = NULL;
        return cm_error_no_memory(error);
    }
    if (!CM_ALLOCATE(made->kernels, cm_gpu_kernel_table_size + 1) ||
        !CM_ALLOCATE(made->quantities, cm_machine_kind_count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < cm_machine_kind_count; i++) {
        made->quantities[i] = strdup(cm_machine_kinds[i]);
        if (made->quantities[i] == NULL)
            return cm_error_no_memory(error);
        made->quantity_count++;
    }
    made->primitive_count = made->quantity_count;
    return CM_OK;
}

/* Compiles and disassembles. `refusal`: the driver's words about the kernel; any other failure is returned, and not the
 * kernel's. */
static cm_status compile_ptx(const cm_gpu_session *session, const char *ptx, char **listing, cm_error *refusal)
{
    void *code = NULL;
    size_t size = 0;
    cm_status status = session->backend->machine_code(session->driver, 0, ptx, &code, &size, refusal);
    CM_THEN(status, cm_gpu_disassemble(code, size, listing, refusal));
    free(code);
    return status;
}

/* Judges one kernel; one that the driver refuses is neither right nor wrong. */
static cm_status verify_one(const cm_gpu_session *session, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                            cm_error *error)
{
    char *ptx = NULL, *listing = NULL;
    cm_error refusal = {0};
    verified->kernel = strdup(kernel->name);
    verified->quantities = calloc(cm_machine_kind_count + 1, sizeof *verified->quantities);
    if (verified->kernel == NULL || verified->quantities == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_gpu_ptx(kernel, session->devices[0].version, &ptx, &refusal);
    if (status == CM_UNSUPPORTED) {
        verified->text = strdup(refusal.text);
        return verified->text != NULL ? CM_OK : cm_error_no_memory(error);
    }
    CM_THEN(status, compile_ptx(session, ptx, &listing, &refusal));
    CM_THEN(status, cm_machine_code_judge(listing, kernel, verified, &refusal));
    if (status != CM_OK)
        CM_FAIL(error, status, "kernel %s: %.600s", kernel->name, refusal.text);
    CM_FREE(listing, ptx);
    return status;
}

/* Verifies the machine code of each kernel of floating point. */
static cm_status verify_machine_code(const cm_gpu_session *session, cm_verification *made, cm_error *error)
{
    if (session->backend->machine_code == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s loads code that was made before", session->backend->name);
    cm_status status = name_all(session, made, error);
    for (size_t i = 0; status == CM_OK && i < cm_gpu_kernel_table_size; i++) {
        if (cm_gpu_kernel_table[i].family != CM_GPU_FLOPS || cm_gpu_kernel_table[i].mask == CM_GPU_NOBODY)
            continue;
        cm_verified_kernel *verified = &made->kernels[made->kernel_count++];
        status = verify_one(session, &cm_gpu_kernel_table[i], verified, error);
        made->failures += verified->available && !verified->ok;
    }
    return status;
}

cm_status cm_verification_of_machine_code(const char *library, cm_verification **verification, cm_error *error)
{
    cm_gpu_session *session = NULL;
    cm_verification *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_gpu_session_open(&cm_gpu_cuda, library, &session, error);
    CM_THEN(status, verify_machine_code(session, made, error));
    cm_gpu_session_close(session);
    CM_HAND_OVER(status, verification, made, cm_verification_free);
    return status;
}
