/* The inside of an audit. A formula is one sum, or a ratio of two. */
#ifndef CM_AUDIT_AUDIT_H
#define CM_AUDIT_AUDIT_H

#include "audit/claims.h"
#include "result/result.h"

/* ---- Judges one linear form over events against a signature: numbers in, numbers out ---- */

typedef struct cm_judge_term {
    double coefficient;
    cm_event_status status;
    double residual;              /* of the event's representation; NaN: unknown, taken as 0 */
    const double *representation; /* NULL: none, as zero events have */
} cm_judge_term;

/* The form and the signature to judge it by. */
typedef struct cm_judge_case {
    size_t symbol_count;
    const double *signature; /* not all zero */
    double alpha, residual;  /* the benchmark's */
    double factor;           /* the form is to yield so many times the metric; NaN: any power of 1000 */
    const double *accepted;  /* representation of a composable definition of the metric; NULL: there is none */
    size_t term_count;
    const cm_judge_term *terms;
    double constant;     /* the form's */
    bool uncontrolled;   /* there are no control kernels: one coefficient at most may be no simple number */
    cm_defined_law *law; /* that has the last word on the metric and the events of the terms; NULL: symbols have it */
    const cm_defined_metric *metric;
    const cm_defined_event *const *events;
} cm_judge_case;

typedef struct cm_judgement {
    cm_audit_verdict
        verdict;   /* right, wrong, event noisy or unrepresentable event; with the last two the rest is not there */
    double factor; /* as used */
    double *representation; /* of the form divided by the factor; one a symbol */
    double *tolerance;      /* by how much each of them may miss the signature */
    double misfit;          /* ||representation - signature|| / ||signature|| */
    double amplification;   /* sum |c_i| ||x_i|| / (factor ||signature||) */
    cm_held held;           /* the law's answer */
} cm_judgement;

/* By the law, if it judges. Else a form is right when it has no constant, its misfit is at most `residual`, and no
 * symbol is off by more than alpha times its element of the signature (of the smallest one if that is zero) and the
 * residuals of the events together; or off by as much, with such a misfit, from a composable definition. A zero
 * event adds nothing there. Without controls one coefficient at most may be no simple number. */
cm_status cm_judge(const cm_judge_case *asked, cm_judgement *judgement, cm_error *error);
void cm_judgement_clear(cm_judgement *judgement);

/* The coefficients, one a term, with which the same events measure the metric: solved, rounded, and judged right.
 * *found is false if there are none. */
cm_status cm_judge_repair(const cm_judge_case *asked, double *coefficients, bool *found, cm_error *error);

/* ---- Checkouts of projects that have formulas: which of their files are a processor's ---- */

typedef struct cm_upstream {
    const char *directory;
    const char *project; /* "perf", "perfmon", "LIKWID" or "PAPI" */
    const char *cpu;     /* libpfm4's name of the processor */
    const char *section; /* of PAPI's table; NULL: all */
    cm_formula_files files;
} cm_upstream;

/* Whether one of the names in the section, which commas part, fits the pattern (fnmatch); NULL: any. */
bool cm_section_fits(const char *section, const char *pattern);

/* libpfm4's name of the processor `cpu`, NULL: the one that the definitions are of, and of its model, in the arena;
 * an unknown one stays as it is. Either may be NULL. */
cm_status cm_upstream_find_names(const char *cpu, const cm_definitions *definitions, cm_arena *arena,
                                 const char **found, const char **model, cm_error *error);

/* The files of the processor `cpu`, libpfm4's name; NULL: the one that the definitions are of. CM_BAD_INPUT if that
 * is not known, or the directory is none of these projects or has nothing for it. Texts belong to the arena. Clear the
 * files in any case. */
cm_status cm_upstream_find(const char *directory, const char *cpu, const cm_definitions *definitions, cm_arena *arena,
                           cm_upstream *upstream, cm_error *error);

/* ---- audit ---- */

