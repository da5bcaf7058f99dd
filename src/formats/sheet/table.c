#include "formats/sheet/sheet.h"

#include "tables/tables.h"

static const char iterations_name[] = "iterations";

/* The index of a name, which is added if it is new. */
static cm_status find_name(cm_gathered_names *names, const char *name, size_t *at, cm_error *error)
{
    cm_status status = names->index == NULL ? cm_name_index_create(&names->index, error) : CM_OK;
    if (status != CM_OK || cm_name_index_find(names->index, name, at))
        return status;
    if (!CM_GROW_BY_ONE(names->names, names->count))
        return cm_error_no_memory(error);
    names->names[names->count] = name;
    *at = names->count++;
    return cm_name_index_add(names->index, name, *at, error);
}

/* Adds a key, and owns it. */
static cm_status add_seen(cm_gathered *gathered, char *key, size_t *at, cm_error *error)
{
    if (!CM_GROW_BY_ONE(gathered->seen, gathered->seen_count) ||
        !CM_GROW_BY_ONE(gathered->seen_keys, gathered->seen_count)) {
        free(key);
        return cm_error_no_memory(error);
    }
    *at = gathered->seen_count++;
    gathered->seen[*at] = 0;
    gathered->seen_keys[*at] = key;
    return cm_name_index_add(gathered->seen_index, key, *at, error);
}

/* The number of times that this count appeared, including this one. */
static cm_status count_seen(cm_gathered *gathered, const cm_gathered_count *one, size_t *times, cm_error *error)
{
    char *key = NULL;
    size_t at = 0;
    cm_status status = gathered->seen_index == NULL ? cm_name_index_create(&gathered->seen_index, error) : CM_OK;
    if (status != CM_OK)
        return status;
    if (asprintf(&key, "%zu %zu %zu", one->event, one->kernel, one->thread) < 0)
        return cm_error_no_memory(error);
    if (cm_name_index_find(gathered->seen_index, key, &at))
        free(key);
    else
        status = add_seen(gathered, key, &at, error);
    if (status == CM_OK)
        *times = ++gathered->seen[at];
    return status;
}

cm_status cm_gathered_add(cm_gathered *gathered, const char *event, const char *kernel, size_t repetition,
                          size_t thread, double value, cm_error *error)
{
    cm_gathered_count one = {.repetition = repetition, .thread = thread, .value = value};
    cm_status status = find_name(&gathered->events, event, &one.event, error);
    CM_THEN(status, find_name(&gathered->kernels, kernel, &one.kernel, error));
    if (status == CM_OK && repetition == SIZE_MAX)
        status = count_seen(gathered, &one, &one.repetition, error);
    cm_gathered_count *grown =
        status == CM_OK ? cm_grow_by_one(gathered->counts, gathered->count, sizeof *grown) : gathered->counts;
    if (grown == NULL)
        return cm_error_no_memory(error);
    gathered->counts = grown;
    if (status == CM_OK)
        grown[gathered->count++] = one;
    return status;
}

static void clear_names(cm_gathered_names *names)
{
    cm_name_index_free(names->index);
    free(names->names);
}

void cm_gathered_clear(cm_gathered *gathered)
{
    clear_names(&gathered->events);
    clear_names(&gathered->kernels);
    cm_name_index_free(gathered->seen_index);
    cm_free_list(gathered->seen_keys, gathered->seen_count);
    CM_FREE(gathered->seen, gathered->counts, gathered->file);
}

/* ---- writing ---- */

typedef struct job {
    cm_gathered *gathered;
    const cm_table_import_options *options;
    cm_table_import_summary *summary;
    cm_measurements_writer *writer;
    double *row;
    size_t repetitions; /* the most of any event */
    size_t kernels;
} job;

