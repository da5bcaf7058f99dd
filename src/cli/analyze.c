/* catmint analyze: the results of a sweep, of several, or of a table. */
#include "cli/command.h"

/* Says a note unless it is about the directory, which goes with the command: nobody can finish the sweep in it. */
static void write_other_message(const char *text, void *directory)
{
    if (strncmp(text, directory, strlen(directory)) != 0)
        cli_write_note(text, NULL);
}

cli_exit cli_analyze_into(const char *path, const cli_options *options, cm_results **results)
{
    cm_analyze_options analyze;
    cli_analyze_options(options, &analyze);
    if (cli_is_temporary(path)) {
        analyze.note = write_other_message;
        analyze.note_data = (void *)(uintptr_t)path;
    }
    cm_error error;
    if (cm_results_analyze_create(path, &analyze, results, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cli_judge(path, *results);
    if (code != CLI_DONE) {
        cm_results_free(*results);
        *results = NULL;
    }
    return code;
}

cli_exit cli_analyze_path(const char *path, const cli_options *options)
{
    cm_results *results = NULL;
    cli_exit code = cli_analyze_into(path, options, &results);
    CM_THEN(code, cli_print_results(results, options));
    cm_results_free(results);
    return code;
}

/* Joins several sweeps in a temporary directory and analyses that. */
static cli_exit analyze_joined(const cli_list *directories, const cli_options *options)
{
    char joined[CLI_PATH_SIZE];
    cm_error error;
    cli_exit code = cli_make_temporary(joined);
    if (code != CLI_DONE)
        return code;
    bool hybrid = false;
    code = cli_merge_cores(directories, joined, &hybrid);
    if (code == CLI_DONE && !hybrid &&
        cm_merge_sweeps(directories->items, directories->count, joined, NULL, &error) != CM_OK)
        code = cli_fail_writing(&error);
    CM_THEN(code, cli_analyze_path(joined, options));
    cli_remove_temporary(joined);
    return code;
}

cli_exit cli_analyze(const cli_options *options)
{
    cli_list directories = {0};
    cli_exit code = cli_check_output(options);
    CM_THEN(code, cli_find_directories(&options->operands, &directories));
    CM_THEN(code, directories.count == 1 ? cli_analyze_path(directories.items[0], options)
                                         : analyze_joined(&directories, options));
    cli_directories_free(&directories);
    return code;
}
