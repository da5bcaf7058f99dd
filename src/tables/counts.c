#include "tables/tables.h"

#include "core/json.h"
#include "analysis/numerics.h"

typedef struct reader {
    const json_t *scopes;
    cm_table *table;
    cm_error *error;
} reader;

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static cm_status refuse_counts(const reader *work, const char *problem)
{
    return cm_error_set(work->error, CM_BAD_INPUT, work->table->file, 0, 0,
                        "%s, expected the JSON that catmint count writes", problem);
}

/* ---- columns ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The name of a scope: "program", that of a region, or "thread 2". */
static char *scope_name(const json_t *scope)
{
    char *name = NULL;
    const char *named = text_of(scope, "name"), *kind = text_of(scope, "scope");
    const json_int_t number = json_integer_value(json_object_get(scope, "number"));
    if (named[0] != '\0')
        return strdup(named);
    if (number == 0)
        return strdup(kind);
    return asprintf(&name, "%s %lld", kind, (long long)number) >= 0 ? name : NULL;
}

/* Names a column for each scope. */
static cm_status read_columns(const reader *work)
{
    cm_table *table = work->table;
    const size_t count = json_array_size(work->scopes);
    if (count == 0)
        return refuse_counts(work, "it has no counts");
    if (!CM_ALLOCATE(table->value_names, count) || !CM_ALLOCATE(table->of_regions, count))
        return cm_error_no_memory(work->error);
    table->value_columns = count;
    for (size_t i = 0; i < table->value_columns; i++) {
        const json_t *scope = json_array_get(work->scopes, i);
        table->of_regions[i] = strcmp(text_of(scope, "scope"), "region") == 0;
        table->value_names[i] = scope_name(scope);
        if (table->value_names[i] == NULL)
            return cm_error_no_memory(work->error);
    }
    return CM_OK;
}

/* ---- rows ---- */

/* Adds a row, whose values the caller fills. */
static cm_status add_row(const reader *work, const char *name, double **values)
{
    cm_table *table = work->table;
    size_t row = table->row_count;
    table->texts[row] = strdup(name);
    if (table->texts[row] == NULL)
        return cm_error_no_memory(work->error);
    *values = table->values + row * table->value_columns;
    table->row_count++;
    return CM_OK;
}

/* Allocates a table of at most `most` rows. */
static cm_status make_rows(const reader *work, size_t most)
{
    cm_table *table = work->table;
    table->text_columns = 1;
    table->lines = calloc(most, sizeof *table->lines);
    table->texts = calloc(most, sizeof *table->texts);
    table->values = calloc(most * table->value_columns, sizeof *table->values);
    table->reasons = calloc(most, sizeof *table->reasons);
    return table->lines != NULL && table->texts != NULL && table->values != NULL && table->reasons != NULL
               ? CM_OK
               : cm_error_no_memory(work->error);
}

/* Reads the list `key` of all scopes, which must have the same names in the same order. */
static cm_status read_rows(const reader *work, const char *key, const char *naming)
{
    const json_t *list = json_object_get(json_array_get(work->scopes, 0), key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        double *values = NULL;
        const char *name = text_of(json_array_get(list, i), naming);
        if (name[0] == '\0')
            return refuse_counts(work, "a count has no name");
        cm_status status = add_row(work, name, &values);
        if (status != CM_OK)
            return status;
        for (size_t scope = 0; scope < work->table->value_columns; scope++) {
            const json_t *others = json_object_get(json_array_get(work->scopes, scope), key);
            const json_t *one = json_array_get(others, i);
            if (strcmp(text_of(one, naming), name) != 0)
                return refuse_counts(work, "its scopes do not count the same");
            values[scope] = number_of(json_object_get(one, "value"));
            char **reason = &work->table->reasons[work->table->row_count - 1];
            if (!isnan(values[scope]) || *reason != NULL || text_of(one, "reason")[0] == '\0')
                continue;
            *reason = strdup(text_of(one, "reason"));
            if (*reason == NULL)
                return cm_error_no_memory(work->error);
        }
    }
    return CM_OK;
}

/* Adds the row of a metric again under its preset. */
static cm_status read_presets(const reader *work, const json_t *document, size_t first)
{
    const json_t *metrics = json_object_get(document, "metrics");
    cm_table *table = work->table;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < json_array_size(metrics) && first + i < table->row_count; i++) {
        const char *preset = text_of(json_array_get(metrics, i), "preset");
        double *values = NULL;
        if (preset[0] == '\0' || CM_HAS(preset, table->texts, table->row_count))
            continue;
        status = add_row(work, preset, &values);
        if (status == CM_OK)
            memcpy(values, table->values + (first + i) * table->value_columns, table->value_columns * sizeof *values);
    }
    return status;
}

