/* The program's commands, and the functions they share. */
#ifndef CM_CLI_COMMAND_H
#define CM_CLI_COMMAND_H

#include <catmint/catmint.h>
#include <catmint/machines.h>

#include "core/files.h"

/* ---- interrupt.c: ctrl-C: the first sets a flag that running work polls, the second ends the program ---- */

void cli_interrupt_catch(void);
/* A write beyond the shell's limit (ulimit -f) fails from now on, as on a full disk. The signal is caught, not ignored,
 * so that programs started later have the default again. */
void cli_catch_file_limit(void);
/* Non-zero after SIGINT, SIGTERM or SIGHUP. */
const volatile int *cli_interrupt_flag(void);

/* Sets the flag after so many seconds from now on, by SIGALRM, and clears it if an earlier time had set it. */
void cli_interrupt_after(double seconds);
/* A flag that is non-zero if the time has set the interrupt flag. */
const volatile int *cli_interrupt_expiry(void);
bool cli_interrupt_expired(void);
/* Stops the timer, and clears the flag if the time had set it, because the remaining work is short. */
void cli_interrupt_forget(void);

/* ---- measuring.c: progress of a measurement of this machine ---- */

enum { CLI_LOG_STEP = 60 }; /* seconds between the lines of progress in a log */

typedef struct cli_measuring {
    bool terminal; /* a line is redrawn; otherwise one is written each minute */
    size_t percent;
    double began, last; /* seconds on the clock: the beginning, and the last line */
} cli_measuring;

cli_measuring cli_measuring_begin(void);
/* `data` is a cli_measuring. */
void cli_measuring_show(size_t done, size_t all, void *data);
void cli_measuring_end(const cli_measuring *measuring);

/* ---- terminal.c: properties of the terminal ---- */

/* Columns: the terminal's, else $COLUMNS, else 100. */
size_t cli_width(FILE *stream);
/* The values of --color. */
typedef enum cli_colouring { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER } cli_colouring;
void cli_choose_colour(cli_colouring colouring);
/* The looks of a document in a stream, or plain in the file `output` if that is not NULL. */
cm_output_style cli_style(cm_output_format format, const char *output, FILE *stream);

/* Writes the text to stdout, made harmless as in text.h, and blanks up to `width` columns. */
void cli_write_cell(const char *text, size_t width);

/* ---- command ---- */

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

/* The machine that runs emitted kernels. */
typedef enum cli_target { CLI_NO_TARGET, CLI_FREESTANDING } cli_target;

/* The profiler that --plan writes a script for. */
typedef enum cli_profiler { CLI_NO_PLAN, CLI_PLAN_NCU, CLI_PLAN_ROCPROFV3 } cli_profiler;

/* The options of the command line; each command uses some of them. */
typedef struct cli_options {
    cli_list operands;   /* directories and files */
    cli_list benchmarks; /* none: the command's default */
    cli_list events;
    const char *raw;      /* codes, NULL: named events */
    bool on_gpu;          /* the events of a further count were counted on a GPU */
    size_t shard, shards; /* 0: not given */
    const char *pmu_text;
    cm_pmu_choice pmu;
    size_t max_buffer;         /* bytes, 0: not given */
    double budget;             /* seconds, 0: not given */
    double tau, alpha;         /* NaN: not given */
    bool tau_auto, alpha_auto; /* the value was "auto" */
    bool tree;                 /* counts are for the tree of topdown */
    cm_export_format to;       /* without a name: not given */
    bool own;                  /* the results are those kept for this processor; if they cannot be counted, facts are */
    const char *basis_row;     /* the benchmark for a row of whose basis a snippet is, NULL: none */
    uint64_t seed;
    char separator;         /* NUL: not given */
    const char *separators; /* of the fields of counts, NULL: a comma */
    size_t vector_bits;     /* 0: not given */
    double interval;        /* seconds, 0: not given */
    double timeout;         /* seconds, 0: not given */
    const char *cores;      /* processors to choose cores from, NULL: all */
    unsigned precisions;    /* bits, 0: all */
#include "cli/option_members.h"
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
    CLI_METRICS = 1 << 26,
    CLI_MODELS = 1 << 27,
    CLI_MEASURE = 1 << 28,
    CLI_TOPDOWN = 1 << 29,
    CLI_COMMANDED = CLI_COUNT | CLI_TOPDOWN, /* run a command, whose exit code they return */
};

typedef struct cli_command {
    const char *name;
    unsigned bit;
    /* "DIR | FILE.csv", NULL: none; with "..." at its end: one or more; behind "-- ": options end before them; in
     * brackets: none or one. */
    const char *operand;
    const char *summary; /* one line */
    const char *details; /* a paragraph for --help, with line breaks */
} cli_command;

