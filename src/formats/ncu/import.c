/* Imports the CSV of ncu and rocprofv3: each launch of a kernel is a repetition, and each metric that is a count an
 * event. */
#include "cat-kernels/gpu/gpu.h"
#include "formats/ncu/ncu.h"

enum { LONGEST_EVENT = 1024 };

typedef struct file {
    cm_sheet sheet;
    cm_ncu_columns columns;
    bool decimal_comma;
} file;

typedef struct importer {
    const cm_ncu_import_options *options;
    cm_table_import_options table; /* options for writing */
    file *files;
    size_t file_count, at; /* the file that is read */
    cm_gpu_family family;
    cm_gathered gathered;
    double *threads;     /* threads of a launch, one a kernel of cm_gpu_kernel_table; 0: unknown */
    bool *launched;      /* one a kernel of it */
    cm_name_index *seen; /* metrics of launches, because several pages of a report may list the same one */
    bool several_devices;
    cm_ncu_names kernels, metrics, doubled, units, texts;
} importer;

static file *this_file(const importer *one)
{
    return &one->files[one->at];
}

/* ---- kernels ---- */

/* Whether a name, without parameters, is this one: profilers write '_' for all but letters and digits. */
static bool is_named(const char *wanted, const char *name)
{
    for (; *wanted != '\0' && *name != '\0'; wanted++, name++)
        if (*wanted != *name && (isalnum((unsigned char)*wanted) || *name != '_'))
            return false;
    return *wanted == '\0' && (*name == '\0' || *name == '(');
}

/* The kernel of the benchmark with this name in code, with or without "catmint_"; SIZE_MAX: there is none. */
static size_t find_kernel(const importer *one, const char *name)
{
    static const char prefix[] = "catmint_";
    char entry[CM_GPU_ENTRY_SIZE];
    for (size_t i = 0; i < cm_gpu_kernel_table_size; i++) {
        if (cm_gpu_kernel_table[i].family != one->family)
            continue;
        cm_gpu_entry(&cm_gpu_kernel_table[i], entry, sizeof entry);
        if (is_named(entry, name) || is_named(entry + strlen(prefix), name))
            return i;
    }
    return SIZE_MAX;
}

/* Records a launch; all launches of a kernel must have as many threads. */
static cm_status take_launch(importer *one, const cm_sheet_row *row, size_t kernel, cm_error *error)
{
    double threads = cm_ncu_threads(&this_file(one)->columns, row);
    if (one->launched[kernel] && one->threads[kernel] != threads)
        return cm_error_set(error, CM_BAD_INPUT, this_file(one)->sheet.file, row->line, 0,
                            "kernel '%s' was launched with %.0f %s, before with %.0f: expected as many each time",
                            cm_gpu_kernel_table[kernel].name, threads, cm_plural((size_t)threads, "thread", "threads"),
                            one->threads[kernel]);
    one->launched[kernel] = true;
    one->threads[kernel] = threads;
    return CM_OK;
}

/* ---- counts ---- */

/* Reads a number; NaN for "n/a"; for a metric with instances, "1,024 (512; 512)", the number before them. */
static double number_of(const importer *one, const char *cell, const char *unit)
{
    const cm_sheet_numbers numbers = {this_file(one)->decimal_comma};
    char plain[LONGEST_EVENT];
    double value = NAN;
    bool doubtful = false;
    const char *instances = strstr(cell, " (");
    size_t length = instances != NULL ? (size_t)(instances - cell) : strlen(cell);
    if (length >= sizeof plain)
        return NAN;
    memcpy(plain, cell, length);
    plain[length] = '\0';
    return cm_sheet_number(&numbers, plain, &value, &doubtful) ? value * cm_ncu_scale(unit) : NAN;
}

/* Whether a metric, or a metric and its value, was read of that launch before. */
static cm_status is_again(importer *one, const cm_sheet_row *row, const char *name, bool *again, cm_error *error)
{
    char *key = NULL;
    size_t at = 0;
    if (asprintf(&key, "%zu %s %s %s", one->at, cm_sheet_cell(row, this_file(one)->columns.process),
                 cm_sheet_cell(row, this_file(one)->columns.launch), name) < 0)
        return cm_error_no_memory(error);
    *again = cm_name_index_find(one->seen, key, &at);
    const char *kept = *again ? key : cm_arena_text(&this_file(one)->sheet.arena, key);
    cm_status status = kept == NULL ? cm_error_no_memory(error) : CM_OK;
    if (status == CM_OK && !*again)
        status = cm_name_index_add(one->seen, kept, 0, error);
    free(key);
    return status;
}

