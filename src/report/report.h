/* Documents for people and programs: one way to write each into a stream, and to save it as a file. */
#ifndef CM_REPORT_REPORT_H
#define CM_REPORT_REPORT_H

#include <catmint/report.h>

#include "audit/audit.h"
#include "count/counts.h"
#include "formulas/evaluate/evaluation.h"

/* Writes the content; need not check whether the stream has failed. */
typedef cm_status (*cm_report_form)(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);

struct cm_page;

typedef struct cm_report {
    const char *name;                          /* for messages, such as "results" */
    json_t *(*json)(const void *content);      /* the document in JSON; NULL: fields or a form write it, if any */
    cm_report_form forms[CM_FORMAT_SARIF + 1]; /* by cm_output_format; NULL: not in this form */
    void (*page)(const void *content, const struct cm_page *page); /* the table on a page; NULL: a form writes it */
    const cm_fields *fields;                                       /* of the document in JSON; may be NULL */
} cm_report;

/* CM_BAD_ARGUMENT if the document has no such form; CM_IO if the stream fails, with errno's words. */
CM_SHARED cm_status cm_report_write(const cm_report *report, const void *content, const cm_output_style *style,
                                    FILE *stream, cm_error *error);
/* Into a file, which is whole or as it was before. */
CM_SHARED cm_status cm_report_save(const cm_report *report, const void *content, const cm_output_style *style,
                                   const char *path, cm_error *error);

/* Writes results into the stream, or saves them as a file; the content of the forms is the document of the results. */
cm_status cm_report_results(const cm_report *report, const cm_results *results, const cm_output_style *style,
                            FILE *stream, const char *path, cm_error *error);

/* Define public functions that write or save content of a type, by its report. */
#define CM_REPORT_WRITE(name, type, report)                                                                            \
    cm_status name(const type *content, const cm_output_style *style, FILE *stream, cm_error *error)                   \
    {                                                                                                                  \
        return cm_report_write(&report, content, style, stream, error);                                                \
    }
#define CM_REPORT_SAVE(name, type, report)                                                                             \
    cm_status name(const type *content, const cm_output_style *style, const char *path, cm_error *error)               \
    {                                                                                                                  \
        return cm_report_save(&report, content, style, path, error);                                                   \
    }
#define CM_REPORT_RESULTS_WRITE(name, report)                                                                          \
    cm_status name(const cm_results *results, const cm_output_style *style, FILE *stream, cm_error *error)             \
    {                                                                                                                  \
        return cm_report_results(&report, results, style, stream, NULL, error);                                        \
    }
#define CM_REPORT_RESULTS_SAVE(name, report)                                                                           \
    cm_status name(const cm_results *results, const cm_output_style *style, const char *path, cm_error *error)         \
    {                                                                                                                  \
        return cm_report_results(&report, results, style, NULL, path, error);                                          \
    }

/* ---- page.c: a page of text for people ---- */

enum { CM_COLUMN_GAP = 2 }; /* blanks between columns */

/* A stream for text, and its looks. It has at least 60 columns, and 100 if the style leaves them open. */
typedef struct cm_page {
    FILE *stream;
    const cm_output_style *style;
    size_t width;
    bool *short_of_memory; /* set if a part could not be written because memory ran out */
    bool *cut;             /* long lists are cut, and this is set then; NULL: they are whole */
} cm_page;

typedef enum cm_mark { CM_MARK_PLAIN, CM_MARK_BOLD, CM_MARK_GOOD, CM_MARK_BAD, CM_MARK_DIM } cm_mark;

/* A stream for a text of the page, and its end: the whole text, to be freed. NULL without memory, which the page notes.
 */
FILE *cm_page_begin_text(const cm_page *page, char **text);
char *cm_page_end_text(const cm_page *page, FILE *stream, char **text);

/* How many of `count` things a list shows: all, or `most` if lists are cut, but for one thing more. */
size_t cm_page_shown(const cm_page *page, size_t count, size_t most);
/* Says on a line how many things a list leaves out, if any. */
void cm_page_rest(const cm_page *page, size_t left, const char *things);

/* Writes the following text so; nothing without colour. */
CM_SHARED void cm_page_mark(const cm_page *page, cm_mark mark);

/* Text, and blanks behind it up to `width` columns. */
CM_SHARED void cm_page_write(const cm_page *page, const char *text, size_t width);

/* Writes a label in bold, in a column of this width. */
enum { CM_PAGE_LABEL = 14 };
void cm_page_label(const cm_page *page, const char *label);
/* A label and text beside it, wrapped, and the end of the line. */
CM_SHARED void cm_page_labelled(const cm_page *page, const char *label, const char *text);
/* The same with a printed text of at most CM_PAGE_NAMES bytes. */
CM_SHARED void cm_page_write_labelled(const cm_page *page, const char *label, const char *format, ...) CM_PRINTF(3, 4);

enum { CM_PAGE_NAMES = 2048, CM_PAGE_ALIKE = 8 };
/* Joins the first texts of a list, as many as end in the same clause ("a, which no kernel has", "b, which no kernel
 * has"), of facts or of pairs; behind CM_PAGE_ALIKE names a number follows. Returns how many texts these are. */
size_t cm_page_alike(const char *const *texts, size_t count, char text[CM_PAGE_NAMES]);

/* ---- events.c: events that can be counted, in JSON ---- */

