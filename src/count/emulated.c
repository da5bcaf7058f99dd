/* Counts a program under the emulated PMU: qemu-user with catmint's plugin writes facts to a file, and a model computes
 * events from them. PAPI is not used. */
#include <elf.h>
#include <signal.h>

#include <catmint/names.h>

#include "count/count.h"
#include "software_pmu/qemu/program_facts.h"
#include "core/system.h"

/* ---- events of the model, and facts by name ---- */

static const char *model_name(const cm_emulation *one)
{
    static const char software[] = "software:";
    const char *pmu = one->options->definitions != NULL ? cm_definitions_pmu(one->options->definitions) : NULL;
    if (one->options->pmu.model != NULL)
        return one->options->pmu.model;
    if (pmu != NULL && strncmp(pmu, software, strlen(software)) == 0)
        return pmu + strlen(software);
    return one->emulator->model;
}

/* Loads the model, which must be of the program's architecture. */
static cm_status load_model(cm_emulation *one, cm_error *error)
{
    char pmu[320];
    cm_status status = cm_pmu_model_open(model_name(one), one->options->pmu.core, &one->model, error);
    CM_THEN(status, cm_pmu_model_take_time(one->model, error));
    if (status != CM_OK)
        return status;
    const char *other = cm_pmu_model_other_architecture(one->model, one->emulator->architecture);
    if (other != NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "software:%.100s models a processor of %s, and the program is of %s, expected a model or a "
                       "program of the other's architecture, such as --pmu software:%s",
                       cm_pmu_model_name(one->model), other, one->emulator->architecture, one->emulator->model);
    snprintf(pmu, sizeof pmu, "emulated:%s", cm_pmu_model_name(one->model));
    one->counts->pmu = cm_counts_text(one->counts, pmu);
    return one->counts->pmu != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Chooses emulator and model by the first program, which tells its architecture. */
static cm_status prepare_once(cm_emulation *one, cm_error *error)
{
    if (one->model != NULL)
        return CM_OK;
    cm_status status = load_model(one, error);
    if (status == CM_OK)
        one->counts->line_bytes = (size_t)cm_pmu_model_machine(one->model)->line_size;
    return status == CM_OK ? cm_emulation_find_events(one, error) : status;
}

/* ---- counts from facts ---- */

/* The value of an event from the facts that its modes see; NaN if lanes are missing for it. */
static double compute_event(const cm_emulation *one, const cm_counted_event *event, const uint64_t *facts)
{
    double sum = 0.0;
    uint64_t seen[CM_FACT_COUNT];
    if ((event->modes & CM_MODE_KERNEL) != 0) {
        cm_emulation_see(event->modes, facts, seen);
        facts = seen;
    }
    for (size_t fact = 0; event->weights != NULL && fact < cm_fact_count(); fact++)
        sum += event->weights[fact] * (double)facts[fact];
    if (event->weights != NULL)
        return cm_count_lacks_lanes(event, facts) ? NAN : sum;
    return event->code >= 0 ? (double)cm_pmu_model_evaluate(one->model, (size_t)event->code, facts)
                            : (double)facts[event->component];
}

/* Adds facts, and the counts computed from them, to a scope. */
static cm_status note_facts(const cm_emulation *one, cm_scope *scope, const uint64_t *facts, cm_error *error)
{
    if (scope == NULL)
        return cm_error_no_memory(error);
    if (one->counts->metric_count > 0 &&
        cm_scope_add_facts(one->counts, scope, facts, cm_emulation_facts(one), error) != CM_OK)
        return CM_NO_MEMORY;
    for (size_t i = 0; i < one->counts->event_count; i++)
        if (one->counts->events[i].lack == CM_REMARK_NONE)
            cm_scope_add(one->counts, scope, one->repetition, i, compute_event(one, &one->counts->events[i], facts));
    return CM_OK;
}

/* ---- a run ---- */

static cm_status read_facts(const cm_emulation *one, uint64_t *facts, cm_program_summary *summary, cm_error *error)
{
    cm_status status = cm_program_facts_read(one->file, facts, summary, error);
    if (status == CM_OK && summary->uncounted > 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "the program had more than 1,024 threads at a time");
    return status;
}

/* Adds the work since the last interval. */
static cm_status note_interval(cm_emulation *one, size_t interval, cm_error *error)
{
    cm_program_summary summary;
    cm_status status = read_facts(one, one->now, &summary, error);
    for (size_t i = 0; i < cm_fact_count(); i++) {
        one->between[i] = one->now[i] - one->before[i];
        one->before[i] = one->now[i];
    }
    if (status != CM_OK)
        return status;
    return note_facts(one, cm_counts_scope(one->counts, CM_SCOPE_INTERVAL, interval, ""), one->between, error);
}

/* Waits for the program's end, and records intervals. */
static cm_status watch_child(cm_emulation *one, cm_run *run, cm_child *child, cm_error *error)
{
    const double step = one->options->interval;
    double next = cm_clock_seconds() + step;
    size_t interval = 0;
    cm_status status = CM_OK;
    while (status == CM_OK && !cm_child_wait(child, step > 0.0 ? fmax(next - cm_clock_seconds(), 0.0) : 1.0)) {
        cm_count_heed(run, child);
        if (step > 0.0 && cm_clock_seconds() >= next) {
            status = note_interval(one, ++interval, error);
            next += step;
        }
    }
    return status == CM_OK && step > 0.0 ? note_interval(one, interval + 1, error) : status;
}

/* Checks that a program was stepped, each of its processes to its end. */
static cm_status check_stepped(const cm_emulation *one, const cm_program_summary *summary, cm_error *error)
{
    if (summary->threads == 0 && one->counts->interrupted)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the command was ended before an instruction of it was counted: give it more time");
    if (summary->threads == 0)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "no step of the program was counted: it is linked statically, or was killed as it began");
    const bool cut_short = one->counts->signal != 0 || one->counts->interrupted;
    if (summary->unfinished > (cut_short ? 1 : 0))
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "part of the program was not counted: it executed code that cannot be stepped, as the start of "
                       "a thread, or a signal killed a child, or a signal's handler jumped out or ended it");
    return CM_OK;
}

