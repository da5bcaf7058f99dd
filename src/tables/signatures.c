/* Signatures: metrics x symbols. */
#include "analysis/numerics.h"
#include "tables/tables.h"

/* The column MEANING may be missing. */
enum { METRIC, PRESET, METRIC_DESCRIPTION, SIGNATURE_COLUMNS, MEANING = SIGNATURE_COLUMNS };
static const char *const signature_columns[SIGNATURE_COLUMNS] = {"metric", "preset", "description"};

/* Makes an empty set of `metric_count` metrics over these symbols. */
static cm_status create_signatures(const char *file, size_t header_line, size_t symbol_count, char *const *symbols,
                                   size_t metric_count, cm_signatures **signatures, cm_error *error)
{
    cm_signatures *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->file = strdup(file);
    created->header_line = header_line;
    created->metrics = calloc(metric_count > 0 ? metric_count : 1, sizeof *created->metrics);
    cm_status status = CM_OK;
    if (created->file == NULL || created->metrics == NULL)
        status = cm_error_no_memory(error);
    else
        status = cm_names_create(symbol_count, (const char *const *)symbols, &created->symbols, error);
    if (status != CM_OK) {
        cm_signatures_free(created);
        return status;
    }
    created->symbol_count = symbol_count;
    created->metric_count = metric_count;
    *signatures = created;
    return CM_OK;
}

/* Copies the texts of a metric; its values are zeros. */
static cm_status fill_metric(cm_signature *metric, const char *name, const char *preset, const char *description,
                             const char *meaning, size_t symbol_count, cm_error *error)
{
    metric->metric = strdup(name);
    metric->meaning = strdup(meaning != NULL ? meaning : "");
    metric->preset = strdup(preset);
    metric->description = strdup(description);
    metric->values = calloc(symbol_count > 0 ? symbol_count : 1, sizeof *metric->values);
    bool whole = metric->metric != NULL && metric->preset != NULL && metric->description != NULL &&
                 metric->meaning != NULL && metric->values != NULL;
    return whole ? CM_OK : cm_error_no_memory(error);
}

/* CM_BAD_INPUT for a value that the analysis cannot use. */
static cm_status check_value(const cm_table *table, size_t row, size_t symbol, cm_error *error)
{
    double size = fabs(cm_table_values(table, row)[symbol]);
    if (size == 0.0 || (size >= CM_SMALLEST_VALUE && size <= CM_LARGEST_VALUE))
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, table->file, table->lines[row], 0,
                        "column '%s': %g, expected 0 or a size from 1e-100 to 1e100", table->value_names[symbol],
                        cm_table_values(table, row)[symbol]);
}

/* Reads one metric. */
static cm_status take_metric(const cm_table *table, size_t row, cm_signature *metric, cm_error *error)
{
    cm_status status = fill_metric(metric, cm_table_text(table, row, METRIC), cm_table_text(table, row, PRESET),
                                   cm_table_text(table, row, METRIC_DESCRIPTION),
                                   table->text_columns > MEANING ? cm_table_text(table, row, MEANING) : "",
                                   table->value_columns, error);
    bool zero = true;
    for (size_t i = 0; status == CM_OK && i < table->value_columns; i++) {
        status = check_value(table, row, i, error);
        metric->values[i] = cm_table_values(table, row)[i];
        zero &= metric->values[i] == 0.0;
    }
    if (status == CM_OK && zero)
        return cm_error_set(error, CM_BAD_INPUT, table->file, table->lines[row], 0,
                            "metric '%s' is zero for every symbol", metric->metric);
    return status;
}

cm_status cm_signatures_load(const char *path, cm_signatures **signatures, cm_error *error)
{
    cm_table *table = NULL;
    cm_signatures *loaded = NULL;
    cm_status status = cm_table_load(path, SIGNATURE_COLUMNS, signature_columns, "meaning", &table, error);
    CM_THEN(status, create_signatures(table->file, table->header_line, table->value_columns, table->value_names,
                                      table->row_count, &loaded, error));
    for (size_t i = 0; status == CM_OK && i < table->row_count; i++)
        status = take_metric(table, i, &loaded->metrics[i], error);
    cm_table_free(table);
    CM_HAND_OVER(status, signatures, loaded, cm_signatures_free);
    return status;
}

void cm_signatures_free(cm_signatures *signatures)
{
    if (signatures == NULL)
        return;
    for (size_t i = 0; i < signatures->metric_count; i++) {
        CM_FREE(signatures->metrics[i].metric, signatures->metrics[i].preset, signatures->metrics[i].description,
                signatures->metrics[i].meaning, signatures->metrics[i].values);
    }
    free(signatures->metrics);
    cm_free_list(signatures->symbols, signatures->symbol_count);
    CM_FREE(signatures->file, signatures);
}

/* Finds the index in the signatures for each symbol of the basis. */
static cm_status find_symbols(const cm_signatures *signatures, const cm_basis *basis, size_t *indices, cm_error *error)
{
    cm_name_index *index = NULL;
    cm_status status = cm_names_index_create(signatures->symbol_count, signatures->symbols, &index, error);
    for (size_t i = 0; i < basis->symbol_count && status == CM_OK; i++)
        if (!cm_name_index_find(index, basis->symbols[i], &indices[i]))
            status = cm_error_set(error, CM_BAD_INPUT, signatures->file, signatures->header_line, 0,
                                  "no column for symbol '%s' of the basis %s", basis->symbols[i], basis->file);
    cm_name_index_free(index);
    return status;
}

/* Whether the metric needs a symbol that kernels confound with others: a fit to it could mean something else. */
static bool is_confounded(const cm_signatures *signatures, const double *values, const cm_basis *basis)
{
    for (size_t i = 0; i < basis->confounded_count; i++)
        for (size_t j = 0; j < signatures->symbol_count; j++)
            if (values[j] != 0.0 && strcmp(signatures->symbols[j], basis->confounded[i]) == 0)
                return true;
    return false;
}

cm_status cm_signatures_restrict_create(const cm_signatures *signatures, const cm_basis *basis,
                                        cm_signatures **restricted, cm_error *error)
{
    cm_signatures *created = NULL;
    size_t *indices = calloc(basis->symbol_count + 1, sizeof *indices);
    cm_status status = indices != NULL ? find_symbols(signatures, basis, indices, error) : cm_error_no_memory(error);
    CM_THEN(status, create_signatures(signatures->file, signatures->header_line, basis->symbol_count, basis->symbols,
                                      signatures->metric_count, &created, error));
    for (size_t i = 0; status == CM_OK && i < signatures->metric_count; i++) {
        const cm_signature *from = &signatures->metrics[i];
        cm_signature *to = &created->metrics[i];
        status =
            fill_metric(to, from->metric, from->preset, from->description, from->meaning, basis->symbol_count, error);
        bool known =
            !is_confounded(signatures, from->values, basis) && !cm_name_is_beyond(basis->cache_levels, from->metric);
        for (size_t j = 0; status == CM_OK && j < basis->symbol_count; j++)
            to->values[j] = known ? from->values[indices[j]] : 0.0;
    }
    free(indices);
    CM_HAND_OVER(status, restricted, created, cm_signatures_free);
    return status;
}
