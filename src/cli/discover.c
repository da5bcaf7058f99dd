/* catmint discover: sweep, analysis and validation in one command. */
#include "cli/sweeping.h"

/* Checked before the sweep. */
static cli_exit check_repetitions(const cli_options *options)
{
    if (options->repetitions != 1 || (isinf(options->tau) && !options->tau_auto))
        return CLI_DONE;
    return cli_end(CLI_USAGE, "one repetition does not show noise, expected --repetitions 2 or more, or --tau inf");
}

/* The sweep of a type of cores, for the analysis. */
struct swept {
    const char *directory;
    cm_results *results; /* judged by programs already; NULL: the directory is to be analysed */
};

/* Counts programs to judge the definitions. If that fails, which is reported, the definitions remain. */
static cli_exit judge_definitions(const char *directory, const cli_options *options, cm_results **judged)
{
    if (!cm_validation_available())
        return cli_end(CLI_DONE,
                       "the definitions are not held against programs, which cannot be written for this processor");
    cli_exit code = cli_count_programs(directory, options, judged);
    if (code == CLI_INTERRUPTED && cli_interrupt_expired())
        return cli_end(CLI_PARTLY, "the budget is used up: the definitions are not held against all programs%s",
                       options->out != NULL ? "; 'catmint validate' with --resume does so" : "");
    if (code != CLI_DONE && code != CLI_PARTLY && code != CLI_INTERRUPTED)
        cli_write("the definitions are not held against programs");
    return code;
}

/* Options to analyse the sweep. Without --basis and --signatures all benchmarks in the directory are analysed, because
 * one whose kernels all lack memory is missing there. */
static cli_options to_analyze(const cli_options *options, const cli_list *benchmarks)
{
    cli_options analyze = *options;
    analyze.benchmarks = options->basis != NULL || options->signatures != NULL ? *benchmarks : (cli_list){0};
    return analyze;
}

/* Sweeps one type of cores. Unless it fails, its counts can be analysed. */
static cli_exit sweep_cores(const char *directory, const cli_options *options, void *data)
{
    struct swept *swept = data;
    cm_results **judged = strcmp(directory, swept->directory) == 0 ? &swept->results : NULL;
    cli_list benchmarks;
    cli_exit code = cli_choose_benchmarks(options, &benchmarks), counted = CLI_DONE;
    CM_THEN(code, cli_sweep_into(directory, options, &benchmarks, true));
    bool programs = options->programs != 0 && !options->uncore;
    if (options->programs != 0 && options->uncore)
        cli_write("the definitions are not held against programs, which move too little of memory");
    if ((code == CLI_DONE || code == CLI_PARTLY) && programs) {
        const cli_options analyze = to_analyze(options, &benchmarks);
        counted = judge_definitions(directory, &analyze, code == CLI_DONE ? judged : NULL);
    }
    cli_list_free(&benchmarks);
    if (counted == CLI_INTERRUPTED)
        return counted;
    return counted != CLI_DONE && code == CLI_DONE ? CLI_PARTLY : code;
}

static void write_line(const char *label, const char *format, ...) CM_PRINTF(2, 3);
/* Writes a label and its text in the columns of the summary, in which commands stand as they have to be typed here. */
static void write_line(const char *label, const char *format, ...)
{
    enum { COLUMN = 14 };
    char text[2 * CLI_PATH_SIZE], named[2 * CLI_PATH_SIZE];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    cli_write_cell(label, COLUMN);
    cm_text_wrap(cli_name_commands(text, named, sizeof named), COLUMN, COLUMN, cli_width(stdout), stdout);
    putchar('\n');
}

