/* Options for sweeps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/budget.h"
#include "cli/options.h"
#include "core/number.h"

enum {
    MOST_REPETITIONS = 100000,
    MOST_ROUNDS = 1000,
    MOST_THREADS = 65536,
    MOST_QUALIFIERS = 64,
    MOST_SHARDS = 1000000,
    MOST_PROGRAMS = 10000
};

/* Adds benchmarks, none of them twice. */
static bool set_benchmark(cli_options *options, const char *name, const char *argument)
{
    const cli_list *list = &options->benchmarks;
    if (!cli_split(&options->benchmarks, name, argument, "names separated by commas, as in 'cpu-flops,branch'"))
        return false;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(list->items[i], list->items[k]) == 0)
                return cli_wrong(name, argument, "each benchmark once");
    return true;
}

static bool set_pmu(cli_options *options, const char *name, const char *argument)
{
    cm_error error;
    if (cm_pmu_choice_parse(argument, &options->pmu, &error) == CM_OK) {
        options->pmu_text = argument;
        return true;
    }
    return cli_wrong(name, argument, "auto, hardware, software, software:MODEL or software:DIR");
}

static bool set_core(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "a type of cores, as in 'cpu_core'");
    options->core = argument;
    return true;
}

static bool set_events(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0' || strcmp(argument, "!") == 0)
        return cli_wrong(name, argument, "a pattern, as in 'BR_*', or one to exclude, as in '!perf::*'");
    return cli_append(&options->events, argument);
}

static bool set_events_file(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->events_file, name, argument);
}

static bool set_raw(cli_options *options, const char *name, const char *argument)
{
    if (strchr(argument, '=') == NULL)
        return cli_wrong(name, argument, "fields with values, as in 'event=0x00-0xff,umask=0x00-0xff'");
    options->raw = argument;
    return true;
}

static bool set_anyway(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->anyway = true;
    return true;
}

static bool set_uncore(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->uncore = true;
    return true;
}

static bool set_component(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "a component's name, as in 'perf_event'");
    return cli_append(&options->components, argument);
}

static bool set_qualifiers(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 0, MOST_QUALIFIERS, &options->qualifiers) ||
           cli_wrong(name, argument, "a number from 0 to 64");
}

/* Reads "1/4" as a shard. */
static bool set_shard(cli_options *options, const char *name, const char *argument)
{
    double number = 0.0;
    size_t count = 0, length = cm_number_prefix(argument, &number);
    if (argument[length] != '/' || !cli_read_count(argument + length + 1, 1, MOST_SHARDS, &count) || number < 1.0 ||
        number > (double)count || number != floor(number))
        return cli_wrong(name, argument, "K/N, the K-th part of N, as in '1/4'");
    options->shard = (size_t)number;
    options->shards = count;
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

static bool set_repetitions(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, MOST_REPETITIONS, &options->repetitions) ||
           cli_wrong(name, argument, "a number from 1 to 100000");
}

static bool set_rounds(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, MOST_ROUNDS, &options->rounds) ||
           cli_wrong(name, argument, "a number from 1 to 1000");
}

static bool set_workers(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, MOST_THREADS, &options->workers) ||
           cli_wrong(name, argument, "a number from 1 to 65536");
}

static bool set_threads(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, MOST_THREADS, &options->threads) ||
           cli_wrong(name, argument, "a number from 1 to 65536");
}

/* Reads bytes, or with K, M or G after the number KiB, MiB or GiB. */
static bool set_max_buffer(cli_options *options, const char *name, const char *argument)
{
    static const char units[] = "KMG";
    static const char expected[] = "bytes, or a number with K, M or G after it, as in 512M";
    double value = 0.0;
    const char *end = argument + cm_number_prefix(argument, &value);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        value *= pow(1024.0, (double)(unit - units + 1));
        end++;
    }
    if (*end != '\0' || value < 1.0 || value > 0x1p60)
        return cli_wrong(name, argument, expected);
    options->max_buffer = (size_t)value;
    return true;
}