/* The purpose of the program in a sentence, and its exit codes, for help and manual; each ends with a newline. */
extern const char *const cli_purpose;
extern const char *const cli_exit_words;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;
/* NULL if no command has that name. */
const cli_command *cli_command_find(const char *name);
/* The command that was probably meant, as cm_near_text says it. */
const char *cli_command_near(const char *name, char text[CM_NEAR_TEXT]);

/* The functions of the commands. */
#define ROW(name, bit, operand, summary, details, run) cli_exit run(const cli_options *options);
#include "cli/command_rows.h"
#undef ROW

/* Reads the options of `command` from argv[1] on (argv[0] is the command's name). CLI_DONE with `help` set if help was
 * asked for; CLI_USAGE after an error message. Free the options in any case. */
cli_exit cli_options_parse(const cli_command *command, int argc, char **argv, cli_options *options, bool *help);
void cli_options_free(cli_options *options);
/* Writes paragraphs, which blank lines part; lines break at the stream's width. */
void cli_write_paragraphs(const char *text, FILE *stream);
/* Writes the help of one command to stdout. */
void cli_options_help(const cli_command *command);

/* The columns of tables of formulas; `metric` NULL: none are given. */
cm_formula_columns cli_columns(const cli_options *options);
/* Whether the options of columns are given together; reports it if not. */
bool cli_columns_go_together(const cli_options *options);

/* Finds the files of formulas among the operands and below them; says how many other files there are. Clear `files` in
 * any case. */
cm_status cli_find_formulas(const cli_options *options, cm_formula_files *files, cm_error *error);

/* Reports that these files or directories (at least one) have nothing to judge; returns the code of bad input. */
cli_exit cli_find_nothing(const cli_list *files, const char *format, ...) CM_PRINTF(2, 3);

/* Sets the name by which messages call this program: argv[0], shorter if that is below the current directory. */
void cli_name_program(const char *name);
/* Copies a text, in which 'catmint COMMAND ...' becomes a command that runs here. Returns `named`. */
char *cli_name_commands(const char *text, char *named, size_t size);
/* Writes "catmint: ..." to stderr; returns the code. */
cli_exit cli_end(cli_exit code, const char *format, ...) CM_PRINTF(2, 3);
#define cli_write(...) ((void)cli_end(CLI_DONE, __VA_ARGS__))
enum { CLI_QUOTED_SIZE = 4 * 4096 };
/* Quotes a path or name as one word for a shell; one that is too long is cut off. */
const char *cli_quote(const char *word, char quoted[CLI_QUOTED_SIZE]);
/* cli_write for notes of the library; `data` is not used. */
void cli_write_note(const char *text, void *data);
/* Names the points that are implausible, and the reasons. */
void cli_write_warnings(const cm_roofline *roofline);
/* Says which formulas have no value, and why. */
void cli_write_faults(const cm_evaluation *evaluation);
/* Writes the error to stderr and returns its exit code. */
cli_exit cli_fail(const cm_error *error);
/* The same for output: CM_IO means that this machine cannot write, not that input is bad. */
cli_exit cli_fail_writing(const cm_error *error);
/* Warns that the results are not comparable, because of `why`; NULL: they are comparable. */
void cli_note_not_comparable(const char *path, const char *why);
/* Writes `content` by NAME_save to --output, or by NAME_write to the stream: a cm_status. */
#define CLI_WRITE(name, content, format, options, stream, error)                                                       \
    ((options)->output != NULL                                                                                         \
         ? name##_save(content, (cm_output_style[]){cli_style(format, (options)->output, stream)}, (options)->output,  \
                       error)                                                                                          \
         : name##_write(content, (cm_output_style[]){cli_style(format, NULL, stream)}, stream, error))
/* After a document was written to stdout: CLI_DONE, or reports the error. */
cli_exit cli_finish_writing(cm_status status, const cm_error *error);
/* After the last output to stdout: `code`, or CLI_IMPOSSIBLE, reported, if output was lost. */
cli_exit cli_finish_stdout(cli_exit code);

/* ---- analysis: shared by `analyze` and `discover` ---- */

/* Checks that --output can be written, before work is done that a failure would lose. */
cli_exit cli_check_output(const cli_options *options);
/* Fills `analyze` from the command line; it points into `options`. */
void cli_analyze_options(const cli_options *options, cm_analyze_options *analyze);
/* Analyses a directory or a table by the options, and judges its definitions by the programs counted there. */
cli_exit cli_analyze_into(const char *path, const cli_options *options, cm_results **results);
/* Writes tables or JSON to stdout or into --output. */
cli_exit cli_print_results(const cm_results *results, const cli_options *options);
/* Analyses a path and prints its results. */
cli_exit cli_analyze_path(const char *path, const cli_options *options);