json_t *cm_event_json(const cm_counting *counting, size_t index);
/* The document of catmint.events/1; it takes over the array of events. */
json_t *cm_events_document(const cm_counting *counting, json_t *events);

/* ---- cores: results of each type of a hybrid processor's cores, side by side ---- */

/* The number of definitions that the types share, in a line, and the events that share a name but not their counts. */
void cm_cores_write_summary(const cm_definitions *document, const cm_page *page);
void cm_cores_write_table(const cm_definitions *document, const cm_page *page);
/* The definition of a metric on that type of cores; NULL: there is none. */
const cm_on_core *cm_core_definition(const cm_by_core *row, const char *core);
/* Whether any type of cores has one. */
bool cm_is_defined_on_a_core(const cm_by_core *row);

/* ---- count.c: counts of programs, for other programs and for spreadsheets ---- */

json_t *cm_counts_json(const void *content);
/* The ranges of a definition, each of `fact`, `per` and `share`; null if there are none. */
json_t *cm_ranges_json(const cm_defined_range *ranges, size_t count);
cm_status cm_counts_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);
/* "program", "thread", "region" or "interval". */
const char *cm_scope_kind_name(cm_scope_kind kind);

/* ---- evaluation: the forms of the values of formulas ---- */

/* `content` is a cm_evaluation. */
cm_status cm_evaluation_write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);
cm_status cm_evaluation_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);
/* The document of catmint.evaluate/1. */
json_t *cm_evaluation_json(const void *content);

/* ---- words.c ---- */

enum { CM_INTERFERENCE_SIZE = 256 };

/* The share of hits that other programs moved, in words; it is small on an idle machine. Returns whether caches were
 * swept, so that it is known. */
bool cm_interference_text(const cm_definitions *document, char text[CM_INTERFERENCE_SIZE]);

/* "cannot be counted together: A, B refuse each other"; free with free(). NULL if they can, or memory runs out. */
char *cm_together_refusal(const cm_defined_metric *metric);

enum { CM_UNMEASURABLE_SIZE = 256 };

/* Why a metric has no fit, as a sentence that neither begins with a capital nor ends with a full stop. */
void cm_unmeasurable_text(const cm_defined_metric *metric, char text[CM_UNMEASURABLE_SIZE]);

/* ---- metrics_table.c: the metrics of a benchmark with their definitions, as lines of the table ---- */

/* Writes one metric after another, its definition beside it if the page is wide enough, else below. */
void cm_metrics_table_write(const cm_read_benchmark *benchmark, const cm_page *page);

/* ---- summary.c: the beginning and the end of results for people ---- */

/* The first lines: which PMU counted, why, on which machine, and the disturbances. */
void cm_summary_write_head(const cm_definitions *document, const cm_page *page);
/* A line that says how many metrics can be measured, in all, and with `shares` in each of several benchmarks. */
void cm_summary_write_line(const cm_definitions *document, bool shares, const cm_page *page);
size_t cm_count_composable(const cm_read_benchmark *benchmark);

/* ---- validation.c: the outcome of a definition in programs, in words and as catmint.validation/1 ---- */

extern const cm_fields cm_validation_fields;

/* Why a definition is not composable although the kernels allow it: "refuted: off by 2 % in the median of 16 programs
 * that were not used for fitting ..."; false: no such reason. */
bool cm_validation_reason(const cm_defined_metric *metric, double tolerance, char *text, size_t size);

/* Below a summary: metrics judged by only some of the programs, and those beyond the limit in some of them. */
void cm_validation_notes(const cm_definitions *document, const cm_page *page);

/* ---- Faults of formulas in the forms that reviews of changes show beside the lines ---- */

typedef struct cm_linted_files {
    const cm_linted_file *files;
    size_t count;
} cm_linted_files;

/* ---- the forms of an audit ---- */

/* `content` is a cm_audit. */
void cm_audit_write_table(const void *content, const cm_page *page);
json_t *cm_audit_json(const void *content);

/* As cm_findings_text, into a stream. */
void cm_findings_write(const cm_audit_finding *findings, size_t count, FILE *stream);

/* Writes the facts that no kernel separates from a right sum's metric; nothing if there are none. */
void cm_audit_write_confounded(const cm_audited_sum *sum, FILE *stream);

/* "ECALL 1 for 0": symbols that are off. */
void cm_audit_write_symbols(const cm_audited_sum *sum, FILE *stream);
/* The right definition. */
void cm_audit_write_definition(const cm_audited_sum *sum, FILE *stream);

/* "3 for 4 on load.1.8, load.2.8 and 4 more; 0 for 1 on ...": kernels by figure, the first ones named. */
void cm_audit_write_kernels(const cm_audit_entry *entry, FILE *stream);

/* ---- the knowledge of one event or one metric: catmint.explain/1, written as JSON and as text ---- */

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

/* ---- explain_event.c ---- */

/* Writes that the event is no metric by itself, by a kernel that shows it; with `whole` also why. The event is not
 * wrong: its meaning is wider or narrower than the metric. */
void cm_refuted_text(const cm_refuted *refuted, bool whole, char *text, size_t size);

/* ---- explain_tables.c ---- */

extern const cm_fields cm_explained_event_fields, cm_explained_metric_fields, cm_explanation_fields;

/* ---- explain_text.c ---- */

void cm_explain_write_event(const cm_explained_event *event, const cm_page *page);
void cm_explain_write_metric(const cm_explained_metric *metric, const cm_page *page);

#endif
