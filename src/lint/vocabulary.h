/* The meanings of words in names (data/quantity-words.csv), and of metrics so named (data/ratio-metrics.csv). */
#ifndef CM_LINT_VOCABULARY_H
#define CM_LINT_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Quantities that names say, as bits. */
typedef enum cm_word {
    CM_WORD_CYCLES = 1 << 0,
    CM_WORD_INSTRUCTIONS = 1 << 1,
    CM_WORD_TIME = 1 << 2,
    CM_WORD_MISSES = 1 << 3,
    CM_WORD_HITS = 1 << 4,
    CM_WORD_ACCESSES = 1 << 5,
    CM_WORD_MISPREDICTIONS = 1 << 6,
    CM_WORD_BRANCHES = 1 << 7,
    CM_WORD_ENERGY = 1 << 8,
    CM_WORD_LINES = 1 << 9,
    CM_WORD_BYTES = 1 << 10,
    CM_WORD_RATIO = 1 << 11,
    CM_WORD_PERCENT = 1 << 12,
    CM_WORD_IPC = 1 << 13,
    CM_WORD_CPI = 1 << 14,
    CM_WORD_MPKI = 1 << 15,
    CM_WORD_UOPS = 1 << 16,
    CM_WORD_PRESCALED = 1 << 17,
    CM_WORD_POWER = 1 << 18,
    CM_WORD_DERIVED = 1 << 19,
    CM_WORD_PER = 1 << 20,
    CM_WORD_OF_METRICS = CM_WORD_DERIVED | CM_WORD_PER, /* which events' names say by the way */
} cm_word;

/* A row of data/ratio-metrics.csv. */
typedef struct cm_ratio_metric {
    unsigned metric, unless, above, below, contrary;
    double factor;      /* 0: any */
    const char *turned; /* "" if it has no name */
} cm_ratio_metric;

typedef struct cm_vocabulary cm_vocabulary;

/* An empty one if the user's own data lack the tables. CM_BAD_INPUT if a table is malformed. */
cm_status cm_vocabulary_create(cm_vocabulary **vocabulary, cm_error *error);
void cm_vocabulary_free(cm_vocabulary *vocabulary);

/* The quantities that a name says, as bits. */
unsigned cm_vocabulary_of(const cm_vocabulary *vocabulary, const char *name);
/* The rows of metrics; NULL behind the last. */
const cm_ratio_metric *cm_vocabulary_metric(const cm_vocabulary *vocabulary, size_t index);

#endif
