/* Foreign formats: a directory for each, and a row in the table of formats.c. */
#ifndef CM_FORMATS_FORMAT_H
#define CM_FORMATS_FORMAT_H

#include <jansson.h>

#include <catmint/core_type.h>

#include "formulas/formulas.h"

/* ---- writer ---- */

/* The input and common functions of writers of definitions. Each is <format>/write.c, in a row of formats.c. */

enum {
    CM_WRITING_NAME_SIZE = 1024,
    CM_WRITING_COUNTERS = 64, /* the most counters that definitions may share */
};

typedef struct cm_writing_term {
    const char *event; /* in the results */
    double coefficient;
} cm_writing_term;

/* A definition to be written. */
typedef struct cm_writing_item {
    const char *metric, *preset, *description, *benchmark; /* in the results */
    const cm_core_type *core;                              /* the type on which it holds; NULL: cores are all alike */
    size_t term_count;
    cm_writing_term *terms;
    char *name;    /* the format's name of the metric */
    char **events; /* the format's names of events, one a term */
    size_t *order; /* of terms: positive coefficients first, so that a sum begins with a minus only if it must */
    char *trust;   /* its evidence: "backward error 0; misfit 0; checked on 2 kernels of branch"; codes in it may have
                      commas */
} cm_writing_item;

/* The result of trying events in one event set. */
typedef enum cm_writing_set { CM_WRITING_UNTRIED, CM_WRITING_COUNTED, CM_WRITING_REFUSED } cm_writing_set;

/* The input of a writer, and its report. */
typedef struct cm_writing {
    const char *origin; /* "catmint: definitions of software:golden-cove", without comma */
    size_t count;
    cm_writing_item *items; /* definitions with names in the format, in the order of the results */
    const char *const *cpus;
    size_t cpu_count;
    size_t counters; /* 1 to CM_WRITING_COUNTERS */
    /* Receives a definition that is not written, with the reason; cm_writing_refuse calls it. */
    void (*refuse)(void *data, const cm_writing_item *item, const char *why);
    void *refuse_data;
    /* The result of trying these events, given by their names in the results. */
    cm_writing_set (*ask)(const void *data, const char *const *events, size_t count);
    const void *ask_data;

    /* Filled by the writer: */
    size_t written; /* definitions */
    size_t files;   /* of a directory */
} cm_writing;

/* ---- writer.c ---- */

void cm_writing_refuse(cm_writing *writing, const cm_writing_item *item, const char *format, ...) CM_PRINTF(3, 4);

/* The metric of the file that `name`, an event of a formula, would be mistaken for by `compare`; NULL: none. */
const char *cm_writing_find_metric(const cm_writing *writing, const char *name,
                                   int (*compare)(const char *, const char *));

/* Writes text as one line: control characters become blanks, and with `list` commas, which cannot be quoted in a table
 * of PAPI, become semicolons. At most `limit` bytes, in whole characters. */
void cm_writing_write(const char *text, size_t limit, bool list, FILE *stream);

/* ---- names.c: names that several formats share ---- */

const char *cm_name_plain_metric(const cm_writing_item *item, char *name, size_t size);
/* Writes DP_OPS for "DP Ops.". */
const char *cm_name_identifier(const cm_writing_item *item, char *name, size_t size);

/* Writes letters and digits, in capitals, with one '_' for all others between them: DP_OPS for "DP Ops.". */
void cm_name_word(const char *text, char *word, size_t size);
/* Whether it is a letter, a digit or '_'. */
bool cm_name_is_word(char c);

/* Copies the name; returns NULL, or why it cannot be copied: it is empty, too long, or has control characters. */
const char *cm_name_copy(const char *text, char *name, size_t size);
/* Writes the event of a core without its PMU, and without qualifiers that have a value, the parts separated by
 * `separator`. A later look-up shows whether these values are the defaults. */
const char *cm_name_respell(const char *event, char separator, char *name, size_t size);

/* ---- sum.c: coefficients ---- */

/* The least common denominator with which all coefficients are integers up to `most`; 0: there is none, and *event has
 * a coefficient that prevents it. */
int64_t cm_writing_denominator(const cm_writing_item *item, int64_t most, const char **event);
/* A coefficient times that denominator. */
int64_t cm_writing_numerator(double coefficient, int64_t denominator);

