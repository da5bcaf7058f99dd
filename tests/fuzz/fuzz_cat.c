/* Reads any bytes as outputs of cat_collect of two repetitions, imports them, and reads what comes out. */
#include <math.h>
#include <string.h>

#include <catmint/import.h>
#include <catmint/tables.h>

#include "formats/cat/file.h"
#include "fuzz.h"

enum { SOURCES = 2, PARTS = SOURCES * CM_CAT_KINDS };

static void put_file(size_t part, const fuzz_part *content)
{
    char name[64];
    snprintf(name, sizeof name, "run%zu/EVENT%s", part / CM_CAT_KINDS, cm_cat_suffix(part % CM_CAT_KINDS));
    (void)fuzz_put(name, content->data, content->size);
}

/* Each kind by itself, since an import is one of whole files. */
static bool read_one(cm_cat_kind kind, const fuzz_part *part)
{
    cm_cat_file file;
    cm_error error = {0};
    cm_status status = cm_cat_file_read(fuzz_file(0, part->data, part->size), kind, &file, &error);
    if (status != CM_OK)
        fuzz_expect_refusal(status, &error);
    for (size_t i = 0; status == CM_OK && i < cm_cat_kernel_count(kind); i++)
        for (size_t thread = 0; file.present[i] && thread < file.threads; thread++)
            FUZZ_EXPECT(isfinite(file.counts[i * file.threads + thread]));
    bool counted = status == CM_OK && file.threads > 0;
    cm_cat_file_clear(&file);
    return counted;
}

static void note(const char *text, void *data)
{
    (void)data;
    FUZZ_EXPECT(text[0] != '\0');
}

static void read_imported(const cm_import_summary *summary)
{
    size_t tables = 0, events = 0;
    for (cm_cat_kind kind = CM_CAT_BRANCH; kind < CM_CAT_KINDS; kind++) {
        char name[64];
        cm_measurements *table = NULL;
        cm_error error = {0};
        snprintf(name, sizeof name, "imported/%s.csv", cm_cat_benchmark(kind));
        cm_status status = cm_measurements_load(fuzz_path(name), &table, &error);
        FUZZ_EXPECT(status == CM_OK || status == CM_IO); /* CM_IO: nothing of this kind */
        tables += table != NULL;
        events += table != NULL ? table->event_count : 0;
        cm_measurements_free(table);
    }
    FUZZ_EXPECT(tables == summary->tables && events == summary->used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_part parts[PARTS];
    static int made;
    if (!made++) {
        fuzz_directory("run0");
        fuzz_directory("run1");
    }
    size_t count = fuzz_split(data, size, PARTS, parts), read = 0;
    for (size_t i = 0; i < count; i++)
        read += read_one((cm_cat_kind)(i % CM_CAT_KINDS), &parts[i]);
    if (read < SOURCES) /* nothing that an import could use */
        return 0;
    for (size_t i = 0; i < PARTS; i++)
        put_file(i, &parts[i]);
    fuzz_directory("imported");
    const char *const sources[SOURCES] = {fuzz_path("run0"), fuzz_path("run1")};
    const cm_import_options options = {.size = sizeof options,
                                       .sources = sources,
                                       .source_count = SOURCES,
                                       .directory = fuzz_path("imported"),
                                       .note = note};
    cm_import_summary summary = {0};
    cm_error error = {0};
    cm_status status = cm_import_cat(&options, &summary, &error);
    if (status == CM_OK)
        read_imported(&summary);
    else
        fuzz_expect_refusal(status, &error);
    return 0;
}
