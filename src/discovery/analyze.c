#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "discovery/benchmark_result.h"
#include "discovery/event_match.h"
#include "discovery/results.h"
#include "tables/find_tables.h"
#include "tables/measured.h"

static const char thresholds_by_default[] = "cpu-flops"; /* for a basis of the user's own */

void cm_analyze_options_default(cm_analyze_options *options)
{
    *options = (cm_analyze_options){.tau = NAN, .alpha = NAN, .residual = NAN, .stream_from = (size_t)32 << 20};
}

/* One measurement table to analyse. */
typedef struct analyze_job {
    const char *benchmark;    /* as results name it */
    const char *measurements; /* path */
    const cm_benchmark *defaults;
    const cm_analyze_options *options;
    const cm_event_components *components;
} analyze_job;

static char *join(const char *directory, const char *name, const char *suffix)
{
    size_t size = strlen(directory) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s%s", directory, directory[0] != '\0' ? "/" : "", name, suffix);
    return path;
}

static cm_status copy_path(const char *own, char **path, cm_error *error)
{
    *path = strdup(own);
    return *path != NULL ? CM_OK : cm_error_no_memory(error);
}

/* The user's files, or what catmint has for the kernels of the table. */
static cm_status find_tables(const analyze_job *job, char **basis, char **signatures, cm_error *error)
{
    const cm_analyze_options *options = job->options;
    cm_status status = cm_find_tables_of(job->benchmark, job->measurements, options->basis == NULL ? basis : NULL,
                                         options->signatures == NULL ? signatures : NULL, error);
    if (status == CM_OK && options->basis != NULL)
        status = copy_path(options->basis, basis, error);
    if (status == CM_OK && options->signatures != NULL)
        status = copy_path(options->signatures, signatures, error);
    return status;
}

static cm_status load_tables(const analyze_job *job, cm_basis **basis, cm_signatures **signatures, cm_error *error)
{
    char *paths[2] = {NULL, NULL};
    cm_status status = find_tables(job, &paths[0], &paths[1], error);
    if (status == CM_OK)
        status = cm_basis_load(paths[0], basis, error);
    if (status == CM_OK)
        status = cm_signatures_load(paths[1], signatures, error);
    free(paths[0]);
    free(paths[1]);
    return status;
}

static cm_threshold_source source_of(bool chosen, double given)
{
    return chosen ? CM_THRESHOLD_AUTO : isnan(given) ? CM_THRESHOLD_DEFAULT : CM_THRESHOLD_GIVEN;
}

static cm_request request_of(const analyze_job *job)
{
    const cm_analyze_options *options = job->options;
    cm_request request = {.tau_source = source_of(options->tau_auto, options->tau),
                          .alpha_source = source_of(options->alpha_auto, options->alpha),
                          .avoid = options->avoid,
                          .avoid_count = options->avoid_count,
                          .only = options->only,
                          .only_count = options->only_count,
                          .components = job->components,
                          .max_events = options->max_events,
                          .with_offset_events = options->with_offset_events,
                          .stop = options->stop,
                          .events_detail = options->events_detail};
    cm_thresholds *thresholds = &request.thresholds;
    cm_thresholds_default(thresholds);
    thresholds->tau = request.tau_source == CM_THRESHOLD_GIVEN ? options->tau : job->defaults->tau;
    thresholds->alpha = request.alpha_source == CM_THRESHOLD_GIVEN ? options->alpha : job->defaults->alpha;
    thresholds->residual = isnan(options->residual) ? job->defaults->residual : options->residual;
    thresholds->quantum = job->defaults->quantum;
    return request;
}

static cm_status check_stop(const cm_analyze_options *options, cm_error *error)
{
    if (options->stop != NULL && *options->stop != 0)
        return cm_error_set(error, CM_INTERRUPTED, NULL, 0, 0, "interrupted, nothing was written");
    return CM_OK;
}

/* *result stays NULL where the table is not to be streamed, or something is wrong with it. */
static cm_status run_streamed(const analyze_job *job, const cm_request *request, const cm_basis *basis,
                              const cm_signatures *signatures, size_t unavailable, cm_benchmark_result **result,
                              cm_error *error)
{
    cm_stream *stream = NULL;
    cm_status status = cm_stream_open(job->measurements, job->options->stream_from, job->options->stop, &stream, error);
    bool more = status == CM_OK && stream != NULL;
    while (more) {
        bool indexed = cm_stream_is_indexed(stream);
        status = cm_benchmark_result_create_streamed(request, job->benchmark, stream, basis, signatures, unavailable,
                                                     result, error);
        more = status == CM_OK && *result == NULL && !indexed;
        if (more)
            status = cm_stream_index(stream, &more, error);
    }
    cm_stream_close(stream);
    return status == CM_OK ? check_stop(job->options, error) : status;
}

