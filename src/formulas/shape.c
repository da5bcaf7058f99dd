/* Finds the needs of a formula, and its shape: a linear form, a ratio of two, or neither. Nodes are visited from the
 * operands up; each passes its two forms to the node that uses it. */
#include "formulas/formulas.h"

/* Numerator and denominator as coefficients of the needs, then a constant. Both NULL: neither form. */
typedef struct fraction {
    double *above, *below;
} fraction;

typedef struct shape_finder {
    const cm_formulas *formulas;
    const cm_formula *formula;
    size_t width; /* number of needs */
    fraction *nodes;
    bool short_of_memory;
} shape_finder;

static void clear_fraction(fraction *of)
{
    CM_FREE(of->above, of->below);
    *of = (fraction){NULL, NULL};
}

/* Makes the constant `above`, over 1. */
static fraction make_constant(shape_finder *shaper, double above)
{
    fraction made = {calloc(shaper->width + 1, sizeof(double)), calloc(shaper->width + 1, sizeof(double))};
    if (made.above == NULL || made.below == NULL) {
        shaper->short_of_memory = true;
        clear_fraction(&made);
        return made;
    }
    made.above[shaper->width] = above;
    made.below[shaper->width] = 1.0;
    return made;
}

static bool is_constant(const shape_finder *shaper, const double *form)
{
    for (size_t i = 0; i < shaper->width; i++)
        if (form[i] != 0.0)
            return false;
    return true;
}

/* to += factor * from */
static void add_multiple(const shape_finder *shaper, double *to, double factor, const double *from)
{
    for (size_t i = 0; i <= shaper->width; i++)
        to[i] += factor * from[i];
}

static void scale_form(const shape_finder *shaper, double *form, double factor)
{
    for (size_t i = 0; i <= shaper->width; i++)
        form[i] *= factor;
}

/* left *= right, if one of them is a constant. */
static bool multiply_forms(const shape_finder *shaper, double *left, const double *right)
{
    double factor = left[shaper->width];
    if (is_constant(shaper, right)) {
        scale_form(shaper, left, right[shaper->width]);
    } else if (is_constant(shaper, left)) {
        memcpy(left, right, (shaper->width + 1) * sizeof *left);
        scale_form(shaper, left, factor);
    } else {
        return false;
    }
    return true;
}

/* Adds two fractions if the result is one; false otherwise. */
static bool add_fractions(const shape_finder *shaper, fraction *left, const fraction *right, double sign)
{
    bool left_plain = is_constant(shaper, left->below), right_plain = is_constant(shaper, right->below);
    if (memcmp(left->below, right->below, (shaper->width + 1) * sizeof *left->below) == 0) {
        add_multiple(shaper, left->above, sign, right->above);
    } else if (right_plain && (left_plain || is_constant(shaper, right->above))) {
        /* a / b + c / 2, with b or c constant */
        double below = right->below[shaper->width];
        if (left_plain) {
            scale_form(shaper, left->above, below);
            add_multiple(shaper, left->above, sign * left->below[shaper->width], right->above);
            scale_form(shaper, left->below, below);
        } else {
            add_multiple(shaper, left->above, sign * right->above[shaper->width] / below, left->below);
        }
    } else if (left_plain && is_constant(shaper, left->above)) {
        double constant = left->above[shaper->width] / left->below[shaper->width];
        memcpy(left->below, right->below, (shaper->width + 1) * sizeof *left->below);
        memcpy(left->above, right->above, (shaper->width + 1) * sizeof *left->above);
        scale_form(shaper, left->above, sign);
        add_multiple(shaper, left->above, constant, left->below);
    } else {
        return false;
    }
    return true;
}

static bool is_zero(const shape_finder *shaper, const double *form)
{
    return is_constant(shaper, form) && form[shaper->width] == 0.0;
}

static bool divide_fractions(const shape_finder *shaper, fraction *left, const fraction *right)
{
    return !is_zero(shaper, right->above) && multiply_forms(shaper, left->above, right->below) &&
           multiply_forms(shaper, left->below, right->above);
}

