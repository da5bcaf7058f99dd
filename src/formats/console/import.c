/* Collects the counts of one log or several. */
#include "core/base.h"
#include "formats/console/console.h"

/* A log under way. */
typedef struct reader {
    cm_console_import *import;
    cm_console_log *log;
    cm_console_line line;
    size_t event_count; /* of the set that is counted */
    size_t events[CM_CONSOLE_WORDS];
    bool counted[CM_CONSOLE_WORDS]; /* in a set before, as counters that always count are */
    size_t benchmark, kernel;       /* that ran last; SIZE_MAX: none */
    size_t runs;                    /* of it */
    uint32_t shorter[CM_CONSOLE_WORDS];
} reader;

static cm_status refuse_line(const reader *own, const char *expected, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, own->log->path, own->line.number, 0, "expected %s", expected);
}

/* The runs of a kernel are complete when another begins. */
static cm_status check_runs(const reader *own, cm_error *error)
{
    if (own->runs == 0 || own->runs == 2 * (size_t)own->import->repetitions)
        return CM_OK;
    return refuse_line(own, "more runs of the kernel before this one", error);
}

static cm_status finish_log(reader *own, cm_error *error)
{
    if (own->event_count == 0)
        return refuse_line(own, "a set of events before this line: the program has none of the number SET", error);
    return check_runs(own, error);
}

/* Reads "begin", which must be the same in each log. */
static cm_status begin_run(reader *own, cm_error *error)
{
    cm_console_import *import = own->import;
    uint32_t turns = 0, repetitions = 0;
    if (own->line.count != 5 || strcmp(own->line.words[1], "1") != 0 ||
        !cm_console_number(own->line.words[3], &turns) || !cm_console_number(own->line.words[4], &repetitions) ||
        turns == 0 || repetitions == 0)
        return refuse_line(
            own, "'begin 1', the instruction set, turns and repetitions: another catmint may have written it", error);
    own->event_count = own->runs = 0;
    own->benchmark = SIZE_MAX;
    if (import->isa == NULL) {
        import->isa = strdup(own->line.words[2]);
        import->turns = turns;
        import->repetitions = repetitions;
        return import->isa != NULL ? CM_OK : cm_error_no_memory(error);
    }
    if (strcmp(import->isa, own->line.words[2]) == 0 && import->turns == turns && import->repetitions == repetitions)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, own->log->path, own->line.number, 0,
                        "the run is of %s with %u turns and %u repetitions, the first of %s with %u and %u",
                        own->line.words[2], (unsigned)turns, (unsigned)repetitions, import->isa,
                        (unsigned)import->turns, (unsigned)import->repetitions);
}

