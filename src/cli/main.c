/* The program: finds the command, reads its options and runs it. */
#include "cli/sweeping.h"

/* The functions of the commands, in the order of cli_commands. */
static cli_exit (*const functions[])(const cli_options *options) = {
#define ROW(name, bit, operand, summary, details, run) run,
#include "cli/command_rows.h"
#undef ROW
};

/* Prints the purpose, the commands and the exit status. */
static void write_usage(FILE *stream)
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

static cli_exit unknown_command(const char *name)
{
    char offered[CM_NEAR_TEXT];
    if (name[0] == '-')
        cli_write("unknown option '%s', expected a command first; see 'catmint --help'", name);
    else
        cli_write("unknown command '%s'; 'catmint --help' lists the commands%s", name, cli_command_near(name, offered));
    return CLI_USAGE;
}

static cli_exit check_environment(void)
{
    char unknown[32], names[128];
    if (!cm_isa_unknown(unknown, sizeof unknown))
        return CLI_DONE;
    return cli_end(CLI_USAGE, "CATMINT_WITHOUT_ISA: unknown instruction set '%s', expected some of %s", unknown,
                   cm_isa_names(~0u, names, sizeof names));
}

/* Warns if a file that the command reads does not belong to the sweep beside it. Operands of count are not files. */
static void note_kept(const cli_command *command, const cli_options *options)
{
    const char *const files[] = {options->results, options->against};
    for (size_t i = 0; i < options->operands.count && (command->bit & CLI_COMMANDED) == 0; i++)
        cli_note_kept(options->operands.items[i]);
    for (size_t i = 0; i < CM_COUNT_OF(files); i++)
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
        code = functions[command - cli_commands](&options);
        if (code == CLI_INTERRUPTED && cli_interrupt_expired())
            code = CLI_PARTLY; /* as --budget asks */
    }
    cli_options_free(&options);
    return code;
}

int main(int argc, char **argv)
{
    /* Descriptors of closed standard streams would be given to files, and messages be written into these. */
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    cli_catch_file_limit();
    cli_name_program(argv[0]);
    if (argc < 2) {
        write_usage(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        write_usage(stdout);
        return cli_finish_stdout(CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("catmint " CATMINT_VERSION);
        return cli_finish_stdout(CLI_DONE);
    }
    const cli_command *command = cli_command_find(argv[1]);
    return command != NULL ? run_command(command, argc - 1, argv + 1) : unknown_command(argv[1]);
}
