/* catmint import: counts of other programs made a sweep directory. */
#include "cli/sweeping.h"

/* Says that the benchmark is not catmint's, so that its analysis needs a basis. */
static cli_exit write_unknown_benchmark(const char *benchmark)
{
    cli_list known = {0};
    cli_exit code = cli_list_benchmarks(&known);
    bool found = false;
    for (size_t i = 0; i < known.count; i++)
        found = found || strcmp(known.items[i], benchmark) == 0;
    if (code == CLI_DONE && !found)
        cli_write("%s is no benchmark of catmint's: 'catmint analyze' takes its table with --basis and --signatures",
                  benchmark);
    cli_list_free(&known);
    return code;
}

/* Imports logs of consoles, and reports the status of each kernel. */
static cli_exit import_consoles(const cli_options *options)
{
    if (options->benchmarks.count != 0 || options->events_column != NULL || options->kernels_column != NULL ||
        options->counts_column != NULL || options->repetition_column != NULL || options->kernel_names.count != 0 ||
        options->kernels_row != 0 || options->separator != '\0' || options->decimal_comma)
        return cli_end(CLI_USAGE, "--console takes no option for the layout of a table");
    const cm_console_import_options import = {.size = sizeof import,
                                              .log_count = options->operands.count,
                                              .logs = options->operands.items,
                                              .directory = options->out,
                                              .name = options->name,
                                              .note = cli_write_note};
    cm_console_import_summary summary;
    cm_error error;
    if (cm_import_console(&import, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    cli_write("%zu table%s in %s: %zu event%s on %zu kernel%s, %zu repetition%s%s", summary.tables,
              summary.tables == 1 ? " is" : "s are", options->out, summary.events, summary.events == 1 ? "" : "s",
              summary.kernels, summary.kernels == 1 ? "" : "s", summary.repetitions,
              summary.repetitions == 1 ? "" : "s",
              summary.deterministic      ? ", which agree: nothing disturbed them"
              : summary.repetitions == 1 ? ": without another, noise is unknown, and only --tau inf keeps the events"
                                         : "");
    if (summary.programs > 0)
        cli_write("%zu %s in %s/%s, against which 'catmint validate' holds definitions", summary.programs,
                  cm_plural(summary.programs, "program is", "programs are"), options->out,
                  cm_validation_directory(CM_STAGE_PROGRAMS));
    return summary.left_out == 0 ? CLI_DONE : CLI_PARTLY;
}

cli_exit cli_import(const cli_options *options)
{
    if (options->out == NULL)
        return cli_end(CLI_USAGE, "import needs --out DIR, a directory for the tables; see 'catmint import --help'");
    if (options->console)
        return import_consoles(options);
    if (options->name != NULL || options->operands.count > 1)
        return cli_end(CLI_USAGE,
                       options->name != NULL ? "--name needs --console" : "expected one TABLE; logs need --console");
    if (options->benchmarks.count > 1)
        return cli_end(CLI_USAGE, "--benchmark: expected one name");
    const char *named = options->benchmarks.count == 1 ? options->benchmarks.items[0] : NULL;
    cli_exit known = named != NULL ? write_unknown_benchmark(named) : CLI_DONE;
    if (known != CLI_DONE)
        return known;
    const cm_table_import_options import = {.size = sizeof import,
                                            .path = options->operands.items[0],
                                            .directory = options->out,
                                            .benchmark = named,
                                            .events_column = options->events_column,
                                            .kernels_column = options->kernels_column,
                                            .counts_column = options->counts_column,
                                            .kernel_count = options->kernel_names.count,
                                            .kernels = options->kernel_names.items,
                                            .repetition_column = options->repetition_column,
                                            .kernels_row = options->kernels_row,
                                            .separator = options->separator,
                                            .decimal_comma = options->decimal_comma,
                                            .note = cli_write_note};
    cm_table_import_summary summary;
    cm_error error;
    if (cm_import_table(&import, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    cli_write("%zu table%s in %s: %zu event%s used, %zu left out", summary.tables,
              summary.tables == 1 ? " is" : "s are", options->out, summary.events, summary.events == 1 ? "" : "s",
              summary.left_out);
    return summary.left_out == 0 ? CLI_DONE : CLI_PARTLY;
}
