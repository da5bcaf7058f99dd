/* Documents: read from JSON, and taken from results in memory. */
#include "result/result.h"

/* Reads a document. */
static cm_status read_document(cm_json_reader *reader, const json_t *document, void *definitions)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    if (schema == NULL || strcmp(schema, "catmint.metrics/1") != 0) {
        if (schema != NULL)
            cm_json_enter(reader, "schema", 0);
        return cm_json_fault(reader, "%s, expected the schema \"catmint.metrics/1\", which catmint analyze writes",
                             schema != NULL ? "is a different one" : "names no schema");
    }
    cm_status status = cm_fields_read(&cm_result_document_fields, reader, document, definitions);
    if (status == CM_OK && cm_definitions_count(definitions) == 0)
        return cm_error_set(reader->error, CM_BAD_INPUT, reader->file, 0, 0,
                            "no metric here, expected results of one benchmark at least");
    return status;
}

cm_status cm_definitions_read_file(cm_definitions *definitions, const char *path, cm_error *error)
{
    return cm_json_read_file(path, JSON_REJECT_DUPLICATES, "the JSON that catmint analyze writes", &definitions->arena,
                             read_document, definitions, error);
}

cm_status cm_definitions_take(cm_definitions *definitions, const cm_results *results, cm_error *error)
{
    cm_definitions filled;
    cm_arena scratch = {0}, arena = {0};
    cm_status status = cm_fill_document(results, &scratch, &filled, error);
    CM_THEN(status, cm_fields_copy(&cm_result_document_fields, &filled, &arena, definitions, error));
    definitions->arena = arena;
    cm_arena_clear(&scratch);
    return status;
}

/* Refuses results in memory that no document may have. */
static cm_status check_results(const cm_results *results, cm_error *error)
{
    if (results->origin.pmu != NULL && !cm_definitions_knows_pmu(results->origin.pmu))
        return CM_FAIL(error, CM_BAD_INPUT, CM_DEFINITIONS_PMU, "pmu ", results->origin.pmu);
    const char *not_comparable = cm_results_not_comparable(results);
    if (not_comparable != NULL)
        return CM_FAIL(error, CM_BAD_INPUT, CM_DEFINITIONS_NOT_COMPARABLE, not_comparable);
    for (size_t i = 0; i < results->benchmark_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(results->benchmarks[i]->benchmark, results->benchmarks[j]->benchmark) == 0 &&
                strcmp(results->benchmarks[i]->core, results->benchmarks[j]->core) == 0)
                return CM_FAIL(error, CM_BAD_INPUT, "benchmark '%.100s' appears twice",
                               results->benchmarks[i]->benchmark);
    return CM_OK;
}

cm_status cm_definitions_from_results_create(const cm_results *results, cm_definitions **definitions, cm_error *error)
{
    cm_status status = check_results(results, error);
    if (status != CM_OK)
        return status;
    cm_definitions *created = calloc(1, sizeof *created);
    status = created != NULL ? cm_definitions_take(created, results, error) : cm_error_no_memory(error);
    CM_HAND_OVER(status, definitions, created, cm_definitions_free);
    return status;
}

/* The file to read: `path`, or of a directory its results.json; free with free(). */
static cm_status find_file(const char *path, char **file, cm_error *error)
{
    const bool within = cm_path_is_directory(path);
    if (asprintf(file, "%s%s", path, within ? "/results.json" : "") < 0) {
        *file = NULL;
        return cm_error_no_memory(error);
    }
    if (within && access(*file, F_OK) != 0)
        return cm_error_set(error, CM_IO, path, 0, 0,
                            "it is a directory without results.json, which 'catmint discover' writes there: expected "
                            "the output of 'catmint analyze --format json'");
    return CM_OK;
}

cm_status cm_definitions_load(const char *path, cm_definitions **definitions, cm_error *error)
{
    char *file = NULL;
    cm_definitions *created = calloc(1, sizeof *created);
    cm_status status = created != NULL ? find_file(path, &file, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_definitions_read_file(created, file, error));
    if (status == CM_OK && created->not_comparable != NULL)
        status = cm_error_set(error, CM_BAD_INPUT, file, 0, 0, CM_DEFINITIONS_NOT_COMPARABLE, created->not_comparable);
    CM_HAND_OVER(status, definitions, created, cm_definitions_free);
    free(file);
    return status;
}
