/* Tries a formula by its values: the answer of the judge of values becomes the entry's verdict, and findings. */
#include "audit/values.h"

typedef struct trial {
    cm_audit *audit;
    const cm_formulas *formulas;
    size_t formula;
    const cm_claimed_quantity *claim;
    cm_samples samples;
    cm_value_judgement judgement;
    cm_audit_entry *entry;
    cm_finding_list measures, remarks;
} trial;

/* ---- findings ---- */

static void describe_setting(trial *in, cm_finding_list *list)
{
    const cm_value_judgement *judgement = &in->judgement;
    for (size_t i = 0; i < judgement->variables.switch_count; i++)
        cm_finding_list_add(
            list,
            &(cm_audit_finding){.kind = CM_FINDING_WHERE,
                                .subject = cm_formulas_quantity_name(in->formulas, judgement->variables.switches[i]),
                                .value = judgement->variables.settings[judgement->worst.setting][i]});
}

/* Adds the row on which the formula deviates most. */
static void describe_deviation(trial *in)
{
    const cm_value_deviation *worst = &in->judgement.worst;
    if (in->judgement.constant)
        cm_finding_list_add(&in->measures, &(cm_audit_finding){.kind = CM_FINDING_CONSTANT, .value = 1.0});
    if (worst->sample == NULL || worst->times <= 1.0)
        return;
    const cm_row_group *group = worst->sample->group;
    cm_audit_finding_kind kind = group == NULL         ? CM_FINDING_ON_MIXTURE
                                 : isnan(worst->value) ? CM_FINDING_NO_VALUE
                                                       : CM_FINDING_ON_ROW;
    cm_finding_list_add(&in->measures,
                        &(cm_audit_finding){.kind = kind,
                                            .subject = group != NULL ? group->rows[worst->sample->row] : NULL,
                                            .value = worst->value,
                                            .limit = worst->expected});
    describe_setting(in, &in->measures);
}

static const char *sample_name(const trial *in)
{
    const cm_sample *sample = in->judgement.worst.sample;
    return sample != NULL && sample->group != NULL ? sample->group->rows[sample->row] : "several kernels together";
}

static bool keep_events(trial *in, cm_audited_sum *sum, const size_t *quantities, size_t count)
{
    const char **names = cm_arena_allocate(&in->audit->arena, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count && names != NULL; i++)
        names[i] = cm_formulas_quantity_name(in->formulas, quantities[i]);
    sum->offending_events = names;
    sum->offending_event_count = names != NULL ? count : 0;
    return names != NULL;
}

/* ---- verdicts ---- */

/* Names of the variables that the formula is divided by: "time". */
static cm_status keep_rate(trial *in, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < in->judgement.variables.rate_count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "",
                cm_formulas_quantity_name(in->formulas, in->judgement.variables.rates[i]));
    bool enough = fclose(stream) == 0;
    if (enough)
        in->entry->rate = cm_arena_text(&in->audit->arena, text);
    free(text);
    return enough && in->entry->rate != NULL ? CM_OK : cm_error_no_memory(error);
}

static const char *benchmark_of(const trial *in)
{
    for (size_t i = 0; i < in->samples.row_count; i++)
        if (in->samples.items[i].telling)
            return in->samples.items[i].group->name;
    return "";
}

/* A sum that the shape said nothing certain about. */
static cm_audited_sum make_sum(const trial *in, const cm_claimed_metric *metric, cm_audit_verdict verdict)
{
    return cm_audited_sum_of(verdict, metric->name,
                             metric->metric != NULL ? metric->metric->benchmark : benchmark_of(in));
}

/* Whether the results list every event that was measured. */
static bool lists_all(const cm_audit *audit)
{
    for (size_t i = 0; i < audit->context_count; i++)
        if (audit->contexts[i].benchmark->event_count < audit->contexts[i].benchmark->measured_count)
            return false;
    return true;
}

/* Whether the PMU model lists all events that no row has. */
static bool is_unmodelled(const trial *in)
{
    const cm_samples *samples = &in->samples;
    for (size_t i = 0; i < samples->missing_count; i++)
        if (!cm_audit_is_unmodelled(in->audit, cm_formulas_quantity_name(in->formulas, samples->missing[i])))
            return false;
    return true;
}

/* Why no row tells. */
static cm_audit_verdict missing_verdict(trial *in, cm_audited_sum *sum, bool *enough)
{
    const cm_samples *samples = &in->samples;
    if (samples->missing_count > 0) {
        *enough = keep_events(in, sum, samples->missing, samples->missing_count);
        if (is_unmodelled(in))
            return CM_VERDICT_NOT_MODELLED;
        return lists_all(in->audit) ? CM_VERDICT_EVENT_MISSING : CM_VERDICT_EVENT_NOT_LISTED;
    }
    if (samples->unusable_count > 0) {
        *enough = keep_events(in, sum, samples->unusable, samples->unusable_count);
        return samples->noisy > 0 ? CM_VERDICT_EVENT_NOISY : CM_VERDICT_UNREPRESENTABLE_EVENT;
    }
    *enough = cm_audit_add_facts(in->audit, samples, &in->remarks, NULL) == CM_OK;
    return CM_VERDICT_NOT_TRIED;
}