/* *at becomes the index of the event; *known: it was counted before. */
static cm_status find_event(cm_console_names *events, const char *name, size_t *at, bool *known, cm_error *error)
{
    *known = true;
    for (*at = 0; *at < events->count; ++*at)
        if (strcmp(events->names[*at], name) == 0)
            return CM_OK;
    *known = false;
    if (!CM_GROW_BY_ONE(events->names, events->count))
        return cm_error_no_memory(error);
    events->names[*at] = strdup(name);
    events->count += events->names[*at] != NULL;
    return events->names[*at] != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Reads the names of the events that the next lines count. */
static cm_status take_events(reader *own, cm_error *error)
{
    cm_status status = check_runs(own, error);
    own->event_count = own->line.count - 1;
    own->benchmark = SIZE_MAX;
    own->runs = 0;
    for (size_t i = 0; status == CM_OK && i < own->event_count; i++) {
        status = find_event(&own->import->events, own->line.words[i + 1], &own->events[i], &own->counted[i], error);
        for (size_t k = 0; status == CM_OK && k < i; k++)
            if (own->events[k] == own->events[i])
                status = refuse_line(own, "names of events, each once", error);
    }
    return status;
}

/* Names become files: letters, digits and "-_." alone. */
static bool is_plain(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return name[0] != '\0' && name[0] != '.' && name[strspn(name, allowed)] == '\0';
}

/* *at becomes the index of the benchmark, which is added if it is new. */
static cm_status find_benchmark(cm_console_import *import, const char *name, size_t *at, cm_error *error)
{
    for (*at = 0; *at < import->benchmark_count; ++*at)
        if (strcmp(import->benchmarks[*at].name, name) == 0)
            return CM_OK;
    if (!CM_GROW_BY_ONE(import->benchmarks, import->benchmark_count))
        return cm_error_no_memory(error);
    import->benchmarks[*at] = (cm_console_benchmark){.name = strdup(name)};
    import->benchmark_count += import->benchmarks[*at].name != NULL;
    return import->benchmarks[*at].name != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Finds the kernel by its name, or appends it. */
static cm_status find_kernel(cm_console_benchmark *benchmark, const char *name, size_t *at, cm_error *error)
{
    for (*at = 0; *at < benchmark->kernel_count; ++*at)
        if (strcmp(benchmark->kernels[*at].name, name) == 0)
            return CM_OK;
    if (!CM_GROW_BY_ONE(benchmark->kernels, benchmark->kernel_count))
        return cm_error_no_memory(error);
    benchmark->kernels[*at] = (cm_console_kernel){.name = strdup(name)};
    benchmark->kernel_count += benchmark->kernels[*at].name != NULL;
    return benchmark->kernels[*at].name != NULL ? CM_OK : cm_error_no_memory(error);
}

/* The kernel that the line is about. */
static cm_status turn_to_kernel(reader *own, cm_error *error)
{
    size_t benchmark = 0, kernel = 0;
    if (own->line.count < 3 || !is_plain(own->line.words[1]))
        return refuse_line(own, "a benchmark and a kernel", error);
    cm_status status = find_benchmark(own->import, own->line.words[1], &benchmark, error);
    CM_THEN(status, find_kernel(&own->import->benchmarks[benchmark], own->line.words[2], &kernel, error));
    if (status != CM_OK || (benchmark == own->benchmark && kernel == own->kernel))
        return status;
    status = check_runs(own, error);
    own->benchmark = benchmark;
    own->kernel = kernel;
    own->runs = 0;
    return status;
}

/* Appends the difference of the runs with 2 N and N turns. */
static cm_status add_count(reader *own, size_t event, uint32_t longer, cm_error *error)
{
    cm_console_benchmark *benchmark = &own->import->benchmarks[own->benchmark];
    if (!CM_GROW_BY_ONE(benchmark->counts, benchmark->count))
        return cm_error_no_memory(error);
    uint32_t shorter = own->shorter[event];
    own->import->shrunk += longer < shorter;
    benchmark->counts[benchmark->count++] =
        (cm_console_count){own->kernel, own->events[event], own->runs / 2, own->counted[event],
                           longer > shorter ? (double)(longer - shorter) : 0.0};
    return CM_OK;
}

/* Reads the counts of one run: with N turns, or with 2 N, which completes a repetition. */
static cm_status take_counts(reader *own, cm_error *error)
{
    cm_status status = turn_to_kernel(own, error);
    uint32_t turns = 0, value = 0, expected = own->import->turns << own->runs % 2;
    if (status != CM_OK)
        return status;
    if (own->event_count == 0 || own->line.count != 4 + own->event_count ||
        !cm_console_number(own->line.words[3], &turns))
        return refuse_line(own, "the turns, and a count of each event", error);
    if (turns != expected || own->runs == 2 * (size_t)own->import->repetitions)
        return refuse_line(own, "runs of the kernel with N and with 2 N turns, one after the other, in each repetition",
                           error);
    for (size_t i = 0; status == CM_OK && i < own->event_count; i++) {
        if (!cm_console_number(own->line.words[4 + i], &value))
            return refuse_line(own, "counts in hexadecimal digits", error);
        if (own->runs % 2 == 0)
            own->shorter[i] = value;
        else
            status = add_count(own, i, value, error);
    }
    own->runs++;
    return status;
}

/* Notes that the kernel trapped, and the cause. */
static cm_status take_trap(reader *own, cm_error *error)
{
    uint32_t cause = 0;
    cm_status status = turn_to_kernel(own, error);
    if (status != CM_OK)
        return status;
    if (own->line.count != 4 || !cm_console_number(own->line.words[3], &cause))
        return refuse_line(own, "the cause of a trap", error);
    cm_console_kernel *kernel = &own->import->benchmarks[own->benchmark].kernels[own->kernel];
    kernel->trapped = true;
    kernel->cause = cause;
    return CM_OK;
}

/* Hands a line to the reader of its first word. */
static cm_status take_line(reader *own, cm_error *error)
{
    static const struct {
        const char *word;
        cm_status (*take)(reader *own, cm_error *error);
    } kinds[] = {{"begin", begin_run},
                 {"events", take_events},
                 {"count", take_counts},
                 {"trap", take_trap},
                 {"end", finish_log}};
    for (size_t i = 0; i < CM_COUNT_OF(kinds); i++)
        if (strcmp(own->line.words[0], kinds[i].word) == 0)
            return kinds[i].take(own, error);
    return refuse_line(own, "begin, events, count, trap or end", error);
}

/* Takes all lines of a log. */
static cm_status read_log(cm_console_import *import, const char *path, cm_error *error)
{
    cm_console_log log;
    reader own = {.import = import, .log = &log, .benchmark = SIZE_MAX};
    bool found = true;
    cm_status status = cm_error_of_input(cm_console_log_open(path, &log, error), error);
    while (status == CM_OK && found) {
        status = cm_console_log_next(&log, &own.line, &found, error);
        if (status == CM_OK && found)
            status = take_line(&own, error);
    }
    free(log.text);
    return status;
}

void cm_console_import_clear(cm_console_import *import)
{
    for (size_t b = 0; b < import->benchmark_count; b++) {
        cm_console_benchmark *benchmark = &import->benchmarks[b];
        for (size_t i = 0; i < benchmark->kernel_count; i++)
            free(benchmark->kernels[i].name);
        CM_FREE(benchmark->kernels, benchmark->counts, benchmark->name);
    }
    cm_free_list(import->events.names, import->events.count);
    CM_FREE(import->benchmarks, import->isa);
}

cm_status cm_console_import_read(const cm_console_import_options *options, cm_console_import *import, cm_error *error)
{
    *import = (cm_console_import){.options = options};
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < options->log_count; i++)
        status = read_log(import, options->logs[i], error);
    return status;
}

const cm_console_benchmark *cm_console_programs(const cm_console_import *import)
{
    for (size_t i = 0; i < import->benchmark_count; i++)
        if (strcmp(import->benchmarks[i].name, CM_CONSOLE_PROGRAMS) == 0 && import->benchmarks[i].count > 0)
            return &import->benchmarks[i];
    return NULL;
}
