/* Finds the meaning of a foreign table's columns. */
#include "formats/sheet/sheet.h"

/* Headings of columns; each list ends with NULL. */
static const char *const event_words[] = {"event",    "events",   "event name",   "event_name", "counter",
                                          "counters", "hw event", "native event", "pmu event",  NULL};
static const char *const kernel_words[] = {"kernel",         "kernels", "kernel name", "kernel_name",
                                           "microbenchmark", "loop",    "test",        NULL};
static const char *const count_words[] = {"count", "counts", "value", "values", "reading", "readings", NULL};
static const char *const repetition_words[] = {"repetition", "repetitions", "rep",       "run", "trial",
                                               "sample",     "repeat",      "iteration", NULL};
static const char *const thread_words[] = {"thread", "tid", "core", "cpu", NULL};
static const char *const benchmark_words[] = {"benchmark", "bench", "category", "suite", NULL};
/* Statistics of counts, which are no kernels. */
static const char *const statistic_words[] = {"mean",  "average", "avg",       "median",   "stddev",
                                              "stdev", "std",     "std. dev.", "variance", NULL};

static size_t find_words(const cm_sheet_row *heading, const char *const *words)
{
    for (size_t i = 0; i < heading->count; i++)
        if (cm_text_is_one_of(heading->cells[i], words))
            return i;
    return SIZE_MAX;
}

bool cm_heading_says(const cm_sheet_row *heading)
{
    return find_words(heading, event_words) != SIZE_MAX || find_words(heading, kernel_words) != SIZE_MAX;
}

/* Finds the column that the user names, by heading or number; without a name *column stays. */
static cm_status find_asked(const cm_sheet *sheet, const cm_sheet_row *heading, const char *option, const char *asked,
                            size_t *column, cm_error *error)
{
    size_t number = 0;
    if (asked == NULL)
        return CM_OK;
    cm_near near = {.wanted = asked};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < heading->count; i++) {
        cm_near_offer(&near, heading->cells[i]);
        if (strcasecmp(heading->cells[i], asked) == 0) {
            *column = i;
            return CM_OK;
        }
    }
    bool numbered = cm_number_parse_size(asked, &number, NULL) == CM_OK && number > 0 && number <= heading->count;
    *column = number - 1;
    return numbered ? CM_OK
                    : cm_error_set(error, CM_BAD_INPUT, sheet->file, heading->line, 0,
                                   "--%s: there is no column '%s' among %zu%s", option, asked, heading->count,
                                   cm_near_text(&near, offered));
}

static bool is_number(const cm_sheet *sheet, const cm_section *section, size_t row, size_t column)
{
    double value;
    bool doubtful;
    const cm_sheet_numbers numbers = {section->decimal_comma};
    return cm_sheet_number(&numbers, cm_sheet_cell(&sheet->rows[row], column), &value, &doubtful);
}

/* ---- orientation ---- */

/* The first column with text below its heading. */
static size_t text_column(const cm_sheet *sheet, const cm_section *section)
{
    for (size_t i = 0; section->heading + 1 < section->end && i < sheet->rows[section->heading].count; i++)
        if (!is_number(sheet, section, section->heading + 1, i))
            return i;
    return SIZE_MAX;
}

static size_t known_in_heading(const cm_sheet *sheet, const cm_section *section)
{
    const cm_sheet_row *heading = &sheet->rows[section->heading];
    size_t count = 0;
    for (size_t i = 0; i < heading->count; i++)
        count += cm_known_kernel(section->known, heading->cells[i]) != NULL;
    return count;
}

/* If headings do not tell whether rows are events or kernels, known names of kernels do. */
static void guess_orientation(const cm_sheet *sheet, cm_section *section)
{
    size_t names = section->kernels != SIZE_MAX ? section->kernels : text_column(sheet, section);
    if (section->known == NULL || names == SIZE_MAX)
        return;
    size_t across = known_in_heading(sheet, section), down = 0;
    for (size_t row = section->heading + 1; row < section->end; row++)
        down += cm_known_kernel(section->known, cm_sheet_cell(&sheet->rows[row], names)) != NULL;
    section->guessed = across > 1 || (down > 1 && section->kernels == SIZE_MAX);
    if (across > down && across > 1) {
        section->events = names;
        section->kernels = SIZE_MAX;
    } else if (down > 1) {
        section->kernels = names;
    }
}

static cm_status refuse_heading(const cm_sheet *sheet, const cm_sheet_row *heading, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, sheet->file, heading->line, 0,
                        "no heading says whether rows are events or kernels: say --events-column or --kernels-column, "
                        "with %s%.60s%s a number from 1 on (in cells parted by '%c': --separator says another)",
                        heading->cells[0][0] != '\0' ? "a heading such as '" : "", heading->cells[0],
                        heading->cells[0][0] != '\0' ? "' or" : "", sheet->separator);
}

/* ---- rows of one count: event, kernel, count ---- */

static bool is_special(const cm_section *section, size_t column)
{
    return column == section->events || column == section->kernels || column == section->repetition ||
           column == section->thread || column == section->benchmarks;
}

