/* catmint count: counts of a command, as tables and documents. */
#include <signal.h>

#include "cli/sweeping.h"
#include "count/counts.h"
#include "counting/counting.h"

/* Replaces catmint's own exit codes, as env and timeout do, because the others are the command's. */
static cli_exit own_failure(cli_exit code)
{
    return code == CLI_DONE ? CLI_DONE : CLI_COUNT_FAILED;
}

/* Writes counts at the end of the file: CSV without its head, if the file begins with the same. */
static void append_text(const char *text, bool csv, FILE *file)
{
    const size_t head = strcspn(text, "\n") + 1;
    char *first = NULL;
    size_t capacity = 0;
    struct stat found;
    rewind(file);
    const bool begun =
        fstat(fileno(file), &found) == 0 && S_ISREG(found.st_mode) && getline(&first, &capacity, file) > 0;
    const bool same = csv && begun && strncmp(first, text, head) == 0;
    free(first);
    const int last = begun && fseek(file, -1, SEEK_END) == 0 ? getc(file) : '\n';
    fseek(file, 0, SEEK_END);
    fprintf(file, "%s%s%s", last != '\n' ? "\n" : "", begun && !csv ? "\n" : "", same ? text + head : text);
}

/* The same, with a message if it fails. */
static cli_exit append_counts(const cm_program_counts *counts, const cli_options *options)
{
    const cm_output_style style = {options->values, 0, false};
    const bool csv = options->values == CM_FORMAT_CSV;
    char *text = NULL;
    size_t size = 0;
    cm_error error;
    FILE *made = open_memstream(&text, &size);
    cm_status status = made != NULL ? cm_program_counts_write(counts, &style, made, &error) : CM_NO_MEMORY;
    const bool whole = made != NULL && fclose(made) == 0 && status == CM_OK;
    FILE *file = whole ? fopen(options->output, "a+e") : NULL;
    if (file != NULL)
        append_text(text, csv, file);
    const bool written = file != NULL && !ferror(file);
    if ((file != NULL && fclose(file) != 0) || !written || !whole) {
        cli_write("%s: writing failed: %s", options->output, whole ? strerror(errno) : "out of memory");
        free(text);
        return CLI_COUNT_FAILED;
    }
    free(text);
    return CLI_DONE;
}

/* Writes or appends counts to the file of --output, or else to stderr: stdout is the program's. */
static cli_exit write_counts(const cm_program_counts *counts, const cli_options *options)
{
    cm_error error;
    const cm_output_style style = cli_style(options->values, options->output, stderr);
    if (options->append)
        return append_counts(counts, options);
    cm_status status = options->output != NULL ? cm_program_counts_save(counts, &style, options->output, &error)
                                               : cm_program_counts_write(counts, &style, stderr, &error);
    return status == CM_OK ? CLI_DONE : own_failure(cli_fail_writing(&error));
}

/* Writes the values of formulas alone, with the notes on them. */
static cli_exit write_tree(const cm_program_counts *counts, const cm_evaluation *values, const cli_options *options)
{
    cm_error error;
    const cm_output_style style = cli_style(options->values, options->output, stderr);
    if (cm_program_counts_note(counts)[0] != '\0')
        cli_write("%s", cm_program_counts_note(counts));
    cm_status status = options->output != NULL ? cm_evaluation_save(values, &style, options->output, &error)
                                               : cm_evaluation_write(values, &style, stderr, &error);
    if (status == CM_OK)
        cli_write_faults(values);
    return status == CM_OK ? CLI_DONE : own_failure(cli_fail_writing(&error));
}

/* Evaluates the formulas for these counts, which lie in a file as long as that takes. */
static cli_exit evaluate_counts(const cm_program_counts *counts, const cli_options *options, cm_evaluation **values)
{
    char directory[CLI_PATH_SIZE], file[CLI_PATH_SIZE + sizeof "/program.json"];
    const cm_output_style style = {CM_FORMAT_JSON, 0, false};
    const cm_evaluate_options wanted = {.size = sizeof wanted,
                                        .formulas = options->formulas,
                                        .counts = file,
                                        .counted = options->operands.count > 0 ? options->operands.items[0] : "process",
                                        .tolerance = CM_EVALUATE_TOLERANCE};
    cm_error error;
    if (cli_make_temporary(directory) != CLI_DONE)
        return CLI_COUNT_FAILED;
    snprintf(file, sizeof file, "%s/program.json", directory);
    cm_status status = cm_program_counts_save(counts, &style, file, &error);
    CM_THEN(status, cm_evaluation_create(&wanted, values, &error));
    cli_remove_temporary(directory);
    return status == CM_OK ? CLI_DONE : own_failure(cli_fail_writing(&error));
}