/* One benchmark of the results, ready to judge in. */
typedef struct cm_audit_context {
    const cm_defined_benchmark *benchmark;
    size_t index; /* of the benchmark in the definitions */
    cm_event_names *names;
    cm_symbol_parts *parts;
    size_t known_count;
    cm_known_metric *known; /* measurable metrics of the benchmark */
    cm_signatures *whole;   /* over all symbols, run here or not; NULL for a benchmark of the user's own */
    cm_symbol_parts *whole_parts;
    bool *flags;     /* scratch, two for each of those symbols */
    bool *elsewhere; /* of each of those symbols: only other machines have it */
    cm_row_group rows;
    bool asked; /* for the law */
    cm_defined_law *law;
} cm_audit_context;

/* A map of ours for formulas of a format. */
typedef struct cm_shipped_map {
    const char *format;
    cm_pairs *pairs;
} cm_shipped_map;

enum { CM_SHIPPED_MAPS = 8 };

/* Other events that count the same as one, wherever both were counted. */
typedef struct cm_equal_events {
    const char *event; /* as a formula spells it */
    size_t count;      /* the first few of them in `names` */
    const char **names;
} cm_equal_events;

struct cm_audit {
    cm_arena arena; /* texts and arrays of the entries */
    const char *against;
    cm_definitions *definitions;
    cm_upstream upstream; /* its project is NULL if formulas were given */
    cm_pairs *map;        /* the caller's; NULL: none */
    cm_shipped_map shipped[CM_SHIPPED_MAPS];
    unsigned left_out;   /* instruction sets that the processor of the formulas lacks, bits as of cm_kernel */
    const char *missing; /* the same in words; NULL: none */
    cm_fact_table *facts;
    bool decided; /* rows have what the machine decides */
    cm_meanings meanings;
    cm_pairs *aliases;       /* of events */
    cm_pairs *spellings;     /* other projects' names of whole events, each with the events that it may be, "A | B" */
    cm_event_names *spelled; /* the first of these */
    cm_event_codes codes;
    cm_event_names *unmodelled; /* events that the PMU model only lists */
    size_t context_count;
    cm_audit_context *contexts;   /* as the benchmarks of the definitions */
    const cm_row_group **kernels; /* of each of them */
    cm_audit_programs *programs;  /* NULL: the results have none */
    size_t formulas_count;
    cm_formulas **formulas; /* one a file */
    size_t entry_count;
    cm_audit_entry *entries;
    size_t fault_count, wrong_unit_count;
    cm_error *faults, *wrong_units;
    size_t equal_events_count;
    cm_equal_events *equal_events; /* of events of formulas that are right */
};

enum { CM_MOST_PARTS = 8 };
/* Finds the parts of an event, by its name, another name, or a sum that is the same. Returns their number among
 * `names`, 0 if one is missing or ambiguous. */
size_t cm_audit_find_parts(const cm_audit *audit, const cm_event_names *names, const char *name,
                           size_t parts[CM_MOST_PARTS]);

/* ---- equal_events.c ---- */

/* Adds a remark for each event of the formula that cannot be distinguished from others by any kernel that was run. */
cm_status cm_audit_remark_equal_events(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                       cm_audited_sum *sum, cm_error *error);

/* Adds a remark for each event of the formula that is read as a sum of others. */
cm_status cm_audit_remark_sums(cm_audit *audit, const cm_formulas *formulas, size_t formula, cm_audited_sum *sum,
                               cm_error *error);

/* ---- untried.c ---- */

/* The smallest count of a program, whose counts are those of a whole run. */
#define CM_HALF_A_COUNT 0.5
/* Whether the event, of which the name may be a sum, counts anything in a program. */
bool cm_audit_counts_in_programs(const cm_audit *audit, const char *name);

/* Adds remarks to a formula that is right: its events that counted nothing on kernels and programs, and the facts of
 * its metrics that none of them did. */
cm_status cm_audit_remark_untried(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                  const cm_claimed_quantity *claim, cm_audit_entry *entry, cm_error *error);

/* ---- right.c ---- */

