#include "cli/keep.h"

#include <stdio.h>

static bool join(const cli_options *options, const char *name, char path[CLI_PATH_SIZE])
{
    return (size_t)snprintf(path, CLI_PATH_SIZE, "%s/%s", options->out, name) < CLI_PATH_SIZE;
}

static cm_status save_page(const cm_results *results, const cli_options *options, const char *path, cm_error *error)
{
    const cm_page_options page = {.cpus = options->cpus.items, .cpu_count = options->cpus.count};
    cm_view *view = NULL;
    cm_status status = cm_view_of_results_create(results, options->out, &view, error);
    if (status == CM_OK)
        status = cm_views_save_page(&view, 1, &page, path, error);
    cm_view_free(view);
    return status;
}

/* Where neither --cpu nor the events' names say which PMU it is, the word PMU stands for it. */
static cm_status save_presets(const cm_results *results, const cli_options *options, cli_kept *kept, cm_error *error)
{
    static const char *const unnamed[] = {"PMU"};
    cm_export_options export = {.format = "papi", .cpus = options->cpus.items, .cpu_count = options->cpus.count};
    cm_definitions *definitions = NULL;
    cm_export_summary summary = {0};
    cm_status status = cm_definitions_from_results_create(results, &definitions, error);
    if (status == CM_OK)
        status = cm_export_save(definitions, &export, kept->presets, &summary, error);
    kept->named = status == CM_OK;
    if (definitions != NULL && status == CM_BAD_ARGUMENT && export.cpu_count == 0) {
        export.cpus = unnamed;
        export.cpu_count = 1;
        status = cm_export_save(definitions, &export, kept->presets, &summary, error);
    }
    kept->written = summary.written;
    cm_definitions_free(definitions);
    return status;
}

cli_exit cli_keep(const cm_results *results, const cli_options *options, cli_kept *kept)
{
    const cm_style json = {.format = CM_FORMAT_JSON};
    cm_error error;
    if (!join(options, "results.json", kept->results) || !join(options, "report.html", kept->page) ||
        !join(options, "presets.csv", kept->presets)) {
        cli_say("%s: the path is too long", options->out);
        return CLI_IMPOSSIBLE;
    }
    cm_status status = cm_results_save(results, &json, kept->results, &error);
    if (status == CM_OK)
        status = save_page(results, options, kept->page, &error);
    if (cm_results_not_comparable(results) != NULL)
        kept->presets[0] = '\0';
    else if (status == CM_OK)
        status = save_presets(results, options, kept, &error);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}
