/* Directories of the Counter Analysis Toolkit's files, imported as measurements. */
#include <dirent.h>

#include "formats/cat/file.h"
#include "tables/tables.h"

static void note_line(const struct cm_import_work *import, const char *format, ...) CM_PRINTF(2, 3);
static void note_line(const struct cm_import_work *import, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE + CM_ERROR_FILE_SIZE];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    if (import->options->note != NULL)
        import->options->note(text, import->options->note_data);
}

/* ---- listing ---- */

/* Finds the kind of a file by its name; *length is that of the event in the name. */
static bool find_kind(const char *name, cm_cat_kind *kind, size_t *length)
{
    for (int i = 0; i < CM_CAT_KINDS; i++) {
        size_t suffix = strlen(cm_cat_suffix((cm_cat_kind)i)), all = strlen(name);
        if (all <= suffix || strcmp(name + all - suffix, cm_cat_suffix((cm_cat_kind)i)) != 0)
            continue;
        *kind = (cm_cat_kind)i;
        *length = all - suffix;
        return true;
    }
    return false;
}

/* Adds an event of one kind, whose files are not read yet. */
static cm_status add_entry(struct cm_import_work *import, const char *name, size_t length, cm_cat_kind kind,
                           cm_error *error)
{
    if (!CM_GROW(import->entries, import->count + 1, &import->capacity))
        return cm_error_no_memory(error);
    struct cm_import_entry entry = {strndup(name, length), kind,
                                    calloc(import->options->source_count, sizeof *entry.files), NULL};
    import->entries[import->count++] = entry;
    return entry.event != NULL && entry.files != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Lists the files of one directory. */
static cm_status list_source(struct cm_import_work *import, const char *source, cm_error *error)
{
    struct dirent **names = NULL;
    int count = scandir(source, &names, NULL, alphasort);
    if (count < 0)
        return cm_error_set(error, CM_BAD_INPUT, source, 0, 0, "the directory cannot be read: %s", strerror(errno));
    cm_status status = CM_OK;
    for (int i = 0; i < count; i++) {
        cm_cat_kind kind = CM_CAT_BRANCH;
        size_t length = 0;
        const char *name = names[i]->d_name;
        if (status == CM_OK && find_kind(name, &kind, &length)) {
            /* Tables accept names in UTF-8 without line breaks and control characters. */
            size_t at = 0;
            if (cm_lines_fault(name, length, &at) == NULL && strpbrk(name, "\r\n\t") == NULL) {
                status = add_entry(import, name, length, kind, error);
            } else {
                import->unnamed++;
                note_line(import, "%s/%s: not used, its name holds control characters or is not UTF-8", source, name);
            }
        } else if (name[0] != '.') {
            import->summary.unknown++;
            note_line(import,
                      "%s/%s: not used, expected a name that ends in .branch, .vec, "
                      ".data.reads, .data.writes, .icache, .instr or .flops",
                      source, name);
        }
        free(names[i]);
    }
    free(names);
    return status;
}

static int compare_entries(const void *a, const void *b)
{
    const struct cm_import_entry *left = a, *right = b;
    int order = (int)left->kind - (int)right->kind;
    return order != 0 ? order : strcmp(left->event, right->event);
}

static void clear_entry(struct cm_import_entry *entry, size_t sources)
{
    for (size_t i = 0; entry->files != NULL && i < sources; i++)
        cm_cat_file_clear(&entry->files[i]);
    CM_FREE(entry->files, entry->event, entry->reason);
}

/* Lists all directories; each with files is a repetition. */
static cm_status list_sources(struct cm_import_work *import, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < import->options->source_count; i++) {
        const char *source = import->options->sources[i];
        size_t before = import->count;
        status = list_source(import, source, error);
        if (import->count != before)
            import->sources[import->source_count++] = source;
        else if (status == CM_OK)
            note_line(import, "%s: holds no usable output of cat_collect, so it is not a repetition", source);
    }
    import->summary.repetitions = import->source_count;
    if (status != CM_OK || import->count == 0)
        return status;
    qsort(import->entries, import->count, sizeof *import->entries, compare_entries);
    size_t kept = 1;
    for (size_t i = 1; i < import->count; i++) {
        if (compare_entries(&import->entries[i], &import->entries[kept - 1]) == 0)
            clear_entry(&import->entries[i], import->source_count);
        else
            import->entries[kept++] = import->entries[i];
    }
    import->count = kept;
    return CM_OK;
}

