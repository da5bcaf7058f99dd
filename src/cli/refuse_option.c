/* Says of an option why the command does not take it. */
#include "cli/options.h"

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

cli_exit cli_refuse_option(const cli_command *command, const char *given)
{
    unsigned bits = commands_with(given);
    if (bits == 0 || (bits & command->bit) != 0)
        return refuse_unknown(command, given);
    enum { MOST = 8, NAME = 32 };
    char names[MOST * NAME] = "", more[NAME] = "";
    size_t length = 0, found = 0;
    for (size_t i = 0; i < cli_command_count; i++)
        if ((cli_commands[i].bit & bits) != 0 && ++found <= MOST)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%.*s", length > 0 ? ", " : "",
                                       NAME - 3, cli_commands[i].name);
    if (found > MOST)
        snprintf(more, sizeof more, " and %zu more", found - MOST);
    return cli_end(CLI_USAGE, "%s has no option '%s', which is an option of %s%s; see 'catmint %s --help'",
                   command->name, given, names, more, command->name);
}
