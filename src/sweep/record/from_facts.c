/* Writes the directory of a sweep from facts that were counted before. */
#include <catmint/from_facts.h>

#include "software_pmu/machine/facts.h"
#include "sweep/record/record.h"

/* A sweep while it is written. */
typedef struct derivation {
    cm_pmu_model *model;
    const char *facts; /* the directory */
    json_t *manifest;  /* of the facts */
    cm_measured *measured;
    cm_directory *directory;
    bool *known;       /* one a fact */
    unsigned left_out; /* instruction sets that the model's processor does not execute */
} derivation;

/* The sets that the kernel needs and the model's processor does not execute. */
static unsigned lacking_sets(const derivation *in, const char *benchmark, const char *kernel)
{
    const cm_kernel *known = cm_kernel_find(benchmark, kernel);
    return known != NULL ? known->isa & in->left_out : 0;
}

/* ---- reading ---- */

/* The directory of the facts that come with catmint, to be freed. */
static cm_status find_kept(const cm_pmu_model *model, char **directory, cm_error *error)
{
    if (cm_pmu_model_machine(model)->gpu[0] != '\0')
        return CM_FAIL(error, CM_BAD_INPUT,
                       "no facts are kept of GPUs, as %s: count its events with 'catmint sweep --pmu software:%s --out "
                       "DIR', and name DIR with --against",
                       cm_pmu_model_name(model), cm_pmu_model_name(model));
    char *name = cm_path_join("data/facts", cm_pmu_model_machine_name(model), "");
    cm_status status = name != NULL ? cm_data_path(name, directory, NULL) : CM_NO_MEMORY;
    if (status == CM_NO_MEMORY)
        status = cm_error_no_memory(error);
    else if (status != CM_OK)
        status = CM_FAIL(error, CM_BAD_INPUT,
                         "no facts are kept for the machine of %s, %s: count them with 'catmint sweep --pmu "
                         "software:%s-facts --component sde --out DIR', and name DIR with --facts",
                         cm_pmu_model_name(model), cm_pmu_model_machine_name(model), cm_pmu_model_machine_name(model));
    free(name);
    return status;
}

/* The facts must be those of the model's machine. */
static cm_status check_machine(const derivation *in, cm_error *error)
{
    char expected[CM_MODEL_CHECKSUM_SIZE];
    const json_t *described = json_object_get(in->manifest, "model");
    const char *found = json_string_value(json_object_get(described, "checksum"));
    cm_sweep_machine_checksum(in->model, expected);
    if (found != NULL && strcmp(found, expected) == 0)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, in->facts, 0, 0,
                        "holds no facts of the machine of %s: count them with 'catmint sweep --pmu software:%s-facts "
                        "--component sde'",
                        cm_pmu_model_name(in->model), cm_pmu_model_machine_name(in->model));
}

/* Opens the sweep of facts; notes its machine and facts. */
static cm_status read_manifest(derivation *in, cm_error *error)
{
    cm_status status = cm_measured_open(in->facts, &in->measured, error);
    if (status == CM_OK && !cm_measured_has_manifest(in->measured))
        status = cm_error_set(error, CM_BAD_INPUT, in->facts, 0, 0, "has no manifest.json, expected a sweep of facts");
    CM_THEN(status, cm_json_load(cm_measured_manifest(in->measured), JSON_REJECT_DUPLICATES, "the manifest of a sweep",
                                 &in->manifest, error));
    CM_THEN(status, check_machine(in, error));
    const json_t *listed = json_object_get(in->manifest, CM_FACTS_KEY);
    for (size_t i = 0; status == CM_OK && i < json_array_size(listed); i++) {
        const char *name = json_string_value(json_array_get(listed, i));
        const ptrdiff_t fact = name != NULL ? cm_fact_find(name) : -1;
        if (fact >= 0)
            in->known[fact] = true;
    }
    return status;
}

/* ---- writing ---- */

/* Writes the model's counts of all events and repetitions. */
static cm_status write_counts(const derivation *in, const cm_fact_counts *table, cm_measurements_writer *writer,
                              cm_error *error)
{
    double *values = calloc(table->kernel_count + 1, sizeof *values);
    cm_status status = values != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t e = 0; e < cm_pmu_model_event_count(in->model); e++)
        for (size_t r = 0; status == CM_OK && r < table->repetitions; r++) {
            for (size_t k = 0; k < table->kernel_count; k++)
                values[k] = fmax(0.0, (double)cm_pmu_model_evaluate(in->model, e, cm_fact_counts_of(table, r, k)));
            status = cm_measurements_writer_add(writer, cm_pmu_model_event(in->model, e).name, r + 1, 0, values, error);
        }
    free(values);
    return status;
}

