/* Measurements, bases, signatures and symbols, as the rooms above read them. */
#ifndef CM_TABLES_TABLES_H
#define CM_TABLES_TABLES_H

#include <time.h>

#include <catmint/tables.h>

#include "core/csv.h"
#include "core/files.h"

/* ---- table.c ---- */

/* The form of bases and signatures: columns of text, the first of which names the row, then columns of numbers. */

typedef struct cm_table {
    char *file;
    char *counted_by; /* in catmint.count/1, "emulated:zen4"; NULL: unknown */
    size_t header_line, text_columns, value_columns;
    char **value_names; /* one a value column */
    bool *of_regions;   /* one a value column: it is a region of catmint.count/1; NULL: the file is another one */
    size_t row_count;
    size_t *lines;  /* one a row, 1-based */
    char **texts;   /* row_count x text_columns, row-major */
    double *values; /* row_count x value_columns, row-major */
    char **reasons; /* one a row, why catmint.count/1 has no value, NULL: not said; NULL: another kind of file */
} cm_table;

/* `columns` names the text columns; `optional` (may be NULL) is one more that may follow, and is then counted in
 * text_columns; all further columns hold finite numbers. CM_BAD_INPUT also if there is no number column or no row, and
 * if a row's name is empty or appears twice. */
cm_status cm_table_load(const char *path, size_t text_columns, const char *const *columns, const char *optional,
                        cm_table **table, cm_error *error);
/* The same for an open file. */
CM_SHARED cm_status cm_table_read(cm_csv *csv, size_t text_columns, const char *const *columns, const char *optional,
                                  cm_table **table, cm_error *error);
CM_SHARED void cm_table_free(cm_table *table);

static inline const char *cm_table_text(const cm_table *table, size_t row, size_t column)
{
    return table->texts[row * table->text_columns + column];
}

static inline const double *cm_table_values(const cm_table *table, size_t row)
{
    return table->values + row * table->value_columns;
}

/* ---- counts.c: reads counts of programs from files of several formats ---- */

/* Reads event,<run>,<run>... as CSV, or the document catmint.count/1 in the same form: a row for each event and metric,
 * which also has a row by its preset, and for `seconds`, `vector_bits` and `line_bytes`; a column for each scope.
 * Values that a scope lacks are NaN. */
CM_SHARED cm_status cm_counts_table_load(const char *path, cm_table **table, cm_error *error);
/* Whether the file is JSON, judged by its first byte. */
CM_SHARED bool cm_is_json(const char *path);

/* ---- events_table.c: writes events.csv, the list of all events beside the tables of measurements ---- */

enum { CM_EVENT_COLUMNS = 6 };
extern const char *const cm_event_columns[CM_EVENT_COLUMNS];

cm_status cm_events_table_begin(cm_directory *directory, cm_output **output, cm_error *error);
/* Characters that no table may have are shown as such. */
void cm_events_table_add(cm_output *output, const char *const fields[CM_EVENT_COLUMNS]);
/* Ends the table if `status` is CM_OK, and frees `output`, which may be NULL. Returns `status`, or CM_IO. */
cm_status cm_events_table_end(cm_output *output, cm_status status, cm_error *error);

/* ---- find_tables.c ---- */

/* Finds the basis and the signatures for a table of measurements: catmint's own, or the paper's. */

/* The paths of bases/<benchmark>.csv and signatures/<benchmark>.csv; of bases/paper/ and signatures/paper/ if all
 * kernels are rows of that basis, or with `by_paper` if its rows are among them; of signatures/socket/ if there are
 * columns of quiet kernels. The caller frees them; either may be NULL and is then not searched. CM_IO if there is no
 * such file. */
cm_status cm_find_tables(const char *benchmark, size_t kernel_count, const char *const *kernels, bool by_paper,
                         char **basis, char **signatures, cm_error *error);

/* The same for the kernels of a measurement table; ours for one that cannot be read, as its reader says that. */
cm_status cm_find_tables_of(const char *benchmark, const char *measurements, bool by_paper, char **basis,
                            char **signatures, cm_error *error);

/* Whether the benchmark has metrics of a whole socket's events; in such a sweep, others are controls. */
bool cm_has_socket_metrics(const char *benchmark);

/* ---- names.c: lists of names: kernels, symbols ---- */

cm_status cm_names_create(size_t count, const char *const *names, char ***copy, cm_error *error);

/* An index from each name to its index; the names must be distinct and outlive it. */
cm_status cm_names_index_create(size_t count, char *const *names, cm_name_index **index, cm_error *error);

