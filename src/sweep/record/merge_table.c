#include "sweep/record/record.h"

enum { MOST_ROWS_EACH = 1 << 24 }; /* rows of an event: a manifest with more is no sweep's */

struct merging {
    size_t count;
    cm_rows *tables;
    size_t kernel_count;
    double *iterations;
    bool divided; /* the tables have iterations */
    const cm_merged_rows *rows;
    cm_name_index *owners; /* of names in the tables */
    size_t rows_each;      /* rows of an event */
    unsigned char *seen;   /* one bit a row: by event, repetition and thread */
    cm_measurements_writer *writer;
};

/* Reads the row `iterations`, which is the first one if the table has it. */
static cm_status take_iterations(struct merging *merging, cm_rows *table, bool first, cm_error *error)
{
    cm_status status = cm_rows_next(table, error);
    if (status != CM_OK)
        return status;
    const bool divided = table->found && table->row.has_iterations;
    if (first)
        merging->divided = divided;
    if (first && divided)
        memcpy(merging->iterations, table->values, merging->kernel_count * sizeof *table->values);
    bool same = divided == merging->divided;
    for (size_t i = 0; divided && same && i < merging->kernel_count; i++)
        same = table->values[i] == merging->iterations[i];
    if (!same)
        return CM_CSV_FAULT(table->csv, table->row.line, error, "its iterations differ from those of the first table");
    return divided ? cm_rows_next(table, error) : CM_OK;
}

/* Opens a table and checks that its kernels are those of the first. */
static cm_status open_table(struct merging *merging, const char *path, size_t index, cm_error *error)
{
    cm_rows *table = &merging->tables[index];
    cm_status status = cm_rows_open(path, table, error);
    if (status != CM_OK)
        return status;
    const cm_rows *first = &merging->tables[0];
    if (index == 0) {
        merging->kernel_count = table->kernel_count;
        if (!CM_ALLOCATE(merging->iterations, table->kernel_count))
            return cm_error_no_memory(error);
    }
    bool same = table->kernel_count == first->kernel_count;
    for (size_t i = 0; same && i < table->kernel_count; i++)
        same = strcmp(table->kernels[i], first->kernels[i]) == 0;
    if (!same)
        return cm_error_set(error, CM_BAD_INPUT, path, cm_csv_header(table->csv).line, 0,
                            "its kernels differ from those of the first table");
    return take_iterations(merging, table, index == 0, error);
}

/* ---- completeness ---- */

/* Allocates the bits of all rows; CM_BAD_INPUT for numbers that no sweep has. */
static cm_status prepare_rows(struct merging *merging, const char *path, cm_error *error)
{
    const cm_merged_rows *rows = merging->rows;
    size_t bits = 0;
    bool sound = rows->repetitions > 0 && rows->threads > 0 &&
                 !__builtin_mul_overflow(rows->repetitions, rows->threads, &merging->rows_each) &&
                 merging->rows_each <= MOST_ROWS_EACH &&
                 !__builtin_mul_overflow(merging->rows_each, rows->event_count, &bits);
    if (!sound)
        return cm_error_set(
            error, CM_BAD_INPUT, path, 0, 0,
            "manifest.json in the same directory must give repetitions and threads; their product may be at most %d",
            MOST_ROWS_EACH);
    merging->seen = calloc(bits / 8 + 1, 1);
    return merging->seen != NULL ? CM_OK : cm_error_no_memory(error);
}

static cm_status bad_row(const cm_rows *table, cm_error *error, const char *problem)
{
    return CM_CSV_FAULT(table->csv, table->row.line, error, "%s, event %s", problem, table->row.event);
}

/* Marks a row as read; CM_BAD_INPUT if it is out of range or appears twice. */
static cm_status mark_row(struct merging *merging, const cm_rows *table, size_t event, cm_error *error)
{
    const cm_merged_rows *rows = merging->rows;
    const size_t repetition = table->row.repetition, thread = table->row.thread;
    if (repetition < 1 || repetition > (size_t)rows->repetitions)
        return bad_row(table, error, "a repetition that the sweep did not have");
    if (thread >= (size_t)rows->threads)
        return bad_row(table, error, "a thread that the sweep did not have");
    size_t bit = event * merging->rows_each + (repetition - 1) * (size_t)rows->threads + thread;
    unsigned char mask = (unsigned char)(1u << bit % 8);
    if ((merging->seen[bit / 8] & mask) != 0)
        return bad_row(table, error, "the row appears twice");
    merging->seen[bit / 8] |= mask;
    return CM_OK;
}

static size_t count_rows(const struct merging *merging, size_t event)
{
    size_t count = 0;
    for (size_t bit = event * merging->rows_each; bit < (event + 1) * merging->rows_each; bit++)
        count += merging->seen[bit / 8] >> bit % 8 & 1u;
    return count;
}

