/* Writes an import: tables, events.csv and the manifest. */
#include <catmint/version.h>

#include "formats/cat/file.h"
#include "tables/tables.h"

enum { TABLE_SIZE = 64 };

/* Writes the rows of an event. */
static cm_status write_entry(const struct cm_import_work *import, const struct cm_import_entry *entry,
                             cm_measurements_writer *writer, cm_error *error)
{
    for (size_t s = 0; s < import->source_count; s++) {
        const cm_cat_file *file = &entry->files[s];
        for (size_t thread = 0; thread < file->threads; thread++) {
            double row[CM_CAT_KERNELS];
            size_t count = 0;
            for (size_t k = 0; k < cm_cat_kernel_count(entry->kind); k++)
                if (import->kept[entry->kind][k])
                    row[count++] = file->counts[k * file->threads + thread];
            cm_status status = cm_measurements_writer_add(writer, entry->event, s + 1, thread, row, error);
            if (status != CM_OK)
                return status;
        }
    }
    return CM_OK;
}

static size_t count_used(const struct cm_import_work *import, cm_cat_kind kind)
{
    size_t used = 0;
    for (size_t i = 0; i < import->count; i++)
        used += import->entries[i].kind == kind && import->entries[i].reason == NULL;
    return used;
}

static const char *name_table(cm_cat_kind kind, char name[TABLE_SIZE])
{
    snprintf(name, TABLE_SIZE, "%s.csv", cm_cat_benchmark(kind));
    return name;
}

/* Notes that no benchmark has these kernels, so that an analysis of the whole directory skips the table. */
static void note_foreign(const struct cm_import_work *import, cm_cat_kind kind)
{
    char text[256];
    const char *name = cm_cat_benchmark(kind);
    if (import->options->note == NULL || strncmp(name, "cat-", 4) != 0)
        return;
    snprintf(text, sizeof text, "%s.csv has kernels of no benchmark: 'catmint analyze' takes it only by name", name);
    import->options->note(text, import->options->note_data);
}

/* Writes the table of a kind, if it has events. */
static cm_status write_table(struct cm_import_work *import, cm_cat_kind kind, cm_directory *directory, cm_error *error)
{
    char names[CM_CAT_KERNELS][CM_CAT_NAME_SIZE];
    const char *kernels[CM_CAT_KERNELS];
    size_t count = 0, used = count_used(import, kind);
    for (size_t k = 0; k < cm_cat_kernel_count(kind); k++)
        if (import->kept[kind][k]) {
            kernels[count] = cm_cat_kernel(kind, k, names[count]);
            count++;
        }
    if (used == 0)
        return CM_OK;
    char name[TABLE_SIZE];
    const char *path = NULL;
    cm_measurements_writer *writer = NULL;
    cm_status status = cm_directory_file(directory, name_table(kind, name), &path, error);
    CM_THEN(status,
            cm_measurements_writer_create(
                path, "Imported from outputs of PAPI's cat_collect: counts per iteration or access, as it rounds them.",
                count, kernels, NULL, &writer, error));
    for (size_t i = 0; status == CM_OK && i < import->count; i++)
        if (import->entries[i].kind == kind && import->entries[i].reason == NULL)
            status = write_entry(import, &import->entries[i], writer, error);
    CM_THEN(status, cm_measurements_writer_finish(writer, error));
    cm_measurements_writer_free(writer);
    if (status == CM_OK)
        note_foreign(import, kind);
    import->summary.tables++;
    import->summary.used += used;
    return status;
}

/* Adds the row of an event at its first entry: counted if one of its files could be used. */
static void add_event(const struct cm_import_work *import, const struct cm_import_entry *entry, cm_output *output)
{
    const char *reason = "";
    bool counted = false;
    for (const struct cm_import_entry *other = import->entries; other < import->entries + import->count; other++) {
        if (strcmp(other->event, entry->event) != 0)
            continue;
        if (other < entry)
            return;
        counted = counted || other->reason == NULL;
        if (other->reason != NULL && reason[0] == '\0')
            reason = other->reason;
    }
    const char *outcome = counted ? "counted" : "unavailable";
    cm_events_table_add(output, (const char *const[]){entry->event, "", outcome, reason, "", ""});
}

static cm_status write_events(const struct cm_import_work *import, cm_directory *directory, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_events_table_begin(directory, &output, error);
    for (size_t i = 0; status == CM_OK && i < import->count; i++)
        add_event(import, &import->entries[i], output);
    return cm_events_table_end(output, status, error);
}

/* Opens the output directory for the tables that have events. */
static cm_status open_directory(const struct cm_import_work *import, cm_directory **opened, cm_error *error)
{
    char names[CM_CAT_KINDS][TABLE_SIZE];
    const char *tables[CM_CAT_KINDS];
    size_t count = 0;
    for (int kind = 0; kind < CM_CAT_KINDS; kind++)
        if (count_used(import, (cm_cat_kind)kind) != 0) {
            tables[count] = name_table((cm_cat_kind)kind, names[count]);
            count++;
        }
    cm_status status = cm_measured_begin(import->options->directory, tables, count, false, opened, error);
    if (status == CM_OK) {
        cm_directory_clean(*opened);
        cm_directory_keep_rest(*opened);
    }
    return status;
}

cm_status cm_import_write(struct cm_import_work *import, cm_error *error)
{
    cm_directory *directory = NULL;
    cm_status status = open_directory(import, &directory, error);
    for (int kind = 0; status == CM_OK && kind < CM_CAT_KINDS; kind++)
        status = write_table(import, (cm_cat_kind)kind, directory, error);
    CM_THEN(status, write_events(import, directory, error));
    json_t *manifest = json_pack("{s:s, s:s, s:I}", "schema", CM_IMPORT_SCHEMA, "catmint", CATMINT_VERSION,
                                 "repetitions", (json_int_t)import->source_count);
    return cm_directory_end(directory, status, manifest, error);
}