/* Replaces the entry's verdict by that of values. */
static cm_status take_over(trial *in, cm_audit_verdict verdict, cm_error *error)
{
    cm_audit_entry *entry = in->entry;
    cm_audited_sum sum = make_sum(in, &in->claim->numerator, verdict);
    bool enough = true;
    sum.factor = in->judgement.outcome <= CM_VALUES_DIFFER ? in->judgement.factor : NAN;
    sum.definition_factor = in->judgement.factor;
    if (verdict == CM_VERDICT_NOT_TRIED)
        sum.verdict = missing_verdict(in, &sum, &enough);
    const cm_defined_metric *metric = in->claim->numerator.metric;
    if (verdict == CM_VERDICT_WRONG && metric != NULL && metric->usable) {
        sum.definition_count = metric->term_count;
        sum.definition = metric->terms;
    }
    sum.measure_count = in->measures.count;
    sum.measures = in->measures.items;
    sum.remark_count = in->remarks.count;
    sum.remarks = in->remarks.items;
    entry->verdict = sum.verdict;
    entry->numerator = sum;
    entry->denominator = NULL;
    if (in->claim->denominator.name == NULL)
        return enough ? keep_rate(in, error) : cm_error_no_memory(error);
    cm_audited_sum *below = cm_arena_allocate(&in->audit->arena, sizeof *below);
    if (below == NULL || !enough)
        return cm_error_no_memory(error);
    *below = make_sum(in, &in->claim->denominator, sum.verdict);
    entry->denominator = below;
    return CM_OK;
}

/* Values do not make a sum wrong of which an event counts something that the kernels do not control, unless it counts
 * the same each time. */
static bool is_obstacle(const trial *in)
{
    bool exact = in->samples.row_count > 0;
    for (size_t i = 0; i < in->samples.row_count && exact; i++)
        exact = in->samples.items[i].exact;
    return in->entry->verdict == CM_VERDICT_EVENT_NOISY ||
           (in->entry->verdict == CM_VERDICT_UNREPRESENTABLE_EVENT && !exact);
}

/* Makes the entry's verdict that by values, unless one by symbols stands. */
static cm_status conclude_trial(trial *in, cm_error *error)
{
    cm_audit_entry *entry = in->entry;
    bool decided = entry->verdict == CM_VERDICT_RIGHT || entry->verdict == CM_VERDICT_WRONG;
    bool shaped = entry->numerator.metric[0] != '\0';
    bool linear = entry->shape == CM_FORMULA_LINEAR || entry->rate[0] != '\0';
    switch (in->judgement.outcome) {
    case CM_VALUES_AGREE:
        if (entry->verdict == CM_VERDICT_RIGHT || (entry->verdict == CM_VERDICT_WRONG && linear))
            return CM_OK;
        entry->power = in->judgement.power;
        return take_over(in, CM_VERDICT_RIGHT, error);
    case CM_VALUES_DIFFER:
        if (entry->verdict == CM_VERDICT_WRONG || (shaped && linear && is_obstacle(in)))
            return CM_OK;
        describe_deviation(in);
        return take_over(in, CM_VERDICT_WRONG, error);
    case CM_VALUES_UNCLEAR:
        if (decided || shaped)
            return CM_OK;
        if (in->judgement.other_kind)
            cm_finding_list_add(&in->remarks,
                                &(cm_audit_finding){.kind = in->claim->denominator.name != NULL ? CM_FINDING_NO_RATIO
                                                                                                : CM_FINDING_NO_SUM});
        else if (in->judgement.variables.obscure != CM_NO_NAME)
            cm_finding_list_add(&in->remarks, &(cm_audit_finding){.kind = CM_FINDING_VARIABLE,
                                                                  .subject = cm_formulas_quantity_name(
                                                                      in->formulas, in->judgement.variables.obscure)});
        else
            cm_finding_list_add(&in->remarks, &(cm_audit_finding){.kind = CM_FINDING_NEAR, .subject = sample_name(in)});
        return take_over(in, CM_VERDICT_NOT_LINEAR, error);
    case CM_VALUES_UNTOLD: break;
    }
    return decided || (shaped && entry->shape != CM_FORMULA_OTHER) ? CM_OK : take_over(in, CM_VERDICT_NOT_TRIED, error);
}

cm_status cm_audit_try_values(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                              const cm_claimed_quantity *claim, cm_claimed_factor factor, cm_audit_entry *entry,
                              cm_error *error)
{
    trial in = {.audit = audit, .formulas = formulas, .formula = formula, .claim = claim, .entry = entry};
    in.measures.arena = in.remarks.arena = &audit->arena;
    cm_status status = cm_samples_gather(audit, formulas, formula, claim, audit->kernels, audit->context_count, true,
                                         &in.samples, error);
    CM_THEN(status, cm_judge_values(formulas, formula, &in.samples, claim->denominator.name != NULL, factor,
                                    &in.judgement, error));
    CM_THEN(status, conclude_trial(&in, error));
    cm_samples_clear(&in.samples);
    if (status == CM_OK && (in.measures.short_of_memory || in.remarks.short_of_memory))
        status = cm_error_no_memory(error);
    return status;
}
