/* Several sweep directories joined into one. */
#include <catmint/merge.h>

#include "sweep/record/record.h"

enum { EVENT, COMPONENT, STATUS };

struct source {
    cm_measured_moment moment;
    const char *directory;
    cm_measured *measured;
    json_t *manifest;
    size_t shard, shards; /* 0: all */
    cm_csv *events;
};

struct merge {
    size_t count;
    struct source *sources; /* by shard, or as given */
    cm_directory *opened;   /* the directory that is written */
    cm_merge_summary summary;
    size_t capacity;
    cm_merged_event *events;
    cm_name_index *keys;    /* of all events */
    cm_name_index *counted; /* of the counted ones, by their names in the tables */
};

/* Whether it has the members for which a merged sweep is read. */
static bool is_manifest(const json_t *manifest)
{
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    return schema != NULL && strcmp(schema, CM_SWEEP_SCHEMA) == 0 &&
           json_is_object(json_object_get(manifest, "machine")) && json_is_string(json_object_get(manifest, "pmu")) &&
           json_is_array(json_object_get(manifest, "benchmarks"));
}

/* Loads the manifest of a complete sweep. */
static cm_status load_manifest(struct source *source, cm_error *error)
{
    struct stat found;
    if (stat(source->directory, &found) == 0 && !S_ISDIR(found.st_mode))
        return cm_error_set(error, CM_BAD_INPUT, source->directory, 0, 0,
                            "it is not a directory, expected that of a sweep");
    cm_status status = cm_measured_open(source->directory, &source->measured, error);
    if (status != CM_OK)
        return status;
    const bool incomplete = cm_measured_incomplete(source->measured) != NULL;
    if (incomplete || (cm_measured_is_unfinished(source->measured) && !cm_measured_has_manifest(source->measured)))
        return cm_error_set(error, CM_BAD_INPUT, source->directory, 0, 0,
                            "holds an %s sweep: finish it with 'catmint sweep --resume' and its options",
                            incomplete ? "incomplete" : "unfinished");
    const char *path = cm_measured_manifest(source->measured);
    status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the manifest of a sweep that is complete", &source->manifest,
                          error);
    if (status == CM_OK && !is_manifest(source->manifest))
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                              "expected the manifest of a sweep, with schema \"catmint.sweep/1\", machine, pmu and "
                              "benchmarks");
    const json_t *shard = json_object_get(source->manifest, "shard");
    source->shard = (size_t)json_integer_value(json_object_get(shard, "number"));
    source->shards = (size_t)json_integer_value(json_object_get(shard, "of"));
    return status;
}

static int compare_shards(const void *a, const void *b)
{
    size_t left = ((const struct source *)a)->shard, right = ((const struct source *)b)->shard;
    return left < right ? -1 : left > right;
}

static const char *describe_part(const struct source *source, char *text, size_t size)
{
    if (source->shards == 0)
        snprintf(text, size, "a whole sweep");
    else
        snprintf(text, size, "shard %zu of %zu", source->shard, source->shards);
    return text;
}

/* Checks that the sources are whole sweeps, or all shards of one. */
static cm_status check_shards(struct merge *merge, cm_error *error)
{
    struct source *sources = merge->sources;
    size_t shards = sources[0].shards;
    for (size_t i = 0; i < merge->count; i++) {
        char here[48], first[48];
        if (sources[i].shards != shards)
            return cm_error_set(error, CM_BAD_INPUT, sources[i].directory, 0, 0, "it is %s, and %s is %s",
                                describe_part(&sources[i], here, sizeof here), sources[0].directory,
                                describe_part(&sources[0], first, sizeof first));
    }
    if (shards == 0)
        return CM_OK;
    qsort(sources, merge->count, sizeof *sources, compare_shards);
    for (size_t i = 0; i < merge->count || i < shards; i++) {
        if (i != 0 && i < merge->count && sources[i].shard == sources[i - 1].shard)
            return cm_error_set(error, CM_BAD_INPUT, sources[i].directory, 0, 0, "shard %zu appears twice",
                                sources[i].shard);
        if (i >= merge->count || sources[i].shard != i + 1)
            return cm_error_set(error, CM_BAD_INPUT, sources[0].directory, 0, 0, "shard %zu of %zu is missing", i + 1,
                                shards);
    }
    return CM_OK;
}

