/* Variables of formulas that are switches, and values and rates of formulas on samples. */
#include "audit/values.h"

static const double same = 1e-9;      /* relative: values that differ by less are one */
static const double some_scale = 1e6; /* iterations: guards against zero then do nothing */

double cm_evaluate_sample(const cm_evaluator *in, const cm_sample *sample, double scale, size_t event, double more)
{
    double value = NAN;
    cm_error none;
    for (size_t i = 0; i < in->samples->event_count; i++) {
        double count = sample->counts[i] + (i == event ? more * sample->uncertain[i] : 0.0);
        in->values[in->samples->quantities[i]] = scale * count;
    }
    cm_status status = cm_formulas_evaluate(in->formulas, in->formula, in->values, &value, &none);
    *in->no_memory = *in->no_memory || status == CM_NO_MEMORY;
    return status == CM_OK && isfinite(value) ? value : NAN;
}

/* The effect of a variable on the value on all samples. */
typedef struct effect {
    bool same, inverse; /* none, or the value is divided by it; both if there is no value at all */
} effect;

static bool is_near(double value, double expected)
{
    return (isnan(value) && isnan(expected)) || fabs(value - expected) <= same * fabs(expected);
}

/* Whether that value of the variable leaves all rows' values the same, or divides them by it. */
static effect try_value(const cm_evaluator *in, size_t quantity, double value)
{
    effect all = {true, true};
    for (size_t i = 0; i < in->samples->count; i++) {
        const cm_sample *sample = &in->samples->items[i];
        in->values[quantity] = 1.0;
        double before = cm_evaluate_sample(in, sample, some_scale, CM_NO_NAME, 0.0);
        in->values[quantity] = value;
        double after = cm_evaluate_sample(in, sample, some_scale, CM_NO_NAME, 0.0);
        all.same = all.same && is_near(after, before);
        all.inverse = all.inverse && is_near(after, before / value);
    }
    in->values[quantity] = 1.0;
    return all;
}

static void add_value(double value, double *values, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (values[i] == value)
            return;
    if (*count < CM_MOST_SETTINGS)
        values[(*count)++] = value;
}

/* 0 and 1, and values around the numbers that formulas of the file compare with. */
static size_t candidate_values(const cm_formulas *formulas, size_t formula, double *values)
{
    size_t count = 0;
    add_value(0.0, values, &count);
    add_value(1.0, values, &count);
    const cm_expression *expression = formulas->formulas[formula].expression;
    for (size_t i = 0; i < cm_expression_node_count(expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind < CM_EXPRESSION_LESS || node->kind > CM_EXPRESSION_NOT_EQUAL)
            continue;
        const cm_expression_node *operands[] = {cm_expression_get_node(expression, node->left),
                                                cm_expression_get_node(expression, node->right)};
        for (size_t s = 0; s < 2; s++)
            for (int step = -1; step <= 1 && operands[s]->kind == CM_EXPRESSION_NUMBER; step++)
                add_value(operands[s]->number + step, values, &count);
    }
    return count;
}

/* Appends each setting with each value of one switch more. */
static void multiply_settings(cm_variables *variables, const double *values, size_t count)
{
    size_t before = variables->setting_count, position = variables->switch_count;
    for (size_t v = 1; v < count; v++)
        for (size_t i = 0; i < before && variables->setting_count < CM_MOST_SETTINGS; i++) {
            double *setting = variables->settings[variables->setting_count++];
            for (size_t s = 0; s < position; s++)
                setting[s] = variables->settings[i][s];
            setting[position] = values[v];
        }
    for (size_t i = 0; i < before; i++)
        variables->settings[i][position] = values[0];
}

/* Takes a variable as a rate if the value is inverse to it, as a switch if it may change the value otherwise. */
static void add_variable(const cm_evaluator *in, size_t quantity, cm_variables *variables)
{
    double values[CM_MOST_SETTINGS];
    effect doubled = try_value(in, quantity, 2.0);
    size_t count = candidate_values(in->formulas, in->formula, values);
    bool compared = count > 2, unused = doubled.same;
    for (size_t i = 0; i < count && unused; i++)
        unused = try_value(in, quantity, values[i]).same;
    if (unused)
        return;
    if (doubled.inverse && !doubled.same && variables->rate_count < CM_MOST_VARIABLES) {
        variables->rates[variables->rate_count++] = quantity;
        return;
    }
    bool enough = variables->switch_count < CM_MOST_VARIABLES && variables->setting_count * count <= CM_MOST_SETTINGS;
    if ((!doubled.same && !compared) || !enough) {
        variables->obscure = quantity;
        return;
    }
    multiply_settings(variables, values, count);
    variables->switches[variables->switch_count++] = quantity;
}

void cm_variables_find(const cm_evaluator *in, cm_variables *variables)
{
    size_t count = 0;
    const size_t *needs = cm_formulas_needs(in->formulas, in->formula, &count);
    *variables = (cm_variables){.setting_count = 1, .obscure = CM_NO_NAME};
    for (size_t i = 0; i < count; i++)
        if (cm_formulas_quantity_kind(in->formulas, needs[i]) == CM_QUANTITY_VARIABLE)
            in->values[needs[i]] = 1.0;
    for (size_t i = 0; i < count; i++)
        if (cm_formulas_quantity_kind(in->formulas, needs[i]) == CM_QUANTITY_VARIABLE)
            add_variable(in, needs[i], variables);
}

bool cm_is_event_test(const char *name)
{
    static const char test[] = "has_event(";
    return strncmp(name, test, strlen(test)) == 0;
}

void cm_variables_set(const cm_evaluator *in, const cm_variables *variables, size_t setting)
{
    for (size_t i = 0; i < variables->switch_count; i++)
        in->values[variables->switches[i]] = variables->settings[setting][i];
}