/* Reads the median time of the runs for the program, and the regions' own times; an emulated run has none. */
static cm_status read_seconds(const reader *work, const json_t *document)
{
    const json_t *list = json_object_get(document, "seconds");
    bool emulated = strncmp(text_of(document, "pmu"), "emulated", strlen("emulated")) == 0;
    size_t count = emulated ? 0 : json_array_size(list);
    double *values = NULL, *seconds = calloc(count + 1, sizeof *seconds);
    cm_status status = seconds != NULL ? add_row(work, "seconds", &values) : cm_error_no_memory(work->error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        seconds[i] = number_of(json_array_get(list, i));
    if (status == CM_OK && count > 0)
        qsort(seconds, count, sizeof *seconds, cm_compare_numbers);
    for (size_t scope = 0; status == CM_OK && scope < work->table->value_columns; scope++) {
        const json_t *one = json_array_get(work->scopes, scope);
        bool whole = strcmp(text_of(one, "scope"), "program") == 0;
        values[scope] = whole && count > 0 ? (seconds[(count - 1) / 2] + seconds[count / 2]) / 2.0 : NAN;
        if (work->table->of_regions[scope] && !emulated)
            values[scope] = number_of(json_object_get(one, "seconds"));
    }
    free(seconds);
    return status;
}

/* Reads a figure of the document, which is the same in all scopes. */
static cm_status read_same(const reader *work, const json_t *document, const char *key)
{
    double *values = NULL;
    cm_status status = add_row(work, key, &values);
    for (size_t scope = 0; status == CM_OK && scope < work->table->value_columns; scope++)
        values[scope] = number_of(json_object_get(document, key));
    return status;
}

/* Reads a document of catmint.count/1. */
static cm_status read_document(const reader *work, const json_t *document)
{
    if (strcmp(text_of(document, "schema"), "catmint.count/1") != 0)
        return refuse_counts(work, "it has another schema");
    work->table->counted_by = strdup(text_of(document, "pmu"));
    cm_status status = work->table->counted_by != NULL ? read_columns(work) : cm_error_no_memory(work->error);
    if (status != CM_OK)
        return status;
    const json_t *first = json_array_get(work->scopes, 0);
    const json_t *events = json_object_get(first, "events"), *metrics = json_object_get(first, "metrics");
    status = make_rows(work, json_array_size(events) + 2 * json_array_size(metrics) + 3);
    CM_THEN(status, read_rows(work, "events", "event"));
    CM_THEN(status, read_rows(work, "metrics", "metric"));
    CM_THEN(status, read_presets(work, document, json_array_size(events)));
    CM_THEN(status, read_seconds(work, document));
    CM_THEN(status, read_same(work, document, "vector_bits"));
    return status == CM_OK ? read_same(work, document, "line_bytes") : status;
}

/* Reads and parses the file. */
static cm_status parse_counts(const char *path, json_t **document, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cm_status status = cm_file_text_read(path, &text, &size, error);
    CM_THEN(status, cm_json_parse(path, text, size, JSON_REJECT_DUPLICATES, "the JSON that catmint count writes",
                                  document, error));
    free(text);
    return status;
}

/* Loads a document as a table. */
static cm_status load_document(const char *path, cm_table **table, cm_error *error)
{
    json_t *document = NULL;
    reader work = {.table = calloc(1, sizeof *work.table), .error = error};
    if (work.table == NULL)
        return cm_error_no_memory(error);
    work.table->file = strdup(path);
    cm_status status = work.table->file != NULL ? parse_counts(path, &document, error) : cm_error_no_memory(error);
    work.scopes = json_object_get(document, "scopes");
    CM_THEN(status, read_document(&work, document));
    json_decref(document);
    CM_HAND_OVER(status, table, work.table, cm_table_free);
    return status;
}

bool cm_is_json(const char *path)
{
    int first = EOF;
    FILE *stream = cm_input_stream(path);
    if (stream == NULL)
        return false;
    do
        first = getc(stream);
    while (first == ' ' || first == '\t' || first == '\r' || first == '\n');
    fclose(stream);
    return first == '{';
}

/* Whether the first column is that of count's CSV. */
static bool is_csv_of_count(const char *path)
{
    static const char *const columns[] = {"scope"};
    cm_csv *csv = NULL;
    const bool is = cm_csv_open(path, &csv, NULL) == CM_OK && cm_csv_expect(csv, 1, columns, true, NULL) == CM_OK;
    cm_csv_close(csv);
    return is;
}

cm_status cm_counts_table_load(const char *path, cm_table **table, cm_error *error)
{
    static const char *const columns[] = {"event"};
    if (cm_is_json(path))
        return load_document(path, table, error);
    cm_status status = cm_table_load(path, 1, columns, NULL, table, error);
    if (status == CM_BAD_INPUT && is_csv_of_count(path))
        return cm_error_set(error, CM_BAD_INPUT, path, error != NULL ? error->line : 1, 0,
                            "column 1 is 'scope', expected 'event': count writes this with --format csv; "
                            "'catmint count --format json' writes what is read here");
    return status;
}