/* ---- reading ---- */

/* Leaves an event out, with a note; the first reason is kept. */
static cm_status reject_file(struct cm_import_work *import, struct cm_import_entry *entry, const char *path,
                             const char *reason, cm_error *error)
{
    note_line(import, "%s: %s", path, reason);
    if (entry->reason != NULL)
        return CM_OK;
    size_t size = strlen(path) + strlen(reason) + 3;
    entry->reason = malloc(size);
    if (entry->reason == NULL)
        return cm_error_no_memory(error);
    snprintf(entry->reason, size, "%s: %s", path, reason);
    return CM_OK;
}

/* Reads a file of an event; one that cannot be used leaves the event out. */
static cm_status read_file(struct cm_import_work *import, struct cm_import_entry *entry, size_t source, cm_error *error)
{
    char *path = cm_path_join(import->sources[source], entry->event, cm_cat_suffix(entry->kind));
    struct stat found;
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    cm_error fault = {0};
    cm_cat_file *file = &entry->files[source];
    if (stat(path, &found) != 0) {
        status = reject_file(import, entry, path, "there is no such file, so this repetition is missing", error);
    } else if (cm_cat_file_read(path, entry->kind, file, &fault) != CM_OK) {
        char reason[CM_ERROR_TEXT_SIZE + 32];
        snprintf(reason, sizeof reason, "line %zu: %.1000s", fault.line, fault.text);
        status = fault.status == CM_NO_MEMORY
                     ? cm_error_no_memory(error)
                     : reject_file(import, entry, path, fault.line != 0 ? reason : fault.text, error);
    } else if (found.st_size == 0) {
        status = reject_file(import, entry, path, "the file is empty: cat_collect could not count the event", error);
    } else if (file->threads == 0) {
        status =
            reject_file(import, entry, path, "the file holds no count: cat_collect could not count the event", error);
    } else if (source > 0 && entry->files[0].threads != 0 && file->threads != entry->files[0].threads) {
        status = reject_file(import, entry, path, "its threads differ from those of the first repetition", error);
    }
    free(path);
    return status;
}

/* A table has the kernels of the most complete file; those of half precision only if something was counted, or if there
 * are no others. */
static void choose_kernels(struct cm_import_work *import, cm_cat_kind kind)
{
    bool halves = false, others = false;
    for (size_t i = 0; i < import->count; i++) {
        const struct cm_import_entry *entry = &import->entries[i];
        for (size_t s = 0; entry->kind == kind && entry->reason == NULL && s < import->source_count; s++)
            for (size_t k = 0; k < cm_cat_kernel_count(kind); k++) {
                const cm_cat_file *file = &entry->files[s];
                import->kept[kind][k] = import->kept[kind][k] || file->present[k];
                halves = halves || (cm_cat_is_half_precision(kind, k) && file->present[k] && file->counts[k] != 0.0);
                others = others || (!cm_cat_is_half_precision(kind, k) && file->present[k]);
            }
    }
    bool dropped = false;
    for (size_t k = 0; !halves && others && k < cm_cat_kernel_count(kind); k++) {
        dropped = dropped || (import->kept[kind][k] && cm_cat_is_half_precision(kind, k));
        import->kept[kind][k] = import->kept[kind][k] && !cm_cat_is_half_precision(kind, k);
    }
    if (dropped)
        note_line(import,
                  "the HP sections are not used: all their counts are zero, which cat_collect writes for kernels it "
                  "was built without");
}

/* Leaves an event out if one of its files lacks a kernel. */
static cm_status check_complete(struct cm_import_work *import, struct cm_import_entry *entry, cm_error *error)
{
    for (size_t s = 0; entry->reason == NULL && s < import->source_count; s++) {
        for (size_t k = 0; k < cm_cat_kernel_count(entry->kind); k++) {
            if (!import->kept[entry->kind][k] || entry->files[s].present[k])
                continue;
            char name[CM_CAT_NAME_SIZE], reason[96];
            char *path = cm_path_join(import->sources[s], entry->event, cm_cat_suffix(entry->kind));
            snprintf(reason, sizeof reason, "it lacks the kernel %s, which other files have",
                     cm_cat_kernel(entry->kind, k, name));
            cm_status status =
                path != NULL ? reject_file(import, entry, path, reason, error) : cm_error_no_memory(error);
            free(path);
            if (status != CM_OK)
                return status;
            break;
        }
    }
    return CM_OK;
}

