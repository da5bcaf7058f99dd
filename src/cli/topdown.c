/* catmint topdown: the tree of where a command's slots went. */
#include "cli/command.h"
#include "count/count.h"

/* Counts the command, and writes the tree of the table alone. */
static cli_exit count_tree(const cli_options *options, const char *table)
{
    cli_options chosen = *options;
    chosen.tree = true;
    chosen.formulas = table;
    return cli_count(&chosen);
}

cli_exit cli_topdown(const cli_options *options)
{
    cli_options chosen = *options;
    char model[CM_TOPDOWN_MODEL], *table = NULL;
    cm_error error;
    if (cli_check_output(options) != CLI_DONE)
        return CLI_COUNT_FAILED;
    chosen.pmu.core = options->core;
    cm_status status = cm_topdown_choose(&chosen.pmu, options->operands.items[0], model, &table, &error);
    if (status != CM_OK)
        cli_fail(&error);
    else if (chosen.pmu.kind == CM_PMU_SOFTWARE && options->pmu.model == NULL)
        cli_write(
            "the model %s counts, since no counters of this processor are read (--pmu software:MODEL: another one)",
            chosen.pmu.model);
    cli_exit code = status == CM_OK ? count_tree(&chosen, table) : CLI_COUNT_FAILED;
    free(table);
    return code;
}
