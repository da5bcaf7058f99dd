/* The options of all commands, a row each; more_option_rows.h, included at the end, has the last quarter. Name,
 * commands, argument, help, and how the argument is read into which member of cli_options. A row declares its member,
 * unless that is SAME as an earlier row's or set by a function (OTHER). */

/* Measuring. */
ROW("benchmark", CLI_SWEEPS | CLI_JUDGES, "LIST", "benchmarks, separated by commas (default: all)",
    OTHER(cli_set_benchmarks, NULL, cli_benchmark_at))
ROW("benchmark", CLI_KERNELS, "LIST",
    "with --verify, --run, --plan and --emit: kernels of these benchmarks alone, separated by commas (default: all)",
    OTHER(cli_set_benchmarks, NULL, cli_benchmark_at))
ROW("pmu", CLI_COUNTS | CLI_COMMANDED | CLI_MEASURE, "PMU",
    "auto, hardware, software[:MODEL] or software:DIR (default auto: hardware if it counts)",
    OTHER(cli_set_pmu, NULL, cli_pmu_at))
ROW("pmu", CLI_INCORE, "PMU",
    "with --results: auto, hardware, software[:MODEL] or software:DIR (default auto: the PMU of the results)",
    OTHER(cli_set_pmu, NULL, cli_pmu_at))
ROW("pmu", CLI_KERNELS, "PMU",
    "with --verify: software:MODEL runs kernels on that model alone, hardware disassembles the code that the GPU's "
    "driver makes of them, and holds it against their facts; with --run: hardware (default) or software:MODEL; with "
    "--plan: software:MODEL, whose events are counted",
    OTHER(cli_set_pmu, NULL, cli_pmu_at))
ROW("pmu", CLI_AUDIT, "PMU",
    "software:MODEL: take the counts of that model's events, made from kept facts, instead of --against",
    OTHER(cli_set_pmu, NULL, cli_pmu_at))
ROW("facts", CLI_SWEEP | CLI_AUDIT, "DIR",
    "with --pmu software:MODEL: take the counts from this sweep under MODEL-facts; `kept`: from facts that come with "
    "catmint",
    PATH(facts))
ROW("core", CLI_SWEEPS | CLI_EVENTS | CLI_MEASURE, "TYPE",
    "on a hybrid processor count on these cores only, as in cpu_core (default: on cores of each type in turn)",
    TEXT(core, "a type of cores, as in 'cpu_core'"))
ROW("core", CLI_COUNT, "TYPE",
    "metrics that hold on these cores of a hybrid processor, as in cpu_core (default: of each type)",
    SAME(TEXT(core, "a type of cores, as in 'cpu_core'")))
ROW("core", CLI_TOPDOWN, "TYPE", "of a hybrid processor the tree of these cores, as in cpu_core; required there",
    SAME(TEXT(core, "a type of cores, as in 'cpu_core'")))
ROW("core", CLI_EXPORT, "TYPE",
    "definitions that hold on these cores of a hybrid processor, as in cpu_core (default: of each type)",
    SAME(TEXT(core, "a type of cores, as in 'cpu_core'")))
ROW("component-timeout", CLI_COUNTS | CLI_DOCTOR | CLI_MEASURE, "X",
    "leave out a PAPI component that takes longer to initialise, in seconds (default 20)", SECONDS(component_seconds))
ROW("events", CLI_SWEEPS | CLI_MEASURE, "GLOB",
    "count only events that match, by name or as component:::NAME; '!GLOB' excludes; may be repeated",
    OTHER(cli_set_event_pattern, NULL, NULL))
ROW("events-file", CLI_SWEEPS, "FILE",
    "read such patterns from a file, one per line; a number after a pattern allows up to that many qualifiers, as in "
    "CAT",
    PATH(events_file))
ROW("component", CLI_SWEEPS | CLI_MEASURE, "GLOB",
    "count only events of the PAPI components that match; may be repeated",
    TEXTS(components, "a component's name, as in 'perf_event'"))
ROW("raw", CLI_SWEEPS, "CODES",
    "count by code instead of by name, [DEVICE:]FIELD=VALUES,..., as in 'event=0x00-0xff,umask=0x01|0x10'; codes that "
    "count the same are counted once",
    OTHER(cli_set_raw, NULL, NULL))
