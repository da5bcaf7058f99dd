/* Imports foreign tables: cells become counts of events in kernels, whichever of the two stands in rows. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/number.h"
#include "formats/sheet/sheet.h"
#include "formats/sheet/table.h"

typedef struct importer {
    const cm_table_import_options *options;
    cm_sheet sheet;
    size_t count;
    cm_gathered *tables; /* one a benchmark */
    size_t doubtful;     /* the line of a number that may be two; 0: none */
} importer;

static cm_status find_table(importer *one, const char *benchmark, cm_gathered **table, cm_error *error)
{
    for (size_t i = 0; i < one->count; i++) {
        *table = &one->tables[i];
        if (strcmp(one->tables[i].benchmark, benchmark) == 0)
            return CM_OK;
    }
    cm_gathered *grown = cm_grow_by_one(one->tables, one->count, sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    one->tables = grown;
    *table = &grown[one->count++];
    **table = (cm_gathered){.benchmark = benchmark};
    return CM_OK;
}

static const char *benchmark_of(const importer *one, const cm_section *section, const cm_sheet_row *row)
{
    const char *named = section->benchmarks != SIZE_MAX ? cm_sheet_cell(row, section->benchmarks) : "";
    return named[0] != '\0' && one->options->benchmark == NULL ? named : section->benchmark;
}

static cm_status check_benchmark(const importer *one, const cm_sheet_row *row, const char *benchmark, cm_error *error)
{
    if (benchmark[0] == '\0')
        return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, row->line, 0,
                            "the table does not name its benchmark: say --benchmark NAME");
    if (strchr(benchmark, '/') != NULL || benchmark[0] == '.')
        return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, row->line, 0,
                            "'%.100s' cannot be the name of a file: say --benchmark NAME", benchmark);
    return CM_OK;
}

/* A number in a column of its own; 0 where there is no such column. */
static cm_status number_in(const importer *one, const cm_sheet_row *row, size_t column, size_t *number, cm_error *error)
{
    *number = 0;
    if (column == SIZE_MAX || cm_number_parse_size(cm_sheet_cell(row, column), number, NULL) == CM_OK)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, row->line, 0,
                        "'%.60s' is no number of a repetition or thread", cm_sheet_cell(row, column));
}

static double value_in(importer *one, const cm_sheet_row *row, size_t column)
{
    const cm_sheet_numbers numbers = {one->options->decimal_comma};
    bool doubtful = false;
    double value = NAN;
    if (!cm_sheet_number(&numbers, cm_sheet_cell(row, column), &value, &doubtful))
        return NAN;
    if (doubtful && one->doubtful == 0)
        one->doubtful = row->line;
    return value;
}

static cm_status take_row(importer *one, const cm_section *section, const cm_sheet_row *row, cm_error *error)
{
    const cm_sheet_row *heading = &one->sheet.rows[section->heading];
    const char *name = cm_sheet_cell(row, section->names), *benchmark = benchmark_of(one, section, row);
    size_t repetition = 0, thread = 0;
    cm_gathered *table = NULL;
    cm_status status = check_benchmark(one, row, benchmark, error);
    if (status == CM_OK && name[0] == '\0')
        return CM_OK;
    if (status == CM_OK)
        status = number_in(one, row, section->repetition, &repetition, error);
    if (status == CM_OK)
        status = number_in(one, row, section->thread, &thread, error);
    if (status == CM_OK)
        status = find_table(one, benchmark, &table, error);
    for (size_t i = 0; status == CM_OK && i < heading->count; i++) {
        if (!cm_section_counts(&one->sheet, section, i))
            continue;
        const char *event = section->events_are_rows ? name : heading->cells[i];
        const char *kernel = section->events_are_rows ? heading->cells[i] : name;
        status = cm_gathered_add(table, event, kernel, section->repetition != SIZE_MAX ? repetition : SIZE_MAX, thread,
                                 value_in(one, row, i), error);
    }
    return status;
}

static void note_section(const importer *one, const cm_section *section)
{
    char text[512];
    const cm_sheet_row *heading = &one->sheet.rows[section->heading];
    const char separator[] = {'\'', one->sheet.separator, '\'', '\0'};
    if (one->options->note == NULL)
        return;
    snprintf(text, sizeof text,
             "understood: cells parted by %s, headings in line %zu, %s in column '%.100s', repetitions %s%.60s%s",
             one->sheet.separator == '\t'  ? "tabs"
             : one->sheet.separator == ' ' ? "blanks"
                                           : separator,
             heading->line, section->events_are_rows ? "events" : "kernels", cm_sheet_cell(heading, section->names),
             section->repetition != SIZE_MAX ? "in column '" : "by rows that come again",
             section->repetition != SIZE_MAX ? cm_sheet_cell(heading, section->repetition) : "",
             section->repetition != SIZE_MAX ? "'" : "");
    one->options->note(text, one->options->note_data);
}

static cm_status take_sections(importer *one, cm_error *error)
{
    cm_section *sections = NULL;
    size_t count = 0;
    cm_status status = cm_sheet_sections(&one->sheet, one->options, &sections, &count, error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        note_section(one, &sections[i]);
        for (size_t row = sections[i].heading + 1; status == CM_OK && row < sections[i].end; row++)
            status = take_row(one, &sections[i], &one->sheet.rows[row], error);
    }
    free(sections);
    return status;
}

static cm_status make_directory(const char *path, cm_error *error)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? CM_OK : cm_error_io(error, path, "cannot be made");
}

static cm_status write_tables(importer *one, cm_table_import_summary *summary, cm_error *error)
{
    char text[160];
    cm_status status = make_directory(one->options->directory, error);
    if (one->doubtful != 0 && one->options->note != NULL) {
        snprintf(
            text, sizeof text,
            "line %zu: a comma before three digits is taken for a thousands separator; with --decimal-comma it is not",
            one->doubtful);
        one->options->note(text, one->options->note_data);
    }
    for (size_t i = 0; status == CM_OK && i < one->count; i++)
        status = cm_gathered_write(&one->tables[i], one->options, summary, error);
    return status;
}

cm_status cm_import_table(const cm_table_import_options *options, cm_table_import_summary *summary, cm_error *error)
{
    importer one = {.options = options};
    cm_table_import_summary counted = {0};
    cm_status status = cm_sheet_read(options->path, options->separator, &one.sheet, error);
    if (status == CM_OK)
        status = take_sections(&one, error);
    if (status == CM_OK)
        status = write_tables(&one, &counted, error);
    if (status == CM_OK && summary != NULL)
        *summary = counted;
    for (size_t i = 0; i < one.count; i++)
        cm_gathered_clear(&one.tables[i]);
    free(one.tables);
    cm_sheet_clear(&one.sheet);
    return status;
}
