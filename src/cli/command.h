/* The program's commands, and the functions they share. */
#ifndef CM_CLI_COMMAND_H
#define CM_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/catmint.h>

#include "cli/terminal.h"

typedef enum cli_exit {
    CLI_DONE = 0,
    CLI_PARTLY = 1,         /* done, but part of it failed, said on stderr and in the results */
    CLI_USAGE = 2,          /* a wrong command line */
    CLI_BAD_INPUT = 3,      /* a file that is wrong or cannot be read */
    CLI_IMPOSSIBLE = 4,     /* this machine cannot do it, or output cannot be written */
    CLI_COUNT_FAILED = 125, /* of count, whose other codes are those of the command it runs */
    CLI_INTERRUPTED = 130
} cli_exit;

/* Values of one option, repeated or separated by commas. Pointers into argv or into `text`. */
typedef struct cli_list {
    size_t count;
    const char **items;
    char *text;
} cli_list;

/* The options of the command line; each command uses some of them. */
typedef struct cli_options {
    cli_list operands;   /* directories and files */
    cli_list benchmarks; /* none: the command's default */
    cli_list events;
    const char *events_file;
    const char *raw; /* codes, NULL: named events */
    bool uncore;     /* events of the socket, no others */
    bool on_gpu;     /* the events of a further count were counted on a GPU */
    cli_list components;
    size_t qualifiers;    /* SIZE_MAX: not given */
    size_t shard, shards; /* 0: not given */
    bool resume;
    bool anyway;
    bool verbose;
    bool dry_run;
    const char *pmu_text;
    cm_pmu_choice pmu;
    double component_seconds; /* 0: not given */
    const char *out;
    size_t repetitions;
    size_t rounds;             /* 0: not given */
    size_t workers;            /* 0: not given */
    size_t threads;            /* 0: not given */
    size_t max_buffer;         /* bytes, 0: not given */
    double max_kernel_seconds; /* 0: not given */
    double budget;             /* seconds, 0: not given */
    const char *basis;
    const char *signatures;
    double tau, alpha, residual; /* NaN: not given */
    bool tau_auto, alpha_auto;   /* the value was "auto" */
    cm_format format;
    cli_list avoid, only;
    bool with_offset_events;
    cm_events_detail events_detail;
    size_t max_events; /* 0: no limit */
    cm_method method;
    const char *metric; /* the metric to explain, NULL: an event */
    cli_list counts;    /* tables of counts to evaluate formulas on, with or without names */
    cm_format values;   /* format of evaluate */
    double tolerance;
    const char *against; /* results or a sweep to audit formulas by */
    const char *map;
    const char *section;
    const char *upstream; /* a checkout whose formulas are audited; NULL: the operands are formulas */
    cm_export_format to;  /* format of export; without a name: not given */
    bool all;
    bool multiplex;
    cli_list cpus;            /* PMUs for the table of PAPI */
    size_t counters;          /* 0: not given */
    const char *known_events; /* list of the events that the reading program can count; NULL: not given */
    const char *output;       /* NULL: stdout */
    const char *plots;        /* directory for plots, NULL: none */
    cli_list audits;          /* documents of audits to show */
    cli_list shown;           /* documents of values to show */
    const char *root;         /* of /sys and /proc of another machine, NULL: this machine's */
    const char *core;         /* the type of cores, NULL: all */
    bool verify, confounded;
    bool check;                             /* check a bundle */
    const char *sign, *signature, *signers; /* of a bundle: key, signature, allowed signers; NULL: not given */
    bool install, replace;
    const char *patch; /* a table of PAPI to insert definitions into, NULL: none */
    size_t programs;   /* SIZE_MAX: not given */
    bool workloads;
    bool all_events; /* count all events of the sweep in programs */
    uint64_t seed;
    const char *results;  /* results whose definitions are counted, NULL: none */
    const char *formulas; /* formulas whose events are counted, NULL: none */
    cli_list metrics;
    const char *events_column, *kernels_column, *counts_column, *repetition_column; /* NULL: not given */
    cli_list kernel_names;
    size_t kernels_row; /* 0: not given */
    char separator;     /* NUL: not given */
    bool decimal_comma;
    size_t iterations; /* of a thread's loop, 0: not given */
    bool per_thread, regions;
    size_t vector_bits; /* 0: not given */
    bool mix;           /* count the mix */
    cli_list mixes;     /* mixes to project */
    const char *from, *to_machine;
    cli_list memories;  /* bandwidths, with or without names */
    double performance; /* GFLOP/s, 0: not given */
    double least_share;
    double interval;     /* seconds, 0: not given */
    size_t process;      /* 0: not given */
    const char *cores;   /* processors to choose cores from, NULL: all */
    unsigned precisions; /* bits, 0: all */
    const char *machine; /* a file of measured figures, NULL: measure them */
    cli_list points;     /* files of programs */
    double load_seconds; /* 0: not given */
    bool kernels;        /* streaming kernels of compilers */
    cli_colouring colour;
    const char *known; /* table of figures to compare with, NULL: catmint's own */
} cli_options;

