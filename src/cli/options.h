/* The options of all commands, as rows of one table: help, manual, completion and refusals come from them. */
#ifndef CM_CLI_OPTIONS_H
#define CM_CLI_OPTIONS_H

#include "cli/command.h"

/* How an argument is read. */
typedef enum cli_kind {
    CLI_KIND_FLAG,   /* bool: there is no argument */
    CLI_KIND_TEXT,   /* const char *: not empty */
    CLI_KIND_TEXTS,  /* cli_list: not empty; may be repeated */
    CLI_KIND_LIST,   /* cli_list: separated by commas */
    CLI_KIND_WHOLE,  /* size_t: a whole number from `least` to `most` */
    CLI_KIND_NUMBER, /* double: a number from `least` to `most` */
    CLI_KIND_CHOICE, /* an enumeration: the number of one of `choices` */
    CLI_KIND_OTHER   /* by `set` */
} cli_kind;

/* A word and its number in an enumeration. */
typedef struct cli_choice {
    const char *word; /* NULL behind the last */
    unsigned number;
} cli_choice;

typedef struct cli_value {
    cli_kind kind;
    size_t member; /* its offset in cli_options */
    double least, most;
    const char *expected; /* the expected argument, for messages; NULL: the range or the choices */
    const cli_choice *choices;
    bool (*set)(cli_options *options, const char *name, const char *argument); /* reports a wrong argument */
    const char *(*word)(size_t index); /* words to complete, NULL behind the last one; NULL: there are none */
} cli_value;

typedef struct cli_option {
    const char *name;
    unsigned commands;
    const char *argument; /* NULL: takes none */
    const char *help;     /* NULL: an older name of the option before it, not listed; "": the formats of exports */
    cli_value value;
} cli_option;

/* All options of all commands, in the order of --help: measuring, analysing, then using definitions. */
extern const cli_option cli_option_rows[];
extern const size_t cli_option_count;

enum { CLI_HELP_SIZE = 512 };

/* Whether --help of the command lists it. */
bool cli_option_is_listed(const cli_option *option, const cli_command *command);
/* The option's help; `formats` is a buffer for it. */
const char *cli_option_help(const cli_option *option, char formats[CLI_HELP_SIZE]);

/* ---- arguments.c ---- */

/* The words that may be the option's argument, by index from 0 on; NULL behind the last one. */
const char *cli_option_word(const cli_option *option, size_t index);
/* Begins to read an argument of this option, whose words are then offered for a wrong one. */
void cli_begin_argument(const cli_option *option);
/* Reports the argument that was expected and the one that was found; false. */
bool cli_wrong(const char *name, const char *argument, const char *expected);
/* The same, with an offer of the word nearest to `wanted` instead of the argument. */
bool cli_wrong_near(const char *name, const char *argument, const char *expected, const char *wanted);
/* Stores `item`, not a copy. False, reported, without memory. */
bool cli_append(cli_list *list, const char *item);
/* Appends the names of a list separated by commas. False, reported, if a name is empty. */
bool cli_split(cli_list *list, const char *name, const char *argument, const char *expected);
/* Reads `text`, which must be one decimal number. */
bool cli_read_number(const char *text, double *value);
/* A whole number from `least` to `most`. */
bool cli_read_count(const char *text, double least, double most, size_t *value);
/* Writes "papi (presets), likwid or csv": the formats of exports, with or without their contents. */
void cli_list_formats(bool contents, char *text, size_t size);

/* ---- manual_words.c: of manual pages ---- */

/* The exit statuses of the command. */
const char *cli_command_exits(const cli_command *command);
/* Its purposes, a line each, and below each the commands, indented by four blanks. */
const char *cli_command_examples(const cli_command *command);

/* Whether both paths lead to the same existing file. */
bool cli_is_same_file(const char *first, const char *second);
/* Writes the arguments of the command: "DIR [options]", or "[options] -- COMMAND..."; returns `words`. */
const char *cli_command_words(const cli_command *command, char *words, size_t size);
/* Whether --output, which is given, is this input file; reports that. */
bool cli_replaces(const cli_options *options, const char *input);

/* ---- option_readers.c: arguments of options that are read in a way of their own, and words to complete ---- */

/* Stores an argument, or reports that it is wrong. */
typedef bool cli_reader(cli_options *options, const char *name, const char *argument);

cli_reader cli_set_benchmarks, cli_set_pmu, cli_set_event_pattern, cli_set_events, cli_set_field_separator, cli_set_raw,
    cli_set_shard, cli_set_max_buffer, cli_set_budget, cli_set_seed, cli_set_tau, cli_set_alpha, cli_set_export_format,
    cli_set_interval, cli_set_timeout, cli_set_vector_bits, cli_set_cores, cli_set_precisions, cli_set_basis_row,
    cli_set_separator;

/* Words by index from 0 on, NULL behind the last one: the benchmarks of this processor's kernels, the formats of
 * exports, PAPI's presets of catmint's metrics. */
const char *cli_benchmark_at(size_t index);
const char *cli_export_format_at(size_t index);
const char *cli_preset_at(size_t index);
/* Kinds of PMUs, software:MODEL among them; the text is that of the last call. */
const char *cli_pmu_at(size_t index);

#endif