/* Writes the definition as a sum over names, one a term: "A + 2 * B", "(3 * A - 4 * B) / 6", or without blanks. A
 * reader that divides each term, and one that divides the whole, get the same coefficients as doubles. */
void cm_writing_sum(const cm_writing_item *item, char *const *names, bool blanks, FILE *stream);

/* ---- format ---- */

typedef struct cm_foreign_format {
    const char *name; /* "papi", as users name it */

    /* For reading; `read` NULL: it is only written. */
    cm_formula_rules rules;
    const char *looks; /* "a PAPI table (CPU and PRESET lines)": used in messages when a file has no known format */
    const char *const *beginning; /* first words of lines that only such files have, the last one NULL; behind
                                     punctuation any text may follow */
    bool at_top;                  /* the file's first line that is no comment begins so */
    const char *mark;             /* a text in every such file, for formats whose beginning does not tell; else NULL */
    /* Fills an empty list. CM_BAD_INPUT if nothing in the file can be understood. */
    cm_status (*read)(cm_formulas *formulas, cm_error *error);

    /* For writing; neither `write` nor `save`: it is only read. */
    const char *content; /* "presets", if the name does not tell, else "" */
    bool takes_cpus;     /* it names the processors it is for, as libpfm4 does */
    bool takes_counters; /* its definitions share counters */
    bool one_set;        /* all events of a definition are counted at the same time */
    bool respells;       /* its names of events may differ from the results', and must lead back to them */
    bool renames;        /* it has names of its own; each may mean only one event of the results */
    /* Writes the format's name of a metric to `name`, `size` bytes; NULL, or the reason why there is none. */
    const char *(*name_metric)(const cm_writing_item *item, char *name, size_t size);
    /* Writes the format's name of an event; NULL, or the reason why there is none. */
    const char *(*name_event)(const char *event, char *name, size_t size);
    /* Changes the name of an event to that of the device which counts on cores of one type, in `size` bytes; NULL: the
     * format's names do not tell the device. */
    void (*name_on_core)(const char *core, char *name, size_t size);
    /* Write one file, or files of the directory `path`; with both, `save` is for all definitions, `write` for one. */
    cm_status (*write)(cm_writing *writing, FILE *stream, cm_error *error);
    cm_status (*save)(cm_writing *writing, const char *path, cm_error *error);
} cm_foreign_format;

/* The words of `beginning`. */
#define CM_WORDS(...)                                                                                                  \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* All formats, in the order in which they are listed; NULL behind the last. */
const cm_foreign_format *cm_foreign_format_get(size_t index);
/* The format of that name, if it can be read; else NULL. */
const cm_foreign_format *cm_foreign_format_find(const char *name);
/* Finds the format by the contents of the file; CM_BAD_INPUT if none fits. */
cm_status cm_foreign_format_recognise(const char *path, const cm_foreign_format **format, cm_error *error);
/* Looks for a mark in all lines of the file. */
cm_status cm_foreign_format_find_mark(const char *path, const char *mark, bool *found, cm_error *error);
/* How readers begin a message of CM_BAD_INPUT about a file that is well-formed but holds no formulas. */
#define CM_NO_METRICS "no metrics here"
/* Whether the file is meant to hold formulas, even faulty ones; true if it cannot be read, so that this is reported. */
cm_status cm_foreign_format_is_meant(const char *path, bool *meant, cm_error *error);

/* ---- Reads JSON that holds formulas, with the locations of members ---- */

typedef struct cm_json_formulas {
    cm_formulas *formulas;
    cm_error *error;
    json_t *document;
    char *text;
    const char *object;    /* start of the current metric in the text */
    const char *known;     /* a location in the text whose line is known: */
    const char *line_text; /* the start of that line */
    size_t line;           /* and its number */
} cm_json_formulas;

/* Reads and parses formulas->file. CM_BAD_INPUT, with the location, if it is no JSON. Free it in any case. */
cm_status cm_json_formulas_open(cm_formulas *formulas, cm_json_formulas *json, cm_error *error);
void cm_json_formulas_free(cm_json_formulas *json);

/* Line and column of a location in the text; NULL: of the current metric. Fastest in the order of the text. */
cm_expression_location cm_json_formulas_location(cm_json_formulas *json, const char *at);

