/* The options of all commands, as rows of eight tables. */
#ifndef CM_CLI_OPTIONS_H
#define CM_CLI_OPTIONS_H

#include "cli/command.h"

typedef struct cli_option {
    const char *name;
    unsigned commands;
    const char *argument; /* NULL: takes none */
    const char *help;     /* NULL: an older name of the option before it, not listed; "": the formats of exports */
    bool (*set)(cli_options *options, const char *name, const char *argument); /* reports a wrong argument */
} cli_option;

/* Groups of commands with common options. */
enum {
    CLI_SWEEPS = CLI_DISCOVER | CLI_SWEEP,
    CLI_ANALYZES = CLI_DISCOVER | CLI_ANALYZE | CLI_EXPLAIN | CLI_VALIDATE,
    CLI_JUDGES = CLI_ANALYZES | CLI_AUDIT,
    CLI_WRITES = CLI_DISCOVER | CLI_ANALYZE,
    CLI_COUNTS = CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE,
    CLI_PRINTS = CLI_ANALYZES | CLI_EVENTS | CLI_AUDIT | CLI_LINT | CLI_DOCTOR | CLI_ROOFLINE | CLI_INCORE,
};

/* The tables, in the order of --help: measuring, analysing, then using definitions. */
extern const cli_option cli_sweep_options[];
extern const size_t cli_sweep_option_count;
extern const cli_option cli_analysis_options[];
extern const size_t cli_analysis_option_count;
extern const cli_option cli_formulas_options[];
extern const size_t cli_formulas_option_count;
extern const cli_option cli_import_options[];
extern const size_t cli_import_option_count;
extern const cli_option cli_kernels_options[];
extern const size_t cli_kernels_option_count;
extern const cli_option cli_project_options[];
extern const size_t cli_project_option_count;
extern const cli_option cli_count_options[];
extern const size_t cli_count_option_count;
extern const cli_option cli_machine_options[];
extern const size_t cli_machine_option_count;

enum { CLI_HELP_SIZE = 512 };

/* All options of all commands, in the order of --help. */
size_t cli_option_count(void);
const cli_option *cli_option_at(size_t index);
/* Whether --help of the command lists it. */
bool cli_option_is_listed(const cli_option *option, const cli_command *command);
/* The option's help; `formats` is a buffer for it. */
const char *cli_option_help(const cli_option *option, char formats[CLI_HELP_SIZE]);

/* Reports the argument that was expected and the one that was found; false. */
bool cli_wrong(const char *name, const char *argument, const char *expected);
/* Stores `item`, not a copy. False, reported, without memory. */
bool cli_append(cli_list *list, const char *item);
/* Appends the names of a list separated by commas. False, reported, if a name is empty. */
bool cli_split(cli_list *list, const char *name, const char *argument, const char *expected);
/* Reads `text`, which must be one decimal number. */
bool cli_read_number(const char *text, double *value);
/* A whole number from `least` to `most`. */
bool cli_read_count(const char *text, size_t least, size_t most, size_t *value);
/* Writes "papi (presets), likwid or csv": the formats of exports, with or without their contents. */
void cli_list_formats(bool contents, char *text, size_t size);
/* Stores any argument that is not empty. */
bool cli_set_path(const char **path, const char *name, const char *argument);
/* Sets --output, which two tables have. */
bool cli_set_output(cli_options *options, const char *name, const char *argument);
/* Whether both paths lead to the same existing file. */
bool cli_is_same_file(const char *first, const char *second);
/* Whether --output, which is given, is this input file; reports that. */
bool cli_replaces(const cli_options *options, const char *input);
/* Sets --replace, which two tables have. */
bool cli_set_replace(cli_options *options, const char *name, const char *argument);

#endif
