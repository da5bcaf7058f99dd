/* Reads any bytes as a console's log of emitted kernels, and what comes out: tables, or a refusal that leaves nothing.
 */
#include <sys/stat.h>

#include <catmint/import_console.h>
#include <catmint/tables.h>

#include "fuzz.h"

static void note(const char *text, void *data)
{
    (void)data;
    FUZZ_EXPECT(text[0] != '\0');
}

static bool is_there(const char *name)
{
    struct stat found;
    return stat(fuzz_path(name), &found) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_directory("imported");
    const char *logs[] = {fuzz_put("log", data, size)};
    const cm_console_import_options options = {
        .size = sizeof options, .log_count = 1, .logs = logs, .directory = fuzz_path("imported"), .note = note};
    cm_console_import_summary summary = {0};
    cm_error error = {0};
    cm_status status = cm_import_console(&options, &summary, &error);
    FUZZ_EXPECT((status == CM_OK) == is_there("imported/manifest.json"));
    FUZZ_EXPECT(status == CM_OK || !is_there("imported/branch.csv"));
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        return 0;
    }
    FUZZ_EXPECT(summary.tables > 0 && summary.kernels > 0 && summary.repetitions > 0);
    cm_measurements *table = NULL;
    cm_status read = cm_measurements_load(fuzz_path("imported/branch.csv"), &table, &error);
    FUZZ_EXPECT(read == CM_OK || read == CM_IO); /* CM_IO: of other benchmarks alone */
    FUZZ_EXPECT(table == NULL || table->kernel_count <= summary.kernels);
    cm_measurements_free(table);
    return 0;
}
