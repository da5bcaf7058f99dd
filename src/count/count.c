/* Counts a program: chooses events and PMU, and runs the program as often as necessary. */
#include "count/count.h"

#include <signal.h>

/* CM_BAD_ARGUMENT for options that exclude each other. */
static cm_status check_options(const cm_count_options *options, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_count_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (options->command == NULL && options->process == 0 && options->processors == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "expected a command or a process to count");
    if (options->processors != NULL && (options->process != 0 || options->regions || options->per_thread))
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "processors are counted as a whole, without processes, threads and regions");
    if (options->processors != NULL && options->command == NULL && options->repetitions > 1)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "without a command there is one run: expected a command to repeat");
    if (options->process != 0 && (options->regions || options->repetitions > 1))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a process that runs already is counted once, and as a whole");
    if (options->pmu.kind == CM_PMU_HARDWARE && (options->mix || options->vector_bits != 0))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%s under the emulated PMU alone: --pmu software",
                       options->mix ? "a mix is counted" : "the length of vectors can be chosen");
    if (options->stepped && (options->pmu.kind == CM_PMU_HARDWARE || options->regions || options->interval > 0.0))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "--stepped is for the emulated PMU, without regions and intervals");
    if (options->plan != NULL && options->multiplex)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a plan's sets are counted in runs of their own, and do not take turns");
    if (options->regions && (options->per_thread || options->interval > 0.0))
        return CM_FAIL(error, CM_BAD_ARGUMENT, "regions are counted without threads and intervals");
    if (options->per_thread && options->interval > 0.0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "threads are counted without intervals");
    return CM_OK;
}

static bool wants_any(const bool *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (wanted[i])
            return true;
    return false;
}

/* Wants the events of one set of a plan, or of none; returns the next set, 0: there is none. */
static size_t want_planned(const cm_program_counts *counts, size_t plan, bool *wanted)
{
    size_t next = 0;
    for (size_t i = 0; i < counts->event_count; i++) {
        const cm_counted_event *event = &counts->events[i];
        wanted[i] = event->lack == CM_REMARK_NONE && event->plan == plan;
        if (event->lack == CM_REMARK_NONE && event->plan > plan && (next == 0 || event->plan < next))
            next = event->plan;
    }
    return next;
}

/* Runs the program until all events are counted once. */
static cm_status count_once(const cm_count_options *options, cm_program_counts *counts, size_t repetition, bool *wanted,
                            cm_error *error)
{
    cm_status status = CM_OK;
    cm_run run = {.options = options, .counts = counts, .repetition = repetition, .wanted = wanted};
    size_t next = want_planned(counts, 0, wanted);
    do {
        if (next > 0 && !wants_any(wanted, counts->event_count))
            next = want_planned(counts, next, wanted);
        run.set++;
        status = options->regions ? cm_count_regions(&run, error) : cm_count_run(&run, error);
        if (status == CM_OK && run.set > counts->sets)
            counts->sets = run.set;
        if (status == CM_OK && (options->process != 0 || options->command == NULL) &&
            (next > 0 || wants_any(wanted, counts->event_count)))
            return CM_FAIL(error, CM_UNSUPPORTED,
                           "these events do not fit into the counters together, and without a command nothing can be "
                           "run several times: count fewer metrics, or let events take turns (--multiplex)");
    } while (status == CM_OK && (next > 0 || wants_any(wanted, counts->event_count)) && !counts->interrupted &&
             counts->exit_reason[0] == '\0');
    return status;
}

/* Counts all repetitions through the source. */
static cm_status count_hardware(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    bool *wanted = calloc(counts->event_count + 1, sizeof *wanted);
    cm_status status = wanted != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < counts->repetitions; i++)
        if (!counts->interrupted && counts->exit_reason[0] == '\0')
            status = count_once(options, counts, i, wanted, error);
    free(wanted);
    return status;
}

