/* The claim of a formula, the metric or the ratio of two that it is said to measure: "DP Ops.", "1000 L1 Misses /
 * Instructions", "FP Ops. | FP Ops. with HP", "L2 Data Misses || L2 Misses of Data and Code". Also the rows on which it
 * is held against its claim, and what is found there. */
#ifndef CM_AUDIT_CLAIMS_H
#define CM_AUDIT_CLAIMS_H

#include <catmint/audit.h>
#include <catmint/names.h>

#include "formulas/events/events.h"
#include "verify/verify.h"

/* ---- The meanings of metrics as sums over facts: those of signatures/, and those of data/meanings.csv ---- */

typedef struct cm_meaning {
    const char *metric, *preset; /* preset "": none */
    double *coefficients;        /* one a fact, those of primitive ones */
    double smallest;             /* of their sizes that are not 0 */
    double settled;              /* by how much caches and predictors settle elsewhere */
    bool of_machine;             /* it has facts that no table of kernels lists: what the machine decides is measured */
} cm_meaning;

/* Bytes of the sectors that a GPU's caches load and store, as meanings name them: gpu_load_sector, gpu_store_sector. */
typedef struct cm_meant_sectors {
    double load, store;
} cm_meant_sectors;

/* Finds the sectors of the GPU that counted the results: its model's if a software PMU did, else those of the target
 * that the results name, or of an MI200 if that is unknown. CM_BAD_INPUT for a faulty model. */
cm_status cm_meant_sectors_find(const cm_definitions *definitions, cm_meant_sectors *sectors, cm_error *error);

typedef struct cm_meanings {
    cm_meant_sectors sectors;
    cm_arena arena;
    size_t count;
    cm_meaning *items;
} cm_meanings;

/* Reads data/meanings.csv. */
cm_status cm_meanings_load(const cm_fact_table *facts, cm_meanings *meanings, cm_error *error);
/* Adds one; nothing if the text is empty, or there is one of that name. CM_BAD_INPUT if the text is no sum of
 * multiples of facts; file and line are for that. */
cm_status cm_meanings_add(cm_meanings *meanings, const cm_fact_table *facts, const char *metric, const char *preset,
                          const char *text, const char *file, size_t line, cm_error *error);
void cm_meanings_clear(cm_meanings *meanings);

/* Finds a meaning by its exact name, else by any spelling of name or preset; NULL: there is none. */
const cm_meaning *cm_meanings_find(const cm_meanings *meanings, const char *name);

/* The metric's value on a kernel, and how much more or less it may be: by the machine's choice, by the state
 * that caches settle in, and by chance in `iterations`, 4 standard deviations. */
double cm_meaning_value(const cm_meaning *meaning, const cm_kernel_facts *kernel, double iterations, double *allowed);

/* ---- claims ---- */

/* A metric by its name. */
typedef struct cm_claimed_metric {
    const char *name;                /* NULL: none */
    const cm_defined_metric *metric; /* of the results; NULL: they have none of that name */
    const cm_meaning *meaning;       /* NULL: none is known */
} cm_claimed_metric;

/* A metric, or a ratio of two, that a formula's name claims. */
typedef struct cm_claimed_quantity {
    cm_claimed_metric numerator, denominator;
    double factor; /* that the formula is to have; NaN: the name does not tell */
    bool mapped;   /* a map says so */
} cm_claimed_quantity;

enum { CM_MOST_CLAIMS = 8 };

typedef struct cm_claims {
    size_t count; /* 0: nothing is known of the formula's name */
    size_t usual; /* the others, behind "||", are meant only if no event makes any of these */
    cm_claimed_quantity items[CM_MOST_CLAIMS];
    const char *none;      /* why a map says that the name is no metric; NULL: it does not */
    const char *unknown;   /* named by a map, but nowhere to be found; NULL: no such */
    const char *ambiguity; /* the name fits several metrics, which are listed; NULL: it fits one */
} cm_claims;

