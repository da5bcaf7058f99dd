/* The options of all commands: one table. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/terminal.h"

enum {
    FIRST_OPTION = 256,
    MOST_REPETITIONS = 100000,
    MOST_EVENTS = 64,
    MOST_THREADS = 65536,
    MOST_QUALIFIERS = 64,
    MOST_SHARDS = 1000000
};

typedef struct option_row {
    const char *name;
    unsigned commands;
    const char *argument; /* NULL: takes none */
    const char *help;
    bool (*set)(cli_options *options, const char *name, const char *argument);
} option_row;

static bool wrong(const char *name, const char *argument, const char *expected)
{
    cli_say("--%s '%s' makes no sense, expected %s", name, argument, expected);
    return false;
}

static bool append(cli_list *list, const char *item)
{
    const char **grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_say("out of memory");
        return false;
    }
    list->items = grown;
    list->items[list->count++] = item;
    return true;
}

static bool set_benchmark(cli_options *options, const char *name, const char *argument)
{
    cli_list *list = &options->benchmarks;
    if (list->text != NULL) {
        cli_say("--%s is given twice, expected one list, as in '--%s cpu-flops,branch'", name, name);
        return false;
    }
    list->text = strdup(argument);
    for (char *rest = list->text, *item; (item = strsep(&rest, ",")) != NULL;) {
        if (item[0] == '\0')
            return wrong(name, argument, "names separated by commas, as in 'cpu-flops,branch'");
        for (size_t i = 0; i < list->count; i++)
            if (strcmp(list->items[i], item) == 0)
                return wrong(name, argument, "each benchmark once");
        if (!append(list, item))
            return false;
    }
    return true;
}

static bool set_events(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0' || strcmp(argument, "!") == 0)
        return wrong(name, argument, "a pattern, as in 'BR_*', or one to exclude, as in '!perf::*'");
    return append(&options->events, argument);
}

static bool set_events_file(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return wrong(name, argument, "a path");
    options->events_file = argument;
    return true;
}

static bool set_component(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return wrong(name, argument, "a component's name, as in 'perf_event'");
    return append(&options->components, argument);
}

static bool set_pmu(cli_options *options, const char *name, const char *argument)
{
    cm_error error;
    if (cm_pmu_choice_parse(argument, &options->pmu, &error) == CM_OK) {
        options->pmu_text = argument;
        return true;
    }
    return wrong(name, argument, "auto, hardware, software, software:MODEL or software:DIR");
}

static bool read_number(const char *text, double *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && errno != ERANGE && !isnan(*value);
}

static bool set_tau(cli_options *options, const char *name, const char *argument)
{
    options->tau_auto = strcmp(argument, "auto") == 0;
    if (options->tau_auto || (read_number(argument, &options->tau) && options->tau >= 0.0))
        return true;
    return wrong(name, argument, "0 or more, inf to keep every event, or auto to choose it from the data");
}

static bool set_alpha(cli_options *options, const char *name, const char *argument)
{
    options->alpha_auto = strcmp(argument, "auto") == 0;
    if (options->alpha_auto || (read_number(argument, &options->alpha) && options->alpha > 0.0 && options->alpha < 1.0))
        return true;
    return wrong(name, argument, "more than 0 and less than 1, or auto to choose it from the data");
}

static bool set_residual(cli_options *options, const char *name, const char *argument)
{
    if (read_number(argument, &options->residual) && options->residual >= 0.0 && options->residual < 1.0)
        return true;
    return wrong(name, argument, "0 or more and less than 1");
}

static bool set_repetitions(cli_options *options, const char *name, const char *argument)
{
    double value = 0.0;
    if (!read_number(argument, &value) || value != floor(value) || value < 1.0 || value > MOST_REPETITIONS)
        return wrong(name, argument, "a number from 1 to 100000");
    options->repetitions = (size_t)value;
    return true;
}

static bool set_qualifiers(cli_options *options, const char *name, const char *argument)
{
    double value = 0.0;
    if (!read_number(argument, &value) || value != floor(value) || value < 0.0 || value > MOST_QUALIFIERS)
        return wrong(name, argument, "a number from 0 to 64");
    options->qualifiers = (size_t)value;
    return true;
}