/* CM_BAD_INPUT if an event lacks rows. */
static cm_status check_rows(const struct merging *merging, cm_error *error)
{
    const cm_merged_rows *rows = merging->rows;
    for (size_t i = 0; i < rows->event_count; i++) {
        cm_merged_event *event = &rows->events[i];
        size_t count = count_rows(merging, i);
        event->tables += count != 0;
        if (count != merging->rows_each && (count != 0 || (event->counted && !event->mixed)))
            return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(merging->tables[event->source].csv), 0, 0,
                                "event %s has %zu %s, expected %lld repetitions x %lld threads", event->name, count,
                                cm_plural(count, "row", "rows"), rows->repetitions, rows->threads);
    }
    return CM_OK;
}

cm_status cm_merged_events_found(const cm_merged_event *events, size_t count, cm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (events[i].counted && events[i].tables == 0)
            return CM_FAIL(error, CM_BAD_INPUT, "events.csv calls %s counted, and no table has a row of it",
                           events[i].key);
    return CM_OK;
}

/* ---- rows ---- */

/* Copies the current row of a table and reads the next. */
static cm_status copy_row(struct merging *merging, cm_rows *table, size_t event, cm_error *error)
{
    const cm_row *row = &table->row;
    if (row->has_iterations)
        return CM_CSV_FAULT(table->csv, table->row.line, error,
                            "more than one row of iterations, or one that is not the first row");
    cm_status status = mark_row(merging, table, event, error);
    CM_THEN(status, cm_measurements_writer_add(merging->writer, row->event, row->repetition, row->thread, table->values,
                                               error));
    return status == CM_OK ? cm_rows_next(table, error) : status;
}

/* Indexes the names by event; a counted event takes precedence over one of the same name that was not. */
static cm_status index_owners(struct merging *merging, cm_error *error)
{
    const cm_merged_rows *rows = merging->rows;
    cm_status status = cm_name_index_create(&merging->owners, error);
    for (int counted = 1; counted >= 0; counted--) {
        for (size_t i = 0; status == CM_OK && i < rows->event_count; i++) {
            size_t owner;
            if (rows->events[i].counted == counted &&
                !cm_name_index_find(merging->owners, rows->events[i].name, &owner))
                status = cm_name_index_add(merging->owners, rows->events[i].name, i, error);
        }
    }
    return status;
}

static bool find_owner(const struct merging *merging, size_t source, size_t *event)
{
    const cm_rows *table = &merging->tables[source];
    return cm_name_index_find(merging->owners, table->row.event, event) &&
           merging->rows->events[*event].source == source;
}

/* Copies rows that are not in the order of the events. */
static cm_status copy_rest(struct merging *merging, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < merging->count; i++) {
        cm_rows *table = &merging->tables[i];
        size_t event;
        while (status == CM_OK && table->found)
            status =
                find_owner(merging, i, &event)
                    ? copy_row(merging, table, event, error)
                    : bad_row(table, error, "events.csv in the same directory does not list the event of this row");
    }
    return status;
}

/* Copies the rows of all tables, in the order of the events if possible. */
static cm_status copy_all(struct merging *merging, cm_error *error)
{
    const cm_merged_rows *rows = merging->rows;
    cm_status status = index_owners(merging, error);
    for (size_t i = 0; status == CM_OK && i < rows->event_count; i++) {
        size_t source = rows->events[i].source, event;
        cm_rows *table = &merging->tables[source];
        while (status == CM_OK && table->found && find_owner(merging, source, &event) && event == i)
            status = copy_row(merging, table, i, error);
    }
    CM_THEN(status, copy_rest(merging, error));
    return status == CM_OK ? check_rows(merging, error) : status;
}

/* Opens the output with the header of the first table. */
static cm_status open_writer(struct merging *merging, const char *path, cm_error *error)
{
    const cm_rows *first = &merging->tables[0];
    cm_measurements_writer *writer = NULL;
    cm_status status =
        cm_measurements_writer_create(path, cm_csv_provenance(first->csv), merging->kernel_count, first->kernels,
                                      merging->divided ? merging->iterations : NULL, &writer, error);
    merging->writer = writer;
    return status;
}

cm_status cm_merge_tables(const char *const *paths, size_t count, const cm_merged_rows *rows, const char *path,
                          cm_error *error)
{
    struct merging merging = {.count = count, .tables = calloc(count, sizeof *merging.tables), .rows = rows};
    cm_status status = merging.tables != NULL ? prepare_rows(&merging, paths[0], error) : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = open_table(&merging, paths[i], i, error);
    CM_THEN(status, open_writer(&merging, path, error));
    CM_THEN(status, copy_all(&merging, error));
    CM_THEN(status, cm_measurements_writer_finish(merging.writer, error));
    cm_measurements_writer_free(merging.writer);
    for (size_t i = 0; merging.tables != NULL && i < count; i++)
        cm_rows_close(&merging.tables[i]);
    free(merging.tables);
    cm_name_index_free(merging.owners);
    CM_FREE(merging.seen, merging.iterations);
    return status;
}
