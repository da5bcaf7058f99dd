/* Facts of kernels that the machine decides and no table has, such as prefetches: kept facts have them. */
#include "audit/audit.h"

/* A day as 2026-11-29 is written. */
enum { DAY = 10 };

/* The kept facts that all counts are of. */
typedef struct kept_facts {
    cm_measured *measured; /* NULL: there are none */
    size_t repetitions;
    bool *known; /* one a fact */
} kept_facts;

/* The words of a fact that no table of kernels lists. */
static cm_status take_words(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_fact_table *table = data;
    const ptrdiff_t fact = cm_fact_find(row->fields[0]);
    if (fact < 0)
        return CM_CSV_FAULT(csv, row->line, error, "unknown fact '%s'", row->fields[0]);
    if (table->facts[fact].words != NULL)
        return CM_OK;
    table->facts[fact].words = strdup(row->fields[1]);
    return table->facts[fact].words != NULL ? CM_OK : cm_error_no_memory(error);
}

/* ---- reading ---- */

/* The directory of kept facts of the machine on which the results' model counted, to be freed; NULL: there is none. */
static cm_status find_directory(const cm_audit *audit, char **directory, cm_error *error)
{
    static const char software[] = "software:";
    const char *pmu = audit->definitions->pmu;
    cm_pmu_model *model = NULL;
    if (cm_audit_kept_facts(audit) == NULL || pmu == NULL || strncmp(pmu, software, strlen(software)) != 0)
        return CM_OK;
    cm_status status = cm_pmu_model_open(pmu + strlen(software), NULL, &model, error);
    if (status != CM_OK)
        return status == CM_NO_MEMORY ? status : CM_OK;
    char *name = cm_path_join("data/facts", cm_pmu_model_machine_name(model), "");
    status = name != NULL ? cm_data_path(name, directory, NULL) : CM_NO_MEMORY;
    free(name);
    cm_pmu_model_free(model);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* Which facts were counted, zero or not. None if the results are of facts of another day. */
static void take_manifest(const json_t *manifest, const char *counted, kept_facts *kept)
{
    const char *started = json_string_value(json_object_get(manifest, "started"));
    const json_t *listed = json_object_get(manifest, CM_FACTS_KEY);
    const size_t length = strlen(counted);
    if (started == NULL || length < DAY || strncmp(counted + length - DAY, started, DAY) != 0)
        return;
    for (size_t i = 0; i < json_array_size(listed); i++) {
        const char *name = json_string_value(json_array_get(listed, i));
        const ptrdiff_t fact = name != NULL ? cm_fact_find(name) : -1;
        if (fact >= 0)
            kept->known[fact] = true;
    }
    kept->repetitions = (size_t)json_integer_value(json_object_get(manifest, "repetitions"));
}

/* Opens the kept facts that the results are of; `kept` has no sweep or no repetitions if there are none. */
static cm_status open_kept(const cm_audit *audit, kept_facts *kept, cm_error *error)
{
    char *directory = NULL;
    json_t *manifest = NULL;
    kept->known = calloc(cm_fact_count() + 1, sizeof *kept->known);
    cm_status status = kept->known != NULL ? find_directory(audit, &directory, error) : cm_error_no_memory(error);
    if (status == CM_OK && directory != NULL) {
        status = cm_measured_open(directory, &kept->measured, error);
        CM_THEN(status, cm_measured_read_manifest(directory, &manifest, error));
    }
    if (status == CM_OK && manifest != NULL)
        take_manifest(manifest, cm_audit_kept_facts(audit), kept);
    json_decref(manifest);
    free(directory);
    return status;
}

/* The table of a benchmark; it stays empty if none is kept. */
static cm_status load_table(const kept_facts *kept, const char *benchmark, cm_fact_counts *table, cm_error *error)
{
    char *path = NULL;
    bool foreign = false;
    if (kept->measured == NULL || kept->repetitions == 0)
        return CM_OK;
    char *name = cm_path_join("", benchmark, ".csv");
    cm_status status =
        name != NULL ? cm_measured_find(kept->measured, name, &path, &foreign, error) : cm_error_no_memory(error);
    if (status == CM_OK && path != NULL)
        status = cm_fact_counts_load(path, kept->repetitions, kept->known, table, error);
    CM_FREE(path, name);
    return status;
}

/* ---- facts of rows ---- */

/* A fact of an iteration on a kernel: the middle of its repetitions, and how far they are from that. */
static void take_fact(const cm_fact_counts *table, size_t kernel, size_t fact, cm_kernel_facts *facts)
{
    double least = INFINITY, most = 0.0;
    for (size_t r = 0; r < table->repetitions; r++) {
        const double count = (double)cm_fact_counts_of(table, r, kernel)[fact] / table->iterations[kernel];
        least = fmin(least, count);
        most = fmax(most, count);
    }
    facts->values[fact] = (least + most) / 2.0;
    facts->ranges[fact] = (most - least) / 2.0;
    facts->chances[fact] = 0.0;
}

/* Copies the facts of a row: those that are kept take the place of the table's, those of neither are unknown. */
static cm_status decide_row(cm_audit *audit, const kept_facts *kept, const cm_fact_counts *table, const char *name,
                            const cm_kernel_facts *row, const cm_kernel_facts **decided, cm_error *error)
{
    const size_t count = cm_fact_count(), kernel = CM_FIND(name, table->kernels, table->kernel_count);
    const bool found = kernel < table->kernel_count;
    cm_kernel_facts *facts = cm_arena_allocate(&audit->arena, sizeof *facts);
    double *numbers = cm_arena_allocate(&audit->arena, 3 * count * sizeof *numbers);
    if (facts == NULL || numbers == NULL)
        return cm_error_no_memory(error);
    *facts = *row;
    facts->values = memcpy(numbers, row->values, count * sizeof *numbers);
    facts->ranges = memcpy(numbers + count, row->ranges, count * sizeof *numbers);
    facts->chances = memcpy(numbers + 2 * count, row->chances, count * sizeof *numbers);
    for (size_t fact = 0; fact < count; fact++)
        if (found && kept->known[fact])
            take_fact(table, kernel, fact, facts);
        else if (audit->facts->facts[fact].kind == CM_FACT_UNLISTED || audit->facts->facts[fact].kind == CM_FACT_ALIKE)
            facts->ranges[fact] = INFINITY;
    *decided = facts;
    return CM_OK;
}

/* Finds what the machine decided on all rows of a benchmark. */
static cm_status decide_rows(cm_audit *audit, const kept_facts *kept, cm_row_group *rows, cm_error *error)
{
    cm_fact_counts table = {0};
    rows->decided = cm_arena_allocate(&audit->arena, (rows->row_count + 1) * sizeof *rows->decided);
    cm_status status = rows->decided != NULL ? load_table(kept, rows->name, &table, error) : cm_error_no_memory(error);
    for (size_t i = 0; i < rows->row_count && status == CM_OK; i++) {
        rows->decided[i] = NULL;
        if (rows->facts[i] != NULL)
            status = decide_row(audit, kept, &table, rows->rows[i], rows->facts[i], &rows->decided[i], error);
    }
    cm_fact_counts_clear(&table);
    return status;
}

static bool is_of_machine(const cm_claimed_metric *metric)
{
    return metric->name != NULL && metric->meaning != NULL && metric->meaning->of_machine;
}

cm_status cm_audit_decide_facts(cm_audit *audit, const cm_claims *claims, cm_error *error)
{
    static const char *const columns[] = {"fact", "words"};
    kept_facts kept = {0};
    bool needed = false;
    for (size_t i = 0; i < claims->count; i++)
        needed = needed || is_of_machine(&claims->items[i].numerator) || is_of_machine(&claims->items[i].denominator);
    if (!needed || audit->decided)
        return CM_OK;
    audit->decided = true;
    cm_status status = open_kept(audit, &kept, error);
    for (size_t i = 0; i < audit->context_count && status == CM_OK; i++)
        status = decide_rows(audit, &kept, &audit->contexts[i].rows, error);
    CM_THEN(status, cm_csv_each_data("data/fact-words.csv", 2, columns, take_words, audit->facts, error));
    cm_measured_free(kept.measured);
    free(kept.known);
    return status;
}
