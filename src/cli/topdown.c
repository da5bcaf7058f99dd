#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <catmint/evaluate.h>

#include "cli/command.h"
#include "count/count.h"

/* Writes the values of the table for these counts, as a tree, to stderr or into --output. */
static cli_exit write_tree(const char *table, const char *counts, const cli_options *options)
{
    const cm_evaluate_options wanted = {.size = sizeof wanted,
                                        .formulas = table,
                                        .counts = counts,
                                        .counted = options->operands.items[0],
                                        .tolerance = CM_EVALUATE_TOLERANCE};
    const cm_output_style style = cli_style(options->values, options->output, stderr);
    cm_evaluation *evaluation = NULL;
    cm_error error;
    cm_status status = cm_evaluation_create(&wanted, &evaluation, &error);
    CM_THEN(status, options->output != NULL ? cm_evaluation_save(evaluation, &style, options->output, &error)
                                            : cm_evaluation_write(evaluation, &style, stderr, &error));
    if (status == CM_OK)
        cli_say_faults(evaluation);
    cm_evaluation_free(evaluation);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

/* Counts the command into a temporary file, and prints the tree of it. */
static cli_exit count_tree(const cli_options *options, const char *table)
{
    char directory[CLI_PATH_SIZE], counts[CLI_PATH_SIZE + sizeof "/program.json"];
    cli_options chosen = *options;
    cli_exit code = cli_make_temporary(directory);
    if (code != CLI_DONE)
        return CLI_COUNT_FAILED;
    snprintf(counts, sizeof counts, "%s/program.json", directory);
    chosen.tree = true;
    chosen.formulas = table;
    chosen.output = counts;
    chosen.values = CM_FORMAT_JSON;
    code = cli_count(&chosen);
    if (access(counts, F_OK) == 0 && write_tree(table, counts, options) != CLI_DONE)
        code = CLI_COUNT_FAILED;
    cli_remove_temporary(directory);
    return code;
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
        cli_say("the model %s counts, since no counters of this processor are read (--pmu software:MODEL: another one)",
                chosen.pmu.model);
    cli_exit code = status == CM_OK ? count_tree(&chosen, table) : CLI_COUNT_FAILED;
    free(table);
    return code;
}