/* Drops the kernels of the benchmark, whose table has that name, that the model's processor does not execute. */
static cm_status drop_kernels(const derivation *in, const char *name, cm_fact_counts *table, cm_error *error)
{
    char benchmark[128];
    bool *keep = calloc(table->kernel_count + 1, sizeof *keep);
    if (keep == NULL)
        return cm_error_no_memory(error);
    snprintf(benchmark, sizeof benchmark, "%.*s", (int)strcspn(name, "."), name);
    for (size_t k = 0; k < table->kernel_count; k++)
        keep[k] = lacking_sets(in, benchmark, table->kernels[k]) == 0;
    cm_fact_counts_drop(table, keep);
    free(keep);
    return CM_OK;
}

/* The benchmark's own number of repetitions, or the one of all. */
static size_t repetitions_of(const derivation *in, size_t benchmark)
{
    const json_t *described = json_array_get(json_object_get(in->manifest, "benchmarks"), benchmark);
    const json_t *own = json_object_get(described, "repetitions"), *all = json_object_get(in->manifest, "repetitions");
    return (size_t)json_integer_value(own != NULL ? own : all);
}

/* Writes the table of a benchmark. */
static cm_status write_table(derivation *in, size_t benchmark, const char *name, cm_error *error)
{
    char *source = NULL;
    const char *path = NULL;
    bool foreign = false;
    cm_fact_counts table = {0};
    cm_measurements_writer *writer = NULL;
    cm_status status = cm_measured_find(in->measured, name, &source, &foreign, error);
    if (status == CM_OK && source == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, in->facts, 0, 0, "%s of the facts is missing", name);
    CM_THEN(status, cm_fact_counts_load(source, repetitions_of(in, benchmark), in->known, &table, error));
    CM_THEN(status, drop_kernels(in, name, &table, error));
    CM_THEN(status, cm_directory_file(in->directory, name, &path, error));
    CM_THEN(status,
            cm_measurements_writer_create(path, "From facts that were counted before. Raw counts.", table.kernel_count,
                                          (const char *const *)table.kernels, table.iterations, &writer, error));
    CM_THEN(status, write_counts(in, &table, writer, error));
    CM_THEN(status, cm_measurements_writer_finish(writer, error));
    cm_measurements_writer_free(writer);
    cm_fact_counts_clear(&table);
    free(source);
    return status;
}

/* Writes events.csv: all events are counted, but those of unknown meaning. */
static cm_status write_events(derivation *in, cm_error *error)
{
    const char *name;
    cm_output *output = NULL;
    cm_status status = cm_events_table_begin(in->directory, &output, error);
    for (size_t e = 0; status == CM_OK && e < cm_pmu_model_event_count(in->model); e++) {
        const cm_pmu_event event = cm_pmu_model_event(in->model, e);
        cm_events_table_add(output, (const char *const[]){event.name, "sde", "counted", "", "", event.description});
    }
    for (size_t i = 0; status == CM_OK && (name = cm_pmu_model_unknown(in->model, i)) != NULL; i++)
        cm_events_table_add(output, (const char *const[]){name, "sde", "unavailable", CM_NOT_MODELLED, "", ""});
    return cm_events_table_end(output, status, error);
}

/* Moves the kernels that the model's processor does not execute to those that were left out. */
static void describe_dropped(const derivation *in, json_t *benchmark)
{
    char missing[128];
    json_t *kernels = json_object_get(benchmark, "kernels"), *left_out = json_object_get(benchmark, "left_out");
    const char *name = json_string_value(json_object_get(benchmark, "benchmark"));
    for (size_t k = json_array_size(kernels); k-- > 0;) {
        const char *kernel = json_string_value(json_object_get(json_array_get(kernels, k), "kernel"));
        unsigned sets = name != NULL && kernel != NULL ? lacking_sets(in, name, kernel) : 0;
        if (sets == 0)
            continue;
        cm_isa_names(sets, missing, sizeof missing);
        json_array_insert_new(left_out, 0, json_pack("{s:s, s:s}", "kernel", kernel, "missing", missing));
        json_array_remove(kernels, k);
    }
}

