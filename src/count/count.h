/* Steps of counting a program. */
#ifndef CM_COUNT_COUNT_H
#define CM_COUNT_COUNT_H

#include "count/counts.h"
#include "counting/counting.h"

/* ---- child.c: a command in a process of its own, which waits before it begins ---- */

typedef struct cm_child {
    pid_t process; /* 0: none, or it has ended and was reaped */
    int gate;      /* close it to begin */
    int failure;   /* reports why it could not begin */
    int status;    /* as from wait, after its end */
    bool ended;
} cm_child;

/* Forks; the child has `count` variables more in its environment: `variables` has their names and values in turn. */
cm_status cm_child_fork(char *const *command, const char *const *variables, size_t count, cm_child *child,
                        cm_error *error);
/* Lets the child execute the command. *cannot is errno if it cannot, else 0. */
cm_status cm_child_begin(cm_child *child, int *cannot, cm_error *error);
/* Waits up to `seconds`, less if a signal arrives; whether the child has ended. */
bool cm_child_wait(cm_child *child, double seconds);
/* Ends the child if it still runs, and closes files. */
void cm_child_clear(cm_child *child);

/* As cm_child_wait, for a process that is not a child. */
bool cm_process_wait(pid_t process, double seconds);

/* ---- count ---- */

/* One run of the program, or one observation of a process. */
typedef struct cm_run {
    const cm_count_options *options;
    cm_program_counts *counts;
    size_t repetition;
    size_t set;   /* from 1 */
    bool *wanted; /* events left to count in this repetition; the run clears those that it counts */
    double asked; /* the time when the child was asked to end */
} cm_run;

/* child.c: asks the child to end if the user interrupts, and kills it if it has not ended two seconds later. */
void cm_count_heed(cm_run *run, const cm_child *child);
/* Records how the child ended. */
void cm_count_ended(cm_program_counts *counts, const cm_child *child, int cannot);
void cm_count_cannot(cm_program_counts *counts, int cannot);

/* usual.c: adds the sums of facts that are counted if nothing is named; and whether the facts lack a part of such a
 * sum, because active lanes of vectors are not known. */
cm_status cm_count_add_usual(cm_program_counts *counts, cm_error *error);
/* Finds a sum of this name, in any spelling ("dp_ops"), or a fact, or the event that perf calls so
 * ("cpu/branch-misses/u"). *weights: one a fact, NULL: no sum. *fact: -1: no fact. */
cm_status cm_count_find_name(cm_program_counts *counts, const char *name, const double **weights, int *fact,
                             cm_error *error);
void cm_count_offer_sums(cm_near *near);
/* Calls `visit` for all sums, then for all facts of programs, with words that live as long as the call. */
typedef void cm_fact_visit(const char *name, const char *words, void *data);
CM_SHARED cm_status cm_count_each_fact(cm_fact_visit *visit, void *data, cm_error *error);
bool cm_count_lacks_lanes(const cm_counted_event *event, const uint64_t *facts);

/* ---- synonyms.c: the words that people type for the work of programs (data/synonyms.csv) ---- */

enum { CM_SYNONYM_TEXT = 384 };

/* Names between bars, and a note on them; "": none. */
typedef struct cm_synonym {
    char words[CM_SYNONYM_TEXT], counts[CM_SYNONYM_TEXT], metrics[CM_SYNONYM_TEXT], note[CM_SYNONYM_TEXT];
} cm_synonym;

/* The row of this word, in any spelling; of one that counts this name alone. No words: there is none. */
CM_SHARED cm_status cm_synonym_find(const char *word, cm_synonym *synonym, cm_error *error);
cm_status cm_synonym_of_count(const char *counted, cm_synonym *synonym, cm_error *error);
/* Whether the words are other names of one count. */
bool cm_synonym_counts_one(const cm_synonym *synonym);
/* Takes the next name off a list; false: there is none. */
CM_SHARED bool cm_synonym_next(const char **list, char name[CM_NEAR_NAME]);
/* ": NOTE; did you mean 'A', 'B' or 'C'?" of a list's names, without the parts that are empty. Returns `text`. */
CM_SHARED char *cm_synonym_offer(const cm_synonym *synonym, const char *list, char *text, size_t size);

/* Whose work is counted: the program's, the kernel's for it, or both. */
enum { CM_MODE_USER = 1, CM_MODE_KERNEL = 2 };
/* The name without perf's device and modifiers: "cpu/instructions/k", "instructions:k"; returns the modes that these
 * ask for, without any the program's. */
