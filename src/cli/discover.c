#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/analysis.h"
#include "cli/sweeping.h"

enum { OPEN_DIRECTORIES = 8, PATH_SIZE = 4096 };

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static cli_exit make_temporary(char *path, size_t size)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, size, "%s/catmint-XXXXXX", parent != NULL && parent[0] != '\0' ? parent : "/tmp");
    if (length > 0 && (size_t)length < size && mkdtemp(path) != NULL)
        return CLI_DONE;
    cli_say("%s: no temporary directory can be made: %s", path, strerror(errno));
    return CLI_IMPOSSIBLE;
}

/* Said before the sweep, not after it. */
static cli_exit check_repetitions(const cli_options *options)
{
    if (options->repetitions != 1 || (isinf(options->tau) && !options->tau_auto))
        return CLI_DONE;
    cli_say("noise cannot be judged with one repetition, expected --repetitions 2 or more, or --tau inf");
    return CLI_USAGE;
}

static cli_exit sweep_and_analyze(const char *directory, const cli_options *options)
{
    cli_list benchmarks;
    cli_exit code = cli_choose_benchmarks(options, &benchmarks);
    if (code == CLI_DONE)
        code = cli_sweep_into(directory, options, &benchmarks, true);
    if (code == CLI_DONE || code == CLI_PARTLY) {
        cli_options analyze = *options;
        analyze.benchmarks = benchmarks; /* of a directory that holds older ones too, only those just measured */
        cli_exit analysed = cli_analyze_path(directory, &analyze);
        code = analysed != CLI_DONE ? analysed : code;
    }
    cli_list_free(&benchmarks);
    return code;
}

cli_exit cli_discover(const cli_options *options)
{
    cli_exit code = check_repetitions(options);
    if (code == CLI_DONE)
        code = cli_check_output(options);
    if (code != CLI_DONE)
        return code;
    if (options->out != NULL) {
        code = sweep_and_analyze(options->out, options);
        if (code == CLI_DONE || code == CLI_PARTLY)
            cli_say("measurements are in %s; 'catmint analyze %s' reads them again", options->out, options->out);
        return code;
    }
    char directory[PATH_SIZE];
    code = make_temporary(directory, sizeof directory);
    if (code != CLI_DONE)
        return code;
    code = sweep_and_analyze(directory, options);
    if (nftw(directory, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS) != 0)
        cli_say("%s: cannot be removed: %s", directory, strerror(errno));
    return code;
}
