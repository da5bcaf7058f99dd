/* Shared by the commands that measure: time, progress and sweeps. */
#ifndef CM_CLI_SWEEPING_H
#define CM_CLI_SWEEPING_H

#include "cli/command.h"

/* Whether the benchmark's kernels run on a GPU. */
bool cli_is_of_gpu(const char *benchmark);
/* Lists all benchmarks, in the registry's order. */
cli_exit cli_list_benchmarks(cli_list *list);
/* Fills the list with the benchmarks named; without any, with the processor's, or with those of GPUs if the PMU is a
 * GPU's. Reports a named benchmark without kernels. */
cli_exit cli_choose_benchmarks(const cli_options *options, cli_list *chosen);
void cli_list_free(cli_list *list);

/* Without --shard: chooses the shard by the variables that Slurm, Open MPI, MPICH and other PMI launchers set for their
 * processes. */
cli_exit cli_choose_shard(cli_options *options);

/* Reports obstacles to the sweep in the directory before anything is counted; a cli_core_work. */
cli_exit cli_check_sweep(const char *directory, const cli_options *options, void *data);

/* Opens the PMU and sweeps into `directory`; reports on stderr failures and, unless results follow, the PMU and the
 * number of events. With a budget `benchmarks` keeps those that fit. */
cli_exit cli_sweep_into(const char *directory, const cli_options *options, cli_list *benchmarks, bool results_follow);

/* ---- budget.c: --budget: chooses benchmarks by the time they take ---- */

/* Reads "90", "90s", "10m" or "1.5h" as seconds, above 0. */
bool cli_read_duration(const char *text, double *seconds);
/* Writes "90 s" or "10 minutes". */
const char *cli_show_duration(double seconds, char *text, size_t size);

/* Keeps in `benchmarks` those that fit the budget, the ones with the most metrics for their time first, and one more
 * that is begun if time is left; says how long they take and which are left out. A sweep that is resumed, or has no
 * budget, keeps all; on a terminal the total time is shown. `sweep` has all benchmarks at first, then those that are
 * kept. `more_follows`: part of the budget is for work after counting. */
cli_exit cli_keep_budget(cm_counting *counting, const cli_options *options, bool more_follows, cli_list *benchmarks,
                         cm_sweep_options *sweep);

/* Runs cm_sweep and ends it when its share of the budget is used up: the rest is for the work that follows. */
cm_status cli_sweep_in_time(cm_counting *counting, const cli_options *options, bool more_follows,
                            const cm_sweep_options *sweep, cm_sweep_summary *summary, cm_error *error);
/* Says that the time is used up, and which command counts the rest of the chosen benchmarks. */
void cli_write_expired(const cm_sweep_options *sweep, const cli_options *options);

/* ---- progress.c: a line on stderr that shows the progress of a sweep ---- */

typedef struct cli_progress {
    bool terminal;         /* a line is redrawn; otherwise lines are written from time to time */
    bool drawn;            /* there is a line to clear */
    const char *benchmark; /* the current benchmark, since so many seconds */
    double since;
    double last; /* seconds at which the line was last drawn */
} cli_progress;

cli_progress cli_progress_begin(void);
/* For cm_sweep_options; `data` is a cli_progress. */
void cli_progress_show(const cm_sweep_progress *progress, void *data);
/* Clears the line. */
void cli_progress_end(cli_progress *progress);
/* Clears the line and shows a message; `progress` is a cli_progress. */
void cli_progress_message(const char *text, void *progress);

/* ---- pmu.c: counts by kept facts ---- */

/* The model of --pmu software:MODEL; NULL: another PMU, or none was given. */
const char *cli_software_model(const cli_options *options);
/* Writes the counts of that model's events into the directory, from --facts or from catmint's own facts. */
cli_exit cli_take_facts(const char *model, const cli_options *options, const char *directory);

/* ---- keep.c: the files that `discover` writes beside the measurements ---- */

typedef struct cli_kept {
    char results[CLI_PATH_SIZE], page[CLI_PATH_SIZE], presets[CLI_PATH_SIZE];
    size_t written; /* presets written */
    bool named;     /* the table of presets names its PMU */
} cli_kept;

/* Reports, before counting, files in the directory that must not be replaced. */
cli_exit cli_check_kept(const char *directory);
/* Writes results in JSON, a page and presets of PAPI into the directory --out, all or none. */
cli_exit cli_keep(const cm_results *results, const cli_options *options, cli_kept *kept);
/* Warns if files that `discover` wrote, in the directory or as this file, do not follow from the sweep there. */
void cli_note_kept(const char *path);

/* ---- own.c: the definitions of this processor in the user's data directory ---- */

/* Writes the path of the file, which need not exist; false if there is no place for it. */
bool cli_find_own(char path[CLI_PATH_SIZE]);
/* Keeps the results there if all benchmarks ran on hardware with all events, unless --no-keep is given. `path` becomes
 * "" if nothing is kept, which a message explains if it should have been: the results of discover are whole without. */
void cli_keep_for_user(const cm_results *results, const cli_options *options, char path[CLI_PATH_SIZE]);

/* ---- Writes kernels as sources for machines without an operating system ---- */

/* Whether an option is given that only --emit has. */
bool cli_has_emit_options(const cli_options *options);
cli_exit cli_emit_kernels(const cli_options *options);
cli_exit cli_emit_programs(const cli_options *options);
/* Holds the facts of such kernels or programs against --trace. */
cli_exit cli_verify_trace(const cli_options *options);
cli_exit cli_verify_program_trace(const cli_options *options);
/* Prints all verifications; CLI_PARTLY if a kernel differs. */
cli_exit cli_print_verifications(cm_verification *const *verifications, size_t count);

/* ---- Shared by the audits of one processor and of all ---- */

/* Audits the files, or the checkout of the options, against the counts of the model's events, from facts. The caller
 * frees *audit. */
cli_exit cli_audit_model(const char *model, const cm_formula_files *files, const cli_options *options,
                         cm_audit **audit);
/* Audits against results, or against the file or directory `against`, and leaves the audit to the caller. */
cli_exit cli_audit_against(const cm_formula_files *files, const char *against, const char *cpu,
                           const cm_results *results, const cli_options *options, cm_audit **audit);
/* Reports formulas that cannot be read; returns the exit code of the verdicts. */
cli_exit cli_audit_code(const cm_audit *audit);

#endif