/* Analyses one table and appends it to the results. */
static cm_status run(const analyze_job *job, cm_results *results, cm_error *error)
{
    cm_measurements *measurements = NULL;
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_benchmark_result *result = NULL;
    const cm_request request = request_of(job);
    cm_status status = load_tables(job, &basis, &signatures, error);
    if (status == CM_OK)
        status = run_streamed(job, &request, basis, signatures, results->unavailable_count, &result, error);
    bool in_memory = result == NULL; /* whatever is wrong with the table, its reader says */
    if (status == CM_OK && in_memory)
        status = cm_measurements_load(job->measurements, &measurements, error);
    if (status == CM_OK)
        status = check_stop(job->options, error);
    if (status == CM_OK && in_memory)
        status = cm_benchmark_result_create_for(&request, job->benchmark, measurements, basis, signatures,
                                                results->unavailable_count, &result, error);
    if (status == CM_OK)
        status = check_stop(job->options, error);
    if (status == CM_OK)
        status = cm_results_add(results, result, error);
    if (status != CM_OK)
        cm_benchmark_result_free(result);
    cm_measurements_free(measurements);
    cm_signatures_free(signatures);
    cm_basis_free(basis);
    return status;
}

static bool is_named(const cm_analyze_options *options, const char *benchmark)
{
    for (size_t i = 0; i < options->benchmark_count; i++)
        if (strcmp(options->benchmarks[i], benchmark) == 0)
            return true;
    return options->benchmark_count == 0;
}

static cm_status check_names(const cm_analyze_options *options, const cm_benchmarks *benchmarks, cm_error *error)
{
    for (size_t i = 0; i < options->benchmark_count; i++)
        if (cm_benchmarks_find(benchmarks, options->benchmarks[i]) == NULL)
            return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "unknown benchmark '%s'", options->benchmarks[i]);
    if ((options->basis != NULL || options->signatures != NULL) && options->benchmark_count > 1)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "a basis or signatures of your own are for one benchmark, %zu were named",
                            options->benchmark_count);
    return CM_OK;
}

static void note(const cm_analyze_options *options, const char *format, ...) CM_PRINTF(2, 3);
static void note(const cm_analyze_options *options, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE + CM_ERROR_FILE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (options->note != NULL)
        options->note(text, options->note_data);
}

/* Without a manifest nothing says which of the tables belong to the sweep that did not end. */
static cm_status check_finished(const cm_measured *measured, const char *directory, const cm_analyze_options *options,
                                cm_error *error)
{
    if (!cm_measured_is_unfinished(measured))
        return CM_OK;
    if (!cm_measured_has_manifest(measured))
        return cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                            "holds an unfinished sweep: 'catmint sweep --resume' with its options finishes it");
    note(options,
         "%s: an unfinished sweep lies there, too, which is not read: 'catmint sweep --resume' with its options "
         "finishes it",
         directory);
    return CM_OK;
}

static bool names_component(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cm_event_names_component(names[i]))
            return true;
    return false;
}

/* What was not counted, and of which components the events are where that matters. */
static cm_status read_events(const char *path, const cm_analyze_options *options, cm_results *results, cm_error *error)
{
    cm_status status = cm_results_read_events(results, path, error);
    if (status == CM_OK &&
        (names_component(options->avoid, options->avoid_count) || names_component(options->only, options->only_count)))
        status = cm_component_list_load(path, &results->components, error);
    results->events_file = status == CM_OK ? strdup(path) : NULL;
    return status == CM_OK && results->events_file == NULL ? cm_error_no_memory(error) : status;
}

/* The manifest and the events of a sweep directory; a directory of tables alone has neither. */
static cm_status read_companions(const cm_measured *measured, const cm_analyze_options *options, cm_results *results,
                                 cm_error *error)
{
    char *events = NULL;
    bool foreign;
    cm_status status = CM_OK;
    if (cm_measured_has_manifest(measured))
        status = cm_results_read_manifest(results, cm_measured_manifest(measured), error);
    if (status == CM_OK)
        status = cm_measured_find(measured, "events.csv", &events, &foreign, error);
    if (status == CM_OK && events != NULL)
        status = read_events(events, options, results, error);
    free(events);
    return status;
}

static cm_status say_nothing_is_there(const char *directory, const cm_benchmarks *benchmarks, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                        "holds no measurements, expected <benchmark>.csv of a sweep, as %s.csv",
                        benchmarks->count > 0 ? benchmarks->items[0].name : "cpu-flops");
}

