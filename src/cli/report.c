/* catmint report: results as a page, and plots. */
#include "cli/command.h"

static cli_exit refuse_report(const char *needed)
{
    return cli_end(CLI_USAGE, "report needs %s; see 'catmint report --help'", needed);
}

/* The content of a page. */
typedef struct contents {
    cm_results_view *views[CM_MOST_VIEWS];
    cm_roofline *roofline;
    cm_formula_values **values;
} contents;

/* Writes the page, and the plots if --plots asks for them. */
static cli_exit write_files(const contents *page, const cli_options *options)
{
    cm_error error;
    const cm_page_options wanted = {.size = sizeof wanted,
                                    .cpus = options->cpus.items,
                                    .cpu_count = options->cpus.count,
                                    .part = cm_roofline_page_part(page->roofline),
                                    .values = (const cm_formula_values *const *)page->values,
                                    .value_count = options->shown.count};
    if (cm_results_views_save_page(page->views, options->operands.count, &wanted, options->output, &error) != CM_OK)
        return cli_fail_writing(&error);
    if (options->plots != NULL && cm_results_views_save_plots(page->views, options->operands.count, &wanted,
                                                              options->plots, NULL, &error) != CM_OK)
        return cli_fail_writing(&error);
    return cli_finish_stdout(CLI_DONE);
}

/* Loads the documents of values. */
static cli_exit load_values(const cli_options *options, cm_formula_values ***values)
{
    cm_error error;
    *values = calloc(options->shown.count + 1, sizeof **values);
    if (*values == NULL)
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    for (size_t i = 0; i < options->shown.count; i++)
        if (cm_formula_values_load(options->shown.items[i], &(*values)[i], &error) != CM_OK)
            return cli_fail(&error);
    return CLI_DONE;
}

/* Adds the audits, which are shown beside the first results. */
static cli_exit add_audits(cm_results_view *view, const cli_options *options)
{
    cm_error error;
    for (size_t i = 0; i < options->audits.count; i++)
        if (cm_results_view_add_audit(view, options->audits.items[i], &error) != CM_OK)
            return cli_fail(&error);
    return CLI_DONE;
}

/* Loads the roofline and its points; NULL without --machine. */
static cli_exit load_roofline(const cli_options *options, cm_roofline **roofline)
{
    cm_error error;
    if (options->machine == NULL)
        return CLI_DONE;
    cm_status status = cm_roofline_load(options->machine, roofline, &error);
    for (size_t i = 0; i < options->points.count && status == CM_OK; i++)
        status = cm_roofline_add_points(*roofline, options->points.items[i], &error);
    if (status != CM_OK)
        return cli_fail(&error);
    cli_write_warnings(*roofline);
    return CLI_DONE;
}

static void free_contents(contents *page, const cli_options *options)
{
    for (size_t i = 0; i < options->shown.count && page->values != NULL; i++)
        cm_formula_values_free(page->values[i]);
    free(page->values);
    cm_roofline_free(page->roofline);
    for (size_t i = 0; i < CM_MOST_VIEWS; i++)
        cm_results_view_free(page->views[i]);
}

cli_exit cli_report(const cli_options *options)
{
    contents page = {0};
    if (options->output == NULL)
        return refuse_report("--output FILE, the page to write");
    if (options->operands.count > CM_MOST_VIEWS)
        return refuse_report("one result, or two to compare");
    if (options->points.count > 0 && options->machine == NULL)
        return refuse_report("--machine FILE, the rooflines that --points belong to");
    cli_exit code = cli_check_output(options);
    for (size_t i = 0; i < options->operands.count && code == CLI_DONE; i++)
        code = cli_load_view(options->operands.items[i], &page.views[i]);
    CM_THEN(code, add_audits(page.views[0], options));
    CM_THEN(code, load_roofline(options, &page.roofline));
    CM_THEN(code, load_values(options, &page.values));
    CM_THEN(code, write_files(&page, options));
    free_contents(&page, options);
    return code;
}
