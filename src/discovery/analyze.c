/* Results of a directory or of one table, by the options. */
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
        *all = CM_HAS(basis->kernels[i], ours->kernels, ours->kernel_count);
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

/* Thresholds for a basis of the caller's own: of the benchmark whose kernels it has. CM_BAD_ARGUMENT if there is
 * none and the options do not say them all. Names in `defaults` belong to the benchmarks. */
static cm_status find_defaults(const cm_analyze_options *options, const cm_benchmarks *benchmarks,
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

/* "bases/mine.csv" is the benchmark "mine". */
static char *name_of_basis(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    size_t length = strlen(start);
    if (length > 4 && strcmp(start + length - 4, ".csv") == 0)
        length -= 4;
    return strndup(start, length);
}

/* The error for a file without a benchmark: it is no measurement table, or does not say which. */
static cm_status refuse_unnamed(const char *path, cm_error *error)
{
    static const char *const columns[] = {"event", "repetition", "thread"};
    cm_csv *csv = NULL;
    cm_error fault = {0};
    cm_status status = cm_csv_open(path, &csv, &fault);
    CM_THEN(status, cm_csv_expect(csv, 3, columns, true, &fault));
    cm_csv_close(csv);
    if (status == CM_BAD_INPUT)
        return cm_error_set(error, CM_BAD_INPUT, path, fault.line, 0,
                            "it is no measurement table, expected one, or the directory of a sweep: %s", fault.text);
    if (status == CM_OK)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "a measurement table does not name its benchmark: name it (--benchmark), or give both basis and "
                       "signatures (--basis, --signatures)");
    if (error != NULL)
        *error = fault;
    return status;
}

/* Analyses a table whose benchmark, or basis and signatures, the options name. */
static cm_status analyze_file(const char *path, const cm_benchmarks *benchmarks, const cm_analyze_options *options,
                              cm_results *results, cm_error *error)
{
    bool own = options->basis != NULL && options->signatures != NULL;
    if (cm_is_json(path))
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                            "results in JSON have no counts: expected the directory of a sweep, as discover --out DIR "
                            "or sweep --out DIR keeps it, or a measurement table");
    if (options->benchmark_count != 1 && (options->benchmark_count != 0 || !own))
        return refuse_unnamed(path, error);
    bool named = options->benchmark_count == 1;
    cm_benchmark defaults = named ? *cm_benchmarks_find(benchmarks, options->benchmarks[0]) : (cm_benchmark){0};
    cm_status status = named ? CM_OK : find_defaults(options, benchmarks, &defaults, error);
    char *name = named ? strdup(options->benchmarks[0]) : name_of_basis(options->basis);
    if (status == CM_OK && name == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status,
            cm_analyze_table(
                &(cm_analyze_job){.benchmark = name, .measurements = path, .defaults = &defaults, .options = options},
                results, error));
    free(name);
    return status;
}

/* Adds the results of one type of cores, from its own directory. */
static cm_status analyze_core(const char *directory, const cm_core_type *core, const cm_analyze_options *options,
                              cm_results *whole, cm_error *error)
{
    cm_results *part = NULL;
    char *place = cm_path_join(directory, core->name, "");
    cm_status status =
        place != NULL ? cm_results_analyze_create(place, options, &part, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_results_add_part(whole, core, part, error));
    free(place);
    return status;
}

/* Analyses the sweep of each type of cores. */
static cm_status analyze_cores(const char *directory, const cm_analyze_options *options, cm_results *whole,
                               cm_error *error)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cm_status status = cm_sweep_cores_read(directory, types, &count, error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = analyze_core(directory, &types[i], options, whole, error);
    if (status == CM_OK && whole->part_count != 0)
        cm_results_share_unavailable(whole);
    return status;
}

/* Analyses a table, a sweep, or the sweeps of several types of cores; the caller frees *results. */
static cm_status analyze_once(const char *path, const cm_analyze_options *options, cm_results **results,
                              cm_error *error)
{
    cm_results *created = NULL;
    cm_benchmarks *benchmarks = NULL;
    char *list = NULL;
    struct stat found;
    cm_status status = cm_results_create(&created, error);
    CM_THEN(status, cm_data_path("bases/benchmarks.csv", &list, error));
    CM_THEN(status, cm_benchmarks_load(list, &benchmarks, error));
    CM_THEN(status, cm_analyze_check_names(options, benchmarks, error));
    if (status == CM_OK && stat(path, &found) != 0)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "%s: expected a sweep directory or a measurement table",
                              strerror(errno));
    else if (status == CM_OK && S_ISDIR(found.st_mode) && cm_sweep_has_cores(path))
        status = analyze_cores(path, options, created, error);
    else if (status == CM_OK && S_ISDIR(found.st_mode))
        status = cm_analyze_directory(path, benchmarks, options, created, error);
    else if (status == CM_OK)
        status = analyze_file(path, benchmarks, options, created, error);
    CM_THEN(status, cm_analyze_check_only(options, created, path, error));
    CM_THEN(status, cm_vendor_presets_apply(created, error));
    CM_HAND_OVER(status, results, created, cm_results_free);
    cm_benchmarks_free(benchmarks);
    free(list);
    return status;
}

cm_status cm_results_analyze_create(const char *path, const cm_analyze_options *options, cm_results **results,
                                    cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_analyze_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_measured_moment moment;
    cm_results *created = NULL;
    cm_status status;
    cm_measured_note(path, &moment);
    do {
        cm_results_free(created);
        created = NULL;
        status = analyze_once(path, options, &created, error);
    } while (status != CM_NO_MEMORY && status != CM_INTERRUPTED && cm_measured_has_moved(path, &moment));
    if (status == CM_OK)
        *results = created;
    return status;
}