/* Finds the column of counts: that of the user or of the heading, else the only one left. */
static cm_status find_counts(const cm_sheet *sheet, const cm_table_import_options *options, cm_section *section,
                             cm_error *error)
{
    const cm_sheet_row *heading = &sheet->rows[section->heading];
    size_t left = 0, column = SIZE_MAX;
    section->counts = find_words(heading, count_words);
    if (options->counts_column != NULL)
        return find_asked(sheet, heading, "counts-column", options->counts_column, &section->counts, error);
    for (size_t i = 0; i < heading->count; i++)
        if (!is_special(section, i) && section->heading + 1 < section->end &&
            is_number(sheet, section, section->heading + 1, i)) {
            column = i;
            left++;
        }
    if (section->counts == SIZE_MAX && left == 1)
        section->counts = column;
    return section->counts != SIZE_MAX
               ? CM_OK
               : cm_error_set(
                     error, CM_BAD_INPUT, sheet->file, heading->line, 0,
                     "each row has an event and a kernel, but which column counts? Say --counts-column, with a "
                     "heading or a number from 1 on");
}

/* Whether each row is one count: there are columns of events and of kernels, and neither is a kernel that is called
 * "test" or the like. */
static bool is_long(const cm_sheet *sheet, const cm_table_import_options *options, const cm_section *section)
{
    if (section->events == SIZE_MAX || section->kernels == SIZE_MAX)
        return false;
    if (options->counts_column != NULL || (options->events_column != NULL && options->kernels_column != NULL))
        return true;
    size_t first = section->heading + 1;
    return first < section->end && !is_number(sheet, section, first, section->events) &&
           !is_number(sheet, section, first, section->kernels);
}

/* ---- columns without counts ---- */

static bool has_number(const cm_sheet *sheet, const cm_section *section, size_t column)
{
    for (size_t row = section->heading + 1; row < section->end; row++)
        if (is_number(sheet, section, row, column))
            return true;
    return false;
}

/* Marks columns without counts: statistics, and those without numbers. */
static cm_status leave_out(cm_sheet *sheet, cm_section *section, cm_error *error)
{
    const cm_sheet_row *heading = &sheet->rows[section->heading];
    section->left_out = cm_arena_allocate(&sheet->arena, (heading->count + 1) * sizeof *section->left_out);
    if (section->left_out == NULL)
        return cm_error_no_memory(error);
    memset(section->left_out, 0, (heading->count + 1) * sizeof *section->left_out);
    for (size_t i = 0; i < heading->count; i++) {
        bool statistic = cm_text_is_one_of(heading->cells[i], statistic_words) &&
                         cm_known_kernel(section->known, heading->cells[i]) == NULL;
        section->left_out[i] = cm_section_counts(sheet, section, i) &&
                               (statistic || (section->heading + 1 < section->end && !has_number(sheet, section, i)));
    }
    return CM_OK;
}

bool cm_section_counts(const cm_sheet *sheet, const cm_section *section, size_t column)
{
    if (section->counts != SIZE_MAX)
        return column == section->counts;
    return column != section->names && column != section->repetition && column != section->thread &&
           column != section->benchmarks && cm_sheet_cell(&sheet->rows[section->heading], column)[0] != '\0' &&
           (section->left_out == NULL || !section->left_out[column]);
}

/* Replaces headings by catmint's names of these kernels. */
static void name_kernel_headings(const cm_sheet *sheet, const cm_section *section)
{
    const cm_sheet_row *heading = &sheet->rows[section->heading];
    for (size_t i = 0; section->events_are_rows && section->counts == SIZE_MAX && i < heading->count; i++) {
        const char *known =
            cm_section_counts(sheet, section, i) ? cm_known_kernel(section->known, heading->cells[i]) : NULL;
        heading->cells[i] = known != NULL ? known : heading->cells[i];
    }
}

cm_status cm_section_columns(cm_sheet *sheet, const cm_table_import_options *options, cm_section *section,
                             cm_error *error)
{
    const cm_sheet_row *heading = &sheet->rows[section->heading];
    section->events = find_words(heading, event_words);
    section->kernels = find_words(heading, kernel_words);
    section->repetition = find_words(heading, repetition_words);
    section->thread = find_words(heading, thread_words);
    section->benchmarks = find_words(heading, benchmark_words);
    section->counts = SIZE_MAX;
    cm_status status =
        find_asked(sheet, heading, "repetition-column", options->repetition_column, &section->repetition, error);
    CM_THEN(status, find_asked(sheet, heading, "events-column", options->events_column, &section->events, error));
    CM_THEN(status, find_asked(sheet, heading, "kernels-column", options->kernels_column, &section->kernels, error));
    if (status == CM_OK && section->events == SIZE_MAX && options->kernels_column == NULL)
        guess_orientation(sheet, section);
    if (status == CM_OK && section->events == SIZE_MAX && section->kernels == SIZE_MAX)
        return refuse_heading(sheet, heading, error);
    if (status == CM_OK && is_long(sheet, options, section))
        status = find_counts(sheet, options, section, error);
    bool only_kernels = options->kernels_column != NULL && options->events_column == NULL;
    section->events_are_rows = section->events != SIZE_MAX && !(only_kernels && section->counts == SIZE_MAX);
    section->names = section->events_are_rows ? section->events : section->kernels;
    CM_THEN(status, leave_out(sheet, section, error));
    if (status == CM_OK)
        name_kernel_headings(sheet, section);
    return status;
}
