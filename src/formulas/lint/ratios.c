/* Holds names and units of ratios against the dimension of their formulas: which quantity is above the fraction bar
 * and which below, and the factor before it. */
#include "formulas/lint/lint.h"

/* The factor of the formula, in its unit: the largest of its terms'. NAN if it is no ratio of sums. */
static double factor_of(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    const cm_linear_form *above = &formula->numerator, *below = &formula->denominator;
    double most = 0.0, divisor = INFINITY;
    for (size_t i = 0; i < above->count; i++)
        most = fmax(most, fabs(above->coefficients[i]));
    for (size_t i = 0; i < below->count; i++)
        divisor = fmin(divisor, fabs(below->coefficients[i]));
    return formula->shape == CM_FORMULA_RATIO && above->count > 0 ? most / divisor * check->unit.number : NAN;
}

/* Adds a fault if the formula is no such metric: upside down, of other events, or with another factor. */
static cm_status check_row(const cm_quantity_check *check, const cm_ratio_metric *row)
{
    const cm_dimension *dimension = check->dimension;
    const cm_term_words *above = &dimension->plus, *below = &dimension->below;
    const cm_formula_info *info = &check->formula->info;
    bool turned = (below->all & row->above) != 0 && (above->all & row->above) == 0 && (above->any & row->below) != 0;
    if (below->there && below->any != 0 && turned)
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info,
                           "upside down: these are %.100s", row->turned);
    if (above->any != 0 && (above->all & row->contrary) != 0 && (above->any & row->above) == 0 &&
        !dimension->minus.there) /* misses of two levels apart are hits of the second */
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info,
                           "%s by its name, but counts %s", row->contrary == CM_WORD_HITS ? "misses" : "hits",
                           row->contrary == CM_WORD_HITS ? "hits" : "misses");
    if (row->factor != 0.0 &&
        ((below->all & CM_WORD_BRANCHES) != 0 ||
         ((below->any & row->below) == 0 && (below->all & CM_WORD_CYCLES) != 0)) &&
        below->any != 0)
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info,
                           "per %.0f instructions by its name, but divides by %s", row->factor,
                           (below->all & CM_WORD_BRANCHES) != 0 ? "branches" : "cycles");
    double factor = factor_of(check);
    if (row->factor != 0.0 && (below->all & row->below) != 0 && isfinite(factor) &&
        (factor < row->factor / 4.0 || factor > row->factor * 4.0))
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info,
                           "per %.0f by its name, but the factor is %.3g", row->factor, factor);
    return CM_OK;
}

/* Percentages are a hundred times a ratio, either in the formula or in its unit. */
static cm_status check_percent(const cm_quantity_check *check)
{
    const cm_dimension *dimension = check->dimension;
    const cm_formula_info *info = &check->formula->info;
    int wanted = check->unit.number == 100.0 ? 0 : 1;
    if (!check->unit.percent || (check->unit.number != 100.0 && check->unit.number != 1.0))
        return CM_OK;
    if (dimension->hundreds > wanted)
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info,
                           wanted == 0 ? "100 times too large: the unit %.100s has the factor 100 already"
                                       : "100 times too large: the factor 100 is twice in this percentage",
                           info->unit);
    if (wanted == 1 && !dimension->scaled && dimension->divides)
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info,
                           "a percentage, but the formula lacks the factor 100");
    return CM_OK;
}

cm_status cm_lint_check_ratios(const cm_quantity_check *check)
{
    const cm_formula_info *info = &check->formula->info;
    unsigned unit = cm_vocabulary_of(check->vocabulary, info->unit) & CM_WORD_MPKI;
    unsigned said = cm_vocabulary_of(check->vocabulary, info->metric) | unit;
    const cm_ratio_metric *row = NULL;
    cm_status status = check_percent(check);
    for (size_t i = 0; status == CM_OK && (row = cm_vocabulary_metric(check->vocabulary, i)) != NULL; i++)
        if ((said & row->metric) == row->metric && (said & row->unless) == 0)
            status = check_row(check, row);
    return status;
}