static bool constant_value(const shape_finder *shaper, const fraction *of, double *value)
{
    if (of->above == NULL || !is_constant(shaper, of->above) || !is_constant(shaper, of->below))
        return false;
    *value = of->above[shaper->width] / of->below[shaper->width];
    return true;
}

/* Applies the operation to both and stores the result in `left`; false: the result is no fraction of sums. */
static bool combine_fractions(shape_finder *shaper, cm_expression_kind kind, fraction *left, const fraction *right)
{
    double one = 0.0, other = 0.0;
    switch (kind) {
    case CM_EXPRESSION_FINITE: return true;
    case CM_EXPRESSION_NEGATE: scale_form(shaper, left->above, -1.0); return true;
    case CM_EXPRESSION_ADD: return add_fractions(shaper, left, right, 1.0);
    case CM_EXPRESSION_SUBTRACT: return add_fractions(shaper, left, right, -1.0);
    case CM_EXPRESSION_MULTIPLY:
        return multiply_forms(shaper, left->above, right->above) && multiply_forms(shaper, left->below, right->below);
    case CM_EXPRESSION_DIVIDE:
    case CM_EXPRESSION_RATIO: return divide_fractions(shaper, left, right);
    case CM_EXPRESSION_ARGUMENT:
    case CM_EXPRESSION_MEDIAN: return false;
    default: break;
    }
    if (!constant_value(shaper, left, &one) || !constant_value(shaper, right, &other))
        return false;
    clear_fraction(left);
    *left = make_constant(shaper, cm_expression_apply(kind, one, other));
    return left->above != NULL && isfinite(left->above[shaper->width]);
}

/* Finds the fraction of an operation. */
static void take_operation(shape_finder *shaper, const cm_expression_node *node, fraction *result)
{
    fraction *left = &shaper->nodes[node->left];
    fraction *right = cm_expression_is_unary(node->kind) ? left : &shaper->nodes[node->right];
    if (left->above != NULL && right->above != NULL && combine_fractions(shaper, node->kind, left, right)) {
        *result = *left;
        *left = (fraction){NULL, NULL};
    }
    clear_fraction(left);
    clear_fraction(right);
}

/* Finds the fraction of a conditional, whose condition must be constant. */
static void take_conditional(shape_finder *shaper, const cm_expression_node *node, fraction *result)
{
    double condition = 0.0;
    if (constant_value(shaper, &shaper->nodes[node->condition], &condition)) {
        fraction *taken = &shaper->nodes[condition != 0.0 ? node->left : node->right];
        *result = *taken;
        *taken = (fraction){NULL, NULL};
    }
    clear_fraction(&shaper->nodes[node->condition]);
    clear_fraction(&shaper->nodes[node->left]);
    clear_fraction(&shaper->nodes[node->right]);
}

static size_t find_need(const shape_finder *shaper, size_t quantity)
{
    size_t index = 0;
    while (shaper->formula->needs[index] != quantity)
        index++;
    return index;
}

/* Copies the form of another formula, as coefficients of the needs of this one. */
static void take_form(const shape_finder *shaper, const cm_linear_form *form, double *to)
{
    to[shaper->width] = form->constant;
    for (size_t i = 0; i < form->count; i++)
        to[find_need(shaper, form->quantities[i])] = form->coefficients[i];
}

/* Finds the fraction of a name: an event, a variable, or another formula. */
static void find_name_fraction(shape_finder *shaper, size_t name, fraction *result)
{
    const cm_quantity *quantity = &shaper->formulas->quantities[name];
    *result = make_constant(shaper, 0.0);
    if (result->above == NULL)
        return;
    if (quantity->kind != CM_QUANTITY_METRIC) {
        result->above[find_need(shaper, name)] = 1.0;
        return;
    }
    const cm_formula *used = &shaper->formulas->formulas[quantity->formula];
    if (used->shape == CM_FORMULA_OTHER) {
        clear_fraction(result);
        return;
    }
    take_form(shaper, &used->numerator, result->above);
    take_form(shaper, &used->denominator, result->below);
}

