/* The thresholds of a table whose basis is the caller's own. */
#include "discovery/results.h"

/* *all: the kernels of the basis are all kernels of the benchmark, catmint's or the paper's. */
static cm_status has_kernels(const char *benchmark, const cm_basis *basis, bool *all, cm_error *error)
{
    char *path = NULL;
    cm_basis *ours = NULL;
    cm_status status =
        cm_find_tables(benchmark, basis->kernel_count, (const char *const *)basis->kernels, false, &path, NULL, error);
    CM_THEN(status, cm_basis_load(path, &ours, error));
    *all = status == CM_OK;
    for (size_t i = 0; i < basis->kernel_count && *all; i++)
        *all = cm_name_place(ours->kernels, ours->kernel_count, basis->kernels[i]) < ours->kernel_count;
    cm_basis_free(ours);
    free(path);
    return status;
}

static bool are_equal(const cm_benchmark *one, const cm_benchmark *other)
{
    return one->tau == other->tau && one->alpha == other->alpha && one->residual == other->residual &&
           one->quantum == other->quantum;
}

/* *found: the benchmark whose kernels these are; NULL if there is none, or several with other thresholds. */
static cm_status find_benchmark(const cm_benchmarks *benchmarks, const cm_basis *basis, const cm_benchmark **found,
                                cm_error *error)
{
    cm_status status = CM_OK;
    bool several = false;
    *found = NULL;
    for (size_t i = 0; i < benchmarks->count && status == CM_OK; i++) {
        const cm_benchmark *benchmark = &benchmarks->items[i];
        bool all = false;
        status = has_kernels(benchmark->name, basis, &all, error);
        several = several || (all && *found != NULL && !are_equal(*found, benchmark));
        *found = all && *found == NULL ? benchmark : *found;
    }
    *found = several ? NULL : *found;
    return status;
}

cm_status cm_analyze_find_defaults(const cm_analyze_options *options, const cm_benchmarks *benchmarks,
                                   cm_benchmark *defaults, cm_error *error)
{
    cm_basis *basis = NULL;
    const cm_benchmark *found = NULL;
    cm_status status = cm_basis_load(options->basis, &basis, error);
    CM_THEN(status, find_benchmark(benchmarks, basis, &found, error));
    cm_basis_free(basis);
    if (status != CM_OK)
        return status;
    bool given = !options->tau_auto && !options->alpha_auto && !isnan(options->tau) && !isnan(options->alpha) &&
                 !isnan(options->residual);
    if (found == NULL && !given)
        return cm_error_set(error, CM_BAD_ARGUMENT, options->basis, 0, 0,
                            "its kernels are not those of one benchmark, whose thresholds would hold: "
                            "give --tau, --alpha and --residual, each a number");
    *defaults = found != NULL ? *found : (cm_benchmark){0};
    return CM_OK;
}
