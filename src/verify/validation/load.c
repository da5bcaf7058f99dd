/* Reads a validation back: programs and facts from the manifest, counts from the table. */
#include "verify/validation/validation.h"

/* ---- programs and facts ---- */

static cm_status faulty(const char *path, const char *expected, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, path, 1, 0, "\"" CM_VALIDATION_MEMBER "\" is faulty, expected %s",
                        expected);
}

/* Reads a number, [number, range], or null: unknown. */
static bool read_fact(const json_t *json, double *value, double *range)
{
    const json_t *number = json_is_array(json) ? json_array_get(json, 0) : json;
    const json_t *width = json_array_get(json, 1);
    *range = json_is_null(json) ? INFINITY : json_number_value(width);
    *value = json_number_value(number);
    return json_is_null(json) || (json_is_number(number) && (!json_is_array(json) || json_is_number(width)));
}

/* Reads one program and its facts. */
static cm_status read_program(const char *path, const json_t *json, size_t index, cm_program_table *table,
                              cm_error *error)
{
    const char *name = json_string_value(json_object_get(json, "program"));
    const char *description = json_string_value(json_object_get(json, "description"));
    const char *class = json_string_value(json_object_get(json, "class")); /* earlier versions did not write it */
    json_t *facts = json_object_get(json, "facts"), *fact;
    const char *key;
    if (name == NULL || description == NULL || !json_is_object(facts))
        return faulty(path, "programs with a name, a description and facts", error);
    table->programs[index] = strdup(name);
    table->descriptions[index] = strdup(description);
    table->classes[index] = strdup(class != NULL ? class : "");
    if (table->programs[index] == NULL || table->descriptions[index] == NULL || table->classes[index] == NULL)
        return cm_error_no_memory(error);
    json_object_foreach(facts, key, fact)
    {
        ptrdiff_t found = cm_fact_find(key);
        size_t at = index * cm_fact_count() + (found >= 0 ? (size_t)found : 0);
        if (found < 0 || !read_fact(fact, &table->facts[at], &table->ranges[at]))
            return faulty(path, "a fact as a number, [number, range] or null", error);
    }
    return CM_OK;
}

/* Reads the seed and all programs. */
static cm_status read_programs(const char *path, const json_t *json, cm_program_table *table, cm_error *error)
{
    const json_t *seed = json_object_get(json, "seed"), *programs = json_object_get(json, "programs");
    size_t count = json_array_size(programs);
    if (!json_is_integer(seed) || count == 0)
        return faulty(path, "a seed and programs", error);
    table->seed = (uint64_t)json_integer_value(seed);
    table->program_count = count;
    if (!CM_ALLOCATE(table->programs, count) || !CM_ALLOCATE(table->descriptions, count) ||
        !CM_ALLOCATE(table->classes, count) || !CM_ALLOCATE(table->facts, count * cm_fact_count()) ||
        !CM_ALLOCATE(table->ranges, count * cm_fact_count()))
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = read_program(path, json_array_get(programs, i), i, table, error);
    return status;
}

/* ---- counts ---- */

/* The median over repetitions and threads of one kernel. */
static double median_of(const cm_measurements *measurements, const cm_measurement *event, size_t kernel, double *buffer)
{
    size_t rows = event->repetition_count * event->thread_count;
    for (size_t i = 0; i < rows; i++)
        buffer[i] = event->values[i * measurements->kernel_count + kernel];
    return cm_median(buffer, rows);
}

/* The standard error of their mean. */
static double error_of(const double *values, size_t count)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return count > 1 ? sqrt(squares / (double)((count - 1) * count)) : 0.0;
}

/* Takes one event's counts, less those of the first kernel, the empty program: the overhead of a run. */
static cm_status take_event(const cm_measurements *measurements, size_t index, cm_program_table *table, cm_error *error)
{
    const cm_measurement *event = &measurements->events[index];
    double *buffer = calloc(event->repetition_count * event->thread_count + 1, sizeof *buffer);
    table->events[index] = strdup(event->event);
    if (buffer == NULL || table->events[index] == NULL) {
        free(buffer);
        return cm_error_no_memory(error);
    }
    double empty = median_of(measurements, event, 0, buffer);
    for (size_t i = 0; i < table->program_count; i++) {
        size_t at = index * table->program_count + i;
        table->counts[at] = median_of(measurements, event, i + 1, buffer) - empty;
        table->errors[at] = error_of(buffer, event->repetition_count * event->thread_count);
    }
    free(buffer);
    return CM_OK;
}

/* Takes the counts of all events; CM_BAD_INPUT if the programs are not the manifest's. */
static cm_status take_counts(const cm_measurements *measurements, cm_program_table *table, cm_error *error)
{
    bool fits = measurements->kernel_count == table->program_count + 1;
    for (size_t i = 0; fits && i < table->program_count; i++)
        fits = strcmp(measurements->kernels[i + 1], table->programs[i]) == 0;
    if (!fits)
        return cm_error_set(error, CM_BAD_INPUT, measurements->file, measurements->header_line, 0,
                            "the programs are not those of the manifest");
    if (!CM_ALLOCATE(table->events, measurements->event_count) ||
        !CM_ALLOCATE(table->counts, measurements->event_count * table->program_count) ||
        !CM_ALLOCATE(table->errors, measurements->event_count * table->program_count) ||
        !CM_ALLOCATE(table->iterations, table->program_count))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < table->program_count; i++)
        table->iterations[i] = measurements->iterations != NULL ? measurements->iterations[i + 1] : 1.0;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < measurements->event_count; i++) {
        table->event_count++;
        status = take_event(measurements, i, table, error);
    }
    return status;
}

