/* Values of formulas held against what they claim, on kernels and in programs. */
#include "audit/values.h"

#include "analysis/numerics.h"

static const double scales[] = {1e6, 3.7e6}; /* iterations: guards against zero do nothing, products show */
static const double surely = 1.5;            /* times the allowance: a larger deviation is no question of tolerance */
static const double half_a_count = 0.5;
enum { LEAST_NOISE_ROWS = 8 }; /* on which noise is off in both directions */

typedef struct value_judge {
    cm_evaluator evaluator;
    bool ratio;
    cm_value_judgement *judgement;
} value_judge;

/* The value in the unit of the claim; of a sum per iteration. */
static double in_unit(const value_judge *in, double value, double scale)
{
    return value / in->judgement->factor / (in->ratio ? 1.0 : scale);
}

/* The largest change of the value by uncertain counts. */
static double uncertainty(const value_judge *in, const cm_sample *sample, double scale, double value)
{
    double sum = 0.0;
    for (size_t i = 0; i < in->evaluator.samples->event_count; i++) {
        if (sample->uncertain[i] <= 1e-12 * fabs(sample->counts[i]))
            continue;
        double moved = cm_evaluate_sample(&in->evaluator, sample, scale, i, 1.0);
        sum += isnan(moved) ? 0.0 : fabs(in_unit(in, moved - value, scale));
    }
    return sum;
}

/* The value's deviation in allowances; a ratio's is multiplied by its denominator. `noise`: uncertainty is allowed. */
static double times_off(const value_judge *in, const cm_sample *sample, double scale, double value, bool noise)
{
    if (isnan(value))
        return sample->above > sample->above_allowed ? INFINITY : 0.0;
    double below = in->ratio ? sample->below : 1.0;
    double allowed = sample->above_allowed + (noise ? uncertainty(in, sample, scale, value) * below : 0.0);
    if (in->ratio)
        allowed += fabs(sample->above) / below * sample->below_allowed;
    double off = fabs(in_unit(in, value, scale) * below - sample->above);
    return off <= 1e-12 * fabs(sample->above) ? 0.0 : off / allowed;
}

/* A ratio has a value if its denominator surely is above 0. */
static bool is_defined(const value_judge *in, const cm_sample *sample)
{
    return !in->ratio || sample->below > 2.0 * sample->below_allowed;
}

/* Keeps the sample as the worst if it deviates most; rows go before mixtures. */
static void try_sample(value_judge *in, const cm_sample *sample, double scale, size_t setting)
{
    cm_value_deviation *worst = &in->judgement->worst;
    double value = cm_evaluate_sample(&in->evaluator, sample, scale, CM_NO_NAME, 0.0);
    double times = times_off(in, sample, scale, value, true);
    bool row_before_mixture = worst->sample != NULL && worst->sample->group != NULL && sample->group == NULL;
    if (worst->sample != NULL && (times <= worst->times || (row_before_mixture && worst->times > surely)))
        return;
    *worst = (cm_value_deviation){.sample = sample,
                                  .value = in_unit(in, value, scale),
                                  .expected = sample->above / (in->ratio ? sample->below : 1.0),
                                  .times = times,
                                  .setting = setting};
}

/* Returns the median ratio of deviation to allowed deviation over the usable rows; 0 if these are too few. Noise is as
 * often above as below: the median shows a deviation that all rows share, even if each alone is too noisy. */
static double median_ratio(const value_judge *in, double *scratch)
{
    const cm_samples *samples = in->evaluator.samples;
    size_t count = 0;
    for (size_t i = 0; i < samples->row_count; i++) {
        const cm_sample *sample = &samples->items[i];
        if (sample->telling)
            scratch[count++] = times_off(in, sample, scales[0],
                                         cm_evaluate_sample(&in->evaluator, sample, scales[0], CM_NO_NAME, 0.0), false);
    }
    if (count < LEAST_NOISE_ROWS)
        return 0.0;
    qsort(scratch, count, sizeof *scratch, cm_compare_numbers);
    return scratch[count / 2];
}

/* The power of 1000 that most rows suggest; 0 if there is none. */
static int find_power(const value_judge *in, double *suggested)
{
    const cm_samples *samples = in->evaluator.samples;
    size_t count = 0;
    for (size_t i = 0; i < samples->row_count; i++) {
        const cm_sample *sample = &samples->items[i];
        double value = cm_evaluate_sample(&in->evaluator, sample, scales[0], CM_NO_NAME, 0.0);
        double factor = in_unit(in, value, scales[0]) * (in->ratio ? sample->below : 1.0) / sample->above;
        if (sample->telling && factor > 0.0 && isfinite(factor))
            suggested[count++] = log10(factor);
    }
    if (count == 0)
        return 0;
    qsort(suggested, count, sizeof *suggested, cm_compare_numbers);
    return 3 * (int)round(suggested[count / 2] / 3.0);
}

