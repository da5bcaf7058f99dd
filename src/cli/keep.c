#include "cli/sweeping.h"

/* The source of the files. */
struct keeping {
    const cm_results *results;
    const cli_options *options;
    cli_kept *kept;
};

static cm_status save_kept_results(const char *path, void *data, cm_error *error)
{
    const struct keeping *keeping = data;
    const cm_output_style json = {.format = CM_FORMAT_JSON};
    return cm_results_save(keeping->results, &json, path, error);
}

/* Writes the page of the results. */
static cm_status save_kept_page(const char *path, void *data, cm_error *error)
{
    const struct keeping *keeping = data;
    const cli_options *options = keeping->options;
    const cm_page_options page = {.size = sizeof page, .cpus = options->cpus.items, .cpu_count = options->cpus.count};
    cm_results_view *view = NULL;
    cm_status status = cm_results_view_create(keeping->results, options->out, &view, error);
    CM_THEN(status, cm_results_views_save_page(&view, 1, &page, path, error));
    cm_results_view_free(view);
    return status;
}

/* Writes the presets; "PMU" stands for the PMU if neither --cpu nor the events' names tell it. */
static cm_status save_presets(const char *path, void *data, cm_error *error)
{
    static const char *const unnamed[] = {"PMU"};
    const struct keeping *keeping = data;
    const cli_options *options = keeping->options;
    cm_export_options export = {
        .size = sizeof export, .format = "papi", .cpus = options->cpus.items, .cpu_count = options->cpus.count};
    cm_definitions *definitions = NULL;
    cm_export_summary summary = {0};
    cm_status status = cm_definitions_from_results_create(keeping->results, &definitions, error);
    CM_THEN(status, cm_export_save(definitions, &export, path, &summary, error));
    keeping->kept->named = status == CM_OK;
    if (definitions != NULL && status == CM_BAD_ARGUMENT && export.cpu_count == 0) {
        export.cpus = unnamed;
        export.cpu_count = 1;
        status = cm_export_save(definitions, &export, path, &summary, error);
    }
    keeping->kept->written = summary.written;
    cm_definitions_free(definitions);
    return status;
}

static const cm_kept_file files[] = {
    {"results.json", save_kept_results}, {"report.html", save_kept_page}, {"presets.csv", save_presets}};
enum { FILES = sizeof files / sizeof files[0] };

cli_exit cli_check_kept(const char *directory)
{
    cm_error error;
    return cm_kept_check(directory, files, FILES, &error) == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

cli_exit cli_keep(const cm_results *results, const cli_options *options, cli_kept *kept)
{
    cm_error error;
    struct keeping keeping = {results, options, kept};
    char *const paths[FILES] = {kept->results, kept->page, kept->presets};
    for (size_t i = 0; i < FILES; i++)
        if (snprintf(paths[i], CLI_PATH_SIZE, "%s/%s", options->out, files[i].name) >= CLI_PATH_SIZE)
            return cli_end(CLI_IMPOSSIBLE, "%s: the path is too long", options->out);
    const bool comparable = cm_results_not_comparable(results) == NULL; /* otherwise no presets are written */
    if (!comparable)
        kept->presets[0] = '\0';
    cm_status status = cm_kept_save(options->out, files, comparable ? FILES : FILES - 1, &keeping, &error);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

void cli_note_kept(const char *path)
{
    cm_kept_state state = CM_KEPT_CURRENT;
    char *names = NULL;
    cm_error error;
    if (cm_kept_look(path, &state, &names, &error) != CM_OK)
        return; /* the reader runs out of memory too, and reports that */
    if (state == CM_KEPT_EARLIER)
        cli_write("%s: an earlier sweep than the one here led to %s: 'catmint discover' replaces what it wrote", path,
                  names);
    else if (state == CM_KEPT_INTERRUPTED)
        cli_write("%s: catmint was interrupted while it replaced %s: run 'catmint discover' again", path, names);
    free(names);
}
