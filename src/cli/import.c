#include <stddef.h>

#include "cli/command.h"

cli_exit cli_import(const cli_options *options)
{
    if (options->out == NULL) {
        cli_say("import needs --out DIR, a directory for the tables; see 'catmint import --help'");
        return CLI_USAGE;
    }
    if (options->benchmarks.count > 1) {
        cli_say("--benchmark: expected one name");
        return CLI_USAGE;
    }
    const cm_table_import_options import = {.path = options->operands.items[0],
                                            .directory = options->out,
                                            .benchmark =
                                                options->benchmarks.count == 1 ? options->benchmarks.items[0] : NULL,
                                            .events_column = options->events_column,
                                            .kernels_column = options->kernels_column,
                                            .counts_column = options->counts_column,
                                            .kernel_count = options->kernel_names.count,
                                            .kernels = options->kernel_names.items,
                                            .repetition_column = options->repetition_column,
                                            .kernels_row = options->kernels_row,
                                            .separator = options->separator,
                                            .decimal_comma = options->decimal_comma,
                                            .note = cli_say_note};
    cm_table_import_summary summary;
    cm_error error;
    if (cm_import_table(&import, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    cli_say("%zu table%s in %s: %zu event%s used, %zu left out", summary.tables, summary.tables == 1 ? " is" : "s are",
            options->out, summary.events, summary.events == 1 ? "" : "s", summary.left_out);
    return summary.left_out == 0 ? CLI_DONE : CLI_PARTLY;
}