/* ---- codes ---- */

/* Events by their numbers in the processor's documents: event code and unit mask, which libpfm4 knows of its names. */

typedef struct cm_event_codes {
    cm_libpfm_list *list;
    cm_event_names *names;  /* of the list */
    cm_known_events *known; /* the same with the kernel's own, in any combination of unit masks */
} cm_event_codes;

/* Loads the codes of the definitions' processor; *codes is all NULL if that, or libpfm4, is unknown. Always clear it.
 */
cm_status cm_event_codes_load(const cm_definitions *definitions, cm_event_codes *codes, cm_error *error);
void cm_event_codes_clear(cm_event_codes *codes);

/* The event of `names` that has the code and unit mask of `name`, which is another name of libpfm4's, or spelled by
 * numbers, cpu/event=0xc7,umask=0x1/, or by a name with another unit mask, NAME:u0x1. CM_NO_NAME: there is none. */
size_t cm_event_codes_find(const cm_event_codes *codes, const cm_event_names *names, const char *name);
/* "FP_ARITH_INST_RETIRED:umask=0xfc" for cpu/event=0xc7,umask=0xfc/ or SCALAR_SINGLE:u0xfc, of several unit masks;
 * false if `name` is not spelled so. */
bool cm_event_codes_spell(const cm_event_codes *codes, const char *name, char *spelled, size_t size);

/* ---- Rows that formulas are evaluated on: counts and facts of the kernels or programs that ran. A group of rows has
 * one list of events: the kernels of a benchmark. Programs of known facts would be a group of their own ---- */

typedef struct cm_row_event {
    cm_event_status status;
    const double *counts;    /* an iteration, one a row; NaN: not known there; NULL: nowhere */
    const double *uncertain; /* by how much they may be off; NULL: by nothing */
    double shift;            /* ... and by how much of themselves, in all repetitions alike */
    bool exact;              /* repetitions agree, count by count */
    const char *happens_in; /* a benchmark of the sweep on a kernel of which it counts, one of no row too; NULL: none */
} cm_row_event;

typedef struct cm_row_group {
    const char *name;
    const cm_event_names *names; /* of the events */
    size_t event_count;
    const char *const *events;
    cm_row_event *counted;
    size_t row_count;
    const char *const *rows;
    const cm_kernel_facts **facts; /* one a row; NULL: not known */
    /* Likewise for metrics of facts that no table lists, with what the machine decided; NULL: none was asked for. */
    const cm_kernel_facts **decided;
    const bool *skipped; /* one a row: it needs facts that the processor of the formulas lacks */
    size_t symbol_count;
    const double **does;      /* one a row: the symbols of an iteration, by the basis; NULL: not known */
    double tolerance;         /* a value may be off by so much of itself */
    size_t control;           /* the first of the rows that definitions were held to and not fitted on */
    double control_tolerance; /* there, as definitions may */
    double control_floor;     /* ... of the smallest weight at least */
    double iterations;        /* of a row at least, for facts that chance decides */
    double overhead;          /* the most that starting and stopping add to an iteration, of each fact */
} cm_row_group;

/* Tables of the caller's own that the results were made with; NULL: they were made with ours, or without controls. */
typedef struct cm_own_tables {
    const char *basis, *controls;
} cm_own_tables;

/* The kernels of a benchmark of the results, whose events `names` has in their order. Unknown members stay NULL. All
 * belongs to the arena, facts and definitions. */
cm_status cm_row_group_of_benchmark(const cm_definitions *definitions, size_t benchmark, cm_own_tables own,
                                    const cm_fact_table *facts, const cm_event_names *names, cm_arena *arena,
                                    cm_row_group *group, cm_error *error);

/* Whether the event counts more than `least`, and than its uncertainty, on a row from `first` on. */
bool cm_row_group_counts(const cm_row_group *group, size_t event, size_t first, double least);