static cm_status analyze_table(const cm_measured *measured, const char *directory, const cm_benchmark *benchmark,
                               const cm_analyze_options *options, const cm_event_components *components,
                               cm_results *results, cm_error *error)
{
    char *place = join(directory, benchmark->name, ".csv"), *path = NULL;
    bool foreign = false;
    cm_status status = place != NULL ? cm_measured_find(measured, strrchr(place, '/') + 1, &path, &foreign, error)
                                     : cm_error_no_memory(error);
    if (status == CM_OK && foreign)
        note(options, "%s: is not read, manifest.json does not list it", place);
    if (status == CM_OK && path != NULL)
        status = run(&(analyze_job){benchmark->name, path, benchmark, options, components}, results, error);
    else if (status == CM_OK && options->benchmark_count > 0)
        status = cm_error_set(error, CM_BAD_INPUT, place, 0, 0, "is not there, expected measurements of %s",
                              benchmark->name);
    free(path);
    free(place);
    return status;
}

static cm_status analyze_directory(const char *directory, const cm_benchmarks *benchmarks,
                                   const cm_analyze_options *options, cm_results *results, cm_error *error)
{
    if ((options->basis != NULL || options->signatures != NULL) && options->benchmark_count != 1)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "a basis or signatures of your own are for one benchmark: name it");
    cm_measured *measured = NULL;
    cm_status status = cm_measured_open(directory, &measured, error);
    if (status == CM_OK)
        status = check_finished(measured, directory, options, error);
    if (status == CM_OK)
        status = read_companions(measured, options, results, error);
    const cm_event_components components = cm_component_list_events(results->components);
    for (size_t i = 0; i < benchmarks->count && status == CM_OK; i++)
        if (is_named(options, benchmarks->items[i].name))
            status = analyze_table(measured, directory, &benchmarks->items[i], options, &components, results, error);
    if (status == CM_OK && results->benchmark_count == 0)
        status = say_nothing_is_there(directory, benchmarks, error);
    cm_measured_free(measured);
    return status;
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

static cm_status analyze_file(const char *path, const cm_benchmarks *benchmarks, const cm_analyze_options *options,
                              cm_results *results, cm_error *error)
{
    bool own = options->basis != NULL && options->signatures != NULL;
    if (options->benchmark_count != 1 && (options->benchmark_count != 0 || !own))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "a measurement table does not say what was measured: name its benchmark, or give basis "
                            "and signatures both");
    const char *defaults = options->benchmark_count == 1 ? options->benchmarks[0] : thresholds_by_default;
    char *name = options->benchmark_count == 1 ? strdup(defaults) : name_of_basis(options->basis);
    const cm_benchmark *benchmark = cm_benchmarks_find(benchmarks, defaults);
    cm_status status = CM_OK;
    if (name == NULL)
        status = cm_error_no_memory(error);
    else if (benchmark == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "benchmarks.csv lacks the thresholds of %s", defaults);
    else
        status = run(&(analyze_job){name, path, benchmark, options, NULL}, results, error);
    free(name);
    return status;
}

static bool fits_any(const char *pattern, const cm_results *results)
{
    const cm_event_components components = cm_component_list_events(results->components);
    for (size_t b = 0; b < results->benchmark_count; b++) {
        const cm_analysis *analysis = results->benchmarks[b]->analysis;
        for (size_t i = 0; i < cm_analysis_event_count(analysis); i++)
            if (cm_event_fits(cm_analysis_event(analysis, i).event, pattern, &components))
                return true;
    }
    return false;
}

/* A pattern that fits nothing is a slip: what it leaves would be taken for all that there is. */
static cm_status check_only(const cm_analyze_options *options, const cm_results *results, const char *path,
                            cm_error *error)
{
    for (size_t i = 0; i < options->only_count; i++)
        if (!fits_any(options->only[i], results))
            return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "no event fits '%s', which alone is to be used",
                                options->only[i]);
    return CM_OK;
}

cm_status cm_results_analyze_create(const char *path, const cm_analyze_options *options, cm_results **results,
                                    cm_error *error)
{
    cm_results *created = NULL;
    cm_benchmarks *benchmarks = NULL;
    char *list = NULL;
    struct stat found;
    cm_status status = cm_results_create(&created, error);
    if (status == CM_OK)
        status = cm_data_path("bases/benchmarks.csv", &list, error);
    if (status == CM_OK)
        status = cm_benchmarks_load(list, &benchmarks, error);
    if (status == CM_OK)
        status = check_names(options, benchmarks, error);
    if (status == CM_OK && stat(path, &found) != 0)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "%s: expected a sweep directory or a measurement table",
                              strerror(errno));
    else if (status == CM_OK && S_ISDIR(found.st_mode))
        status = analyze_directory(path, benchmarks, options, created, error);
    else if (status == CM_OK)
        status = analyze_file(path, benchmarks, options, created, error);
    if (status == CM_OK)
        status = check_only(options, created, path, error);
    if (status == CM_OK)
        *results = created;
    else
        cm_results_free(created);
    cm_benchmarks_free(benchmarks);
    free(list);
    return status;
}
