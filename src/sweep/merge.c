#include <catmint/merge.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/tables.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/json_build.h"
#include "core/name_index.h"
#include "core/output.h"
#include "sweep/belong.h"
#include "sweep/directory.h"
#include "sweep/merge_table.h"

enum { EVENT, COMPONENT, STATUS };
static const char events_header[] = "event,component,status,reason,hint,description\n";

struct source {
    const char *directory;
    json_t *manifest;
    size_t shard, shards; /* 0: all */
    cm_csv *events;
};

struct merge {
    size_t count;
    struct source *sources; /* by shard, or as given */
    cm_sweep_directory *directory;
    cm_merge_summary summary;
    size_t capacity;
    cm_merged_event *events;
    cm_name_index *names;
};

static char *join(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", directory, name);
    return path;
}

/* ---- which belong together ---- */

static cm_status load_manifest(struct source *source, cm_error *error)
{
    char *path = join(source->directory, "manifest.json");
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the manifest of a sweep that is complete",
                                    &source->manifest, error);
    const json_t *shard = json_object_get(source->manifest, "shard");
    source->shard = (size_t)json_integer_value(json_object_get(shard, "number"));
    source->shards = (size_t)json_integer_value(json_object_get(shard, "of"));
    free(path);
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

static cm_status check_shards(struct merge *merge, cm_error *error)
{
    struct source *sources = merge->sources;
    size_t shards = sources[0].shards;
    for (size_t i = 0; i < merge->count; i++) {
        if (sources[i].shards == shards)
            continue;
        char here[48], first[48];
        return cm_error_set(error, CM_BAD_INPUT, sources[i].directory, 0, 0, "it is %s, and %s is %s",
                            describe_part(&sources[i], here, sizeof here), sources[0].directory,
                            describe_part(&sources[0], first, sizeof first));
    }
    if (shards == 0)
        return CM_OK;
    qsort(sources, merge->count, sizeof *sources, compare_shards);
    for (size_t i = 0; i < merge->count; i++) {
        if (i != 0 && sources[i].shard == sources[i - 1].shard)
            return cm_error_set(error, CM_BAD_INPUT, sources[i].directory, 0, 0, "shard %zu is there twice",
                                sources[i].shard);
        if (sources[i].shard != i + 1)
            return cm_error_set(error, CM_BAD_INPUT, sources[0].directory, 0, 0, "shard %zu of %zu is missing", i + 1,
                                shards);
    }
    if (merge->count < shards)
        return cm_error_set(error, CM_BAD_INPUT, sources[0].directory, 0, 0, "shard %zu of %zu is missing",
                            merge->count + 1, shards);
    return CM_OK;
}

static cm_status load_sources(struct merge *merge, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < merge->count; i++) {
        struct source *source = &merge->sources[i];
        status = load_manifest(source, error);
        if (status == CM_OK)
            status = cm_sweeps_belong(merge->sources[0].manifest, source->manifest, source->directory, error);
    }
    return status == CM_OK ? check_shards(merge, error) : status;
}

/* ---- events ---- */

