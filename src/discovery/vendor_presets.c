/* Presets that mean another metric on processors of one vendor: data/vendor-presets.csv. */
#include "discovery/results.h"

enum { MODEL, VENDOR, PRESET, METRIC, COLUMNS };
static const char *const columns[COLUMNS] = {"model", "vendor", "preset", "metric"};
static const char between[] = " | ";

/* Whether the row is of the processor that was counted: of a model, whatever ran it. */
static bool is_theirs(const cm_csv_row *row, const char *pmu, const char *vendor)
{
    static const char software[] = "software:";
    if (pmu != NULL && strncmp(pmu, software, strlen(software)) == 0)
        return strcmp(row->fields[MODEL], pmu + strlen(software)) == 0;
    return vendor != NULL && vendor[0] != '\0' && strcmp(row->fields[VENDOR], vendor) == 0;
}

/* The metric of that name; NULL if the benchmark has none. */
static cm_signature *find_metric(const cm_benchmark_result *result, const char *name, size_t length, bool *measurable)
{
    for (size_t m = 0; m < result->signatures->metric_count; m++) {
        cm_signature *metric = &result->signatures->metrics[m];
        *measurable = result->fits[m] != NULL;
        if (strncmp(metric->metric, name, length) == 0 && metric->metric[length] == '\0')
            return metric;
    }
    return NULL;
}

/* The first of the names whose metric is measurable. */
static cm_signature *choose_metric(const cm_benchmark_result *result, const char *names)
{
    while (*names != '\0') {
        const char *end = strstr(names, between);
        size_t length = end != NULL ? (size_t)(end - names) : strlen(names);
        bool measurable = false;
        cm_signature *metric = find_metric(result, names, length, &measurable);
        if (metric != NULL && measurable)
            return metric;
        names += end != NULL ? length + strlen(between) : length;
    }
    return NULL;
}

static cm_status give_preset(cm_signature *metric, const char *preset, cm_error *error)
{
    char *copy = strdup(preset);
    if (copy == NULL)
        return cm_error_no_memory(error);
    free(metric->preset);
    metric->preset = copy;
    return CM_OK;
}

/* Moves a preset among the metrics of a benchmark; if none of them is measurable, it stays with its metric. */
static cm_status take_row(const cm_csv_row *row, const cm_benchmark_result *result, cm_error *error)
{
    cm_status status = CM_OK;
    cm_signature *chosen = choose_metric(result, row->fields[METRIC]);
    for (size_t m = 0; status == CM_OK && chosen != NULL && m < result->signatures->metric_count; m++)
        if (strcmp(result->signatures->metrics[m].preset, row->fields[PRESET]) == 0)
            status = give_preset(&result->signatures->metrics[m], "", error);
    return status == CM_OK && chosen != NULL ? give_preset(chosen, row->fields[PRESET], error) : status;
}

/* Applies the rows of the vendor whose PMU was swept. */
static cm_status read_rows(cm_csv *csv, const cm_results *results, cm_error *error)
{
    const char *vendor = json_string_value(json_object_get(results->origin.machine, "vendor"));
    cm_status status = cm_csv_expect(csv, COLUMNS, columns, false, error);
    cm_csv_row row;
    while (cm_csv_more(csv, &row, &status, error)) {
        bool theirs = is_theirs(&row, results->origin.pmu, vendor);
        for (size_t i = 0; status == CM_OK && theirs && i < results->benchmark_count; i++)
            status = take_row(&row, results->benchmarks[i], error);
    }
    return status;
}

cm_status cm_vendor_presets_apply(cm_results *results, cm_error *error)
{
    char *path = NULL;
    cm_csv *csv = NULL;
    if (results->origin.pmu == NULL)
        return CM_OK;
    cm_status status = cm_data_path("data/vendor-presets.csv", &path, error);
    CM_THEN(status, cm_csv_open(path, &csv, error));
    CM_THEN(status, read_rows(csv, results, error));
    cm_csv_close(csv);
    free(path);
    return status;
}
