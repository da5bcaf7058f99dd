/* What writers of definitions get, and what they share. Each is <format>/write.c, and stands in a row of formats.c. */
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
    CM_WRITING_COUNTERS = 64, /* that definitions may be given to share */
};

typedef struct cm_writing_term {
    const char *event; /* as the results have it */
    double coefficient;
} cm_writing_term;

/* A definition on its way out. */
typedef struct cm_writing_item {
    const char *metric, *preset, *description, *benchmark; /* as the results have them */
    const cm_core_type *core;                              /* on which it holds; NULL: cores are all alike */
    size_t term_count;
    cm_writing_term *terms;
    char *name;    /* of the metric there */
    char **events; /* of its terms there, one a term */
    size_t *order; /* terms: positive coefficients first, so that no sum begins with a minus where it can be helped */
    char *trust;   /* how far to trust it: "backward error 0; misfit 0; checked on 2 kernels of branch"; may have commas
                      where it names codes */
} cm_writing_item;

/* What is known of events in one event set. */
typedef enum cm_writing_set { CM_WRITING_UNTRIED, CM_WRITING_COUNTED, CM_WRITING_REFUSED } cm_writing_set;

/* All that a writer reads, and what it says of its work. */
typedef struct cm_writing {
    const char *origin; /* "catmint: definitions of software:golden-cove": where all come from, without comma */
    size_t count;
    cm_writing_item *items; /* those that have names there, in the order of the results */
    const char *const *cpus;
    size_t cpu_count;
    size_t counters; /* 1 to CM_WRITING_COUNTERS */
    /* Takes a definition that is not written, and why; cm_writing_refuse calls it. */
    void (*refuse)(void *data, const cm_writing_item *item, const char *why);
    void *refuse_data;
    /* What is known of so many events, as the results have them. */
    cm_writing_set (*ask)(const void *data, const char *const *events, size_t count);
    const void *ask_data;

    /* Counted by the writer: */
    size_t written; /* definitions */
    size_t files;   /* of a directory */
} cm_writing;

/* ---- writer.c ---- */

void cm_writing_refuse(cm_writing *writing, const cm_writing_item *item, const char *format, ...) CM_PRINTF(3, 4);

/* The metric of the file, as `compare` has it, that `name`, an event of a formula, would be taken for; NULL: none. */
const char *cm_writing_find_metric(const cm_writing *writing, const char *name,
                                   int (*compare)(const char *, const char *));

/* Text to be read by people, of one line: control characters are blanks, and where `list` is set commas, which nothing
 * protects in a table of PAPI, are semicolons. At most `limit` bytes, whole characters. */
void cm_writing_put(const char *text, size_t limit, bool list, FILE *stream);

/* ---- names.c: those that several formats have ---- */

const char *cm_name_plain_metric(const cm_writing_item *item, char *name, size_t size);
/* "DP Ops." becomes DP_OPS. */
const char *cm_name_identifier(const cm_writing_item *item, char *name, size_t size);

/* Letters and digits, in capitals, all else as one '_' between them: "DP Ops." becomes DP_OPS. */
void cm_name_word(const char *text, char *word, size_t size);
/* A letter, a digit or '_'. */
bool cm_name_is_word(char c);

/* As it is; or why not: it is empty, too long, or holds control characters. */
const char *cm_name_copy(const char *text, char *name, size_t size);
/* The event of a core without its PMU and without qualifiers that have a value, parts separated by `separator`; whether
 * these values are the default ones shows when the name is looked up. */
const char *cm_name_respell(const char *event, char separator, char *name, size_t size);

/* ---- sum.c: coefficients ---- */

/* The least common denominator of the coefficients, with which each is an integer up to `most`; 0: there is none, and
 * *event is one whose coefficient stands against it. */
int64_t cm_writing_denominator(const cm_writing_item *item, int64_t most, const char **event);
/* A coefficient times that denominator. */
int64_t cm_writing_numerator(double coefficient, int64_t denominator);

/* The definition as a sum over names, one a term: "A + 2 * B", "(3 * A - 4 * B) / 6", or without blanks. Whether a
 * reader divides each term or the whole, it gets the same coefficients, as doubles. */
void cm_writing_sum(const cm_writing_item *item, char *const *names, bool blanks, FILE *stream);

#endif
