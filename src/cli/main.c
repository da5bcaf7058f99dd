#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <catmint/kernels.h>

#include "cli/command.h"
#include "cli/sweeping.h"
#include "core/base.h"

const cli_command cli_commands[] = {
    {"discover", CLI_DISCOVER, NULL, "find out what events count and define metrics: sweep and analyze",
     "Counts every native event while the kernels of each benchmark run, and prints the metric\ndefinitions found. "
     "Start with this command.\n",
     cli_discover},
    {"sweep", CLI_SWEEP, NULL, "count every event on every kernel, into a directory",
     "Writes <benchmark>.csv, events.csv and manifest.json into the directory, for 'catmint analyze'.\n", cli_sweep},
    {"analyze", CLI_ANALYZE, "DIR... | FILE.csv", "turn measurements into metric definitions",
     "DIR is the directory of a sweep; several are joined. FILE.csv is one measurement table; it needs\n"
     "--benchmark, or both --basis and --signatures. Thresholds are then those of the benchmark\n"
     "whose kernels the basis has; if there is none, --tau, --alpha and --residual are needed.\n",
     cli_analyze},
    {"validate", CLI_VALIDATE, "DIR | --emit DIR | --trace FILE",
     "hold definitions against programs that were not used for fitting",
     "DIR is the directory of a sweep. Composes programs of single instructions by --seed, counts the\n"
     "events of DIR's definitions while they run, on the PMU of the sweep, and compares. Metrics whose\n"
     "definition is refuted are solved again with these programs, and held against fresh ones. The counts\n"
     "go into DIR/validation and directories beside it. The exit status is 1 if a definition is refuted.\n"
     "With --emit and --isa, writes the programs out as 'catmint kernels' does kernels; 'catmint import'\n"
     "takes the logs of both, and DIR is the directory that it made. With --trace and --isa, the exit\n"
     "status is 1 if such a program did something else than its facts say.\n",
     cli_validate},
    {"explain", CLI_EXPLAIN, "EVENT... DIR | FILE.csv", "explain the counts of an event or the definition of a metric",
     "'catmint explain EVENT... DIR' explains events of a sweep: the symbols that each counts,\n"
     "its noise, residual and equivalents, the kernels it disagrees with, and the reason for its status.\n"
     "In place of events there may be presets, as in PAPI_DP_OPS. 'catmint explain --metric NAME DIR'\n"
     "explains the definition of a metric. FILE.csv needs --benchmark, or --basis and --signatures.\n",
     cli_explain},
    {"evaluate", CLI_EVALUATE, "FORMULAS [COUNTS...]", "compute formulas from measured counts, hierarchies as trees",
     "Prints the value of each formula for each run, a column of the table of counts; several tables\n"
     "stand side by side, as those of --counts do. The exit status is 1 if a value does not exist or a\n"
     "hierarchy does not add up.\n",
     cli_evaluate},
    {"audit", CLI_AUDIT, "FORMULAS... | --upstream DIR", "check whether formulas measure the metrics that they name",
     "Compares formulas (PAPI's presets, LIKWID's groups, metrics of perf, perfmon and Arm, CSV) with the\n"
     "real counts of their events. For a wrong formula, prints the quantity that it measures and the right formula.\n"
     "FORMULAS are files, or directories of files. With --upstream, DIR is a checkout of a project: its files for the\n"
     "results' processor are taken. --against FILE.csv needs --benchmark, or --basis and --signatures.\n"
     "The exit status is 1 if a formula is wrong.\n",
     cli_audit},
    {"lint", CLI_LINT, "FORMULAS...", "find faults in files of formulas, without measuring",
     "FORMULAS are files, or directories of files: PAPI's tables, LIKWID's groups, metrics of perf, perfmon or\n"
     "Arm, or catmint's own CSV. Prints every fault as FILE:LINE:COLUMN: [kind] text. With --base, only the faults\n"
     "that FORMULAS add. Events are looked up in the lists of the tree that a file is in, if it is in one.\n"
     "The exit status is 1 if there is a fault, 3 if a file cannot be read at all.\n",
     cli_lint},
    {"count", CLI_COUNT, "-- COMMAND...", "count the metrics of a program, of its threads or of its regions",
     "Runs COMMAND, with its children and threads, and prints the metrics that results define, with their\n"
     "errors, and the events behind them, on stderr. error +- is the largest error of a value in this program: by\n"
     "other facts that its definition may count, as often as the program executes them, and by noise; '-' if\n"
     "unknown. If hardware events cannot be counted, the program runs under the emulated PMU: qemu-user with\n"
     "catmint's plugin. The exit status is COMMAND's, 125 if catmint itself fails.\n",
     cli_count},
    {"topdown", CLI_TOPDOWN, "-- COMMAND...", "show where a program loses its issue slots, as a tree",
     "Counts COMMAND as 'catmint count' does, with the table of Top-Down of the processor, and prints the shares\n"
     "of the slots as a tree, on stderr. If counters cannot be read, the time of a model is taken: of the one\n"
     "that 'catmint discover' takes, or with --pmu software:MODEL of another that has time. The exit status is\n"
     "COMMAND's, 125 if catmint itself fails, which it does if there is no table, or no time.\n",
     cli_topdown},
    {"project", CLI_PROJECT, NULL, "project a program's speed from one machine to another",
     "Takes the peaks of two machines, the program's mix on each, and its speed on the first, and prints\n"
     "the interval of its speed on the second: equations 1 to 4 of Gavaille et al., Euro-Par 2022.\n"
     "Several mixes and memories make a table. The exit status is 1 if a level of the machines'\n"
     "caches has no bandwidth, so that the interval lacks it.\n",
     cli_project},
    {"roofline", CLI_ROOFLINE, NULL, "measure the peaks of this machine, and compare programs with them",
     "Measures floating-point operations per second by precision and vectors, and the bandwidth of each\ncache and of "
     "memory, on one core and on all, by time alone. Writes machine.json, a page with plots\n(roofline.html) and the "
     "plots as SVG into the directory, and prints the figures. Takes about a minute, or\nthe time of --budget; the "
     "machine should do nothing else meanwhile. Figures that contradict each other are\nmeasured again.\n",
     cli_roofline},
    {"incore", CLI_INCORE, NULL, "measure a core's latencies and throughputs in cycles, and its clock under load",
     "Measures latency and throughput of instructions in cycles by the clock of a chain of additions, that\n"
     "clock under arithmetic of each kind on one core to all, and whether stores read memory first, by time\n"
     "alone, or with --results by counts, too. Lists differences from published figures of this processor, if\n"
     "there are any. With --assembly or --function it measures nothing, and analyses loops by the ports of a\n"
     "core; with --ports it shows these, as a table or a diagram.\n",
     cli_incore},
    {"export", CLI_EXPORT, "RESULTS.json", "write definitions in the formats of PAPI, LIKWID and perf",
     "RESULTS.json is the output of 'catmint analyze --format json'. Writes the composable definitions, and\n"
     "those that hold in a range, with it. One that the format cannot express exactly is refused, and the\n"
     "exit status is 1; 3 if none is exported.\n",
     cli_export},
    {"report", CLI_REPORT, "DIR | RESULTS.json...", "make a page of results for a browser, with plots",
     "Writes one HTML file that needs no network: metrics with definitions, errors and proofs, plots,\n"
     "events to search. DIR is the directory of a sweep, RESULTS.json the output of\n"
     "'catmint analyze --format json'. For two results the page also shows their differences.\n",
     cli_report},
    {"bundle", CLI_BUNDLE, "DIR | BUNDLE", "pack measurements and results into one archive, or check one",
     "Packs the measurements of DIR with everything derived from them: results, proof, a page, and definitions\n"
     "for other programs. With --check, unpacks BUNDLE into a temporary directory, compares the SHA-256 of each\n"
     "file with its list, analyses the measurements, and compares the results. The exit status is 3 if one\n"
     "differs.\n",
     cli_bundle},
    {"diff", CLI_DIFF, "BEFORE AFTER...", "list the differences between two results",
     "Each is the directory of a sweep, or the output of 'catmint analyze --format json'. Compares\n"
     "definitions, verdicts, thresholds and statuses of events, not figures that vary from run to run.\n"
     "The exit status is 0 if they agree, 1 if they differ, 2 after an error.\n",
     cli_diff},
    {"events", CLI_EVENTS, "[PATTERN]", "list the events that can be counted here, and why others cannot",
     "Tries every native event of every PAPI component by itself. Lists refused events by reason; with\n--format json, "
     "lists all of them. With PATTERN, lists the events that have it within their names, or\nare of its form, as "
     "'BR_*COND'. The exit status is 3 if no event fits.\n",
     cli_events},
    {"doctor", CLI_DOCTOR, NULL, "list obstacles to counting on this machine, with advice",
     "Reads the kernel's files in /proc and /sys, and asks PAPI about its components. Changes nothing.\nThe exit "
     "status "
     "is 1 if something stops or disturbs counting.\n",
     cli_doctor},
    {"metrics", CLI_METRICS, "[PATTERN]", "list the metrics that catmint looks for, with their meanings",
     "Lists each metric with its benchmark, its preset of PAPI and its meaning, before any sweep; with PATTERN\n"
     "those that have it in name, preset or meaning ('dp ops' and PAPI_DP_OPS find the same), the models on which\n"
     "each has a definition, and whether the results that 'catmint discover' keeps for this processor have one.\n"
     "The exit status is 3 if none has it.\n",
     cli_metrics},
    {"models", CLI_MODELS, "[PATTERN]", "list the models of processors for --pmu software:MODEL",
     "Lists the models that come with catmint, with the processors whose kernels they count and the number of\n"
     "their events; with PATTERN those that have it in their names. 'catmint events --pmu software:MODEL' lists\n"
     "the events. The exit status is 3 if none has it.\n",
     cli_models},
    {"kernels", CLI_KERNELS, NULL, "list the kernels and their requirements",
     "With --verify, runs each kernel under the software PMU and compares every fact that it executed\n"
     "with bases/facts.csv; the exit status is 1 if one differs. With --verify --pmu hardware, it compares\n"
     "the machine code that the driver of an NVIDIA GPU makes, by nvdisasm or cuobjdump.\n"
     "With --run, launches each kernel of GPUs once, on this machine's GPU or with --pmu software:MODEL on\n"
     "the software GPU, and checks its results; the exit status is 1 if one is wrong or refused, 4 if\n"
     "there is no GPU. With --plan, writes a script that counts them with ncu or rocprofv3.\n"
     "With --confounded, it is 1 if all kernels together cannot separate facts that must be separate.\n"
     "\n"
     "With --emit, writes a directory that GNU's compiler or clang builds without any library: sources of\n"
     "the kernels, and a program that runs them on a core without an operating system, in simulation, in\n"
     "an FPGA or in QEMU, and prints the counts, which 'catmint import --console' reads.\n",
     cli_kernels},
    {"measure", CLI_MEASURE, "FILE.s", "count all events in a snippet of your own assembly, with its facts",
     "FILE.s is assembly of GNU's assembler, x86-64, without a loop and without a return. It is copied into a\n"
     "loop by the system's C compiler (cc, or $CC), run under the software PMU, which proves its facts, and\n"
     "counted under all events. Prints the facts of one copy, and for each event its count in a copy and the\n"
     "facts of that number. The snippet may use all registers, finds r14 in the middle of 64 KiB of memory, and\n"
     "must leave rsp as it was; labels are numbers, as in '1:'.\n",
     cli_measure},
    {"merge", CLI_MERGE, "DIR...", "join the sweeps of several processes or nodes into one",
     "Each DIR is a sweep, or holds the shards of one. All must come from machines of the same kind, with\nthe same "
     "kernels and options. No shard may be missing.\n",
     cli_merge},
    {"import", CLI_IMPORT, "TABLE...", "turn other people's tables of counts into measurement tables",
     "TABLE has events in rows and kernels in columns, or the other way round, separated by commas,\n"
     "tabs, semicolons, bars or blanks; it may hold several benchmarks. Writes <benchmark>.csv for\n"
     "'catmint analyze', reports how it read the table, and lists data that could not be used. The exit status is\n"
     "1 if an event could not be used.\n"
     "\n"
     "With --console, each TABLE is the log of a console on which kernels that 'catmint kernels --emit'\n"
     "wrote printed their counts. Writes a sweep directory of all benchmarks. The exit status is 1 if a\n"
     "kernel trapped, so that it was left out.\n",
     cli_import},
    {"import-cat", CLI_IMPORT_CAT, "DIR...", "turn outputs of PAPI's cat_collect into measurement tables",
     "Each DIR holds the outputs of one run, <event>.branch, .vec and .data.reads, and is one repetition.\n"
     "Writes <benchmark>.csv and events.csv for 'catmint analyze', and lists data that could not be used.\n"
     "The exit status is 1 if a whole event could not be used.\n",
     cli_import_cat},
    {"import-ncu", CLI_IMPORT_NCU, "FILE...", "turn counts of NVIDIA's ncu or AMD's rocprofv3 into a measurement table",
     "FILE is the CSV of 'ncu --csv --page raw', or one with a metric a row, or that of 'rocprofv3 --pmc'.\n"
     "Launches of a kernel are repetitions, those of all files together; metrics that are counts become\n"
     "events of PAPI's components cuda and rocp_sdk. Writes <benchmark>.csv for 'catmint analyze', and lists\n"
     "data that could not be used. The exit status is 1 if an event could not be used.\n",
     cli_import_ncu},
    {"manual", CLI_MANUAL, "PAGE", "print a manual page, of catmint or of a command",
     "PAGE is 'catmint' or the name of a command. On a terminal man shows the page, if there is\n"
     "one; else it is printed as man reads it: 'catmint manual sweep >catmint-sweep.1'.\n",
     cli_manual},
    {"completion", CLI_COMPLETION, "SHELL", "print the completion of commands and options for a shell",
     "SHELL is bash, zsh or fish. For this bash: 'source <(catmint completion bash)'.\n", cli_completion},
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const char *const cli_purpose =
    "Finds out what the hardware events of a processor count, and defines metrics with them.\n";
const char *const cli_exit_words =
    "0 done; 1 done, but part of it failed; 2 wrong usage; 3 bad input;\n4 not possible on this machine, output cannot "
    "be written, or out of memory; 130 interrupted.\n";

/* Prints the purpose, the commands and the exit status. */
static void usage(FILE *stream)
{
    enum { SUMMARY_COLUMN = 14 };
    char ending[512];
    fputs("usage: catmint COMMAND [options]\n\n", stream);
    cli_write_paragraphs(cli_purpose, stream);
    fputc('\n', stream);
    for (size_t i = 0; i < cli_command_count; i++) {
        fprintf(stream, "  %-11s ", cli_commands[i].name);
        cm_text_wrap(cli_commands[i].summary, SUMMARY_COLUMN, SUMMARY_COLUMN, cli_width(stream), stream);
        fputc('\n', stream);
    }
    snprintf(ending, sizeof ending,
             "'catmint COMMAND --help' lists the options of a command, 'catmint --version' prints the version.\n\n"
             "Exit status: %s",
             cli_exit_words);
    fputc('\n', stream);
    cli_write_paragraphs(ending, stream);
}

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

const char *cli_command_near(const char *name, char text[CM_NEAR_TEXT])
{
    cm_near near = {.wanted = name};
    for (size_t i = 0; i < cli_command_count; i++)
        cm_near_offer(&near, cli_commands[i].name);
    return cm_near_text(&near, text);
}

static void say_unknown(const char *name)
{
    char offered[CM_NEAR_TEXT];
    cli_say("unknown command '%s'; 'catmint --help' lists the commands%s", name, cli_command_near(name, offered));
}

static cli_exit unknown_command(const char *name)
{
    if (name[0] == '-')
        cli_say("unknown option '%s', expected a command first; see 'catmint --help'", name);
    else
        say_unknown(name);
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
    for (size_t i = 0; i < options->operands.count && (command->bit & CLI_COMMANDED) == 0; i++)
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
    if (code == CLI_DONE && !help && (command->bit & (CLI_AUDIT | CLI_EXPORT)) == 0 && options.known_events == NULL)
        code = cli_check_cpus(&options); /* audits have their own list, and exports their definitions' cores */
    if (code != CLI_DONE && (command->bit & CLI_COMMANDED) != 0)
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
    cli_name_program(argv[0]);
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