/* Checks that the program was counted, and records the parts that were not. */
static cm_status note_others(cm_emulation *one, const cm_program_summary *summary, cm_error *error)
{
    char programs[64] = "";
    if (one->options->stepped) {
        cm_status status = check_stepped(one, summary, error);
        if (status != CM_OK)
            return status;
    }
    if (summary->threads == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "QEMU ran the program without catmint's plugin");
    if (!one->options->stepped && one->emulator->elf == EM_X86_64 && one->counts->exit == 128 + SIGILL) {
        one->counts->note = "not counted: all behind an instruction that QEMU does not execute, as those of AVX-512; "
                            "--stepped counts the program on a processor that has it";
        return CM_OK;
    }
    if (summary->other_programs > 0)
        snprintf(programs, sizeof programs, "%llu %s started by exec", (unsigned long long)summary->other_programs,
                 summary->other_programs == 1 ? "program" : "programs");
    const char *parts[] = {
        programs, summary->handlers ? "signal handlers" : "",
        summary->unfinished > 0 ? "the end after the last system call" : "",
        cm_emulation_fetches_nothing_ahead(one) ? "lines that the model fetches ahead, since a mix is counted" : ""};
    char text[256] = "";
    for (size_t i = 0; i < CM_COUNT_OF(parts); i++)
        if (parts[i][0] != '\0')
            cm_text_append(text, sizeof text, ", ", "%s%s", text[0] == '\0' ? "not counted: " : "", parts[i]);
    if (text[0] == '\0')
        return CM_OK;
    one->counts->note = cm_counts_text(one->counts, text);
    return one->counts->note != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Adds a line of a region to its scope. */
static cm_status take_emulated_region(void *data, const char *name, double calls, double seconds, const double *counts,
                                      cm_error *error)
{
    (void)seconds;
    const cm_emulation *one = data;
    cm_scope *scope = cm_counts_scope(one->counts, CM_SCOPE_REGION, 0, name);
    for (size_t i = 0; i < cm_fact_count(); i++)
        one->between[i] = (uint64_t)counts[i];
    if (scope != NULL && one->repetition == 0)
        scope->calls = scope->calls > 0.0 ? scope->calls + calls : calls;
    return note_facts(one, scope, one->between, error);
}

/* Adds the facts of the run that has just ended to the program's counts, or to its regions'. */
static cm_status note_run(cm_emulation *one, cm_error *error)
{
    cm_program_summary summary;
    cm_status status = read_facts(one, one->now, &summary, error);
    CM_THEN(status, note_others(one, &summary, error));
    if (status == CM_OK && one->options->regions)
        return cm_count_regions_read(one->directory.path, cm_fact_count(), take_emulated_region, one, error);
    return status == CM_OK ? note_facts(one, cm_counts_scope(one->counts, CM_SCOPE_PROGRAM, 0, ""), one->now, error)
                           : status;
}

/* The libraries that a stepped program loads before its own; free it. Blanks and colons part them: catmint's has a name
 * without any, in the directory of the run. */
static cm_status find_preloaded(const cm_emulation *one, char **list, cm_error *error)
{
    const char *others = getenv("LD_PRELOAD");
    char *path = NULL, *link = NULL;
    cm_status status = cm_program_stepper(&path, error);
    if (status == CM_OK && asprintf(&link, "%s/step.so", one->directory.path) < 0) {
        link = NULL;
        status = cm_error_no_memory(error);
    }
    if (status == CM_OK && strpbrk(link, " :") != NULL)
        status = CM_FAIL(error, CM_UNSUPPORTED, "a program cannot be stepped if TMPDIR has a blank or a colon: %.200s",
                         one->directory.path);
    if (status == CM_OK && symlink(path, link) != 0 && errno != EEXIST)
        status = cm_error_io(error, link, "cannot be made");
    if (status == CM_OK &&
        asprintf(list, "%s%s%s", link, others != NULL ? ":" : "", others != NULL ? others : "") < 0) {
        *list = NULL;
        status = cm_error_no_memory(error);
    }
    CM_FREE(path, link);
    return status;
}

/* Starts the command. */
static cm_status start_child(const cm_emulation *one, char *const *command, cm_child *child, cm_error *error)
{
    const char *const of_regions[] = {CM_REGIONS_VARIABLE, one->directory.path, CM_REGIONS_EMULATED, "1"};
    if (!one->options->stepped)
        return cm_child_fork(command, of_regions, one->options->regions ? 2 : 0, child, error);
    char *list = NULL;
    cm_status status = find_preloaded(one, &list, error);
    const char *const of_steps[] = {"LD_PRELOAD", list, CM_PROGRAM_STEPPED, one->file};
    CM_THEN(status, cm_child_fork(command, of_steps, 2, child, error));
    free(list);
    return status;
}

/* Runs the command once and records its facts. */
static cm_status run_emulated_child(cm_emulation *one, char *const *command, cm_error *error)
{
    cm_run run = {.options = one->options, .counts = one->counts, .repetition = one->repetition};
    cm_child child = {0};
    int cannot = 0;
    double begin = cm_clock_seconds();
    cm_status status = start_child(one, command, &child, error);
    CM_THEN(status, cm_child_begin(&child, &cannot, error));
    CM_THEN(status, watch_child(one, &run, &child, error));
    CM_THEN(status, cm_counts_add_run(one->counts, cm_clock_seconds() - begin, error));
    if (status == CM_OK)
        cm_count_ended(one->counts, &child, cannot);
    cm_child_clear(&child);
    return status == CM_OK && cannot == 0 ? note_run(one, error) : status;
}

static cm_status create_file(const cm_emulation *one, unsigned vector_bits, cm_error *error)
{
    const cm_pmu_machine machine = cm_emulation_machine(one);
    bool wanted[CM_FACT_COUNT];
    cm_emulation_note_facts(one, wanted);
    return cm_program_facts_create(one->file, &machine, vector_bits, cm_emulation_wants(one), wanted, error);
}

/* Runs the command with a directory of its own, for the facts and the program's regions. */
static cm_status run_in_directory(cm_emulation *one, cm_error *error)
{
    cm_emulated_command command = {0};
    int cannot = 0;
    if (asprintf(&one->file, "%s/facts", one->directory.path) < 0) {
        one->file = NULL;
        return cm_error_no_memory(error);
    }
    memset(one->before, 0, cm_fact_count() * sizeof *one->before);
    unsigned bits = (unsigned)one->options->vector_bits;
    cm_status status = cm_emulator_choose(one->options->command, one->options->stepped ? NULL : one->file,
                                          &one->emulator, &bits, &command, &cannot, error);
    one->counts->vector_bits = bits;
    if (status == CM_OK && cannot == 0)
        status = prepare_once(one, error);
    if (status == CM_OK && cannot == 0)
        status = create_file(one, bits, error);
    if (status == CM_OK && cannot == 0)
        status = run_emulated_child(one, command.words, error);
    if (cannot != 0)
        cm_count_cannot(one->counts, cannot);
    cm_emulated_command_clear(&command);
    free(one->file);
    return status;
}

static cm_status run_once(cm_emulation *one, cm_error *error)
{
    cm_status status = cm_count_directory_make(&one->directory, error);
    CM_THEN(status, run_in_directory(one, error));
    cm_count_directory_remove(&one->directory);
    one->file = NULL;
    return status;
}

/* Refuses options that the emulated PMU does not have. */
static cm_status check_emulated_options(const cm_count_options *options, cm_error *error)
{
    if (options->process != 0)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the emulated PMU cannot count a process that runs already: that needs hardware counters");
    if (options->processors != NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the emulated PMU counts a program, not processors: that needs hardware counters");
    if (options->per_thread)
        return CM_FAIL(error, CM_UNSUPPORTED, "the emulated PMU counts all threads together");
    const cm_definitions *definitions = options->definitions;
    if (definitions != NULL && cm_definitions_core_count(definitions) > 0 && options->pmu.core == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "these results are of several types of cores, and the emulated PMU is that of one: choose one, "
                       "as in --core %.100s",
                       cm_definitions_core(definitions, 0)->name);
    return CM_OK;
}

cm_status cm_count_emulated(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    cm_emulation one = {.options = options, .counts = counts};
    cm_status status = check_emulated_options(options, error);
    one.now = calloc(cm_fact_count(), sizeof *one.now);
    one.before = calloc(cm_fact_count(), sizeof *one.before);
    one.between = calloc(cm_fact_count(), sizeof *one.between);
    CM_THEN(status, one.now != NULL && one.before != NULL && one.between != NULL ? CM_OK : cm_error_no_memory(error));
    counts->sets = 1;
    counts->multiplexed = false;
    for (; status == CM_OK && one.repetition < counts->repetitions; one.repetition++)
        if (!counts->interrupted && counts->exit_reason[0] == '\0')
            status = run_once(&one, error);
    cm_pmu_model_free(one.model);
    CM_FREE(one.now, one.before, one.between);
    return status;
}
