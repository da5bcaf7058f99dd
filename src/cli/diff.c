/* catmint diff: the differences between two results. */
#include "cli/command.h"

/* The exit codes of diff: 0 same, 1 different, 2 trouble of any kind. */
static const cli_exit different_results = CLI_PARTLY, trouble = CLI_USAGE;

static cli_exit compare_views(const cm_results_view *before, const cm_results_view *after, cm_output_format format)
{
    bool different = false;
    cm_error error;
    const cm_output_style style = cli_style(format, NULL, stdout);
    cm_status status = cm_results_views_write_difference(before, after, &style, stdout, &different, &error);
    cli_exit code = cli_finish_writing(status, &error);
    return code == CLI_DONE && different ? different_results : code;
}

cli_exit cli_diff(const cli_options *options)
{
    cm_results_view *before = NULL, *after = NULL;
    if (options->operands.count != 2) {
        cli_write("diff needs two results, BEFORE and AFTER; see 'catmint diff --help'");
        return trouble;
    }
    cli_exit code = cli_load_view(options->operands.items[0], &before);
    CM_THEN(code, cli_load_view(options->operands.items[1], &after));
    const cm_results_view *const views[] = {before, after};
    for (size_t i = 0; code == CLI_DONE && i < 2; i++)
        cli_note_not_comparable(options->operands.items[i], cm_results_view_not_comparable(views[i]));
    CM_THEN(code, compare_views(before, after, options->format));
    cm_results_view_free(before);
    cm_results_view_free(after);
    return code == CLI_DONE || code == different_results || code == CLI_INTERRUPTED ? code : trouble;
}
