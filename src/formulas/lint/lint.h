/* Faults of formulas, as the checks of this room add them. */
#ifndef CM_LINT_LINT_H
#define CM_LINT_LINT_H

#include "formulas/events/events.h"
#include "formulas/formulas.h"

enum { CM_LINT_NAME_SIZE = 512 };

/* ---- vocabulary ---- */

/* The meanings of words in names (data/quantity-words.csv), and of metrics so named (data/ratio-metrics.csv). */

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

/* ---- Units of metrics: bytes and operations, with a prefix, as amounts or per second ---- */

typedef struct cm_unit {
    char text[32];                           /* "MBytes/s"; "": none is known */
    bool bytes, operations, energy, percent; /* none: it is no unit of these */
    bool rate;                               /* per second */
    double number;                           /* before the unit, as in perf's "100%": 1 if there is none */
    double scale;                            /* 1e6 of MBytes, times the number */
} cm_unit;

/* The unit that the format gives, else the last word of the metric's name. */
cm_unit cm_unit_of(const cm_formula_info *info, const cm_vocabulary *vocabulary);
/* How many bytes or operations an event of the numerator counts for, if the metric is in its unit; NaN if the
 * denominator is neither a constant nor one quantity. */
double cm_unit_per_event(const cm_unit *unit, const cm_formula *formula, size_t event);

/* ---- faults.c ---- */

typedef struct cm_lint_fault {
    cm_formula_fault fault;
    const char *bare; /* the text without the names of the section's processors */
} cm_lint_fault;

struct cm_lint {
    cm_arena texts;
    size_t count;
    cm_lint_fault *faults;
};

/* Appends a fault whose texts live as long as the list; `bare` as in cm_lint_fault. CM_OK or CM_NO_MEMORY. */
cm_status cm_lint_append(cm_lint *lint, const cm_formula_fault *fault, const char *bare);
/* Adds a fault of a formula, or of none with `info` NULL. CM_OK or CM_NO_MEMORY. */
cm_status cm_lint_add(cm_lint *lint, cm_formula_fault_kind kind, size_t line, size_t column,
                      const cm_formula_info *info, const char *format, ...) CM_PRINTF(6, 7);

/* ---- event_spelling.c ---- */

/* The kernel's or a tool's own event, or one of a device without lists, is not looked up. */
bool cm_lint_event_name(const cm_formulas *formulas, const char *spelling, char *name, size_t size);
/* Adds faults of names that another program than the formula's reads. */
cm_status cm_lint_check_spelling(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula);

/* ---- event_lists.c: the events of the processors that a file is for ---- */

typedef struct cm_event_lists cm_event_lists;

/* Finds the lists by the file's place in its project's tree, or those that the options name. */
cm_status cm_event_lists_create(const cm_formulas *formulas, const cm_lint_options *options, cm_event_lists **lists,
                                cm_error *error);
void cm_event_lists_free(cm_event_lists *lists);
/* Whether the list depends on the name of the processor, as in tables for many; else the lists count together. */
bool cm_event_lists_by_cpu(const cm_event_lists *lists);
/* The lists that count together; NULL behind the last. */
const cm_known_events *cm_event_lists_at(const cm_event_lists *lists, size_t index);
/* The list for one of the processors in a formula's section; *list is NULL if none is known. */
cm_status cm_event_lists_get(cm_event_lists *lists, const char *cpu, const cm_known_events **list, cm_error *error);
/* LIKWID's tables of the processor's counters, the text of a header, and of its events; NULL: there is none. */
const char *cm_event_lists_counters(const cm_event_lists *lists);
const char *cm_event_lists_events(const cm_event_lists *lists);
/* Offers the names of processors that have a list. */
cm_status cm_event_lists_offer(const cm_event_lists *lists, cm_near *near, cm_error *error);
/* Whether the lists are those of the tree's libpfm4. */
bool cm_event_lists_of_tree(const cm_event_lists *lists);
/* Whether the PMU counts for a core, unlike others that a section may name beside it. */
bool cm_event_lists_is_core(const cm_event_lists *lists, const char *cpu);

/* ---- events.c ---- */

/* Adds a fault for each event of a formula that a processor lacks. */
cm_status cm_lint_check_events(cm_lint *lint, const cm_formulas *formulas, cm_event_lists *lists, cm_error *error);

/* ---- better.c ---- */

/* Adds faults of an event of a preset beside which the processor has one that the preset asks for. */
cm_status cm_lint_check_better(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula, const char *event,
                               const char *cpu, const cm_known_events *list);

/* ---- counters.c ---- */

/* Adds faults of LIKWID's counters that the processor lacks, or that cannot count their event, and of sums that leave
 * some of its units out. `events` may be NULL. */
cm_status cm_lint_check_counters(cm_lint *lint, const cm_formulas *formulas, const char *counters, const char *events);

/* ---- notes.c ---- */

/* Adds faults of events that, by their vendors' words, do not count the thing that the metric's name says. */
cm_status cm_lint_check_notes(cm_lint *lint, const cm_formulas *formulas, const cm_lint_options *options,
                              cm_error *error);

/* ---- dimensions.c ---- */

/* Terms on one side of a fraction bar: the words of all their events together, and those that each event has. */
typedef struct cm_term_words {
    bool there;
    unsigned any, all; /* all: every bit for numbers alone */
} cm_term_words;

typedef struct cm_dimension {
    cm_term_words plus, minus, below; /* above the bar by sign, and below it */
    int hundreds;                     /* how often 100 is a factor; below the bar, -1 each */
    bool scaled;                      /* by another number than a small integer: 3.125 may be 100 / 32 */
    bool divides;                     /* by an event */
} cm_dimension;

/* The dimension of each formula; free *dimensions with free(). CM_OK or CM_NO_MEMORY. */
cm_status cm_dimensions_create(const cm_formulas *formulas, const cm_vocabulary *vocabulary, cm_dimension **dimensions);

/* ---- words.c ---- */

typedef struct cm_quantity_check {
    cm_lint *lint;
    const cm_formulas *formulas;
    const cm_formula *formula;
    const cm_vocabulary *vocabulary;
    const cm_dimension *dimension;
    cm_unit unit;
} cm_quantity_check;

/* Whether the metric's name begins with the word, or is it. */
bool cm_lint_is_called(const char *metric, const char *word);
/* Adds faults of a formula whose name says another precision, width or direction than its events' names. */
cm_status cm_lint_check_words(const cm_quantity_check *check);

/* ---- clocks.c ---- */

/* Adds faults of seconds and slots that are made of ticks of the wrong clock, or of none that is known. */
cm_status cm_lint_check_clocks(const cm_quantity_check *check);

/* ---- presets.c ---- */

/* Adds faults of a preset whose events' names say that they count less, or something else, than it asks for. */
cm_status cm_lint_check_presets(const cm_quantity_check *check);

/* ---- ratios.c ---- */

/* Adds faults of ratios upside down, of hits taken for misses, and of factors that disagree with the name or unit. */
cm_status cm_lint_check_ratios(const cm_quantity_check *check);

/* ---- quantities.c ---- */

/* Whether the metric is a bandwidth or a volume, by its name. */
bool cm_lint_is_traffic(const char *metric);
/* Adds a fault for each formula whose name or unit disagrees with its computation. */
cm_status cm_lint_check_quantities(cm_lint *lint, const cm_formulas *formulas, cm_error *error);

#endif
