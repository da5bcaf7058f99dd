#include "sweep/record/record.h"

/* Whether this sweep writes a file of that name. */
static bool is_written(const cm_sweep_state *state, const char *name)
{
    bool written = strcmp(name, "events.csv") == 0;
    for (size_t i = 0; i < state->benchmark_count && !written; i++) {
        size_t length = strlen(state->benchmarks[i].name);
        written = strncmp(name, state->benchmarks[i].name, length) == 0 && strcmp(name + length, ".csv") == 0;
    }
    return written;
}

static bool is_there(const char *directory, const char *name)
{
    char *path = cm_path_join(directory, name, "");
    bool there = path == NULL || access(path, F_OK) == 0;
    free(path);
    return there;
}

/* The benchmark of the earlier manifest whose table is kept, with the members that distinguish its sweep from this one;
 * NULL: it has none, or memory is short. */
static json_t *describe_kept(const json_t *manifest, const char *table)
{
    static const char *const told[] = {"catmint", "started", "options"};
    const json_t *benchmarks = json_object_get(manifest, "benchmarks");
    json_t *found = NULL;
    for (size_t i = 0; i < json_array_size(benchmarks) && found == NULL; i++) {
        const char *file = json_string_value(json_object_get(json_array_get(benchmarks, i), "file"));
        if (file != NULL && strcmp(file, table) == 0)
            found = cm_json_copy(json_array_get(benchmarks, i));
    }
    if (found == NULL || json_object_get(found, CM_EARLIER_KEY) != NULL)
        return found;
    json_t *earlier = json_object();
    for (size_t i = 0; i < CM_COUNT_OF(told); i++) {
        json_t *value = json_object_get(manifest, told[i]);
        earlier = cm_json_set(earlier, told[i], value != NULL ? json_incref(value) : json_null());
    }
    return cm_json_set(found, CM_EARLIER_KEY, earlier);
}

/* Keeps a table of the earlier sweep, if it fits this one. */
static cm_status keep_table(cm_sweep_state *state, const json_t *manifest, const json_t *now, const char *table,
                            cm_error *error)
{
    cm_status status = cm_sweep_joins(manifest, now, state->options->directory, table, error);
    if (status != CM_OK)
        return status;
    state->kept = cm_json_append(state->kept != NULL ? state->kept : json_array(), describe_kept(manifest, table));
    if (state->kept == NULL)
        return cm_error_no_memory(error);
    cm_sweep_write_message(state, "%s stays in %s from the sweep before; --replace removes it", table,
                           state->options->directory);
    return CM_OK;
}

cm_status cm_sweep_find_kept(cm_sweep_state *state, cm_error *error)
{
    const char *directory = state->options->directory;
    char *path = cm_path_join(directory, "manifest.json", "");
    json_t *manifest = NULL, *now = NULL;
    cm_status status = path != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && !state->options->replace && access(path, F_OK) == 0)
        status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the manifest of a sweep", &manifest, error);
    for (size_t i = 0; status == CM_OK && i < cm_record_count(manifest); i++) {
        const char *name = cm_record_name(manifest, i);
        if (is_written(state, name) || !is_there(directory, name))
            continue;
        if (now == NULL && (now = cm_sweep_describe(state)) == NULL)
            status = cm_error_no_memory(error);
        else
            status = keep_table(state, manifest, now, name, error);
    }
    json_decref(manifest);
    json_decref(now);
    free(path);
    return status;
}

bool cm_sweep_keeps_any(const json_t *manifest)
{
    const json_t *benchmarks = json_object_get(manifest, "benchmarks");
    bool any = false;
    for (size_t i = 0; i < json_array_size(benchmarks); i++)
        any |= json_object_get(json_array_get(benchmarks, i), CM_EARLIER_KEY) != NULL;
    return any;
}

json_t *cm_sweep_join_kept(json_t *manifest, const json_t *other)
{
    const json_t *ours = json_object_get(manifest, "benchmarks"), *theirs = json_object_get(other, "benchmarks");
    bool complete = manifest != NULL;
    for (size_t i = 0; complete && i < json_array_size(ours) && i < json_array_size(theirs); i++) {
        json_t *entry = json_array_get(ours, i), *earlier = json_object_get(json_array_get(theirs, i), CM_EARLIER_KEY);
        if (earlier != NULL && json_object_get(entry, CM_EARLIER_KEY) == NULL)
            complete = json_object_set(entry, CM_EARLIER_KEY, earlier) == 0;
    }
    if (complete)
        return manifest;
    json_decref(manifest);
    return NULL;
}

/* ---- at the end ---- */

static cm_status index_events(const cm_sweep_state *state, cm_name_index **index, cm_error *error)
{
    cm_status status = cm_name_index_create(index, error);
    for (size_t i = 0; status == CM_OK && i < state->event_count; i++)
        if (state->selected[i])
            status = cm_name_index_add(*index, cm_sweep_label(state, i), i, error);
    return status;
}

/* Copies the rows of events that are not in the index. */
static cm_status copy_others(cm_csv *csv, const cm_name_index *index, cm_output *output, cm_error *error)
{
    cm_csv_row row;
    size_t at;
    cm_status status = CM_OK;
    while (cm_csv_more(csv, &row, &status, error))
        if (!cm_name_index_find(index, row.fields[0], &at))
            cm_events_table_add(output, row.fields);
    return status;
}

cm_status cm_sweep_keep_events(const cm_sweep_state *state, cm_output *output, cm_error *error)
{
    cm_name_index *index = NULL;
    cm_csv *csv = NULL;
    if (state->kept == NULL)
        return CM_OK;
    char *path = cm_path_join(state->options->directory, "events.csv", "");
    cm_status status = path != NULL ? index_events(state, &index, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_csv_open(path, &csv, error));
    CM_THEN(status, cm_csv_expect(csv, CM_EVENT_COLUMNS, cm_event_columns, false, error));
    CM_THEN(status, copy_others(csv, index, output, error));
    cm_csv_close(csv);
    cm_name_index_free(index);
    free(path);
    return status;
}

cm_status cm_sweep_keep_tables(const cm_sweep_state *state, cm_directory *directory, json_t *manifest, cm_error *error)
{
    if (state->kept == NULL)
        return CM_OK;
    cm_directory_keep_rest(directory);
    return json_array_extend(json_object_get(manifest, "benchmarks"), state->kept) == 0 ? CM_OK
                                                                                        : cm_error_no_memory(error);
}
