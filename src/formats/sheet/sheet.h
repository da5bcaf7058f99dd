/* A foreign table: its cells, and what they are. */
#ifndef CM_FORMATS_SHEET_SHEET_H
#define CM_FORMATS_SHEET_SHEET_H

#include <catmint/import_table.h>

#include "core/arena.h"

typedef struct cm_sheet_row {
    size_t line; /* of the file, from 1 on */
    size_t count;
    const char **cells; /* without blanks around them */
} cm_sheet_row;

typedef struct cm_sheet {
    cm_arena arena;
    const char *file;
    char separator; /* ' ' for any number of blanks */
    size_t count;
    cm_sheet_row *rows; /* those that are not blank, without comments */
} cm_sheet;

/* Clear the sheet in any case. */
cm_status cm_sheet_read(const char *path, char separator, cm_sheet *sheet, cm_error *error);
void cm_sheet_clear(cm_sheet *sheet);
/* "" behind the end of a row. */
const char *cm_sheet_cell(const cm_sheet_row *row, size_t column);

/* How numbers are written. */
typedef struct cm_sheet_numbers {
    bool decimal_comma;
} cm_sheet_numbers;

/* A number with thousands separators and any decimal sign; false for what is none. *doubtful: 1,234 may be two. */
bool cm_sheet_number(const cm_sheet_numbers *numbers, const char *cell, double *value, bool *doubtful);

/* Part of a sheet that has one heading. */
typedef struct cm_section {
    const char *benchmark; /* "" where it is not named */
    size_t heading;        /* a row of the sheet */
    size_t end;            /* behind its last row */
    bool events_are_rows;
    size_t names;                          /* the column of events, or of kernels */
    size_t repetition, thread, benchmarks; /* columns; SIZE_MAX: there is none */
} cm_section;

/* Sections, to be freed with free(). */
cm_status cm_sheet_sections(const cm_sheet *sheet, const cm_table_import_options *options, cm_section **sections,
                            size_t *count, cm_error *error);
/* Whether a column holds counts. */
bool cm_section_counts(const cm_sheet *sheet, const cm_section *section, size_t column);

#endif