/* Remembers a metric's value; an event that was read before with another one is doubled. */
static cm_status note_value(importer *one, const cm_sheet_row *row, const char *event, double value, bool again,
                            cm_error *error)
{
    char *valued = NULL;
    bool same = false;
    if (asprintf(&valued, "%s %.17g", event, value) < 0)
        return cm_error_no_memory(error);
    cm_status status = is_again(one, row, valued, &same, error);
    if (status == CM_OK && again && !same)
        status = cm_ncu_names_add(&one->doubled, event, error);
    free(valued);
    return status;
}

/* Adds the count of a metric; metrics that are no counts are left out. */
static cm_status take_metric(importer *one, const cm_sheet_row *row, size_t kernel, const char *metric,
                             const char *unit, const char *cell, cm_error *error)
{
    char name[LONGEST_EVENT];
    bool again = false;
    const char *device = one->several_devices ? cm_sheet_cell(row, this_file(one)->columns.device) : "";
    if (!(this_file(one)->columns.of_rocprofv3 ? cm_rocprofv3_event : cm_ncu_event)(metric, device, name,
                                                                                    sizeof name) ||
        strpbrk(unit, "%/") != NULL || strcasestr(unit, "hz") != NULL) /* a rate, or a share */
        return cm_ncu_names_add(&one->metrics, metric, error);
    const double value = number_of(one, cell, unit);
    cm_status status = is_again(one, row, name, &again, error);
    if (status == CM_OK && !cm_ncu_is_known_unit(unit))
        status = cm_ncu_names_add(&one->units, unit, error);
    CM_THEN(status, note_value(one, row, name, value, again, error));
    if (status != CM_OK || again)
        return status;
    const char *event = cm_arena_text(&this_file(one)->sheet.arena, name);
    return event != NULL
               ? cm_gathered_add(&one->gathered, event, cm_gpu_kernel_table[kernel].name, SIZE_MAX, 0, value, error)
               : cm_error_no_memory(error);
}

static bool is_metric(const importer *one, size_t column)
{
    if (this_file(one)->columns.metric != SIZE_MAX)
        return column == this_file(one)->columns.value;
    return strstr(cm_sheet_cell(&this_file(one)->sheet.rows[this_file(one)->columns.heading], column), "__") != NULL;
}

/* Reads a row of metrics: those of the columns behind the launch's own; their units are below the headings. */
static cm_status take_wide(importer *one, const cm_sheet_row *row, size_t kernel, cm_error *error)
{
    const cm_sheet_row *heading = &this_file(one)->sheet.rows[this_file(one)->columns.heading], *units = heading + 1;
    bool has_units = !cm_ncu_is_launch(&this_file(one)->columns, units);
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < heading->count; i++)
        if (is_metric(one, i))
            status = take_metric(one, row, kernel, heading->cells[i], has_units ? cm_sheet_cell(units, i) : "",
                                 cm_sheet_cell(row, i), error);
    return status;
}

/* Reads a row of a launch. */
static cm_status take_row(importer *one, const cm_sheet_row *row, cm_error *error)
{
    const cm_ncu_columns *columns = &this_file(one)->columns;
    if (cm_ncu_check_launch(&this_file(one)->sheet, columns, row, error) != CM_OK)
        return CM_BAD_INPUT;
    const char *name = cm_sheet_cell(row, columns->kernel);
    size_t kernel = find_kernel(one, name);
    if (kernel == SIZE_MAX)
        return cm_ncu_names_add(&one->kernels, name, error);
    cm_status status = take_launch(one, row, kernel, error);
    if (status != CM_OK || columns->metric == SIZE_MAX)
        return status == CM_OK ? take_wide(one, row, kernel, error) : status;
    const char *metric = cm_sheet_cell(row, columns->metric);
    return metric[0] == '\0' ? CM_OK /* advice of a rule */
                             : take_metric(one, row, kernel, metric, cm_sheet_cell(row, columns->unit),
                                           cm_sheet_cell(row, columns->value), error);
}

/* ---- the whole file ---- */