static int by_event_and_run(const void *left, const void *right)
{
    const cm_gathered_count *a = left, *b = right;
    const size_t of_a[] = {a->event, a->repetition, a->thread, a->kernel};
    const size_t of_b[] = {b->event, b->repetition, b->thread, b->kernel};
    for (size_t i = 0; i < 4; i++)
        if (of_a[i] != of_b[i])
            return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

/* The index behind the counts of the event that begins at `from`. */
static size_t end_of_event(const cm_gathered *gathered, size_t from)
{
    size_t to = from;
    while (to < gathered->count && gathered->counts[to].event == gathered->counts[from].event)
        to++;
    return to;
}

static bool is_iterations(const cm_gathered *gathered, size_t at)
{
    return strcasecmp(gathered->events.names[gathered->counts[at].event], iterations_name) == 0;
}

static size_t repetitions_of(const cm_gathered *gathered, size_t from, size_t to)
{
    size_t count = 0;
    for (size_t i = from; i < to; i++)
        count += i == from || gathered->counts[i].repetition != gathered->counts[i - 1].repetition;
    return count;
}

static size_t most_repetitions(const cm_gathered *gathered)
{
    size_t most = 0;
    for (size_t from = 0, to; from < gathered->count; from = to) {
        to = end_of_event(gathered, from);
        size_t count = repetitions_of(gathered, from, to);
        most = !is_iterations(gathered, from) && count > most ? count : most;
    }
    return most;
}

/* Fills the row that begins at `from`; false if a kernel is missing, appears twice, or has no number. */
static bool fill_row(const job *one, size_t from, size_t *to)
{
    const cm_gathered_count *counts = one->gathered->counts, *first = &counts[from];
    bool whole = true;
    size_t found = 0;
    for (*to = from; *to < one->gathered->count; ++*to) {
        const cm_gathered_count *count = &counts[*to];
        if (count->event != first->event || count->repetition != first->repetition || count->thread != first->thread)
            break;
        whole = whole && !isnan(count->value) && (*to == from || count->kernel != count[-1].kernel);
        one->row[count->kernel] = count->value;
        found++;
    }
    return whole && found == one->kernels;
}

static bool is_whole(const job *one, size_t from, size_t to)
{
    bool whole = repetitions_of(one->gathered, from, to) == one->repetitions;
    for (size_t next = from; whole && next < to;)
        whole = fill_row(one, next, &next);
    return whole;
}

static void note_line(const job *one, const char *text)
{
    if (one->options->note != NULL)
        one->options->note(text, one->options->note_data);
}

/* Writes the rows of an event, unless it is incomplete. */
static cm_status write_event(job *one, size_t from, size_t to, cm_error *error)
{
    const char *event = one->gathered->events.names[one->gathered->counts[from].event];
    char text[256];
    cm_status status = CM_OK;
    if (!is_whole(one, from, to)) {
        snprintf(text, sizeof text, "%.150s is left out: a count is missing, or is no number", event);
        note_line(one, text);
        one->summary->left_out++;
        return CM_OK;
    }
    for (size_t next = from; status == CM_OK && next < to;) {
        const cm_gathered_count *first = &one->gathered->counts[next];
        fill_row(one, next, &next);
        status = cm_measurements_writer_add(one->writer, event, first->repetition, first->thread, one->row, error);
    }
    one->summary->events++;
    return status;
}

static cm_status write_events(job *one, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t from = 0, to; status == CM_OK && from < one->gathered->count; from = to) {
        to = end_of_event(one->gathered, from);
        if (!is_iterations(one->gathered, from))
            status = write_event(one, from, to, error);
    }
    return status;
}

/* Opens the table, with divisors if it has any. */
static cm_status open_table(job *one, const char *path, cm_error *error)
{
    const cm_gathered *gathered = one->gathered;
    double *iterations = NULL;
    for (size_t from = 0; iterations == NULL && from < gathered->count; from = end_of_event(gathered, from)) {
        size_t to = from;
        if (is_iterations(gathered, from) && fill_row(one, from, &to))
            iterations = one->row;
    }
    char text[1024], *why = NULL;
    cm_status status = cm_table_not_comparable(one->options->path, &why, error);
    snprintf(text, sizeof text, "Imported by catmint from %.500s.%s%.450s", one->options->path,
             why != NULL ? "\n" CM_NOT_COMPARABLE_MARK : "", why != NULL ? why : "");
    free(why);
    return status == CM_OK ? cm_measurements_writer_create(path, text, one->kernels, gathered->kernels.names,
                                                           iterations, &one->writer, error)
                           : status;
}

