/* The law over the counts of a sweep: one verdict on terms, whoever asks for it: a search, an audit, an explanation. */
#ifndef CM_LAW_COUNTED_H
#define CM_LAW_COUNTED_H

#include <stdint.h>

#include "core/base.h"
#include "law/law.h"
#include "analysis/solving/problem.h"

typedef struct cm_counted_law cm_counted_law;

/* The difference of two kernels that mispredict equally often, whatever the machine decides: it decides nothing of the
 * difference. NULL: memory ran out. */
const cm_kernel_facts *cm_law_difference(cm_arena *arena, const cm_kernel_facts *const *twins, const char *name);

/* A sweep's kernels and the counts of events on them. The arrays and all that they point to are the caller's, and must
 * outlive the law. */
typedef struct cm_counted_setup {
    const cm_fact_table *facts;
    const cm_problem *problem; /* events, and the iterations of every row */
    size_t kernel_count;
    const cm_law_kernel *kernels;
    const size_t *rows;    /* one a kernel */
    size_t known;          /* rows of the problem now: rows that come later stand here, before the others */
    const double *metrics; /* weights of facts, cm_fact_count() a metric */
    const bool *meant;     /* one a metric: its meaning is known */
    size_t metric_count;
    double interference; /* of hits, a neighbour moves so many one level down, at most */
} cm_counted_setup;

cm_status cm_counted_law_create(const cm_counted_setup *setup, cm_counted_law **law, cm_error *error);
void cm_counted_law_free(cm_counted_law *law);

/* The largest share of hits that a neighbour moves, by the event that counts the fewest moves, as each counts all;
 * cm_minor() at most. The interference of `setup` is not used. */
double cm_find_interference(const cm_counted_setup *setup, const cm_usable_event *const *events, size_t count);

/* Judges terms that should be the target's metric (a target without signature has nothing more); the law keeps the
 * verdict. NULL if the metric's meaning is not known, or no kernel does it. */
cm_status cm_counted_law_judge(cm_counted_law *law, const cm_target *target, const cm_term *terms, size_t count,
                               const cm_law_verdict **verdict, cm_error *error);
/* The problem's last word: the law, and rows that came later. A cm_judge_near. */
cm_status cm_counted_law_describe(void *law, const cm_target *target, const cm_term *terms, size_t count,
                                  cm_verdict *verdict, cm_error *error);

/* Whether the law has nothing against a definition, at least in a range. */
bool cm_law_allows(const cm_law_verdict *verdict);

/* ---- words.c ---- */

const cm_counted_setup *cm_counted_law_setup(const cm_counted_law *law);
const cm_law_alternative *cm_counted_law_alternative(const cm_counted_law *law, size_t alternative);
/* The name of an alternative of its verdicts, or NULL; the caller frees it. */
char *cm_law_words(const cm_counted_law *law, size_t alternative);
/* A metric's meaning, as a fact or a sum of facts; likewise. */
char *cm_law_meaning(const cm_counted_law *law, size_t metric);
/* A fact, or two that meet or go together, which no kernel tells; likewise. */
char *cm_law_untold(const cm_counted_law *law, size_t alternative);
/* Whether a kernel that the law looks at does the fact. */
bool cm_law_is_run(const cm_counted_law *law, size_t fact);
/* Finds the facts that no kernel has: of these, and of those that the verdict (NULL: none) leaves untold; the parts of
 * a derived fact as that one. `found` has space for all of both; returns how many there are. */
size_t cm_law_not_run(const cm_counted_law *law, const size_t *facts, size_t count, const cm_law_verdict *verdict,
                      size_t *found);
enum { CM_REFUSAL_TEXT = 512 };
/* Why the law refuses a definition, with figures; "" if it does not. */
void cm_law_refusal_text(const cm_counted_law *law, const cm_law_verdict *verdict, char *text, size_t size);
/* Why symbols and rows alone refuse terms, likewise; `place`: the name of the symbol or the kernel. */
void cm_refusal_words(const cm_verdict *found, const char *place, char *text, size_t size);

/* ---- numbers.c ---- */

/* For terms, in whichever order. */
uint64_t cm_number_of_terms(size_t metric, const cm_term *terms, size_t count);
/* For values after others, whose number is `sum`: bit by bit. */
uint64_t cm_number_of_values(uint64_t sum, const double *values, size_t count);
/* For all that the law asks of counts. */
uint64_t cm_number_of_counts(size_t metric, const cm_law_counts *counts, size_t kernels, double amplification);

#endif