/* Finds the definition that would be right in place of a wrong sum: the results' definition of its metric, else a sum
 * of events that are named as the formula's are. */
cm_status cm_audit_find_right(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                              const cm_claimed_metric *metric, cm_audited_sum *sum, cm_error *error);

cm_status cm_audit_contexts_open(cm_audit *audit, cm_own_tables own, cm_error *error);
void cm_audit_contexts_close(cm_audit *audit);
/* The context of the metric's benchmark, on its cores. */
const cm_audit_context *cm_audit_context_of(const cm_audit *audit, const cm_defined_metric *metric);

/* The law of a benchmark, made when first asked for; *law stays NULL if the results lack a part of it. */
cm_status cm_audit_find_law(const cm_audit *audit, const cm_audit_context *context, cm_defined_law **law,
                            cm_error *error);

/* Whether the results have no control kernels of the benchmark, nor ever had: a table that stands alone. */
bool cm_audit_lacks_controls(const cm_audit *audit, const cm_audit_context *context);

/* An event by its name or another name of it; *index is CM_NO_NAME if it was not measured. CM_NAME_AMBIGUOUS:
 * indices has the candidates, of which there are *count. *alias: the other name by which it was found; NULL: its own.
 */
cm_name_match cm_audit_find_event(const cm_audit *audit, const cm_event_names *names, const char *name, size_t *indices,
                                  size_t capacity, size_t *count, const cm_pair **alias);

/* Indexes the events that the results call unavailable because the PMU model only lists them. */
cm_status cm_audit_index_unmodelled(cm_audit *audit, cm_error *error);
/* Whether the event, which no results have, is one of these, or one that libpfm4 knows and the model lacks. */
bool cm_audit_is_unmodelled(const cm_audit *audit, const char *event);
/* "of the machine skylake, which catmint 0.2.0 counted on 2026-11-28": the kept facts that all counts are of; NULL:
 * they were counted otherwise. */
const char *cm_audit_kept_facts(const cm_audit *audit);

/* A sum before it is judged: only the metric that it should be is known. */
static inline cm_audited_sum cm_audited_sum_of(cm_audit_verdict verdict, const char *metric, const char *benchmark)
{
    return (cm_audited_sum){.verdict = verdict,
                            .metric = metric,
                            .benchmark = benchmark,
                            .factor = NAN,
                            .misfit = NAN,
                            .amplification = NAN,
                            .definition_factor = 1.0};
}

/* A form of a formula, on trial as `metric` times `factor` (NaN: any power of 1000). */
typedef struct cm_trial_form {
    const cm_formulas *formulas;
    const cm_linear_form *form;
    const cm_defined_metric *metric;
    double factor;
} cm_trial_form;

cm_status cm_audit_judge(cm_audit *audit, const cm_trial_form *trial, cm_audited_sum *sum, cm_error *error);
/* Recognises a form without a signature, in the benchmark of `like`: as a metric, or says why it cannot be judged. */
cm_status cm_audit_recognise(cm_audit *audit, const cm_trial_form *trial, cm_audited_sum *sum, cm_error *error);

/* A form while it is judged. */
typedef struct cm_audit_evaluation {
    cm_audit *audit;
    const cm_audit_context *context;
    const cm_trial_form *trial;
    cm_audited_sum *sum;
    cm_judge_case asked;
    cm_judge_term *terms;            /* one a term of the form, as the next */
    const cm_defined_event **events; /* NULL if it is none, or missing */
    double *accepted;                /* see cm_judge_case */
    const cm_pair *noted_alias;      /* the last that a remark was made of */
    cm_finding_list measures, remarks;
} cm_audit_evaluation;

const char *cm_audit_event_name(const cm_audit_evaluation *in,
                                size_t term); /* of the event, as the formula spells it */

/* Remarks. */
void cm_audit_remark_candidates(cm_audit_evaluation *in, size_t term, const size_t *indices, size_t shown,
                                size_t count);
