/* Formulas put on trial: does a formula measure the metric that it is said to measure, by what its events really count?
 *
 * A formula is judged in the benchmark of its metric, as a sum of coefficients times events: its representation is the
 * same sum of the events' representations, and it is right where that is the metric's signature
 * (docs/reference/audit.md). */
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

typedef enum cm_verdict {
    CM_VERDICT_RIGHT,
    CM_VERDICT_WRONG,
    CM_VERDICT_EVENT_MISSING,         /* an event was not measured, or its name fits several */
    CM_VERDICT_EVENT_NOT_LISTED,      /* the results tell only some events one by one, and not this one */
    CM_VERDICT_EVENT_NOISY,           /* an event's repetitions differ by more than tau */
    CM_VERDICT_UNREPRESENTABLE_EVENT, /* an event counts something that the kernels do not control */
    CM_VERDICT_NOT_LINEAR,            /* neither its shape nor its values decide */
    CM_VERDICT_NO_SIGNATURE,          /* the metric is none that catmint knows, or not measurable there */
    CM_VERDICT_NOT_TRIED, /* no kernel that was run does what it should measure, or only what is not known */
} cm_verdict;
#define CM_VERDICT_COUNT ((int)CM_VERDICT_NOT_TRIED + 1)

CM_API const char *cm_verdict_text(cm_verdict verdict); /* "right", "event missing" ... */

typedef struct cm_audit_options {
    const char *const *formulas; /* files, in any format of formulas.h */
    size_t formula_count;        /* 1 or more; 0 with `upstream` */
    const char *against;         /* a sweep directory, a measurement table, or results in JSON */
    const cm_results *results;   /* what has been made of `against`; NULL: results in JSON, or a directory that is
                                    analysed as by default. A table needs them */
    const char *map;             /* metric,signature: which metric is which; NULL: none. Of LIKWID's groups also
                                    data/maps/likwid.csv, behind it */
    const char *section;         /* pattern (fnmatch) that one name of a formula's section must match; NULL: all */
    const char *upstream; /* a checkout of perf's pmu-events, perfmon, LIKWID or PAPI, whose files for the results'
                             processor are the formulas; there are no others then; NULL: none */
    const char *cpu;      /* libpfm4's name of the processor whose files of `upstream` are meant; NULL: the results'
                             own, where that is known */
} cm_audit_options;

/* What an audit finds. What is in brackets are the members that are set beside `kind`; `symbols` are `names` and
 * `groups`. */
