/* The input and common functions of writers of definitions. Each is <format>/write.c, in a row of formats.c. */
#ifndef CM_FORMATS_WRITER_H
#define CM_FORMATS_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <catmint/core_type.h>
#include <catmint/error.h>

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

#endif
