#include "cli/views.h"

#include <math.h>
#include <sys/stat.h>

#include "cli/analysis.h"
#include "cli/validating.h"

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static cli_exit analyze(const char *path, cm_view **view)
{
    const cli_options usual = {.tau = NAN, .alpha = NAN, .residual = NAN};
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_error error;
    cli_analyze_options(&usual, &analyze);
    if (cm_results_analyze_create(path, &analyze, &results, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cli_judge(path, results);
    if (code == CLI_DONE && cm_view_of_results_create(results, path, view, &error) != CM_OK)
        code = cli_fail(&error);
    cm_results_free(results);
    return code;
}

cli_exit cli_load_view(const char *path, cm_view **view)
{
    cm_error error;
    if (is_directory(path))
        return analyze(path, view);
    return cm_view_load(path, view, &error) == CM_OK ? CLI_DONE : cli_fail(&error);
}