typedef enum cm_finding_kind {
    /* what a sum of events measures */
    CM_FINDING_MULTIPLE,       /* the metric, but `value` times [value] */
    CM_FINDING_OTHER_METRIC,   /* the metric `subject` [subject, value: 1] */
    CM_FINDING_OTHER_MULTIPLE, /* the metric `subject`, `value` times [subject, value] */
    CM_FINDING_WEIGHTS_OF,     /* the metric's symbols with the weights of the metric `subject` [subject] */
    CM_FINDING_NOTHING,        /* it counts nothing on the kernels */
    CM_FINDING_ALMOST_NOTHING, /* nothing within the tolerance */
    CM_FINDING_SWAPPED,        /* symbols with the part `subject` are counted as those with `other` should be, and the
                                  reverse [subject, other] */
    CM_FINDING_INSTEAD,        /* symbols with `subject` are counted instead of those with `other` [subject, other] */
    CM_FINDING_MISSED,         /* symbols of the metric are not counted [symbols, value: 0] */
    CM_FINDING_TIMES,          /* they are counted `value` times as often as they should be [symbols, value] */
    CM_FINDING_ONCE,           /* likewise, once where it should be twice [symbols, value] */
    CM_FINDING_TWICE,          /* likewise, twice where it should be once [symbols, value] */
    CM_FINDING_EXTRA,          /* symbols are counted that the metric has not [symbols] */
    CM_FINDING_SUBTRACTED,     /* likewise, with a minus [symbols] */
    CM_FINDING_CONSTANT,       /* a constant is added [value] */
    /* what else is to be said */
    CM_FINDING_ALIAS,            /* an event's name `subject` is another name of `other` [subject, other] */
    CM_FINDING_AMBIGUOUS_EVENT,  /* the event `subject` may be each of `total`, the first in `names` [subject, names,
                                    total] */
    CM_FINDING_NOT_LISTED,       /* the results list `count` of `total` events of the benchmark `subject` [subject,
                                    count, total] */
    CM_FINDING_NOISY,            /* the event's largest RNMSE, and tau [subject, value, limit] */
    CM_FINDING_UNEXPLAINED,      /* the event's residual [subject, value] */
    CM_FINDING_ZERO,             /* the event counts nothing on the kernels, its weight is not judged [subject] */
    CM_FINDING_ZERO_HERE,        /* likewise, but it counts something in the benchmark `other`, maybe on its controls
                                    alone [subject, other] */
    CM_FINDING_SYMBOLS_NOT_RUN,  /* no kernel was run that has these symbols of the metric [symbols] */
    CM_FINDING_NO_COMBINATION,   /* the metric is not composable; the misfit of the best [value] */
    CM_FINDING_VARIABLE,         /* the formula has a variable where events are expected [subject] */
    CM_FINDING_NO_SUM,           /* the formula is neither a sum of events nor a ratio of two */
    CM_FINDING_NO_RATIO,         /* it is no ratio of two sums, but has to be one */
    CM_FINDING_UNKNOWN_METRIC,   /* a name that is mapped to, but not in the results [subject] */
    CM_FINDING_AMBIGUOUS_METRIC, /* several metrics have the name: the message of cm_definitions_resolve [subject] */
    CM_FINDING_METRIC_NOT_RUN,   /* no kernel was run that has the metric [subject] */
    CM_FINDING_ON_ROW,           /* on the kernel `subject` it is `value`, expected `limit` [subject, value, limit] */
    CM_FINDING_NO_VALUE,         /* likewise, but it has no value there [subject, limit] */
    CM_FINDING_ON_MIXTURE,       /* likewise, on several kernels together [value, limit] */
    CM_FINDING_WHERE,            /* what was said last is so where the variable `subject` is `value` [subject, value] */
    CM_FINDING_NOT_EXERCISED,    /* what of the metric no kernel does: `names` of `total` facts [names, total] */
    CM_FINDING_IN_PROGRAMS, /* in `count` programs that nobody fitted its median deviation is `value` [count, value] */
    CM_FINDING_NEAR,        /* on the kernel `subject` it is so near the tolerance that nothing is said [subject] */
    CM_FINDING_NOT_TOLD_APART, /* nothing that was run tells the event `subject` from others: `names` of `total`
                                  [subject, names, total] */
    CM_FINDING_OTHER_SENSE,    /* its name may mean `subject`, too, and as that it is wrong [subject] */
    CM_FINDING_NO_MEANING,     /* what the formula measures, which no kernel does a known number of times [subject] */
    CM_FINDING_REFUSED,        /* why the law refuses it, in words [subject] */
    CM_FINDING_NOT_OTHER,      /* why it would not be the metric `other` either, likewise [subject, other] */
    CM_FINDING_NOT_HELD,       /* of the benchmark `subject` the results do not have what the formula's events count on
                                  the `count` control kernels that definitions were held to [subject, count] */
    CM_FINDING_ON_CONTROLS_ALONE, /* the event counts nothing on the kernels of the benchmark `other` but on its
                                    controls, which judge its weight [subject, other] */
    CM_FINDING_IN_PROGRAMS_ALONE, /* the event counts nothing on kernels, but in programs [subject] */
    CM_FINDING_UNCONTROLLED,      /* of the benchmark `subject` no control kernel was run [subject] */
} cm_finding_kind;
#define CM_FINDING_COUNT ((int)CM_FINDING_UNCONTROLLED + 1)

/* Whether a remark of this kind names something that nothing that was run has tried: a formula with one is right where
 * it was tried, and no more is known. */
CM_API bool cm_finding_is_untried(cm_finding_kind kind);

/* Symbols that belong together by the parts of their names (bases/symbol-parts.csv). */
typedef enum cm_symbol_group_kind {
    CM_SYMBOLS_WITH,    /* those that have all of these parts */
    CM_SYMBOLS_ALL_BUT, /* those that have not the part */
    CM_SYMBOLS_WITHOUT, /* those that have the first part, but not the second */
} cm_symbol_group_kind;

typedef struct cm_symbol_group {
    cm_symbol_group_kind kind;
    size_t part_count;        /* 1 or more */
    const char *const *parts; /* as the file calls them, "double precision"; of a symbol without parts its name */
} cm_symbol_group;

/* cm_findings_text of <catmint/report.h> puts it into words. What its kind does not set is NULL or 0. It belongs to the
 * audit. */
