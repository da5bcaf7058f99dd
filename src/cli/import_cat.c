/* catmint import of outputs of PAPI's Counter Analysis Toolkit. */
#include "cli/command.h"

cli_exit cli_import_cat(const cli_options *options)
{
    if (options->out == NULL)
        return cli_end(CLI_USAGE,
                       "import-cat needs --out DIR, a directory for the tables; see 'catmint import-cat --help'");
    const cm_import_options import = {.size = sizeof import,
                                      .sources = options->operands.items,
                                      .source_count = options->operands.count,
                                      .directory = options->out,
                                      .note = cli_write_note};
    cm_import_summary summary;
    cm_error error;
    if (cm_import_cat(&import, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    cli_write("%zu %s in %s: %zu %s used, %zu left out, %zu %s", summary.tables,
              cm_plural(summary.tables, "table is", "tables are"), options->out, summary.used,
              cm_plural(summary.used, "event", "events"), summary.left_out, summary.repetitions,
              cm_plural(summary.repetitions, "repetition", "repetitions"));
    return summary.left_out == 0 && summary.repetitions == options->operands.count ? CLI_DONE : CLI_PARTLY;
}
