#include "verify/verify.h"

#include "software_pmu/gpu/engine.h"
#include "software_pmu/machine/facts.h"
#include "sweep/plan/plan.h"
#include "sweep/run/run.h"

/* LONGER: ratio of the iterations of the two runs: a power of two, so that random branches have their nominal share in
 * both. */
enum { TEXT_SIZE = 512, LONGER = 4, FEW = 1024, FILL_ACCESSES = 16, WALK_CACHE_ENTRIES = 32 };

struct cm_proof {
    const cm_fact_table *table;
    size_t fact_count;
    size_t *held;           /* the facts that are compared with the table */
    size_t primitive_count; /* of them, the first */
    cm_software_pmu *pmu;
    double *facts; /* per iteration */
    uint64_t *before;
    cm_geometry geometry; /* of the machine that counts */
    uint64_t chain_length;
    cm_kernel_data data;
    cm_gpu_session *gpu; /* GPU of a machine that is one; NULL: the kernels are the processor's */
};

/* Runs first, so that both runs meet the same caches and predictor: once more through the chain, or a few iterations,
 * by the same call that is counted afterwards, which itself is read from memory; or a few calls, until what they missed
 * is there. */
static cm_status warm_up(cm_proof *proof, const cm_kernel *kernel, cm_kernel_call *call, cm_error *error)
{
    *call = (cm_kernel_call){kernel->body, kernel->software_iterations, &proof->data};
    if (call->iterations > FEW)
        call->iterations = FEW;
    if (kernel->level != 0) {
        call->body = cm_warm_up_kernel(kernel)->body;
        call->iterations = proof->chain_length * cm_warm_up_passes(kernel);
    }
    size_t calls = call->iterations < FILL_ACCESSES ? FILL_ACCESSES : 1;
    cm_status status = CM_OK;
    for (size_t i = 0; i < calls && status == CM_OK; i++)
        status = cm_software_pmu_run(proof->pmu, cm_kernel_call_run, call, error);
    return status;
}

/* Adds the facts of one run, times `sign`. */
static cm_status add_run(cm_proof *proof, const cm_kernel *kernel, uint64_t iterations, double sign, cm_error *error)
{
    const uint64_t *facts = cm_software_pmu_facts(proof->pmu);
    size_t count = cm_fact_count();
    cm_kernel_call call;
    cm_status status = warm_up(proof, kernel, &call, error);
    if (status != CM_OK)
        return status;
    memcpy(proof->before, facts, count * sizeof *facts);
    call = (cm_kernel_call){kernel->body, iterations, &proof->data};
    status = cm_software_pmu_run(proof->pmu, cm_kernel_call_run, &call, error);
    CM_THEN(status, cm_gpu_run_outcome(kernel, &proof->data, error));
    for (size_t i = 0; i < count; i++)
        proof->facts[i] +=
            sign * (double)(facts[i] - proof->before[i]) / (double)((LONGER - 1) * kernel->software_iterations);
    return status;
}

/* Facts per iteration: the difference between a run of LONGER times the iterations and a run of the iterations. The
 * overhead of a run (the call, setting registers) cancels, so that few iterations give exact numbers. */
static cm_status run_kernel(cm_proof *proof, const cm_kernel *kernel, cm_error *error)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        proof->facts[i] = 0.0;
    cm_status status = add_run(proof, kernel, kernel->software_iterations, -1.0, error);
    return status == CM_OK ? add_run(proof, kernel, LONGER * kernel->software_iterations, 1.0, error) : status;
}

/* Runs a kernel on the GPU, loaded for this run alone. */
static cm_status run_on_gpu(cm_proof *proof, const cm_kernel *kernel, cm_error *error)
{
    cm_gpu_run loaded;
    cm_status status = cm_gpu_run_open(&loaded, proof->gpu, cm_gpu_description(kernel), error);
    if (status == CM_OK) {
        proof->data.buffer = &loaded;
        status = run_kernel(proof, kernel, error);
    }
    cm_gpu_run_close(&loaded);
    return status;
}

/* The same, on a chain if the kernel needs one. */
static cm_status run_in_place(cm_proof *proof, const cm_kernel *kernel, cm_error *error)
{
    if (cm_kernel_is_of_gpu(kernel))
        return run_on_gpu(proof, kernel, error);
    if (kernel->level == 0)
        return run_kernel(proof, kernel, error);
    cm_placement placement;
    cm_chase chase = {0};
    bool huge = (kernel->chain & CM_CHAIN_HUGE) != 0;
    size_t most = huge ? cm_free_memory() / 4 : SIZE_MAX;
    cm_status status = cm_place_kernel(&proof->geometry, kernel, most, &placement, error);
    if (status == CM_OK && (placement.kind & CM_CHAIN_ZEROS) != 0 && placement.extent > most &&
        !cm_huge_zeros_are_shared())
        status = CM_FAIL(error, CM_UNSUPPORTED,
                         "the system has no huge page of zeros to share, and a chain needs a buffer of %zu KiB, more "
                         "than a quarter of the free memory",
                         placement.extent / 1024);
    CM_THEN(status, cm_chase_open(&chase, &placement, 1, proof->pmu, error));
    CM_THEN(status, cm_chase_build(&chase, &placement, 1, error));
    if (status == CM_OK) {
        cm_kernel_data kept = proof->data;
        proof->data = (cm_kernel_data){0, chase.chain};
        proof->chain_length = placement.extent / placement.stride;
        status = run_kernel(proof, kernel, error);
        proof->data = kept;
    }
    cm_chase_close(&chase);
    return status;
}

/* Leaves a kernel out if the system has no huge pages, which is no fault of the kernel. */
static void leave_out(cm_verified_kernel *verified, char *text, const cm_error *reason)
{
    verified->available = false;
    snprintf(text, TEXT_SIZE, "%.400s", reason->text);
}