typedef struct cm_finding {
    cm_finding_kind kind;
    const char *subject; /* what it is about: an event as the formula spells it, a metric, a benchmark, a part */
    const char *other;
    double value;
    double limit;
    size_t count;
    size_t total;
    size_t name_count;
    const char *const *names; /* symbols or events */
    size_t group_count;
    const cm_symbol_group *groups; /* the same symbols, among those that the metric has, or has not */
} cm_finding;

/* A sum of events beside the metric that it should measure. */
typedef struct cm_audit_side {
    cm_verdict verdict;
    const char *metric;    /* whose signature it is judged by; "" if there is none */
    const char *benchmark; /* of that metric; "" if there is none */
    size_t measure_count;
    const cm_finding *measures; /* what it really measures; none where that is not known */
    size_t remark_count;
    const cm_finding *remarks; /* what else is to be said */
    double factor;        /* it is to be so many times the metric: 1e-6 for millions; NaN where it was not judged */
    double misfit;        /* ||representation - signature|| / ||signature||; NaN where it was not judged */
    double amplification; /* by which noise in the events grows in it; NaN where it was not judged */
    size_t symbol_count;
    const char *const *symbols;
    const double *signature;
    const double *representation; /* divided by the factor; NULL where it was not judged, as the next one */
    const bool *off;              /* which elements differ */
    size_t offending_event_count;
    const char *const *offending_events; /* events that prevent a judgement, as the formula spells them */
    size_t definition_count;             /* where it is not right: what would be; 0 where nothing is known */
    const cm_defined_term *definition;
    double definition_factor; /* of the definition, in the formula that is right: 1e-6 for millions, 1 else */
    bool by_law;              /* the law has judged it, as definitions are judged */
    size_t range_count;       /* where it is right: only where all of these hold; 0: everywhere */
    const cm_defined_range *ranges;
    size_t untold_count; /* likewise: what no kernel tells from the metric, in words */
    const char *const *untold;
    bool same_events; /* that definition has the formula's own events, else those of the results */
} cm_audit_side;

/* One formula. */
typedef struct cm_audit_entry {
    const char *file, *metric, *section, *text; /* as in cm_formula_info */
    size_t line, column;
    cm_verdict verdict;
    cm_formula_shape shape;
    const char *rate;                 /* of a ratio over variables alone, such as time: their names; else "" */
    size_t program_count;             /* programs of a validation that it was held against; 0: none */
    double program_median;            /* of its deviations there, relative; NaN where there is none */
    int power;                        /* right up to a factor of 10^power, which nothing tells; 0: exactly */
    cm_audit_side numerator;          /* of a formula that is no ratio: all of it */
    const cm_audit_side *denominator; /* of a ratio whose denominator has events; else NULL */
} cm_audit_entry;

typedef struct cm_audit cm_audit;

/* Judges every formula. CM_BAD_INPUT and CM_IO where a file as a whole is wrong. */
CM_API cm_status cm_audit_create(const cm_audit_options *options, cm_audit **audit, cm_error *error);
CM_API void cm_audit_free(cm_audit *audit);
CM_API size_t cm_audit_count(const cm_audit *audit);
/* Whether it is against results of the paper's method, whose definitions and formulas are held to no control kernel. */
CM_API bool cm_audit_by_paper(const cm_audit *audit);
CM_API const cm_audit_entry *cm_audit_get(const cm_audit *audit, size_t index);
/* How many formulas have this verdict. */
CM_API size_t cm_audit_verdicts(const cm_audit *audit, cm_verdict verdict);
/* Whether the formula is right, but only where it was tried: remarks name what was not. */
CM_API bool cm_audit_is_partial(const cm_audit_entry *entry);
/* Whether it is right, but only in a range: a side of it says which. */
CM_API bool cm_audit_is_ranged(const cm_audit_entry *entry);
/* Definitions that could not be parsed and were left out: file, line, column and what is wrong. With a section those
 * that may be in it. */
CM_API size_t cm_audit_fault_count(const cm_audit *audit);
CM_API const cm_error *cm_audit_fault(const cm_audit *audit, size_t index);

/* A table, or JSON that follows docs/catmint.audit-1.schema.json. CM_IO where the stream fails, with errno's words. */
CM_API cm_status cm_audit_write(const cm_audit *audit, const cm_style *style, FILE *stream, cm_error *error);
/* The same into a file, which is whole or as it was before. */
CM_API cm_status cm_audit_save(const cm_audit *audit, const cm_style *style, const char *path, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
