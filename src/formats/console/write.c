/* The directory of an import from consoles: tables, events.csv and the manifest. */
#include <catmint/version.h>

#include "core/json.h"
#include "formats/console/console.h"
#include "tables/tables.h"

/* A benchmark's counts as a block: kernels that ran, by events, by repetitions; NaN if nothing was counted. */
typedef struct filled_block {
    const cm_console_benchmark *benchmark;
    char *file;
    size_t kernel_count;
    const char **kernels;
    size_t *places; /* of each kernel of the benchmark, SIZE_MAX: it trapped */
    double *values;
} filled_block;

typedef struct writing {
    const cm_console_import *import;
    const char *directory;
    json_t *validation; /* of programs; NULL: the other benchmarks are written */
    cm_console_import_summary *summary;
    size_t count; /* of blocks with kernels */
    filled_block *blocks;
    bool *used;    /* of each event: in some table */
    bool *varies;  /* repetitions differ, or sets in which it was counted */
    bool *repeats; /* it was counted more than once */
    bool *reaches; /* every kernel counts it */
    cm_directory *opened;
} writing;

static void note_line(const writing *work, const char *format, ...) CM_PRINTF(2, 3);
static void note_line(const writing *work, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    if (work->import->options->note != NULL)
        work->import->options->note(text, work->import->options->note_data);
}

/* ---- counts ---- */

static double *value_at(const writing *work, const filled_block *block, size_t event, size_t repetition)
{
    return block->values + (event * work->import->repetitions + repetition) * block->kernel_count;
}

/* Writes a count to its place; a count of an earlier set is compared. */
static void write_count(writing *work, const filled_block *block, const cm_console_count *count)
{
    size_t place = block->places[count->kernel];
    if (place == SIZE_MAX)
        return;
    double *value = &value_at(work, block, count->event, count->repetition)[place];
    bool there = count->again && !isnan(*value);
    work->varies[count->event] |= there && *value != count->value;
    work->repeats[count->event] |= there;
    *value = there ? *value : count->value;
}

/* Puts the counts of a benchmark in their places. */
static cm_status fill_block(writing *work, const cm_console_benchmark *benchmark, cm_error *error)
{
    filled_block *made = &work->blocks[work->count];
    size_t events = work->import->events.count, repetitions = work->import->repetitions;
    *made = (filled_block){.benchmark = benchmark,
                           .kernels = calloc(benchmark->kernel_count + 1, sizeof *made->kernels),
                           .places = calloc(benchmark->kernel_count + 1, sizeof *made->places)};
    if (made->kernels == NULL || made->places == NULL || asprintf(&made->file, "%s.csv", benchmark->name) < 0) {
        work->count++; /* to be freed */
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < benchmark->kernel_count; i++) {
        made->places[i] = benchmark->kernels[i].trapped ? SIZE_MAX : made->kernel_count;
        if (!benchmark->kernels[i].trapped)
            made->kernels[made->kernel_count++] = benchmark->kernels[i].name;
    }
    size_t size = made->kernel_count * events * repetitions;
    made->values = malloc((size + 1) * sizeof *made->values);
    work->count++;
    if (made->values == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < size; i++)
        made->values[i] = NAN;
    for (size_t i = 0; i < benchmark->count; i++)
        write_count(work, made, &benchmark->counts[i]);
    return CM_OK;
}

/* Whether the event was counted on all kernels of the benchmark, in each repetition; *any: on some. */
static bool is_whole(const writing *work, const filled_block *block, size_t event, bool *any)
{
    bool whole = true;
    *any = false;
    for (size_t r = 0; r < work->import->repetitions; r++)
        for (size_t k = 0; k < block->kernel_count; k++) {
            bool counted = !isnan(value_at(work, block, event, r)[k]);
            whole = whole && counted;
            *any = *any || counted;
        }
    return whole && *any;
}

/* Finds out how the counts of an event are. */
static void look_at(writing *work, const filled_block *block, size_t event)
{
    work->used[event] = true;
    for (size_t r = 0; r < work->import->repetitions; r++)
        for (size_t k = 0; k < block->kernel_count; k++) {
            double value = value_at(work, block, event, r)[k];
            work->varies[event] |= value != value_at(work, block, event, 0)[k];
            work->reaches[event] &= value > 0.0;
        }
}

/* A disturbance adds counts to events that every kernel counts, as instructions and cycles: of one of these
 * all repetitions agree unless something disturbs. */
static bool is_deterministic(const writing *work)
{
    bool several = work->import->repetitions > 1;
    for (size_t event = 0; event < work->import->events.count; event++)
        if (work->used[event] && work->reaches[event] && !work->varies[event] && (several || work->repeats[event]))
            return true;
    return false;
}

/* ---- files ---- */