/* Finds the rows to be skipped, into the arena. */
cm_status cm_row_group_skip(cm_row_group *group, const cm_fact_table *facts, cm_arena *arena, cm_error *error);

/* ---- programs ---- */

/* Validation programs as rows: formulas are held against them, too, because nothing was fitted to them. */

typedef struct cm_audit_programs {
    cm_row_group rows;
    struct cm_program_table *table;
    cm_event_names *names;
    cm_arena arena;
} cm_audit_programs;

/* Loads the programs of a sweep's validation; *programs stays NULL if there is none, or `against` is a file.
 * Programs that need missing facts are skipped. */
cm_status cm_audit_programs_load(const char *against, const cm_fact_table *facts, cm_audit_programs **programs,
                                 cm_error *error);
void cm_audit_programs_free(cm_audit_programs *programs);

/* ---- Parts of symbols' names, and the symbols that belong together by them ---- */

/* The parts of one benchmark's symbols. A part is a row of the table of words that some symbols have. */
typedef struct cm_symbol_parts {
    size_t symbol_count;
    const char *const *symbols; /* the caller's */
    size_t part_count;
    char **words; /* one a part, in the order of the table */
    bool *has;    /* parts x symbols */
    bool *left;   /* scratch, one a symbol */
} cm_symbol_parts;

enum { CM_NO_SYMBOL = -1 };

/* Reads the table, `benchmark,part,words`. `symbols` must live as long as the parts. */
cm_status cm_symbol_parts_load(const char *path, const char *benchmark, size_t symbol_count, const char *const *symbols,
                               cm_symbol_parts **parts, cm_error *error);
void cm_symbol_parts_free(cm_symbol_parts *parts);

/* Makes the finding one about the symbols of `wanted`, not empty: their names, and as few groups as distinguish them
 * from the others of `universe`, which holds them. False if memory is short. */
bool cm_symbol_parts_group(const cm_symbol_parts *parts, const bool *wanted, const bool *universe, cm_arena *arena,
                           cm_audit_finding *finding);

/* The symbol that has the same parts, but `to` instead of `from`, or `from` instead of `to`; the symbol itself if it
 * has neither or both. `to` may be parts->part_count: the symbol without `from`. CM_NO_SYMBOL if there is none. */
ptrdiff_t cm_symbol_parts_counterpart(const cm_symbol_parts *parts, size_t symbol, size_t from, size_t to);

/* ---- findings ---- */

/* All zero but for the arena, which keeps the findings: an empty list. */
typedef struct cm_finding_list {
    cm_arena *arena;
    size_t count;
    cm_audit_finding *items;
    bool short_of_memory; /* some could not be added */
} cm_finding_list;

/* The texts of the finding must live as long as the list. */
void cm_finding_list_add(cm_finding_list *list, const cm_audit_finding *finding);
/* The same about the symbols of `set`, not empty, named as those among the `universe`. */
void cm_finding_list_add_symbols(cm_finding_list *list, const cm_audit_finding *finding, const cm_symbol_parts *parts,
                                 const bool *set, const bool *universe);

/* ---- Findings about wrong forms: the thing that each measures instead ---- */

/* A metric that the form might be instead. */
typedef struct cm_known_metric {
    const char *metric;
    const double *signature; /* one a symbol, not all zero */
    const cm_defined_metric *defined;
} cm_known_metric;

typedef struct cm_deviation {
    const cm_symbol_parts *parts;
    const double *representation; /* of the form, one a symbol */
    const double *signature;      /* of the metric, not all zero */
    const double *tolerance;      /* by how much an element may be off */
    size_t known_count;
    const cm_known_metric *known; /* all metrics of the benchmark, the form's own may be among them */
} cm_deviation;

/* Adds the metric that the form measures; nothing if every element is within its tolerance. CM_NO_MEMORY. */
cm_status cm_deviation_explain(const cm_deviation *deviation, cm_finding_list *findings, cm_error *error);

#endif