/* Writes the counts, and the values of formulas beside them, or alone; the counts even if there are no values. */
static cli_exit write_with_values(cm_program_counts *counts, const cli_options *options)
{
    cm_evaluation *values = NULL;
    cli_exit code = evaluate_counts(counts, options, &values), written = CLI_DONE;
    cm_program_counts_set_values(counts, values);
    if (!options->tree)
        written = write_counts(counts, options);
    else if (values != NULL)
        written = write_tree(counts, values, options);
    cm_program_counts_set_values(counts, NULL);
    cm_evaluation_free(values);
    return code == CLI_DONE ? written : code;
}

/* The exit code that a shell would report of the command, unless counting failed. */
static cli_exit finish_counts(cm_program_counts *counts, const cli_options *options)
{
    const char *reason = "";
    int status = cm_program_counts_exit(counts, &reason);
    if (reason[0] != '\0') {
        cli_write("'%s' cannot be run: %s", options->operands.items[0], reason);
        return (cli_exit)status;
    }
    const bool shown = options->tree || (options->values != CM_FORMAT_CSV && counts->scope_count > 0);
    cli_exit code =
        options->formulas != NULL && shown ? write_with_values(counts, options) : write_counts(counts, options);
    return code == CLI_DONE ? (cli_exit)status : code;
}

/* Says of each event that the message quotes whether it is a metric. */
static void name_metrics(const cli_options *options, const char *message)
{
    for (size_t i = 0; i < options->events.count; i++) {
        char quoted[CLI_METRIC_NAME], metric[CLI_METRIC_NAME];
        int length = snprintf(quoted, sizeof quoted, "'%s'", options->events.items[i]);
        if (length > 0 && (size_t)length < sizeof quoted && strstr(message, quoted) != NULL &&
            cli_metric_named(options->events.items[i], metric) != NULL)
            cli_write("%s is a metric and no event: --metrics '%s' with --results FILE counts it by its definition",
                      quoted, metric);
    }
}

/* Counts the command or process, and prints the counts. */
static cli_exit count_program(const cli_options *options, const cm_definitions *definitions,
                              const cm_formulas *formulas, char *const *command)
{
    cm_count_options wanted = {.size = sizeof wanted,
                               .definitions = definitions,
                               .metric_count = options->metrics.count,
                               .metrics = options->metrics.items,
                               .all = options->all,
                               .event_count = options->events.count,
                               .events = options->events.items,
                               .pmu = options->pmu,
                               .command = command,
                               .process = (long)options->process,
                               .processors = options->cores != NULL ? options->cores
                                             : options->all_cpus    ? ""
                                                                    : NULL,
                               .repetitions = options->repetitions,
                               .interval = options->interval,
                               .per_thread = options->per_thread,
                               .multiplex = options->multiplex,
                               .regions = options->regions,
                               .vector_bits = options->vector_bits,
                               .mix = options->mix,
                               .plan = options->plan,
                               .stepped = options->stepped,
                               .separator = options->separators,
                               .formulas = formulas,
                               .stop = cli_interrupt_flag()};
    cm_program_counts *counts = NULL;
    cm_error error;
    wanted.pmu.core = options->core;
    if (options->timeout > 0.0)
        cli_interrupt_after(options->timeout);
    cm_status status = cm_count_program(&wanted, &counts, &error);
    if (status == CM_UNSUPPORTED && options->own) {
        cli_write("the definitions that are kept for this processor cannot be counted, so facts are: %s", error.text);
        wanted.definitions = NULL;
        wanted.pmu.kind = CM_PMU_AUTO;
        status = cm_count_program(&wanted, &counts, &error);
    }
    if (status != CM_OK) {
        cli_exit failure = own_failure(cli_fail(&error));
        if (status == CM_UNSUPPORTED)
            name_metrics(options, error.text);
        return failure;
    }
    cli_exit code = finish_counts(counts, options);
    cm_program_counts_free(counts);
    return code;
}

