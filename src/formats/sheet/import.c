/* Imports foreign tables: cells become counts of events in kernels, in tables with either of them in rows. */
#include "formats/sheet/sheet.h"

typedef struct importer {
    const cm_table_import_options *options;
    cm_sheet sheet;
    cm_sections sections;
    size_t count;
    cm_gathered *tables; /* one a benchmark */
    size_t doubtful;     /* first line with an ambiguous number; 0: none */
} importer;

/* Finds the table of a benchmark, or makes it. */
static cm_status find_table(importer *one, const char *benchmark, cm_gathered **table, cm_error *error)
{
    for (size_t i = 0; i < one->count; i++) {
        *table = &one->tables[i];
        if (strcmp(one->tables[i].benchmark, benchmark) == 0)
            return CM_OK;
    }
    if (!CM_GROW_BY_ONE(one->tables, one->count))
        return cm_error_no_memory(error);
    *table = &one->tables[one->count++];
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

/* Reads a number from a column of its own; 0 without such a column. */
static cm_status number_in(const importer *one, const cm_sheet_row *row, size_t column, size_t *number, cm_error *error)
{
    *number = 0;
    if (column == SIZE_MAX || cm_number_parse_size(cm_sheet_cell(row, column), number, NULL) == CM_OK)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, row->line, 0,
                        "'%.60s' is no number of a repetition or thread", cm_sheet_cell(row, column));
}

/* The value of a cell; NaN: it is no number. */
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

typedef struct row_of_counts {
    const cm_section *section;
    const cm_sheet_row *row;
    cm_gathered *table;
    size_t repetition, thread;
} row_of_counts;

static const char *kernel_name(const cm_section *section, const char *name)
{
    const char *known = cm_known_kernel(section->known, name);
    return known != NULL ? known : name;
}

static cm_status add_count(importer *one, const row_of_counts *of, const char *event, const char *kernel, size_t column,
                           cm_error *error)
{
    size_t repetition = of->section->repetition != SIZE_MAX ? of->repetition : SIZE_MAX;
    return cm_gathered_add(of->table, event, kernel, repetition, of->thread, value_in(one, of->row, column), error);
}

/* Adds all counts of a row. */
static cm_status take_counts(importer *one, const row_of_counts *of, cm_error *error)
{
    const cm_section *section = of->section;
    const cm_sheet_row *heading = &one->sheet.rows[section->heading];
    const char *name = cm_sheet_cell(of->row, section->names);
    cm_status status = CM_OK;
    if (section->counts != SIZE_MAX)
        return add_count(one, of, name, kernel_name(section, cm_sheet_cell(of->row, section->kernels)), section->counts,
                         error);
    if (!section->events_are_rows)
        name = kernel_name(section, name);
    for (size_t i = 0; status == CM_OK && i < heading->count; i++)
        if (cm_section_counts(&one->sheet, section, i))
            status = section->events_are_rows ? add_count(one, of, name, heading->cells[i], i, error)
                                              : add_count(one, of, heading->cells[i], name, i, error);
    return status;
}

/* Reads a row, with its repetition and thread. */
static cm_status import_row(importer *one, const cm_section *section, const cm_sheet_row *row, cm_error *error)
{
    const char *benchmark = benchmark_of(one, section, row);
    row_of_counts of = {.section = section, .row = row};
    cm_status status = check_benchmark(one, row, benchmark, error);
    if (status == CM_OK && cm_sheet_cell(row, section->names)[0] == '\0')
        return CM_OK;
    CM_THEN(status, number_in(one, row, section->repetition, &of.repetition, error));
    CM_THEN(status, number_in(one, row, section->thread, &of.thread, error));
    CM_THEN(status, find_table(one, benchmark, &of.table, error));
    return status == CM_OK ? take_counts(one, &of, error) : status;
}

static void note_text(const importer *one, const char *text)
{
    if (one->options->note != NULL)
        one->options->note(text, one->options->note_data);
}

static void note_left_out(const importer *one, const cm_section *section)
{
    const cm_sheet_row *heading = &one->sheet.rows[section->heading];
    char text[256];
    for (size_t i = 0; i < heading->count; i++)
        if (section->left_out[i]) {
            snprintf(text, sizeof text, "column '%.150s' is left out: it holds no counts", heading->cells[i]);
            note_text(one, text);
        }
}

