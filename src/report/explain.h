/* The knowledge of one event or one metric: catmint.explain/1, written as JSON and as text. */
#ifndef CM_REPORT_EXPLAIN_H
#define CM_REPORT_EXPLAIN_H

#include "report/report.h"

/* A symbol with its value; `words` describes the symbol, NULL: unknown. */
typedef struct cm_symbol_part_of {
    const char *symbol, *words;
    double coefficient;
} cm_symbol_part_of;

typedef struct cm_symbol_list {
    size_t count;
    const cm_symbol_part_of *parts;
} cm_symbol_list;

typedef struct cm_explained_term {
    cm_defined_term rounded;
    double solved;
    size_t name_count;
    const char *const
        *names; /* names of an event that was given by its code; NULL: it was given by name, or no name is known */
} cm_explained_term;

/* The count of an event on a kernel beside the value of its representation. */
typedef struct cm_explained_kernel {
    const char *kernel;
    double counted, represented;
} cm_explained_kernel;

/* A metric whose symbols the event has, why it is refused as that metric, and its count on a control that shows it. */
typedef struct cm_refuted {
    const char *metric, *why;
    const char *kernel; /* NULL: no control shows it */
    double counted, expected;
} cm_refuted;

typedef struct cm_explained_event {
    const char *benchmark, *core, *event, *reason;
    cm_event_status status;
    size_t selected_as; /* from 1; 0: not selected */
    double max_rnmse, residual, offset;
    cm_symbol_list representation;
    size_t disagreement_count;
    const cm_explained_kernel *disagreements;
    size_t term_count;
    const cm_explained_term *terms; /* the event as a combination of selected events */
    size_t equivalent_count;
    const cm_defined_equivalent *equivalents;
    size_t control_count, counted_count; /* control kernels; those on which it counts */
    const cm_explained_kernel *counted;  /* NULL: not examined */
    size_t refuted_count;
    const cm_refuted *refuted;
    size_t metric_count, name_count;
    const char *const *metrics; /* metrics whose definitions contain it */
    const char *const *names;   /* as in cm_explained_term */
} cm_explained_event;

/* The value of a symbol in a definition. */
typedef struct cm_explained_symbol {
    const char *symbol;
    double metric, definition, limit;
} cm_explained_symbol;

typedef struct cm_explained_metric {
    cm_defined_metric metric; /* its `terms` are not used */
    const char *reason;
    cm_defined_firmness firm; /* both NULL: unknown */
    cm_symbol_list signature, missed;
    size_t term_count;
    const cm_explained_term *terms;
    size_t symbol_count;
    const cm_explained_symbol *symbols; /* NULL: by the paper's method, or not measurable */
    const char *worst_control;          /* "": none */
    const char *validation;             /* NULL: the verdict of programs stands elsewhere */
} cm_explained_metric;

typedef struct cm_explanations {
    const char *schema;
    cm_arena arena; /* of all that events and metrics point to */
    size_t event_count, metric_count;
    cm_explained_event *events;
    cm_explained_metric *metrics;
    size_t count;
    bool *is_metric; /* by place in the question */
    bool whole;      /* no list is cut */
} cm_explanations;

/* Explains the question's events and metrics in every benchmark that has them. Clear *found in any case. */
cm_status cm_explain_find(const cm_results *results, const cm_explain_question *question, cm_explanations *found,
                          cm_error *error);
void cm_explanations_clear(cm_explanations *found);

/* `words` describes symbols; it may be NULL, or lack some. */
cm_status cm_explain_event(const cm_benchmark_result *result, size_t index, const cm_symbol_words *words,
                           cm_filler *filler, cm_explained_event *explained, cm_error *error);
void cm_explain_metric(const cm_benchmark_result *result, size_t metric, const cm_symbol_words *words,
                       cm_filler *filler, cm_explained_metric *explained);

/* ---- explain_terms.c ---- */

enum { CM_EXPLAIN_SENTENCE = 512 };
const char *cm_explain_sentence(cm_filler *filler, const char *format, ...) CM_PRINTF(2, 3);
/* The elements of a representation or signature above `smallest`; none if `values` is NULL. */
cm_symbol_list cm_explain_symbols(const cm_benchmark_result *result, const cm_symbol_words *words, const double *values,
                                  double smallest, cm_filler *filler);
/* Terms whose rounded coefficient is not zero; `metric`: whose fit it is, SIZE_MAX: none. */
const cm_explained_term *cm_explain_terms(const cm_benchmark_result *result, const cm_fit *fit, size_t metric,
                                          cm_filler *filler, size_t *count);
/* Events with the same representation, except those that other kernels distinguish from it. */
const cm_defined_equivalent *cm_explain_equivalents(const cm_benchmark_result *result, size_t event, cm_filler *filler,
                                                    size_t *count);
/* Names of an event that was given by its code, if a table has some. */
const char *const *cm_explain_names(const cm_benchmark_result *result, const char *event, cm_filler *filler,
                                    size_t *count);

/* ---- explain_controls.c ---- */

/* Fills the control kernels on which an event counts, and the metrics as which it is refused. */
void cm_explain_controls(const cm_benchmark_result *result, size_t event, cm_filler *filler,
                         cm_explained_event *explained);

/* Writes that the event is no metric by itself, by a kernel that shows it; with `whole` also why. The event is not
 * wrong: its meaning is wider or narrower than the metric. */
void cm_refuted_text(const cm_refuted *refuted, bool whole, char *text, size_t size);

/* ---- explain_tables.c ---- */

extern const cm_fields cm_explained_event_fields, cm_explained_metric_fields, cm_explanation_fields;

/* ---- explain_text.c ---- */

void cm_explain_write_event(const cm_explained_event *event, const cm_page *page);
void cm_explain_write_metric(const cm_explained_metric *metric, const cm_page *page);

/* ---- explain_limits.c: a line for the common part of a list that is cut, and a line each for range and leaks ---- */

void cm_explain_write_confounded(const cm_defined_metric *metric, const cm_page *page);
void cm_explain_write_range(const cm_defined_metric *metric, const cm_page *page);

#endif