unsigned cm_perf_name_read(const char *name, char plain[CM_NEAR_NAME]);
/* choose.c: chooses the metrics, and the names of the events they need. */
cm_status cm_count_choose(const cm_count_options *options, cm_program_counts *counts, cm_error *error);
/* Whether the options name nothing to count, so that the usual facts are. */
bool cm_count_names_nothing(const cm_count_options *options);
/* Whether the options ask for the emulated PMU. */
bool cm_count_is_emulated(const cm_count_options *options);
/* CM_UNSUPPORTED: formulas need this metric, and there are no results with definitions. */
cm_status cm_count_refuse_metric(const char *name, cm_error *error);
/* hardware.c: whether the kernel offers counters; else `error` is CM_UNSUPPORTED with its reason. */
bool cm_count_has_counters(cm_error *error);
/* Finds the events through PAPI; CM_UNSUPPORTED if one cannot be counted here. */
cm_status cm_count_find_events(cm_program_counts *counts, cm_error *error);
/* Runs the program once, with as many of the wanted events as can be counted together. */
cm_status cm_count_run(cm_run *run, cm_error *error);
/* emulated.c: counts under the emulated PMU. */
cm_status cm_count_emulated(const cm_count_options *options, cm_program_counts *counts, cm_error *error);

/* errors.c: finds the possible error of each metric's value, in each scope, and whether it lies in its range. */
cm_status cm_count_find_errors(cm_program_counts *counts, cm_error *error);

/* ---- inside.c: whether a program lies in the range of a definition ---- */

/* How often a program does the metric, and the fact with which a bound of the range compares it; NaN: unknown. */
typedef struct cm_compared_facts {
    double metric, per;
    double most;    /* upper bound of `per`; infinity: unknown */
    bool is_unread; /* `per` is no expression over facts */
} cm_compared_facts;

/* Fills the facts of the scope, NaN if unknown: those of the emulated PMU, else the values, one a metric, of metrics on
 * these cores whose meaning is one fact. */
void cm_scope_facts(const cm_program_counts *counts, const cm_scope *scope, const double *values, const char *core,
                    double *facts);
/* Compares the facts of one bound of the metric's range, and notes it beside the outcome of other bounds. */
cm_status cm_count_place(cm_program_counts *counts, size_t metric, size_t range, const cm_compared_facts *compared,
                         cm_value_error *value, cm_error *error);
/* Leaves open whether a value lies in its range, if its error in this program is larger than the range promises. */
cm_status cm_count_compare_error(cm_program_counts *counts, double count, cm_value_error *value, cm_error *error);

/* ---- attachment.c: events counted on one thread through the source (PAPI), in one set a component ---- */

typedef struct cm_attached_set {
    cm_source_set *source;
    cm_source_set *trial; /* while events are added; NULL: not needed */
    int component;
    size_t count;
    size_t *events; /* indices of the counted events, in order of addition */
} cm_attached_set;

typedef struct cm_attachment {
    pid_t thread; /* 0: the calling one */
    char name[32];
    size_t set_count;
    cm_attached_set *sets;
    double *counts; /* one an event, from the last reading; NaN for others */
    double *before; /* the counts of the reading before */
} cm_attachment;

typedef struct cm_attach_how {
    pid_t thread;
    bool inherited; /* includes threads and processes that the thread starts */
    bool multiplexed;
    bool whole; /* counts all that runs on a processor, instead of a thread */
    unsigned processor;
} cm_attach_how;

/* Adds as many of the events with `wanted` as can be counted together, and clears their wanted[i]. CM_UNSUPPORTED if
 * none can. Clear the attachment in any case. */
cm_status cm_attach(cm_attachment *attachment, const cm_counted_event *events, size_t count, bool *wanted,
                    const cm_attach_how *how, cm_error *error);
cm_status cm_attachment_start(cm_attachment *attachment, cm_error *error);
/* Reads the counts. */
cm_status cm_attachment_read(cm_attachment *attachment, cm_error *error);
/* Reads the counts for the last time and stops counting; the counts stay. */
cm_status cm_attachment_end(cm_attachment *attachment, cm_error *error);
void cm_attachment_clear(cm_attachment *attachment);

/* ---- gauge.c: reads the counters of the calling program's own threads: PAPI's, or the emulated PMU's facts ---- */

typedef struct cm_gauge_plan cm_gauge_plan; /* the counts of each thread */
typedef struct cm_gauge cm_gauge;           /* of one thread */

/* Loads the plan from the directory that CM_REGIONS_VARIABLE names; never freed: a program uses it to its end. */
cm_status cm_gauge_plan_load(const char *directory, cm_gauge_plan **plan, cm_error *error);
/* The number of counts. */
size_t cm_gauge_width(const cm_gauge_plan *plan);