ROW("uncore", CLI_SWEEPS, NULL,
    "count only events of the whole socket, such as those of memory controllers, while one core runs dcache and "
    "dcache-write; no other program may be busy",
    FLAG(uncore))
ROW("anyway", CLI_SWEEPS, NULL,
    "let a model of another architecture's processor count the kernels of this one; the results are marked as not "
    "comparable",
    FLAG(anyway))
ROW("qualifiers", CLI_SWEEPS, "K",
    "try all combinations of up to K qualifiers of an event (default: each qualifier by itself)",
    WHOLE(qualifiers, 0, 64))
ROW("shard", CLI_SWEEP, "K/N",
    "count every N-th event, starting with the K-th, into DIR/shard-K-of-N (default: from Slurm or MPI)",
    OTHER(cli_set_shard, NULL, NULL))
ROW("resume", CLI_SWEEP | CLI_VALIDATE, NULL, "resume the run that was interrupted or killed in DIR, if there is one",
    FLAG(resume))
ROW("replace", CLI_SWEEPS, NULL,
    "remove the tables of benchmarks that were swept into DIR before and are not swept now (default: they stay)",
    FLAG(replace))
ROW("budget", CLI_SWEEPS, "TIME",
    "count the benchmarks that fit into this time, as in 90s, 10m or 1h, those first that have most metrics for their "
    "time; stop then, resumable",
    OTHER(cli_set_budget, NULL, NULL))
ROW("budget", CLI_ROOFLINE, "TIME",
    "measure no figure again after this time, as in 90s or 10m; each is measured at least once (default 1m)",
    OTHER(cli_set_budget, NULL, NULL))
ROW("dry-run", CLI_SWEEP, NULL, "print the events, the kernels and the expected time, without counting", FLAG(dry_run))
ROW("repetitions", CLI_SWEEPS, "N",
    "number of times that everything is counted (default 5, of benchmarks of caches and TLBs 15)",
    WHOLE(repetitions, 1, 100000))
ROW("repetitions", CLI_MEASURE, "N", "number of times that everything is counted (default 5)",
    SAME(WHOLE(repetitions, 1, 100000)))
ROW("repetitions", CLI_ROOFLINE, "N", "number of measurements of each figure in a round (default 9)",
    SAME(WHOLE(repetitions, 1, 100000)))
ROW("repetitions", CLI_INCORE, "N", "number of measurements of each figure in a round (default 15)",
    SAME(WHOLE(repetitions, 1, 100000)))
ROW("rounds", CLI_ROOFLINE | CLI_INCORE, "N",
    "rounds in which everything is measured, the fastest of which counts (default 4)", WHOLE(rounds, 1, 1000))
ROW("workers", CLI_SWEEPS | CLI_VALIDATE, "N",
    "worker processes that count at the same time, one per core; not dcache (default: all cores)",
    WHOLE(workers, 1, 65536))
ROW("programs", CLI_DISCOVER, "N", "random programs to hold definitions against, 0 for none (default 24)",
    WHOLE(programs, 0, 10000))
ROW("programs", CLI_VALIDATE, "N", "random programs to hold definitions against (default 24)",
    SAME(WHOLE(programs, 0, 10000)))
ROW("all-events", CLI_VALIDATE, NULL, "count all measured events in the programs, so that 'audit' can use them",
    FLAG(all_events))
ROW("seed", CLI_DISCOVER | CLI_VALIDATE, "S", "compose other programs, a whole number (default 1)",
    OTHER(cli_set_seed, NULL, NULL))
ROW("workloads", CLI_VALIDATE, NULL,
    "hold definitions against workloads, too: STREAM, matrix products, n-body, cache conflicts, FP Crunch",
    FLAG(workloads))
ROW("threads", CLI_SWEEPS, "N",
    "cores that run dcache at the same time, one process each (default: all that share the last-level cache)",
    WHOLE(threads, 1, 65536))
ROW("max-buffer", CLI_SWEEPS, "SIZE",
    "largest buffer of a kernel on a chain, in bytes or with K, M or G (default: a quarter of the free memory, divided "
    "by the threads)",
    OTHER(cli_set_max_buffer, NULL, NULL))