/* Writes all repetitions of an event; one that lacks kernels is left out with a note. */
static cm_status write_event(writing *work, const filled_block *block, size_t event, cm_measurements_writer *writer,
                             cm_error *error)
{
    bool any = false;
    cm_status status = CM_OK;
    if (!is_whole(work, block, event, &any)) {
        if (any)
            note_line(work, "%s: %s is left out: it was not counted on all kernels", block->file,
                      work->import->events.names[event]);
        return CM_OK;
    }
    look_at(work, block, event);
    for (size_t r = 0; status == CM_OK && r < work->import->repetitions; r++)
        status = cm_measurements_writer_add(writer, work->import->events.names[event], r + 1, 0,
                                            value_at(work, block, event, r), error);
    return status;
}

/* Writes a benchmark's table. */
static cm_status write_table(writing *work, const filled_block *block, cm_error *error)
{
    const char *path = NULL;
    char text[128];
    cm_measurements_writer *writer = NULL;
    double *turns = calloc(block->kernel_count + 1, sizeof *turns);
    cm_status status =
        turns != NULL ? cm_directory_file(work->opened, block->file, &path, error) : cm_error_no_memory(error);
    for (size_t k = 0; turns != NULL && k < block->kernel_count; k++)
        turns[k] = work->import->turns;
    snprintf(text, sizeof text, "Imported from a console: counts of %u turns less those of %u.",
             2 * (unsigned)work->import->turns, (unsigned)work->import->turns);
    CM_THEN(status,
            cm_measurements_writer_create(path, text, block->kernel_count, block->kernels, turns, &writer, error));
    for (size_t event = 0; status == CM_OK && event < work->import->events.count; event++)
        status = write_event(work, block, event, writer, error);
    CM_THEN(status, cm_measurements_writer_finish(writer, error));
    cm_measurements_writer_free(writer);
    free(turns);
    work->summary->tables++;
    work->summary->kernels += block->kernel_count;
    return status;
}

/* Writes events.csv: an event that some kernel lacks is unavailable. */
static cm_status write_events(writing *work, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_events_table_begin(work->opened, &output, error);
    for (size_t i = 0; status == CM_OK && i < work->import->events.count; i++) {
        const char *outcome = work->used[i] ? "counted" : "unavailable";
        const char *reason = work->used[i] ? "" : "not counted on all kernels";
        cm_events_table_add(output, (const char *const[]){work->import->events.names[i], "", outcome, reason, "", ""});
        work->summary->events += work->used[i];
    }
    return cm_events_table_end(output, status, error);
}

/* The meaning of a trap's number on RISC-V; elsewhere it is the class of the exception. */
static void describe_trap(const cm_console_import *import, uint32_t cause, char text[96])
{
    static const char *const causes[] = {
        "misaligned instruction", "instruction access fault", "illegal instruction", "breakpoint",
        "misaligned load",        "load access fault",        "misaligned store",    "store access fault"};
    bool known = strncmp(import->isa, "rv", 2) == 0 && cause < CM_COUNT_OF(causes);
    snprintf(text, 96, "it trapped, cause %u%s%s", (unsigned)cause, known ? ": " : "", known ? causes[cause] : "");
}

/* Only programs were counted, or each kernel trapped: the first one tells why. */
static cm_status refuse_empty(const cm_console_import *import, bool programs, cm_error *error)
{
    char reason[96] = "only programs: name the logs of both";
    const cm_console_benchmark *first = import->benchmark_count > 0 && !programs ? import->benchmarks : NULL;
    if (first != NULL)
        describe_trap(import, first->kernels[0].cause, reason);
    return cm_error_set(error, CM_BAD_INPUT, import->options->logs[0], 0, 0, "no kernel was counted%s%s%s%s",
                        first != NULL ? ": " : "", first != NULL ? first->kernels[0].name : "",
                        first != NULL || programs ? ", " : "", first != NULL || programs ? reason : "");
}

/* The manifest's list of kernels that trapped; NULL without memory. */
static json_t *describe_left_out(writing *work)
{
    json_t *kernels = json_array();
    for (size_t b = 0; b < work->import->benchmark_count; b++)
        for (size_t i = 0; i < work->import->benchmarks[b].kernel_count; i++) {
            const cm_console_kernel *kernel = &work->import->benchmarks[b].kernels[i];
            char reason[96];
            if (!kernel->trapped)
                continue;
            describe_trap(work->import, kernel->cause, reason);
            note_line(work, "%s: %s is left out: %s", work->import->benchmarks[b].name, kernel->name, reason);
            kernels =
                cm_json_append(kernels, json_pack("{s:s, s:s, s:s}", "benchmark", work->import->benchmarks[b].name,
                                                  "kernel", kernel->name, "reason", reason));
            work->summary->left_out++;
        }
    return kernels;
}