/* Makes the gauge of the calling thread, which alone may use it, and starts counting. */
cm_status cm_gauge_create(const cm_gauge_plan *plan, cm_gauge **gauge, cm_error *error);
void cm_gauge_free(cm_gauge *gauge);
/* Reads the counts so far. Facts are read by one system call, with almost no work behind it to be counted, too. */
bool cm_gauge_read(cm_gauge *gauge, uint64_t *counts);

/* ---- amounts.c ---- */

/* Amounts: how often something happens, given as an expression over facts. Computes an amount in a program with known
 * facts, and the largest ratio of two amounts. */

typedef struct cm_amounts cm_amounts;

/* Reads the facts of kernels and natural programs; there are no amounts yet. */
cm_status cm_amounts_create(cm_amounts **amounts, cm_error *error);
void cm_amounts_free(cm_amounts *amounts);

/* Adds an expression; *amount is its index. `each`: the absolute values of its weighted primitive facts are added. An
 * expression that was added before has the same index. CM_BAD_INPUT if the text is no expression over facts. */
cm_status cm_amounts_add(cm_amounts *amounts, const char *expression, bool each, size_t *amount, cm_error *error);

size_t cm_amounts_count(const cm_amounts *amounts);
/* The expression. */
const char *cm_amounts_text(const cm_amounts *amounts, size_t amount);

/* The amount in a program with these facts, one a fact, NaN if unknown; NaN if the expression needs an unknown one. */
double cm_amounts_in(const cm_amounts *amounts, size_t amount, const double *facts);

/* The largest ratio of `amount` to `other` in kernels and natural programs, at least 1. Infinite if one of them has
 * `amount` without `other`. */
double cm_amounts_most(const cm_amounts *amounts, size_t amount, size_t other);

/* Whether the expression has a fact that vendors define differently. */
bool cm_amounts_is_free(const cm_amounts *amounts, size_t amount);
/* Whether all facts of the expression are of wrong paths. */
bool cm_amounts_is_speculative(const cm_amounts *amounts, size_t amount);

/* ---- emulator.c: chooses the emulator of a program, and its arguments for counting ---- */

typedef struct cm_emulator {
    const char *architecture; /* "x86_64" */
    const char *cpu;          /* the processor that QEMU emulates, up to the length of its scalable vectors */
    const char *model;        /* the default model of a PMU */
    struct cm_scalable {
        unsigned bits;    /* the default length of vectors; 0: they are not scalable */
        unsigned most;    /* the largest length, in bits */
        unsigned unit;    /* bits a unit of the length in `cpu` */
        const char *rest; /* of `cpu`, behind the length */
    } vectors;
    unsigned elf;         /* machine number in programs */
    bool knows_registers; /* its decoder tells the registers that an instruction reads and writes */
} cm_emulator;

/* A command line that ends in NULL. */
typedef struct cm_emulated_command {
    char **words;
    size_t count;
} cm_emulated_command;

/* Builds the command line: finds the program in PATH, and the interpreter of a script. `facts`: the file that the
 * plugin writes; NULL: the program is stepped, and runs by itself. *cannot is errno if there is no such program, or no
 * interpreter for it, else 0. CM_UNSUPPORTED if there is no emulator or no plugin for it. *vector_bits is the wanted
 * length of scalable vectors, or 0 for the default, and becomes the actual one. Clear `emulated` in any case. */
cm_status cm_emulator_choose(char *const *command, const char *facts, const cm_emulator **emulator,
                             unsigned *vector_bits, cm_emulated_command *emulated, int *cannot, cm_error *error);
void cm_emulated_command_clear(cm_emulated_command *emulated);
/* The architecture of a program, found in PATH; NULL: there is no such program, or none that is emulated. */
const char *cm_emulator_architecture(const char *program);
/* The default model for programs of one of these architectures. */
const char *cm_emulator_model(const char *architecture);

/* ---- regions.c: regions: files in a directory by which the program that names them and catmint communicate ---- */

/* The variable with the path of the directory. Its file `events` lists the events that each process must count, one a
 * line, as the source spells it; none under the emulated PMU, which counts facts. Each process writes a file named by
 * its number: one region a line, with its name, its calls, its counts, and its seconds unless emulated, separated by
 * tabs. */
#define CM_REGIONS_VARIABLE "CATMINT_COUNT_REGIONS"
#define CM_REGIONS_EVENTS "events"
/* Set in addition if the emulated PMU counts. */
#define CM_REGIONS_EMULATED "CATMINT_COUNT_EMULATED"

enum { CM_REGION_NAME = 64, CM_REGIONS_MOST = 256 };

/* Runs the program once, with as many of the wanted events as it can count together. */
cm_status cm_count_regions(cm_run *run, cm_error *error);

