/* The dimension of each formula: which quantities stand above the fraction bar, with which sign, and below it, by the
 * words of its events; and how often 100 is a factor. */
#include "formulas/lint/lint.h"

static const cm_term_words number = {true, 0, ~0U};

/* The words of a sum: `any` has those of either term, `all` those of both. */
static cm_term_words add_words(cm_term_words one, cm_term_words other)
{
    if (!one.there || !other.there)
        return one.there ? one : other;
    return (cm_term_words){true, one.any | other.any, one.all & other.all};
}

/* The words of a product, if both factors are there. */
static cm_term_words multiply_words(cm_term_words one, cm_term_words other)
{
    if (!one.there || !other.there)
        return (cm_term_words){0};
    if (one.all == ~0U || other.all == ~0U) /* a number leaves the other as it is */
        return one.all == ~0U ? other : one;
    return (cm_term_words){true, one.any | other.any, one.all | other.all};
}

/* The dimension of a product. */
static cm_dimension times(const cm_dimension *left, const cm_dimension *right)
{
    cm_dimension result = {.hundreds = left->hundreds + right->hundreds,
                           .scaled = left->scaled || right->scaled,
                           .divides = left->divides || right->divides};
    result.plus = add_words(multiply_words(left->plus, right->plus), multiply_words(left->minus, right->minus));
    result.minus = add_words(multiply_words(left->plus, right->minus), multiply_words(left->minus, right->plus));
    result.below = left->below.there && right->below.there ? multiply_words(left->below, right->below)
                                                           : add_words(left->below, right->below);
    return result;
}

static cm_dimension inverse(const cm_dimension *of)
{
    cm_dimension result = {
        .plus = of->below.there ? of->below : number, .hundreds = -of->hundreds, .scaled = of->scaled};
    result.below = add_words(of->plus, of->minus);
    result.divides = of->divides || result.below.any != 0 || result.below.all == 0;
    return result;
}

static cm_dimension sum(const cm_dimension *left, const cm_dimension *right)
{
    return (cm_dimension){
        add_words(left->plus, right->plus),   add_words(left->minus, right->minus),
        add_words(left->below, right->below), left->hundreds > right->hundreds ? left->hundreds : right->hundreds,
        left->scaled || right->scaled,        left->divides || right->divides};
}

static cm_dimension negative(const cm_dimension *of)
{
    cm_dimension result = *of;
    result.plus = of->minus;
    result.minus = of->plus;
    return result;
}

/* The dimension of a number, which may be a part of 100. */
static cm_dimension of_number(double value)
{
    cm_dimension result = {.plus = value >= 0.0 ? number : (cm_term_words){0},
                           .minus = value < 0.0 ? number : (cm_term_words){0}};
    bool part = value >= 10.0 && fmod(100.0, value) == 0.0; /* 25 may be 100 / 4 */
    result.scaled = value != floor(value) || fabs(value) >= 100.0 || part;
    result.hundreds = value == 100.0;
    if (value == 0.01)
        result.hundreds = -1;
    return result;
}

static bool is_one(const cm_expression *expression, size_t node)
{
    const cm_expression_node *found = cm_expression_get_node(expression, node);
    return found->kind == CM_EXPRESSION_NUMBER && found->number == 1.0;
}

/* The dimension of an expression's node, by those of its operands. */
static cm_dimension of_node(const cm_formulas *formulas, const cm_vocabulary *vocabulary,
                            const cm_dimension *dimensions, const cm_expression *expression, size_t index,
                            const cm_dimension *nodes)
{
    const cm_expression_node *node = cm_expression_get_node(expression, index);
    const cm_dimension *left = &nodes[node->left], *right = &nodes[node->right];
    cm_dimension other;
    switch (node->kind) {
    case CM_EXPRESSION_NUMBER: return of_number(node->number);
    case CM_EXPRESSION_NAME: {
        const cm_quantity *quantity = &formulas->quantities[node->name];
        unsigned said = quantity->kind != CM_QUANTITY_METRIC
                            ? cm_vocabulary_of(vocabulary, quantity->name) & ~(unsigned)CM_WORD_OF_METRICS
                            : 0;
        return quantity->kind == CM_QUANTITY_METRIC ? dimensions[quantity->formula]
                                                    : (cm_dimension){.plus = {true, said, said}};
    }
    case CM_EXPRESSION_NEGATE: return negative(left);
    case CM_EXPRESSION_SUBTRACT: other = negative(right); return sum(left, &other);
    case CM_EXPRESSION_MULTIPLY: return times(left, right);
    case CM_EXPRESSION_DIVIDE:
    case CM_EXPRESSION_RATIO: other = inverse(right); return times(left, &other);
    case CM_EXPRESSION_MIN:
        other = sum(left, right);
        if (is_one(expression, node->left) || is_one(expression, node->right))
            other.hundreds = 0; /* a share, whatever an event of it costs */
        return other;
    case CM_EXPRESSION_ADD:
    case CM_EXPRESSION_MAX:
    case CM_EXPRESSION_CONDITIONAL:
    case CM_EXPRESSION_ARGUMENT: return sum(left, right);
    case CM_EXPRESSION_LESS:
    case CM_EXPRESSION_LESS_EQUAL:
    case CM_EXPRESSION_GREATER:
    case CM_EXPRESSION_GREATER_EQUAL:
    case CM_EXPRESSION_EQUAL:
    case CM_EXPRESSION_NOT_EQUAL: return of_number(1.0);
    default: return *left;
    }
}

cm_status cm_dimensions_create(const cm_formulas *formulas, const cm_vocabulary *vocabulary, cm_dimension **dimensions)
{
    cm_dimension *made = calloc(formulas->count + 1, sizeof *made), *nodes = NULL;
    cm_status status = made != NULL ? CM_OK : CM_NO_MEMORY;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_expression *expression = formulas->formulas[formulas->order[i]].expression;
        size_t count = cm_expression_node_count(expression);
        nodes = calloc(count, sizeof *nodes);
        status = nodes != NULL ? CM_OK : CM_NO_MEMORY;
        for (size_t k = 0; k < count && status == CM_OK; k++)
            nodes[k] = of_node(formulas, vocabulary, made, expression, k, nodes);
        if (status == CM_OK)
            made[formulas->order[i]] = nodes[count - 1];
        free(nodes);
    }
    CM_HAND_OVER(status, dimensions, made, free);
    return status;
}
