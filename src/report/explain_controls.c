/* The counts of one event on control kernels. */
#include "analysis/numerics.h"
#include "report/report.h"

/* Whether the row is a kernel that nothing is fitted to: no program, and no difference of two. */
static bool is_control(const cm_evidence *evidence, size_t row)
{
    return row >= evidence->problem.fitted && evidence->rows[row].kernel != NULL && evidence->rows[row].means == NULL &&
           row != evidence->problem.difference;
}

/* Lists the control kernels on which the event counts more than it may. */
static void find_counted(const cm_evidence *evidence, const cm_usable_event *looked, cm_filler *filler,
                         cm_explained_event *explained)
{
    cm_explained_kernel *counted = cm_filler_allocate(filler, evidence->problem.rows, sizeof *counted);
    for (size_t r = 0; r < evidence->problem.rows && counted != NULL; r++) {
        if (!is_control(evidence, r) || isnan(looked->mean[r]))
            continue;
        explained->control_count++;
        if (fabs(looked->mean[r]) > looked->slack / evidence->problem.iterations[r])
            counted[explained->counted_count++] =
                (cm_explained_kernel){evidence->problem.kernels[r], looked->mean[r], NAN};
    }
    explained->counted = explained->control_count > 0 ? counted : NULL;
}

/* Writes why the term is refused into `text`, of CM_REFUSAL_TEXT bytes. False if memory ran out. */
static bool describe_refusal(const cm_benchmark_result *result, const cm_target *target, const cm_term *term,
                             const cm_verdict *verdict, char *text)
{
    const cm_law_verdict *found = NULL;
    const char *kernel = result->evidence->problem.kernels[verdict->place];
    if (verdict->refusal != CM_REFUSED_LAW)
        cm_refusal_words(verdict, kernel, text, CM_REFUSAL_TEXT);
    else if (cm_counted_law_judge(result->evidence->law, target, term, 1, &found, NULL) == CM_OK)
        cm_law_refusal_text(result->evidence->law, found, text, CM_REFUSAL_TEXT);
    return verdict->refusal != CM_REFUSED_LAW || found != NULL;
}

/* Writes why the event is refused as the metric that has its symbols; none if it is not, or they differ. */
static cm_refuted refused_as(const cm_benchmark_result *result, const cm_usable_event *looked, size_t metric,
                             cm_filler *filler)
{
    const cm_problem *problem = &result->evidence->problem;
    const cm_target *target = &result->evidence->targets[metric];
    double factor = cm_vector_factor(target->signature, looked->x, problem->symbols);
    const cm_term term = {(size_t)(looked - problem->events), cm_round_coefficient(factor, result->thresholds.alpha)};
    const cm_verdict rows = cm_judge_terms(problem, target, &term, 1);
    cm_verdict verdict = {0};
    char why[CM_REFUSAL_TEXT];
    cm_refuted refuted = {.counted = NAN, .expected = NAN};
    bool measured = cm_vector_norm(target->signature, problem->symbols) > 0.0; /* one of the metric's symbols was */
    if (!measured || rows.refusal == CM_REFUSED_SYMBOL || rows.refusal == CM_REFUSED_OTHERS)
        return refuted;
    filler->short_of_memory |= cm_give_verdict(problem, target, &term, 1, &verdict, NULL) != CM_OK;
    if (verdict.refusal == CM_REFUSED_NOT)
        return refuted;
    filler->short_of_memory |= !describe_refusal(result, target, &term, &verdict, why);
    if (filler->short_of_memory)
        return refuted;
    refuted.metric = result->signatures->metrics[metric].metric;
    refuted.why = cm_filler_print(filler, "%s", why);
    if (rows.refusal == CM_REFUSED_CONTROL) {
        refuted.kernel = problem->kernels[rows.place];
        refuted.counted = rows.value;
        refuted.expected = rows.expected;
    }
    return refuted;
}

void cm_explain_controls(const cm_benchmark_result *result, size_t event, cm_filler *filler,
                         cm_explained_event *explained)
{
    const cm_evidence *evidence = result->evidence;
    const cm_usable_event *looked = evidence != NULL ? cm_evidence_event(evidence, event) : NULL;
    if (looked == NULL)
        return;
    find_counted(evidence, looked, filler, explained);
    cm_refuted *refuted = cm_filler_allocate(filler, result->signatures->metric_count, sizeof *refuted);
    for (size_t m = 0; m < result->signatures->metric_count && refuted != NULL; m++) {
        refuted[explained->refuted_count] = refused_as(result, looked, m, filler);
        explained->refuted_count += refuted[explained->refuted_count].metric != NULL;
    }
    explained->refuted = refuted;
}

void cm_refuted_text(const cm_refuted *refuted, bool whole, char *text, size_t size)
{
    if (refuted->kernel == NULL) {
        snprintf(text, size, "is not %.200s by itself: it %.512s", refuted->metric, refuted->why);
        return;
    }
    const int length = snprintf(text, size, "counts %s than %.200s: %.6g on the kernel %.100s, which has %.6g",
                                refuted->counted > refuted->expected ? "more" : "less", refuted->metric,
                                refuted->counted, refuted->kernel, refuted->expected);
    if (whole && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, " (%.512s)", refuted->why);
}
