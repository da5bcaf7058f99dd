/* Manual pages, from the tables of commands and options. */
#include "cli/options.h"

/* Writes text for roff: without escapes, without requests at the start of a line, and '-' as it is typed. */
static void write_text(const char *text)
{
    bool begins = true;
    for (; *text != '\0'; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        begins = *text == '\n';
    }
}

static void write_section(const char *heading, const char *text)
{
    printf(".SH %s\n", heading);
    write_text(text);
    putchar('\n');
}

static void write_title(const char *name)
{
    fputs(".TH \"", stdout);
    for (const char *letter = name; *letter != '\0'; letter++)
        putchar(*letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter);
    puts("\" 1 \"\" \"catmint " CATMINT_VERSION "\" \"User Commands\"");
}

static void write_name(const char *name, const char *summary)
{
    puts(".SH NAME");
    write_text(name);
    fputs(" \\- ", stdout);
    write_text(summary);
    putchar('\n');
}

/* Writes an option and its help. */
static void write_option(const char *name, const char *argument, const char *help)
{
    fputs(".TP\n\\fB\\-\\-", stdout);
    write_text(name);
    fputs("\\fR", stdout);
    if (argument != NULL)
        printf(" \\fI%s\\fR", argument);
    putchar('\n');
    write_text(help);
    putchar('\n');
}

/* Writes the section of a command's options. */
static void write_options(const cli_command *command)
{
    char formats[CLI_HELP_SIZE];
    puts(".SH OPTIONS");
    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_rows[i];
        if (cli_option_is_listed(option, command))
            write_option(option->name, option->argument, cli_option_help(option, formats));
    }
    write_option("help", NULL, "show the options");
}

/* Writes a command's examples, the commands as they are typed. */
static void write_examples(const char *examples)
{
    static const char indent[] = "    ";
    puts(".SH EXAMPLES");
    for (const char *line = examples, *end; *line != '\0'; line = end + 1) {
        char text[256];
        end = strchr(line, '\n');
        bool command = strncmp(line, indent, strlen(indent)) == 0;
        const char *from = command ? line + strlen(indent) : line;
        snprintf(text, sizeof text, "%.*s", (int)(end - from), from);
        puts(command ? ".in +4n\n.EX" : ".PP");
        write_text(text);
        puts(command ? "\n.EE\n.in" : "");
    }
}

/* Writes the page of a command. */
static void write_command(const cli_command *command)
{
    char name[64], words[128];
    snprintf(name, sizeof name, "catmint-%s", command->name);
    write_title(name);
    write_name(name, command->summary);
    printf(".SH SYNOPSIS\n\\fBcatmint %s\\fR ", command->name);
    write_text(cli_command_words(command, words, sizeof words));
    putchar('\n');
    write_section("DESCRIPTION", command->details);
    write_options(command);
    write_section("EXIT STATUS", cli_command_exits(command));
    write_examples(cli_command_examples(command));
    puts(".SH SEE ALSO\n.BR catmint (1)");
}

/* Writes the page of the program. */
static void write_program(void)
{
    write_title("catmint");
    write_name("catmint", "find out what hardware events count, and define metrics with them");
    puts(".SH SYNOPSIS\n\\fBcatmint\\fR COMMAND [options]");
    write_section("DESCRIPTION", cli_purpose);
    puts(".SH COMMANDS");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf(".TP\n.BR catmint\\-%s (1)\n", cli_commands[i].name);
        write_text(cli_commands[i].summary);
        putchar('\n');
    }
    write_section("EXIT STATUS", cli_exit_words);
    puts(".SH ENVIRONMENT\n"
         ".TP\n"
         ".B CATMINT_DATA_DIR\n"
         "The directory with bases, signatures and data, instead of the installed one.\n"
         ".TP\n"
         ".B NO_COLOR\n"
         "If it is set, output has no colours.");
    write_examples("What the events of this machine measure, with a report and presets in a directory:\n"
                   "    catmint discover --out sweep\n"
                   "Why a metric has its definition:\n"
                   "    catmint explain --metric \"DP Ops.\" sweep\n"
                   "What a program does:\n"
                   "    catmint count -- ./program\n");
    puts(".SH SEE ALSO\n"
         ".BR catmint\\-formats (5),\n"
         ".BR libcatmint (3)");
}

/* On a terminal, lets man show all that is written to stdout from now on; NULL: there is none, or no terminal. */
static FILE *show_by_man(void)
{
    if (!isatty(STDOUT_FILENO) || system("command -v man >/dev/null 2>&1") != 0)
        return NULL;
    FILE *man = popen("man -l -", "w");
    if (man != NULL)
        dup2(fileno(man), STDOUT_FILENO);
    return man;
}

/* Lets the page end, and waits until man has shown it. */
static cli_exit finish_page(FILE *man)
{
    const cli_exit code = cli_finish_stdout(CLI_DONE);
    if (man == NULL)
        return code;
    close(STDOUT_FILENO);
    return pclose(man) == 0 ? code : CLI_IMPOSSIBLE;
}

cli_exit cli_manual(const cli_options *options)
{
    const char *page = options->operands.items[0];
    const cli_command *command = cli_command_find(page);
    char offered[CM_NEAR_TEXT];
    if (command == NULL && strcmp(page, "catmint") != 0)
        return cli_end(CLI_USAGE,
                       "there is no page '%s': expected 'catmint' or a command, as 'catmint --help' lists them%s", page,
                       cli_command_near(page, offered));
    FILE *man = show_by_man();
    if (command != NULL)
        write_command(command);
    else
        write_program();
    return finish_page(man);
}