/* Writes a table. */
static cm_status write_table(job *one, const char *path, cm_error *error)
{
    cm_status status = open_table(one, path, error);
    CM_THEN(status, write_events(one, error));
    CM_THEN(status, cm_measurements_writer_finish(one->writer, error));
    cm_measurements_writer_free(one->writer);
    one->summary->tables++;
    return status;
}

/* Sorts and writes the counts of a benchmark. */
static cm_status write_gathered(cm_gathered *gathered, const cm_table_import_options *options, cm_directory *directory,
                                cm_table_import_summary *summary, cm_error *error)
{
    job one = {.gathered = gathered, .options = options, .summary = summary, .kernels = gathered->kernels.count};
    const char *path = NULL;
    char text[256];
    qsort(gathered->counts, gathered->count, sizeof *gathered->counts, by_event_and_run);
    one.repetitions = most_repetitions(gathered);
    if (!CM_ALLOCATE(one.row, one.kernels + 1))
        return cm_error_no_memory(error);
    snprintf(text, sizeof text, "%.80s: %zu event%s, %zu kernel%s, %zu repetition%s", gathered->benchmark,
             gathered->events.count, gathered->events.count == 1 ? "" : "s", one.kernels, one.kernels == 1 ? "" : "s",
             one.repetitions, one.repetitions == 1 ? "" : "s");
    note_line(&one, text);
    cm_status status = cm_directory_file(directory, gathered->file, &path, error);
    CM_THEN(status, write_table(&one, path, error));
    free(one.row);
    return status;
}

/* ---- the directory ---- */

/* CM_IO if the table must not be written there, or is the imported file itself. */
static cm_status check_place(const cm_gathered *gathered, const cm_table_import_options *options, cm_error *error)
{
    struct stat input, output;
    char *path = cm_path_join(options->directory, gathered->file, "");
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    if (stat(options->path, &input) == 0 && stat(path, &output) == 0 && input.st_dev == output.st_dev &&
        input.st_ino == output.st_ino)
        status = cm_error_set(error, CM_IO, path, 0, 0, "the imported file would be replaced: name another directory");
    free(path);
    return status;
}

/* Opens the directory for the tables. */
static cm_status open_directory(const cm_gathered *tables, size_t count, const cm_table_import_options *options,
                                cm_directory **opened, cm_error *error)
{
    static const cm_directory_kind kind = {".catmint-import", ".import-", "an earlier import"};
    const char **names = calloc(count + 1, sizeof *names);
    cm_status status = names != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && cm_has_manifest(options->directory))
        status = cm_error_set(error, CM_IO, options->directory, 0, 0,
                              "it holds measurements whose manifest.json lists all tables: name another directory");
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        names[i] = tables[i].file;
        status = check_place(&tables[i], options, error);
    }
    CM_THEN(status, cm_directory_open(options->directory, &kind, names, count, opened, error));
    free(names);
    return status;
}

/* Writes all tables in one commit. */
static cm_status write_all(cm_gathered *tables, size_t count, const cm_table_import_options *options,
                           cm_table_import_summary *summary, cm_error *error)
{
    cm_directory *directory = NULL;
    cm_status status = open_directory(tables, count, options, &directory, error);
    if (status == CM_OK) {
        cm_directory_clean(directory);
        cm_directory_keep_rest(directory); /* other tables were imported before */
    }
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = write_gathered(&tables[i], options, directory, summary, error);
    return cm_directory_end(directory, status, json_pack("{s:s}", "schema", "catmint.tables/1"), error);
}

cm_status cm_gathered_save(cm_gathered *tables, size_t count, const cm_table_import_options *options,
                           cm_table_import_summary *summary, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++)
        if (asprintf(&tables[i].file, "%s.csv", tables[i].benchmark) < 0) {
            tables[i].file = NULL;
            status = cm_error_no_memory(error);
        }
    return status == CM_OK ? write_all(tables, count, options, summary, error) : status;
}