/* A sum that has a value though nothing is counted. */
static bool adds_constant(const value_judge *in)
{
    if (in->ratio || in->evaluator.samples->count == 0)
        return false;
    double value = cm_evaluate_sample(&in->evaluator, &in->evaluator.samples->items[0], 0.0, CM_NO_NAME, 0.0);
    return fabs(value / in->judgement->factor) >= half_a_count;
}

/* The factor of the units of the variables that it is divided by. */
static double rate_scale(const value_judge *in)
{
    double scale = 1.0;
    for (size_t i = 0; i < in->judgement->variables.rate_count; i++)
        scale *=
            cm_variable_scale(cm_formulas_quantity_name(in->evaluator.formulas, in->judgement->variables.rates[i]));
    return scale;
}

static void set_factor(value_judge *in, cm_claimed_factor claimed, double *suggested)
{
    bool unknown = isnan(claimed.value) || (!claimed.told && in->judgement->variables.rate_count > 0);
    if (unknown)
        in->judgement->power = find_power(in, suggested);
    in->judgement->factor = unknown ? pow(10.0, in->judgement->power) : claimed.value * rate_scale(in);
}

/* A sum grows as its counts do, a ratio does not: whether the formula is the other of the two. */
static bool is_other_kind(const value_judge *in)
{
    double degree = in->ratio ? 1.0 : 0.0;
    bool any = false;
    for (size_t i = 0; i < in->evaluator.samples->count; i++) {
        const cm_sample *sample = &in->evaluator.samples->items[i];
        double once = cm_evaluate_sample(&in->evaluator, sample, scales[0], CM_NO_NAME, 0.0);
        double twice = cm_evaluate_sample(&in->evaluator, sample, 2.0 * scales[0], CM_NO_NAME, 0.0);
        if (isnan(once) || isnan(twice) || once == 0.0)
            continue;
        any = true;
        if (fabs(twice / once - pow(2.0, degree)) > 1e-6)
            return false;
    }
    return any;
}

/* The substitute for an event that cannot be counted at all, "X / Y if has_event(Y) else 0", is no claim. The
 * switches are set. */
static bool is_stand_in(const value_judge *in, size_t setting)
{
    const cm_variables *variables = &in->judgement->variables;
    const cm_samples *samples = in->evaluator.samples;
    bool lacking = false;
    for (size_t i = 0; i < variables->switch_count; i++)
        lacking =
            lacking || (variables->settings[setting][i] == 0.0 &&
                        cm_is_event_test(cm_formulas_quantity_name(in->evaluator.formulas, variables->switches[i])));
    for (size_t i = 0; i < samples->count && lacking; i++) {
        double value = cm_evaluate_sample(&in->evaluator, &samples->items[i], scales[0], CM_NO_NAME, 0.0);
        lacking = isnan(value) || value == 0.0;
    }
    return lacking;
}

/* Tries the formula on all samples, under each setting of its variables. */
static void try_settings(value_judge *in, double *scratch)
{
    cm_value_judgement *judgement = in->judgement;
    const cm_samples *samples = in->evaluator.samples;
    double typical = 0.0;
    for (size_t setting = 0; setting < judgement->variables.setting_count; setting++) {
        cm_variables_set(&in->evaluator, &judgement->variables, setting);
        if (is_stand_in(in, setting))
            continue;
        judgement->constant = judgement->constant || adds_constant(in);
        typical = fmax(typical, median_ratio(in, scratch));
        for (size_t i = 0; i < samples->count; i++)
            for (size_t s = 0; s < CM_COUNT_OF(scales); s++)
                if (is_defined(in, &samples->items[i]))
                    try_sample(in, &samples->items[i], scales[s], setting);
    }
    bool off = judgement->constant || judgement->worst.times > 1.0;
    judgement->other_kind = off && is_other_kind(in);
    bool sure = judgement->constant || judgement->worst.times > surely || typical > 1.0;
    judgement->outcome = !off ? CM_VALUES_AGREE : !judgement->other_kind && sure ? CM_VALUES_DIFFER : CM_VALUES_UNCLEAR;
}

