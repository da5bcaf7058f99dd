/* The kernels of a benchmark executed, and held against their facts. */
#include "cat-kernels/registry.h"
#include "software_pmu/model/model.h"
#include "verify/verify.h"

/* Copies the names of the facts. */
static cm_status copy_names(const cm_proof *proof, size_t primitives, cm_verification *verification, cm_error *error)
{
    size_t count = cm_proof_fact_count(proof);
    if (!CM_ALLOCATE(verification->quantities, count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        verification->quantities[i] = strdup(cm_fact_name(cm_proof_fact(proof, i)));
        if (verification->quantities[i] == NULL)
            return cm_error_no_memory(error);
        verification->quantity_count++;
    }
    verification->primitive_count = primitives;
    return CM_OK;
}

/* An error for a kernel of the registry that has no facts. */
static cm_status check_registry(const char *benchmark, const cm_fact_table *table, cm_error *error)
{
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const cm_kernel *kernel = cm_kernel_get(i);
        if (strcmp(kernel->benchmark, benchmark) != 0)
            continue;
        const cm_kernel_facts *found = cm_fact_table_find(table, kernel->benchmark, kernel->name);
        if (found == NULL || (size_t)(found - table->kernels) >= table->kernel_count)
            return cm_error_set(error, CM_BAD_INPUT, table->file, 0, 0, "no row for the kernel %s", kernel->name);
    }
    return CM_OK;
}

/* Proves the kernels in the order of the table. */
static cm_status prove_table(cm_proof *proof, cm_proof *larger, const cm_fact_table *table,
                             cm_verification *verification, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < table->kernel_count; i++) {
        const cm_kernel_facts *facts = &table->kernels[i];
        if (strcmp(facts->benchmark, verification->benchmark) != 0)
            continue;
        const cm_kernel *kernel = cm_kernel_find(facts->benchmark, facts->kernel);
        cm_verified_kernel *verified = &verification->kernels[verification->kernel_count++];
        verified->kernel = strdup(facts->kernel);
        cm_proof *chosen = kernel == NULL || cm_proof_has_place(proof, kernel) ? proof : larger;
        status = verified->kernel != NULL ? cm_proof_kernel(chosen, kernel, facts, verified, error)
                                          : cm_error_no_memory(error);
        verification->failures += !verified->ok && (verified->available || kernel == NULL);
    }
    return status;
}

/* Proves all kernels of the benchmark; without facts of it, none. */
static cm_status prove_kernels(const cm_fact_table *table, const cm_pmu_machine *machine, cm_verification *verification,
                               cm_error *error)
{
    cm_proof *proof = NULL, *larger = NULL;
    /* Caches of four times the size: the lines of many pages have room in the second one. */
    cm_pmu_machine enlarged = *machine;
    enlarged.l2_size *= 4;
    enlarged.l3_size *= 4;
    if (!CM_ALLOCATE(verification->kernels, table->kernel_count + 1))
        return cm_error_no_memory(error);
    if (CM_FIND_BY(benchmark, verification->benchmark, table->kernels, table->kernel_count) == table->kernel_count)
        return CM_OK;
    cm_status status = check_registry(verification->benchmark, table, error);
    CM_THEN(status, cm_proof_create(table, machine, &proof, error));
    CM_THEN(status, cm_proof_create(table, &enlarged, &larger, error));
    CM_THEN(status, copy_names(proof, cm_proof_primitive_count(proof), verification, error));
    CM_THEN(status, prove_table(proof, larger, table, verification, error));
    cm_proof_free(proof);
    cm_proof_free(larger);
    return status;
}

cm_status cm_verification_create(const char *benchmark, const char *facts, const cm_pmu_machine *machine,
                                 cm_verification **verification, cm_error *error)
{
    cm_fact_table *table = NULL;
    cm_verification *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->benchmark = strdup(benchmark);
    cm_status status = created->benchmark != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_fact_table_load(facts, NULL, &table, error));
    CM_THEN(status, prove_kernels(table, machine, created, error));
    cm_fact_table_free(table);
    CM_HAND_OVER(status, verification, created, cm_verification_free);
    return status;
}

void cm_verification_free(cm_verification *verification)
{
    if (verification == NULL)
        return;
    for (size_t i = 0; i < verification->kernel_count; i++) {
        CM_FREE(verification->kernels[i].kernel, verification->kernels[i].quantities, verification->kernels[i].text);
    }
    cm_free_list(verification->quantities, verification->quantity_count);
    CM_FREE(verification->kernels, verification->benchmark, verification);
}

cm_status cm_verification_check_model(const char *model, cm_error *error)
{
    cm_model_place place;
    cm_core_type cores[CM_CORE_TYPES];
    size_t count = 0;
    cm_pmu_model *opened = NULL;
    cm_status status = cm_model_locate(model, &place, error);
    CM_THEN(status, cm_model_cores_read(place.directory, cores, &count, error));
    free(place.directory);
    /* cores of all types are of one architecture */
    CM_THEN(status, cm_pmu_model_open(model, count > 0 ? cores[0].name : NULL, &opened, error));
    if (status != CM_OK)
        return status;
    const char *other = cm_pmu_model_other_architecture(opened, cm_kernel_architecture);
    char expected[CM_PLACE_SIZE];
    if (other != NULL) {
        cm_architecture_place(other, expected);
        status = CM_FAIL(error, CM_UNSUPPORTED,
                         "software:%.100s models a processor of %s, and the kernels here are of %s, expected %s", model,
                         other, cm_kernel_architecture, expected);
    }
    cm_pmu_model_free(opened);
    return status;
}
