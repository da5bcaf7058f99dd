/* What the rows and columns of a foreign table are. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/number.h"
#include "formats/sheet/sheet.h"

/* How headings call what a column has; each list ends with NULL. */
static const char *const event_words[] = {"event",    "events",   "event name",   "event_name", "counter",
                                          "counters", "hw event", "native event", "pmu event",  NULL};
static const char *const kernel_words[] = {"kernel",         "kernels", "kernel name", "kernel_name",
                                           "microbenchmark", "loop",    "test",        NULL};
static const char *const repetition_words[] = {"repetition", "repetitions", "rep",       "run", "trial",
                                               "sample",     "repeat",      "iteration", NULL};
static const char *const thread_words[] = {"thread", "tid", "core", "cpu", NULL};
static const char *const benchmark_words[] = {"benchmark", "bench", "category", "suite", NULL};

static bool is_among(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcasecmp(text, *words) == 0)
            return true;
    return false;
}

static size_t find_words(const cm_sheet_row *heading, const char *const *words)
{
    for (size_t i = 0; i < heading->count; i++)
        if (is_among(heading->cells[i], words))
            return i;
    return SIZE_MAX;
}

/* A column that the user names, by heading or number. */
static cm_status find_asked(const cm_sheet *sheet, const cm_sheet_row *heading, const char *option, const char *asked,
                            size_t *column, cm_error *error)
{
    size_t number = 0;
    for (size_t i = 0; i < heading->count; i++)
        if (strcasecmp(heading->cells[i], asked) == 0) {
            *column = i;
            return CM_OK;
        }
    bool numbered = cm_number_parse_size(asked, &number, NULL) == CM_OK && number > 0 && number <= heading->count;
    *column = number - 1;
    return numbered ? CM_OK
                    : cm_error_set(error, CM_BAD_INPUT, sheet->file, heading->line, 0,
                                   "--%s: there is no column '%s' among %zu", option, asked, heading->count);
}

static cm_status find_columns(const cm_sheet *sheet, const cm_table_import_options *options, cm_section *section,
                              cm_error *error)
{
    const cm_sheet_row *heading = &sheet->rows[section->heading];
    size_t events = find_words(heading, event_words), kernels = find_words(heading, kernel_words);
    cm_status status = CM_OK;
    section->repetition = find_words(heading, repetition_words);
    section->thread = find_words(heading, thread_words);
    section->benchmarks = find_words(heading, benchmark_words);
    if (options->repetition_column != NULL)
        status =
            find_asked(sheet, heading, "repetition-column", options->repetition_column, &section->repetition, error);
    if (status == CM_OK && options->events_column != NULL)
        status = find_asked(sheet, heading, "events-column", options->events_column, &events, error);
    if (status == CM_OK && options->kernels_column != NULL) {
        status = find_asked(sheet, heading, "kernels-column", options->kernels_column, &kernels, error);
        events = SIZE_MAX;
    }
    section->events_are_rows = events != SIZE_MAX;
    section->names = section->events_are_rows ? events : kernels;
    if (status == CM_OK && section->names == SIZE_MAX)
        return cm_error_set(
            error, CM_BAD_INPUT, sheet->file, heading->line, 0,
            "no heading says whether rows are events or kernels: say --events-column or --kernels-column, "
            "with a heading such as '%.60s' or a number",
            heading->cells[0]);
    return status;
}

bool cm_section_counts(const cm_sheet *sheet, const cm_section *section, size_t column)
{
    (void)sheet;
    return column != section->names && column != section->repetition && column != section->thread &&
           column != section->benchmarks && cm_sheet_cell(&sheet->rows[section->heading], column)[0] != '\0';
}

/* One cell alone, with more behind it, names what comes. */
static bool is_title(const cm_sheet *sheet, size_t row)
{
    return sheet->rows[row].count == 1 && row + 1 < sheet->count && sheet->rows[row + 1].count > 1;
}

static cm_status add_section(const cm_sheet *sheet, const cm_table_import_options *options, cm_section section,
                             cm_section **sections, size_t *count, cm_error *error)
{
    cm_section *grown = cm_grow_by_one(*sections, *count, sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    *sections = grown;
    cm_status status = find_columns(sheet, options, &section, error);
    grown[(*count)++] = section;
    return status;
}

static size_t row_of_line(const cm_sheet *sheet, size_t line)
{
    size_t row = 0;
    while (row < sheet->count && sheet->rows[row].line < line)
        row++;
    return row;
}

cm_status cm_sheet_sections(const cm_sheet *sheet, const cm_table_import_options *options, cm_section **sections,
                            size_t *count, cm_error *error)
{
    size_t at = options->kernels_row > 0 ? row_of_line(sheet, options->kernels_row) : 0;
    cm_status status = CM_OK;
    *sections = NULL;
    *count = 0;
    if (at >= sheet->count)
        return cm_error_set(error, CM_BAD_INPUT, sheet->file, 0, 0, "--kernels-row: there is no row %zu",
                            options->kernels_row);
    while (status == CM_OK && at < sheet->count) {
        cm_section section = {.benchmark = options->benchmark != NULL ? options->benchmark : ""};
        if (is_title(sheet, at))
            section.benchmark = sheet->rows[at++].cells[0];
        section.heading = at++;
        while (at < sheet->count && !is_title(sheet, at))
            at++;
        section.end = at;
        status = add_section(sheet, options, section, sections, count, error);
    }
    return status;
}