static bool set_shard(cli_options *options, const char *name, const char *argument)
{
    char *end = NULL;
    double number = strtod(argument, &end), count = 0.0;
    if (end == argument || *end != '/' || !read_number(end + 1, &count) || !(number >= 1.0) || !(number <= count) ||
        number != floor(number) || count != floor(count) || count > MOST_SHARDS)
        return wrong(name, argument, "K/N, the K-th part of N, as in '1/4'");
    options->shard = (size_t)number;
    options->shards = (size_t)count;
    return true;
}

static bool set_resume(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->resume = true;
    return true;
}

static bool set_dry_run(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->dry_run = true;
    return true;
}

static bool set_workers(cli_options *options, const char *name, const char *argument)
{
    double value = 0.0;
    if (!read_number(argument, &value) || value != floor(value) || value < 1.0 || value > MOST_THREADS)
        return wrong(name, argument, "a number from 1 to 65536");
    options->workers = (size_t)value;
    return true;
}

static bool set_threads(cli_options *options, const char *name, const char *argument)
{
    double value = 0.0;
    if (!read_number(argument, &value) || value != floor(value) || value < 1.0 || value > MOST_THREADS)
        return wrong(name, argument, "a number from 1 to 65536");
    options->threads = (size_t)value;
    return true;
}

/* Bytes, or with K, M or G after the number KiB, MiB or GiB. */
static bool set_max_buffer(cli_options *options, const char *name, const char *argument)
{
    static const char units[] = "KMG";
    static const char expected[] = "bytes, or a number with K, M or G after it, as in 512M";
    char *end = NULL;
    double value = strtod(argument, &end);
    if (end == argument || isnan(value))
        return wrong(name, argument, expected);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        value *= pow(1024.0, (double)(unit - units + 1));
        end++;
    }
    if (*end != '\0' || value < 1.0 || value > 0x1p60)
        return wrong(name, argument, expected);
    options->max_buffer = (size_t)value;
    return true;
}

static bool set_max_kernel_seconds(cli_options *options, const char *name, const char *argument)
{
    if (read_number(argument, &options->max_kernel_seconds) && options->max_kernel_seconds > 0.0)
        return true;
    return wrong(name, argument, "seconds, more than 0");
}

static bool set_component_timeout(cli_options *options, const char *name, const char *argument)
{
    if (read_number(argument, &options->component_seconds) && options->component_seconds > 0.0)
        return true;
    return wrong(name, argument, "seconds, more than 0");
}

static bool set_format(cli_options *options, const char *name, const char *argument)
{
    if (strcmp(argument, "table") == 0)
        options->format = CM_RESULTS_TABLE;
    else if (strcmp(argument, "json") == 0)
        options->format = CM_RESULTS_JSON;
    else
        return wrong(name, argument, "table or json");
    return true;
}

static bool set_values(cli_options *options, const char *name, const char *argument)
{
    static const char *const formats[] = {
        [CM_EVALUATE_TABLE] = "table", [CM_EVALUATE_CSV] = "csv", [CM_EVALUATE_JSON] = "json"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(argument, formats[i]) == 0) {
            options->values = (cm_evaluate_format)i;
            return true;
        }
    return wrong(name, argument, "table, csv or json");
}

static bool set_tolerance(cli_options *options, const char *name, const char *argument)
{
    if (read_number(argument, &options->tolerance) && options->tolerance >= 0.0 && options->tolerance < 1.0)
        return true;
    return wrong(name, argument, "0 or more and less than 1");
}

static bool set_text(const char **text, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return wrong(name, argument, "a path");
    *text = argument;
    return true;
}

static bool set_out(cli_options *options, const char *name, const char *argument)
{
    return set_text(&options->out, name, argument);
}

static bool set_basis(cli_options *options, const char *name, const char *argument)
{
    return set_text(&options->basis, name, argument);
}

static bool set_signatures(cli_options *options, const char *name, const char *argument)
{
    return set_text(&options->signatures, name, argument);
}

static bool set_output(cli_options *options, const char *name, const char *argument)
{
    return set_text(&options->output, name, argument);
}

static bool set_counts(cli_options *options, const char *name, const char *argument)
{
    return set_text(&options->counts, name, argument);
}

static bool set_avoid(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? append(&options->avoid, argument) : wrong(name, argument, "the name of an event");
}

static bool set_only(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? append(&options->only, argument)
                               : wrong(name, argument, "a pattern of events, as in 'BR_*'");
}

static bool set_max_events(cli_options *options, const char *name, const char *argument)
{
    double value = 0.0;
    if (!read_number(argument, &value) || value != floor(value) || value < 1.0 || value > MOST_EVENTS)
        return wrong(name, argument, "a number from 1 to 64");
    options->max_events = (size_t)value;
    return true;
}

