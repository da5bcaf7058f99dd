#include "cli/command.h"

/* Analyses the path with default options. */
static cli_exit analyze_view(const char *path, cm_results_view **view)
{
    const cli_options usual = {.tau = NAN, .alpha = NAN, .residual = NAN};
    cm_results *results = NULL;
    cm_error error;
    cli_exit code = cli_analyze_into(path, &usual, &results);
    if (code == CLI_DONE && cm_results_view_create(results, path, view, &error) != CM_OK)
        code = cli_fail(&error);
    cm_results_free(results);
    return code;
}

cli_exit cli_load_view(const char *path, cm_results_view **view)
{
    cm_error error;
    if (cm_path_is_directory(path))
        return analyze_view(path, view);
    return cm_results_view_load(path, view, &error) == CM_OK ? CLI_DONE : cli_fail(&error);
}
