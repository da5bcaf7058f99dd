/* A foreign table: its cells and their meaning. */
#ifndef CM_FORMATS_SHEET_SHEET_H
#define CM_FORMATS_SHEET_SHEET_H

#include <catmint/import_table.h>
#include <catmint/tables.h>

#include "core/base.h"

typedef struct cm_sheet_row {
    size_t line; /* of the file, from 1 */
    size_t count;
    const char **cells; /* without blanks around them */
} cm_sheet_row;

typedef struct cm_sheet {
    cm_arena arena;
    const char *file;
    char separator; /* ' ' for any number of blanks */
    size_t count;
    cm_sheet_row *rows; /* without blank lines and comments */
} cm_sheet;

/* Clear the sheet in any case. */
cm_status cm_sheet_read(const char *path, char separator, cm_sheet *sheet, cm_error *error);
void cm_sheet_clear(cm_sheet *sheet);
/* "" behind the end of a row. */
const char *cm_sheet_cell(const cm_sheet_row *row, size_t column);

/* The format of numbers. */
typedef struct cm_sheet_numbers {
    bool decimal_comma;
} cm_sheet_numbers;

/* Reads a number with thousands separators and any decimal sign; false: none. *doubtful: ambiguous, as 1,234. */
bool cm_sheet_number(const cm_sheet_numbers *numbers, const char *cell, double *value, bool *doubtful);

/* The format that a cell proves: 1.234.567 and 1,5 a decimal comma, 1,234.5 and 1.5 a point, 1.234 either. */
typedef enum cm_sheet_decimal {
    CM_DECIMAL_UNSAID,
    CM_DECIMAL_EITHER,
    CM_DECIMAL_COMMA,
    CM_DECIMAL_POINT
} cm_sheet_decimal;

cm_sheet_decimal cm_sheet_number_says(const char *cell);

/* lines.c: splits the text in place into lines with cells, and their numbers. *separator, if it is 0, becomes the one
 * that a spreadsheet wrote into the first line ("sep=;"). */
size_t cm_sheet_lines(char *text, char **lines, size_t *numbers, char *separator);

/* known.c: the basis of a benchmark of catmint's, NULL for others. */
cm_status cm_known_kernels(const char *benchmark, cm_basis **basis, cm_error *error);
/* The basis by which a table with these kernels is analysed, including those of the paper; NULL likewise. */
cm_status cm_analysed_kernels(const char *benchmark, size_t count, const char *const *kernels, cm_basis **basis,
                              cm_error *error);
/* The kernel's name in the basis: the same but for case, blanks, _ and -. NULL: there is none, or no basis. */
const char *cm_known_kernel(const cm_basis *basis, const char *name);

/* Part of a sheet with one heading. */
typedef struct cm_section {
    const char *benchmark; /* "" if it has no name */
    cm_basis *known;       /* of the benchmark; NULL: catmint has none */
    size_t heading;        /* index of a row in the sheet */
    size_t end;            /* behind its last row */
    bool decimal_comma;
    bool guessed; /* by known kernels */
    bool events_are_rows;
    size_t names;           /* the column of events, or of kernels */
    size_t events, kernels; /* columns, as are these; SIZE_MAX: there is none */
    size_t repetition, thread, benchmarks;
    size_t counts;  /* if a row is one count; `events` and `kernels` are columns then */
    bool *left_out; /* one a column: it has no counts */
} cm_section;

typedef struct cm_sections {
    size_t count;
    cm_section *list;
} cm_sections;

/* Clear the sections in any case. */
cm_status cm_sheet_sections(cm_sheet *sheet, const cm_table_import_options *options, cm_sections *sections,
                            cm_error *error);
void cm_sections_clear(cm_sections *sections);
/* columns.c: whether a heading tells the meaning of rows. */
bool cm_heading_says(const cm_sheet_row *heading);
cm_status cm_section_columns(cm_sheet *sheet, const cm_table_import_options *options, cm_section *section,
                             cm_error *error);
/* Whether a column holds counts. */
bool cm_section_counts(const cm_sheet *sheet, const cm_section *section, size_t column);

/* ---- table.c: counts of one benchmark, collected cell by cell ---- */

typedef struct cm_gathered_names {
    size_t count;
    const char **names; /* owned by the sheet */
    cm_name_index *index;
} cm_gathered_names;

typedef struct cm_gathered_count {
    size_t event, kernel, repetition, thread;
    double value; /* NaN: the cell has no number */
} cm_gathered_count;

typedef struct cm_gathered {
    const char *benchmark;
    char *file; /* the file name, once it is saved */
    cm_gathered_names events, kernels;
    size_t count;
    cm_gathered_count *counts;
    size_t seen_count; /* combinations of event, kernel and thread, with the number of times each appeared */
    size_t *seen;
    char **seen_keys;
    cm_name_index *seen_index;
} cm_gathered;

/* `repetition` SIZE_MAX: the number of times that this event, kernel and thread appeared. */
cm_status cm_gathered_add(cm_gathered *gathered, const char *event, const char *kernel, size_t repetition,
                          size_t thread, double value, cm_error *error);
void cm_gathered_clear(cm_gathered *gathered);
/* Writes complete events as measurement tables, in one commit, into a directory that is made if it is missing. Only
 * tables imported there before are replaced; CM_IO names another file in the way, or the imported one. */
cm_status cm_gathered_save(cm_gathered *tables, size_t count, const cm_table_import_options *options,
                           cm_table_import_summary *summary, cm_error *error);

#endif