static void write_column(FILE *stream, const char *noun, const cm_sheet_row *heading, size_t column)
{
    if (column != SIZE_MAX)
        fprintf(stream, ", %s in column '%.100s'", noun, cm_sheet_cell(heading, column));
}

/* Notes how a section was understood. */
static cm_status note_section(const importer *one, const cm_section *section, cm_error *error)
{
    const cm_sheet_row *heading = &one->sheet.rows[section->heading];
    const char separator[] = {'\'', one->sheet.separator, '\'', '\0'};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    fprintf(stream, "understood: cells parted by %s, headings in line %zu",
            one->sheet.separator == '\t'  ? "tabs"
            : one->sheet.separator == ' ' ? "blanks"
                                          : separator,
            heading->line);
    write_column(stream, section->events_are_rows ? "events" : "kernels", heading, section->names);
    fprintf(stream, "%s", section->guessed ? " (by the names of its kernels)" : "");
    if (section->counts != SIZE_MAX) {
        write_column(stream, "kernels", heading, section->kernels);
        write_column(stream, "counts", heading, section->counts);
    }
    write_column(stream, "repetitions", heading, section->repetition);
    fprintf(stream, "%s", section->repetition == SIZE_MAX ? ", repetitions by rows that come again" : "");
    bool written = fclose(stream) == 0;
    if (written)
        note_text(one, text);
    free(text);
    note_left_out(one, section);
    return written ? CM_OK : cm_error_no_memory(error);
}

/* Checks, before anything is written, that there are counts. */
static cm_status check_counts(const importer *one, const cm_section *section, cm_error *error)
{
    const cm_sheet_row *heading = &one->sheet.rows[section->heading];
    for (size_t i = 0; i < heading->count; i++)
        if (section->counts != SIZE_MAX || cm_section_counts(&one->sheet, section, i))
            return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, heading->line, 0,
                        "no column holds counts, expected a column for each %s",
                        section->events_are_rows ? "kernel" : "event");
}

/* Reads all sections. */
static cm_status take_sections(importer *one, cm_error *error)
{
    cm_status status = cm_sheet_sections(&one->sheet, one->options, &one->sections, error);
    for (size_t i = 0; status == CM_OK && i < one->sections.count; i++) {
        const cm_section *section = &one->sections.list[i];
        status = note_section(one, section, error);
        CM_THEN(status, check_counts(one, section, error));
        for (size_t row = section->heading + 1; status == CM_OK && row < section->end; row++)
            status = import_row(one, section, &one->sheet.rows[row], error);
    }
    if (status == CM_OK && one->count == 0)
        status =
            cm_error_set(error, CM_BAD_INPUT, one->sheet.file, one->sheet.rows[0].line, 0,
                         "no row names %s, expected a row for each",
                         one->sections.count == 0 || one->sections.list[0].events_are_rows ? "an event" : "a kernel");
    return status;
}

/* ---- decimal signs ---- */

typedef struct decimal_signs {
    const cm_sheet_row *comma, *point, *doubtful; /* the first row that proves it */
    const char *as_in;                            /* the cell that proves it for a comma */
} decimal_signs;

/* Records which decimal sign a cell proves. */
static void hear_cell(decimal_signs *signs, const cm_sheet_row *row, const char *cell)
{
    cm_sheet_decimal says = cm_sheet_number_says(cell);
    if (says == CM_DECIMAL_COMMA && signs->comma == NULL) {
        signs->comma = row;
        signs->as_in = cell;
    }
    if (says == CM_DECIMAL_POINT && signs->point == NULL)
        signs->point = row;
    if (says == CM_DECIMAL_EITHER && strchr(cell, '.') != NULL && signs->doubtful == NULL)
        signs->doubtful = row;
}

