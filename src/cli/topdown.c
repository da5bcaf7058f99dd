/* catmint topdown: the tree of where a command's slots went. */
#include "cli/command.h"
#include "count/count.h"

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
    chosen.tree = true;
    chosen.formulas = table;
    cli_exit code = status == CM_OK ? cli_count(&chosen) : CLI_COUNT_FAILED;
    free(table);
    return code;
}