/* The member of the metric as text; NULL if it is missing or null, or, recorded as a fault, no text. */
cm_status cm_json_formulas_text(cm_json_formulas *json, const json_t *object, const char *key, const char **text);
/* The same of several members. */
typedef struct cm_formula_text {
    const char *key, **text;
} cm_formula_text;
cm_status cm_json_formulas_texts(cm_json_formulas *json, const json_t *object, const cm_formula_text *texts,
                                 size_t count);
cm_status cm_json_formulas_fault(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                 const char *metric, const char *text);
cm_status cm_json_formulas_remark(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                  const char *metric, const char *text);

/* Parses `text`, the member `key` of the metric, as the expression of the formula. */
cm_status cm_json_formulas_parse(cm_json_formulas *json, size_t formula, const char *key, const char *text,
                                 const cm_formula_fault_kind *kind, const cm_expression_source *source,
                                 cm_expression_resolve resolve, void *data);

/* ---- catmint's own files of formulas ---- */

cm_status cm_csv_write_formulas(cm_writing *writing, FILE *stream, cm_error *error);

/* ---- LIKWID's performance groups ---- */

cm_status cm_likwid_read(cm_formulas *formulas, cm_error *error);

/* ---- abbreviated.c: expands the formulas in LONG: sums over counters, and a forgotten parenthesis ---- */

/* A counter of EVENTSET, with its event. */
typedef struct cm_likwid_counter {
    const char *name, *event;
} cm_likwid_counter;

/* The formula in full: SUM(EVENT) and SUM(MBOXxC0) become sums of the counters with that event or a name that fits, in
 * which * or x is a number; if one more parenthesis is closed than opened, the divisor begins behind the last division.
 * A sum without any counter stays. The caller frees it; NULL without memory. */
char *cm_likwid_in_full(const char *formula, const cm_likwid_counter *counters, size_t count);

/* ---- boxes.c ---- */

/* Counters of memory controllers, which LIKWID names by box: one box a channel, with four counters each. */

enum { CM_LIKWID_BOX_COUNTERS = 4, CM_LIKWID_BOXES = 12, CM_LIKWID_SUM_SIZE = 256 };

/* Writes LIKWID's name of a socket's event to `name`; returns NULL, or the reason why there is none. */
const char *cm_likwid_box_event(const char *event, char *name, size_t size);
/* "MBOX" of such a name; NULL if it is no event of a memory controller. */
const char *cm_likwid_box(const char *name);
/* Writes "(MBOX0C1+MBOX1C1+...)": this counter in all boxes. Returns `text`. */
char *cm_likwid_box_sum(const char *box, size_t counter, char text[CM_LIKWID_SUM_SIZE]);

/* ---- The state of the reader of a group ---- */

/* One line of EVENTSET. */
typedef struct cm_likwid_line {
    const char *name, *event; /* `name` with its options */
    size_t line, column;
    bool used;
} cm_likwid_line;

typedef enum cm_likwid_part { CM_LIKWID_NOWHERE, CM_LIKWID_EVENTSET, CM_LIKWID_METRICS, CM_LIKWID_LONG } cm_likwid_part;

typedef struct cm_likwid_reader {
    cm_formulas *formulas;
    cm_error *error;
    cm_text_lines lines;
    cm_likwid_part part;
    bool seen[CM_LIKWID_LONG + 1];
    char *section;     /* the file's name without directory and ending */
    const char *title; /* the text of SHORT */
    cm_likwid_line *counters;
    size_t counter_count;
    struct cm_documented *documented; /* from LONG */
    size_t documented_count;
    cm_formula_fault_kind kind; /* of a fault in the current formula */
    size_t formula;             /* the current one */
    cm_status status;           /* CM_NO_MEMORY if a remark on its names could not be kept */
} cm_likwid_reader;

/* ---- counters.c ---- */

/* The index of the counter with this whole name, else without options; counter_count if there is none. */
size_t cm_likwid_find_counter(const cm_likwid_reader *reader, const char *name);
/* The quantity of a counter's event, which knows the line that names it. */
ptrdiff_t cm_likwid_event_quantity(cm_likwid_reader *reader, const cm_likwid_line *one);

/* ---- documented.c ---- */

/* Keeps a line of LONG. */
cm_status cm_documented_take(cm_likwid_reader *reader);
/* Records a remark for each line that differs from the formula of its metric, or is one that cannot be read. */
cm_status cm_documented_check(cm_likwid_reader *reader);

#endif
