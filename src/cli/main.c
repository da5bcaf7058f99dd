#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <catmint/kernels.h>

#include "cli/command.h"
#include "cli/sweeping.h"

const cli_command cli_commands[] = {
    {"discover", CLI_DISCOVER, NULL, "find out what events measure and define metrics: sweep and analyze",
     "Counts every native event while the kernels of each benchmark run, and prints the metric\ndefinitions found. "
     "Start with this command.\n",
     cli_discover},
    {"sweep", CLI_SWEEP, NULL, "count every event on every kernel, into a directory",
     "Writes <benchmark>.csv, events.csv and manifest.json into the directory, for 'catmint analyze'.\n", cli_sweep},
    {"analyze", CLI_ANALYZE, "DIR... | FILE.csv", "turn measurements into metric definitions",
     "DIR is the directory of a sweep; several are joined. FILE.csv is one measurement table; it needs\n--benchmark, "
     "or both --basis and --signatures. Thresholds are then those of the benchmark\nwhose kernels the basis has; "
     "where there is none, --tau, --alpha and --residual must be given.\n",
     cli_analyze},
    {"validate", CLI_VALIDATE, "DIR | --emit DIR", "hold definitions against random programs that nobody fitted",
     "DIR is the directory of a sweep. Composes programs of single instructions by --seed, counts the\n"
     "events of DIR's definitions while they run, on the PMU of the sweep, and compares. Metrics whose\n"
     "definition is refuted are solved again with these programs, and held against fresh ones. The counts\n"
     "go into DIR/validation and folders beside it. The exit status is 1 if a definition is refuted.\n"
     "With --emit and --isa, writes the programs out as 'catmint kernels' does kernels; 'catmint import'\n"
     "takes the logs of both, and DIR is what it made.\n",
     cli_validate},
    {"explain", CLI_EXPLAIN, "EVENT... DIR | FILE.csv", "what an event measures, or how a metric is defined, and why",
     "'catmint explain EVENT... DIR' explains events of a sweep: what each measures, its noise,\nresidual and "
     "equivalents, the kernels it disagrees with, and why it was or was not selected.\nIn place of events there may be "
     "presets, as in PAPI_DP_OPS. 'catmint explain --metric NAME DIR'\nexplains the definition of a metric. FILE.csv "
     "needs --benchmark, or what\nanalyze needs instead.\n",
     cli_explain},
    {"evaluate", CLI_EVALUATE, "FORMULAS", "compute formulas from measured counts, hierarchies as trees",
     "Prints the value of each formula for each run, a column of the table of counts.\nThe exit status is 1 if a value "
     "does not exist or a hierarchy does not add up.\n",
     cli_evaluate},
    {"audit", CLI_AUDIT, "FORMULAS... | --upstream DIR", "check whether formulas measure what their names say",
     "Compares formulas (PAPI's presets, LIKWID's groups, metrics of perf and perfmon, CSV) with what their\nevents "
     "really count. For a wrong formula, says what it measures instead and what would be right.\nFORMULAS are files, "
     "or folders of files. With --upstream, DIR is a checkout of a project: its files for the\nresults' processor are "
     "taken. --against FILE.csv needs --benchmark, or what analyze needs instead.\nThe exit status is 1 if a formula "
     "is wrong.\n",
     cli_audit},
    {"lint", CLI_LINT, "FORMULAS...", "find faults in files of formulas, without measuring",
     "FORMULAS are files, or folders of files: PAPI's tables, LIKWID's groups, metrics of perf or perfmon,\nor "
     "catmint's own CSV. Prints every fault as FILE:LINE:COLUMN: [kind] text. With --base, only the faults\nthat "
     "FORMULAS add. Events are looked up in the lists of the tree that a file is in, if it is in one.\nThe exit status "
     "is 1 if there is a fault, 3 if a file cannot be read at all.\n",
     cli_lint},
    {"count", CLI_COUNT, "-- COMMAND...", "count the metrics of a program, of its threads or of its regions",
     "Runs COMMAND, with its children and threads, and prints the metrics that results define, with their\nerrors, and "
     "the "
     "events behind them, on stderr. error +- is what a value may be off in this program: by\nwhat its definition may "
     "count beside the metric, as often as the program does that, and by noise; '-'\nwhere that is not known. Where "
     "hardware events cannot be counted the program runs under the emulated\nPMU: qemu-user with catmint's plugin. The "
     "exit status is COMMAND's, 125 where catmint itself fails.\n",
     cli_count},
    {"project", CLI_PROJECT, NULL, "project a program's speed from one machine to another",
     "Takes what two machines can do, what the program does on each, and how fast it is on the first, and\nprints the "
     "interval of its speed on the second: equations 1 to 4 of Gavaille et al., Euro-Par 2022.\nSeveral mixes and "
     "memories make a table. The exit status is 1 where a level of the machines'\ncaches has no bandwidth, so that the "
     "interval lacks it.\n",
     cli_project},
    {"roofline", CLI_ROOFLINE, NULL, "measure what this machine can do at most, and hold programs against it",
     "Measures floating-point operations a second by precision and vectors, and the bandwidth of each cache\nand of "
     "memory, on one core and on all, by time alone. Writes machine.json, a page with plots\n(roofline.html) and the "
     "plots as SVG into the directory, and prints the figures. Takes less than a minute;\nthe machine should do "
     "nothing else meanwhile.\n",
     cli_roofline},
    {"incore", CLI_INCORE, NULL, "measure what a core does in a cycle: latencies, throughputs, clock under load",
     "Measures latency and throughput of instructions in cycles by the clock of a chain of additions, that\nclock "
     "under arithmetic of each kind on one core to all, and whether stores read memory first, by time\nalone, or with "
     "--results by counts, too. Where others have published figures of this processor, lists\nthe differences.\n",
     cli_incore},
    {"export", CLI_EXPORT, "RESULTS.json", "write definitions in the formats of PAPI, LIKWID and perf",
     "RESULTS.json is what 'catmint analyze --format json' wrote. Writes the composable definitions. One\nthat the "
     "format cannot express exactly is refused, and the exit status is 1; 3 where none is exported.\n",
     cli_export},
    {"report", CLI_REPORT, "DIR | RESULTS.json...", "make a page of results for a browser, with plots",
     "Writes one HTML file that needs no network: metrics with definitions, errors and proofs, plots,\nevents to "
     "search. DIR is the directory of a sweep, RESULTS.json what 'catmint analyze --format\njson' wrote. Of two "
     "results the page also shows what differs.\n",
     cli_report},
    {"bundle", CLI_BUNDLE, "DIR | BUNDLE", "pack measurements and results into one archive, or check one",
     "Packs the measurements of DIR with what follows from them: results, proof, a page, and definitions for\nother "
     "programs. With --check, unpacks BUNDLE into a temporary directory, holds the SHA-256 of each file\nagainst its "
     "list, analyses the measurements, and compares. The exit status is 3 if anything differs.\n",
     cli_bundle},
    {"diff", CLI_DIFF, "BEFORE AFTER...", "say what differs between two results",
     "Each is the directory of a sweep, or what 'catmint analyze --format json' wrote. Compares\ndefinitions, "
     "verdicts, thresholds and what became of events, not figures that vary from run to run.\nThe exit status is 0 if "
     "nothing differs, 1 if something does, 2 in trouble.\n",
     cli_diff},
    {"events", CLI_EVENTS, NULL, "list the events that can be counted here, and why others cannot",
     "Tries every native event of every PAPI component by itself. Lists refused events by reason; with\n--format json, "
     "lists all of them.\n",
     cli_events},
    {"doctor", CLI_DOCTOR, NULL, "say what of this machine stops or disturbs counting, and what to do",
     "Reads the kernel's files in /proc and /sys, and asks PAPI about its components. Changes nothing.\nThe exit "
     "status "
     "is 1 if something stops or disturbs counting.\n",
     cli_doctor},
    {"kernels", CLI_KERNELS, NULL, "list the kernels, and what they need",
     "With --verify, runs each kernel under the software PMU and compares every fact of what it executed\n"
     "with bases/facts.csv; the exit status is 1 if one differs. With --verify --pmu hardware, it compares\n"
     "what the driver of an NVIDIA GPU makes of its kernels, by nvdisasm or cuobjdump. With --confounded,\n"
     "it is 1 if the kernels of all benchmarks cannot separate facts that must be separate.\n\n"
     "With --emit, writes a directory that GNU's compiler or clang builds without any library: sources of\n"
     "the kernels, and a program that runs them on a core without an operating system, in simulation, in\n"
     "an FPGA or in QEMU, and prints what was counted, which 'catmint import --console' reads.\n",
     cli_kernels},
    {"merge", CLI_MERGE, "DIR...", "join the sweeps of several processes or nodes into one",
     "Each DIR is a sweep, or holds the shards of one. All must come from machines of the same kind, with\nthe same "
     "kernels and options. No shard may be missing.\n",
     cli_merge},
    {"import", CLI_IMPORT, "TABLE...", "turn other people's tables of counts into measurement tables",
     "TABLE has events in rows and kernels in columns, or the other way round, parted by commas, tabs,\nsemicolons, "
     "bars "
     "or blanks; several benchmarks may stand in it. Writes <benchmark>.csv for\n'catmint analyze', says what it "
     "understood, and lists what could not be used. The exit status is 1\nif an event could not be used.\n\n"
     "With --console, each TABLE is the log of a console on which kernels that 'catmint kernels --emit'\n"
     "wrote printed their counts. Writes a sweep directory of all benchmarks. The exit status is 1 if a\n"
     "kernel trapped, so that it was left out.\n",
     cli_import},
    {"import-cat", CLI_IMPORT_CAT, "DIR...", "turn outputs of PAPI's cat_collect into measurement tables",
     "Each DIR holds the outputs of one run, <event>.branch, .vec and .data.reads, and is one repetition.\nWrites "
     "<benchmark>.csv and events.csv for 'catmint analyze', and lists what could not be used. The\nexit status is 1 if "
     "a whole event could not be used.\n",
     cli_import_cat},
    {"import-ncu", CLI_IMPORT_NCU, "FILE", "turn what NVIDIA's ncu counted into a measurement table",
     "FILE is the CSV of 'ncu --csv --page raw', or one with a metric a row. Launches of a kernel are\nrepetitions, "
     "metrics that count something events of PAPI's component cuda. Writes <benchmark>.csv for\n'catmint analyze', and "
     "lists what could not be used. The exit status is 1 if an event could not be used.\n",
     cli_import_ncu},
    {"manual", CLI_MANUAL, "PAGE", "print a manual page, of catmint or of a command",
     "PAGE is 'catmint' or the name of a command. The page is for man: 'catmint manual sweep | man -l -'.\n",
     cli_manual},
    {"completion", CLI_COMPLETION, "SHELL", "print what lets a shell complete commands and options",
     "SHELL is bash, zsh or fish. For this bash: 'source <(catmint completion bash)'.\n", cli_completion},
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const char *const cli_purpose =
    "Finds out what the hardware events of a processor count, and defines metrics with them.\n";
const char *const cli_exit_words =
    "0 done; 1 done, but part of it failed; 2 wrong usage; 3 bad input;\n4 not possible on this machine, output cannot "
    "be written, or out of memory; 130 interrupted.\n";

static void usage(FILE *stream)
{
    fprintf(stream, "usage: catmint COMMAND [options]\n\n%s\n", cli_purpose);
    for (size_t i = 0; i < cli_command_count; i++)
        fprintf(stream, "  %-11s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fprintf(stream,
            "\n'catmint COMMAND --help' lists the options of a command, 'catmint --version' prints the version.\nExit "
            "status: %s",
            cli_exit_words);
}

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

static cli_exit unknown_command(const char *name)
{
    if (name[0] == '-')
        cli_say("unknown option '%s', expected a command first; see 'catmint --help'", name);
    else
        cli_say("unknown command '%s'; 'catmint --help' lists the commands", name);
    return CLI_USAGE;
}

static cli_exit check_environment(void)
{
    char unknown[32], names[128];
    if (!cm_isa_unknown(unknown, sizeof unknown))
        return CLI_DONE;
    cli_say("CATMINT_WITHOUT_ISA: unknown instruction set '%s', expected some of %s", unknown,
            cm_isa_names(~0u, names, sizeof names));
    return CLI_USAGE;
}

/* Warns if a file that the command reads does not belong to the sweep beside it. Operands of count are not files. */
static void note_kept(const cli_command *command, const cli_options *options)
{
    const char *const files[] = {options->results, options->against};
    for (size_t i = 0; i < options->operands.count && command->bit != CLI_COUNT; i++)
        cli_note_kept(options->operands.items[i]);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] != NULL)
            cli_note_kept(files[i]);
}