/* ---- temporary.c: a directory for the time of a command ---- */

enum { CLI_PATH_SIZE = CM_TEMPORARY_SIZE };

/* Makes one in $TMPDIR, else in /tmp; reports a failure. If this process is killed, the next run removes it. */
cli_exit cli_make_temporary(char path[CLI_PATH_SIZE]);
/* Names the directory in messages from now on: as `name` before the path of a file in it, or, with `whole`, for any
 * file in it. Both texts must live as long; NULL: no other name. */
void cli_hide_temporary(const char *place, const char *name, bool whole);
/* Removes it with its content. */
void cli_remove_temporary(const char *path);
/* Whether it is the one that was made last. */
bool cli_is_temporary(const char *path);

/* ---- cores.c: hybrid processors: each type of cores is counted by itself, in its own directory ---- */

/* The directory of the sweep of that type; reports a path that is too long. */
cli_exit cli_core_directory(const char *directory, const cm_core_type *core, char place[CLI_PATH_SIZE]);

/* Work on the type of cores that `options` name, in its directory; if all cores are alike, in the directory itself. */
typedef cli_exit (*cli_core_work)(const char *directory, const cli_options *options, void *data);

/* Finds the PMU's types of cores, or only that of --core; *count is 0 if all cores are alike. */
cli_exit cli_find_cores(const cli_options *options, cm_core_type types[CM_CORE_TYPES], size_t *count);

/* Lists the types in the directory and works on each. CLI_PARTLY of one type does not stop the others, and is returned
 * in the end. */
cli_exit cli_on_cores(const char *directory, const cli_options *options, cli_core_work work, void *data);
/* The same for the types that the directory lists. */
cli_exit cli_on_swept_cores(const char *directory, const cli_options *options, cli_core_work work, void *data);

/* ---- export_install.c: installs presets for PAPI ---- */

/* Writes the file that --output or PAPI_CSV_EVENT_FILE names. CLI_PARTLY if papi_avail does not find all presets. */
cli_exit cli_install_presets(const cm_definitions *definitions, const cli_options *options,
                             const cm_export_options *export, cm_export_summary *summary);

/* ---- merging: shared by `merge` and the commands that read its directories ---- */

/* The directories named; one that holds only shards is replaced by its shards. Free with cli_directories_free, also
 * after a failure. */
cli_exit cli_find_directories(const cli_list *named, cli_list *directories);
void cli_directories_free(cli_list *directories);

/* Warns that a directory whose result was read also holds an unfinished sweep. */
void cli_note_unfinished(const char *directory);

/* Joins sweeps of hybrid processors, each type of cores by itself; *hybrid is false if no processor is hybrid, and then
 * nothing was joined. */
cli_exit cli_merge_cores(const cli_list *directories, const char *out, bool *hybrid);

/* ---- pmu.c: opens the PMU ---- */

/* Refuses --cpu with a name that neither libpfm4 nor catmint has. */
cli_exit cli_check_cpus(const cli_options *options);

/* As cm_counting_open, but hides the output of PAPI's components and the vendors' libraries: stdout is for results, and
 * the components keep the reasons. With `to_list`, or if the options name events, --pmu hardware accepts a machine with
 * software events of the kernel alone. */
cm_status cli_open_pmu(const cli_options *options, bool to_list, cm_counting **counting, cm_error *error);

/* ---- validating.c: shared by `validate` and `discover` ---- */

/* --programs, or the default number. */
size_t cli_program_count(const cli_options *options);
/* Counts programs for the definitions of the sweep in `directory`, on its PMU. *judged, unless NULL, gets the results,
 * judged by these programs; it stays as it is if they are not all, or of several types of cores. */
cli_exit cli_count_programs(const char *directory, const cli_options *options, cm_results **judged);
/* Judges the definitions by the programs counted there, if any. */
cli_exit cli_judge(const char *directory, cm_results *results);

/* ---- verify.c: `catmint kernels --verify` ---- */

/* Verifies all kernels of all benchmarks and prints the facts that each executed; CLI_PARTLY if one differs. */
cli_exit cli_verify_kernels(const cli_options *options);

/* ---- views.c: loads results to show or compare ---- */

/* Loads the results at a path: a document, or a sweep, which is analysed. */
cli_exit cli_load_view(const char *path, cm_results_view **view);

/* Lists the facts of programs that fit the operand, with their meanings. */
cli_exit cli_list_facts(const cli_options *options);

/* The metric of this name or preset, in any spelling ("dp_ops"); NULL: none. Returns `metric`. */
enum { CLI_METRIC_NAME = 128 };
const char *cli_metric_named(const char *name, char metric[CLI_METRIC_NAME]);

#endif
