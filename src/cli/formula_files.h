/* The files of formulas that a command line names. */
#ifndef CM_CLI_FORMULA_FILES_H
#define CM_CLI_FORMULA_FILES_H

#include "cli/command.h"

typedef struct cli_files {
    size_t count;
    char **items;
} cli_files;

/* The operands, and for each folder among them all files below it that end in .txt, .csv or .json, in the order of
 * their names. CLI_BAD_INPUT, said, where a folder cannot be read or holds none. Free them in any case. */
cli_exit cli_formula_files(const cli_list *operands, cli_files *files);
void cli_files_free(cli_files *files);

#endif