/* Loads all manifests and checks that they are compatible. */
static cm_status load_sources(struct merge *merge, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < merge->count; i++) {
        struct source *source = &merge->sources[i];
        status = load_manifest(source, error);
        CM_THEN(status, cm_sweeps_compatible(merge->sources[0].manifest, merge->sources[0].directory, source->manifest,
                                             source->directory, error));
    }
    return status == CM_OK ? check_shards(merge, error) : status;
}

/* Reserves the name in the tables for a counted event. */
static cm_status claim_name(struct merge *merge, const cm_merged_event *event, size_t index, cm_error *error)
{
    size_t other;
    if (!event->counted)
        return CM_OK;
    if (!cm_name_index_find(merge->counted, event->name, &other))
        return cm_name_index_add(merge->counted, event->name, index, error);
    return cm_error_set(
        error, CM_BAD_INPUT, merge->sources[event->source].directory, 0, 0,
        "it counts %s, a different event from %s of %s: count both in one sweep, so that tables distinguish them",
        event->key, merge->events[other].key, merge->sources[merge->events[other].source].directory);
}

/* Adds an event of a source; CM_BAD_INPUT if another source has it, too. */
static cm_status note_event(struct merge *merge, const cm_csv_row *row, size_t source, cm_error *error)
{
    size_t index = merge->summary.events;
    if (!CM_GROW(merge->events, index + 1, &merge->capacity))
        return cm_error_no_memory(error);
    cm_merged_event *event = &merge->events[merge->summary.events++];
    *event = (cm_merged_event){.name = strdup(row->fields[EVENT]), .source = source};
    event->key = cm_component_key(row->fields[COMPONENT], row->fields[EVENT]);
    event->counted = strcmp(row->fields[STATUS], "counted") == 0;
    event->mixed = cm_sweep_keeps_any(merge->sources[source].manifest);
    merge->summary.counted += event->counted;
    if (event->name == NULL || event->key == NULL)
        return cm_error_no_memory(error);
    size_t before;
    if (cm_name_index_find(merge->keys, event->key, &before))
        return cm_error_set(error, CM_BAD_INPUT, merge->sources[source].directory, 0, 0, "the event %s is also in %s",
                            event->key, merge->sources[merge->events[before].source].directory);
    cm_status status = cm_name_index_add(merge->keys, event->key, index, error);
    return status == CM_OK ? claim_name(merge, event, index, error) : status;
}

static cm_status copy_event(struct merge *merge, size_t source, cm_output *output, bool *found, cm_error *error)
{
    cm_csv_row row;
    cm_status status = cm_csv_next(merge->sources[source].events, &row, found, error);
    if (status != CM_OK || !*found)
        return status;
    cm_events_table_add(output, row.fields);
    return note_event(merge, &row, source, error);
}

/* Copies the rows in turns, as shards took turns at the events. */
static cm_status copy_events(struct merge *merge, cm_output *output, cm_error *error)
{
    bool shards = merge->sources[0].shards != 0, any = true;
    cm_status status = CM_OK;
    while (shards && status == CM_OK && any) {
        any = false;
        for (size_t i = 0; status == CM_OK && i < merge->count; i++) {
            bool found = false;
            status = copy_event(merge, i, output, &found, error);
            any = any || found;
        }
    }
    for (size_t i = 0; !shards && status == CM_OK && i < merge->count; i++)
        for (any = true; status == CM_OK && any;)
            status = copy_event(merge, i, output, &any, error);
    return status;
}

