/* The rows of the table of options. */
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

/* Groups of commands with common options. */
enum {
    CLI_SWEEPS = CLI_DISCOVER | CLI_SWEEP,
    CLI_ANALYZES = CLI_DISCOVER | CLI_ANALYZE | CLI_EXPLAIN | CLI_VALIDATE,
    CLI_JUDGES = CLI_ANALYZES | CLI_AUDIT,
    CLI_WRITES = CLI_DISCOVER | CLI_ANALYZE,
    CLI_COUNTS = CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE,
    CLI_PRINTS = CLI_ANALYZES | CLI_EVENTS | CLI_AUDIT | CLI_LINT | CLI_DOCTOR | CLI_ROOFLINE | CLI_INCORE,
};

/* The values of rows: how an argument is read into a member, which must have that type. */
#define MEMBER(type, name) .member = _Generic(((cli_options *)NULL)->name, type : offsetof(cli_options, name))
#define FLAG(name) .value = {.kind = CLI_KIND_FLAG, MEMBER(bool, name)}
#define TEXT(name, wanted) .value = {.kind = CLI_KIND_TEXT, MEMBER(const char *, name), .expected = (wanted)}
#define TEXTS(name, wanted) .value = {.kind = CLI_KIND_TEXTS, MEMBER(cli_list, name), .expected = (wanted)}
#define LIST_WITH(name, wanted, listed)                                                                                \
    .value = {.kind = CLI_KIND_LIST, MEMBER(cli_list, name), .expected = (wanted), .word = (listed)}
#define LIST(name, wanted) LIST_WITH(name, wanted, NULL)
#define PATH(name) TEXT(name, "a path")
#define PATHS(name) TEXTS(name, "a path")
#define COLUMN(name) TEXT(name, "the heading of a column, or its number from 1 on")
#define RANGE(low, high, wanted) .least = (low), .most = (double)(high), .expected = (wanted)
#define WHOLE_AS(name, low, high, wanted)                                                                              \
    .value = {.kind = CLI_KIND_WHOLE, MEMBER(size_t, name), RANGE(low, high, wanted)}
#define WHOLE(name, low, high) WHOLE_AS(name, low, high, NULL)
#define NUMBER(name, low, high, wanted)                                                                                \
    .value = {.kind = CLI_KIND_NUMBER, MEMBER(double, name), RANGE(low, high, wanted)}
#define BELOW(number) ((number) * (1.0 - DBL_EPSILON))
#define SHARE(name) NUMBER(name, 0.0, BELOW(1.0), "0 or more and less than 1")
#define SECONDS(name) NUMBER(name, DBL_TRUE_MIN, DBL_MAX, "seconds, more than 0")
#define CHOICE(name, words) .value = {.kind = CLI_KIND_CHOICE, MEMBER(unsigned, name), .choices = (words)}
#define OTHER(reader, words, listed)                                                                                   \
    .value = {.kind = CLI_KIND_OTHER, .set = (reader), .choices = (words), .word = (listed)}

static const cli_choice formats[] = {{"table", CM_FORMAT_TABLE}, {"json", CM_FORMAT_JSON}, {0}};
static const cli_choice table_formats[] = {
    {"table", CM_FORMAT_TABLE}, {"csv", CM_FORMAT_CSV}, {"json", CM_FORMAT_JSON}, {0}};
static const cli_choice drawn_formats[] = {
    {"table", CM_FORMAT_TABLE}, {"csv", CM_FORMAT_CSV}, {"json", CM_FORMAT_JSON}, {"svg", CM_FORMAT_SVG}, {0}};
static const cli_choice details[] = {
    {"selected", CM_EVENTS_SELECTED}, {"kept", CM_EVENTS_KEPT}, {"all", CM_EVENTS_ALL}, {0}};
static const cli_choice methods[] = {{"catmint", CM_METHOD_CATMINT}, {"paper", CM_METHOD_PAPER}, {0}};
static const cli_choice colours[] = {
    {"auto", CLI_COLOUR_AUTO}, {"always", CLI_COLOUR_ALWAYS}, {"never", CLI_COLOUR_NEVER}, {0}};