/* Commands as bits, for the table of options. */
enum {
    CLI_DISCOVER = 1 << 0,
    CLI_SWEEP = 1 << 1,
    CLI_ANALYZE = 1 << 2,
    CLI_EVENTS = 1 << 3,
    CLI_KERNELS = 1 << 4,
    CLI_IMPORT_CAT = 1 << 5,
    CLI_EXPLAIN = 1 << 6,
    CLI_MERGE = 1 << 7,
    CLI_EVALUATE = 1 << 8,
    CLI_AUDIT = 1 << 9,
    CLI_LINT = 1 << 12,
    CLI_EXPORT = 1 << 10,
    CLI_VALIDATE = 1 << 13,
    CLI_REPORT = 1 << 17,
    CLI_DIFF = 1 << 18,
    CLI_BUNDLE = 1 << 20,
    CLI_DOCTOR = 1 << 14,
    CLI_MANUAL = 1 << 15,
    CLI_COMPLETION = 1 << 16,
    CLI_COUNT = 1 << 19,
    CLI_IMPORT = 1 << 11,
    CLI_PROJECT = 1 << 23,
    CLI_IMPORT_NCU = 1 << 21,
    CLI_ROOFLINE = 1 << 24,
    CLI_INCORE = 1 << 25,
};

typedef struct cli_command {
    const char *name;
    unsigned bit;
    /* "DIR | FILE.csv", NULL: none; with "..." at its end: one or more; behind "-- ": options end before them. */
    const char *operand;
    const char *summary; /* one line */
    const char *details; /* a paragraph for --help, with line breaks */
    cli_exit (*run)(const cli_options *options);
} cli_command;

/* The purpose of the program in a sentence, and its exit codes, for help and manual; each ends with a newline. */
extern const char *const cli_purpose;
extern const char *const cli_exit_words;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;
/* NULL if no command has that name. */
const cli_command *cli_command_find(const char *name);

cli_exit cli_bundle(const cli_options *options);
cli_exit cli_completion(const cli_options *options);
cli_exit cli_count(const cli_options *options);
cli_exit cli_discover(const cli_options *options);
cli_exit cli_sweep(const cli_options *options);
cli_exit cli_analyze(const cli_options *options);
cli_exit cli_explain(const cli_options *options);
cli_exit cli_evaluate(const cli_options *options);
cli_exit cli_audit(const cli_options *options);
cli_exit cli_lint(const cli_options *options);
cli_exit cli_export(const cli_options *options);
cli_exit cli_doctor(const cli_options *options);
cli_exit cli_events(const cli_options *options);
cli_exit cli_kernels(const cli_options *options);
cli_exit cli_import(const cli_options *options);
cli_exit cli_import_cat(const cli_options *options);
cli_exit cli_import_ncu(const cli_options *options);
cli_exit cli_manual(const cli_options *options);
cli_exit cli_project(const cli_options *options);
cli_exit cli_merge(const cli_options *options);
cli_exit cli_validate(const cli_options *options);
cli_exit cli_roofline(const cli_options *options);
cli_exit cli_incore(const cli_options *options);
cli_exit cli_report(const cli_options *options);
cli_exit cli_diff(const cli_options *options);

/* Reads the options of `command` from argv[1] on (argv[0] is the command's name). CLI_DONE with `help` set if help was
 * asked for; CLI_USAGE after an error message. Free the options in any case. */
cli_exit cli_options_parse(const cli_command *command, int argc, char **argv, cli_options *options, bool *help);
void cli_options_free(cli_options *options);
/* Writes the help of one command to stdout. */
void cli_options_help(const cli_command *command);

/* Finds the files of formulas among the operands and below them; says how many other files there are. Clear `files` in
 * any case. */
cm_status cli_find_formulas(const cli_options *options, cm_formula_files *files, cm_error *error);

/* Reports that there is nothing to judge in these files or directories (at least one); returns the exit code of bad
 * input. */
cli_exit cli_find_nothing(const cli_list *where, const char *format, ...) CM_PRINTF(2, 3);

/* Writes "catmint: ..." to stderr. */
void cli_say(const char *format, ...) CM_PRINTF(1, 2);
enum { CLI_QUOTED_SIZE = 4 * 4096 };
/* Quotes a path or name as one word for a shell; one that is too long is cut off. */
const char *cli_quote(const char *word, char quoted[CLI_QUOTED_SIZE]);
/* cli_say for notes of the library; `data` is not used. */
void cli_say_note(const char *text, void *data);
/* Names the points that are implausible, and the reasons. */
void cli_say_doubts(const cm_roofline *roofline);
/* Writes the error to stderr and returns its exit code. */
cli_exit cli_fail(const cm_error *error);
/* The same for output: CM_IO means that this machine cannot write, not that input is bad. */
cli_exit cli_fail_writing(const cm_error *error);
/* Warns that the results are not comparable, because of `why`; NULL: they are comparable. */
void cli_note_not_comparable(const char *path, const char *why);
/* After a document was written to stdout: CLI_DONE, or reports the error. */
cli_exit cli_finish_writing(cm_status status, const cm_error *error);
/* After the last output to stdout: `code`, or CLI_IMPOSSIBLE, reported, if output was lost. */
cli_exit cli_finish_stdout(cli_exit code);

#endif
