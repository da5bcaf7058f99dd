/* Options for counting programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { MOST_REPETITIONS = 10000, LEAST_MS = 10, MOST_MS = 86400000 };

static bool set_metrics(cli_options *options, const char *name, const char *argument)
{
    return cli_split(&options->metrics, name, argument, "names of metrics, as in 'DP Ops.,Branches'");
}

static bool set_event_names(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->events, argument)
                               : cli_wrong(name, argument, "the name of an event");
}

static bool set_all(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->all = true;
    return true;
}

static bool set_results(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->results, name, argument);
}

static bool set_formulas(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->formulas, name, argument);
}

static bool set_repeat(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, MOST_REPETITIONS, &options->repetitions) ||
           cli_wrong(name, argument, "a number from 1 to 10000");
}

static bool set_per_thread(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->per_thread = true;
    return true;
}

static bool set_multiplex(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->multiplex = true;
    return true;
}

static bool set_regions(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->regions = true;
    return true;
}

static bool set_interval(cli_options *options, const char *name, const char *argument)
{
    size_t milliseconds = 0;
    if (!cli_read_count(argument, LEAST_MS, MOST_MS, &milliseconds))
        return cli_wrong(name, argument, "milliseconds, 10 or more");
    options->interval = (double)milliseconds / 1000.0;
    return true;
}

static bool set_process(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, INT32_MAX, &options->process) ||
           cli_wrong(name, argument, "the number of a process");
}

const cli_option cli_count_options[] = {
    {"results", CLI_COUNT, "FILE", "results with definitions, as 'catmint analyze --format json' writes them",
     set_results},
    {"results", CLI_INCORE, "FILE",
     "also count what memory reads and writes for loads and stores, by Memory Read Bytes, Memory Write Bytes or Memory "
     "Bytes of these results",
     set_results},
    {"metrics", CLI_COUNT, "LIST", "metrics or presets, separated by commas (default: all that are composable)",
     set_metrics},
    {"all", CLI_COUNT, NULL, "also count metrics that are not composable, with their errors", set_all},
    {"events", CLI_COUNT, "EVENT", "also count this event; may be repeated", set_event_names},
    {"formulas", CLI_COUNT, "FILE",
     "also count what the formulas of this file need, for 'catmint evaluate'; without --metrics no others",
     set_formulas},
    {"repeat", CLI_COUNT, "N", "run the command N times (default 1)", set_repeat},
    {"per-thread", CLI_COUNT, NULL, "also count each thread by itself", set_per_thread},
    {"interval", CLI_COUNT, "MS", "also count each interval of so many milliseconds by itself", set_interval},
    {"multiplex", CLI_COUNT, NULL, "let events take turns where the counters do not suffice (default: several runs)",
     set_multiplex},
    {"regions", CLI_COUNT, NULL, "count the regions that the program names by cm_count_start and cm_count_stop",
     set_regions},
    {"process", CLI_COUNT, "PID", "count a process that runs already, until it ends, COMMAND ends or Ctrl-C; short: -p",
     set_process},
};
const size_t cli_count_option_count = sizeof cli_count_options / sizeof cli_count_options[0];
