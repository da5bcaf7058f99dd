/* The options of all commands, as rows of seven tables. */
#ifndef CM_CLI_OPTIONS_H
#define CM_CLI_OPTIONS_H

#include "cli/command.h"

typedef struct cli_option {
    const char *name;
    unsigned commands;
    const char *argument; /* NULL: takes none */
    const char *help;     /* NULL: an older name of the option before it, which --help does not list;
                           * "": the formats of exports */
    bool (*set)(cli_options *options, const char *name, const char *argument); /* says what is wrong */
} cli_option;

/* Which commands have what in common. */
enum {
    CLI_SWEEPS = CLI_DISCOVER | CLI_SWEEP,
    CLI_ANALYZES = CLI_DISCOVER | CLI_ANALYZE | CLI_EXPLAIN | CLI_VALIDATE,
    CLI_JUDGES = CLI_ANALYZES | CLI_AUDIT,
    CLI_WRITES = CLI_DISCOVER | CLI_ANALYZE,
    CLI_COUNTS = CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE,
    CLI_PRINTS = CLI_ANALYZES | CLI_EVENTS | CLI_AUDIT | CLI_LINT | CLI_DOCTOR | CLI_ROOFLINE | CLI_INCORE,
};

/* In the order of --help: what is measured and how, then what is made of it, then what becomes of definitions. */
extern const cli_option cli_sweep_options[];
extern const size_t cli_sweep_option_count;
extern const cli_option cli_analysis_options[];
extern const size_t cli_analysis_option_count;
extern const cli_option cli_formulas_options[];
extern const size_t cli_formulas_option_count;
extern const cli_option cli_import_options[];
extern const size_t cli_import_option_count;
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
/* What --help says of it, which may be written into `formats`. */
const char *cli_option_help(const cli_option *option, char formats[CLI_HELP_SIZE]);

/* Says what was expected, and what was found; false. */
bool cli_wrong(const char *name, const char *argument, const char *expected);
/* Items are not copied. False, said, where memory is short. */
bool cli_append(cli_list *list, const char *item);
/* Appends the names of a list that commas separate. False, said, where there is an empty one. */
bool cli_split(cli_list *list, const char *name, const char *argument, const char *expected);
/* All of `text`: a decimal number. */
bool cli_read_number(const char *text, double *value);
/* A whole number from `least` to `most`. */
bool cli_read_count(const char *text, size_t least, size_t most, size_t *value);
/* "papi (presets), likwid or csv": the formats of exports, with or without what is in them. */
void cli_list_formats(bool contents, char *text, size_t size);
/* Anything but nothing. */
bool cli_set_path(const char **path, const char *name, const char *argument);
/* The option --output, which two tables have. */
bool cli_set_output(cli_options *options, const char *name, const char *argument);
/* Both are there, and links of one file. */
bool cli_is_same_file(const char *first, const char *second);
/* Whether --output, which is given, is a file that is read: says so. */
bool cli_replaces(const cli_options *options, const char *input);
/* The option --replace, likewise. */
bool cli_set_replace(cli_options *options, const char *name, const char *argument);

#endif
