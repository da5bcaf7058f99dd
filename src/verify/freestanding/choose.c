/* The kernels that an instruction set has, and the events that are asked for. */
#include <fnmatch.h>

#include <catmint/data_path.h>

#include "verify/freestanding/freestanding.h"

static const char *const benchmarks[CM_EMITTED_BENCHMARKS] = {"cpu-flops", "branch", "mem-ops", "instructions", "core"};
enum { BENCHMARKS = CM_EMITTED_BENCHMARKS };

bool cm_emit_has(const cm_emission *emission, const char *benchmark)
{
    for (size_t i = 0; i < emission->kernel_count; i++)
        if (strcmp(emission->kernels[i]->benchmark, benchmark) == 0)
            return true;
    return false;
}

/* ---- kernels ---- */

typedef struct needs {
    const char *family;
    size_t count;
    char *(*rows)[3]; /* benchmark, patterns of kernels, words */
} needs;

/* Copies a row of the table of needs if it is for the family's kernels. */
static cm_status take_need(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    needs *list = data;
    (void)csv;
    if (strcmp(row->fields[0], list->family) != 0)
        return CM_OK;
    if (!CM_GROW_BY_ONE(list->rows, list->count))
        return cm_error_no_memory(error);
    bool copied = true;
    for (size_t i = 0; i < 3; i++) {
        list->rows[list->count][i] = strdup(row->fields[i + 1]);
        copied = copied && list->rows[list->count][i] != NULL;
    }
    list->count++;
    return copied ? CM_OK : cm_error_no_memory(error);
}

static bool is_asked_for(const cm_emit_options *options, const char *benchmark)
{
    bool listed = options->benchmark_count == 0;
    for (size_t i = 0; i < options->benchmark_count; i++)
        listed = listed || strcmp(options->benchmarks[i], benchmark) == 0;
    for (size_t i = 0; i < BENCHMARKS; i++)
        if (strcmp(benchmarks[i], benchmark) == 0)
            return listed;
    return false;
}

static bool runs_kernel(const cm_emit_isa *isa, const needs *list, const cm_kernel_facts *kernel)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->rows[i][0], kernel->benchmark) == 0 && fnmatch(list->rows[i][1], kernel->kernel, 0) == 0)
            return cm_emit_isa_has(isa, list->rows[i][2]);
    return true;
}

/* Takes the kernels in the order of the benchmarks. `empty` has nothing to count: a run less another of it is 0. */
static cm_status choose_kernels(cm_emission *emission, const needs *list, cm_error *error)
{
    const cm_fact_table *facts = emission->facts;
    if (!CM_ALLOCATE(emission->kernels, facts->kernel_count + 1))
        return cm_error_no_memory(error);
    for (size_t b = 0; b < BENCHMARKS; b++)
        for (size_t i = 0; i < facts->kernel_count; i++) {
            const cm_kernel_facts *kernel = &facts->kernels[i];
            if (strcmp(kernel->benchmark, benchmarks[b]) == 0 && is_asked_for(emission->options, kernel->benchmark) &&
                strcmp(kernel->kernel, "empty") != 0 && runs_kernel(&emission->isa, list, kernel))
                emission->kernels[emission->kernel_count++] = kernel;
        }
    return CM_OK;
}

/* Composes programs, which are kernels without chances and ranges: of these they have the empty kernel's. */
static cm_status choose_programs(cm_emission *emission, cm_error *error)
{
    const cm_emit_options *options = emission->options;
    cm_status status =
        cm_emitted_programs_create(options->isa, options->seed, options->programs, &emission->programs, error);
    if (status != CM_OK)
        return status;
    cm_emitted_programs *programs = emission->programs;
    if (!CM_ALLOCATE(emission->composed, programs->count) || !CM_ALLOCATE(emission->kernels, programs->count))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < programs->count; i++) {
        const cm_emitted_program *program = &programs->items[i];
        double *none = programs->items[0].facts;
        emission->composed[i] =
            (cm_kernel_facts){programs->benchmark, program->name, CM_KERNEL_CONTROL, program->facts, none, none};
        emission->kernels[emission->kernel_count++] = &emission->composed[i];
    }
    return CM_OK;
}

/* CM_BAD_ARGUMENT for a benchmark that cannot be emitted. */
static cm_status check_benchmarks(const cm_emission *emission, cm_error *error)
{
    const cm_emit_options *options = emission->options;
    for (size_t i = 0; i < options->benchmark_count; i++) {
        const char *name = options->benchmarks[i];
        if (!is_asked_for(options, name))
            return CM_FAIL(error, CM_BAD_ARGUMENT,
                           "%.100s cannot be emitted: expected some of cpu-flops, branch, mem-ops, instructions, core",
                           name);
        if (!cm_emit_has(emission, name))
            return CM_FAIL(error, CM_BAD_ARGUMENT, "%s has no kernel of %.100s", emission->isa.text, name);
    }
    return CM_OK;
}

