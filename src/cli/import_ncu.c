/* catmint import of counts of NVIDIA's ncu. */
#include "cli/command.h"

cli_exit cli_import_ncu(const cli_options *options)
{
    if (options->out == NULL)
        return cli_end(CLI_USAGE,
                       "import-ncu needs --out DIR, a directory for the table; see 'catmint import-ncu --help'");
    if (options->benchmarks.count > 1)
        return cli_end(CLI_USAGE, "--benchmark: expected one name");
    const cm_ncu_import_options import = {.size = sizeof import,
                                          .path = options->operands.items[0],
                                          .directory = options->out,
                                          .benchmark =
                                              options->benchmarks.count == 1 ? options->benchmarks.items[0] : NULL,
                                          .iterations = options->iterations,
                                          .note = cli_write_note,
                                          .more_count = options->operands.count - 1,
                                          .more = options->operands.items + 1};
    cm_table_import_summary summary;
    cm_error error;
    if (cm_import_ncu(&import, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    cli_write("a table is in %s: %zu event%s used, %zu left out", options->out, summary.events,
              summary.events == 1 ? "" : "s", summary.left_out);
    return summary.left_out == 0 ? CLI_DONE : CLI_PARTLY;
}