/* Whether the name is about a cache level beyond `levels`, as the symbol "L3_WB" and the metric "Lines between L2 and
 * L3" are about the third; false if `levels` is 0: unknown. */
bool cm_name_is_beyond(size_t levels, const char *name);

/* ---- needed_parts.c: parts of symbols that metrics need, such as a precision: bases/needed-parts.csv ---- */

/* Whether the symbol has the part: "S_" is a beginning, "_512" an end, "_FMA_" is within; any other text is a whole
 * symbol. */
bool cm_symbol_has_part(const char *symbol, const char *part);

/* Describes the parts that each metric lacks if only the basis' symbols remain: parts of symbols on which it has
 * weight, but of none that remains ("half precision", or "FMA in half precision" if other symbols of half precision
 * remain; with " and " between several). One text a metric of `whole`, NULL if it lacks none; the caller frees all with
 * cm_lacking_free. */
cm_status cm_lacking_find(const char *benchmark, const cm_signatures *whole, const cm_basis *basis, char ***lacking,
                          cm_error *error);
void cm_lacking_free(size_t metrics, char **lacking);

/* ---- not_comparable.c: a mark in tables that may leave their directory: `# Not comparable: why` ---- */

#define CM_NOT_COMPARABLE_MARK "Not comparable: "

/* *why, to be freed, is the text behind the mark. NULL: none, or the file is no CSV. CM_NO_MEMORY. */
cm_status cm_table_not_comparable(const char *path, char **why, cm_error *error);

/* ---- symbol_words.c: descriptions of symbols: bases/symbols.csv ---- */

typedef struct cm_symbol_words cm_symbol_words;

/* Loads rows of benchmark, symbol, expression over facts (which may be empty, and is not parsed), description.
 * CM_BAD_INPUT if a symbol appears twice, or has no description. */
cm_status cm_symbol_words_load(const char *path, cm_symbol_words **words, cm_error *error);
void cm_symbol_words_free(cm_symbol_words *words);

/* The description; NULL if there is none, as for a basis of the user's own; `words` may be NULL. */
const char *cm_symbol_words_find(const cm_symbol_words *words, const char *benchmark, const char *symbol);
/* The expression over facts; NULL likewise, "" if the row has none. */
const char *cm_symbol_words_expression(const cm_symbol_words *words, const char *benchmark, const char *symbol);

/* ---- measurements_writer.c ---- */

/* Writes a row of a measurement table. CM_BAD_ARGUMENT as cm_measurements_writer_add; else see ferror(stream). */
cm_status cm_measurement_row_write(FILE *stream, const char *event, size_t repetition, size_t thread, size_t kernels,
                                   const double *values, cm_error *error);
/* Adds a row that cm_measurement_row_write wrote. */
cm_status cm_measurements_writer_copy(cm_measurements_writer *writer, const char *row, size_t length, cm_error *error);

/* ---- rows.c: rows of a measurement table, from its file with messages, or from text in memory without ---- */

typedef struct cm_row {
    const char *event; /* valid until the next row is read */
    size_t repetition, thread;
    size_t line;         /* in the file, 0: read from text */
    bool has_iterations; /* of the kernels, instead of counts of an event */
} cm_row;

typedef struct cm_rows {
    cm_csv *csv;
    size_t kernel_count;
    const char *const *kernels;
    cm_row row; /* the current one, if `found` */
    bool found;
    double *values;        /* of the current row, one a kernel */
    cm_csv_fields *fields; /* splits rare rows of text; NULL: there was none */
} cm_rows;

/* Opens a table and reads its header; the caller closes it, also after an error. */
cm_status cm_rows_open(const char *path, cm_rows *rows, cm_error *error);
void cm_rows_close(cm_rows *rows);
/* File, header line and kernels, which belong to `head` from then on. */
cm_status cm_rows_head(const cm_rows *rows, cm_measurements *head, cm_error *error);
/* Reads the next row and its values: counts, which must not be negative, or iterations, which must not be 0. */
cm_status cm_rows_next(cm_rows *rows, cm_error *error);

typedef enum cm_row_part {
    CM_ROW_WHOLE,
    CM_ROW_KEY, /* values of the event `iterations` alone */
} cm_row_part;

typedef enum cm_row_found { CM_ROW_FOUND, CM_ROW_BLANK, CM_ROW_BAD } cm_row_found;

/* Reads a row of the table from *text, which ends with a line feed and is overwritten, and moves *text behind it.
 * CM_ROW_BAD also without memory. `values`: one a kernel. Several threads have a copy of the opened table each, with
 * `fields` of its own, which it frees. */