/* ---- events ---- */

/* Reads a number, decimal or 0x..., of which `end` begins with `behind`. */
static bool read_number(const char *text, char **end, uint64_t *value)
{
    errno = 0;
    bool digit = *text >= '0' && *text <= '9';
    *value = strtoull(text, end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    return digit && errno == 0;
}

/* The selector's value for a code; false if it is no code. */
static bool find_value(cm_emit_selection selection, bool wide, const char *text, uint64_t *value)
{
    uint64_t bits = wide ? 64 : 32, number = 0;
    char *end = NULL;
    if (selection == CM_SELECT_INDEX)
        return read_number(text, &end, value) && *end == '\0' && (wide || *value <= UINT32_MAX);
    for (*value = 0;; text = end + 1) {
        if (!read_number(text, &end, &number) || number >= bits)
            return false;
        *value |= (uint64_t)1 << number;
        if (*end == '\0')
            return true;
        if (*end != '+' || selection != CM_SELECT_MASK)
            return false;
    }
}

static cm_status refuse_code(const cm_emission *emission, const cm_csv *csv, const cm_csv_row *row, cm_error *error)
{
    static const char *const expected[] = {[CM_SELECT_INDEX] =
                                               "the number that is written into the selector, as 17 or 0x11",
                                           [CM_SELECT_ONE_HOT] = "the number of the bit that selects the event",
                                           [CM_SELECT_MASK] = "the numbers of the bits that select the event, as 3+5"};
    return CM_CSV_FAULT(csv, row->line, error, "the code is '%.100s', expected %s%s", row->fields[0],
                        expected[emission->options->selection], emission->isa.wide ? "" : ", of a selector of 32 bits");
}

/* Adds an event that the processor counts by a code; an error for a wrong name. */
static cm_status take_event(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_emission *emission = data;
    cm_emit_event event = {.name = NULL};
    if (!find_value(emission->options->selection, emission->isa.wide, row->fields[0], &event.value))
        return refuse_code(emission, csv, row, error);
    if (row->fields[1][0] == '\0' || strpbrk(row->fields[1], " \t\"\\*") != NULL)
        return cm_error_set(
            error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0,
            "the event is called '%.100s', expected a name without blanks, quotes, stars and backslashes",
            row->fields[1]);
    for (size_t i = 0; i < emission->event_count; i++)
        if (strcmp(emission->events[i].name, row->fields[1]) == 0)
            return CM_CSV_FAULT(csv, row->line, error, "the event %.100s appears twice", row->fields[1]);
    for (size_t i = 0; i < 2 && emission->isa.fixed[i] != NULL; i++)
        if (strcmp(emission->isa.fixed[i], row->fields[1]) == 0)
            return CM_CSV_FAULT(csv, row->line, error,
                                "the event %.100s is counted beside each set of events: give this one another name",
                                row->fields[1]);
    if (!CM_GROW_BY_ONE(emission->events, emission->event_count))
        return cm_error_no_memory(error);
    event.name = strdup(row->fields[1]);
    emission->events[emission->event_count++] = event;
    return event.name != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Reads the events to count: the user's file, or that of the architecture. */
static cm_status read_events(cm_emission *emission, cm_error *error)
{
    static const char *const columns[] = {"code", "event"};
    char name[128], *path = NULL;
    snprintf(name, sizeof name, "cat-kernels/freestanding/%s/events.csv", emission->isa.family);
    cm_status status = CM_OK;
    if (emission->options->events_file == NULL)
        status = cm_data_path(name, &path, error);
    const char *file = path != NULL ? path : emission->options->events_file;
    CM_THEN(status, cm_error_of_input(cm_csv_each(file, 2, columns, take_event, emission, error), error));
    free(path);
    return status;
}

cm_status cm_emit_choose(cm_emission *emission, cm_error *error)
{
    static const char *const columns[] = {"architecture", "benchmark", "kernel", "needs"};
    needs list = {.family = emission->isa.family};
    cm_status status = cm_fact_table_load(NULL, emission->isa.architecture, &emission->facts, error);
    if (status == CM_OK && emission->options->programs > 0)
        status = choose_programs(emission, error);
    else if (status == CM_OK)
        status = cm_csv_each_data("cat-kernels/freestanding/needs.csv", 4, columns, take_need, &list, error);
    if (status == CM_OK && emission->programs == NULL)
        status = choose_kernels(emission, &list, error);
    if (status == CM_OK && emission->programs == NULL)
        status = check_benchmarks(emission, error);
    for (size_t i = 0; i < list.count; i++)
        for (size_t field = 0; field < 3; field++)
            free(list.rows[i][field]);
    free(list.rows);
    return status == CM_OK ? read_events(emission, error) : status;
}