/* Lists the paths of all files. */
static void write_places(const cli_kept *kept, const char *users_copy, const cli_options *options)
{
    char quoted[CLI_QUOTED_SIZE];
    putchar('\n');
    if (options->out == NULL) {
        write_line("Kept", "nothing: --out DIR keeps the measurements, with a report and presets");
    } else {
        write_line("Report", "%s", cli_quote(kept->page, quoted));
        if (kept->presets[0] == '\0')
            write_line("Presets", "none: these results are not comparable");
        else
            write_line("Presets", "%s: %zu for PAPI%s", cli_quote(kept->presets, quoted), kept->written,
                       kept->named ? "" : "; --cpu NAME writes the name of the PMU into it");
        write_line("Results", "%s", cli_quote(kept->results, quoted));
    }
    if (users_copy[0] != '\0')
        write_line("Counting", "'catmint count -- COMMAND' counts by these definitions from now on: %s",
                   cli_quote(users_copy, quoted));
    if (!options->verbose)
        write_line("Definitions",
                   options->out != NULL ? "'catmint analyze %s' prints them; 'catmint explain' says why"
                                        : "--verbose prints them%.0s",
                   options->out != NULL ? cli_quote(options->out, quoted) : "");
}

/* Prints the summary, or everything with --verbose, into a file, or in JSON. */
static cli_exit print_discovered(const cm_results *results, const cli_kept *kept, const char *users_copy,
                                 const cli_options *options)
{
    const bool people = options->format == CM_FORMAT_TABLE && options->output == NULL;
    char quoted[CLI_QUOTED_SIZE];
    cm_error error;
    cli_exit code;
    if (people && !options->verbose) {
        const cm_output_style style = cli_style(CM_FORMAT_TABLE, NULL, stdout);
        code = cli_finish_writing(cm_results_write_summary(results, &style, stdout, &error), &error);
    } else {
        code = cli_print_results(results, options);
    }
    if (people && code == CLI_DONE) {
        write_places(kept, users_copy, options);
        return cli_finish_stdout(code);
    }
    if (options->out != NULL)
        cli_write("measurements are in %s; 'catmint analyze %s' reads them again", options->out,
                  cli_quote(options->out, quoted));
    return code;
}

/* Analyses the sweep unless that is done, writes the files of --out, and prints the results. */
static cli_exit analyze_and_keep(struct swept *swept, const cli_options *options)
{
    cli_kept kept = {0};
    char users_copy[CLI_PATH_SIZE] = "";
    cm_results *results = swept->results;
    cli_exit code = results == NULL ? cli_analyze_into(swept->directory, options, &results) : CLI_DONE;
    if (code == CLI_DONE && options->out != NULL)
        code = cli_keep(results, options, &kept);
    if (code == CLI_DONE) {
        cli_keep_for_user(results, options, users_copy);
        code = print_discovered(results, &kept, users_copy, options);
    }
    cm_results_free(results);
    swept->results = NULL;
    return code;
}

/* Sweeps each type of cores and analyses the counts. */
static cli_exit sweep_and_analyze(const char *directory, const cli_options *options)
{
    cli_list benchmarks;
    struct swept swept = {.directory = directory};
    cli_exit code = cli_choose_benchmarks(options, &benchmarks);
    CM_THEN(code, cli_on_cores(directory, options, sweep_cores, &swept));
    if (options->budget > 0.0)
        cli_interrupt_forget();
    if (code == CLI_DONE || code == CLI_PARTLY) {
        const cli_options analyze = to_analyze(options, &benchmarks);
        cli_exit analysed = analyze_and_keep(&swept, &analyze);
        code = analysed != CLI_DONE ? analysed : code;
    }
    cm_results_free(swept.results);
    cli_list_free(&benchmarks);
    return code;
}

cli_exit cli_discover(const cli_options *options)
{
    cli_exit code = check_repetitions(options);
    CM_THEN(code, cli_check_output(options));
    if (code != CLI_DONE)
        return code;
    if (options->out != NULL) {
        code = cli_check_kept(options->out);
        CM_THEN(code, cli_on_cores(options->out, options, cli_check_sweep, NULL));
        CM_THEN(code, sweep_and_analyze(options->out, options));
        cli_note_kept(options->out);
        return code;
    }
    char directory[CLI_PATH_SIZE];
    code = cli_make_temporary(directory);
    if (code != CLI_DONE)
        return code;
    code = sweep_and_analyze(directory, options);
    cli_remove_temporary(directory);
    return code;
}
