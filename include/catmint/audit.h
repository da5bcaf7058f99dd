/* Audits formulas: does a formula measure the metric that it claims, judged by the counts of its events?
 *
 * A formula is judged in the benchmark of its metric, as a sum of coefficients times events. Its representation is the
 * same sum of the events' representations; it is right if that equals the metric's signature (docs/reference/audit.md).
 */
#ifndef CATMINT_AUDIT_H
#define CATMINT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/formulas.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_audit_verdict {
    CM_VERDICT_RIGHT,
    CM_VERDICT_WRONG,
    CM_VERDICT_EVENT_MISSING,         /* an event was not measured, or its name fits several */
    CM_VERDICT_EVENT_NOT_LISTED,      /* the results list only some events, and not this one */
    CM_VERDICT_EVENT_NOISY,           /* an event's repetitions differ by more than tau */
    CM_VERDICT_UNREPRESENTABLE_EVENT, /* an event counts something that the kernels do not control */
    CM_VERDICT_NOT_LINEAR,            /* neither its shape nor its values decide */
    CM_VERDICT_NO_SIGNATURE,          /* catmint does not know the metric, or it is not measurable there */
    CM_VERDICT_NOT_TRIED,             /* no kernel that was run does the metric, or none a known number of times */
    CM_VERDICT_NOT_MODELLED,          /* the PMU model lists an event as one whose meaning nobody knows */
} cm_audit_verdict;
#define CM_VERDICT_COUNT ((int)CM_VERDICT_NOT_MODELLED + 1)

CM_API const char *cm_audit_verdict_text(cm_audit_verdict verdict); /* "right", "event missing" ... */

typedef struct cm_audit_options {
    size_t size;                 /* of this structure */
    const char *const *formulas; /* files, in any format of formulas.h */
    size_t formula_count;        /* 1 or more; 0 with `upstream` */
    const char *against;         /* a sweep directory, a measurement table, or results in JSON */
    const cm_results *results;   /* the results made from `against`; NULL: `against` holds results in JSON, or is a
                                  * directory that is analysed with the default options. A table needs them */
    const char *basis;           /* the caller's own that `results` were made with, ... */
    const char *controls;        /* ... and its controls; NULL: none */
    const char *map;             /* file of rows metric,signature: the metric of each name; NULL: none.
                                  * data/maps/likwid.csv follows it for LIKWID's groups */
    const char *section;         /* pattern (fnmatch) that one name of a formula's section must match; NULL: all */
    const char *upstream; /* a checkout of perf's pmu-events, perfmon, LIKWID or PAPI, whose files for the results'
                           * processor are the formulas; `formulas` is empty then; NULL: none */
    const char *cpu;      /* libpfm4's name of the processor whose files of `upstream` are read; NULL: the results' own,
                           * if it is known */
    const cm_formula_columns *columns; /* the formulas are tables with these columns; NULL: of the formats */
} cm_audit_options;
CM_OPTIONS_DEFAULT(cm_audit_options)

/* Findings of an audit. The brackets list the members that are set beside `kind`; `symbols` stands for `names` and
 * `groups`. */
