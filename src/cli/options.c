/* Reads a command line by the tables of options. */
#include "cli/options.h"
#include "cli/sweeping.h"

#include <getopt.h>

/* The commands that have the option `given`, as in --tau=1; 0 if none has. */
static unsigned commands_with(const char *given)
{
    unsigned bits = 0;
    const char *name = strncmp(given, "--", 2) == 0 ? given + 2 : "";
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < cli_option_count; i++)
        if (strlen(cli_option_rows[i].name) == length && strncmp(cli_option_rows[i].name, name, length) == 0)
            bits |= cli_option_rows[i].commands;
    return bits;
}

/* Reports an option that no command has, with the one of this command that was probably meant. */
static cli_exit refuse_unknown(const cli_command *command, const char *given)
{
    cm_near near = {.wanted = strncmp(given, "--", 2) == 0 ? given + 2 : ""};
    for (size_t i = 0; i < cli_option_count; i++)
        if ((cli_option_rows[i].commands & command->bit) != 0)
            cm_near_offer(&near, cli_option_rows[i].name);
    if (near.name[0] == '\0')
        return cli_end(CLI_USAGE, "unknown option '%s'; see 'catmint %s --help'", given, command->name);
    return cli_end(CLI_USAGE, "unknown option '%s', did you mean '--%s'? See 'catmint %s --help'", given, near.name,
                   command->name);
}

/* Reports an option that the command does not have: which commands have it, or which one was probably meant. */
static cli_exit refuse_option(const cli_command *command, const char *given)
{
    unsigned bits = commands_with(given);
    if (bits == 0 || (bits & command->bit) != 0)
        return refuse_unknown(command, given);
    enum { MOST = 8, NAME = 32 };
    char names[MOST * NAME] = "", more[NAME] = "";
    size_t found = 0;
    for (size_t i = 0; i < cli_command_count; i++)
        if ((cli_commands[i].bit & bits) != 0 && ++found <= MOST)
            cm_text_append(names, sizeof names, ", ", "%.*s", NAME - 3, cli_commands[i].name);
    if (found > MOST)
        snprintf(more, sizeof more, " and %zu more", found - MOST);
    return cli_end(CLI_USAGE, "%s has no option '%s', which is an option of %s%s; see 'catmint %s --help'",
                   command->name, given, names, more, command->name);
}

enum { FIRST_OPTION = 256 };

/* The member of the options that a row stores into. */
static void *member_of(cli_options *options, const cli_option *option)
{
    return (char *)options + option->value.member;
}

/* Writes "a number from 1 to 64", or the choices as "table, csv or json"; returns the row's own words if it has some.
 */
static const char *expected_of(const cli_value *value, char text[CLI_HELP_SIZE])
{
    if (value->expected != NULL)
        return value->expected;
    if (value->choices == NULL) {
        snprintf(text, CLI_HELP_SIZE, "a number from %.0f to %.0f", value->least, value->most);
        return text;
    }
    text[0] = '\0';
    for (const cli_choice *choice = value->choices; choice->word != NULL; choice++)
        cm_text_append(text, CLI_HELP_SIZE, choice[1].word == NULL ? " or " : ", ", "%s", choice->word);
    return text;
}

/* Whether the argument is one of the choices, whose number is stored. */
static bool choose_name(const cli_choice *choice, const char *argument, unsigned *number)
{
    while (choice->word != NULL && strcmp(choice->word, argument) != 0)
        choice++;
    *number = choice->number;
    return choice->word != NULL;
}

/* Whether the argument is a number in the row's range, which is stored. */
static bool read_in_range(const cli_value *value, const char *argument, double *number)
{
    return cli_read_number(argument, number) && *number >= value->least && *number <= value->most;
}