/* A directory for the files of one run. One with the lock -1 was not made, and is not removed. */
typedef struct cm_count_directory {
    char path[CM_TEMPORARY_SIZE];
    int lock;
} cm_count_directory;
cm_status cm_count_directory_make(cm_count_directory *directory, cm_error *error);
void cm_count_directory_remove(cm_count_directory *directory);
/* Calls `take` for each line of the processes' files. Seconds are NaN if unknown. */
typedef cm_status (*cm_region_take)(void *data, const char *name, double calls, double seconds, const double *counts,
                                    cm_error *error);
cm_status cm_count_regions_read(const char *directory, size_t count, cm_region_take take, void *data, cm_error *error);

/* ---- tasks.c: threads counted from outside, each with an attachment ---- */

typedef struct cm_tasks {
    size_t count;
    cm_attachment *tasks;
    bool *accepted; /* events of this run; NULL before the first thread is attached */
    double since;   /* the last interval ended, or the first began */
} cm_tasks;

/* Attaches to the current threads of a process, with all that they will start. */
cm_status cm_tasks_attach_process(cm_tasks *tasks, cm_run *run, pid_t process, cm_error *error);
/* Attaches to processors, "0-3,8", with all that runs on them. */
cm_status cm_tasks_attach_processors(cm_tasks *tasks, cm_run *run, const char *processors, cm_error *error);
/* Records the counts of the whole, and with per_thread those of each thread. */
cm_status cm_tasks_note(cm_tasks *tasks, cm_run *run, cm_error *error);
/* Records the counts since the last interval. */
cm_status cm_tasks_note_interval(cm_tasks *tasks, cm_run *run, size_t interval, cm_error *error);
void cm_tasks_clear(cm_tasks *tasks);

/* Internal: attaches to one more thread. */
cm_status cm_tasks_add(cm_tasks *tasks, cm_run *run, pid_t thread, bool inherited, cm_error *error);
/* Reads the current name of the thread, if it lives. */
void cm_task_read_name(cm_attachment *task);

/* ---- trace.c: a child followed thread by thread ---- */

/* Attaches to a child that has not begun, with all that it will start, or alone if threads are counted separately. */
cm_status cm_tasks_attach_child(cm_tasks *tasks, cm_run *run, pid_t child, cm_error *error);
/* Follows the child thread by thread until all have ended. */
cm_status cm_tasks_trace(cm_tasks *tasks, cm_run *run, cm_child *child, cm_error *error);

/* ---- A program under the emulated PMU, for the files that count it ---- */

typedef struct cm_emulation {
    const cm_count_options *options;
    cm_program_counts *counts;
    const cm_emulator *emulator;
    cm_pmu_model *model;
    size_t repetition;
    cm_count_directory directory;
    char *file;
    uint64_t *now, *before, *between; /* facts: of the last reading, at the end of the last interval, and since then */
} cm_emulation;

typedef bool (*cm_fact_test)(size_t fact);

/* ---- emulated_events.c ---- */

/* The facts of a program: those of time only if the machine and the emulator can tell it. */
cm_fact_test cm_emulation_facts(const cm_emulation *one);
/* Finds all events by their names, of the model or facts. CM_UNSUPPORTED if one is unknown, except those of formulas
 * alone if another one of these is known: they are not modelled. */
cm_status cm_emulation_find_events(cm_emulation *one, cm_error *error);
/* The facts as an event that counts these modes sees them: those of the kernel in the place of the program's. */
void cm_emulation_see(unsigned modes, const uint64_t *facts, uint64_t *seen);
/* The bits CM_PROGRAM_ of the dependences that the events need. */
unsigned cm_emulation_wants(const cm_emulation *one);
/* Sets, a fact each, whether events or metrics need it. */
void cm_emulation_note_facts(const cm_emulation *one, bool *wanted);
/* The model's machine. For a mix all lines come when the program asks for them: a line that was fetched ahead moves as
 * others do, and no fact of its access tells its origin. */
cm_pmu_machine cm_emulation_machine(const cm_emulation *one);
/* Whether the model would fetch lines ahead, and does not, for a mix. */
bool cm_emulation_fetches_nothing_ahead(const cm_emulation *one);

/* ---- Top-Down of a program: the table of formulas for the PMU at hand ---- */

enum { CM_TOPDOWN_MODEL = 64 };

/* Completes the choice of the PMU if it names no model: by that of this processor, which `model` holds, if the kernel
 * counts here, else by the default model, or that of the program's architecture. Finds the table of the model, to be
 * freed in any case. CM_UNSUPPORTED if there is no table, or if the model is emulated and has no time, or another
 * architecture than the program. */
CM_SHARED cm_status cm_topdown_choose(cm_pmu_choice *pmu, const char *program, char model[CM_TOPDOWN_MODEL],
                                      char **table, cm_error *error);

#endif