void cm_audit_remark_unlisted(cm_audit_evaluation *in);
void cm_audit_remark_blame(cm_audit_evaluation *in, size_t term);
void cm_audit_remark_zeros(cm_audit_evaluation *in);
/* Which of the metric's symbols no kernel of the benchmark that was run has. */
void cm_audit_add_dropped(const cm_audit_context *context, const char *metric, cm_finding_list *list);

/* The metrics that a formula's name claims: by the caller's map, else ours, else by the preset or the name itself. */
cm_status cm_audit_find_claims(cm_audit *audit, const cm_formulas *formulas, const cm_formula_info *info,
                               cm_claims *claims, cm_error *error);

/* The factor between a formula and the metric that it claims to be. */
typedef struct cm_claimed_factor {
    double value; /* NaN: any power of 1000 */
    bool told; /* by the map or the unit; else a formula that is divided by a name that is no event may have any factor,
                  too */
} cm_claimed_factor;

/* Finds what the machine decided on the rows of kernels, if a claim needs it: the facts that are kept of the machine
 * that counted; of other results those that no table lists are unknown (machine_facts.c). */
cm_status cm_audit_decide_facts(cm_audit *audit, const cm_claims *claims, cm_error *error);

/* Judges the formula as it stands by values (trial.c); the entry has the findings that its shape gave. */
cm_status cm_audit_try_values(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                              const cm_claimed_quantity *claim, cm_claimed_factor factor, cm_audit_entry *entry,
                              cm_error *error);

/* Keeps the law's answer: the range in which a right sum holds, and the facts that it may count unnoticed. */
void cm_audit_keep_held(cm_audited_sum *sum, const cm_held *held);
/* Holds a formula that values call right to the law, which may refuse it, and names its limits (meant.c). */
cm_status cm_audit_hold(cm_audit *audit, const cm_formulas *formulas, size_t formula, const cm_claimed_quantity *claim,
                        cm_audit_entry *entry, cm_error *error);

/* Names the kernels on which a formula is off (shown.c). */
cm_status cm_audit_find_kernels(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                const cm_claimed_quantity *claim, cm_claimed_factor factor, cm_audit_entry *entry,
                                cm_error *error);

/* Holds the formula against the programs of a validation, if its events were counted in them. */
cm_status cm_audit_try_programs(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                const cm_claimed_quantity *claim, cm_claimed_factor factor, cm_audit_entry *entry,
                                cm_error *error);

/* How far a metric may be off: as its benchmark's definitions may; as the worst benchmark's if it is not known. */
double cm_audit_residual(const cm_audit *audit, const char *benchmark);

/* One formula; `entry` has its names already. */
cm_status cm_audit_try(cm_audit *audit, const cm_formulas *formulas, size_t formula, cm_audit_entry *entry,
                       cm_error *error);

/* ---- executed.c: facts that the processor of the formulas cannot execute ---- */

/* Notes which instruction sets the processor of the formulas lacks, that of --cpu or else of the results, and which
 * facts of the audit's are lacking with them. */
cm_status cm_audit_find_missing(cm_audit *audit, cm_error *error);

/* Takes symbols that are lacking out of a benchmark of the definitions: no event counts them, no metric means them, and
 * a metric that means nothing else is not measurable. */
cm_status cm_audit_leave_out(cm_audit *audit, const cm_symbol_words *words, size_t benchmark, cm_error *error);

/* ---- unit.c: the factors of units ---- */

/* A count in this unit is so many times the bare count: 1e-6 for "MFLOP/s", 100 for "%", 1 for "instructions". `unit`
 * may be "": then the brackets at the end of the metric's name have it, "DP [MFLOP/s]". A number at the beginning of
 * a unit, as perf's ScaleUnit has it, is the factor that perf multiplies by: "1e-6MFLOP" is 1. NaN if there is no unit.
 */
/* How many of a variable's unit a second has; 1 if its name does not say. */
double cm_variable_scale(const char *variable);

double cm_unit_factor(const char *unit, const char *metric);

#endif