typedef enum cm_audit_finding_kind {
    /* measures: the quantity that a sum of events measures */
    CM_FINDING_MULTIPLE,       /* `value` times the metric [value] */
    CM_FINDING_OTHER_METRIC,   /* the metric `subject` [subject, value: 1] */
    CM_FINDING_OTHER_MULTIPLE, /* `value` times the metric `subject` [subject, value] */
    CM_FINDING_WEIGHTS_OF,     /* the metric's symbols with the weights of the metric `subject` [subject] */
    CM_FINDING_NOTHING,        /* nothing on the kernels */
    CM_FINDING_ALMOST_NOTHING, /* nothing within the tolerance */
    CM_FINDING_SWAPPED,        /* symbols with the part `subject` are counted as those with `other` should be, and the
                                * reverse [subject, other] */
    CM_FINDING_INSTEAD,        /* symbols with `subject` are counted instead of those with `other` [subject, other] */
    CM_FINDING_MISSED,         /* symbols of the metric are not counted [symbols, value: 0] */
    CM_FINDING_TIMES,          /* they are counted `value` times as often as they should be [symbols, value] */
    CM_FINDING_ONCE,           /* they are counted once instead of twice [symbols, value] */
    CM_FINDING_TWICE,          /* they are counted twice instead of once [symbols, value] */
    CM_FINDING_EXTRA,          /* symbols are counted that do not belong to the metric [symbols] */
    CM_FINDING_SUBTRACTED,     /* such symbols are counted with a minus [symbols] */
    CM_FINDING_CONSTANT,       /* a constant is added [value] */
    /* remarks */
    CM_FINDING_ALIAS,           /* the event `subject` is another name of `other` [subject, other] */
    CM_FINDING_SUM_OF,          /* the event `subject` is read as the sum of the events `names` [subject, names] */
    CM_FINDING_AMBIGUOUS_EVENT, /* the event `subject` may be each of `total` events, the first of them in `names`
                                 * [subject, names, total] */
    CM_FINDING_NOT_LISTED,      /* the results list `count` of `total` events of the benchmark `subject` [subject,
                                   count, total] */
    CM_FINDING_NOISY,           /* the event's largest RNMSE, and tau [subject, value, limit] */
    CM_FINDING_UNEXPLAINED,     /* the event's residual [subject, value] */
    CM_FINDING_ZERO,            /* the event counts nothing on the kernels; its weight is not judged [subject] */
    CM_FINDING_ZERO_HERE,       /* likewise, but it counts something in the benchmark `other`, perhaps only on its
                                 * controls [subject, other] */
    CM_FINDING_SYMBOLS_NOT_RUN, /* no kernel was run that has these symbols of the metric [symbols] */
    CM_FINDING_NO_COMBINATION, /* the metric is not composable; `value` is the misfit of the best combination [value] */
    CM_FINDING_VARIABLE,       /* the formula has the variable `subject` in place of events [subject] */
    CM_FINDING_NO_SUM,         /* the formula is neither a sum of events nor a ratio of two */
    CM_FINDING_NO_RATIO,       /* it should be a ratio of two sums, and is none */
    CM_FINDING_UNKNOWN_METRIC, /* the map names a metric that the results lack [subject] */
    CM_FINDING_AMBIGUOUS_METRIC, /* several metrics have the name: the message of cm_definitions_resolve [subject] */
    CM_FINDING_METRIC_NOT_RUN,   /* no kernel was run that has the metric [subject] */
    CM_FINDING_ON_ROW,        /* on the kernel `subject` it yields `value`, expected `limit` [subject, value, limit] */
    CM_FINDING_NO_VALUE,      /* on the kernel `subject` it yields no value, expected `limit` [subject, limit] */
    CM_FINDING_ON_MIXTURE,    /* on several kernels together it yields `value`, expected `limit` [value, limit] */
    CM_FINDING_WHERE,         /* the finding before this one holds if the variable `subject` is `value` [subject,
                               * value] */
    CM_FINDING_NOT_EXERCISED, /* no kernel does these facts of the metric: `names` of `total` facts [names, total] */
    CM_FINDING_IN_PROGRAMS,   /* in `count` programs that were not used for fitting, its median deviation is `value`
                               * [count, value] */
    CM_FINDING_NEAR,          /* on the kernel `subject` it is too near the tolerance to be judged [subject] */
    CM_FINDING_INDISTINGUISHABLE, /* the kernels cannot distinguish the event `subject` from others: `names` of `total`
                                   * [subject, names, total] */
    CM_FINDING_OTHER_SENSE,       /* its name may also mean `subject`, and as that it is wrong [subject] */
    CM_FINDING_NO_MEANING, /* the formula measures `subject`, which no kernel does a known number of times [subject] */
    CM_FINDING_REFUSED,    /* the law's reason for refusing it, in words [subject] */
    CM_FINDING_NOT_OTHER,  /* the reason why it would not be the metric `other` either, in words [subject, other] */
    CM_FINDING_NOT_HELD,   /* definitions were held to `count` control kernels of the benchmark `subject`, for which
                            * the results lack the counts of the formula's events [subject, count] */
    CM_FINDING_ON_CONTROLS_ALONE, /* the event counts nothing on the kernels of the benchmark `other`; its controls
                                   * alone judge its weight [subject, other] */
    CM_FINDING_IN_PROGRAMS_ALONE, /* the event counts nothing on kernels, but something in programs [subject] */
    CM_FINDING_UNCONTROLLED,      /* no control kernel of the benchmark `subject` was run [subject] */
} cm_audit_finding_kind;
#define CM_FINDING_COUNT ((int)CM_FINDING_UNCONTROLLED + 1)

