/* catmint export: definitions as files of other programs. */
#include "cli/command.h"

/* The error in the options, for a message; NULL: there is none. */
static const char *find_lack(const cli_options *options)
{
    const cm_export_format *to = &options->to;
    bool papi = to->name != NULL && strcmp(to->name, "papi") == 0;
    if (to->name == NULL)
        return "--to FORMAT, the format to write";
    if (to->directory && options->output == NULL)
        return "--output DIR, a directory for LIKWID's groups";
    if (options->cpus.count > 0 && !to->takes_cpus)
        return "--to papi, papi-user or rocprofv3 with --cpu";
    if (options->patch != NULL && (!papi || options->cpus.count == 0))
        return "--to papi and --cpu PMU with --patch";
    if (options->patch != NULL && options->output != NULL)
        return "no --output with --patch, which writes to stdout";
    if (options->install && (!papi || options->patch != NULL))
        return "--to papi and no --patch with --install";
    if (options->replace && !options->install)
        return "--install with --replace";
    if (options->counters > 0 && !to->takes_counters)
        return "--to likwid with --counters";
    return NULL;
}

/* CLI_PARTLY if a definition is not in the output, an error if none is; a patch may change nothing. */
static cli_exit finish_export(const cm_export_summary *summary, const cli_options *options)
{
    const bool lacking = summary->refused + summary->left_out > 0;
    if (summary->left_out > 0)
        cli_write("%zu %s left out; --all exports %s too", summary->left_out,
                  cm_plural(summary->left_out, "definition is not composable and was",
                            "definitions are not composable and were"),
                  cm_plural(summary->left_out, "it", "them"));
    if (summary->refused > 0)
        cli_write("%zu %s in %s, %zu %s refused", summary->written,
                  cm_plural(summary->written, "definition is", "definitions are"),
                  options->install          ? "the table"
                  : options->output != NULL ? options->output
                                            : "the output",
                  summary->refused, cm_plural(summary->refused, "was", "were"));
    if (lacking && summary->written == 0 && options->patch == NULL)
        return cli_end(CLI_BAD_INPUT, "%s: none of its %zu %s could be exported", options->operands.items[0],
                       summary->refused + summary->left_out,
                       cm_plural(summary->refused + summary->left_out, "definition", "definitions"));
    return lacking ? CLI_PARTLY : CLI_DONE;
}

/* Distinguishes a wrong list of events from a failure to write. */
static cli_exit fail_export(cm_status status, const cm_error *error)
{
    return status == CM_BAD_INPUT ? cli_fail(error) : cli_fail_writing(error);
}

/* Writes the definitions, or a patch of a table, to stdout. */
static cli_exit print_definitions(const cm_definitions *definitions, const cli_options *options,
                                  const cm_export_options *export, cm_export_summary *summary)
{
    cm_error error;
    cm_status status = options->patch != NULL
                           ? cm_export_patch(definitions, export, options->patch, stdout, summary, &error)
                           : cm_export_write(definitions, export, stdout, summary, &error);
    if (status != CM_OK)
        clearerr(stdout); /* the error is reported here */
    return status == CM_OK ? CLI_DONE : fail_export(status, &error);
}

/* Loads the definitions and exports them as the options say. */
static cli_exit export_definitions(const cli_options *options, const cm_export_options *export)
{
    cm_error error;
    cm_export_summary summary = {0};
    cm_definitions *definitions = NULL;
    if (cm_definitions_load(options->operands.items[0], &definitions, &error) != CM_OK)
        return cli_fail(&error);
    /* Definitions for types of cores name their PMUs. A list of events or a table may be of a new processor. */
    const bool named = cm_definitions_core_count(definitions) > 0 || options->known_events != NULL ||
                       options->patch != NULL || strncmp(options->to.name, "papi", 4) != 0;
    cli_exit code = named ? CLI_DONE : cli_check_cpus(options);
    if (code != CLI_DONE) {
        cm_definitions_free(definitions);
        return code;
    }
    if (options->install) {
        code = cli_install_presets(definitions, options, export, &summary);
    } else if (options->output == NULL) {
        code = print_definitions(definitions, options, export, &summary);
    } else {
        cm_status status = cm_export_save(definitions, export, options->output, &summary, &error);
        code = status == CM_OK ? CLI_DONE : fail_export(status, &error);
    }
    if (code == CLI_DONE || code == CLI_PARTLY) {
        cli_exit rest = finish_export(&summary, options);
        code = cli_finish_stdout(code == CLI_DONE ? rest : code);
    }
    cm_definitions_free(definitions);
    return code;
}

cli_exit cli_export(const cli_options *options)
{
    const cm_export_format *to = &options->to;
    const char *lack = find_lack(options);
    if (lack != NULL)
        return cli_end(CLI_USAGE, "export needs %s; see 'catmint export --help'", lack);
    cm_export_options export = {.size = sizeof export,
                                .format = to->name,
                                .cpus = options->cpus.items,
                                .cpu_count = options->cpus.count,
                                .counters = options->counters,
                                .max_events = options->max_events,
                                .multiplex = options->multiplex,
                                .known_events = options->known_events,
                                .core = options->core,
                                .all = options->all,
                                .note = cli_write_note};
    /* A directory is made if it is missing, and --install checks its file itself. */
    cli_exit code = to->directory || options->install ? CLI_DONE : cli_check_output(options);
    return code == CLI_DONE ? export_definitions(options, &export) : code;
}
