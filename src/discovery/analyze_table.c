/* Analyses one table of measurements. */
#include "discovery/results.h"

static cm_status copy_path(const char *own, char **path, cm_error *error)
{
    *path = strdup(own);
    return *path != NULL ? CM_OK : cm_error_no_memory(error);
}

/* The user's files, or catmint's own for the kernels of the table. */
static cm_status find_table_paths(const cm_analyze_job *job, char **basis, char **signatures, cm_error *error)
{
    const cm_analyze_options *options = job->options;
    char **bases = options->basis == NULL ? basis : NULL, **sets = options->signatures == NULL ? signatures : NULL;
    cm_status status =
        cm_find_tables_of(job->benchmark, job->measurements, options->method == CM_METHOD_PAPER, bases, sets, error);
    if (status == CM_OK && options->basis != NULL)
        status = copy_path(options->basis, basis, error);
    if (status == CM_OK && options->signatures != NULL)
        status = copy_path(options->signatures, signatures, error);
    return status;
}

/* Loads the job's basis and signatures; those that come with catmint count bytes in this machine's lines. */
static cm_status load_tables(const cm_analyze_job *job, const cm_results *results, cm_basis **basis,
                             cm_signatures **signatures, cm_error *error)
{
    char *paths[2] = {NULL, NULL};
    cm_status status = find_table_paths(job, &paths[0], &paths[1], error);
    CM_THEN(status, cm_basis_load(paths[0], basis, error));
    if (status == CM_OK)
        (*basis)->cache_levels = results->origin.cache_levels;
    CM_THEN(status, cm_signatures_load(paths[1], signatures, error));
    if (status == CM_OK && results->origin.line != 0 && job->options->signatures == NULL)
        status = cm_scale_bytes_of_lines(*signatures, results->origin.line, error);
    CM_FREE(paths[0], paths[1]);
    return cm_error_of_input(status, error);
}

static cm_status check_stop(const cm_analyze_options *options, cm_error *error)
{
    if (options->stop != NULL && *options->stop != 0)
        return CM_FAIL(error, CM_INTERRUPTED, "interrupted, nothing was written");
    return CM_OK;
}

/* *result stays NULL if the table is not to be streamed, or something is wrong with it. */
static cm_status run_streamed(const cm_analyze_job *job, const cm_benchmark_request *request, const cm_basis *basis,
                              const cm_signatures *signatures, size_t unavailable, cm_benchmark_result **result,
                              cm_error *error)
{
    cm_stream *stream = NULL;
    cm_status status = cm_stream_open(job->measurements, job->options->stream_from, job->options->stop, &stream, error);
    if (status == CM_OK && stream != NULL)
        status = cm_benchmark_result_create_from(request, job->benchmark, cm_stream_head(stream), stream, basis,
                                                 signatures, unavailable, result, error);
    cm_stream_close(stream);
    return status == CM_OK ? check_stop(job->options, error) : status;
}

/* Takes over a lone table's mark, the reason why its counts cannot be compared. */
static cm_status note_mark(const char *table, cm_results *results, cm_error *error)
{
    char *why = NULL;
    if (results->origin.not_comparable != NULL)
        return CM_OK;
    cm_status status = cm_table_not_comparable(table, &why, error);
    if (status == CM_OK && why != NULL && (results->origin.not_comparable = json_string(why)) == NULL)
        status = cm_error_no_memory(error);
    free(why);
    return status;
}

cm_status cm_analyze_table(const cm_analyze_job *job, cm_results *results, cm_error *error)
{
    cm_measurements *measurements = NULL;
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_basis *controls = NULL;
    cm_benchmark_result *result = NULL;
    const cm_event_components components = cm_component_list_events(results->components);
    cm_benchmark_request request = cm_analyze_request(job, results, &components);
    cm_status status = load_tables(job, results, &basis, &signatures, error);
    if (status == CM_OK && job->options->controls != NULL)
        status = cm_error_of_input(cm_basis_load_controls(job->options->controls, basis, &controls, error), error);
    request.own_controls = controls;
    CM_THEN(status, run_streamed(job, &request, basis, signatures, results->unavailable_count, &result, error));
    bool in_memory = result == NULL; /* whatever is wrong with the table, its reader says */
    if (status == CM_OK && in_memory)
        status = cm_measurements_load(job->measurements, &measurements, error);
    CM_THEN(status, check_stop(job->options, error));
    if (status == CM_OK && in_memory)
        status = cm_benchmark_result_create_for(&request, job->benchmark, measurements, basis, signatures,
                                                results->unavailable_count, &result, error);
    CM_THEN(status, check_stop(job->options, error));
    CM_THEN(status, cm_try_definitions(result, error));
    CM_THEN(status, note_mark(job->measurements, results, error));
    CM_THEN(status, cm_results_add(results, result, error));
    if (status == CM_OK)
        cm_analyze_point_out_raw(job, measurements);
    else
        cm_benchmark_result_free(result);
    cm_measurements_free(measurements);
    cm_signatures_free(signatures);
    cm_basis_free(basis);
    cm_basis_free(controls);
    return status;
}