ROW("max-kernel-seconds", CLI_SWEEPS, "X", "leave out kernels on chains that are expected to run longer (default 10)",
    SECONDS(max_kernel_seconds))
ROW("out", CLI_DISCOVER, "DIR", "keep the measurements in this directory (default: a temporary one, removed)",
    PATH(out))
ROW("benchmark", CLI_IMPORT, "NAME", "the benchmark, if the table does not name it",
    OTHER(cli_set_benchmarks, NULL, cli_benchmark_at))
ROW("benchmark", CLI_IMPORT_NCU, "NAME", "the benchmark whose kernels were launched (default gpu-flops)",
    OTHER(cli_set_benchmarks, NULL, cli_benchmark_at))
ROW("out", CLI_SWEEP | CLI_IMPORT | CLI_IMPORT_NCU | CLI_IMPORT_CAT | CLI_MERGE, "DIR",
    "directory for the measurements; required", SAME(PATH(out)))
ROW("out", CLI_ROOFLINE, "DIR", "directory for the figures, the page and the plots; required", SAME(PATH(out)))

/* Analysing. */
ROW("basis", CLI_JUDGES, "FILE", "use this basis instead of the benchmark's", PATH(basis))
ROW("signatures", CLI_JUDGES, "FILE", "use these signatures instead of the benchmark's", PATH(signatures))
ROW("controls", CLI_JUDGES, "FILE",
    "with --basis: kernels in the same form that are not fitted, but that check definitions", PATH(controls))
ROW("tau", CLI_JUDGES, "X",
    "drop events with more noise than X; inf keeps all, auto chooses X from the data (default: the benchmark's)",
    OTHER(cli_set_tau, noises, NULL))
ROW("alpha", CLI_JUDGES, "X", "rounding tolerance; auto chooses it from the data (default: the benchmark's)",
    OTHER(cli_set_alpha, roundings, NULL))
ROW("residual", CLI_JUDGES, "X", "tolerated misfit of events and metrics (default: the benchmark's)", SHARE(residual))
ROW("avoid", CLI_ANALYZES, "EVENT", "make definitions without this event; may be repeated",
    TEXTS(avoid, "the name of an event"))
ROW("only", CLI_ANALYZES, "GLOB", "make definitions only of events that match; may be repeated",
    TEXTS(only, "a pattern of events, as in 'BR_*'"))
ROW("max-events", CLI_ANALYZES, "K", "also find the best definition with at most K events", WHOLE(max_events, 1, 64))
ROW("method", CLI_ANALYZES, "NAME", "paper: find and judge definitions by the paper's rules (default catmint)",
    CHOICE(method, methods))
ROW("with-offset", CLI_ANALYZES, NULL, "also use events that count a constant per iteration", FLAG(with_offset_events))
ROW("with-overhead", CLI_ANALYZES, NULL, NULL, SAME(FLAG(with_offset_events)))
ROW("verbose", CLI_DISCOVER, NULL, "print all definitions and the status of every event, not only a summary",
    FLAG(verbose))
ROW("no-keep", CLI_DISCOVER, NULL,
    "do not keep the definitions in the user's data directory, where 'catmint count' finds them", FLAG(no_keep))
ROW("verbose", CLI_SWEEP, NULL, "say which kernels are left out because a buffer or a time is too long",
    SAME(FLAG(verbose)))
ROW("verbose", CLI_EXPLAIN, NULL, "list all symbols, facts and events, not only the first few", SAME(FLAG(verbose)))
ROW("verbose", CLI_LINT, NULL, "name the files below a directory that hold no formulas", SAME(FLAG(verbose)))
ROW("format", (CLI_PRINTS & ~CLI_LINT & ~CLI_INCORE) | CLI_DIFF | CLI_MEASURE, "FORMAT",
    "table or json (default table)", CHOICE(format, formats))
ROW("format", CLI_LINT, "FORMAT",
    "table, json, github (annotations of its workflows), or sarif: SARIF 2.1.0 (default table)",
    SAME(CHOICE(format, fault_formats)))
ROW("format", CLI_INCORE, "FORMAT", "table, json, or with --ports svg: the ports drawn (default table)",
    SAME(CHOICE(format, diagram_formats)))