cm_row_found cm_rows_read_text(cm_rows *rows, char **text, cm_row_part part, double *values);

/* ---- event_rows.c: the rows of an event, collected in any order, then sorted and checked ---- */

typedef struct cm_row_key {
    size_t repetition, thread, line;
    size_t index; /* in the order of the file */
} cm_row_key;

typedef struct cm_event_rows {
    size_t count, capacity;
    cm_row_key *keys;
    double *values; /* by row and kernel */
} cm_event_rows;

/* Makes space for one more row. */
cm_status cm_event_rows_reserve(cm_event_rows *rows, size_t kernels, cm_error *error);
/* Sorts the rows by repetition and thread, and gives them to the event, which must have a name. CM_BAD_INPUT unless
 * they are all pairs of repetitions and threads, each once. */
cm_status cm_event_rows_arrange(const cm_event_rows *rows, size_t kernels, const char *file, cm_measurement *event,
                                cm_error *error);

/* ---- bytes_of_lines.c ---- */

/* Metrics in bytes of cache lines are given for lines of 64 bytes: makes them right for another size. */
cm_status cm_scale_bytes_of_lines(cm_signatures *signatures, size_t line, cm_error *error);

/* ---- measured.c: a directory of measurements: tables, events.csv, manifest.json, their record ---- */

/* Schemas of manifests. */
#define CM_SWEEP_SCHEMA "catmint.sweep/1"
#define CM_IMPORT_SCHEMA "catmint.import/1"

/* The manifest, and the directory of a commit that is not finished. */
#define CM_MEASURED_MANIFEST "manifest.json"
#define CM_MEASURED_PREFIX ".sweep-"
#define CM_MEASURED_COMMIT CM_MEASURED_PREFIX CM_DIRECTORY_COMMIT

/* The journal of a sweep, and the manifest's member that ends it; then the beginnings of the file, of any version and
 * of this one. */
#define CM_JOURNAL_NAME "journal"
#define CM_JOURNAL_KIND "catmint.journal/"
#define CM_JOURNAL_SCHEMA CM_JOURNAL_KIND "2"

/* The manifest's member of a sweep that ended early: an array with the events that each benchmark lacks. */
#define CM_INCOMPLETE_KEY "incomplete"

/* ---- measured.c: writing ---- */

/* cm_directory_open for such a directory: `tables` names those that may be written. Only a sweep may write into a
 * directory with an unfinished sweep, whose journal then decides: else CM_BAD_ARGUMENT. */
cm_status cm_measured_begin(const char *directory, const char *const *tables, size_t count, bool sweeps,
                            cm_directory **opened, cm_error *error);

/* Records in the manifest of a complete sweep which journal it ends: if the process is killed before the journal is
 * removed, the sweep is still known to be complete. CM_NO_MEMORY. */
cm_status cm_measured_end_journal(const char *directory, json_t *manifest, cm_error *error);
/* Removes the journal that the manifest in the directory ends, unless its sweep is still at work. */
void cm_measured_drop_journal(const char *directory);

/* ---- measured.c, measured_moment.c: reading ---- */

/* The state of a directory at some time: its manifest, and whether that is in its final place. */
typedef struct cm_measured_moment {
    uint64_t device, inode;
    struct timespec changed;
    bool committing;
    int moves; /* replacements so far */
} cm_measured_moment;

void cm_measured_note(const char *directory, cm_measured_moment *moment);
/* Whether a process has replaced the measurements since that time, so that parts may be missing or of two sweeps, and
 * must be read again. Waits for a commit in progress, and updates the moment. False also if readers would never
 * finish. */
bool cm_measured_has_moved(const char *directory, cm_measured_moment *moment);

typedef struct cm_measured cm_measured;

/* Reads the list in the manifest, if there is one: an older catmint wrote none, and tables may lie there without a
 * manifest. If a commit was interrupted, the committed files are read; none is moved. */
cm_status cm_measured_open(const char *directory, cm_measured **measured, cm_error *error);
void cm_measured_free(cm_measured *measured);

/* The path of the manifest, which need not exist. */
const char *cm_measured_manifest(const cm_measured *measured);
bool cm_measured_has_manifest(const cm_measured *measured);
/* The whole manifest of the directory; *manifest stays NULL if there is none. CM_BAD_INPUT; json_decref it. */
cm_status cm_measured_read_manifest(const char *directory, json_t **manifest, cm_error *error);
/* The manifest if it lists its files, else NULL. Owned by `measured`. */
const json_t *cm_measured_record(const cm_measured *measured);
/* The events that a sweep lacks because it ended early, as its manifest says; NULL: none. Owned by `measured`. */
const json_t *cm_measured_incomplete(const cm_measured *measured);
/* Whether the directory has the journal of an unfinished sweep. */
bool cm_measured_is_unfinished(const cm_measured *measured);
/* The same without reading the manifest, which may end the journal. */
bool cm_measured_has_journal(const char *directory);