/* Whether the numbers prove that points separate thousands. */
static bool has_decimal_comma(const importer *one)
{
    decimal_signs signs = {0};
    char text[200];
    for (size_t row = 0; row < one->sheet.count; row++)
        for (size_t i = 0; i < one->sheet.rows[row].count; i++)
            hear_cell(&signs, &one->sheet.rows[row], one->sheet.rows[row].cells[i]);
    if (signs.point != NULL)
        return false;
    if (signs.comma != NULL) {
        snprintf(text, sizeof text,
                 "line %zu: a comma is taken for a decimal sign, and points part thousands, as in '%.60s'",
                 signs.comma->line, signs.as_in);
        note_text(one, text);
    } else if (signs.doubtful != NULL) {
        snprintf(text, sizeof text,
                 "line %zu: a point before three digits is taken for a decimal sign; with --decimal-comma it parts "
                 "thousands",
                 signs.doubtful->line);
        note_text(one, text);
    }
    return signs.comma != NULL;
}

/* ---- names ---- */

/* Names the kernels as the user does, in the order of the table. */
static cm_status name_kernels(importer *one, cm_error *error)
{
    const cm_table_import_options *options = one->options;
    if (options->kernel_count == 0)
        return CM_OK;
    if (one->count != 1 || one->tables[0].kernels.count != options->kernel_count)
        return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, 0, 0, "--kernels: %zu %s, but %s %zu",
                            options->kernel_count, cm_plural(options->kernel_count, "name", "names"),
                            one->count == 1 ? "the table's kernels are"
                                            : "they name the kernels of one table; here are",
                            one->count == 1 ? one->tables[0].kernels.count : one->count);
    for (size_t i = 0; i < options->kernel_count; i++)
        one->tables[0].kernels.names[i] = options->kernels[i];
    return CM_OK;
}

/* Notes that a table of a known benchmark has other kernels, whose names may only be spelled differently. */
static cm_status look_for_kernels(const importer *one, const cm_gathered *table, cm_error *error)
{
    cm_basis *known = NULL;
    char text[320];
    size_t found = 0;
    cm_status status = cm_analysed_kernels(table->benchmark, table->kernels.count, table->kernels.names, &known, error);
    if (known == NULL)
        return status;
    for (size_t i = 0; i < table->kernels.count; i++)
        found += cm_known_kernel(known, table->kernels.names[i]) != NULL;
    if (found == 0 && table->kernels.count > 0) {
        snprintf(text, sizeof text,
                 "none of the kernels ('%.40s' ...) is one of catmint's %.40s ('%.40s' ...): if they are only called "
                 "otherwise, say --kernels LIST with their names in the order of the table",
                 table->kernels.names[0], table->benchmark, known->kernels[0]);
        note_text(one, text);
    }
    cm_basis_free(known);
    return CM_OK;
}

/* Writes all tables. */
static cm_status write_tables(importer *one, cm_table_import_summary *summary, cm_error *error)
{
    char text[160];
    size_t counts = 0;
    cm_status status = CM_OK;
    if (one->doubtful != 0) {
        snprintf(
            text, sizeof text,
            "line %zu: a comma before three digits is taken for a thousands separator; with --decimal-comma it is not",
            one->doubtful);
        note_text(one, text);
    }
    for (size_t i = 0; i < one->count; i++)
        counts += one->tables[i].count;
    if (counts == 0)
        return cm_error_set(error, CM_BAD_INPUT, one->sheet.file, 0, 0, "no counts of events here");
    for (size_t i = 0; status == CM_OK && i < one->count; i++)
        status = look_for_kernels(one, &one->tables[i], error);
    return status == CM_OK ? cm_gathered_save(one->tables, one->count, one->options, summary, error) : status;
}

cm_status cm_import_table(const cm_table_import_options *options, cm_table_import_summary *summary, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_table_import_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_table_import_options heeded = *options;
    importer one = {.options = &heeded};
    cm_table_import_summary counted = {0};
    cm_status status = cm_sheet_read(options->path, options->separator, &one.sheet, error);
    if (status == CM_OK && !heeded.decimal_comma)
        heeded.decimal_comma = has_decimal_comma(&one);
    CM_THEN(status, take_sections(&one, error));
    CM_THEN(status, name_kernels(&one, error));
    CM_THEN(status, write_tables(&one, &counted, error));
    if (status == CM_OK && summary != NULL)
        *summary = counted;
    for (size_t i = 0; i < one.count; i++)
        cm_gathered_clear(&one.tables[i]);
    free(one.tables);
    cm_sections_clear(&one.sections);
    cm_sheet_clear(&one.sheet);
    return status;
}
