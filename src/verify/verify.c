#include <catmint/verify.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sweep/plan/place_chains.h"
#include "sweep/run/chase.h"
#include "sweep/run/kernel_call.h"
#include "verify/quantities.h"

/* LONGER: so many times the iterations has the longer of the two runs. The more, the less chance there is in what
 * random branches do on average: with 5, rounding to the quantum goes wrong at 11 standard deviations. */
enum { TEXT_SIZE = 512, LONGER = 5 };

/* Counts per iteration are differences of quotients of exact integers; nothing but their rounding separates equal ones.
 */
static const double tolerance = 1e-9;

/* What a verification works with. */
struct proof {
    const cm_basis *basis;
    cm_quantities quantities;
    cm_software_pmu *pmu;
    double *facts;        /* per iteration */
    double *expectations; /* the kernel's row of the basis */
    uint64_t *before;
    const cm_geometry *geometry; /* of what counts */
    uint64_t chain_length;
    cm_kernel_data data;
};

/* Once more round the chain, so that what comes with a run meets the same caches in both. */
static cm_status warm_up(struct proof *proof, const cm_kernel *kernel, cm_error *error)
{
    if (kernel->level == 0)
        return CM_OK;
    cm_kernel_call call = {kernel->body, proof->chain_length * cm_warm_up_passes(kernel), &proof->data};
    return cm_software_pmu_run(proof->pmu, cm_kernel_call_run, &call, error);
}

/* Adds the facts of one run, times `sign`. */
static cm_status add_run(struct proof *proof, const cm_kernel *kernel, uint64_t iterations, double sign,
                         cm_error *error)
{
    const uint64_t *facts = cm_software_pmu_facts(proof->pmu);
    size_t count = cm_fact_count();
    cm_status status = warm_up(proof, kernel, error);
    if (status != CM_OK)
        return status;
    memcpy(proof->before, facts, count * sizeof *facts);
    cm_kernel_call call = {kernel->body, iterations, &proof->data};
    status = cm_software_pmu_run(proof->pmu, cm_kernel_call_run, &call, error);
    for (size_t i = 0; i < count; i++)
        proof->facts[i] +=
            sign * (double)(facts[i] - proof->before[i]) / (double)((LONGER - 1) * kernel->software_iterations);
    return status;
}

/* Facts per iteration: what a run of LONGER times the iterations executes more than one of the iterations. What comes
 * with a run (the call, setting registers) falls out, so that few iterations are enough for exact numbers. */
static cm_status run(struct proof *proof, const cm_kernel *kernel, cm_error *error)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        proof->facts[i] = 0.0;
    cm_status status = add_run(proof, kernel, kernel->software_iterations, -1.0, error);
    return status == CM_OK ? add_run(proof, kernel, LONGER * kernel->software_iterations, 1.0, error) : status;
}

/* The same, with a chain for it where it needs one. */
static cm_status run_in_place(struct proof *proof, const cm_kernel *kernel, cm_error *error)
{
    if (kernel->level == 0)
        return run(proof, kernel, error);
    cm_placement placement;
    cm_chase chase = {0};
    cm_status status = cm_place_kernel(proof->geometry, kernel, SIZE_MAX, &placement, error);
    if (status == CM_OK)
        status = cm_chase_open(&chase, &placement, 1, error);
    if (status == CM_OK) {
        cm_chase_build(&chase, &placement, 1);
        cm_kernel_data kept = proof->data;
        proof->data = (cm_kernel_data){0, chase.buffer};
        proof->chain_length = placement.extent / placement.stride;
        status = run(proof, kernel, error);
        proof->data = kept;
    }
    cm_chase_close(&chase);
    return status;
}

static double round_to(double value, double quantum)
{
    return quantum > 0.0 ? quantum * floor(value / quantum + 0.5) : value;
}

static bool differs(const cm_verified_quantity *quantity)
{
    if (isnan(quantity->expected))
        return false;
    return !(fabs(quantity->executed - quantity->expected) <= tolerance * fmax(1.0, fabs(quantity->expected)));
}

/* Adds "D_256 24 instead of 0" to what was said before. */
static void say_difference(char *text, const char *name, const cm_verified_quantity *quantity)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT_SIZE - used, "%s%s %.6g instead of %.6g", used != 0 ? ", " : "", name,
             quantity->executed, quantity->expected);
}

static void compare(const struct proof *proof, cm_verified_kernel *verified, char *text)
{
    verified->ok = true;
    for (size_t i = 0; i < proof->quantities.count; i++) {
        const cm_quantity *quantity = &proof->quantities.items[i];
        cm_verified_quantity *found = &verified->quantities[i];
        found->executed = round_to(cm_expression_evaluate(quantity->executed, proof->facts), quantity->quantum);
        if (!differs(found))
            continue;
        verified->ok = false;
        say_difference(text, quantity->name, found);
    }
}