static json_t *list_varying(const writing *work)
{
    json_t *events = json_array();
    for (size_t i = 0; i < work->import->events.count; i++)
        if (work->used[i] && work->varies[i])
            events = cm_json_append(events, cm_json_text(work->import->events.names[i]));
    return events;
}

/* The architecture whose kernels these are. */
static const char *architecture_of(const char *isa)
{
    return strncmp(isa, "rv32", 4) == 0 ? "riscv32" : strncmp(isa, "rv64", 4) == 0 ? "riscv64" : "aarch64";
}

/* The manifest of the import; NULL without memory. */
static json_t *describe_import(writing *work)
{
    const cm_console_import *import = work->import;
    const char *name = import->options->name != NULL ? import->options->name : import->isa;
    work->summary->deterministic = is_deterministic(work);
    work->summary->repetitions = import->repetitions;
    json_t *manifest = json_pack(
        "{s:s, s:s, s:I, s:I, s:o, s:s, s:{s:o, s:s, s:o}, s:b, s:o, s:o}", "schema", CM_IMPORT_SCHEMA, "catmint",
        CATMINT_VERSION, "repetitions", (json_int_t)import->repetitions, "turns", (json_int_t)import->turns, "pmu",
        cm_json_text(name), "pmu_reason", "", "machine", "model_name", cm_json_text(name), "architecture",
        architecture_of(import->isa), "isa", cm_json_text(import->isa), "deterministic",
        (int)work->summary->deterministic, "varying", list_varying(work), "left_out", describe_left_out(work));
    return work->validation != NULL ? cm_json_set(manifest, "validation", json_incref(work->validation)) : manifest;
}

/* Writes tables, events and manifest into the directory, all or nothing. */
static cm_status write_all(writing *work, cm_error *error)
{
    const char **files = calloc(work->count + 1, sizeof *files);
    if (files == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < work->count; i++)
        files[i] = work->blocks[i].file;
    cm_status status = cm_measured_begin(work->directory, files, work->count, false, &work->opened, error);
    free(files);
    if (status == CM_OK)
        cm_directory_clean(work->opened);
    for (size_t i = 0; status == CM_OK && i < work->count; i++)
        status = write_table(work, &work->blocks[i], error);
    CM_THEN(status, write_events(work, error));
    return cm_directory_end(work->opened, status, status == CM_OK ? describe_import(work) : NULL, error);
}

/* Writes the import's benchmarks, or its programs if `validation` describes them. */
static cm_status write_blocks(const cm_console_import *import, const char *directory, json_t *validation,
                              cm_console_import_summary *summary, cm_error *error)
{
    size_t events = import->events.count;
    const cm_console_benchmark *programs = cm_console_programs(import);
    writing work = {.import = import,
                    .directory = directory,
                    .validation = validation,
                    .summary = summary,
                    .blocks = calloc(import->benchmark_count + 1, sizeof *work.blocks),
                    .used = calloc(events + 1, sizeof *work.used),
                    .varies = calloc(events + 1, sizeof *work.varies),
                    .repeats = calloc(events + 1, sizeof *work.repeats),
                    .reaches = malloc((events + 1) * sizeof *work.reaches)};
    bool made =
        work.blocks != NULL && work.used != NULL && work.varies != NULL && work.repeats != NULL && work.reaches != NULL;
    cm_status status = made ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; made && i < events; i++)
        work.reaches[i] = true;
    for (size_t i = 0; status == CM_OK && i < import->benchmark_count; i++)
        if (import->benchmarks[i].count > 0 && (&import->benchmarks[i] == programs) == (validation != NULL))
            status = fill_block(&work, &import->benchmarks[i], error);
    if (status == CM_OK && work.count == 0)
        status = refuse_empty(import, programs != NULL, error);
    CM_THEN(status, write_all(&work, error));
    for (size_t i = 0; i < work.count; i++)
        CM_FREE(work.blocks[i].file, work.blocks[i].kernels, work.blocks[i].places, work.blocks[i].values);
    CM_FREE(work.blocks, work.used, work.varies, work.repeats, work.reaches);
    return status;
}

cm_status cm_console_write(const cm_console_import *import, cm_console_import_summary *summary, cm_error *error)
{
    const writing work = {.import = import};
    cm_status status = write_blocks(import, import->options->directory, NULL, summary, error);
    if (status == CM_OK && import->shrunk > 0)
        note_line(&work, "%zu counts of twice the turns were below those of the turns, and are taken as 0",
                  import->shrunk);
    return status;
}

cm_status cm_console_write_programs(const cm_console_import *import, const char *directory, json_t *validation,
                                    cm_error *error)
{
    return write_blocks(import, directory, validation, &(cm_console_import_summary){0}, error);
}
