/* Options for the analysis of measurements. */
#include <math.h>
#include <string.h>

#include "cli/options.h"
#include "cli/terminal.h"

enum { MOST_EVENTS = 64 };

static bool set_basis(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->basis, name, argument);
}

static bool set_signatures(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->signatures, name, argument);
}

static bool set_controls(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->controls, name, argument);
}

static bool set_tau(cli_options *options, const char *name, const char *argument)
{
    options->tau_auto = strcmp(argument, "auto") == 0;
    if (strcmp(argument, "inf") == 0)
        options->tau = INFINITY;
    else if (!options->tau_auto && !(cli_read_number(argument, &options->tau) && options->tau >= 0.0))
        return cli_wrong(name, argument, "0 or more, inf to keep every event, or auto to choose it from the data");
    return true;
}

static bool set_alpha(cli_options *options, const char *name, const char *argument)
{
    options->alpha_auto = strcmp(argument, "auto") == 0;
    if (options->alpha_auto ||
        (cli_read_number(argument, &options->alpha) && options->alpha > 0.0 && options->alpha < 1.0))
        return true;
    return cli_wrong(name, argument, "more than 0 and less than 1, or auto to choose it from the data");
}

static bool set_residual(cli_options *options, const char *name, const char *argument)
{
    if (cli_read_number(argument, &options->residual) && options->residual >= 0.0 && options->residual < 1.0)
        return true;
    return cli_wrong(name, argument, "0 or more and less than 1");
}

static bool set_avoid(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->avoid, argument)
                               : cli_wrong(name, argument, "the name of an event");
}

static bool set_only(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->only, argument)
                               : cli_wrong(name, argument, "a pattern of events, as in 'BR_*'");
}

static bool set_max_events(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, MOST_EVENTS, &options->max_events) ||
           cli_wrong(name, argument, "a number from 1 to 64");
}

static bool set_method(cli_options *options, const char *name, const char *argument)
{
    static const char *const words[] = {[CM_METHOD_CATMINT] = "catmint", [CM_METHOD_PAPER] = "paper"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argument, words[i]) == 0) {
            options->method = (cm_method)i;
            return true;
        }
    return cli_wrong(name, argument, "catmint or paper");
}

static bool set_with_offset(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->with_offset_events = true;
    return true;
}

static bool set_format(cli_options *options, const char *name, const char *argument)
{
    if (strcmp(argument, "table") == 0)
        options->format = CM_FORMAT_TABLE;
    else if (strcmp(argument, "json") == 0)
        options->format = CM_FORMAT_JSON;
    else
        return cli_wrong(name, argument, "table or json");
    return true;
}

/* Sets the events that the output lists. */
static bool set_events_detail(cli_options *options, const char *name, const char *argument)
{
    static const char *const words[] = {
        [CM_EVENTS_ALL] = "all", [CM_EVENTS_KEPT] = "kept", [CM_EVENTS_SELECTED] = "selected"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argument, words[i]) == 0) {
            options->events_detail = (cm_events_detail)i;
            return true;
        }
    return cli_wrong(name, argument, "selected, kept or all");
}

static bool set_against(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->against, name, argument);
}

static bool set_map(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->map, name, argument);
}

static bool set_section(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "a pattern, as in 'skx'");
    options->section = argument;
    return true;
}

static bool set_upstream(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->upstream, name, argument);
}

static bool set_counts(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->counts, argument) : cli_wrong(name, argument, "a path");
}

static bool set_tolerance(cli_options *options, const char *name, const char *argument)
{
    if (cli_read_number(argument, &options->tolerance) && options->tolerance >= 0.0 && options->tolerance < 1.0)
        return true;
    return cli_wrong(name, argument, "0 or more and less than 1");
}

/* Finds one of the formats of tables. */
static bool find_format(const char *argument, cm_format *format)
{
    static const char *const formats[] = {
        [CM_FORMAT_TABLE] = "table", [CM_FORMAT_CSV] = "csv", [CM_FORMAT_JSON] = "json"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(argument, formats[i]) == 0) {
            *format = (cm_format)i;
            return true;
        }
    return false;
}

static bool set_values(cli_options *options, const char *name, const char *argument)
{
    return find_format(argument, &options->values) || cli_wrong(name, argument, "table, csv or json");
}

static bool set_drawn_values(cli_options *options, const char *name, const char *argument)
{
    if (strcmp(argument, "svg") == 0)
        options->values = CM_FORMAT_SVG;
    else if (!find_format(argument, &options->values))
        return cli_wrong(name, argument, "table, csv, json or svg");
    return true;
}

static bool set_metric(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "the name of a metric, as in 'DP Ops.'");
    options->metric = argument;
    return true;
}

static bool set_root(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->root, name, argument);
}

static bool set_verify(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->verify = true;
    return true;
}

static bool set_verbose(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->verbose = true;
    return true;
}

static bool set_confounded(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->confounded = true;
    return true;
}