/* Whether the machine, if it is a GPU, has the kernel's instructions. */
static bool gpu_has(const cm_proof *proof, const cm_kernel *kernel, cm_error *reason)
{
    return proof->gpu == NULL || cm_gpu_run_check(proof->gpu, cm_gpu_description(kernel), reason) == CM_OK;
}

static void expect_facts(const cm_proof *proof, const cm_kernel *kernel, const cm_kernel_facts *expected,
                         cm_verified_kernel *verified)
{
    double iterations = kernel != NULL ? (double)kernel->software_iterations : 1.0;
    for (size_t i = 0; i < proof->fact_count; i++) {
        size_t fact = proof->held[i];
        verified->quantities[i] = (cm_verified_quantity){NAN, expected->values[fact],
                                                         cm_fact_allowance(proof->table, expected, fact, iterations)};
    }
}

static cm_status fail_proof(const cm_error *refusal, cm_error *error)
{
    if (error != NULL)
        *error = *refusal;
    return refusal->status;
}

bool cm_proof_has_place(const cm_proof *proof, const cm_kernel *kernel)
{
    cm_placement placement;
    cm_error reason;
    return (kernel->chain & CM_CHAIN_PAGES) == 0 ||
           cm_place_kernel(&proof->geometry, kernel, SIZE_MAX, &placement, &reason) == CM_OK;
}

cm_status cm_proof_kernel(cm_proof *proof, const cm_kernel *kernel, const cm_kernel_facts *expected,
                          cm_verified_kernel *verified, cm_error *error)
{
    char text[TEXT_SIZE] = "";
    cm_error refusal = {0};
    if (!CM_ALLOCATE(verified->quantities, proof->fact_count + 1))
        return cm_error_no_memory(error);
    expect_facts(proof, kernel, expected, verified);
    verified->available = kernel != NULL && cm_kernel_available(kernel);
    if (kernel == NULL) {
        snprintf(text, sizeof text, "unknown kernel");
    } else if (!verified->available) {
        char missing[128];
        cm_isa_names(kernel->isa & ~cm_isa_available(), missing, sizeof missing);
        snprintf(text, sizeof text, "this CPU lacks %s", missing);
    } else if (!gpu_has(proof, kernel, &refusal)) {
        leave_out(verified, text, &refusal);
    } else {
        cm_status status = run_in_place(proof, kernel, &refusal);
        for (size_t i = 0; status == CM_OK && i < proof->fact_count; i++)
            verified->quantities[i].executed = proof->facts[proof->held[i]];
        if (status == CM_OK)
            cm_verified_compare(verified, proof->held, proof->fact_count, proof->primitive_count, text, sizeof text);
        else if (status == CM_UNSUPPORTED && (kernel->chain & CM_CHAIN_HUGE) != 0)
            leave_out(verified, text, &refusal);
        else if (status == CM_IO || status == CM_NO_MEMORY) /* failures that are not the kernel's */
            return fail_proof(&refusal, error);
        else
            snprintf(text, sizeof text, "it cannot be run: %.400s", refusal.text);
    }
    verified->text = strdup(text);
    return verified->text != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Creates the software PMU without interference, with accesses of wrong paths and lines that are on their way for a
 * while, and lists the facts to compare. */
static cm_status open_proof(cm_proof *proof, const cm_pmu_machine *machine, cm_error *error)
{
    const cm_fact_table *table = proof->table;
    size_t count = cm_fact_count();
    cm_pmu_machine undisturbed = *machine;
    undisturbed.interference = 0.0;
    undisturbed.wrong_path_accesses = 1;
    if (machine->walk_cache_entries == 0)
        undisturbed.walk_cache_entries = WALK_CACHE_ENTRIES;
    undisturbed.fill_accesses = FILL_ACCESSES;
    cm_model_geometry(machine, &proof->geometry);
    if (!CM_ALLOCATE(proof->facts, count) || !CM_ALLOCATE(proof->before, count) || !CM_ALLOCATE(proof->held, count))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < table->primitive_count; i++)
        if (table->primitives[i] != CM_FACT_LOAD_USES && table->primitives[i] != CM_FACT_JUMP_USES)
            proof->held[proof->fact_count++] = table->primitives[i];
    proof->primitive_count = proof->fact_count;
    for (size_t fact = 0; fact < count; fact++)
        if (table->facts[fact].kind == CM_FACT_DERIVED)
            proof->held[proof->fact_count++] = fact;
    cm_status status = cm_software_pmu_create(&undisturbed, &proof->pmu, error);
    return status == CM_OK && machine->gpu[0] != '\0' ? cm_software_gpu_open(machine, &proof->gpu, error) : status;
}

cm_status cm_proof_create(const cm_fact_table *table, const cm_pmu_machine *machine, cm_proof **proof, cm_error *error)
{
    cm_proof *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->table = table;
    created->data = (cm_kernel_data){.generator = 1};
    cm_status status = open_proof(created, machine, error);
    CM_HAND_OVER(status, proof, created, cm_proof_free);
    return status;
}

void cm_proof_free(cm_proof *proof)
{
    if (proof == NULL)
        return;
    cm_gpu_session_close(proof->gpu);
    cm_software_pmu_free(proof->pmu);
    CM_FREE(proof->facts, proof->before, proof->held, proof);
}

CM_GETTER(size_t cm_proof_fact_count(const cm_proof *proof), proof->fact_count)
CM_GETTER(size_t cm_proof_primitive_count(const cm_proof *proof), proof->primitive_count)
CM_GETTER(size_t cm_proof_fact(const cm_proof *proof, size_t index), proof->held[index])
