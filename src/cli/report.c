#include "cli/analysis.h"
#include "cli/views.h"

static cli_exit usage(const char *what)
{
    cli_say("report needs %s; see 'catmint report --help'", what);
    return CLI_USAGE;
}

static cli_exit write_files(cm_view *const *views, const cm_roofline *roofline, const cli_options *options)
{
    cm_error error;
    const cm_page_options page = {options->cpus.items, options->cpus.count, roofline};
    if (cm_views_save_page(views, options->operands.count, &page, options->output, &error) != CM_OK)
        return cli_fail_writing(&error);
    if (options->plots != NULL &&
        cm_views_save_plots(views, options->operands.count, options->plots, NULL, &error) != CM_OK)
        return cli_fail_writing(&error);
    return cli_finish_stdout(CLI_DONE);
}

/* Audits stand beside the first results. */
static cli_exit add_audits(cm_view *view, const cli_options *options)
{
    cm_error error;
    for (size_t i = 0; i < options->audits.count; i++)
        if (cm_view_add_audit(view, options->audits.items[i], &error) != CM_OK)
            return cli_fail(&error);
    return CLI_DONE;
}

static cli_exit load_roofline(const cli_options *options, cm_roofline **roofline)
{
    cm_error error;
    if (options->machine == NULL)
        return CLI_DONE;
    cm_status status = cm_roofline_load(options->machine, roofline, &error);
    for (size_t i = 0; i < options->points.count && status == CM_OK; i++)
        status = cm_roofline_add_points(*roofline, options->points.items[i], &error);
    return status == CM_OK ? CLI_DONE : cli_fail(&error);
}

cli_exit cli_report(const cli_options *options)
{
    cm_view *views[CM_MOST_VIEWS] = {NULL};
    cm_roofline *roofline = NULL;
    if (options->output == NULL)
        return usage("--output FILE, the page to write");
    if (options->operands.count > CM_MOST_VIEWS)
        return usage("one result, or two to compare");
    if (options->points.count > 0 && options->machine == NULL)
        return usage("--machine FILE, the rooflines that --points belong to");
    cli_exit code = cli_check_output(options);
    for (size_t i = 0; i < options->operands.count && code == CLI_DONE; i++)
        code = cli_load_view(options->operands.items[i], &views[i]);
    if (code == CLI_DONE)
        code = add_audits(views[0], options);
    if (code == CLI_DONE)
        code = load_roofline(options, &roofline);
    if (code == CLI_DONE)
        code = write_files(views, roofline, options);
    cm_roofline_free(roofline);
    for (size_t i = 0; i < CM_MOST_VIEWS; i++)
        cm_view_free(views[i]);
    return code;
}