ROW("base", CLI_LINT, "PATH", "show only faults that this earlier state of FORMULAS, a file or a directory, has not",
    PATH(base))
ROW("events-detail", CLI_WRITES, "WHICH", "events listed in JSON: selected, kept or all (default all)",
    CHOICE(events_detail, details))
ROW("against", CLI_AUDIT, "PATH",
    "counts of the events: a sweep's directory, a measurement table FILE.csv, or results in JSON; without it --pmu, "
    "or "
    "with --upstream each processor by its model",
    PATH(against))
ROW("map", CLI_AUDIT, "FILE", "table that names the signature of each metric: metric,signature; patterns are allowed",
    PATH(map))
ROW("section", CLI_AUDIT, "GLOB", "only formulas whose section (PAPI's CPU) or group matches",
    TEXT(section, "a pattern, as in 'skx'"))
ROW("upstream", CLI_AUDIT, "DIR",
    "audit a checkout of perf's pmu-events, perfmon, LIKWID or PAPI: its files for the results' processor",
    PATH(upstream))
ROW("counts", CLI_EVALUATE, "FILE",
    "table of counts: event,<run>,<run>..., or the JSON of 'catmint count --format json'; required unless --format "
    "svg is given. "
    "May be repeated: each is a run then, called after its file, or NAME if NAME=FILE is given",
    PATHS(counts))
ROW("sum", CLI_EVALUATE, NULL,
    "one run that is the sum of all tables, as of the ranks of an MPI program: events are added; of seconds and other "
    "variables the largest is taken",
    FLAG(sum))
ROW("tolerance", CLI_EVALUATE, "X", "how far the sum of a metric's parts may be off (default 0.01)", SHARE(tolerance))
ROW("format", CLI_EVALUATE, "FORMAT", "table, csv, json, or svg: hierarchies drawn (default table)",
    CHOICE(values, drawn_formats))
ROW("format", CLI_PROJECT, "FORMAT", "table, csv or json (default table)", SAME(CHOICE(values, table_formats)))
ROW("format", CLI_COMMANDED, "FORMAT", "table, csv or json (default table)", SAME(CHOICE(values, table_formats)))
ROW("field-separator", CLI_COUNT, "SEP",
    "as --format csv, with this between fields, '\\t' for a tab; rates per second are empty under emulation; short: -x",
    OTHER(cli_set_field_separator, NULL, NULL))
ROW("output", CLI_WRITES | CLI_EVALUATE | CLI_PROJECT | CLI_AUDIT | CLI_VALIDATE | CLI_INCORE, "FILE",
    "write results into a file instead of stdout", PATH(output))
ROW("color", CLI_PRINTS | CLI_EVALUATE | CLI_DIFF | CLI_COMMANDED, "WHEN",
    "colour tables: auto (on a terminal, without NO_COLOR), always or never (default auto)", CHOICE(colour, colours))
ROW("output", CLI_COUNT, "FILE", "write counts into a file instead of stderr; short: -o", SAME(PATH(output)))
ROW("append", CLI_COUNT, NULL, "with --output and a table or CSV: write behind what the file has", FLAG(append))
ROW("output", CLI_TOPDOWN, "FILE", "write the tree into a file instead of stderr", SAME(PATH(output)))
ROW("metric", CLI_EXPLAIN, "NAME", "explain this metric instead of an event",
    TEXT_WITH(metric, "the name of a metric, as in 'DP Ops.'", cli_preset_at))
ROW("root", CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE, "DIR",
    "read cores and codes from this directory, a copy of a machine's /sys", PATH(root))
ROW("root", CLI_DOCTOR, "DIR", "examine this directory, a copy of another machine's /proc and /sys", SAME(PATH(root)))
ROW("describe", CLI_EVENTS, NULL, "list each event with its whole description, and why it cannot be counted",
    FLAG(describe))
ROW("facts", CLI_EVENTS, NULL,
    "list what 'catmint count -e' counts of a program by name under the emulated PMU: facts, and sums of facts",
    FLAG(list_facts))
ROW("verify", CLI_KERNELS, NULL, "run each kernel and compare the instructions it executed with its facts",
    FLAG(verify))
ROW("run", CLI_KERNELS, NULL, "launch each kernel of GPUs once, check its results, and print its rate beside the peak",
    FLAG(launch))
