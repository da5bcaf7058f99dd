/* Shell completion, from the tables of commands and options. */
#include "cli/options.h"

static bool has_words(const cli_option *option)
{
    return option->argument != NULL && cli_option_word(option, 0) != NULL;
}

static bool takes_directory(const cli_option *option)
{
    return option->argument != NULL && strcmp(option->argument, "DIR") == 0;
}

static bool takes_file(const cli_option *option)
{
    return option->argument != NULL && (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "PATH") == 0);
}

/* Writes text within quotes: characters in `special` get a backslash, and quotes are replaced. */
static void write_quoted(const char *text, const char *special)
{
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            putchar('\\');
        fputs(*text == '\'' ? "’" : (const char[]){*text, '\0'}, stdout);
    }
}

/* Writes the words that may be an option's argument, separated by blanks. */
static void write_words(const cli_option *option, const char *special)
{
    const char *word;
    for (size_t i = 0; (word = cli_option_word(option, i)) != NULL; i++) {
        fputs(i > 0 ? " " : "", stdout);
        write_quoted(word, special);
    }
}

/* ---- bash ---- */

static void write_bash_options(const cli_command *command)
{
    printf("    %s) options=\"", command->name);
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_option_is_listed(&cli_option_rows[i], command))
            printf("--%s ", cli_option_rows[i].name);
    puts("--help\" ;;");
}

/* Writes the cases that complete the values of a command's options. */
static void write_bash_values(const cli_command *command)
{
    for (size_t i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_rows[i];
        if (!cli_option_is_listed(option, command) || option->argument == NULL)
            continue;
        printf("    \"%s --%s\") ", command->name, option->name);
        if (has_words(option)) {
            fputs("words=\"", stdout);
            write_words(option, "");
            putchar('"');
        } else
            printf("files=%s", takes_directory(option) ? "-d" : takes_file(option) ? "-f" : "none");
        puts(" ;;");
    }
}

/* Writes the completion of bash. */
static void write_bash(void)
{
    /* Bash parts words at colons, and takes the part behind the last. */
    puts("_catmint()\n{\n    local at=$COMP_CWORD\n    local word=${COMP_WORDS[at]} command=${COMP_WORDS[1]}\n"
         "    while [ \"$at\" -gt 2 ] && [[ ${COMP_WORDS[at]} == : || ${COMP_WORDS[at-1]} == : ]]; do\n"
         "        at=$((at - 1)) word=${COMP_WORDS[at]}$word\n    done");
    puts("    local before=${COMP_WORDS[at-1]} options=\"\" words=\"\" files=\"\"\n    COMPREPLY=()\n    if [ "
         "\"$COMP_CWORD\" -eq 1 ]; then");
    fputs("        words=\"", stdout);
    for (size_t i = 0; i < cli_command_count; i++)
        printf("%s ", cli_commands[i].name);
    puts(
        "--help --version\"\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n        return\n    "
        "fi\n    case \"$command $before\" in");
    for (size_t i = 0; i < cli_command_count; i++)
        write_bash_values(&cli_commands[i]);
    puts("    esac\n    case \"$command\" in");
    for (size_t i = 0; i < cli_command_count; i++)
        write_bash_options(&cli_commands[i]);
    puts("    esac\n    if [ -n \"$words\" ]; then\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
         "\"$word\")\n        if [ \"$at\" -ne \"$COMP_CWORD\" ]; then COMPREPLY=(\"${COMPREPLY[@]##*:}\"); fi\n"
         "    elif [ \"$files\" = none ]; then\n        return\n    elif [ -z \"$files\" ] && [[ $word == "
         "-* "
         "]]; then\n        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n    else\n        compopt "
         "-o "
         "filenames 2>/dev/null\n        mapfile -t COMPREPLY < <(compgen \"${files:--f}\" -- \"$word\")\n    "
         "fi\n}\ncomplete -F _catmint catmint");
}

/* ---- zsh ---- */

/* Writes one option of a command for _arguments. */
static void write_zsh_option(const cli_option *option)
{
    char formats[CLI_HELP_SIZE];
    printf("        '*--%s%s[", option->name, option->argument != NULL ? "=" : "");
    write_quoted(cli_option_help(option, formats), "[]:");
    putchar(']');
    if (option->argument != NULL) {
        printf(":%s:", option->argument);
        if (has_words(option)) {
            putchar('(');
            write_words(option, ":");
            putchar(')');
        } else if (takes_directory(option) || takes_file(option))
            fputs(takes_directory(option) ? "_files -/" : "_files", stdout);
    }
    puts("' \\");
}

/* Writes the completion of zsh. */
static void write_zsh(void)
{
    puts("#compdef catmint\nlocal -a commands\ncommands=(");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("    '%s:", cli_commands[i].name);
        write_quoted(cli_commands[i].summary, ":");
        puts("'");
    }
    puts(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\nshift words\n(( CURRENT-- "
         "))\ncase $words[1] in");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("%s)\n    _arguments \\\n", cli_commands[i].name);
        for (size_t k = 0; k < cli_option_count; k++)
            if (cli_option_is_listed(&cli_option_rows[k], &cli_commands[i]))
                write_zsh_option(&cli_option_rows[k]);
        puts("        '--help[show the options]' '*:file:_files' ;;");
    }
    puts("esac");
}

/* ---- fish ---- */

/* Writes one option of a command. */
static void write_fish_option(const cli_option *option, const cli_command *command)
{
    char formats[CLI_HELP_SIZE];
    printf("complete -c catmint -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (has_words(option)) {
        fputs(" -x -a '", stdout);
        write_words(option, "");
        putchar('\'');
    } else if (takes_directory(option) || takes_file(option))
        fputs(takes_directory(option) ? " -x -a '(__fish_complete_directories)'" : " -r", stdout);
    else if (option->argument != NULL)
        fputs(" -x", stdout);
    fputs(" -d '", stdout);
    write_quoted(cli_option_help(option, formats), "\\");
    puts("'");
}

/* Writes the completion of fish. */
static void write_fish(void)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("complete -c catmint -n __fish_use_subcommand -f -a %s -d '", cli_commands[i].name);
        write_quoted(cli_commands[i].summary, "\\");
        puts("'");
        for (size_t k = 0; k < cli_option_count; k++)
            if (cli_option_is_listed(&cli_option_rows[k], &cli_commands[i]))
                write_fish_option(&cli_option_rows[k], &cli_commands[i]);
    }
}

cli_exit cli_completion(const cli_options *options)
{
    static const struct {
        const char *name;
        void (*put)(void);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    const char *shell = options->operands.items[0];
    cm_near near = {.wanted = shell};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < CM_COUNT_OF(shells); i++) {
        cm_near_offer(&near, shells[i].name);
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].put();
            return cli_finish_stdout(CLI_DONE);
        }
    }
    return cli_end(CLI_USAGE, "there is no completion for '%s': expected bash, zsh or fish%s", shell,
                   cm_near_text(&near, offered));
}