/* Finds a file that must exist. */
static cm_status find_file(const struct source *source, const char *name, char **path, cm_error *error)
{
    bool foreign;
    cm_status status = cm_measured_find(source->measured, name, path, &foreign, error);
    if (status == CM_OK && *path == NULL)
        status = cm_error_set(error, CM_BAD_INPUT, source->directory, 0, 0, "%s of the sweep is missing", name);
    return status;
}

/* Opens events.csv of one sweep. */
static cm_status open_events(struct source *source, cm_error *error)
{
    char *path = NULL;
    cm_status status = find_file(source, "events.csv", &path, error);
    CM_THEN(status, cm_csv_open(path, &source->events, error));
    CM_THEN(status, cm_csv_expect(source->events, CM_EVENT_COLUMNS, cm_event_columns, false, error));
    free(path);
    return status;
}

/* Writes events.csv from those of all sources. */
static cm_status merge_events(struct merge *merge, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_name_index_create(&merge->keys, error);
    CM_THEN(status, cm_name_index_create(&merge->counted, error));
    for (size_t i = 0; status == CM_OK && i < merge->count; i++)
        status = open_events(&merge->sources[i], error);
    CM_THEN(status, cm_events_table_begin(merge->opened, &output, error));
    CM_THEN(status, copy_events(merge, output, error));
    return cm_events_table_end(output, status, error);
}

/* Merges the table of a benchmark. */
static cm_status merge_table(struct merge *merge, const json_t *benchmark, cm_error *error)
{
    const char *name = json_string_value(json_object_get(benchmark, "file")), *path = NULL;
    char **paths = calloc(merge->count, sizeof *paths);
    cm_status status = paths != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < merge->count; i++)
        status = find_file(&merge->sources[i], name, &paths[i], error);
    CM_THEN(status, cm_directory_file(merge->opened, name, &path, error));
    if (status == CM_OK) {
        cm_merged_rows rows = {.event_count = merge->summary.events, .events = merge->events};
        rows.repetitions = json_integer_value(json_object_get(benchmark, "repetitions"));
        rows.threads = json_integer_value(json_object_get(benchmark, "threads"));
        status = cm_merge_tables((const char *const *)paths, merge->count, &rows, path, error);
    }
    cm_free_list(paths, merge->count);
    return status;
}

static cm_status merge_tables(struct merge *merge, cm_error *error)
{
    const json_t *benchmarks = json_object_get(merge->sources[0].manifest, "benchmarks");
    cm_status status = CM_OK;
    for (size_t b = 0; status == CM_OK && b < json_array_size(benchmarks); b++)
        status = merge_table(merge, json_array_get(benchmarks, b), error);
    return status == CM_OK ? cm_merged_events_found(merge->events, merge->summary.events, error) : status;
}

/* Opens the directory before anything is read, so that obstacles are reported first. */
static cm_status open_directory(struct merge *merge, const char *directory, cm_error *error)
{
    const json_t *benchmarks = json_object_get(merge->sources[0].manifest, "benchmarks");
    const size_t tables = json_array_size(benchmarks);
    const char **names = calloc(tables + 1, sizeof *names);
    cm_status status = names != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t b = 0; status == CM_OK && b < tables; b++) {
        names[b] = json_string_value(json_object_get(json_array_get(benchmarks, b), "file"));
        if (names[b] == NULL || !cm_is_bare_name(names[b]))
            status = cm_error_set(error, CM_BAD_INPUT, merge->sources[0].directory, 0, 0,
                                  "its manifest does not name the table of a benchmark");
    }
    CM_THEN(status, cm_measured_begin(directory, names, tables, false, &merge->opened, error));
    if (status == CM_OK) {
        names[tables] = "events.csv";
        cm_directory_clean(merge->opened);
        status = cm_directory_check_rest(merge->opened, names, tables + 1, error);
    }
    free(names);
    return status;
}

