/* catmint explain: all that is known of an event or a metric. */
#include "cli/command.h"
#include "count/count.h"

/* Analyses the path and prints the explanation of a metric or event. */
static cli_exit explain_results(const char *path, const cm_explain_question *question, const cli_options *options)
{
    cm_error error;
    cm_results *results = NULL;
    cli_exit code = cli_analyze_into(path, options, &results);
    if (code != CLI_DONE)
        return code;
    cli_note_not_comparable(path, cm_results_not_comparable(results));
    const cm_output_style style = cli_style(options->format, NULL, stdout);
    cm_status status = cm_results_explain(results, question, &style, stdout, &error);
    cm_results_free(results);
    if (status == CM_OK)
        return CLI_DONE;
    if (status == CM_IO) {
        clearerr(stdout); /* the error is reported below */
        return cli_fail_writing(&error);
    }
    cli_exit failed = cli_fail(&error);
    if (!question->metric) {
        cm_synonym synonym;
        if (cm_synonym_find(question->name, &synonym, NULL) == CM_OK && synonym.note[0] != '\0' &&
            synonym.counts[0] == '\0')
            cli_write("%s: %s", question->name, synonym.note);
    }
    return failed;
}

cli_exit cli_explain(const cli_options *options)
{
    const cli_list *operands = &options->operands;
    bool metric = options->metric != NULL;
    if (metric ? operands->count != 1 : operands->count < 2)
        return cli_end(CLI_USAGE,
                       "explain needs EVENT and DIR, or --metric NAME and DIR; see 'catmint explain --help'");
    const char *path = operands->items[operands->count - 1];
    if (metric)
        return explain_results(
            path, &(cm_explain_question){.name = options->metric, .metric = true, .whole = options->verbose}, options);
    const cm_explain_question question = {operands->items[0], false, operands->count - 2, operands->items + 1,
                                          options->verbose};
    return explain_results(path, &question, options);
}
