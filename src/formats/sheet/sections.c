/* The tables of a sheet, and their benchmarks. */
#include "formats/sheet/sheet.h"

/* The name in "Benchmark: branch"; a line with blanks is a title without a name. */
static const char *benchmark_named(const char *title)
{
    static const char word[] = "benchmark";
    if (strncasecmp(title, word, sizeof word - 1) == 0 && strchr(" :=", title[sizeof word - 1]) != NULL)
        title += sizeof word - 1 + strspn(title + sizeof word - 1, " :=");
    return title[strcspn(title, " \t")] == '\0' ? title : "";
}

static bool has_counts(const cm_sheet *sheet, size_t row)
{
    const cm_sheet_numbers numbers = {false};
    double value;
    bool doubtful;
    for (size_t i = 1; i < sheet->rows[row].count; i++)
        if (cm_sheet_number(&numbers, sheet->rows[row].cells[i], &value, &doubtful))
            return true;
    return false;
}

/* Whether the row is a title: one cell, above a heading. */
static bool is_title(const cm_sheet *sheet, size_t row)
{
    size_t heading = row;
    while (heading < sheet->count && sheet->rows[heading].count == 1)
        heading++;
    return heading > row && heading < sheet->count && (row == 0 || !has_counts(sheet, heading));
}

/* Whether the row is a heading: behind a blank line, it names columns or begins with the name of a benchmark. */
static cm_status is_heading(const cm_sheet *sheet, size_t row, bool *heading, cm_error *error)
{
    cm_basis *known = NULL;
    *heading =
        sheet->rows[row].line > sheet->rows[row - 1].line + 1 && sheet->rows[row].count > 1 && !has_counts(sheet, row);
    if (!*heading || cm_heading_says(&sheet->rows[row]))
        return CM_OK;
    cm_status status = cm_known_kernels(sheet->rows[row].cells[0], &known, error);
    *heading = known != NULL;
    cm_basis_free(known);
    return status;
}

/* Finds the benchmark: that of the user, of the title, or of the corner cell. */
static cm_status find_benchmark(const cm_sheet *sheet, cm_section *section, cm_error *error)
{
    if (section->benchmark[0] != '\0')
        return cm_known_kernels(section->benchmark, &section->known, error);
    const char *corner = sheet->rows[section->heading].cells[0];
    cm_status status = cm_known_kernels(corner, &section->known, error);
    if (section->known != NULL)
        section->benchmark = corner;
    return status;
}

/* Reads titles, a heading, and rows up to the next title or heading. */
static cm_status next_section(const cm_sheet *sheet, size_t at, cm_section *section, cm_error *error)
{
    cm_status status = CM_OK;
    bool heading = false;
    while (is_title(sheet, at)) {
        const char *named = benchmark_named(sheet->rows[at++].cells[0]);
        section->benchmark = named[0] != '\0' ? named : section->benchmark;
    }
    section->heading = at++;
    while (status == CM_OK && at < sheet->count && !is_title(sheet, at)) {
        status = is_heading(sheet, at, &heading, error);
        if (heading)
            break;
        at++;
    }
    section->end = at;
    return status;
}

/* Finds benchmark and columns of each section. */
static cm_status understand_sections(cm_sheet *sheet, const cm_table_import_options *options, cm_sections *sections,
                                     cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < sections->count; i++) {
        cm_section *section = &sections->list[i];
        if (options->benchmark != NULL && (sections->count == 1 || section->benchmark[0] == '\0'))
            section->benchmark = options->benchmark;
        status = find_benchmark(sheet, section, error);
        CM_THEN(status, cm_section_columns(sheet, options, section, error));
    }
    return status;
}

cm_status cm_sheet_sections(cm_sheet *sheet, const cm_table_import_options *options, cm_sections *sections,
                            cm_error *error)
{
    size_t at = 0;
    while (at < sheet->count && sheet->rows[at].line < options->kernels_row)
        at++;
    cm_status status = CM_OK;
    if (at >= sheet->count)
        return cm_error_set(error, CM_BAD_INPUT, sheet->file, 0, 0, "--kernels-row: there is no row %zu",
                            options->kernels_row);
    while (status == CM_OK && at < sheet->count) {
        cm_section section = {.benchmark = "", .decimal_comma = options->decimal_comma};
        status = next_section(sheet, at, &section, error);
        CM_THEN(status, CM_APPEND(sections->list, sections->count, section) ? CM_OK : cm_error_no_memory(error));
        at = section.end;
    }
    return status == CM_OK ? understand_sections(sheet, options, sections, error) : status;
}

void cm_sections_clear(cm_sections *sections)
{
    for (size_t i = 0; i < sections->count; i++)
        cm_basis_free(sections->list[i].known);
    free(sections->list);
}
