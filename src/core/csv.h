/* Reads CSV files row by row (libcsv): RFC 4180, UTF-8, one header line.
 *
 * `#` lines above the header are provenance. CRLF, a byte-order mark at the start, blank lines and blanks around
 * unquoted fields are accepted. Refused with CM_BAD_INPUT, file and line: an empty file, NUL and other control
 * characters, text that is not UTF-8, a row longer than CM_CSV_ROW_LIMIT bytes, an unclosed quote, a quote inside an
 * unquoted field, text after a closing quote, a carriage return that ends a row without a line feed, header fields that
 * are empty or appear twice, a row whose number of fields differs from the header's. */
#ifndef CM_CORE_CSV_H
#define CM_CORE_CSV_H

#include "core/files.h"

enum { CM_CSV_ROW_LIMIT = 1 << 20 };

typedef struct cm_csv cm_csv;

/* One row; the texts live until the next row is read. */
typedef struct cm_csv_row {
    size_t line; /* 1-based, on which the row begins */
    size_t count;
    const char *const *fields;
} cm_csv_row;

/* Opens a file and reads its header. CM_IO if it is no regular file, or cannot be opened or read. */
CM_SHARED cm_status cm_csv_open(const char *path, cm_csv **csv, cm_error *error);
CM_SHARED void cm_csv_close(cm_csv *csv);

CM_SHARED const char *cm_csv_path(const cm_csv *csv);
/* The `#` lines without `#` and the blank after it, separated by newlines; "" if there are none. */
const char *cm_csv_provenance(const cm_csv *csv);
/* Lives as long as `csv`. */
CM_SHARED cm_csv_row cm_csv_header(const cm_csv *csv);
/* The position of a column in the header; SIZE_MAX: no column has that name. */
size_t cm_csv_find_column(const cm_csv *csv, const char *name);

/* CM_BAD_INPUT, in a line of the table. */
#define CM_CSV_FAULT(csv, line, error, ...) cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), line, 0, __VA_ARGS__)

/* The offset in bytes behind the row or header that was read last. */
size_t cm_csv_offset(const cm_csv *csv);

/* CM_BAD_INPUT unless the header begins with these columns, and, without `more`, ends with them. */
CM_SHARED cm_status cm_csv_expect(const cm_csv *csv, size_t count, const char *const *columns, bool more,
                                  cm_error *error);

/* Reads the next row; *found is false at the end of the file. */
CM_SHARED cm_status cm_csv_next(cm_csv *csv, cm_csv_row *row, bool *found, cm_error *error);
/* Reads the next row if *status is CM_OK, and sets that. False behind the last row, and after an error. */
bool cm_csv_more(cm_csv *csv, cm_csv_row *row, cm_status *status, cm_error *error);

/* The next line of the file, as it stands there and not yet read; *length is 0 at the end of the file. A caller that
 * finds a whole row in it passes it, and may change its text. */
cm_status cm_csv_look_ahead(cm_csv *csv, char **text, size_t *length, cm_error *error);
/* Passes that line, and returns its number. */
size_t cm_csv_pass_line(cm_csv *csv, size_t length);

/* Handles one row. */
typedef cm_status (*cm_csv_take)(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error);
/* Reads the rest of an open file, which must have exactly these columns, row by row, until `take` refuses one. */
CM_SHARED cm_status cm_csv_each_row(cm_csv *csv, size_t count, const char *const *columns, cm_csv_take take, void *data,
                                    cm_error *error);
/* Reads a whole file with exactly these columns, row by row, until `take` refuses one. `..._data`: a file of catmint's
 * data, as cm_data_path finds it. */
CM_SHARED cm_status cm_csv_each_data(const char *name, size_t count, const char *const *columns, cm_csv_take take,
                                     void *data, cm_error *error);
CM_SHARED cm_status cm_csv_each(const char *path, size_t count, const char *const *columns, cm_csv_take take,
                                void *data, cm_error *error);

/* The field as a number; errors name file, line and column. Blank fields are refused. */
CM_SHARED cm_status cm_csv_number(const cm_csv *csv, const cm_csv_row *row, size_t field, double *value,
                                  cm_error *error);
CM_SHARED cm_status cm_csv_size(const cm_csv *csv, const cm_csv_row *row, size_t field, size_t *value, cm_error *error);
/* CM_BAD_INPUT if the field is no name: empty, or with a line break or tab. */
CM_SHARED cm_status cm_csv_name(const cm_csv *csv, const cm_csv_row *row, size_t field, cm_error *error);

/* Writes one field, quoted if necessary, and no separator. Errors show in ferror(stream). */
void cm_csv_write_field(FILE *stream, const char *text);
/* Writes a line of fields. */
void cm_csv_write_row(FILE *stream, const char *const *fields, size_t count);
/* Writes a field for a spreadsheet: text that it would read as a formula gets an apostrophe; numbers stay. */
CM_SHARED void cm_csv_write_cell(FILE *stream, const char *text);

/* ---- csv_location.c: finds a field's line and column in a CSV file, for messages ---- */

/* Reads the file again as far as the row that begins on `row_line`, and finds the first character of its field `field`
 * (from 0), behind blanks and an opening quote: 1-based line and character. CM_BAD_INPUT if there is no such field. */
cm_status cm_csv_locate(const char *path, size_t row_line, size_t field, size_t *line, size_t *column, cm_error *error);

/* ---- csv_fields.c: the fields of one row of CSV, split by libcsv, strictly by RFC 4180 ---- */

/* Texts one after another, each with its NUL. */
typedef struct cm_csv_texts {
    char *text;
    size_t text_size, text_capacity, *offsets;
    const char **fields; /* valid after cm_csv_fields_point */
    size_t count, capacity;
} cm_csv_texts;

void cm_csv_texts_clear(cm_csv_texts *row);

typedef struct cm_csv_fields cm_csv_fields;

/* NULL without memory. */
cm_csv_fields *cm_csv_fields_create(void);
void cm_csv_fields_free(cm_csv_fields *fields);

/* Begins a new row. */
void cm_csv_fields_begin(cm_csv_fields *fields);

typedef enum cm_csv_fed { CM_CSV_FED, CM_CSV_MALFORMED, CM_CSV_NO_MEMORY } cm_csv_fed;

/* Reads text of the row, at most up to a line feed; *done is the length of its well-formed part. */
cm_csv_fed cm_csv_fields_feed(cm_csv_fields *fields, const char *text, size_t length, size_t *done);
/* At the end of the file: ends a row that lacks its line feed. */
cm_csv_fed cm_csv_fields_end(cm_csv_fields *fields);
/* Whether a row has ended; blank lines are no rows. */
bool cm_csv_fields_ended(const cm_csv_fields *fields);
/* The row, whose `fields` are valid until the next row begins. */
cm_csv_texts *cm_csv_fields_point(cm_csv_fields *fields);

#endif