static bool set_max_kernel_seconds(cli_options *options, const char *name, const char *argument)
{
    if (cli_read_number(argument, &options->max_kernel_seconds) && options->max_kernel_seconds > 0.0)
        return true;
    return cli_wrong(name, argument, "seconds, more than 0");
}

static bool set_budget(cli_options *options, const char *name, const char *argument)
{
    if (cli_read_duration(argument, &options->budget))
        return true;
    return cli_wrong(name, argument, "a time above 0, as in 90s, 10m or 1h");
}

static bool set_component_timeout(cli_options *options, const char *name, const char *argument)
{
    if (cli_read_number(argument, &options->component_seconds) && options->component_seconds > 0.0)
        return true;
    return cli_wrong(name, argument, "seconds, more than 0");
}

static bool set_programs(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 0, MOST_PROGRAMS, &options->programs) ||
           cli_wrong(name, argument, "a number from 0 to 10000");
}

static bool set_all_events(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->all_events = true;
    return true;
}

static bool set_seed(cli_options *options, const char *name, const char *argument)
{
    size_t seed = 0;
    if (!cli_read_count(argument, 0, (size_t)(CM_VALIDATION_MOST_SEED - 1), &seed))
        return cli_wrong(name, argument, "a whole number from 0 to 2^53 - 1");
    options->seed = seed;
    return true;
}

static bool set_workloads(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->workloads = true;
    return true;
}

static bool set_out(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->out, name, argument);
}

