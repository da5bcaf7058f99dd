/* Reads a command line by the tables of options. */
#include "cli/options.h"

#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/terminal.h"
#include "core/grow.h"
#include "core/number.h"

enum { FIRST_OPTION = 256 };

bool cli_wrong(const char *name, const char *argument, const char *expected)
{
    cli_say("--%s: expected %s, found '%s'", name, expected, argument);
    return false;
}

bool cli_append(cli_list *list, const char *item)
{
    const char **grown = cm_grow_by_one(list->items, list->count, sizeof *grown);
    if (grown == NULL) {
        cli_say("out of memory");
        return false;
    }
    list->items = grown;
    list->items[list->count++] = item;
    return true;
}

bool cli_split(cli_list *list, const char *name, const char *argument, const char *expected)
{
    if (list->text != NULL) {
        cli_say("--%s is given twice, expected one list, as in '--%s A,B'", name, name);
        return false;
    }
    list->text = strdup(argument);
    for (char *rest = list->text, *item; (item = strsep(&rest, ",")) != NULL;) {
        if (item[0] == '\0')
            return cli_wrong(name, argument, expected);
        if (!cli_append(list, item))
            return false;
    }
    return true;
}

bool cli_read_number(const char *text, double *value)
{
    return cm_number_parse(text, value, NULL) == CM_OK;
}

bool cli_read_count(const char *text, size_t least, size_t most, size_t *value)
{
    double number = 0.0;
    if (!cli_read_number(text, &number) || number != floor(number) || number < (double)least ||
        number > fmin((double)most, 0x1p53))
        return false;
    *value = (size_t)number;
    return true;
}

bool cli_set_path(const char **path, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "a path");
    *path = argument;
    return true;
}

bool cli_set_output(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->output, name, argument);
}

bool cli_set_replace(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->replace = true;
    return true;
}

static const struct {
    const cli_option *options;
    const size_t *count;
} tables[] = {
    {cli_sweep_options, &cli_sweep_option_count},       {cli_analysis_options, &cli_analysis_option_count},
    {cli_formulas_options, &cli_formulas_option_count}, {cli_count_options, &cli_count_option_count},
    {cli_project_options, &cli_project_option_count},   {cli_machine_options, &cli_machine_option_count},
    {cli_import_options, &cli_import_option_count},     {cli_kernels_options, &cli_kernels_option_count},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

size_t cli_option_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < TABLES; i++)
        count += *tables[i].count;
    return count;
}

const cli_option *cli_option_at(size_t index)
{
    size_t table = 0;
    while (index >= *tables[table].count)
        index -= *tables[table++].count;
    return &tables[table].options[index];
}

bool cli_option_is_listed(const cli_option *option, const cli_command *command)
{
    return (option->commands & command->bit) != 0 && option->help != NULL;
}

const char *cli_option_help(const cli_option *option, char formats[CLI_HELP_SIZE])
{
    if (option->help[0] != '\0')
        return option->help;
    cli_list_formats(true, formats, CLI_HELP_SIZE);
    return formats;
}

/* `table` has space for all options, --help, and the end. */
static void collect(unsigned bit, struct option *table)
{
    size_t count = 0;
    for (size_t i = 0; i < cli_option_count(); i++) {
        const cli_option *row = cli_option_at(i);
        if ((row->commands & bit) != 0)
            table[count++] = (struct option){row->name, row->argument != NULL ? required_argument : no_argument, NULL,
                                             FIRST_OPTION + (int)i};
    }
    table[count++] = (struct option){"help", no_argument, NULL, 'h'};
    table[count] = (struct option){0};
}

/* Stores the operands, and checks their number. */
static cli_exit take_operand(const cli_command *command, int argc, char **argv, cli_options *options)
{
    int operands = argc - optind;
    if (command->operand == NULL && operands > 0) {
        cli_say("unexpected argument '%s'; see 'catmint %s --help'", argv[optind], command->name);
        return CLI_USAGE;
    }
    bool several = command->operand != NULL && strstr(command->operand, "...") != NULL;
    if ((options->upstream != NULL || options->process != 0) && operands == 0)
        return CLI_DONE;
    if (options->upstream != NULL) {
        cli_say("--upstream is given, unexpected argument '%s'; see 'catmint %s --help'", argv[optind], command->name);
        return CLI_USAGE;
    }
    if (command->operand != NULL && (operands < 1 || (operands > 1 && !several))) {
        cli_say("%s needs %s, %s; see 'catmint %s --help'", command->name,
                several ? "at least one argument" : "one argument", command->operand, command->name);
        return CLI_USAGE;
    }
    for (int i = optind; i < argc; i++)
        if (!cli_append(&options->operands, argv[i]))
            return CLI_IMPOSSIBLE;
    return CLI_DONE;
}

/* The commands that have the option `given`, as in --tau=1; 0 if none has. */
static unsigned commands_with(const char *given)
{
    unsigned bits = 0;
    const char *name = strncmp(given, "--", 2) == 0 ? given + 2 : "";
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < cli_option_count(); i++)
        if (strlen(cli_option_at(i)->name) == length && strncmp(cli_option_at(i)->name, name, length) == 0)
            bits |= cli_option_at(i)->commands;
    return bits;
}

/* Reports an option that the command does not have. */
static cli_exit refuse_option(const cli_command *command, const char *given)
{
    unsigned bits = commands_with(given);
    if (bits == 0 || (bits & command->bit) != 0) {
        cli_say("unknown option '%s'; see 'catmint %s --help'", given, command->name);
        return CLI_USAGE;
    }
    char names[128] = "";
    size_t length = 0;
    for (size_t i = 0; i < cli_command_count && length < sizeof names; i++)
        if ((cli_commands[i].bit & bits) != 0)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "",
                                       cli_commands[i].name);
    cli_say("%s has no option '%s', which is an option of %s; see 'catmint %s --help'", command->name, given, names,
            command->name);
    return CLI_USAGE;
}