/* The manifest of the facts, made that of the model. */
static json_t *make_model_manifest(const derivation *in)
{
    static const char *const theirs[] = {"files",  "checksum",   "journal", "components",   "findings",
                                         "events", CM_FACTS_KEY, "options", "papi_version", "prefixed_events"};
    char pmu[256], reason[256], checksum[CM_MODEL_CHECKSUM_SIZE];
    const char *started = json_string_value(json_object_get(in->manifest, "started"));
    const char *version = json_string_value(json_object_get(in->manifest, "catmint"));
    json_t *manifest = cm_json_copy(in->manifest);
    for (size_t i = 0; manifest != NULL && i < CM_COUNT_OF(theirs); i++)
        json_object_del(manifest, theirs[i]);
    for (size_t i = 0; i < json_array_size(json_object_get(manifest, "benchmarks")); i++)
        describe_dropped(in, json_array_get(json_object_get(manifest, "benchmarks"), i));
    snprintf(pmu, sizeof pmu, "software:%s", cm_pmu_model_name(in->model));
    snprintf(reason, sizeof reason, CM_FROM_FACTS "of the machine %s, which catmint %s counted on %.10s",
             cm_pmu_model_machine_name(in->model), version != NULL ? version : "", started != NULL ? started : "");
    cm_sweep_model_checksum(in->model, checksum);
    json_t *model = cm_json_copy(json_object_get(in->manifest, "model"));
    manifest = cm_json_set(manifest, "model", cm_json_set(model, "checksum", cm_json_text(checksum)));
    manifest = cm_json_set(manifest, "pmu", cm_json_text(pmu));
    return cm_json_set(manifest, "pmu_reason", cm_json_text(reason));
}

/* ---- all of it ---- */

/* The names of the tables, in an array that the caller frees. */
static cm_status list_tables(const derivation *in, const char ***names, size_t *count, cm_error *error)
{
    const json_t *benchmarks = json_object_get(in->manifest, "benchmarks");
    *count = json_array_size(benchmarks);
    *names = calloc(*count + 1, sizeof **names);
    if (*names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < *count; i++) {
        (*names)[i] = json_string_value(json_object_get(json_array_get(benchmarks, i), "file"));
        if ((*names)[i] == NULL || !cm_is_bare_name((*names)[i]))
            return cm_error_set(error, CM_BAD_INPUT, in->facts, 0, 0,
                                "its manifest does not name the table of a benchmark");
    }
    return CM_OK;
}

/* A fact that the tables lack may be zero, or younger than they are. No model counts those of cores without an
 * operating system, a machine whose tables lack those of prefetchers has none, and kernels have no time. */
static cm_status check_facts(const derivation *in, cm_error *error)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (!in->known[i] && strncmp(cm_fact_name(i), "gpu_", 4) != 0 &&
            (i < CM_FACT_CSR_READS || i == CM_FACT_IN_CORE_CYCLES))
            return cm_error_set(error, CM_BAD_INPUT, in->facts, 0, 0,
                                "lacks the fact '%s', which this version of catmint counts: count the facts again",
                                cm_fact_name(i));
    return CM_OK;
}

/* Derives all tables and the manifest into the directory, all or nothing. */
static cm_status write_all(derivation *in, const char *directory, cm_error *error)
{
    const char **names = NULL;
    size_t count = 0;
    cm_status status = list_tables(in, &names, &count, error);
    CM_THEN(status, cm_measured_begin(directory, names, count, false, &in->directory, error));
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = write_table(in, i, names[i], error);
    CM_THEN(status, check_facts(in, error));
    CM_THEN(status, write_events(in, error));
    json_t *manifest = status == CM_OK ? make_model_manifest(in) : NULL;
    CM_THEN(status, manifest != NULL ? cm_directory_commit(in->directory, manifest, error) : cm_error_no_memory(error));
    json_decref(manifest);
    free(names);
    return status;
}

cm_status cm_sweep_from_facts(const char *model, const char *facts, const char *directory, cm_error *error)
{
    derivation in = {.facts = facts, .known = calloc(cm_fact_count() + 1, sizeof(bool))};
    char *kept = NULL;
    cm_status status = in.known != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_pmu_model_open(model, NULL, &in.model, error));
    CM_THEN(status, cm_model_left_out(model, &in.left_out, error));
    if (status == CM_OK && facts == NULL)
        status = find_kept(in.model, &kept, error);
    in.facts = facts != NULL ? facts : kept;
    CM_THEN(status, read_manifest(&in, error));
    CM_THEN(status, write_all(&in, directory, error));
    if (status != CM_OK)
        cm_directory_name_file(in.directory, error);
    cm_directory_free(in.directory);
    cm_measured_free(in.measured);
    json_decref(in.manifest);
    cm_pmu_model_free(in.model);
    CM_FREE(in.known, kept);
    return status;
}