static cm_status verify_kernel(struct proof *proof, const char *benchmark, size_t row, cm_verified_kernel *verified,
                               cm_error *error)
{
    const cm_kernel *kernel = cm_kernel_find(benchmark, proof->basis->kernels[row]);
    char text[TEXT_SIZE] = "";
    verified->kernel = strdup(proof->basis->kernels[row]);
    verified->quantities = calloc(proof->quantities.count, sizeof *verified->quantities);
    if (verified->kernel == NULL || verified->quantities == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < proof->basis->symbol_count; i++)
        proof->expectations[i] = *cm_matrix_at(proof->basis->expectations, row, i);
    for (size_t i = 0; i < proof->quantities.count; i++) {
        const cm_expression *expected = proof->quantities.items[i].expected;
        double value = expected != NULL ? cm_expression_evaluate(expected, proof->expectations) : NAN;
        verified->quantities[i] = (cm_verified_quantity){NAN, value};
    }
    verified->available = kernel != NULL && cm_kernel_available(kernel);
    if (kernel == NULL) {
        snprintf(text, sizeof text, "unknown kernel");
    } else if (!verified->available) {
        char missing[128];
        cm_isa_names(kernel->isa & ~cm_isa_available(), missing, sizeof missing);
        snprintf(text, sizeof text, "this CPU lacks %s", missing);
    } else {
        cm_error refusal = {0};
        cm_status status = run_in_place(proof, kernel, &refusal);
        if (status == CM_OK)
            compare(proof, verified, text);
        else
            snprintf(text, sizeof text, "it cannot be run: %.400s", refusal.text);
    }
    verified->text = strdup(text);
    return verified->text != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Row by row of the basis. */
static cm_status verify_all(struct proof *proof, cm_verification *verification, cm_error *error)
{
    const cm_basis *basis = proof->basis;
    verification->kernels = calloc(basis->kernel_count + 1, sizeof *verification->kernels);
    if (verification->kernels == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < basis->kernel_count; i++) {
        cm_verified_kernel *verified = &verification->kernels[verification->kernel_count++];
        cm_status status = verify_kernel(proof, verification->benchmark, i, verified, error);
        if (status != CM_OK)
            return status;
        bool exists = cm_kernel_find(verification->benchmark, verified->kernel) != NULL;
        verification->failures += !verified->ok && (verified->available || !exists);
    }
    return CM_OK;
}

/* A kernel that the basis does not know would be swept, and its table then refused. */
static cm_status check_registry(const char *benchmark, const cm_basis *basis, cm_error *error)
{
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const cm_kernel *kernel = cm_kernel_get(i);
        bool known = strcmp(kernel->benchmark, benchmark) != 0;
        for (size_t k = 0; !known && k < basis->kernel_count; k++)
            known = strcmp(basis->kernels[k], kernel->name) == 0;
        if (!known)
            return cm_error_set(error, CM_BAD_INPUT, basis->file, 0, 0, "no row for the kernel %s", kernel->name);
    }
    return CM_OK;
}

static cm_status copy_names(const cm_quantities *quantities, cm_verification *verification, cm_error *error)
{
    verification->quantities = calloc(quantities->count + 1, sizeof *verification->quantities);
    if (verification->quantities == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < quantities->count; i++) {
        verification->quantities[i] = strdup(quantities->items[i].name);
        if (verification->quantities[i] == NULL)
            return cm_error_no_memory(error);
        verification->quantity_count++;
    }
    return CM_OK;
}

static cm_status prove(struct proof *proof, const char *facts, const cm_pmu_machine *machine,
                       cm_verification *verification, cm_error *error)
{
    cm_status status = check_registry(verification->benchmark, proof->basis, error);
    if (status == CM_OK)
        status = cm_quantities_load(facts, verification->benchmark, proof->basis, &proof->quantities, error);
    if (status == CM_OK)
        status = copy_names(&proof->quantities, verification, error);
    if (status == CM_OK)
        status = cm_software_pmu_create(machine, &proof->pmu, error);
    if (status != CM_OK)
        return status;
    size_t count = cm_fact_count();
    proof->facts = calloc(count, sizeof *proof->facts);
    proof->before = calloc(count, sizeof *proof->before);
    proof->expectations = calloc(proof->basis->symbol_count + 1, sizeof *proof->expectations);
    if (proof->facts == NULL || proof->before == NULL || proof->expectations == NULL)
        return cm_error_no_memory(error);
    return verify_all(proof, verification, error);
}

cm_status cm_verify(const char *benchmark, const cm_basis *basis, const char *facts, const cm_pmu_machine *machine,
                    cm_verification **verification, cm_error *error)
{
    cm_verification *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    cm_pmu_machine undisturbed = *machine;
    undisturbed.interference = 0.0;
    cm_geometry geometry;
    cm_model_geometry(machine, &geometry);
    struct proof proof = {.basis = basis, .geometry = &geometry, .data = {.generator = 1}};
    created->benchmark = strdup(benchmark);
    cm_status status =
        created->benchmark != NULL ? prove(&proof, facts, &undisturbed, created, error) : cm_error_no_memory(error);
    cm_software_pmu_free(proof.pmu);
    cm_quantities_clear(&proof.quantities);
    free(proof.facts);
    free(proof.before);
    free(proof.expectations);
    if (status != CM_OK) {
        cm_verification_free(created);
        return status;
    }
    *verification = created;
    return CM_OK;
}

void cm_verification_free(cm_verification *verification)
{
    if (verification == NULL)
        return;
    for (size_t i = 0; i < verification->kernel_count; i++) {
        free(verification->kernels[i].kernel);
        free(verification->kernels[i].quantities);
        free(verification->kernels[i].text);
    }
    for (size_t i = 0; i < verification->quantity_count; i++)
        free(verification->quantities[i]);
    free(verification->kernels);
    free(verification->quantities);
    free(verification->benchmark);
    free(verification);
}
