/* What the writers of definitions share. Each format is a file <format>/write.c and a row of writers.c. */
#ifndef CM_FORMATS_WRITER_H
#define CM_FORMATS_WRITER_H

#include <stdint.h>

#include <catmint/export_definitions.h>
#include <catmint/names.h>

/* A definition on its way out. */
typedef struct cm_export_item {
    const cm_defined_metric *metric;
    char *name;    /* of the metric there */
    char **events; /* of its terms there, one a term */
    size_t *order; /* terms: positive coefficients first, so that no sum begins with a minus where it can be helped */
} cm_export_item;

typedef struct cm_export {
    const cm_definitions *definitions;
    const cm_export_options *options;
    const struct cm_export_row *row; /* of the format */
    size_t count;
    cm_export_item *items; /* those that are not refused yet, in the order of the results */
    cm_export_summary summary;
} cm_export;

typedef struct cm_export_row {
    const char *name;
    bool directory; /* of files, instead of one */
    bool respells;  /* its names of events may be others than the results', and must lead back to them */
    /* The name of a metric there, `size` bytes at `name`; NULL, or why there is none. */
    const char *(*name_metric)(const cm_defined_metric *metric, char *name, size_t size);
    /* The name of an event there; NULL, or why there is none. */
    const char *(*name_event)(const char *event, char *name, size_t size);
    /* Exactly one of them is there. */
    cm_status (*write)(cm_export *export, FILE *stream, cm_error *error);
    cm_status (*save)(cm_export *export, const char *path, cm_error *error);
} cm_export_row;

enum { CM_EXPORT_NAME_SIZE = 1024 };

/* ---- writers.c ---- */

const cm_export_row *cm_export_find_row(cm_export_format format);

/* ---- export/items.c ---- */

/* Chooses definitions and names them; those that cannot be named are refused. Free `export` in any case. */
cm_status cm_export_prepare(cm_export *export, cm_error *error);
void cm_export_clear(cm_export *export);

/* Counts a definition as refused, and notes why. */
void cm_export_refuse(cm_export *export, const cm_defined_metric *metric, const char *format, ...) CM_PRINTF(3, 4);

/* ---- names.c: names as the formats have them ---- */

const char *cm_export_plain_metric(const cm_defined_metric *metric, char *name, size_t size);
const char *cm_export_identifier(const cm_defined_metric *metric, char *name, size_t size);
const char *cm_export_preset(const cm_defined_metric *metric, char *name, size_t size);

/* Letters and digits, in capitals, all else as one '_' between them: "DP Ops." becomes DP_OPS. */
void cm_export_word(const char *text, char *word, size_t size);

const char *cm_export_papi_event(const char *event, char *name, size_t size); /* as it is, without a core's component */
const char *cm_export_likwid_event(const char *event, char *name, size_t size); /* A:B is A_B */
const char *cm_export_perf_event(const char *event, char *name, size_t size);   /* A:B is A.B */
const char *cm_export_csv_event(const char *event, char *name, size_t size);    /* in quotes where it must be */

/* Text to be read by people, of one line: control characters are blanks, and where `list` is set commas, which nothing
 * protects in a table of PAPI, are semicolons. At most `limit` bytes, whole characters. */
void cm_export_put(const char *text, size_t limit, bool list, FILE *stream);

/* ---- remark.c ---- */

/* "backward error 0; misfit 0; checked on 2 kernels of branch: b1 b2", with no comma and at most `limit` bytes: kernels
 * beyond are counted only. The caller frees it. */
cm_status cm_export_remark_create(const cm_export *export, const cm_defined_metric *metric, size_t limit, char **remark,
                                  cm_error *error);

/* "catmint: definitions of software:golden-cove": where all of them come from, without comma. The caller frees it. */
cm_status cm_export_origin_create(const cm_export *export, char **origin, cm_error *error);

/* ---- sum.c: coefficients ---- */

/* The fraction of integers up to `most` that a coefficient is, and gives back when it is divided; false: none. */
bool cm_export_fraction(double coefficient, int64_t most, int64_t *numerator, int64_t *denominator);

/* The least common denominator of the coefficients, with which each is an integer up to `most`; 0: there is none, and
 * *event is one whose coefficient stands against it. */
int64_t cm_export_denominator(const cm_defined_metric *metric, int64_t most, const char **event);
/* A coefficient times that denominator. */
int64_t cm_export_numerator(double coefficient, int64_t denominator);

/* The definition as a sum over names, one a term: "A + 2 * B", "(3 * A - 4 * B) / 6", or without blanks. Whether a
 * reader divides each term or the whole, it gets the same coefficients, as doubles. */
void cm_export_sum(const cm_export_item *item, char *const *names, bool blanks, FILE *stream);

/* ---- the formats ---- */

cm_status cm_export_papi(cm_export *export, FILE *stream, cm_error *error);
cm_status cm_export_papi_user(cm_export *export, FILE *stream, cm_error *error);
cm_status cm_export_likwid(cm_export *export, const char *path, cm_error *error);
cm_status cm_export_perf(cm_export *export, FILE *stream, cm_error *error);
cm_status cm_export_csv(cm_export *export, FILE *stream, cm_error *error);

#endif