/* Copies the operands for exec, and counts that command. */
static cli_exit count_command(const cli_options *options, const cm_definitions *definitions,
                              const cm_formulas *formulas)
{
    size_t operands = options->operands.count;
    char **command = calloc(operands + 1, sizeof *command);
    if (command == NULL)
        return cli_end(CLI_COUNT_FAILED, "out of memory");
    for (size_t i = 0; i < operands; i++)
        command[i] = (char *)(uintptr_t)options->operands.items[i]; /* exec does not change them */
    cli_exit code = count_program(options, definitions, formulas, operands > 0 ? command : NULL);
    free(command);
    return code;
}

/* Refuses formulas as `evaluate` does: a metric that is missing without a word would not be noticed. */
static cm_status first_fault(const char *path, const cm_formula_fault *fault, cm_error *error)
{
    *error = (cm_error){.status = CM_BAD_INPUT, .line = fault->line, .column = fault->column};
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->text, sizeof error->text, "%s", fault->text);
    return CM_BAD_INPUT;
}

/* Reads results and formulas, and counts. */
static cli_exit count_chosen(const cli_options *options)
{
    cm_definitions *definitions = NULL;
    cm_error error;
    cm_formulas *formulas = NULL;
    cm_status status = CM_OK;
    if (options->results != NULL)
        status = cm_definitions_load(options->results, &definitions, &error);
    if (status == CM_OK && options->formulas != NULL)
        status = cm_formulas_load(options->formulas, NULL, &formulas, &error);
    if (status == CM_OK && formulas != NULL && cm_formulas_fault_count(formulas) > 0)
        status = first_fault(options->formulas, cm_formulas_fault(formulas, 0), &error);
    const cli_list file = {.count = 1, .items = (const char **)&options->formulas};
    cli_exit code = status == CM_OK ? CLI_DONE : cli_fail(&error);
    if (code == CLI_DONE && formulas != NULL && cm_formulas_count(formulas) == 0)
        code = cli_find_nothing(&file, "no formulas here, expected one at least");
    code = code == CLI_DONE ? count_command(options, definitions, formulas) : own_failure(code);
    cm_formulas_free(formulas);
    cm_definitions_free(definitions);
    return code;
}

/* Says why hardware counters count nothing if nothing is named, and which way counts instead. */
static cli_exit refuse_without(const cli_options *options)
{
    const bool processors = options->all_cpus || options->cores != NULL;
    cm_machine machine;
    cm_machine_read(&machine);
    if (machine.perf_errno != 0)
        cli_write("the kernel offers no hardware counters here (%s): the emulated PMU counts programs without them%s",
                  strerror(machine.perf_errno),
                  processors ? ", and no processors: leave out -a and -C" : " (--pmu software)");
    else
        cli_write("no definitions are kept for this processor: 'catmint discover' finds and keeps them; or name "
                  "--results FILE or --events LIST");
    return CLI_COUNT_FAILED;
}

cli_exit cli_count(const cli_options *options)
{
    signal(SIGCHLD, SIG_DFL); /* if a caller ignores it, the command's status is lost */
    if (cli_check_output(options) != CLI_DONE)
        return CLI_COUNT_FAILED;
    if (options->append && (options->output == NULL || options->values == CM_FORMAT_JSON))
        return cli_end(CLI_COUNT_FAILED, "--append needs --output FILE, and a table or CSV, found %s",
                       options->output == NULL ? "no --output" : "--format json");
    char own[CLI_PATH_SIZE];
    cli_options chosen = *options;
    if (chosen.pmu.kind == CM_PMU_AUTO && (options->all_cpus || options->cores != NULL))
        chosen.pmu.kind = CM_PMU_HARDWARE; /* the emulated PMU counts programs */
    const bool named = options->metrics.count > 0 || options->all;
    const bool nothing =
        options->events.count == 0 && !options->mix && options->formulas == NULL && options->plan == NULL;
    const bool without = options->results == NULL && (named || nothing);
    if (without && chosen.pmu.kind != CM_PMU_SOFTWARE && cli_find_own(own) && access(own, F_OK) == 0) {
        chosen.results = own;
        chosen.own = nothing && !named;
        chosen.pmu.kind = CM_PMU_HARDWARE;
    } else if (without && named) {
        cli_write(
            "--%s needs --results FILE, which defines metrics; 'catmint discover' keeps those of a processor whose "
            "counters it reads",
            options->all ? "all" : "metrics");
        return CLI_COUNT_FAILED;
    } else if (without && chosen.pmu.kind == CM_PMU_HARDWARE)
        return refuse_without(options);
    return count_chosen(&chosen);
}