static const cli_choice pmus[] = {{"auto", 0}, {"hardware", 0}, {"software", 0}, {0}};
static const cli_choice noises[] = {{"auto", 0}, {"inf", 0}, {0}};
static const cli_choice roundings[] = {{"auto", 0}, {0}};

const cli_option cli_option_rows[] = {
    /* Measuring. */
    {"benchmark", CLI_SWEEPS | CLI_JUDGES, "LIST", "benchmarks, separated by commas (default: all)",
     OTHER(cli_set_benchmarks, NULL, cli_benchmark_at)},
    {"benchmark", CLI_KERNELS, "LIST",
     "with --verify: kernels of these benchmarks alone, separated by commas (default: all)",
     OTHER(cli_set_benchmarks, NULL, cli_benchmark_at)},
    {"pmu", CLI_COUNTS | CLI_COUNT, "PMU",
     "auto, hardware, software[:MODEL] or software:DIR (default auto: hardware if it counts)",
     OTHER(cli_set_pmu, pmus, NULL)},
    {"pmu", CLI_INCORE, "PMU",
     "with --results: auto, hardware, software[:MODEL] or software:DIR (default auto: what the results are of)",
     OTHER(cli_set_pmu, pmus, NULL)},
    {"pmu", CLI_KERNELS, "PMU",
     "with --verify: hardware holds what the GPU's driver makes of its kernels against their facts, by a disassembler",
     OTHER(cli_set_pmu, pmus, NULL)},
    {"core", CLI_SWEEPS | CLI_EVENTS, "TYPE",
     "of a hybrid processor count on these cores only, as in cpu_core (default: on cores of each type in turn)",
     TEXT(core, "a type of cores, as in 'cpu_core'")},
    {"core", CLI_COUNT, "TYPE",
     "metrics that hold on these cores of a hybrid processor, as in cpu_core (default: of each type)",
     TEXT(core, "a type of cores, as in 'cpu_core'")},
    {"core", CLI_EXPORT, "TYPE",
     "definitions that hold on these cores of a hybrid processor, as in cpu_core (default: of each type)",
     TEXT(core, "a type of cores, as in 'cpu_core'")},
    {"component-timeout", CLI_COUNTS | CLI_DOCTOR, "X",
     "leave out a PAPI component that takes longer to initialise, in seconds (default 20)", SECONDS(component_seconds)},
    {"events", CLI_SWEEPS, "GLOB",
     "count only events that match, by name or as component:::NAME; '!GLOB' excludes; may be repeated",
     OTHER(cli_set_event_pattern, NULL, NULL)},
    {"events-file", CLI_SWEEPS, "FILE",
     "read such patterns from a file, one a line; a number after a pattern allows up to that many qualifiers, as in "
     "CAT",
     PATH(events_file)},
    {"component", CLI_SWEEPS, "GLOB", "count only events of the PAPI components that match; may be repeated",
     TEXTS(components, "a component's name, as in 'perf_event'")},
    {"raw", CLI_SWEEPS, "CODES",
     "count by code instead of by name, [DEVICE:]FIELD=VALUES,..., as in 'event=0x00-0xff,umask=0x01|0x10'; codes that "
     "count the same are counted once",
     OTHER(cli_set_raw, NULL, NULL)},
    {"uncore", CLI_SWEEPS, NULL,
     "count only events of the whole socket, such as those of memory controllers, while one core runs dcache and "
     "dcache-write; no other program may be busy",
     FLAG(uncore)},
    {"anyway", CLI_SWEEPS, NULL,
     "let a model of another architecture's processor count the kernels of this one; the results are marked as not "
     "comparable",
     FLAG(anyway)},
    {"qualifiers", CLI_SWEEPS, "K",
     "try all combinations of up to K qualifiers of an event (default: each qualifier by itself)",
     WHOLE(qualifiers, 0, 64)},
    {"shard", CLI_SWEEP, "K/N",
     "count every N-th event, starting with the K-th, into DIR/shard-K-of-N (default: from Slurm or MPI)",
     OTHER(cli_set_shard, NULL, NULL)},
    {"resume", CLI_SWEEP | CLI_VALIDATE, NULL, "resume what was interrupted or killed in DIR, if there is anything",
     FLAG(resume)},
    {"replace", CLI_SWEEPS, NULL,
     "remove the tables of benchmarks that were swept into DIR before and are not swept now (default: they stay)",
     FLAG(replace)},
    {"budget", CLI_SWEEPS, "TIME",
     "count the benchmarks that fit into so long, as in 90s, 10m or 1h, those first that have most metrics for their "
     "time; stop then, resumable",
     OTHER(cli_set_budget, NULL, NULL)},
    {"dry-run", CLI_SWEEP, NULL, "print what would be counted and how long it would take, without counting",
     FLAG(dry_run)},
    {"repetitions", CLI_SWEEPS, "N", "how often to count everything (default 5, of benchmarks of caches and TLBs 15)",
     WHOLE(repetitions, 1, 100000)},
    {"repetitions", CLI_ROOFLINE, "N", "how often to measure everything in each round (default 9)",
     WHOLE(repetitions, 1, 100000)},
    {"repetitions", CLI_INCORE, "N", "how often to measure everything in each round (default 15)",
     WHOLE(repetitions, 1, 100000)},
    {"rounds", CLI_ROOFLINE | CLI_INCORE, "N",
     "rounds in which everything is measured, the fastest of which counts (default 4)", WHOLE(rounds, 1, 1000)},
    {"workers", CLI_SWEEPS | CLI_VALIDATE, "N",
     "worker processes that count at the same time, one per core; not dcache (default: all cores)",
     WHOLE(workers, 1, 65536)},
    {"programs", CLI_DISCOVER, "N", "random programs to hold definitions against, 0 for none (default 16)",
     WHOLE(programs, 0, 10000)},
    {"programs", CLI_VALIDATE, "N", "random programs to hold definitions against (default 16)",
     WHOLE(programs, 0, 10000)},
    {"all-events", CLI_VALIDATE, NULL, "count all measured events in the programs, so that 'audit' can use them",
     FLAG(all_events)},
    {"seed", CLI_DISCOVER | CLI_VALIDATE, "S", "compose other programs, a whole number (default 1)",
     OTHER(cli_set_seed, NULL, NULL)},
    {"workloads", CLI_VALIDATE, NULL,
     "hold definitions against workloads, too: STREAM, matrix products, n-body, cache conflicts, FP Crunch",
     FLAG(workloads)},
    {"threads", CLI_SWEEPS, "N",
     "cores that run dcache at the same time, one process each (default: all that share the last-level cache)",
     WHOLE(threads, 1, 65536)},
    {"max-buffer", CLI_SWEEPS, "SIZE",
     "largest buffer of a dcache kernel, in bytes or with K, M or G (default: a quarter of the free memory, divided "
     "by the threads)",
     OTHER(cli_set_max_buffer, NULL, NULL)},
    {"max-kernel-seconds", CLI_SWEEPS, "X", "leave out dcache kernels expected to run longer (default 10)",
     SECONDS(max_kernel_seconds)},
    {"out", CLI_DISCOVER, "DIR", "keep the measurements in this directory (default: a temporary one, removed)",
     PATH(out)},
    {"benchmark", CLI_IMPORT, "NAME", "the benchmark, where the table does not name it",
     OTHER(cli_set_benchmarks, NULL, cli_benchmark_at)},
    {"benchmark", CLI_IMPORT_NCU, "NAME", "the benchmark whose kernels were launched (default gpu-flops)",
     OTHER(cli_set_benchmarks, NULL, cli_benchmark_at)},
    {"out", CLI_SWEEP | CLI_IMPORT | CLI_IMPORT_NCU | CLI_IMPORT_CAT | CLI_MERGE, "DIR",
     "directory for the measurements; required", PATH(out)},
    {"out", CLI_ROOFLINE, "DIR", "directory for the figures, the page and the plots; required", PATH(out)},

    /* Analysing. */
    {"basis", CLI_JUDGES, "FILE", "use this basis instead of the benchmark's", PATH(basis)},
    {"signatures", CLI_JUDGES, "FILE", "use these signatures instead of the benchmark's", PATH(signatures)},
    {"tau", CLI_JUDGES, "X",
     "drop events with more noise than X; inf keeps all, auto chooses X from the data (default: the benchmark's)",
     OTHER(cli_set_tau, noises, NULL)},
    {"alpha", CLI_JUDGES, "X", "rounding tolerance; auto chooses it from the data (default: the benchmark's)",
     OTHER(cli_set_alpha, roundings, NULL)},
    {"residual", CLI_JUDGES, "X", "tolerated misfit of events and metrics (default: the benchmark's)", SHARE(residual)},
    {"avoid", CLI_ANALYZES, "EVENT", "make definitions without this event; may be repeated",
     TEXTS(avoid, "the name of an event")},
    {"only", CLI_ANALYZES, "GLOB", "make definitions only of events that match; may be repeated",
     TEXTS(only, "a pattern of events, as in 'BR_*'")},
    {"max-events", CLI_ANALYZES, "K", "also find the best definition with at most K events", WHOLE(max_events, 1, 64)},
    {"method", CLI_ANALYZES, "NAME", "paper: find and judge definitions by the paper's rules (default catmint)",
     CHOICE(method, methods)},
    {"with-offset", CLI_ANALYZES, NULL, "also use events that count a constant per iteration",
     FLAG(with_offset_events)},
    {"with-overhead", CLI_ANALYZES, NULL, NULL, FLAG(with_offset_events)},
    {"verbose", CLI_DISCOVER, NULL, "print all definitions and what became of events, not only a summary",
     FLAG(verbose)},
    {"format", CLI_PRINTS | CLI_DIFF, "FORMAT", "table or json (default table)", CHOICE(format, formats)},
    {"events-detail", CLI_WRITES, "WHICH", "events listed in JSON: selected, kept or all (default all)",
     CHOICE(events_detail, details)},
    {"against", CLI_AUDIT, "PATH",
     "what the events count: a sweep's directory, a measurement table FILE.csv, or results in JSON; required",
     PATH(against)},
    {"map", CLI_AUDIT, "FILE", "table that names the signature of each metric: metric,signature; patterns are allowed",
     PATH(map)},
    {"section", CLI_AUDIT, "GLOB", "only formulas whose section (PAPI's CPU) or group matches",
     TEXT(section, "a pattern, as in 'skx'")},
    {"upstream", CLI_AUDIT, "DIR",
     "audit a checkout of perf's pmu-events, perfmon, LIKWID or PAPI: its files for the results' processor",
     PATH(upstream)},
    {"counts", CLI_EVALUATE, "FILE",
     "table of counts: event,<run>,<run>..., or what 'catmint count --format json' writes; required, but not by svg. "
     "May be repeated: each is a run then, called after its file, or NAME where NAME=FILE is given",
     PATHS(counts)},
    {"tolerance", CLI_EVALUATE, "X", "how far the sum of a metric's parts may be off (default 0.01)", SHARE(tolerance)},
    {"format", CLI_EVALUATE, "FORMAT", "table, csv, json, or svg: hierarchies drawn (default table)",
     CHOICE(values, drawn_formats)},
    {"format", CLI_COUNT | CLI_PROJECT, "FORMAT", "table, csv or json (default table)", CHOICE(values, table_formats)},
    {"output", CLI_WRITES | CLI_EVALUATE | CLI_PROJECT | CLI_AUDIT | CLI_VALIDATE | CLI_INCORE, "FILE",
     "write results into a file instead of stdout", PATH(output)},
    {"color", CLI_PRINTS | CLI_EVALUATE | CLI_DIFF | CLI_COUNT, "WHEN",
     "colour tables: auto (on a terminal, without NO_COLOR), always or never (default auto)", CHOICE(colour, colours)},
    {"output", CLI_COUNT, "FILE", "write counts into a file instead of stderr", PATH(output)},
    {"metric", CLI_EXPLAIN, "NAME", "explain this metric instead of an event",
     TEXT(metric, "the name of a metric, as in 'DP Ops.'")},
    {"root", CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE, "DIR",
     "read which cores and codes there are in the copy of a machine's /sys in this directory", PATH(root)},
    {"root", CLI_DOCTOR, "DIR", "look at the copy of another machine's /proc and /sys in this directory", PATH(root)},
    {"verify", CLI_KERNELS, NULL, "run each kernel and compare what it executed with its facts", FLAG(verify)},
    {"confounded", CLI_KERNELS, NULL,
     "list the facts that the kernels cannot tell apart, and those that none exercises", FLAG(confounded)},

    /* Using definitions in other programs. */
    {"to", CLI_EXPORT, "FORMAT", "", OTHER(cli_set_export_format, NULL, cli_export_format_at)},
    {"output", CLI_EXPORT, "FILE", "write into a file instead of stdout; likwid: into a directory, one file per group",
     PATH(output)},
    {"output", CLI_REPORT, "FILE", "write the page into this file; required", PATH(output)},
    {"output", CLI_BUNDLE, "FILE", "write the bundle into this file; required without --check", PATH(output)},
    {"check", CLI_BUNDLE, NULL, "check a bundle instead of making one", FLAG(check)},
    {"sign", CLI_BUNDLE, "KEY", "sign the bundle with this key of OpenSSH, into FILE.sig", PATH(sign)},
    {"signature", CLI_BUNDLE, "FILE", "with --check and --signers: the bundle's signature", PATH(signature)},
    {"signers", CLI_BUNDLE, "FILE",
     "with --signature: who may have signed, in the format of ssh-keygen's allowed signers", PATH(signers)},
    {"plots", CLI_REPORT, "DIR", "also write each plot as SVG into this directory", PATH(plots)},
    {"audit", CLI_REPORT, "FILE", "also show this audit, as 'catmint audit --format json' writes it; may be repeated",
     PATHS(audits)},
    {"values", CLI_REPORT, "FILE",
     "also show these values of formulas, as 'catmint evaluate --format json' writes them; may be repeated",
     PATHS(shown)},
    {"cpu", CLI_REPORT, "PMU",
     "libpfm4's name of the processor's PMU, for what is copied into tables of PAPI, as in 'skx'; may be repeated",
     TEXTS(cpus, "a name, as in 'skx'")},
    {"cpu", CLI_BUNDLE | CLI_DISCOVER, "PMU",
     "libpfm4's name of the processor's PMU, for a table of PAPI, as in 'skx'; may be repeated",
     TEXTS(cpus, "a name, as in 'skx'")},
    {"cpu", CLI_EXPORT, "PMU",
     "papi, papi-user: libpfm4's name of the processor's PMU, as in 'skx'; "
     "rocprofv3: the GPU, as in 'gfx90a'; may be repeated",
     TEXTS(cpus, "a name, as in 'skx'")},
    {"cpu", CLI_AUDIT, "PMU", "with --upstream: libpfm4's name of the processor (default: that of the results)",
     TEXTS(cpus, "a name, as in 'skx'")},
    {"counters", CLI_EXPORT, "N", "likwid: general-purpose counters per group (default 4)",
     WHOLE(counters, 1, CM_EXPORT_MOST_COUNTERS)},
    {"known-events", CLI_EXPORT, "PATH",
     "refuse events that are not in this list of the program's: a file, or a folder of perf's or perfmon's JSON, or of "
     "LIKWID's lists (papi: libpfm4's own by default)",
     PATH(known_events)},
    {"patch", CLI_EXPORT, "FILE",
     "papi with --cpu: write what changes in PAPI's own table, papi_events.csv, as a unified diff", PATH(patch)},
    {"install", CLI_EXPORT, NULL,
     "papi: put the presets into --output, a file or a directory, or else into the file that PAPI_CSV_EVENT_FILE "
     "names, and let papi_avail look at them",
     FLAG(install)},
    {"replace", CLI_EXPORT, NULL,
     "with --install: also write over a file that catmint did not install, or that was changed since", FLAG(replace)},
    {"max-events", CLI_EXPORT, "K", "refuse definitions with more than K events",
     WHOLE_AS(max_events, 1, 10000, "a number from 1 on")},
    {"multiplex", CLI_EXPORT, NULL,
     "papi, papi-user, likwid: also export definitions whose events cannot be counted at the same time",
     FLAG(multiplex)},
    {"all", CLI_EXPORT, NULL, "also export definitions that are not composable", FLAG(all)},

    /* Counting programs. */
    {"results", CLI_COUNT, "FILE", "results with definitions, as 'catmint analyze --format json' writes them",
     PATH(results)},
    {"results", CLI_INCORE, "FILE",
     "also count what memory reads and writes for loads and stores, by Memory Read Bytes, Memory Write Bytes or Memory "
     "Bytes of these results",
     PATH(results)},
    {"metrics", CLI_COUNT, "LIST", "metrics or presets, separated by commas (default: all that are composable)",
     LIST_WITH(metrics, "names of metrics, as in 'DP Ops.,Branches'", cli_preset_at)},
    {"all", CLI_COUNT, NULL, "also count metrics that are not composable, with their errors", FLAG(all)},
    {"events", CLI_COUNT, "EVENT", "also count this event; may be repeated", TEXTS(events, "the name of an event")},
    {"formulas", CLI_COUNT, "FILE",
     "also count what the formulas of this file need, for 'catmint evaluate'; without --metrics no others",
     PATH(formulas)},
    {"repeat", CLI_COUNT, "N", "run the command N times (default 1)", WHOLE(repetitions, 1, 10000)},
    {"per-thread", CLI_COUNT, NULL, "also count each thread by itself", FLAG(per_thread)},
    {"interval", CLI_COUNT, "MS", "also count each interval of so many milliseconds by itself",
     OTHER(cli_set_interval, NULL, NULL)},
    {"multiplex", CLI_COUNT, NULL, "let events take turns where the counters do not suffice (default: several runs)",
     FLAG(multiplex)},
    {"regions", CLI_COUNT, NULL, "count the regions that the program names by cm_count_start and cm_count_stop",
     FLAG(regions)},
    {"process", CLI_COUNT, "PID", "count a process that runs already, until it ends, COMMAND ends or Ctrl-C; short: -p",
     WHOLE_AS(process, 1, INT32_MAX, "the number of a process")},

    /* Projections. */
    {"from", CLI_PROJECT, "MACHINE", "the machine that the program was measured on, CSV or JSON", PATH(from)},
    {"to", CLI_PROJECT, "MACHINE", "the machine that its speed is projected to", PATH(to_machine)},
    {"mix", CLI_PROJECT, "FILE",
     "what the program does, as 'catmint count --mix --format json' writes it, or a table; may be "
     "repeated: the first is of the program on --from, the others of those on --to",
     PATHS(mixes)},
    {"performance", CLI_PROJECT, "GFLOPS", "the program's speed on --from (default: what the first mix says)",
     NUMBER(performance, DBL_TRUE_MIN, BELOW(1e12), "GFLOP/s")},
    {"memory-bandwidth", CLI_PROJECT, "LIST", "GB/s of the memory of --to, as in DDR4=21.1,HBM2=65.5",
     LIST(memories, "GB/s, with a name or without, as in 'DDR4=21.1,HBM2=65.5'")},
    {"least-share", CLI_PROJECT, "X",
     "leave out rooflines of levels that answer a smaller part of the bytes (default 0: all levels)",
     NUMBER(least_share, 0.0, 1.0, "a number from 0 to 1")},
    {"mix", CLI_COUNT, NULL, "also count what 'catmint project' takes, under the emulated PMU", FLAG(mix)},
    {"vector-bits", CLI_PROJECT, "N",
     "the length of the scalable vectors of --to (default: the mix's, or the machine's)",
     OTHER(cli_set_vector_bits, NULL, NULL)},
    {"vector-bits", CLI_COUNT, "N", "the length of the scalable vectors of the emulated processor, SVE's or RVV's",
     OTHER(cli_set_vector_bits, NULL, NULL)},

    /* Measuring machines. */
    {"cores", CLI_ROOFLINE, "LIST",
     "processors to measure on, as in '0-3,8': one core, then all of them (default: all)",
     OTHER(cli_set_cores, NULL, NULL)},
    {"precision", CLI_ROOFLINE, "LIST", "some of double,single,half (default: all that this processor has)",
     OTHER(cli_set_precisions, NULL, NULL)},
    {"machine", CLI_ROOFLINE, "FILE", "do not measure: take the figures from this machine.json", PATH(machine)},
    {"machine", CLI_REPORT, "FILE", "also show the rooflines of this machine.json, as 'catmint roofline' writes it",
     PATH(machine)},
    {"points", CLI_ROOFLINE | CLI_REPORT, "FILE",
     "also show these programs: a table with the columns name,flops,l1_bytes,memory_bytes,seconds,cores, or what "
     "'catmint count --format json' wrote; may be repeated",
     PATHS(points)},
    {"cores", CLI_INCORE, "LIST", "processors to measure on, as in '0-3,8': one core, two, four, all (default: all)",
     OTHER(cli_set_cores, NULL, NULL)},
    {"load-seconds", CLI_INCORE, "S", "how long each load lasts under which the clock is measured (default 0.5)",
     NUMBER(load_seconds, DBL_TRUE_MIN, 3600.0, "seconds, above 0 and at most 3600")},
    {"kernels", CLI_INCORE, NULL,
     "also hold 13 streaming kernels, as gcc and clang compile them, against what llvm-mca predicts", FLAG(kernels)},
    {"known", CLI_INCORE, "FILE",
     "figures to compare with, instead of catmint's own: a table with the columns "
     "vendor,family,model,operation,vectors,latency,throughput,source",
     PATH(known)},

    /* The layout of foreign tables. */
    {"events-column", CLI_IMPORT, "NAME", "events are rows: the heading or the number of the column with their names",
     COLUMN(events_column)},
    {"kernels-column", CLI_IMPORT, "NAME", "events are columns: the heading or the number of the column with kernels",
     COLUMN(kernels_column)},
    {"counts-column", CLI_IMPORT, "NAME", "each row is one count of an event and a kernel: the column with the counts",
     COLUMN(counts_column)},
    {"kernels", CLI_IMPORT, "LIST", "what the kernels are called, in the order of the table, separated by commas",
     LIST(kernel_names, "names of kernels, as in 'b1,b2,b3'")},
    {"repetition-column", CLI_IMPORT, "NAME", "the heading or the number of the column that numbers repetitions",
     COLUMN(repetition_column)},
    {"kernels-row", CLI_IMPORT, "N", "the line with the headings (default: the first that is not blank)",
     WHOLE_AS(kernels_row, 1, 1000000000, "the number of a line, from 1 on")},
    {"separator", CLI_IMPORT, "C", "what parts cells: a character, tab or blank (default: found out)",
     OTHER(cli_set_separator, NULL, NULL)},
    {"decimal-comma", CLI_IMPORT, NULL, "a comma is a decimal sign, points part thousands", FLAG(decimal_comma)},
    {"iterations", CLI_IMPORT_NCU, "N", "how often each thread ran the loop of its kernel: what counts are divided by",
     WHOLE_AS(iterations, 1, SIZE_MAX, "a whole number from 1 on")},
};
const size_t cli_option_count = sizeof cli_option_rows / sizeof cli_option_rows[0];
