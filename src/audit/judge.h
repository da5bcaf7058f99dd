/* Judges one linear form over events against a signature: numbers in, numbers out. */
#ifndef CM_AUDIT_JUDGE_H
#define CM_AUDIT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/analysis.h>
#include <catmint/audit.h>

#include "result/law.h"

typedef struct cm_judge_term {
    double coefficient;
    cm_event_status status;
    double residual;              /* of the event's representation; NaN: unknown, taken as 0 */
    const double *representation; /* NULL: none, as zero events have */
} cm_judge_term;

/* The form and the signature to judge it by. */
typedef struct cm_judge_case {
    size_t symbol_count;
    const double *signature; /* not all zero */
    double alpha, residual;  /* the benchmark's */
    double factor;           /* the form is to yield so many times the metric; NaN: any power of 1000 */
    const double *accepted;  /* representation of a composable definition of the metric; NULL: there is none */
    size_t term_count;
    const cm_judge_term *terms;
    double constant;     /* the form's */
    bool uncontrolled;   /* there are no control kernels: one coefficient at most may be no simple number */
    cm_defined_law *law; /* that has the last word on the metric and the events of the terms; NULL: symbols have it */
    const cm_defined_metric *metric;
    const cm_defined_event *const *events;
} cm_judge_case;

typedef struct cm_judgement {
    cm_audit_verdict
        verdict;   /* right, wrong, event noisy or unrepresentable event; with the last two the rest is not there */
    double factor; /* as used */
    double *representation; /* of the form divided by the factor; one a symbol */
    double *tolerance;      /* by how much each of them may miss the signature */
    double misfit;          /* ||representation - signature|| / ||signature|| */
    double amplification;   /* sum |c_i| ||x_i|| / (factor ||signature||) */
    cm_held held;           /* the law's answer */
} cm_judgement;

/* By the law, if it judges. Else a form is right when it has no constant, its misfit is at most `residual`, and no
 * symbol is off by more than alpha times its element of the signature (of the smallest one if that is zero) and the
 * residuals of the events together; or off by as much, with such a misfit, from a composable definition. A zero
 * event adds nothing there. Without controls one coefficient at most may be no simple number. */
cm_status cm_judge(const cm_judge_case *asked, cm_judgement *judgement, cm_error *error);
void cm_judgement_clear(cm_judgement *judgement);

/* The coefficients, one a term, with which the same events measure the metric: solved, rounded, and judged right.
 * *found is false if there are none. */
cm_status cm_judge_repair(const cm_judge_case *asked, double *coefficients, bool *found, cm_error *error);

#endif