/* The path of a file; the caller frees it. *path is NULL if there is none; *foreign: there is one, but the manifest
 * does not list it. CM_BAD_INPUT if it differs from the manifest. */
cm_status cm_measured_find(const cm_measured *measured, const char *name, char **path, bool *foreign, cm_error *error);

/* ---- stream.c, stream_index.c, stream_read.c: large measurement tables, never held in memory ---- */

/* Several threads read it. A first reading finds the rows of each event, a second one reads them, some thousand events
 * at a time. Any faulty table is left to cm_measurements_load, which has the messages. */
typedef struct cm_stream cm_stream;

/* *stream stays NULL if the table cannot be streamed: it is smaller than `smallest` bytes, faulty, or has fewer than
 * two repetitions. When `stop` (may be NULL) is not 0, reading fails as if the table were faulty. */
cm_status cm_stream_open(const char *path, size_t smallest, const volatile int *stop, cm_stream **stream,
                         cm_error *error);
void cm_stream_close(cm_stream *stream);
/* File, header line, kernels and iterations; no events. */
const cm_measurements *cm_stream_head(const cm_stream *stream);
size_t cm_stream_repetitions(const cm_stream *stream);

/* Blocks are independent, so threads may visit different ones at the same time. */
size_t cm_stream_block_count(const cm_stream *stream);

/* Receives one event, which lives until the visitor returns; `tag` finds it again. False ends the visit. */
typedef bool (*cm_stream_visit)(void *context, const cm_measurement *event, size_t tag);

/* Visits the events of a block; the blocks in turn have them in the order of their first rows. False if a row is bad or
 * misplaced, memory runs out, reading fails, or the visitor returns false. */
bool cm_stream_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context);
/* Visits one event again. */
bool cm_stream_again(const cm_stream *stream, size_t tag, cm_stream_visit visit, void *context);

/* ---- the inner parts of a stream, shared by its two readings, each of which has a file ---- */

struct cm_stream {
    int file;
    const volatile int *stop; /* may be NULL */
    size_t size;              /* of the file */
    struct timespec changed;  /* when it was written last */
    cm_rows table;            /* opened, with its header read */
    size_t header_end;        /* in bytes */
    cm_measurements head;
    size_t event_count; /* in the order of their first rows */
    size_t *rows;       /* of each event, how many */
    uint32_t *firsts;   /* index of each event's first run among all, and the number of all runs */
    uint64_t *runs;     /* by event, in the order of the file: adjacent rows, see cm_run_offset */
    size_t most_rows;   /* of any event */
    size_t repetition_count;
    size_t *repetitions; /* of the first event */
};

/* Whether the caller has asked to stop. */
static inline bool cm_stream_stopped(const cm_stream *stream)
{
    return stream->stop != NULL && *stream->stop != 0;
}

/* Bytes of a block in the first reading, bytes of other readings, and values of a block in the second reading. Fuzzing
 * makes them small, so that small tables have many blocks. */
#ifndef CM_STREAM_BLOCK
#define CM_STREAM_BLOCK (5 << 18)
#define CM_STREAM_WINDOW (1 << 20)
#define CM_STREAM_VALUES (1 << 20)
#endif

enum { CM_RUN_BITS = 21, CM_RUN_LIMIT = 1 << CM_RUN_BITS }; /* a run has fewer bytes */

static inline uint64_t cm_stream_run(size_t offset, size_t length)
{
    return (uint64_t)offset << CM_RUN_BITS | length;
}

static inline size_t cm_run_offset(uint64_t run)
{
    return (size_t)(run >> CM_RUN_BITS);
}

static inline size_t cm_run_end(uint64_t run)
{
    return cm_run_offset(run) + (size_t)(run & (CM_RUN_LIMIT - 1));
}

/* Reads all of [offset, offset + length). */
bool cm_stream_read(const cm_stream *stream, char *buffer, size_t length, size_t offset);

/* The first reading: finds the runs of all events. */
cm_status cm_stream_index(cm_stream *stream, bool *good, cm_error *error);
/* Reads the first event, for repetitions and threads. False if it cannot be read. */
bool cm_stream_read_first(cm_stream *stream);

#endif