/* Reads the options and runs the command. */
static cli_exit run_command(const cli_command *command, int argc, char **argv)
{
    cli_options options;
    bool help = false;
    cli_exit code = cli_options_parse(command, argc, argv, &options, &help);
    if (code == CLI_DONE && !help)
        code = check_environment();
    if (code != CLI_DONE && command->bit == CLI_COUNT)
        code = CLI_COUNT_FAILED;
    if (code == CLI_DONE && help) {
        cli_options_help(command);
        code = cli_finish_stdout(code);
    } else if (code == CLI_DONE) {
        cli_interrupt_catch();
        note_kept(command, &options);
        code = command->run(&options);
        if (code == CLI_INTERRUPTED && cli_interrupt_expired())
            code = CLI_PARTLY; /* as --budget asks */
    }
    cli_options_free(&options);
    return code;
}

/* Opens closed standard streams: their descriptors would be given to files, and messages be written into these. */
static void keep_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    cli_catch_file_limit();
    if (argc < 2) {
        usage(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return cli_finish_stdout(CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("catmint " CATMINT_VERSION);
        return cli_finish_stdout(CLI_DONE);
    }
    const cli_command *command = cli_command_find(argv[1]);
    return command != NULL ? run_command(command, argc - 1, argv + 1) : unknown_command(argv[1]);
}