cm_status cm_judge_values(const cm_formulas *formulas, size_t formula, const cm_samples *samples, bool ratio,
                          cm_claimed_factor factor, cm_value_judgement *judgement, cm_error *error)
{
    double *values = calloc(cm_formulas_quantity_count(formulas) + samples->count + 1, sizeof *values);
    if (values == NULL)
        return cm_error_no_memory(error);
    bool no_memory = false;
    value_judge in = {{formulas, formula, samples, values, &no_memory}, ratio, judgement};
    *judgement = (cm_value_judgement){.outcome = CM_VALUES_UNTOLD, .factor = 1.0};
    cm_variables_find(&in.evaluator, &judgement->variables);
    if (samples->telling_count > 0 && judgement->variables.obscure == CM_NO_NAME) {
        set_factor(&in, factor, values + cm_formulas_quantity_count(formulas));
        try_settings(&in, values + cm_formulas_quantity_count(formulas));
    } else if (samples->telling_count > 0) {
        judgement->outcome = CM_VALUES_UNCLEAR;
    }
    free(values);
    return no_memory ? cm_error_no_memory(error) : CM_OK;
}

/* Finds the variables and, if the formula's names are clear, the factor. Returns whether they are. */
static bool begin_judgement(value_judge *in, cm_claimed_factor factor, double *scratch)
{
    cm_variables_find(&in->evaluator, &in->judgement->variables);
    bool clear = in->judgement->variables.obscure == CM_NO_NAME;
    if (clear)
        set_factor(in, factor, scratch);
    return clear;
}

cm_status cm_find_deviations(const cm_formulas *formulas, size_t formula, const cm_samples *samples, bool ratio,
                             cm_claimed_factor factor, cm_value_deviation *found, size_t *count, cm_error *error)
{
    size_t quantities = cm_formulas_quantity_count(formulas);
    double *values = calloc(quantities + samples->count + 1, sizeof *values);
    if (values == NULL)
        return cm_error_no_memory(error);
    bool no_memory = false;
    cm_value_judgement judgement = {.factor = 1.0};
    value_judge in = {{formulas, formula, samples, values, &no_memory}, ratio, &judgement};
    bool clear = begin_judgement(&in, factor, values + quantities);
    *count = 0;
    for (size_t i = 0; clear && i < samples->row_count; i++) {
        judgement.worst = (cm_value_deviation){0};
        if (is_defined(&in, &samples->items[i]))
            try_sample(&in, &samples->items[i], scales[0], 0);
        if (judgement.worst.times > 1.0)
            found[(*count)++] = judgement.worst;
    }
    free(values);
    return no_memory ? cm_error_no_memory(error) : CM_OK;
}

/* ---- programs ---- */

static bool is_large(const value_judge *in, const cm_sample *sample)
{
    return sample->telling && sample->above >= CM_VALIDATION_LEAST &&
           (!in->ratio || sample->below >= CM_VALIDATION_LEAST);
}

/* Relative, beyond the ranges of the facts. */
static double deviation_of(const value_judge *in, const cm_sample *sample)
{
    double value = cm_evaluate_sample(&in->evaluator, sample, scales[0], CM_NO_NAME, 0.0);
    double below = in->ratio ? sample->below : 1.0;
    double open = sample->above_allowed + (in->ratio ? sample->above / below * sample->below_allowed : 0.0);
    if (isnan(value))
        return INFINITY;
    return fmax(0.0, fabs(in_unit(in, value, scales[0]) * below - sample->above) - open) / sample->above;
}

/* The median with the switches as they are set. */
static double median_of(const value_judge *in, double *deviations, size_t *count)
{
    const cm_samples *samples = in->evaluator.samples;
    *count = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (is_large(in, &samples->items[i]))
            deviations[(*count)++] = deviation_of(in, &samples->items[i]);
    if (*count == 0)
        return NAN;
    qsort(deviations, *count, sizeof *deviations, cm_compare_numbers);
    return deviations[*count / 2];
}

cm_status cm_judge_programs(const cm_formulas *formulas, size_t formula, const cm_samples *samples, bool ratio,
                            cm_claimed_factor factor, size_t *count, double *median, cm_error *error)
{
    size_t quantities = cm_formulas_quantity_count(formulas);
    double *values = calloc(quantities + samples->count + 1, sizeof *values);
    if (values == NULL)
        return cm_error_no_memory(error);
    bool no_memory = false;
    cm_value_judgement judgement = {.factor = 1.0};
    value_judge in = {{formulas, formula, samples, values, &no_memory}, ratio, &judgement};
    bool clear = begin_judgement(&in, factor, values + quantities);
    *median = NAN;
    for (size_t setting = 0; clear && setting < judgement.variables.setting_count; setting++) {
        cm_variables_set(&in.evaluator, &judgement.variables, setting);
        if (!is_stand_in(&in, setting))
            *median = fmax(*median, median_of(&in, values + quantities, count));
    }
    free(values);
    return no_memory ? cm_error_no_memory(error) : CM_OK;
}