static cm_status note_event(struct merge *merge, const char *name, size_t source, cm_error *error)
{
    size_t place;
    if (cm_name_index_find(merge->names, name, &place))
        return cm_error_set(error, CM_BAD_INPUT, merge->sources[source].directory, 0, 0,
                            "the event %s is in another of the sweeps, too", name);
    if (merge->summary.events == merge->capacity) {
        size_t capacity = 2 * merge->capacity + 256;
        cm_merged_event *events = realloc(merge->events, capacity * sizeof *events);
        if (events == NULL)
            return cm_error_no_memory(error);
        merge->events = events;
        merge->capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return cm_error_no_memory(error);
    merge->events[merge->summary.events++] = (cm_merged_event){copy, source};
    return cm_name_index_add(merge->names, copy, merge->summary.events - 1, error);
}

static cm_status copy_event(struct merge *merge, size_t source, FILE *stream, bool *found, cm_error *error)
{
    cm_csv_row row;
    cm_status status = cm_csv_next(merge->sources[source].events, &row, found, error);
    if (status != CM_OK || !*found)
        return status;
    for (size_t i = 0; i < row.count; i++) {
        if (i != 0)
            fputc(',', stream);
        cm_csv_write_field(stream, row.fields[i]);
    }
    fputc('\n', stream);
    merge->summary.counted += strcmp(row.fields[STATUS], "counted") == 0;
    return note_event(merge, row.fields[EVENT], source, error);
}

/* Shards took turns at the events, so their rows do. */
static cm_status copy_events(struct merge *merge, FILE *stream, cm_error *error)
{
    bool shards = merge->sources[0].shards != 0, any = true;
    cm_status status = CM_OK;
    if (shards) {
        while (status == CM_OK && any) {
            any = false;
            for (size_t i = 0; status == CM_OK && i < merge->count; i++) {
                bool found = false;
                status = copy_event(merge, i, stream, &found, error);
                any = any || found;
            }
        }
        return status;
    }
    for (size_t i = 0; status == CM_OK && i < merge->count; i++)
        for (any = true; status == CM_OK && any;)
            status = copy_event(merge, i, stream, &any, error);
    return status;
}

static cm_status open_events(struct source *source, cm_error *error)
{
    static const char *const columns[] = {"event", "component", "status", "reason", "hint", "description"};
    char *path = join(source->directory, "events.csv");
    cm_status status = path != NULL ? cm_csv_open(path, &source->events, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        status = cm_csv_expect(source->events, sizeof columns / sizeof columns[0], columns, false, error);
    free(path);
    return status;
}

static cm_status merge_events(struct merge *merge, cm_error *error)
{
    const char *path = NULL;
    cm_output *output = NULL;
    cm_status status = cm_name_index_create(&merge->names, error);
    for (size_t i = 0; status == CM_OK && i < merge->count; i++)
        status = open_events(&merge->sources[i], error);
    if (status == CM_OK)
        status = cm_sweep_directory_file(merge->directory, "events.csv", &path, error);
    if (status == CM_OK)
        status = cm_output_create(path, &output, error);
    if (status == CM_OK) {
        fputs(events_header, cm_output_stream(output));
        status = copy_events(merge, cm_output_stream(output), error);
    }
    if (status == CM_OK)
        status = cm_output_commit(output, error);
    cm_output_free(output);
    return status;
}

/* ---- tables and manifest ---- */

static cm_status merge_tables(struct merge *merge, cm_error *error)
{
    const json_t *benchmarks = json_object_get(merge->sources[0].manifest, "benchmarks");
    const char **paths = calloc(merge->count, sizeof *paths);
    cm_status status = paths != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t b = 0; status == CM_OK && b < json_array_size(benchmarks); b++) {
        const char *name = json_string_value(json_object_get(json_array_get(benchmarks, b), "file"));
        const char *path = NULL;
        if (name == NULL || strchr(name, '/') != NULL) {
            status = cm_error_set(error, CM_BAD_INPUT, merge->sources[0].directory, 0, 0,
                                  "its manifest does not name the table of a benchmark");
            break;
        }
        char **joined = calloc(merge->count, sizeof *joined);
        if (joined == NULL)
            status = cm_error_no_memory(error);
        for (size_t i = 0; status == CM_OK && i < merge->count; i++) {
            paths[i] = joined[i] = join(merge->sources[i].directory, name);
            if (paths[i] == NULL)
                status = cm_error_no_memory(error);
        }
        if (status == CM_OK)
            status = cm_sweep_directory_file(merge->directory, name, &path, error);
        if (status == CM_OK)
            status = cm_merge_tables(paths, merge->count, merge->events, merge->summary.events, path, error);
        for (size_t i = 0; joined != NULL && i < merge->count; i++)
            free(joined[i]);
        free(joined);
    }
    free(paths);
    return status;
}

/* The first one's, with what is another in each of them. */
static json_t *join_manifests(const struct merge *merge)
{
    json_t *manifest = json_deep_copy(merge->sources[0].manifest);
    json_t *merged = json_array();
    double seconds = 0.0;
    for (size_t i = 0; i < merge->count; i++) {
        const json_t *one = merge->sources[i].manifest;
        double took = json_number_value(json_object_get(one, "seconds"));
        seconds = took > seconds ? took : seconds;
        merged = cm_json_append(merged, cm_json_text(merge->sources[i].directory));
    }
    manifest = cm_json_set(manifest, "shard", json_null());
    manifest = cm_json_set(manifest, "merged", merged);
    manifest = cm_json_set(manifest, "seconds", json_real(seconds));
    return cm_json_set(manifest, "events",
                       json_pack("{s:I, s:I}", "counted", (json_int_t)merge->summary.counted, "unavailable",
                                 (json_int_t)(merge->summary.events - merge->summary.counted)));
}

static cm_status write_manifest(struct merge *merge, cm_error *error)
{
    const char *path = NULL;
    json_t *manifest = join_manifests(merge);
    cm_status status = cm_sweep_directory_file(merge->directory, "manifest.json", &path, error);
    if (status == CM_OK)
        status = cm_json_save(manifest, path, error);
    json_decref(manifest);
    return status;
}

static void release(struct merge *merge)
{
    for (size_t i = 0; merge->sources != NULL && i < merge->count; i++) {
        json_decref(merge->sources[i].manifest);
        cm_csv_close(merge->sources[i].events);
    }
    for (size_t i = 0; i < merge->summary.events; i++)
        free(merge->events[i].name);
    free(merge->events);
    free(merge->sources);
    cm_name_index_free(merge->names);
    cm_sweep_directory_free(merge->directory);
}

cm_status cm_merge(const char *const *sources, size_t source_count, const char *directory, cm_merge_summary *summary,
                   cm_error *error)
{
    struct merge merge = {.count = source_count, .sources = calloc(source_count + 1, sizeof *merge.sources)};
    cm_status status = merge.sources != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && source_count == 0)
        status = cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "no directory is named");
    for (size_t i = 0; status == CM_OK && i < source_count; i++)
        merge.sources[i].directory = sources[i];
    if (status == CM_OK)
        status = load_sources(&merge, error);
    if (status == CM_OK)
        status = cm_sweep_directory_open(directory, &merge.directory, error);
    if (status == CM_OK)
        status = merge_events(&merge, error);
    if (status == CM_OK)
        status = merge_tables(&merge, error);
    if (status == CM_OK)
        status = write_manifest(&merge, error);
    if (status == CM_OK)
        status = cm_sweep_directory_commit(merge.directory, error);
    if (status == CM_OK && summary != NULL)
        *summary = merge.summary;
    if (status != CM_OK)
        cm_sweep_directory_name_file(merge.directory, error);
    release(&merge);
    return status;
}