/* Sets --color. */
static bool set_colour(cli_options *options, const char *name, const char *argument)
{
    static const char *const words[] = {
        [CLI_COLOUR_AUTO] = "auto", [CLI_COLOUR_ALWAYS] = "always", [CLI_COLOUR_NEVER] = "never"};
    (void)options;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argument, words[i]) == 0) {
            cli_choose_colour((cli_colouring)i);
            return true;
        }
    return cli_wrong(name, argument, "auto, always or never");
}

const cli_option cli_analysis_options[] = {
    {"basis", CLI_JUDGES, "FILE", "use this basis instead of the benchmark's", set_basis},
    {"signatures", CLI_JUDGES, "FILE", "use these signatures instead of the benchmark's", set_signatures},
    {"controls", CLI_JUDGES, "FILE",
     "with --basis: a file like that, of kernels that are not fitted, but hold definitions to what they do",
     set_controls},
    {"tau", CLI_JUDGES, "X",
     "drop events with more noise than X; inf keeps all, auto chooses X from the data (default: the benchmark's)",
     set_tau},
    {"alpha", CLI_JUDGES, "X", "rounding tolerance; auto chooses it from the data (default: the benchmark's)",
     set_alpha},
    {"residual", CLI_JUDGES, "X", "tolerated misfit of events and metrics (default: the benchmark's)", set_residual},
    {"avoid", CLI_ANALYZES, "EVENT", "make definitions without this event; may be repeated", set_avoid},
    {"only", CLI_ANALYZES, "GLOB", "make definitions only of events that match; may be repeated", set_only},
    {"max-events", CLI_ANALYZES, "K", "also find the best definition with at most K events", set_max_events},
    {"method", CLI_ANALYZES, "NAME", "paper: find and judge definitions by the paper's rules (default catmint)",
     set_method},
    {"with-offset", CLI_ANALYZES, NULL, "also use events that count a constant per iteration", set_with_offset},
    {"with-overhead", CLI_ANALYZES, NULL, NULL, set_with_offset},
    {"verbose", CLI_DISCOVER, NULL, "print all definitions and what became of events, not only a summary", set_verbose},
    {"format", CLI_PRINTS | CLI_DIFF, "FORMAT", "table or json (default table)", set_format},
    {"events-detail", CLI_WRITES, "WHICH", "events listed in JSON: selected, kept or all (default all)",
     set_events_detail},
    {"against", CLI_AUDIT, "PATH",
     "what the events count: a sweep's directory, a measurement table FILE.csv, or results in JSON; required",
     set_against},
    {"map", CLI_AUDIT, "FILE", "table that names the signature of each metric: metric,signature; patterns are allowed",
     set_map},
    {"section", CLI_AUDIT, "GLOB", "only formulas whose section (PAPI's CPU) or group matches", set_section},
    {"upstream", CLI_AUDIT, "DIR",
     "audit a checkout of perf's pmu-events, perfmon, LIKWID or PAPI: its files for the results' processor",
     set_upstream},
    {"counts", CLI_EVALUATE, "FILE",
     "table of counts: event,<run>,<run>..., or what 'catmint count --format json' writes; required, but not by svg. "
     "May be repeated: each is a run then, called after its file, or NAME where NAME=FILE is given",
     set_counts},
    {"tolerance", CLI_EVALUATE, "X", "how far the sum of a metric's parts may be off (default 0.01)", set_tolerance},
    {"format", CLI_EVALUATE, "FORMAT", "table, csv, json, or svg: hierarchies drawn (default table)", set_drawn_values},
    {"format", CLI_COUNT | CLI_PROJECT, "FORMAT", "table, csv or json (default table)", set_values},
    {"output", CLI_WRITES | CLI_EVALUATE | CLI_PROJECT | CLI_AUDIT | CLI_VALIDATE | CLI_INCORE, "FILE",
     "write results into a file instead of stdout", cli_set_output},
    {"color", CLI_PRINTS | CLI_EVALUATE | CLI_DIFF | CLI_COUNT, "WHEN",
     "colour tables: auto (on a terminal, without NO_COLOR), always or never (default auto)", set_colour},
    {"output", CLI_COUNT, "FILE", "write counts into a file instead of stderr", cli_set_output},
    {"metric", CLI_EXPLAIN, "NAME", "explain this metric instead of an event", set_metric},
    {"root", CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE, "DIR",
     "read which cores and codes there are in the copy of a machine's /sys in this directory", set_root},
    {"root", CLI_DOCTOR, "DIR", "look at the copy of another machine's /proc and /sys in this directory", set_root},
    {"verify", CLI_KERNELS, NULL, "run each kernel and compare what it executed with its facts", set_verify},
    {"confounded", CLI_KERNELS, NULL,
     "list the facts that the kernels cannot tell apart, and those that none exercises", set_confounded},
};
const size_t cli_analysis_option_count = sizeof cli_analysis_options / sizeof cli_analysis_options[0];
