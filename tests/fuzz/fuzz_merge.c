/* Reads any bytes as the directories of two or three shards, merges them, and reads what comes out. */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include <catmint/merge.h>
#include <catmint/tables.h>

#include "fuzz.h"
#include "sweep/record/record.h"

enum { MANIFEST, EVENTS, TABLE, FILES, SHARDS = 3 };
static const char *const names[FILES] = {"manifest.json", "events.csv", "x.csv"};

/* ---- checksums: where a manifest says "right" instead of one, it is made so ---- */

static bool is_to_be_right(const json_t *object)
{
    const char *checksum = json_string_value(json_object_get(object, "checksum"));
    return checksum != NULL && strcmp(checksum, "right") == 0;
}

static void set_checksum(json_t *object, const void *data, size_t size)
{
    json_object_set_new(object, "checksum",
                        json_sprintf("fnv1a64:%016llx", (unsigned long long)fuzz_checksum(data, size)));
}

static void correct_file(json_t *file, const fuzz_part *parts)
{
    const char *name = json_string_value(json_object_get(file, "name"));
    for (size_t i = EVENTS; i < FILES && name != NULL && is_to_be_right(file); i++)
        if (strcmp(name, names[i]) == 0) {
            json_object_set_new(file, "bytes", json_integer((json_int_t)parts[i].size));
            set_checksum(file, parts[i].data, parts[i].size);
        }
}

/* The manifest's own is that of its compact text with sorted keys, without this member. */
static void correct_manifest(json_t *manifest)
{
    if (!is_to_be_right(manifest))
        return;
    json_object_del(manifest, "checksum");
    char *text = json_dumps(manifest, JSON_COMPACT | JSON_SORT_KEYS);
    if (text != NULL)
        set_checksum(manifest, text, strlen(text));
    free(text);
}

static void put_manifest(const char *name, const fuzz_part *parts)
{
    const fuzz_part *part = &parts[MANIFEST];
    json_t *manifest = json_loadb((const char *)part->data, part->size, JSON_REJECT_DUPLICATES, NULL);
    const json_t *files = json_object_get(manifest, "files");
    for (size_t i = 0; i < json_array_size(files); i++)
        correct_file(json_array_get(files, i), parts);
    correct_manifest(manifest);
    char *text = files != NULL ? json_dumps(manifest, JSON_COMPACT) : NULL;
    (void)fuzz_put(name, text != NULL ? text : (const char *)part->data, text != NULL ? strlen(text) : part->size);
    free(text);
    json_decref(manifest);
}

/* ---- shards ---- */

static void put_shard(size_t shard, const fuzz_part *parts)
{
    for (size_t i = 0; i < FILES; i++) {
        char name[64];
        snprintf(name, sizeof name, "shard%zu/%s", shard, names[i]);
        if (i == MANIFEST)
            put_manifest(name, parts);
        else
            (void)fuzz_put(name, parts[i].data, parts[i].size);
    }
}

/* A file that cannot be opened may be one that a manifest names and that is not there. */
static void expect_refusal(cm_status status, const cm_error *error)
{
    struct stat found;
    if (status != CM_IO || (stat(error->file, &found) == 0 && S_ISREG(found.st_mode)))
        fuzz_expect_refusal(status, error);
}

static cm_status count_unavailable(const char *event, const char *component, const char *reason, void *data,
                                   cm_error *error)
{
    (void)error;
    FUZZ_EXPECT(event != NULL && component != NULL && reason != NULL);
    ++*(size_t *)data;
    return CM_OK;
}

/* A merged sweep is one that catmint can read. */
static void read_merged(const cm_merge_summary *summary)
{
    size_t unavailable = 0;
    cm_sweep_origin origin;
    cm_measurements *table = NULL;
    cm_error error = {0};
    FUZZ_EXPECT(summary->counted <= summary->events);
    FUZZ_EXPECT(cm_sweep_unavailable_read(fuzz_path("merged/events.csv"), count_unavailable, &unavailable, NULL) ==
                CM_OK);
    FUZZ_EXPECT(unavailable == summary->events - summary->counted);
    FUZZ_EXPECT(cm_sweep_origin_read(fuzz_path("merged/manifest.json"), &origin, NULL) == CM_OK);
    cm_sweep_origin_clear(&origin);
    if (cm_measurements_load(fuzz_path("merged/x.csv"), &table, &error) != CM_OK)
        FUZZ_EXPECT(error.status == CM_BAD_INPUT || error.status == CM_IO); /* CM_IO: no benchmark, no table */
    cm_measurements_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const directories[] = {"shard0", "shard1", "shard2", "merged"};
    fuzz_part parts[FILES * SHARDS];
    const char *sources[SHARDS];
    cm_merge_summary summary = {0};
    cm_error error = {0};
    size_t count = (fuzz_split(data, size, FILES * SHARDS, parts) + FILES - 1) / FILES;
    static int made;
    for (size_t i = made; i < sizeof directories / sizeof directories[0]; i++)
        fuzz_directory(directories[i]);
    made = SHARDS; /* the last one is emptied each time */
    for (size_t i = 0; i < count; i++) {
        put_shard(i, parts + i * FILES);
        sources[i] = fuzz_path(directories[i]);
    }
    cm_status status = cm_merge_sweeps(sources, count, fuzz_path("merged"), &summary, &error);
    if (status == CM_OK)
        read_merged(&summary);
    else
        expect_refusal(status, &error);
    return 0;
}