/* Finds the fraction of a node. */
static void take_node(shape_finder *shaper, size_t index)
{
    const cm_expression_node *node = cm_expression_get_node(shaper->formula->expression, index);
    fraction *result = &shaper->nodes[index];
    switch (node->kind) {
    case CM_EXPRESSION_NUMBER: *result = make_constant(shaper, node->number); break;
    case CM_EXPRESSION_NAME: find_name_fraction(shaper, node->name, result); break;
    case CM_EXPRESSION_CONDITIONAL: take_conditional(shaper, node, result); break;
    default: take_operation(shaper, node, result); break;
    }
}

/* Stores the coefficients that are not zero. */
static bool save_form(const shape_finder *shaper, const double *form, cm_linear_form *saved)
{
    size_t *quantities = malloc((shaper->width + 1) * sizeof *quantities);
    double *coefficients = malloc((shaper->width + 1) * sizeof *coefficients);
    *saved = (cm_linear_form){0, quantities, coefficients, form[shaper->width]};
    if (quantities == NULL || coefficients == NULL)
        return false;
    for (size_t i = 0; i < shaper->width; i++)
        if (form[i] != 0.0) {
            quantities[saved->count] = shaper->formula->needs[i];
            coefficients[saved->count++] = form[i];
        }
    return true;
}

/* Stores both forms, divided by the constant denominator if it is one. */
static bool store_forms(shape_finder *shaper, cm_formula *formula, fraction *whole)
{
    double below = whole->above != NULL ? whole->below[shaper->width] : 0.0;
    bool linear = whole->above != NULL && is_constant(shaper, whole->below);
    bool finite = whole->above != NULL;
    for (size_t i = 0; finite && i <= shaper->width; i++)
        finite = isfinite(whole->above[i]) && isfinite(whole->below[i]);
    formula->shape = CM_FORMULA_OTHER;
    if (!finite || (linear && below == 0.0))
        return true;
    if (linear) {
        for (size_t i = 0; i <= shaper->width; i++)
            whole->above[i] /= below;
        whole->below[shaper->width] = 1.0;
    }
    formula->shape = linear ? CM_FORMULA_LINEAR : CM_FORMULA_RATIO;
    return save_form(shaper, whole->above, &formula->numerator) &&
           save_form(shaper, whole->below, &formula->denominator);
}

/* Adds a quantity to the needs. */
static bool add_need(cm_formula *formula, size_t quantity, size_t *capacity)
{
    for (size_t i = 0; i < formula->need_count; i++)
        if (formula->needs[i] == quantity)
            return true;
    if (!CM_GROW(formula->needs, formula->need_count + 1, capacity))
        return false;
    formula->needs[formula->need_count++] = quantity;
    return true;
}

/* Collects the events and variables that the formula needs, also through metrics. */
static bool find_needs(const cm_formulas *formulas, cm_formula *formula)
{
    size_t capacity = 0;
    bool enough = true;
    for (size_t i = 0; i < cm_expression_name_count(formula->expression) && enough; i++) {
        size_t quantity = cm_expression_name_index(formula->expression, i);
        const cm_quantity *used = &formulas->quantities[quantity];
        if (used->kind != CM_QUANTITY_METRIC) {
            enough = add_need(formula, quantity, &capacity);
            continue;
        }
        const cm_formula *metric = &formulas->formulas[used->formula];
        for (size_t j = 0; j < metric->need_count && enough; j++)
            enough = add_need(formula, metric->needs[j], &capacity);
    }
    return enough;
}

cm_status cm_formulas_find_shape(cm_formulas *formulas, size_t formula, cm_error *error)
{
    cm_formula *shaped = &formulas->formulas[formula];
    size_t count = cm_expression_node_count(shaped->expression);
    shape_finder shaper = {.formulas = formulas, .formula = shaped};
    if (!find_needs(formulas, shaped) || (shaper.nodes = calloc(count, sizeof *shaper.nodes)) == NULL)
        return cm_error_no_memory(error);
    shaper.width = shaped->need_count;
    for (size_t i = 0; i < count; i++)
        take_node(&shaper, i);
    bool enough = !shaper.short_of_memory && store_forms(&shaper, shaped, &shaper.nodes[count - 1]);
    for (size_t i = 0; i < count; i++)
        clear_fraction(&shaper.nodes[i]);
    free(shaper.nodes);
    return enough ? CM_OK : cm_error_no_memory(error);
}