ROW("plan", CLI_KERNELS, "TOOL",
    "write a script that lets this tool, ncu or rocprofv3, count the kernels of GPUs, and imports what it writes",
    CHOICE(planned_for, profilers))
ROW("confounded", CLI_KERNELS, NULL, "list the facts that the kernels cannot separate, and those that none exercises",
    FLAG(confounded))

/* Using definitions in other programs. */
ROW("to", CLI_EXPORT, "FORMAT", "", OTHER(cli_set_export_format, NULL, cli_export_format_at))
ROW("output", CLI_EXPORT, "FILE", "write into a file instead of stdout; likwid: into a directory, one file per group",
    SAME(PATH(output)))
ROW("output", CLI_REPORT, "FILE", "write the page into this file; required", SAME(PATH(output)))
ROW("output", CLI_BUNDLE, "FILE", "write the bundle into this file; required without --check", SAME(PATH(output)))
ROW("check", CLI_BUNDLE, NULL, "check a bundle instead of making one", FLAG(check))
ROW("sign", CLI_BUNDLE, "KEY", "sign the bundle with this key of OpenSSH, into FILE.sig", PATH(sign))
ROW("signature", CLI_BUNDLE, "FILE", "with --check and --signers: the bundle's signature", PATH(signature))
ROW("signers", CLI_BUNDLE, "FILE",
    "with --signature: who may have signed, in the format of ssh-keygen's allowed signers", PATH(signers))
ROW("plots", CLI_REPORT | CLI_PROJECT, "DIR", "also write each plot as SVG into this directory", PATH(plots))
ROW("audit", CLI_REPORT, "FILE", "also show this audit, as 'catmint audit --format json' writes it; may be repeated",
    PATHS(audits))
ROW("values", CLI_REPORT, "FILE",
    "also show these values of formulas, as 'catmint evaluate --format json' writes them; may be repeated",
    PATHS(shown))
ROW("cpu", CLI_REPORT, "PMU",
    "libpfm4's name of the processor's PMU, for text that is copied into tables of PAPI, as in 'skx'; may be repeated",
    TEXTS(cpus, "a name, as in 'skx'"))
ROW("cpu", CLI_BUNDLE | CLI_DISCOVER, "PMU",
    "libpfm4's name of the processor's PMU, for a table of PAPI, as in 'skx'; may be repeated",
    SAME(TEXTS(cpus, "a name, as in 'skx'")))
ROW("cpu", CLI_EXPORT, "PMU",
    "papi, papi-user: libpfm4's name of the processor's PMU, as in 'skx'; "
    "rocprofv3: the GPU, as in 'gfx90a'; may be repeated",
    SAME(TEXTS(cpus, "a name, as in 'skx'")))
ROW("cpu", CLI_AUDIT, "PMU", "with --upstream: libpfm4's name of the processor (default: that of the results)",
    SAME(TEXTS(cpus, "a name, as in 'skx'")))
ROW("cpu", CLI_LINT, "PMU",
    "libpfm4's name of the processor that all formulas are for: those of its events that libpfm4 does not have are "
    "faults (default: by sections, and by the lists in the tree that a file is in)",
    SAME(TEXTS(cpus, "a name, as in 'skx'")))
ROW("counters", CLI_EXPORT, "N", "likwid: general-purpose counters per group (default 4)",
    WHOLE(counters, 1, CM_EXPORT_MOST_COUNTERS))
ROW("known-events", CLI_EXPORT, "PATH",
    "refuse events that are not in this list of the program's: a file, or a directory of perf's or perfmon's JSON, or "
    "of "
    "LIKWID's lists (papi: libpfm4's own by default)",
    PATH(known_events))
ROW("known-events", CLI_LINT, "PATH",
    "events that are not in this list are faults: a file, or a directory of perf's or perfmon's JSON, or of LIKWID's "
    "lists",
    SAME(PATH(known_events)))
ROW("metric-column", CLI_LINT | CLI_AUDIT, "NAME",
    "FORMULAS are tables in CSV: the heading or the number of the column with the metrics", COLUMN(metric_column))
