/* The tables of a sweep directory, and the sweep's description of itself. */
#include "discovery/results.h"

static bool is_named(const cm_analyze_options *options, const char *benchmark)
{
    return options->benchmark_count == 0 || CM_HAS(benchmark, options->benchmarks, options->benchmark_count);
}

static void write_note(const cm_analyze_options *options, const char *format, ...) CM_PRINTF(2, 3);
static void write_note(const cm_analyze_options *options, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE + CM_ERROR_FILE_SIZE];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
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
                            "holds an unfinished sweep: finish it with 'catmint sweep --resume' and its options");
    const char *state = cm_measured_incomplete(measured) != NULL ? "the sweep here is incomplete"
                                                                 : "ignoring the unfinished sweep here";
    write_note(options, "%s: %s: finish it with 'catmint sweep --resume' and its options", directory, state);
    return CM_OK;
}

static bool names_component(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cm_component_is_named(names[i]))
            return true;
    return false;
}

static cm_status read_origin(const char *manifest, cm_results *results, cm_error *error)
{
    cm_sweep_origin origin;
    cm_status status = cm_sweep_origin_read(manifest, &origin, error);
    if (status != CM_OK || origin.pmu == NULL)
        return status;
    cm_sweep_origin_clear(&results->origin);
    results->origin = origin;
    return CM_OK;
}

/* An event that was not counted, of the results that `data` are. */
static cm_status add_unavailable(const char *event, const char *component, const char *reason, void *data,
                                 cm_error *error)
{
    cm_results *results = data;
    size_t count = results->unavailable_count;
    if (!CM_GROW_BY_ONE(results->unavailable, count))
        return cm_error_no_memory(error);
    cm_unavailable_event *added = &results->unavailable[count];
    *added = (cm_unavailable_event){strdup(event), strdup(component), strdup(reason)};
    results->unavailable_count++;
    bool whole = added->event != NULL && added->component != NULL && added->reason != NULL;
    return whole ? CM_OK : cm_error_no_memory(error);
}

/* Reads the events that were not counted, and, if options name components, the component of each counted event. */
static cm_status read_events(const char *path, const cm_analyze_options *options, cm_results *results, cm_error *error)
{
    cm_status status = cm_sweep_unavailable_read(path, add_unavailable, results, error);
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
        status = read_origin(cm_measured_manifest(measured), results, error);
    CM_THEN(status, cm_measured_find(measured, "events.csv", &events, &foreign, error));
    if (status == CM_OK && events != NULL)
        status = read_events(events, options, results, error);
    free(events);
    return status;
}

static cm_status describe_lack(const char *directory, const cm_benchmarks *benchmarks, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                        "holds no measurements, expected <benchmark>.csv of a sweep, as %s.csv",
                        benchmarks->count > 0 ? benchmarks->items[0].name : "cpu-flops");
}

/* The tables of a sweep, one a benchmark; NULL if there is none. */
typedef struct sweep_tables {
    size_t count;
    char **paths;
    bool *foreign;
    cm_control_table *controls; /* room for one each */
} sweep_tables;

static cm_status find_table(const cm_measured *measured, const char *benchmark, char **path, bool *foreign,
                            cm_error *error)
{
    char *name = cm_path_join(".", benchmark, ".csv");
    cm_status status = name != NULL ? cm_measured_find(measured, strrchr(name, '/') + 1, path, foreign, error)
                                    : cm_error_no_memory(error);
    free(name);
    return status;
}

/* Finds the tables of the benchmarks that are asked for, and of the others those that serve as controls. */
static cm_status find_sweep_tables(const cm_measured *measured, const cm_benchmarks *benchmarks,
                                   const cm_analyze_options *options, sweep_tables *tables, cm_error *error)
{
    *tables = (sweep_tables){.count = benchmarks->count,
                             .paths = calloc(benchmarks->count + 1, sizeof(char *)),
                             .foreign = calloc(benchmarks->count + 1, sizeof(bool)),
                             .controls = calloc(benchmarks->count + 1, sizeof(cm_control_table))};
    cm_status status = tables->paths != NULL && tables->foreign != NULL && tables->controls != NULL
                           ? CM_OK
                           : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < benchmarks->count; i++)
        if (is_named(options, benchmarks->items[i].name) || options->method != CM_METHOD_PAPER)
            status = find_table(measured, benchmarks->items[i].name, &tables->paths[i], &tables->foreign[i], error);
    return status;
}

/* The tables of the other benchmarks. */
static size_t find_controls(const cm_benchmarks *benchmarks, const cm_analyze_options *options, size_t own,
                            sweep_tables *tables)
{
    size_t count = 0;
    for (size_t i = 0; i < tables->count && options->method != CM_METHOD_PAPER; i++)
        if (i != own && tables->paths[i] != NULL)
            tables->controls[count++] =
                (cm_control_table){benchmarks->items[i].name, tables->paths[i], options->stream_from};
    return count;
}

/* Analyses a benchmark's table of the sweep, or notes that it lacks one. */
static cm_status analyze_table(sweep_tables *tables, size_t index, const char *directory,
                               const cm_benchmarks *benchmarks, const cm_analyze_options *options, cm_results *results,
                               cm_error *error)
{
    const cm_benchmark *benchmark = &benchmarks->items[index];
    char *table = cm_path_join(directory, benchmark->name, ".csv");
    if (table == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    if (tables->foreign[index])
        write_note(options, "%s: ignored, manifest.json does not list it", table);
    if (tables->paths[index] != NULL)
        status = cm_analyze_table(&(cm_analyze_job){.benchmark = benchmark->name,
                                                    .measurements = tables->paths[index],
                                                    .defaults = benchmark,
                                                    .options = options,
                                                    .controls = tables->controls,
                                                    .control_count = find_controls(benchmarks, options, index, tables)},
                                  results, error);
    else if (options->benchmark_count > 0)
        status =
            cm_error_set(error, CM_BAD_INPUT, table, 0, 0, "is missing, expected measurements of %s", benchmark->name);
    free(table);
    return status;
}

cm_status cm_analyze_directory(const char *directory, const cm_benchmarks *benchmarks,
                               const cm_analyze_options *options, cm_results *results, cm_error *error)
{
    if ((options->basis != NULL || options->signatures != NULL) && options->benchmark_count != 1)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a basis or signatures file applies to one benchmark: name it");
    cm_measured *measured = NULL;
    cm_status status = cm_measured_open(directory, &measured, error);
    CM_THEN(status, check_finished(measured, directory, options, error));
    CM_THEN(status, read_companions(measured, options, results, error));
    sweep_tables tables = {0};
    if (status == CM_OK && cm_measured_has_manifest(measured))
        status = cm_tried_sets_create(directory, options->counting, &results->tried, error);
    CM_THEN(status, find_sweep_tables(measured, benchmarks, options, &tables, error));
    for (size_t i = 0; i < benchmarks->count && status == CM_OK; i++)
        if (is_named(options, benchmarks->items[i].name) &&
            (!results->origin.uncore || cm_has_socket_metrics(benchmarks->items[i].name)))
            status = analyze_table(&tables, i, directory, benchmarks, options, results, error);
    if (status == CM_OK && results->benchmark_count == 0)
        status = describe_lack(directory, benchmarks, error);
    if (status == CM_OK && results->tried != NULL)
        status = cm_tried_sets_save(results->tried, error);
    cm_free_list(tables.paths, tables.count);
    CM_FREE(tables.foreign, tables.controls);
    cm_measured_free(measured);
    return status;
}
