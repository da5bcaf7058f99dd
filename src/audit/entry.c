/* One formula on trial: which metric it claims to be, and the verdict over its sides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/vector.h"
#include "audit/audit.h"
#include "audit/unit.h"
#include "core/error.h"
#include "core/memory_stream.h"

/* What the formula is said to measure: a metric, or a ratio of two. */
typedef struct claimed {
    const cm_defined_metric *numerator, *denominator; /* NULL: none */
    const char *unknown;                              /* named, but not in the results; NULL: no such */
    const char *ambiguity;                            /* the name fits several, which are listed; NULL: it fits one */
} claimed;

/* The metric of this name in the results; the text is `length` bytes long. *ambiguity: what is to be said where it fits
 * several. */
static cm_status find_metric(cm_audit *audit, const char *name, size_t length, const cm_defined_metric **metric,
                             const char **ambiguity, cm_error *error)
{
    cm_error several;
    char *copy = strndup(name, length);
    if (copy == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_definitions_resolve(audit->definitions, copy, metric, &several);
    free(copy);
    if (status == CM_OK)
        return CM_OK;
    if (status == CM_BAD_INPUT)
        *ambiguity = cm_arena_text(&audit->arena, several.text);
    return status == CM_BAD_INPUT && *ambiguity != NULL ? CM_OK : cm_error_no_memory(error);
}

/* By the maps, else by the preset, else by the metric's own name. */
static cm_status find_claim(cm_audit *audit, const cm_formulas *formulas, const cm_formula_info *info, claimed *claim,
                            cm_error *error)
{
    static const char over[] = " / ";
    const char *name = cm_pairs_match(audit->map, info->metric);
    if (name == NULL && strcmp(cm_formulas_format(formulas), "likwid") == 0)
        name = cm_pairs_match(audit->likwid, info->metric);
    bool mapped = name != NULL;
    if (!mapped)
        name = info->preset[0] != '\0' ? info->preset : info->metric;
    const char *slash = mapped ? strstr(name, over) : NULL;
    size_t above = slash != NULL ? (size_t)(slash - name) : strlen(name);
    cm_status status = find_metric(audit, name, above, &claim->numerator, &claim->ambiguity, error);
    if (status == CM_OK && slash != NULL)
        status = find_metric(audit, slash + strlen(over), strlen(slash + strlen(over)), &claim->denominator,
                             &claim->ambiguity, error);
    if (status == CM_OK && !mapped && claim->numerator == NULL)
        status = find_metric(audit, info->metric, strlen(info->metric), &claim->numerator, &claim->ambiguity, error);
    bool whole = claim->numerator != NULL && (slash == NULL || claim->denominator != NULL);
    claim->unknown = mapped && !whole ? name : NULL;
    if (!whole)
        claim->numerator = claim->denominator = NULL;
    return status;
}

static cm_audit_side no_side(cm_verdict verdict)
{
    return (cm_audit_side){
        .verdict = verdict, .metric = "", .benchmark = "", .factor = NAN, .misfit = NAN, .amplification = NAN};
}

/* The only remark, about a name or NULL. */
static cm_status keep_remark(cm_audit *audit, cm_finding_kind kind, const char *name, cm_audit_side *side,
                             cm_error *error)
{
    cm_finding_list list = {.arena = &audit->arena};
    cm_finding_list_add(&list, &(cm_finding){.kind = kind, .subject = name});
    side->remark_count = list.count;
    side->remarks = list.items;
    return list.short_of_memory ? cm_error_no_memory(error) : CM_OK;
}

/* The names of a form that has no event: "time", "time, #num_cpus". NULL where it has one, or nothing at all. */
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
static double own_factor(const cm_audit_side *side)
{
    if (side->representation == NULL)
        return 1.0;
    double factor = cm_vector_factor(side->representation, side->signature, side->symbol_count);
    double size = cm_vector_norm(side->signature, side->symbol_count);
    for (size_t j = 0; j < side->symbol_count && factor < 0.0; j++)
        if (fabs(side->representation[j] - factor * side->signature[j]) > one_multiple * size * -factor)
            factor = 1.0;
    return factor != 0.0 && isfinite(factor) ? factor : 1.0;
}

static cm_verdict of_both(const cm_audit_side *numerator, const cm_audit_side *denominator)
{
    if (numerator->verdict == CM_VERDICT_WRONG || denominator->verdict == CM_VERDICT_WRONG)
        return CM_VERDICT_WRONG;
    if (numerator->verdict != CM_VERDICT_RIGHT)
        return numerator->verdict;
    return denominator->metric[0] != '\0' ? denominator->verdict : CM_VERDICT_NOT_LINEAR;
}

/* A ratio of sums of events, each judged by itself. */
static cm_status try_ratio(cm_audit *audit, const cm_claim *claim, const cm_linear_form *form,
                           const cm_defined_metric *metric, cm_audit_entry *entry, cm_error *error)
{
    cm_claim above = *claim, below = {claim->formulas, form, metric != NULL ? metric : claim->metric, 1.0};
    cm_audit_side *side = cm_arena_allocate(&audit->arena, sizeof *side);
    if (side == NULL)
        return cm_error_no_memory(error);
    *side = no_side(CM_VERDICT_NO_SIGNATURE);
    cm_status status =
        metric != NULL ? cm_audit_judge(audit, &below, side, error) : cm_audit_recognise(audit, &below, side, error);
    if (status == CM_OK && metric != NULL) {
        below.factor = own_factor(side);
        above.factor *= below.factor;
        if (below.factor != 1.0)
            status = cm_audit_judge(audit, &below, side, error);
    }
    if (status == CM_OK)
        status = cm_audit_judge(audit, &above, &entry->numerator, error);
    entry->denominator = side;
    entry->verdict = of_both(&entry->numerator, side);
    return status;
}

/* Judges by the formula's shape. */
static cm_status try_claim(cm_audit *audit, const cm_formulas *formulas, size_t formula, const claimed *claim,
                           cm_audit_entry *entry, cm_error *error)
{
    const cm_formula_info *info = cm_formulas_info(formulas, formula);
    cm_linear_form numerator, denominator;
    const char *rate = NULL;
    cm_status status = CM_OK;
    entry->shape = cm_formulas_shape(formulas, formula, &numerator, &denominator);
    if (entry->shape == CM_FORMULA_RATIO)
        status = variables_of(audit, formulas, &denominator, &rate, error);
    if (status != CM_OK)
        return status;
    double factor = cm_unit_factor(info->unit, info->metric);
    cm_claim judged = {formulas, &numerator, claim->numerator, isnan(factor) && rate == NULL ? 1.0 : factor};
    bool ratio = entry->shape == CM_FORMULA_RATIO && rate == NULL;
    if (entry->shape == CM_FORMULA_OTHER || (claim->denominator != NULL && !ratio)) {
        entry->verdict = entry->numerator.verdict = CM_VERDICT_NOT_LINEAR;
        entry->numerator.metric = claim->numerator->metric;
        entry->numerator.benchmark = claim->numerator->benchmark;
        return keep_remark(audit, claim->denominator != NULL ? CM_FINDING_NO_RATIO : CM_FINDING_NO_SUM, NULL,
                           &entry->numerator, error);
    }
    if (ratio)
        return try_ratio(audit, &judged, &denominator, claim->denominator, entry, error);
    if (rate != NULL) { /* X / (2 time) is X/2 over time */
        entry->rate = rate;
        if (denominator.count == 1 && denominator.constant == 0.0)
            judged.factor *= denominator.coefficients[0];
    }
    status = cm_audit_judge(audit, &judged, &entry->numerator, error);
    entry->verdict = entry->numerator.verdict;
    return status;
}

cm_status cm_audit_try(cm_audit *audit, const cm_formulas *formulas, size_t formula, cm_audit_entry *entry,
                       cm_error *error)
{
    claimed claim = {0};
    entry->rate = "";
    entry->numerator = no_side(CM_VERDICT_NO_SIGNATURE);
    entry->verdict = CM_VERDICT_NO_SIGNATURE;
    entry->shape = cm_formulas_shape(formulas, formula, &(cm_linear_form){0}, &(cm_linear_form){0});
    cm_status status = find_claim(audit, formulas, cm_formulas_info(formulas, formula), &claim, error);
    if (status != CM_OK)
        return status;
    if (claim.numerator == NULL && claim.ambiguity != NULL)
        return keep_remark(audit, CM_FINDING_AMBIGUOUS_METRIC, claim.ambiguity, &entry->numerator, error);
    if (claim.unknown != NULL)
        return keep_remark(audit, CM_FINDING_UNKNOWN_METRIC, claim.unknown, &entry->numerator, error);
    if (claim.numerator == NULL)
        return CM_OK;
    const cm_defined_metric *missing = !claim.numerator->measurable ? claim.numerator : claim.denominator;
    if (missing != NULL && !missing->measurable)
        return keep_remark(audit, CM_FINDING_METRIC_NOT_RUN, missing->metric, &entry->numerator, error);
    return try_claim(audit, formulas, formula, &claim, entry, error);
}