/* Finds the format of numbers in a file, and whether launches ran on several devices. */
static void look_at_cells(importer *one, const char **device)
{
    file *of = this_file(one);
    bool comma = false, point = false;
    for (size_t i = of->columns.heading + 1; i < of->sheet.count; i++) {
        const cm_sheet_row *row = &of->sheet.rows[i];
        const char *here = cm_sheet_cell(row, of->columns.device);
        if (!cm_ncu_is_launch(&of->columns, row))
            continue;
        one->several_devices = one->several_devices || (*device != NULL && strcmp(*device, here) != 0);
        *device = here;
        for (size_t k = 0; k < row->count; k++) {
            cm_sheet_decimal says = is_metric(one, k) ? cm_sheet_number_says(row->cells[k]) : CM_DECIMAL_UNSAID;
            comma = comma || says == CM_DECIMAL_COMMA;
            point = point || says == CM_DECIMAL_POINT;
        }
    }
    of->decimal_comma = comma && !point;
}

/* Reads a file, and looks at it. */
static cm_status read_file(importer *one, const char *path, const char **device, cm_error *error)
{
    file *of = this_file(one);
    cm_status status = cm_sheet_read(path, ',', &of->sheet, error);
    CM_THEN(status, cm_ncu_find_columns(&of->sheet, &of->columns, error));
    if (status == CM_OK)
        look_at_cells(one, device);
    return status;
}

/* Reads all files, before any count is taken: events have their device in their names if any file has several. */
static cm_status read_files(importer *one, cm_error *error)
{
    const cm_ncu_import_options *options = one->options;
    const char *device = NULL;
    cm_status status = CM_OK;
    if (!CM_ALLOCATE(one->files, options->more_count + 1))
        return cm_error_no_memory(error);
    for (one->at = 0; status == CM_OK && one->at <= options->more_count; one->at++) {
        one->file_count++;
        status = read_file(one, one->at == 0 ? options->path : options->more[one->at - 1], &device, error);
    }
    one->at = 0;
    return status;
}

/* Skips a row that is no launch: the headings or units again, or a profiler's message; another text is noted, and other
 * headings are refused, since counts below them would be of other columns. */
static cm_status skip_row(importer *one, const cm_sheet_row *row, cm_error *error)
{
    const file *of = this_file(one);
    const cm_sheet_row *heading = &of->sheet.rows[of->columns.heading], *units = heading + 1;
    const bool has_units = !cm_ncu_is_launch(&of->columns, units) && units->count == heading->count;
    const char *slash = strrchr(of->sheet.file, '/');
    char place[LONGEST_EVENT];
    if (row->count == 0 || strncmp(row->cells[0], "==PROF==", strlen("==PROF==")) == 0 ||
        cm_ncu_is_same_row(row, heading) || (has_units && (row == units || cm_ncu_is_same_row(row, units))))
        return CM_OK;
    if (strcmp(cm_sheet_cell(row, of->columns.kernel), cm_sheet_cell(heading, of->columns.kernel)) == 0)
        return cm_error_set(error, CM_BAD_INPUT, of->sheet.file, row->line, 0,
                            "other headings than in line %zu: expected each table in a file of its own", heading->line);
    snprintf(place, sizeof place, "%.60s:%zu: '%.30s'", slash != NULL ? slash + 1 : of->sheet.file, row->line,
             row->cells[0]);
    return cm_ncu_names_add(&one->texts, place, error);
}

/* Takes all rows of launches. */
static cm_status take_rows(importer *one, cm_error *error)
{
    cm_status status = CM_OK;
    for (one->at = 0; one->at < one->file_count; one->at++) {
        const file *of = this_file(one);
        for (size_t i = of->columns.heading + 1; status == CM_OK && i < of->sheet.count; i++)
            status = (cm_ncu_is_launch(&of->columns, &of->sheet.rows[i]) ? take_row : skip_row)(one, &of->sheet.rows[i],
                                                                                                error);
        if (status != CM_OK)
            return status;
    }
    one->at = 0;
    if (one->gathered.events.count == 0)
        return cm_error_set(error, CM_BAD_INPUT, this_file(one)->sheet.file,
                            this_file(one)->sheet.rows[this_file(one)->columns.heading].line, 0,
                            one->gathered.kernels.count == 0 && one->metrics.count == 0
                                ? "no launch is of a kernel of %s, as 'catmint kernels' lists them"
                                : "no metric of %s's kernels is a count, expected names as in "
                                  "sm__inst_executed.sum, which 'ncu --csv --page raw' writes",
                            one->gathered.benchmark);
    return CM_OK;
}

