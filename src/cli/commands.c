/* The commands by name, and the words of the program. */
#include "cli/command.h"

const cli_command cli_commands[] = {
#define ROW(name, bit, operand, summary, details, run) {name, bit, operand, summary, details},
#include "cli/command_rows.h"
#undef ROW
};
const size_t cli_command_count = CM_COUNT_OF(cli_commands);

const char *const cli_purpose =
    "Finds out what the hardware events of a processor count, and defines metrics with them.\n";
const char *const cli_exit_words =
    "0 done; 1 done, but part of it failed; 2 wrong usage; 3 bad input;\n4 not possible on this machine, output cannot "
    "be written, or out of memory; 130 interrupted.\n";

const cli_command *cli_command_find(const char *name)
{
    return CM_FIND_ITEM(name, name, cli_commands, cli_command_count);
}

const char *cli_command_near(const char *name, char text[CM_NEAR_TEXT])
{
    cm_near near = {.wanted = name};
    for (size_t i = 0; i < cli_command_count; i++)
        cm_near_offer(&near, cli_commands[i].name);
    return cm_near_text(&near, text);
}