const cli_option cli_sweep_options[] = {
    {"benchmark", CLI_SWEEPS | CLI_JUDGES, "LIST", "benchmarks, separated by commas (default: all)", set_benchmark},
    {"benchmark", CLI_KERNELS, "LIST",
     "with --verify and --emit: kernels of these benchmarks alone, separated by commas (default: all)", set_benchmark},
    {"pmu", CLI_COUNTS | CLI_COUNT, "PMU",
     "auto, hardware, software[:MODEL] or software:DIR (default auto: hardware if it counts)", set_pmu},
    {"pmu", CLI_INCORE, "PMU",
     "with --results: auto, hardware, software[:MODEL] or software:DIR (default auto: what the results are of)",
     set_pmu},
    {"pmu", CLI_KERNELS, "PMU",
     "with --verify: hardware holds what the GPU's driver makes of its kernels against their facts, by a disassembler",
     set_pmu},
    {"core", CLI_SWEEPS | CLI_EVENTS, "TYPE",
     "of a hybrid processor count on these cores only, as in cpu_core (default: on cores of each type in turn)",
     set_core},
    {"core", CLI_COUNT, "TYPE",
     "metrics that hold on these cores of a hybrid processor, as in cpu_core (default: of each type)", set_core},
    {"core", CLI_EXPORT, "TYPE",
     "definitions that hold on these cores of a hybrid processor, as in cpu_core (default: of each type)", set_core},
    {"component-timeout", CLI_COUNTS | CLI_DOCTOR, "X",
     "leave out a PAPI component that takes longer to initialise, in seconds (default 20)", set_component_timeout},
    {"events", CLI_SWEEPS, "GLOB",
     "count only events that match, by name or as component:::NAME; '!GLOB' excludes; may be repeated", set_events},
    {"events-file", CLI_SWEEPS, "FILE",
     "read such patterns from a file, one a line; a number after a pattern allows up to that many qualifiers, as in "
     "CAT",
     set_events_file},
    {"component", CLI_SWEEPS, "GLOB", "count only events of the PAPI components that match; may be repeated",
     set_component},
    {"raw", CLI_SWEEPS, "CODES",
     "count by code instead of by name, [DEVICE:]FIELD=VALUES,..., as in 'event=0x00-0xff,umask=0x01|0x10'; codes that "
     "count the same are counted once",
     set_raw},
    {"uncore", CLI_SWEEPS, NULL,
     "count only events of the whole socket, such as those of memory controllers, while one core runs dcache and "
     "dcache-write; no other program may be busy",
     set_uncore},
    {"anyway", CLI_SWEEPS, NULL,
     "let a model of another architecture's processor count the kernels of this one; the results are marked as not "
     "comparable",
     set_anyway},
    {"qualifiers", CLI_SWEEPS, "K",
     "try all combinations of up to K qualifiers of an event (default: each qualifier by itself)", set_qualifiers},
    {"shard", CLI_SWEEP, "K/N",
     "count every N-th event, starting with the K-th, into DIR/shard-K-of-N (default: from Slurm or MPI)", set_shard},
    {"resume", CLI_SWEEP | CLI_VALIDATE, NULL, "resume what was interrupted or killed in DIR, if there is anything",
     set_resume},
    {"replace", CLI_SWEEPS, NULL,
     "remove the tables of benchmarks that were swept into DIR before and are not swept now (default: they stay)",
     cli_set_replace},
    {"budget", CLI_SWEEPS, "TIME",
     "count the benchmarks that fit into so long, as in 90s, 10m or 1h, those first that have most metrics for their "
     "time; stop then, resumable",
     set_budget},
    {"dry-run", CLI_SWEEP, NULL, "print what would be counted and how long it would take, without counting",
     set_dry_run},
    {"repetitions", CLI_SWEEPS, "N", "how often to count everything (default 5, of benchmarks of caches and TLBs 15)",
     set_repetitions},
    {"repetitions", CLI_ROOFLINE, "N", "how often to measure everything in each round (default 9)", set_repetitions},
    {"repetitions", CLI_INCORE, "N", "how often to measure everything in each round (default 15)", set_repetitions},
    {"rounds", CLI_ROOFLINE | CLI_INCORE, "N",
     "rounds in which everything is measured, the fastest of which counts (default 4)", set_rounds},
    {"workers", CLI_SWEEPS | CLI_VALIDATE, "N",
     "worker processes that count at the same time, one per core; not dcache (default: all cores)", set_workers},
    {"programs", CLI_DISCOVER, "N", "random programs to hold definitions against, 0 for none (default 16)",
     set_programs},
    {"programs", CLI_VALIDATE, "N", "random programs to hold definitions against (default 16)", set_programs},
    {"all-events", CLI_VALIDATE, NULL, "count all measured events in the programs, so that 'audit' can use them",
     set_all_events},
    {"seed", CLI_DISCOVER | CLI_VALIDATE, "S", "compose other programs, a whole number (default 1)", set_seed},
    {"workloads", CLI_VALIDATE, NULL,
     "hold definitions against workloads, too: STREAM, matrix products, n-body, cache conflicts, FP Crunch",
     set_workloads},
    {"threads", CLI_SWEEPS, "N",
     "cores that run dcache at the same time, one process each (default: all that share the last-level cache)",
     set_threads},
    {"max-buffer", CLI_SWEEPS, "SIZE",
     "largest buffer of a dcache kernel, in bytes or with K, M or G (default: a quarter of the free memory, divided "
     "by the threads)",
     set_max_buffer},
    {"max-kernel-seconds", CLI_SWEEPS, "X", "leave out dcache kernels expected to run longer (default 10)",
     set_max_kernel_seconds},
    {"out", CLI_DISCOVER, "DIR", "keep the measurements in this directory (default: a temporary one, removed)",
     set_out},
    {"benchmark", CLI_IMPORT, "NAME", "the benchmark, where the table does not name it", set_benchmark},
    {"benchmark", CLI_IMPORT_NCU, "NAME", "the benchmark whose kernels were launched (default gpu-flops)",
     set_benchmark},
    {"out", CLI_SWEEP | CLI_IMPORT | CLI_IMPORT_NCU | CLI_IMPORT_CAT | CLI_MERGE, "DIR",
     "directory for the measurements; required", set_out},
    {"out", CLI_ROOFLINE, "DIR", "directory for the figures, the page and the plots; required", set_out},
};
const size_t cli_sweep_option_count = sizeof cli_sweep_options / sizeof cli_sweep_options[0];