/* Emulates the program if the PMU was chosen automatically and hardware does not count these events. */
static cm_status emulate_instead(const cm_count_options *options, cm_program_counts *counts, const cm_error *why,
                                 cm_error *error)
{
    cm_error found = *why;
    counts->reason = cm_counts_text(counts, why->text);
    if (counts->reason == NULL)
        return cm_error_no_memory(error);
    if (cm_count_emulated(options, counts, error) == CM_OK)
        return CM_OK;
    return error->status == CM_UNSUPPORTED && strcmp(found.text, error->text) != 0
               ? CM_FAIL(error, CM_UNSUPPORTED, "%.400s; and %.400s", found.text, error->text)
               : error->status;
}

/* Counts under the PMU of the options. */
static cm_status open_and_count(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    bool owned = false, emulated = cm_count_is_emulated(options);
    cm_error why = {0};
    if (emulated)
        return cm_count_emulated(options, counts, error);
    cm_status status = cm_source_open(&owned, &why);
    CM_THEN(status, cm_count_find_events(counts, &why));
    if (status == CM_OK)
        status = count_hardware(options, counts, error);
    else if (error != NULL)
        *error = why;
    cm_source_close(owned);
    return status == CM_UNSUPPORTED && why.status != CM_OK && options->pmu.kind == CM_PMU_AUTO &&
                   options->process == 0 && options->processors == NULL
               ? emulate_instead(options, counts, &why, error)
               : status;
}

/* Fills `counts` from the options and chooses the events. */
static cm_status prepare_counts(const cm_count_options *options, cm_program_counts *counts, cm_error *error)
{
    counts->repetitions = options->repetitions > 0 ? options->repetitions : 1;
    counts->interval = options->interval;
    counts->process = options->process;
    counts->processors = options->processors;
    counts->definitions = options->definitions;
    counts->multiplexed = options->multiplex;
    counts->separator = options->separator != NULL ? options->separator : ",";
    counts->reason = counts->exit_reason = counts->note = "";
    if (options->pmu.kind == CM_PMU_AUTO && cm_count_names_nothing(options))
        counts->reason = "facts are counted, without definitions of metrics";
    counts->pmu = "hardware";
    char text[1024] = "";
    for (size_t i = 0; options->command != NULL && options->command[i] != NULL; i++)
        cm_text_append(text, sizeof text, i > 0 ? " " : "", "%s", options->command[i]);
    counts->command = cm_counts_text(counts, text);
    cm_status status = counts->command != NULL ? cm_count_choose(options, counts, error) : cm_error_no_memory(error);
    if (status == CM_OK && counts->event_count == 0)
        return CM_FAIL(
            error, CM_BAD_ARGUMENT,
            options->formulas != NULL      ? "the formulas name no event, fact or metric, only variables that 'catmint "
                                             "evaluate' takes from a table: names in small letters, which are no facts"
            : options->definitions != NULL ? "no metric of the results is composable: name some, or ask for all"
                                           : "expected metrics of results, or names of events");
    if (status == CM_OK && !options->regions && cm_counts_scope(counts, CM_SCOPE_PROGRAM, 0, "") == NULL)
        return cm_error_no_memory(error);
    return status;
}

cm_status cm_count_program(const cm_count_options *options, cm_program_counts **counts, cm_error *error)
{
    struct sigaction kept[2];
    cm_error unread;
    error = error != NULL ? error : &unread;
    cm_status status = check_options(options, error);
    cm_program_counts *made = status == CM_OK ? calloc(1, sizeof *made) : NULL;
    if (status == CM_OK && made == NULL)
        return cm_error_no_memory(error);
    CM_THEN(status, prepare_counts(options, made, error));
    /* An interrupt from the terminal is left to the command, as system() does. */
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    const struct sigaction *action = options->command != NULL ? &ignored : NULL;
    sigaction(SIGINT, action, &kept[0]);
    sigaction(SIGQUIT, action, &kept[1]);
    CM_THEN(status, open_and_count(options, made, error));
    sigaction(SIGINT, &kept[0], NULL);
    sigaction(SIGQUIT, &kept[1], NULL);
    CM_THEN(status, cm_count_find_errors(made, error));
    CM_HAND_OVER(status, counts, made, cm_program_counts_free);
    return status;
}