/* Whether a remark of this kind names something that no kernel and no program has tried. A formula with such a remark
 * is right as far as it was tried. */
CM_API bool cm_audit_finding_is_untried(cm_audit_finding_kind kind);

/* Symbols that belong together by the parts of their names (bases/symbol-parts.csv). */
typedef enum cm_symbol_group_kind {
    CM_SYMBOLS_WITH,    /* symbols that have all of these parts */
    CM_SYMBOLS_ALL_BUT, /* symbols that lack the part */
    CM_SYMBOLS_WITHOUT, /* symbols that have the first part and lack the second */
} cm_symbol_group_kind;

typedef struct cm_symbol_group {
    cm_symbol_group_kind kind;
    size_t part_count;        /* 1 or more */
    const char *const *parts; /* as the file calls them, "double precision"; the symbol's name if it has no parts */
} cm_symbol_group;

/* One finding; cm_findings_text of <catmint/report.h> words it. Members that its kind does not set are NULL or 0. It
 * belongs to the audit. */
typedef struct cm_audit_finding {
    cm_audit_finding_kind kind;
    const char *subject; /* an event as the formula spells it, a metric, a benchmark, a part */
    const char *other;
    double value;
    double limit;
    size_t count;
    size_t total;
    size_t name_count;
    const char *const *names; /* symbols or events */
    size_t group_count;
    const cm_symbol_group *groups; /* the same symbols, grouped among those that the metric has, or lacks */
} cm_audit_finding;

/* One side of a formula, its numerator or its denominator: a sum of events and the metric that it should measure. */
typedef struct cm_audited_sum {
    cm_audit_verdict verdict;
    const char *metric;    /* the metric whose signature judges it; "" if there is none */
    const char *benchmark; /* the benchmark of that metric; "" if there is none */
    size_t measure_count;
    const cm_audit_finding *measures; /* the quantities that it really measures; none if they are not known */
    size_t remark_count;
    const cm_audit_finding *remarks; /* further findings */
    double factor;        /* it should be `factor` times the metric: 1e-6 for millions; NaN if it was not judged */
    double misfit;        /* ||representation - signature|| / ||signature||; NaN if it was not judged */
    double amplification; /* factor by which it amplifies noise in the events; NaN if it was not judged */
    size_t symbol_count;
    const char *const *symbols;
    const double *signature;
    const double *representation; /* divided by `factor`; this and `off` are NULL if it was not judged */
    const bool *off;              /* true for each element that differs */
    size_t offending_event_count;
    const char *const *offending_events; /* events that prevent a judgement, as the formula spells them */
    size_t definition_count;             /* terms of the right definition, if this one is not right; 0: none is known */
    const cm_defined_term *definition;
    double definition_factor; /* factor of that definition in the right formula: 1e-6 for millions, else 1 */
    bool by_law;              /* the law has judged it, as it judges definitions */
    size_t range_count;       /* if it is right: it holds only in all of these ranges; 0: everywhere */
    const cm_defined_range *ranges;
    double range_share;      /* of the natural programs that do the metric, those in all ranges; NaN without ranges */
    size_t confounded_count; /* if it is right: facts that the kernels cannot distinguish from the metric, in words */
    const char *const *confounded;
    size_t also_count; /* if it is right: facts on which vendors disagree and which it counts, in words */
    const char *const *also_counts;
    bool same_events; /* `definition` has the formula's own events; else it has events of the results */
} cm_audited_sum;

/* A kernel on which a formula is off, per iteration. */
typedef struct cm_audit_kernel {
    const char *benchmark, *kernel;
    double counted, expected; /* values of the formula, NaN: none; and of its metric */
} cm_audit_kernel;

/* One formula. */
typedef struct cm_audit_entry {
    const char *file, *metric, *section, *text; /* as in cm_formula_info */
    size_t line, column;
    cm_audit_verdict verdict;
    cm_formula_shape shape;
    const char *rate;         /* names of the variables of a ratio over variables alone, such as time; else "" */
    size_t program_count;     /* validation programs on which it was compared with the metric; 0: none */
    double program_median;    /* median of its relative deviations there; NaN if there are none */
    int power;                /* right up to a factor of 10^power that nothing in the file states; 0: exactly */
    cm_audited_sum numerator; /* the whole formula if it is no ratio */
    const cm_audited_sum *denominator; /* the denominator of a ratio if it has events; else NULL */
    size_t kernel_count; /* kernels on which a formula that is wrong, or has an unrepresentable event, is off: those
                          * that do the fewest things first */
    const cm_audit_kernel *kernels;
} cm_audit_entry;