/* Reads the table of counts that the manifest lists. */
static cm_status read_counts(const cm_measured *measured, const char *benchmark, cm_program_table *table,
                             cm_error *error)
{
    char *path = NULL, name[32];
    bool foreign = false;
    cm_measurements *measurements = NULL;
    snprintf(name, sizeof name, "%s.csv", benchmark);
    cm_status status = cm_measured_find(measured, name, &path, &foreign, error);
    if (status == CM_OK && path == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, cm_measured_manifest(measured), 1, 0,
                              "lists no %s, expected the counts of a validation", name);
    CM_THEN(status, cm_measurements_load(path, &measurements, error));
    CM_THEN(status, take_counts(measurements, table, error));
    cm_measurements_free(measurements);
    free(path);
    return status;
}

/* ---- a validation ---- */

/* *table stays NULL if the validation is of another sweep. */
static cm_status read_table(const cm_measured *measured, const json_t *origin, const char *benchmark,
                            cm_program_table **table, cm_error *error)
{
    const char *path = cm_measured_manifest(measured);
    json_t *manifest = NULL;
    cm_status status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the manifest of a validation", &manifest, error);
    if (status != CM_OK)
        return status;
    const json_t *json = json_object_get(manifest, CM_VALIDATION_MEMBER);
    if (!json_is_object(json))
        status = faulty(path, "an object", error);
    bool same = status == CM_OK && json_equal(json_object_get(json, "sweep"), origin);
    if (same && (*table = calloc(1, sizeof **table)) == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK && *table != NULL)
        status = read_programs(path, json, *table, error);
    if (status == CM_OK && *table != NULL)
        status = read_counts(measured, benchmark, *table, error);
    json_decref(manifest);
    return status;
}

/* Reads the table of a stage in `path`; *table stays NULL if that has no manifest. */
static cm_status load_once(const char *path, const char *directory, cm_validation_stage stage, cm_program_table **table,
                           cm_error *error)
{
    json_t *origin = NULL;
    cm_measured *measured = NULL;
    cm_status status = cm_sweep_checksum(directory, &origin, error);
    CM_THEN(status, cm_measured_open(path, &measured, error));
    if (status == CM_OK && cm_measured_has_manifest(measured))
        status = read_table(measured, origin, cm_validation_benchmark(stage), table, error);
    cm_measured_free(measured);
    json_decref(origin);
    return status;
}

cm_status cm_program_table_load(const char *directory, cm_validation_stage stage, cm_program_table **table,
                                cm_error *error)
{
    char *path = cm_validation_path(directory, stage);
    cm_program_table *read = NULL;
    cm_measured_moment moment;
    cm_status status = CM_NO_MEMORY;
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_measured_note(path, &moment);
    do {
        cm_program_table_free(read);
        read = NULL;
        status = load_once(path, directory, stage, &read, error);
    } while (status != CM_NO_MEMORY && cm_measured_has_moved(path, &moment));
    CM_HAND_OVER(status, table, read, cm_program_table_free);
    free(path);
    return status;
}

void cm_program_table_free(cm_program_table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->program_count; i++) {
        if (table->programs != NULL)
            free(table->programs[i]);
        if (table->descriptions != NULL)
            free(table->descriptions[i]);
        if (table->classes != NULL)
            free(table->classes[i]);
    }
    cm_free_list(table->events, table->event_count);
    CM_FREE(table->programs, table->iterations, table->descriptions, table->classes, table->facts, table->ranges,
            table->counts, table->errors, table);
}

static bool follows_first(const cm_program_table *table, cm_validation_stage stage, const cm_program_table *first)
{
    return stage == CM_STAGE_WORKLOADS || (first != NULL && table->seed == cm_validation_seed(stage, first->seed) &&
                                           table->program_count == first->program_count);
}

cm_status cm_program_tables_load(const char *directory, cm_program_tables *tables, cm_error *error)
{
    cm_status status = CM_OK;
    *tables = (cm_program_tables){{NULL}};
    for (int i = 0; status == CM_OK && i < CM_VALIDATION_STAGES; i++) {
        cm_validation_stage stage = (cm_validation_stage)i;
        cm_program_table **table = &tables->stages[stage];
        status = cm_program_table_load(directory, stage, table, error);
        if (status == CM_OK && *table != NULL && !follows_first(*table, stage, tables->stages[CM_STAGE_PROGRAMS])) {
            cm_program_table_free(*table);
            *table = NULL;
        }
    }
    if (status != CM_OK)
        cm_program_tables_clear(tables);
    return status;
}

void cm_program_tables_clear(cm_program_tables *tables)
{
    for (size_t i = 0; i < CM_VALIDATION_STAGES; i++)
        cm_program_table_free(tables->stages[i]);
    *tables = (cm_program_tables){{NULL}};
}