/* The first manifest, with the members that differ in each source. */
static json_t *join_manifests(const struct merge *merge)
{
    json_t *manifest = cm_json_copy(merge->sources[0].manifest), *merged = json_array();
    double seconds = 0.0;
    for (size_t i = 0; i < merge->count; i++) {
        seconds = fmax(seconds, json_number_value(json_object_get(merge->sources[i].manifest, "seconds")));
        manifest = cm_sweep_join_kept(manifest, merge->sources[i].manifest);
        merged = cm_json_append(merged, cm_json_text(merge->sources[i].directory));
    }
    json_object_del(manifest, CM_JOURNAL_NAME); /* of the first source's sweep */
    manifest = cm_json_set(manifest, "shard", json_null());
    manifest = cm_json_set(manifest, "merged", merged);
    manifest = cm_json_set(manifest, "seconds", json_real(seconds));
    return cm_json_set(manifest, "events",
                       json_pack("{s:I, s:I}", "counted", (json_int_t)merge->summary.counted, "unavailable",
                                 (json_int_t)(merge->summary.events - merge->summary.counted)));
}

static cm_status commit_merge(struct merge *merge, cm_error *error)
{
    json_t *manifest = join_manifests(merge);
    cm_status status =
        manifest != NULL ? cm_directory_commit(merge->opened, manifest, error) : cm_error_no_memory(error);
    json_decref(manifest);
    return status;
}

/* Frees all but `merge` itself. */
static void release_merge(struct merge *merge)
{
    for (size_t i = 0; merge->sources != NULL && i < merge->count; i++) {
        json_decref(merge->sources[i].manifest);
        cm_measured_free(merge->sources[i].measured);
        cm_csv_close(merge->sources[i].events);
    }
    for (size_t i = 0; i < merge->summary.events; i++) {
        CM_FREE(merge->events[i].name, merge->events[i].key);
    }
    CM_FREE(merge->events, merge->sources);
    cm_name_index_free(merge->keys);
    cm_name_index_free(merge->counted);
    cm_directory_free(merge->opened);
}

/* Reads all sources, and writes everything but the manifest into the directory aside. */
static cm_status prepare_merge(struct merge *merge, const char *const *sources, size_t count, const char *directory,
                               cm_error *error)
{
    *merge = (struct merge){.count = count, .sources = calloc(count + 1, sizeof *merge->sources)};
    if (merge->sources == NULL)
        return cm_error_no_memory(error);
    if (count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "no directory is named");
    for (size_t i = 0; i < count; i++) {
        merge->sources[i].directory = sources[i];
        cm_measured_note(sources[i], &merge->sources[i].moment);
    }
    cm_status status = load_sources(merge, error);
    CM_THEN(status, open_directory(merge, directory, error));
    CM_THEN(status, merge_events(merge, error));
    if (status == CM_OK && merge->summary.counted == 0)
        return cm_error_set(error, CM_BAD_INPUT, sources[0], 0, 0, "no event was counted in %s",
                            count > 1 ? "these sweeps" : "this sweep");
    return status == CM_OK ? merge_tables(merge, error) : status;
}

static bool any_moved(struct merge *merge)
{
    bool moved = false;
    for (size_t i = 0; i < merge->count; i++)
        moved |= cm_measured_has_moved(merge->sources[i].directory, &merge->sources[i].moment);
    return moved;
}

cm_status cm_merge_sweeps(const char *const *sources, size_t source_count, const char *directory,
                          cm_merge_summary *summary, cm_error *error)
{
    enum { MOST_TRIES = 16 };
    struct merge merge = {0};
    cm_status status;
    int tries = 0;
    do {
        release_merge(&merge);
        status = prepare_merge(&merge, sources, source_count, directory, error);
    } while (status != CM_NO_MEMORY && tries++ < MOST_TRIES && any_moved(&merge));
    CM_THEN(status, commit_merge(&merge, error));
    if (status == CM_OK && summary != NULL)
        *summary = merge.summary;
    else if (status != CM_OK)
        cm_directory_name_file(merge.opened, error);
    release_merge(&merge);
    return status;
}