/* Stores the argument. False, reported, if it is wrong. */
static bool set_option(const cli_option *option, cli_options *options, const char *argument)
{
    const cli_value *value = &option->value;
    char text[CLI_HELP_SIZE];
    void *member = member_of(options, option);
    bool right = true;
    cli_begin_argument(option);
    switch (value->kind) {
    case CLI_KIND_FLAG: *(bool *)member = true; break;
    case CLI_KIND_TEXT:
        right = argument[0] != '\0';
        *(const char **)member = argument;
        break;
    case CLI_KIND_TEXTS:
        right = argument[0] != '\0';
        if (right)
            return cli_append(member, argument);
        break;
    case CLI_KIND_LIST: return cli_split(member, option->name, argument, value->expected);
    case CLI_KIND_WHOLE: right = cli_read_count(argument, value->least, value->most, member); break;
    case CLI_KIND_NUMBER: right = read_in_range(value, argument, member); break;
    case CLI_KIND_CHOICE: right = choose_name(value->choices, argument, member); break;
    case CLI_KIND_OTHER: return value->set(options, option->name, argument);
    }
    return right || cli_wrong(option->name, argument, expected_of(value, text));
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
static void collect_options(unsigned bit, struct option *table)
{
    size_t count = 0;
    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_option *row = &cli_option_rows[i];
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
    if (command->operand == NULL && operands > 0)
        return cli_end(CLI_USAGE, "unexpected argument '%s'; see 'catmint %s --help'", argv[optind], command->name);
    bool several = command->operand != NULL && strstr(command->operand, "...") != NULL;
    const bool counts =
        options->process != 0 || options->all_cpus || (command->bit == CLI_COUNT && options->cores != NULL);
    if ((counts || options->upstream != NULL || options->emit != NULL || options->trace != NULL) && operands == 0)
        return CLI_DONE;
    if (options->upstream != NULL)
        return cli_end(CLI_USAGE, "--upstream is given, unexpected argument '%s'; see 'catmint %s --help'",
                       argv[optind], command->name);
    if (command->operand != NULL && (operands + (command->operand[0] == '[') < 1 || (operands > 1 && !several)))
        return cli_end(CLI_USAGE, "%s needs %s, %s; see 'catmint %s --help'", command->name,
                       several ? "at least one argument" : "one argument", command->operand, command->name);
    for (int i = optind; i < argc; i++)
        if (!cli_append(&options->operands, argv[i]))
            return CLI_IMPOSSIBLE;
    return CLI_DONE;
}

/* Whether the operands are another program's command line. */
static bool has_command(const cli_command *command)
{
    return command->operand != NULL && strncmp(command->operand, "-- ", 3) == 0;
}

/* The option of count that has a short form, as perf has it. */
static const cli_option *find_short(int letter)
{
    static const char *const names[] = {
        ['p'] = "process",  ['e'] = "events",          ['o'] = "output",   ['r'] = "repeat",
        ['I'] = "interval", ['x'] = "field-separator", ['a'] = "all-cpus", ['C'] = "cpu"};
    const cli_option *row = cli_option_rows;
    for (; (row->commands & CLI_COUNT) == 0 || strcmp(row->name, names[letter]) != 0; row++)
        ;
    return row;
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
    const char *short_options = command->bit == CLI_COUNT ? "+:hap:e:o:r:I:x:C:" : has_command(command) ? "+:h" : ":h";
    for (int option; (option = getopt_long(argc, argv, short_options, table, NULL)) != -1;) {
        const char *given = argv[optind - 1];
        if (option == 'h') {
            *help = true;
            return CLI_DONE;
        }
        if (option == ':')
            return cli_end(CLI_USAGE, "option '%s' needs a value; see 'catmint %s --help'", given, command->name);
        if (option == '?') /* the rest of a word of several letters is still to come */
            return refuse_option(command,
                                 !has_letter(given, optopt) && has_letter(argv[optind], optopt) ? argv[optind] : given);
        const cli_option *row =
            option < FIRST_OPTION ? find_short(option) : &cli_option_rows[(size_t)(option - FIRST_OPTION)];
        cli_option one = *row;
        one.name = option < FIRST_OPTION ? (const char[]){(char)option, '\0'} : row->name;
        if (!set_option(&one, options, optarg))
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
        cli_write("%s: it is read by this command, so it is not replaced: expected another --output", options->output);
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
    struct option *table = malloc((cli_option_count + 2) * sizeof *table);
    if (table == NULL)
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    collect_options(command->bit, table);
    cli_exit code = read_options(command, argc, argv, table, options, help);
    free(table);
    cli_choose_colour(options->colour);
    if (code == CLI_DONE && !*help)
        code = take_operand(command, argc, argv, options);
    return code == CLI_DONE && !*help ? check_inputs(argc, argv, options) : code;
}

void cli_options_free(cli_options *options)
{
    cli_list_free(&options->operands);
    cli_list_free(&options->benchmarks);
    cli_list_free(&options->events);
    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_value *value = &cli_option_rows[i].value;
        if (value->kind == CLI_KIND_TEXTS || value->kind == CLI_KIND_LIST)
            cli_list_free(member_of(options, &cli_option_rows[i]));
    }
}

void cli_write_paragraphs(const char *text, FILE *stream)
{
    for (const char *end; *text != '\0'; text = end) {
        char paragraph[2048];
        end = strstr(text, "\n\n");
        end = end != NULL ? end : text + strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)(end - text), text);
        for (char *line = paragraph; (line = strchr(line, '\n')) != NULL;)
            *line = ' ';
        cm_text_wrap(paragraph, 0, 0, cli_width(stream), stream);
        end += strspn(end, "\n");
        fputs(*end != '\0' ? "\n\n" : "\n", stream);
    }
}

const char *cli_command_words(const cli_command *command, char *words, size_t size)
{
    const char *operand = command->operand != NULL ? command->operand : "", *blank = operand[0] != '\0' ? " " : "";
    const bool last = has_command(command);
    snprintf(words, size, "%s%s%s", last ? "[options]" : operand, blank, last ? operand : "[options]");
    return words;
}

void cli_options_help(const cli_command *command)
{
    enum { HELP_COLUMN = 22 };
    char words[128];
    printf("usage: catmint %s %s\n\n", command->name, cli_command_words(command, words, sizeof words));
    cli_write_paragraphs(command->details, stdout);
    putchar('\n');
    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_option *row = &cli_option_rows[i];
        if (!cli_option_is_listed(row, command))
            continue;
        char left[64], described[CLI_HELP_SIZE];
        snprintf(left, sizeof left, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        printf("  %-*s", HELP_COLUMN - 2, left);
        if (strlen(left) > HELP_COLUMN - 3) /* too long for its help to follow on the line */
            printf("\n%*s", HELP_COLUMN, "");
        cm_text_wrap(cli_option_help(row, described), HELP_COLUMN, HELP_COLUMN, cli_width(stdout), stdout);
        putchar('\n');
    }
    printf("  %-*sshow this help\n", HELP_COLUMN - 2, "--help");
}