/* Counts are divided by the iterations of all threads of a launch. */
static cm_status add_divisors(importer *one, cm_error *error)
{
    double iterations = one->options->iterations > 0 ? (double)one->options->iterations : 1.0;
    bool known = true;
    char text[200];
    cm_status status = CM_OK;
    for (size_t i = 0; i < cm_gpu_kernel_table_size; i++)
        known = known && (!one->launched[i] || one->threads[i] > 0.0);
    for (size_t i = 0; status == CM_OK && i < cm_gpu_kernel_table_size; i++)
        if (one->launched[i] && (known || one->options->iterations > 0))
            status = cm_gathered_add(&one->gathered, "iterations", cm_gpu_kernel_table[i].name, 1, 0,
                                     iterations * (known ? one->threads[i] : 1.0), error);
    snprintf(text, sizeof text, "counts are divided by %s%s%s",
             known ? one->files[0].columns.of_rocprofv3 ? "the wavefronts of each launch" : "the threads of each launch"
                   : "",
             known && one->options->iterations > 0 ? " and " : "",
             one->options->iterations > 0 ? "the iterations that were given"
             : known                      ? "; --iterations N divides by the iterations of their loops, too"
                                          : "nothing: the file has neither grid nor block sizes; see --iterations");
    if (one->options->note != NULL)
        one->options->note(text, one->options->note_data);
    return status;
}

/* Finds the benchmark and reads the files. */
static cm_status prepare_import(importer *one, cm_error *error)
{
    const size_t family = CM_FIND(one->gathered.benchmark, cm_gpu_benchmarks, CM_GPU_FAMILIES);
    if (family == CM_GPU_FAMILIES)
        return cm_refuse_benchmark(one->gathered.benchmark, cm_gpu_benchmarks, CM_GPU_FAMILIES, error);
    one->family = (cm_gpu_family)family;
    cm_status status = read_files(one, error);
    CM_THEN(status, cm_name_index_create(&one->seen, error));
    if (status != CM_OK)
        return status;
    one->threads = calloc(cm_gpu_kernel_table_size, sizeof *one->threads);
    one->launched = calloc(cm_gpu_kernel_table_size, sizeof *one->launched);
    return one->threads != NULL && one->launched != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Frees everything. */
static void clear_import(importer *one)
{
    cm_ncu_names_clear(&one->kernels);
    cm_ncu_names_clear(&one->metrics);
    cm_ncu_names_clear(&one->doubled);
    cm_ncu_names_clear(&one->units);
    cm_ncu_names_clear(&one->texts);
    cm_name_index_free(one->seen);
    cm_gathered_clear(&one->gathered);
    for (size_t i = 0; i < one->file_count; i++)
        cm_sheet_clear(&one->files[i].sheet);
    CM_FREE(one->files, one->threads, one->launched);
}

cm_status cm_import_ncu(const cm_ncu_import_options *options, cm_table_import_summary *summary, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_ncu_import_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    importer one = {.options = options,
                    .table = {.path = options->path,
                              .directory = options->directory,
                              .note = options->note,
                              .note_data = options->note_data},
                    .gathered = {.benchmark = options->benchmark != NULL ? options->benchmark : "gpu-flops"}};
    cm_table_import_summary counted = {0};
    cm_status status = prepare_import(&one, error);
    CM_THEN(status, take_rows(&one, error));
    CM_THEN(status, add_divisors(&one, error));
    CM_THEN(status, cm_ncu_names_note(options, &one.kernels, "kernel is none of this benchmark's and is left out",
                                      "kernels are none of this benchmark's and are left out", error));
    CM_THEN(status,
            cm_ncu_names_note(options, &one.metrics, "metric is a rate or a property, no count, and is left out",
                              "metrics are rates or properties, no counts, and are left out", error));
    CM_THEN(status,
            cm_ncu_names_note(options, &one.doubled, "event stands there twice with other values, the first is taken",
                              "events stand there twice with other values, the first is taken", error));
    CM_THEN(status, cm_ncu_names_note(options, &one.units, "unit is unknown, its numbers are taken as counts",
                                      "units are unknown, their numbers are taken as counts", error));
    CM_THEN(status, cm_ncu_names_note(options, &one.texts, "row is no launch and is left out",
                                      "rows are no launches and are left out", error));
    CM_THEN(status, cm_gathered_save(&one.gathered, 1, &one.table, &counted, error));
    if (status == CM_OK && summary != NULL)
        *summary = counted;
    clear_import(&one);
    return status;
}
