/* The commands by name, and the words of the program. */
#include "cli/command.h"

const cli_command cli_commands[] = {
#define ROW(name, bit, operand, summary, details, run) {name, bit, operand, summary, details},
#include "cli/command_rows.h"
#undef ROW
};
const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const char *const cli_purpose =
    "Finds out what the hardware events of a processor count, and defines metrics with them.\n";
const char *const cli_exit_words =
    "0 done; 1 done, but part of it failed; 2 wrong usage; 3 bad input;\n4 not possible on this machine, output cannot "
    "be written, or out of memory; 130 interrupted.\n";

const cli_command *cli_command_find(const char *name)
{
    const size_t i = CM_FIND_BY(name, name, cli_commands, cli_command_count);
    return i < cli_command_count ? &cli_commands[i] : NULL;
}

const char *cli_command_near(const char *name, char text[CM_NEAR_TEXT])
{
    cm_near near = {.wanted = name};
    for (size_t i = 0; i < cli_command_count; i++)
        cm_near_offer(&near, cli_commands[i].name);
    return cm_near_text(&near, text);
}