/* Whether the operands are another program's command line. */
static bool has_command(const cli_command *command)
{
    return command->operand != NULL && strncmp(command->operand, "-- ", 3) == 0;
}

static const cli_option *find_option(const char *name)
{
    size_t at = 0;
    while (strcmp(cli_option_at(at)->name, name) != 0)
        at++;
    return cli_option_at(at);
}

/* Whether the word consists of short options, `letter` among them. */
static bool has_letter(const char *word, int letter)
{
    return word != NULL && word[0] == '-' && word[1] != '-' && letter > 0 && letter < FIRST_OPTION &&
           strchr(word, letter) != NULL;
}

/* Reads the options by `table`. */
static cli_exit read_options(const cli_command *command, int argc, char **argv, const struct option *table,
                             cli_options *options, bool *help)
{
    opterr = 0;
    const char *short_options = has_command(command) ? "+:hp:" : ":h";
    for (int option; (option = getopt_long(argc, argv, short_options, table, NULL)) != -1;) {
        const char *given = argv[optind - 1];
        if (option == 'h') {
            *help = true;
            return CLI_DONE;
        }
        if (option == ':') {
            cli_say("option '%s' needs a value; see 'catmint %s --help'", given, command->name);
            return CLI_USAGE;
        }
        if (option == '?') /* the rest of a word of several letters is still to come */
            return refuse_option(command,
                                 !has_letter(given, optopt) && has_letter(argv[optind], optopt) ? argv[optind] : given);
        const cli_option *row = option == 'p' ? find_option("process") : cli_option_at((size_t)(option - FIRST_OPTION));
        if (!row->set(options, row->name, optarg))
            return CLI_USAGE;
    }
    return CLI_DONE;
}

bool cli_is_same_file(const char *first, const char *second)
{
    struct stat one, other;
    return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

bool cli_replaces(const cli_options *options, const char *input)
{
    bool replaced = cli_is_same_file(input, options->output);
    if (replaced)
        cli_say("%s: it is read by this command, so it is not replaced: expected another --output", options->output);
    return replaced;
}

/* Refuses an --output that the command line also names elsewhere, alone or behind '=': an input would be replaced. */
static cli_exit check_inputs(int argc, char **argv, const cli_options *options)
{
    struct stat output;
    if (options->output == NULL || stat(options->output, &output) != 0 || !S_ISREG(output.st_mode))
        return CLI_DONE;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        for (const char *path = argv[i]; path != NULL; path = strchr(path, '=')) {
            path += path != argv[i];
            if (path != options->output && cli_replaces(options, path))
                return CLI_IMPOSSIBLE;
        }
    return CLI_DONE;
}

cli_exit cli_options_parse(const cli_command *command, int argc, char **argv, cli_options *options, bool *help)
{
    *options = (cli_options){.qualifiers = SIZE_MAX,
                             .programs = SIZE_MAX,
                             .seed = CM_VALIDATION_SEED,
                             .tau = NAN,
                             .alpha = NAN,
                             .residual = NAN,
                             .tolerance = CM_EVALUATE_TOLERANCE};
    struct option *table = malloc((cli_option_count() + 2) * sizeof *table);
    if (table == NULL) {
        cli_say("out of memory");
        return CLI_IMPOSSIBLE;
    }
    collect(command->bit, table);
    cli_exit code = read_options(command, argc, argv, table, options, help);
    free(table);
    if (code == CLI_DONE && !*help)
        code = take_operand(command, argc, argv, options);
    return code == CLI_DONE && !*help ? check_inputs(argc, argv, options) : code;
}

void cli_options_free(cli_options *options)
{
    free(options->benchmarks.items);
    free(options->benchmarks.text);
    free(options->events.items);
    free(options->metrics.items);
    free(options->metrics.text);
    free(options->operands.items);
    free(options->avoid.items);
    free(options->only.items);
    free(options->components.items);
    free(options->cpus.items);
    free(options->counts.items);
    free(options->shown.items);
    free(options->kernel_names.items);
    free(options->kernel_names.text);
    free(options->audits.items);
    free(options->mixes.items);
    free(options->memories.items);
    free(options->memories.text);
    free(options->points.items);
}

void cli_options_help(const cli_command *command)
{
    enum { HELP_COLUMN = 22 };
    size_t width = cli_width(stdout);
    const char *operand = command->operand != NULL ? command->operand : "", *blank = operand[0] != '\0' ? " " : "";
    if (has_command(command))
        printf("usage: catmint %s [options]%s%s\n\n%s\n", command->name, blank, operand, command->details);
    else
        printf("usage: catmint %s%s%s [options]\n\n%s\n", command->name, blank, operand, command->details);
    for (size_t i = 0; i < cli_option_count(); i++) {
        const cli_option *row = cli_option_at(i);
        if (!cli_option_is_listed(row, command))
            continue;
        char left[64], described[CLI_HELP_SIZE];
        snprintf(left, sizeof left, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        printf("  %-*s", HELP_COLUMN - 2, left);
        if (strlen(left) > HELP_COLUMN - 3) /* too long for its help to follow on the line */
            printf("\n%*s", HELP_COLUMN, "");
        cli_wrap(cli_option_help(row, described), HELP_COLUMN, HELP_COLUMN, width);
        putchar('\n');
    }
    printf("  %-*sshow this help\n", HELP_COLUMN - 2, "--help");
}
