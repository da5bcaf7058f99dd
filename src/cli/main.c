#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <catmint/kernels.h>

#include "cli/command.h"
#include "cli/interrupt.h"

const cli_command cli_commands[] = {
    {"discover", CLI_DISCOVER, NULL, "find out what the events of this machine measure: sweep and analyze",
     "Runs the kernels of each benchmark while every native event is counted, and prints the\n"
     "metric definitions that follow. This is the command to begin with.\n",
     cli_discover},
    {"sweep", CLI_SWEEP, NULL, "count every event on every kernel, into a directory",
     "Writes <benchmark>.csv, events.csv and manifest.json into the directory, for 'catmint analyze'.\n", cli_sweep},
    {"analyze", CLI_ANALYZE, "DIR... | FILE.csv", "turn measurements into metric definitions",
     "DIR is the directory of a sweep; several are joined. FILE.csv is one measurement table; it wants\n"
     "--benchmark, or --basis and --signatures both.\n",
     cli_analyze},
    {"explain", CLI_EXPLAIN, "EVENT... DIR", "what an event measures, or how a metric is defined, and why",
     "'catmint explain EVENT DIR' tells what became of one event of a sweep: what it measures, its noise,\n"
     "its residual, the kernels it disagrees with, its equivalents, and why it was or was not selected.\n"
     "'catmint explain --metric NAME DIR' tells the same of a metric. FILE.csv wants --benchmark.\n",
     cli_explain},
    {"evaluate", CLI_EVALUATE, "FORMULAS", "values of formulas for measured counts, hierarchies as trees",
     "Prints the value of each formula for each run, a column of the table of counts.\n"
     "The exit status is 1 where a value does not exist or a hierarchy does not add up.\n",
     cli_evaluate},
    {"audit", CLI_AUDIT, "FORMULAS...", "whether formulas measure what they are said to measure",
     "Compares formulas (PAPI's presets, LIKWID's groups, metrics of perf and perfmon, CSV) with what their\n"
     "events really count, says what those that are wrong measure instead, and what would be right.\n"
     "FORMULAS are files, or folders of files. The exit status is 1 where one is wrong.\n",
     cli_audit},
    {"lint", CLI_LINT, "FORMULAS...", "what is wrong with files of formulas, without measuring",
     "Each is a file or a folder of files: tables of PAPI's, groups of LIKWID's, metrics of perf or perfmon,\n"
     "or catmint's own CSV. Prints every fault as FILE:LINE:COLUMN: [kind] text. The exit status is 1 where\n"
     "there is one, 3 where a file could not be read at all.\n",
     cli_lint},
    {"export", CLI_EXPORT, "RESULTS.json", "definitions as PAPI, LIKWID and perf load them",
     "RESULTS.json is what 'catmint analyze --format json' wrote. Definitions that are composable are\n"
     "written; one that the format cannot express exactly is refused, and the exit status is then 1.\n",
     cli_export},
    {"events", CLI_EVENTS, NULL, "what can be counted here, and why the rest cannot",
     "Tries every native event of every PAPI component by itself. Events that are refused are listed\n"
     "by reason, all of them with --format json.\n",
     cli_events},
    {"kernels", CLI_KERNELS, NULL, "the kernels, and what they need",
     "With --verify each kernel runs under the software PMU, and every fact of what it executed is\n"
     "compared with what bases/facts.csv says; the exit status is 1 where one differs. With --confounded\n"
     "it is 1 where the kernels of all benchmarks leave facts together that must be separate.\n",
     cli_kernels},
    {"merge", CLI_MERGE, "DIR...", "join the sweeps of several processes or nodes into one",
     "Each DIR is a sweep, or holds the shards of one. They must be of machines of the same kind, with\n"
     "the same kernels and options; shards must all be there.\n",
     cli_merge},
    {"import-cat", CLI_IMPORT_CAT, "DIR...", "turn outputs of PAPI's cat_collect into measurement tables",
     "Each DIR holds outputs of one run, <event>.branch, .vec and .data.reads, and is one repetition.\n"
     "Writes <benchmark>.csv and events.csv for 'catmint analyze', and names what could not be used;\n"
     "the exit status is 1 where that is a whole event.\n",
     cli_import_cat},
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

static void usage(FILE *stream)
{
    fputs("usage: catmint COMMAND [options]\n\n"
          "Finds out what the hardware events of a processor count, and mints metric definitions from them.\n\n",
          stream);
    for (size_t i = 0; i < cli_command_count; i++)
        fprintf(stream, "  %-11s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n'catmint COMMAND --help' tells the options of a command, 'catmint --version' the version.\n"
          "Exit status: 0 done; 1 done, but part of it failed; 2 wrong usage; 3 bad input;\n"
          "4 this machine cannot do it, output cannot be written, or memory ran out; 130 interrupted.\n",
          stream);
}

static const cli_command *find_command(const char *name)
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
        cli_say("unknown command '%s', see 'catmint --help' for those that there are", name);
    return CLI_USAGE;
}

static cli_exit check_environment(void)
{
    char unknown[32], names[128];
    if (!cm_isa_unknown(unknown, sizeof unknown))
        return CLI_DONE;
    cli_say("CATMINT_WITHOUT_ISA: there is no instruction set '%s', expected some of %s", unknown,
            cm_isa_names(~0u, names, sizeof names));
    return CLI_USAGE;
}

static cli_exit run_command(const cli_command *command, int argc, char **argv)
{
    cli_options options;
    bool help = false;
    cli_exit code = cli_options_parse(command, argc, argv, &options, &help);
    if (code == CLI_DONE && !help)
        code = check_environment();
    if (code == CLI_DONE && help) {
        cli_options_help(command);
        code = cli_finish_stdout(code);
    } else if (code == CLI_DONE) {
        cli_interrupt_catch();
        code = command->run(&options);
    }
    cli_options_free(&options);
    return code;
}

/* A descriptor that the caller closed would be given to the next file, and messages written into that. */
static void keep_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
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
    const cli_command *command = find_command(argv[1]);
    return command != NULL ? run_command(command, argc - 1, argv + 1) : unknown_command(argv[1]);
}