/* Reads all files and chooses the kernels of each table. */
static cm_status read_all(struct cm_import_work *import, cm_error *error)
{
    cm_status status = CM_OK;
    size_t unused[CM_CAT_KINDS] = {0};
    for (size_t i = 0; status == CM_OK && i < import->count; i++)
        for (size_t s = 0; status == CM_OK && s < import->source_count; s++)
            status = read_file(import, &import->entries[i], s, error);
    for (int kind = 0; kind < CM_CAT_KINDS; kind++)
        choose_kernels(import, (cm_cat_kind)kind);
    for (size_t i = 0; status == CM_OK && i < import->count; i++)
        status = check_complete(import, &import->entries[i], error);
    for (size_t i = 0; status == CM_OK && i < import->count; i++)
        for (size_t s = 0; s < import->source_count; s++)
            unused[import->entries[i].kind] += import->entries[i].files[s].unused;
    for (int kind = 0; status == CM_OK && kind < CM_CAT_KINDS; kind++)
        if (unused[kind] != 0)
            note_line(import, "%zu %s of %s files %s not used: no kernel of %s corresponds to %s", unused[kind],
                      cm_plural(unused[kind], "line", "lines"), cm_cat_suffix((cm_cat_kind)kind),
                      cm_plural(unused[kind], "is", "are"), cm_cat_benchmark((cm_cat_kind)kind),
                      cm_plural(unused[kind], "it", "them"));
    return status;
}

/* *found: the directory holds a sweep instead of an import. */
static cm_status look_for_sweep(const cm_measured *measured, bool *found, cm_error *error)
{
    *found = false;
    if (!cm_measured_has_manifest(measured))
        return CM_OK;
    json_t *manifest = cm_record_load(AT_FDCWD, cm_measured_manifest(measured), 0);
    if (manifest == NULL && errno == ENOMEM)
        return cm_error_no_memory(error);
    const char *schema = json_string_value(json_object_get(manifest, "schema"));
    *found = schema == NULL || strcmp(schema, CM_IMPORT_SCHEMA) != 0;
    json_decref(manifest);
    return CM_OK;
}

/* CM_BAD_ARGUMENT if the directory holds a sweep, even one whose commit was interrupted. */
static cm_status check_directory(const char *directory, cm_error *error)
{
    bool sweep = false;
    cm_measured *measured = NULL;
    cm_status status = cm_measured_open(directory, &measured, error);
    CM_THEN(status, look_for_sweep(measured, &sweep, error));
    cm_measured_free(measured);
    if (status == CM_OK && sweep)
        status = cm_error_set(error, CM_BAD_ARGUMENT, directory, 0, 0, "it holds a sweep, expected another directory");
    return status;
}

/* Lists, reads and writes. */
static cm_status import_files(struct cm_import_work *import, cm_error *error)
{
    const cm_import_options *options = import->options;
    cm_status status = list_sources(import, error);
    CM_THEN(status, read_all(import, error));
    for (size_t i = 0; status == CM_OK && i < import->count; i++)
        import->summary.left_out += import->entries[i].reason != NULL;
    if (status == CM_OK && import->summary.left_out == import->count)
        return cm_error_set(
            error, CM_BAD_INPUT, options->sources[0], 0, 0,
            "no usable files, expected <event>.branch, .vec, .data.reads, .data.writes, .icache, .instr or "
            ".flops of cat_collect");
    import->summary.left_out += import->unnamed;
    return status == CM_OK ? cm_import_write(import, error) : status;
}

cm_status cm_import_cat(const cm_import_options *options, cm_import_summary *summary, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_import_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    struct cm_import_work import = {.options = options};
    if (options->source_count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "no directory of cat_collect's outputs is named");
    cm_status status = check_directory(options->directory, error);
    import.sources = calloc(options->source_count, sizeof *import.sources);
    CM_THEN(status, import.sources != NULL ? import_files(&import, error) : cm_error_no_memory(error));
    for (size_t i = 0; i < import.count; i++)
        clear_entry(&import.entries[i], import.source_count);
    CM_FREE(import.entries, import.sources);
    if (status == CM_OK && summary != NULL)
        *summary = import.summary;
    return status;
}