ROW("formula-column", CLI_LINT | CLI_AUDIT, "NAME", "and of the column with the formulas", COLUMN(formula_column))
ROW("unit-column", CLI_LINT | CLI_AUDIT, "NAME", "and of the column with the units, if there is one",
    COLUMN(unit_column))
ROW("patch", CLI_EXPORT, "FILE",
    "papi with --cpu: write the changes to PAPI's own table, papi_events.csv, as a unified diff", PATH(patch))
ROW("install", CLI_EXPORT, NULL,
    "papi: put the presets into --output, a file or a directory, or else into the file that PAPI_CSV_EVENT_FILE "
    "names, and let papi_avail look at them",
    FLAG(install))
ROW("replace", CLI_EXPORT, NULL,
    "with --install: also write over a file that catmint did not install, or that was changed since",
    SAME(FLAG(replace)))
ROW("max-events", CLI_EXPORT, "K", "refuse definitions with more than K events",
    SAME(WHOLE_AS(max_events, 1, 10000, "a number from 1 on")))
ROW("multiplex", CLI_EXPORT, NULL,
    "papi, papi-user, likwid: also export definitions whose events cannot be counted at the same time", FLAG(multiplex))
ROW("all", CLI_EXPORT, NULL, "also export definitions that are not composable", FLAG(all))

/* Counting programs. */
ROW("results", CLI_COUNT, "FILE", "results with definitions, as 'catmint analyze --format json' writes them",
    PATH(results))
ROW("results", CLI_INCORE, "FILE",
    "also count memory's traffic for loads and stores, by Memory Read Bytes, Memory Write Bytes or Memory "
    "Bytes of these results",
    SAME(PATH(results)))
ROW("metrics", CLI_COUNT, "LIST",
    "metrics or presets, separated by commas (default: all that are composable, or in a range)",
    LIST_WITH(metrics, "names of metrics, as in 'DP Ops.,Branches'", cli_preset_at))
ROW("all", CLI_COUNT, NULL, "also count metrics that are not composable, with their errors", SAME(FLAG(all)))
ROW("events", CLI_COUNT, "LIST",
    "also count these, separated by commas: events, metrics of --results, or facts, as 'catmint events --facts' lists "
    "them; may be repeated; short: -e",
    OTHER(cli_set_events, NULL, NULL))
ROW("formulas", CLI_COUNT, "FILE",
    "also count the events that the formulas of this file need, and write their values, hierarchies as trees; without "
    "--metrics no others",
    PATH(formulas))
ROW("repeat", CLI_COUNT, "N", "run the command N times (default 1); short: -r", SAME(WHOLE(repetitions, 1, 10000)))
ROW("per-thread", CLI_COUNT, NULL, "also count each thread by itself", FLAG(per_thread))
ROW("interval", CLI_COUNT, "MS", "also count each interval of MS milliseconds by itself; short: -I",
    OTHER(cli_set_interval, NULL, NULL))
ROW("timeout", CLI_COUNT, "MS",
    "end COMMAND (by SIGTERM, 2 s later by SIGKILL), or the observation of --process and --all-cpus, after MS "
    "milliseconds, with the counts until then",
    OTHER(cli_set_timeout, NULL, NULL))
ROW("multiplex", CLI_COUNT, NULL, "let events take turns if the counters do not suffice (default: several runs)",
    SAME(FLAG(multiplex)))
ROW("regions", CLI_COUNT, NULL, "count the regions that the program names by cm_count_start and cm_count_stop",
    FLAG(regions))
ROW("all-cpus", CLI_COUNT, NULL,
    "count user mode on all processors until COMMAND ends or Ctrl-C; hardware counters only; short: -a", FLAG(all_cpus))
ROW("cpu", CLI_COUNT, "LIST", "count user mode on these processors, as in '0-3,8'; hardware counters only; short: -C",
    OTHER(cli_set_cores, NULL, NULL))
ROW("process", CLI_COUNT, "PID", "count a process that runs already, until it ends, COMMAND ends or Ctrl-C; short: -p",
    WHOLE_AS(process, 1, INT32_MAX, "the number of a process"))
ROW("pid", CLI_COUNT, "PID", NULL, SAME(WHOLE_AS(process, 1, INT32_MAX, "the number of a process")))

#include "cli/more_option_rows.h"