static bool set_metric(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return wrong(name, argument, "the name of a metric, as in 'DP Ops.'");
    options->metric = argument;
    return true;
}

static bool set_with_overhead(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->with_overhead = true;
    return true;
}

static bool set_events_detail(cli_options *options, const char *name, const char *argument)
{
    static const char *const words[] = {
        [CM_EVENTS_ALL] = "all", [CM_EVENTS_KEPT] = "kept", [CM_EVENTS_SELECTED] = "selected"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argument, words[i]) == 0) {
            options->events_detail = (cm_events_detail)i;
            return true;
        }
    return wrong(name, argument, "selected, kept or all");
}

static bool set_verify(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->verify = true;
    return true;
}

enum {
    SWEEPS = CLI_DISCOVER | CLI_SWEEP,
    ANALYZES = CLI_DISCOVER | CLI_ANALYZE | CLI_EXPLAIN,
    WRITES = CLI_DISCOVER | CLI_ANALYZE,
    COUNTS = SWEEPS | CLI_EVENTS,
    PRINTS = ANALYZES | CLI_EVENTS,
};

static const option_row rows[] = {
    {"benchmark", SWEEPS | CLI_ANALYZE | CLI_EXPLAIN, "LIST",
     "benchmarks, separated by commas (default: all that there are)", set_benchmark},
    {"pmu", COUNTS, "PMU", "auto, hardware, software[:MODEL] or software:DIR (default auto: hardware where it counts)",
     set_pmu},
    {"component-timeout", COUNTS, "X",
     "seconds after which a component of PAPI that is initialised is given up and left out (default 20)",
     set_component_timeout},
    {"events", SWEEPS, "GLOB", "count only events that match; '!GLOB' excludes; may be repeated", set_events},
    {"events-file", SWEEPS, "FILE",
     "such patterns from a file, one a line; a number behind one: with up to so many qualifiers, as CAT writes it",
     set_events_file},
    {"component", SWEEPS, "GLOB", "count only events of PAPI's components that match; may be repeated", set_component},
    {"qualifiers", SWEEPS, "K",
     "events with up to K qualifiers, all combinations of them (default: with each by itself)", set_qualifiers},
    {"shard", CLI_SWEEP, "K/N",
     "only every N-th event, from the K-th on, into DIR/shard-K-of-N (default: what Slurm or MPI says of this process)",
     set_shard},
    {"resume", CLI_SWEEP, NULL, "go on with the sweep in DIR that was interrupted or killed, if there is one",
     set_resume},
    {"dry-run", CLI_SWEEP, NULL, "print what would be counted and how long that takes, and count nothing", set_dry_run},
    {"repetitions", SWEEPS, "N", "how often everything is counted (default 5)", set_repetitions},
    {"workers", SWEEPS, "N",
     "processes that count cpu-flops and branch at the same time, one a core (default: all cores)", set_workers},
    {"threads", SWEEPS, "N",
     "cores that run dcache at the same time, a process each (default: all that share the last-level cache)",
     set_threads},
    {"max-buffer", SWEEPS, "SIZE",
     "largest buffer of a dcache kernel, K, M or G after it (default: a quarter of the free memory over the team)",
     set_max_buffer},
    {"max-kernel-seconds", SWEEPS, "X", "time that one run of a dcache kernel may be expected to take (default 10)",
     set_max_kernel_seconds},
    {"out", SWEEPS | CLI_IMPORT_CAT | CLI_MERGE, "DIR",
     "directory of the measurements (discover: a temporary one, removed, if not given)", set_out},
    {"basis", ANALYZES, "FILE", "a basis of your own instead of the benchmark's", set_basis},
    {"signatures", ANALYZES, "FILE", "signatures of your own instead of the benchmark's", set_signatures},
    {"tau", ANALYZES, "X",
     "noise above which an event is dropped; inf keeps all, auto finds it in the data (default: the benchmark's)",
     set_tau},
    {"alpha", ANALYZES, "X", "rounding tolerance; auto finds it in the data (default: the benchmark's)", set_alpha},
    {"residual", ANALYZES, "X", "tolerated misfit of events and metrics (default: the benchmark's)", set_residual},
    {"avoid", ANALYZES, "EVENT", "make definitions without this event; may be repeated", set_avoid},
    {"only", ANALYZES, "GLOB", "make definitions of events that match; may be repeated", set_only},
    {"max-events", ANALYZES, "K", "where a definition has more events, find the best with at most K", set_max_events},
    {"with-overhead", ANALYZES, NULL, "use events that count a constant per iteration beside what they measure",
     set_with_overhead},
    {"format", PRINTS, "FORMAT", "table or json (default table)", set_format},
    {"events-detail", WRITES, "WHICH", "events that JSON tells one by one: selected, kept or all (default all)",
     set_events_detail},
    {"counts", CLI_EVALUATE, "FILE", "table of counts: event,<run>,<run>...", set_counts},
    {"tolerance", CLI_EVALUATE, "X", "by how much the parts of a metric may miss their whole (default 0.01)",
     set_tolerance},
    {"format", CLI_EVALUATE, "FORMAT", "table, csv or json (default table)", set_values},
    {"output", WRITES | CLI_EVALUATE, "FILE", "write results into a file instead of stdout", set_output},
    {"metric", CLI_EXPLAIN, "NAME", "explain this metric instead of an event", set_metric},
    {"verify", CLI_KERNELS, NULL, "run each kernel and compare what it executed with its row of the basis", set_verify},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static size_t collect(unsigned bit, struct option *table)
{
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if ((rows[i].commands & bit) != 0)
            table[count++] = (struct option){rows[i].name, rows[i].argument != NULL ? required_argument : no_argument,
                                             NULL, FIRST_OPTION + (int)i};
    table[count++] = (struct option){"help", no_argument, NULL, 'h'};
    table[count] = (struct option){0};
    return count;
}

static cli_exit take_operand(const cli_command *command, int argc, char **argv, cli_options *options)
{
    int operands = argc - optind;
    if (command->operand == NULL && operands > 0) {
        cli_say("unexpected argument '%s'; see 'catmint %s --help'", argv[optind], command->name);
        return CLI_USAGE;
    }
    bool several = command->operand != NULL && strstr(command->operand, "...") != NULL;
    if (command->operand != NULL && (operands < 1 || (operands > 1 && !several))) {
        cli_say("%s wants %s, %s; see 'catmint %s --help'", command->name,
                several ? "at least one argument" : "one argument", command->operand, command->name);
        return CLI_USAGE;
    }
    for (int i = optind; i < argc; i++)
        if (!append(&options->operands, argv[i]))
            return CLI_IMPOSSIBLE;
    return CLI_DONE;
}

cli_exit cli_options_parse(const cli_command *command, int argc, char **argv, cli_options *options, bool *help)
{
    *options = (cli_options){
        .qualifiers = SIZE_MAX, .tau = NAN, .alpha = NAN, .residual = NAN, .tolerance = CM_EVALUATE_TOLERANCE};
    struct option table[ROWS + 2];
    collect(command->bit, table);
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":h", table, NULL)) != -1;) {
        const char *given = argv[optind - 1];
        if (option == 'h') {
            *help = true;
            return CLI_DONE;
        }
        if (option == ':') {
            cli_say("option '%s' wants a value; see 'catmint %s --help'", given, command->name);
            return CLI_USAGE;
        }
        if (option == '?') {
            cli_say("unknown option '%s'; see 'catmint %s --help'", given, command->name);
            return CLI_USAGE;
        }
        const option_row *row = &rows[option - FIRST_OPTION];
        if (!row->set(options, row->name, optarg))
            return CLI_USAGE;
    }
    return take_operand(command, argc, argv, options);
}

void cli_options_free(cli_options *options)
{
    free(options->benchmarks.items);
    free(options->benchmarks.text);
    free(options->events.items);
    free(options->operands.items);
    free(options->avoid.items);
    free(options->only.items);
    free(options->components.items);
}

void cli_options_help(const cli_command *command)
{
    enum { HELP_COLUMN = 22 };
    size_t width = cli_width(stdout);
    printf("usage: catmint %s%s%s [options]\n\n%s\n", command->name, command->operand != NULL ? " " : "",
           command->operand != NULL ? command->operand : "", command->details);
    for (size_t i = 0; i < ROWS; i++) {
        if ((rows[i].commands & command->bit) == 0)
            continue;
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", rows[i].name, rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        printf("  %-*s", HELP_COLUMN - 2, left);
        cli_wrap(rows[i].help, HELP_COLUMN, HELP_COLUMN, width);
        putchar('\n');
    }
    printf("  %-*sthis text\n", HELP_COLUMN - 2, "--help");
}