typedef struct cm_audit cm_audit;

/* Judges every formula. CM_BAD_INPUT and CM_IO if a whole file is wrong. */
CM_API cm_status cm_audit_create(const cm_audit_options *options, cm_audit **audit, cm_error *error);
CM_API void cm_audit_free(cm_audit *audit);
CM_API size_t cm_audit_count(const cm_audit *audit);
/* Whether the audit uses results of the paper's method, in which no control kernel judges definitions and formulas. */
CM_API bool cm_audit_by_paper(const cm_audit *audit);
CM_API const cm_audit_entry *cm_audit_get(const cm_audit *audit, size_t index);
/* Number of formulas with this verdict. */
CM_API size_t cm_audit_verdicts(const cm_audit *audit, cm_audit_verdict verdict);
/* Whether the formula is right as far as it was tried: remarks name the rest. */
CM_API bool cm_audit_is_partial(const cm_audit_entry *entry);
/* Whether it is right only in a range, which one of its sides gives. */
CM_API bool cm_audit_is_ranged(const cm_audit_entry *entry);
/* Definitions that could not be parsed and were left out: file, line, column and the error. With a section, only those
 * that may belong to it. */
CM_API size_t cm_audit_fault_count(const cm_audit *audit);
CM_API const cm_error *cm_audit_fault(const cm_audit *audit, size_t index);
/* Peaks and counts whose units disagree, of AMD's GPUs: a peak that the GPU does not have, or that is of one compute
 * unit, and cycles of all dies with a property of the whole GPU: file, line, column and the fault. */
CM_API size_t cm_audit_wrong_unit_count(const cm_audit *audit);
CM_API const cm_error *cm_audit_wrong_unit(const cm_audit *audit, size_t index);

/* Writes a table, or JSON that follows docs/catmint.audit-1.schema.json. CM_IO if the stream fails, with errno's words.
 */
CM_API cm_status cm_audit_write(const cm_audit *audit, const cm_output_style *style, FILE *stream, cm_error *error);
/* Writes the same into a file, which is whole, or as it was before. */
CM_API cm_status cm_audit_save(const cm_audit *audit, const cm_output_style *style, const char *path, cm_error *error);

/* ---- all processors of a checkout ---- */

typedef struct cm_upstream_list cm_upstream_list;

/* The processors of data/upstream.csv of whose formulas the checkout may have some, in the order of that file; of
 * PAPI's, those with a section that fits the pattern. A NULL leaves none out. */
CM_API cm_status cm_upstream_list_create(const char *directory, const char *section, cm_upstream_list **list,
                                         cm_error *error);
CM_API void cm_upstream_list_free(cm_upstream_list *list);
CM_API size_t cm_upstream_list_count(const cm_upstream_list *list);
/* A section of PAPI's table for whose processors there is no model. */
typedef struct cm_unmodelled_section {
    const char *section; /* the names of its CPU lines, separated by commas */
    size_t formulas;
} cm_unmodelled_section;

/* The number of such sections that fit the pattern; they belong to the list. */
CM_API size_t cm_upstream_list_unmodelled(const cm_upstream_list *list, const cm_unmodelled_section **sections);
/* libpfm4's name, and the software PMU's model of it; NULL: there is none, or the index is past the end. */
CM_API const char *cm_upstream_list_cpu(const cm_upstream_list *list, size_t index);
CM_API const char *cm_upstream_list_model(const cm_upstream_list *list, size_t index);

/* An audit of one processor's formulas; none of it is owned. */
typedef struct cm_processor_audit {
    const char *cpu, *model;
    const cm_audit *audit;
} cm_processor_audit;

typedef struct cm_processor_audits {
    size_t count;
    cm_processor_audit *items;
    size_t unmodelled_count;
    const cm_unmodelled_section *unmodelled; /* sections that were not audited */
} cm_processor_audits;

/* Writes each audit, in the table's form with a summary in front, a line a processor and the unaudited sections; as
 * JSON an object whose "audits" are those of cm_audit_write. Errors as there. */
CM_API cm_status cm_audits_write(const cm_processor_audits *audits, const cm_output_style *style, FILE *stream,
                                 cm_error *error);
CM_API cm_status cm_audits_save(const cm_processor_audits *audits, const cm_output_style *style, const char *path,
                                cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
