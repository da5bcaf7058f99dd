/* One formula on trial: which metric it claims to be, and the verdict over its sums. */
#include "analysis/numerics.h"
#include "audit/audit.h"

static cm_audited_sum undecided_sum(cm_audit_verdict verdict)
{
    return cm_audited_sum_of(verdict, "", "");
}

/* The only remark, about a name or NULL. */
static cm_status keep_remark(cm_audit *audit, cm_audit_finding_kind kind, const char *name, cm_audited_sum *sum,
                             cm_error *error)
{
    cm_finding_list list = {.arena = &audit->arena};
    cm_finding_list_add(&list, &(cm_audit_finding){.kind = kind, .subject = name});
    sum->remark_count = list.count;
    sum->remarks = list.items;
    return list.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

/* The names of a form that has no event: "time", "time, #num_cpus". NULL if it has one, or nothing at all. */
static cm_status variables_of(cm_audit *audit, const cm_formulas *formulas, const cm_linear_form *form,
                              const char **names, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *names = NULL;
    for (size_t i = 0; i < form->count; i++)
        if (cm_formulas_quantity_kind(formulas, form->quantities[i]) != CM_QUANTITY_VARIABLE)
            return CM_OK;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < form->count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", cm_formulas_quantity_name(formulas, form->quantities[i]));
    bool enough = fclose(stream) == 0;
    if (enough)
        *names = cm_arena_text(&audit->arena, text);
    free(text);
    return enough && *names != NULL ? CM_OK : cm_error_no_memory(error);
}

static const double one_multiple = 1e-3; /* of the norm: elements that differ by less are one multiple */

/* How many times its metric the denominator is: whatever that is, the numerator must be as many times its own. Less
 * than none only if it is so throughout, as in -A / -B. */
static double own_factor(const cm_audited_sum *sum)
{
    if (sum->representation == NULL)
        return 1.0;
    double factor = cm_vector_factor(sum->representation, sum->signature, sum->symbol_count);
    double size = cm_vector_norm(sum->signature, sum->symbol_count);
    for (size_t j = 0; j < sum->symbol_count && factor < 0.0; j++)
        if (fabs(sum->representation[j] - factor * sum->signature[j]) > one_multiple * size * -factor)
            factor = 1.0;
    return factor != 0.0 && isfinite(factor) ? factor : 1.0;
}

static bool is_decided(cm_audit_verdict verdict)
{
    return verdict == CM_VERDICT_RIGHT || verdict == CM_VERDICT_WRONG;
}

/* A sum that is not decided never makes the other's fault that of the whole: it may cancel it. */
static cm_audit_verdict of_both(const cm_audited_sum *numerator, const cm_audited_sum *denominator)
{
    if (!is_decided(numerator->verdict))
        return numerator->verdict;
    if (!is_decided(denominator->verdict))
        return denominator->metric[0] != '\0' ? denominator->verdict : CM_VERDICT_NOT_LINEAR;
    return numerator->verdict == CM_VERDICT_WRONG ? CM_VERDICT_WRONG : denominator->verdict;
}

/* Judges the denominator as its metric, and as a multiple of it; *factor is the multiple. A denominator that is wrong
 * all the same is wrong as it stands: a factor fitted to it would be the numerator's fault. */
static cm_status try_denominator(cm_audit *audit, const cm_trial_form *trial, double *factor, cm_audited_sum *sum,
                                 cm_error *error)
{
    cm_trial_form multiple = *trial;
    cm_audited_sum judged = *sum;
    cm_status status = cm_audit_judge(audit, trial, sum, error);
    *factor = multiple.factor = status == CM_OK ? own_factor(sum) : 1.0;
    if (status != CM_OK || *factor == 1.0)
        return status;
    status = cm_audit_judge(audit, &multiple, &judged, error);
    if (judged.verdict == CM_VERDICT_RIGHT)
        *sum = judged;
    else
        *factor = 1.0;
    return status;
}

/* A ratio of sums of events, each judged by itself. */
static cm_status try_ratio(cm_audit *audit, const cm_trial_form *trial, const cm_linear_form *form,
                           const cm_defined_metric *metric, cm_audit_entry *entry, cm_error *error)
{
    cm_trial_form above = *trial, below = {trial->formulas, form, metric != NULL ? metric : trial->metric, 1.0};
    cm_audited_sum *sum = cm_arena_allocate(&audit->arena, sizeof *sum);
    if (sum == NULL)
        return cm_error_no_memory(error);
    *sum = undecided_sum(CM_VERDICT_NO_SIGNATURE);
    double factor = 1.0;
    cm_status status = metric != NULL ? try_denominator(audit, &below, &factor, sum, error)
                                      : cm_audit_recognise(audit, &below, sum, error);
    above.factor *= factor;
    CM_THEN(status, cm_audit_judge(audit, &above, &entry->numerator, error));
    entry->denominator = sum;
    entry->verdict = of_both(&entry->numerator, sum);
    return status;
}

/* The factor between formula and claim: by the map, else by the unit; NaN without either: any power of 1000. */
static cm_claimed_factor factor_of(const cm_claimed_quantity *claim, const cm_formula_info *info, bool rate, bool ratio)
{
    double told = isnan(claim->factor) ? cm_unit_factor(info->unit, info->metric) : claim->factor;
    bool one = isnan(told) && !rate && !(ratio && claim->mapped);
    return (cm_claimed_factor){one ? 1.0 : told, !isnan(told)};
}

/* Judges by the formula's shape if both metrics are in the results: a sum of events, or a ratio of two. */
static cm_status try_shape(cm_audit *audit, const cm_formulas *formulas, const cm_claimed_quantity *claim,
                           double factor, const cm_linear_form forms[2], cm_audit_entry *entry, cm_error *error)
{
    cm_trial_form judged = {formulas, &forms[0], claim->numerator.metric, factor};
    const cm_linear_form *below = &forms[1];
    bool events_below = entry->shape == CM_FORMULA_RATIO && entry->rate[0] == '\0';
    if (entry->shape == CM_FORMULA_OTHER || (claim->denominator.name != NULL && !events_below)) {
        entry->verdict = entry->numerator.verdict = CM_VERDICT_NOT_LINEAR;
        entry->numerator.metric = claim->numerator.metric->metric;
        entry->numerator.benchmark = claim->numerator.metric->benchmark;
        return keep_remark(audit, claim->denominator.name != NULL ? CM_FINDING_NO_RATIO : CM_FINDING_NO_SUM, NULL,
                           &entry->numerator, error);
    }
    if (events_below) {
        judged.factor = isnan(factor) ? 1.0 : factor;
        return try_ratio(audit, &judged, below, claim->denominator.metric, entry, error);
    }
    if (entry->rate[0] != '\0' && below->count == 1 && below->constant == 0.0) /* X / (2 time) is X/2 over time */
        judged.factor *= below->coefficients[0] * cm_variable_scale(entry->rate);
    cm_status status = cm_audit_judge(audit, &judged, &entry->numerator, error);
    entry->verdict = entry->numerator.verdict;
    return status;
}

/* Whether the law has judged all of the formula: on every kernel, as values would. */
static bool is_judged_by_law(const cm_audit_entry *entry)
{
    return entry->numerator.by_law && (entry->denominator == NULL || entry->denominator->by_law);
}

/* Judges the formula as one of its claims, by symbols or by values. */
static cm_status try_claim(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                           const cm_claimed_quantity *claim, cm_audit_entry *entry, cm_error *error)
{
    const cm_formula_info *info = cm_formulas_info(formulas, formula);
    const cm_defined_metric *above = claim->numerator.metric, *below = claim->denominator.metric;
    cm_linear_form forms[2];
    const char *rate = NULL;
    cm_status status = CM_OK;
    entry->shape = cm_formulas_shape(formulas, formula, &forms[0], &forms[1]);
    if (entry->shape == CM_FORMULA_RATIO)
        status = variables_of(audit, formulas, &forms[1], &rate, error);
    entry->rate = rate != NULL ? rate : "";
    const cm_claimed_factor factor = factor_of(claim, info, rate != NULL, claim->denominator.name != NULL);
    bool shaped =
        above != NULL && above->measurable && (claim->denominator.name == NULL || (below != NULL && below->measurable));
    if (status == CM_OK && shaped) {
        status = try_shape(audit, formulas, claim, factor.value, forms, entry, error);
        /* The power of 10 of a sum over variables, if nothing tells it. */
        const bool unknown = isnan(factor.value) && entry->verdict == CM_VERDICT_RIGHT && entry->numerator.factor > 0.0;
        entry->power = unknown ? (int)round(log10(entry->numerator.factor)) : 0;
    }
    if (status == CM_OK && !is_judged_by_law(entry))
        status = cm_audit_try_values(audit, formulas, formula, claim, factor, entry, error);
    if (status == CM_OK && entry->verdict == CM_VERDICT_RIGHT && !is_judged_by_law(entry))
        status = cm_audit_hold(audit, formulas, formula, claim, entry, error);
    CM_THEN(status, cm_audit_try_programs(audit, formulas, formula, claim, factor, entry, error));
    if (status == CM_OK && (entry->verdict == CM_VERDICT_WRONG || entry->verdict == CM_VERDICT_UNREPRESENTABLE_EVENT))
        status = cm_audit_find_kernels(audit, formulas, formula, claim, factor, entry, error);
    return status;
}

static cm_status explain_no_claim(cm_audit *audit, const cm_claims *claims, cm_audit_entry *entry, cm_error *error)
{
    if (claims->ambiguity != NULL)
        return keep_remark(audit, CM_FINDING_AMBIGUOUS_METRIC, claims->ambiguity, &entry->numerator, error);
    if (claims->none != NULL)
        return keep_remark(audit, CM_FINDING_NO_MEANING, claims->none, &entry->numerator, error);
    if (claims->unknown != NULL)
        return keep_remark(audit, CM_FINDING_UNKNOWN_METRIC, claims->unknown, &entry->numerator, error);
    return CM_OK;
}

/* A metric of the results that was not run, or the part of it that was not, and of which nothing else is known. */
static const char *not_run(const cm_claimed_quantity *claim)
{
    const cm_claimed_metric *metrics[] = {&claim->numerator, &claim->denominator};
    for (size_t i = 0; i < 2; i++)
        if (metrics[i]->metric != NULL && !metrics[i]->metric->measurable)
            return metrics[i]->metric->lacks[0] != '\0' ? metrics[i]->metric->lacks : metrics[i]->metric->metric;
    return NULL;
}

static cm_status describe_not_run(cm_audit *audit, const char *missing, cm_audit_entry *entry, cm_error *error)
{
    entry->verdict = entry->numerator.verdict = CM_VERDICT_NOT_TRIED;
    return keep_remark(audit, CM_FINDING_METRIC_NOT_RUN, missing, &entry->numerator, error);
}

/* How much a verdict says: of several claims the one that is right counts, else the first of which anything is said. */
static int weight_of(cm_audit_verdict verdict)
{
    return verdict == CM_VERDICT_RIGHT ? 2 : verdict != CM_VERDICT_NO_SIGNATURE;
}

/* Finds the right sum in place of each of a wrong formula; of a ratio both, for values do not tell which is wrong. */
static cm_status find_right(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                            const cm_claimed_quantity *claim, cm_audit_entry *entry, cm_error *error)
{
    cm_status status = CM_OK;
    if (entry->numerator.definition_count == 0 && entry->numerator.verdict != CM_VERDICT_RIGHT)
        status = cm_audit_find_right(audit, formulas, formula, &claim->numerator, &entry->numerator, error);
    if (status != CM_OK || entry->denominator == NULL || claim->denominator.name == NULL ||
        entry->denominator->definition_count > 0 || entry->denominator->verdict == CM_VERDICT_RIGHT)
        return status;
    cm_audited_sum *below = cm_arena_allocate(&audit->arena, sizeof *below);
    if (below == NULL)
        return cm_error_no_memory(error);
    *below = *entry->denominator;
    entry->denominator = below;
    return cm_audit_find_right(audit, formulas, formula, &claim->denominator, below, error);
}

/* The usual meaning of the name, of a formula that is right in another sense of it. */
static cm_status describe_other_sense(cm_audit *audit, const cm_claims *claims, cm_audited_sum *sum, cm_error *error)
{
    cm_finding_list list = {.arena = &audit->arena};
    for (size_t i = 0; i < sum->remark_count; i++)
        cm_finding_list_add(&list, &sum->remarks[i]);
    cm_finding_list_add(
        &list, &(cm_audit_finding){.kind = CM_FINDING_OTHER_SENSE, .subject = claims->items[0].numerator.name});
    sum->remark_count = list.count;
    sum->remarks = list.items;
    return list.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

/* Tries a claim, beginning with `tried`; *entry and *chosen are kept if they say more. */
static cm_status try_sense(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                           const cm_claimed_quantity *claim, cm_audit_entry tried, const cm_claimed_quantity **chosen,
                           cm_audit_entry *entry, cm_error *error)
{
    const char *missing = not_run(claim);
    cm_status status = missing != NULL ? describe_not_run(audit, missing, &tried, error)
                                       : try_claim(audit, formulas, formula, claim, &tried, error);
    if (*chosen == NULL || weight_of(tried.verdict) > weight_of(entry->verdict)) {
        *entry = tried;
        *chosen = claim;
    }
    return status;
}

cm_status cm_audit_try(cm_audit *audit, const cm_formulas *formulas, size_t formula, cm_audit_entry *entry,
                       cm_error *error)
{
    cm_claims claims;
    const cm_claimed_quantity *chosen = NULL;
    entry->rate = "";
    entry->program_median = NAN;
    entry->numerator = undecided_sum(CM_VERDICT_NO_SIGNATURE);
    entry->verdict = CM_VERDICT_NO_SIGNATURE;
    entry->shape = cm_formulas_shape(formulas, formula, &(cm_linear_form){0}, &(cm_linear_form){0});
    cm_status status = cm_audit_find_claims(audit, formulas, cm_formulas_info(formulas, formula), &claims, error);
    if (status == CM_OK && claims.count == 0)
        return explain_no_claim(audit, &claims, entry, error);
    CM_THEN(status, cm_audit_decide_facts(audit, &claims, error));
    const cm_audit_entry empty = *entry;
    cm_audit_verdict usual = CM_VERDICT_NO_SIGNATURE;
    for (size_t i = 0; i < claims.usual && status == CM_OK; i++) {
        status = try_sense(audit, formulas, formula, &claims.items[i], empty, &chosen, entry, error);
        usual = i == 0 ? entry->verdict : usual;
    }
    if (status == CM_OK && entry->verdict == CM_VERDICT_WRONG)
        status = find_right(audit, formulas, formula, chosen, entry, error);
    /* Other senses are tried if it is wrong in the usual ones of its name, and nothing right is known. */
    bool hopeless =
        entry->verdict == CM_VERDICT_WRONG && entry->numerator.definition_count == 0 && entry->denominator == NULL;
    for (size_t i = claims.usual; i < claims.count && status == CM_OK && hopeless; i++)
        status = try_sense(audit, formulas, formula, &claims.items[i], empty, &chosen, entry, error);
    if (status == CM_OK && entry->verdict == CM_VERDICT_RIGHT)
        status = cm_audit_remark_untried(audit, formulas, formula, chosen, entry, error);
    if (status == CM_OK && entry->verdict == CM_VERDICT_RIGHT)
        status = cm_audit_remark_equal_events(audit, formulas, formula, &entry->numerator, error);
    if (status == CM_OK && entry->verdict == CM_VERDICT_RIGHT && (usual == CM_VERDICT_WRONG || hopeless))
        status = describe_other_sense(audit, &claims, &entry->numerator, error);
    if (status == CM_OK && is_decided(entry->verdict))
        status = cm_audit_remark_sums(audit, formulas, formula, &entry->numerator, error);
    return status;
}
