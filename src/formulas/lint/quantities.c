/* Holds names and units of formulas against their computation: cycles, instructions, misses, lanes, bytes, time. */
#include "formulas/lint/lint.h"

static cm_status add_quantity_fault(const cm_quantity_check *check, const char *text)
{
    const cm_formula_info *info = &check->formula->info;
    return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info, "%s", text);
}

/* ---- the meanings of names ---- */

static bool is_duration(const char *event)
{
    static const char *const words[] = {"DURATION", "PENDING", "ACTIVE", NULL};
    return cm_text_has_part(event, words);
}

static bool counts_hits_alone(const char *event)
{
    static const char *const hits[] = {"HIT", NULL}, *const others[] = {"MISS", NULL};
    return cm_text_has_part(event, hits) && !cm_text_has_part(event, others);
}

static bool counts_accesses_alone(const char *event)
{
    static const char *const accesses[] = {"ACCESS", NULL}, *const others[] = {"MISS", "REFILL", "FILL", NULL};
    return cm_text_has_part(event, accesses) && !cm_text_has_part(event, others);
}

/* The number of events of the form for which `is` holds; *events: of all events. */
static size_t count_events(const cm_formulas *formulas, const cm_linear_form *form, bool (*is)(const char *event),
                           size_t *events)
{
    size_t found = 0;
    *events = 0;
    for (size_t i = 0; i < form->count; i++) {
        const cm_quantity *quantity = &formulas->quantities[form->quantities[i]];
        *events += quantity->kind == CM_QUANTITY_EVENT;
        found += quantity->kind == CM_QUANTITY_EVENT && is(quantity->name);
    }
    return found;
}

/* Whether both are the same events with the same weights but for one factor. */
static bool are_proportional(const cm_linear_form *one, const cm_linear_form *other)
{
    if (one->count == 0 || one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        double left = one->coefficients[i] * other->coefficients[0];
        double right = other->coefficients[i] * one->coefficients[0];
        if (one->quantities[i] != other->quantities[i] || fabs(left - right) > 1e-9 * fabs(left))
            return false;
    }
    return true;
}

/* ---- checks ---- */

/* Cycles per instruction, or the inverse, of events that count something else. Parts of a CPI are named by causes. */
static cm_status check_cpi(const cm_quantity_check *check)
{
    const char *metric = check->formula->info.metric;
    const cm_dimension *dimension = check->dimension;
    unsigned said = cm_vocabulary_of(check->vocabulary, metric), above = dimension->plus.any;
    bool cpi = (said & CM_WORD_CPI) != 0, whole = cm_lint_is_called(metric, "CPI") || cm_lint_is_called(metric, "IPC");
    const unsigned others = CM_WORD_UOPS | CM_WORD_DERIVED | (whole ? 0 : CM_WORD_CYCLES | CM_WORD_INSTRUCTIONS);
    if ((!cpi && (said & CM_WORD_IPC) == 0) || (said & others) != 0 || !dimension->divides ||
        (!whole && (cpi || above == 0)))
        return CM_OK;
    unsigned over = cpi ? CM_WORD_CYCLES : CM_WORD_INSTRUCTIONS, under = cpi ? CM_WORD_INSTRUCTIONS : CM_WORD_CYCLES;
    unsigned below = dimension->below.any;
    if (((above & over) != 0 && (below & under) != 0) || ((above & under) != 0 && (below & over) != 0))
        return CM_OK;
    bool cycles = cpi ? (above & over) == 0 : (below & under) == 0;
    return add_quantity_fault(check, cycles ? "none of the events that it takes for cycles counts cycles"
                                            : "none of the events that it takes for instructions counts instructions");
}

/* Ratios of misses, which are of all accesses, and numbers of misses. */
static cm_status check_misses(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    size_t events = 0;
    unsigned said = cm_vocabulary_of(check->vocabulary, formula->info.metric), of = CM_WORD_MISSES | CM_WORD_RATIO;
    const cm_term_words *below = &check->dimension->below;
    if ((said & of) == of && (said & (CM_WORD_HITS | CM_WORD_DERIVED | CM_WORD_PER)) == 0 && below->any != 0 &&
        (below->all & CM_WORD_HITS) != 0 && (below->any & CM_WORD_MISSES) == 0)
        return add_quantity_fault(check, "this divides misses by hits; a ratio is of hits and misses together");
    if (strcasestr(formula->info.metric, "request rate") != NULL && formula->shape != CM_FORMULA_OTHER) {
        size_t hits = count_events(check->formulas, &formula->numerator, counts_hits_alone, &events);
        if (hits > 0 && hits == events)
            return add_quantity_fault(check, "this counts hits, not requests, which are hits and misses together");
    }
    const char *last = strrchr(formula->info.metric, ' ');
    if (last != NULL && strcasecmp(last, " misses") == 0 && formula->shape == CM_FORMULA_LINEAR) {
        size_t accesses = count_events(check->formulas, &formula->numerator, counts_accesses_alone, &events);
        if (accesses > 0 && accesses == events)
            return add_quantity_fault(check, "this counts accesses, not misses");
    }
    return CM_OK;
}

/* A sum of a quantity and itself. */
static cm_status check_twice(const cm_quantity_check *check)
{
    const cm_expression *expression = check->formula->expression;
    for (size_t i = 0; i < cm_expression_node_count(expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind != CM_EXPRESSION_ADD)
            continue;
        const cm_expression_node *left = cm_expression_get_node(expression, node->left);
        const cm_expression_node *right = cm_expression_get_node(expression, node->right);
        if (left->kind == CM_EXPRESSION_NAME && right->kind == CM_EXPRESSION_NAME && left->name == right->name)
            return cm_lint_add(check->lint, CM_FAULT_QUANTITY, right->location.line, right->location.column,
                               &check->formula->info, "adds %.100s to itself",
                               check->formulas->quantities[left->name].name);
    }
    return CM_OK;
}

/* A condition that does not depend on counts. */
static cm_status check_conditions(const cm_quantity_check *check)
{
    const cm_expression *expression = check->formula->expression;
    for (size_t i = 0; i < cm_expression_node_count(expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind != CM_EXPRESSION_CONDITIONAL)
            continue;
        const cm_expression_node *condition = cm_expression_get_node(expression, node->condition);
        if (condition->kind == CM_EXPRESSION_NUMBER)
            return cm_lint_add(check->lint, CM_FAULT_QUANTITY, condition->location.line, condition->location.column,
                               &check->formula->info, "the condition is always %s: the other branch is never taken",
                               condition->number != 0.0 ? "true" : "false");
    }
    return CM_OK;
}

/* A ratio in which everything cancels. */
static cm_status check_constant(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    if (formula->shape != CM_FORMULA_RATIO || formula->numerator.constant != 0.0 ||
        formula->denominator.constant != 0.0 || !are_proportional(&formula->numerator, &formula->denominator))
        return CM_OK;
    return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                       "always %.3g, whatever is counted",
                       formula->numerator.coefficients[0] / formula->denominator.coefficients[0]);
}

/* The factor between the formula and its unit. */
static cm_status check_prefix(const cm_quantity_check *check)
{
    const cm_unit *unit = &check->unit;
    const double least = unit->bytes ? 0.3 : 0.99,
                 most = unit->bytes ? 5000.0 : 600.0; /* an event's, as AMD's 512, and room to spare */
    const cm_formula *formula = check->formula;
    char text[320];
    if (formula->shape == CM_FORMULA_OTHER || (!unit->bytes && !unit->operations))
        return CM_OK;
    for (size_t i = 0; i < formula->numerator.count; i++) {
        double each = fabs(cm_unit_per_event(unit, formula, i));
        const cm_quantity *quantity = &check->formulas->quantities[formula->numerator.quantities[i]];
        unsigned said = cm_vocabulary_of(check->vocabulary, quantity->name);
        bool lines = (said & (CM_WORD_LINES | CM_WORD_MISSES)) != 0 && (said & CM_WORD_BYTES) == 0;
        if (unit->bytes && lines && fabs(each - 1.0) < 0.03)
            return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                               "bytes, but %.100s counts lines, and the formula lacks their size", quantity->name);
        if (quantity->kind != CM_QUANTITY_EVENT || !isfinite(each) || (each >= least && each <= most) ||
            (said & CM_WORD_PRESCALED) != 0)
            continue;
        snprintf(text, sizeof text, "the factor disagrees with the unit %s: %.100s would count %.3g %s each",
                 unit->text, quantity->name, each, unit->bytes ? "bytes" : "operations");
        return add_quantity_fault(check, text);
    }
    return CM_OK;
}

/* Finds rates whose formula has no time, and amounts whose formula divides by it. */
static cm_status check_rate(const cm_quantity_check *check)
{
    const cm_unit *unit = &check->unit;
    const cm_formula *formula = check->formula;
    bool timed = false, other = formula->shape == CM_FORMULA_OTHER;
    const cm_dimension *dimension = check->dimension;
    bool energy =
        unit->energy && (dimension->plus.all & CM_WORD_ENERGY) != 0 && !(dimension->below.any & CM_WORD_ENERGY);
    if (!unit->bytes && !unit->operations && !energy && (!unit->rate || unit->energy))
        return CM_OK;
    for (size_t i = 0; i < formula->need_count; i++) {
        const cm_quantity *quantity = &check->formulas->quantities[formula->needs[i]];
        unsigned said = cm_vocabulary_of(check->vocabulary, quantity->name);
        timed = timed || said == CM_WORD_TIME;
        other = other || (quantity->kind == CM_QUANTITY_VARIABLE && said != CM_WORD_TIME) ||
                (said & (CM_WORD_CYCLES | CM_WORD_RATIO)) != 0; /* ticks of a known clock, or a rate itself */
    }
    if (other || timed == unit->rate)
        return CM_OK;
    return add_quantity_fault(check, timed ? "an amount, but the formula divides by time"
                                           : "a rate, but the formula has no time");
}

/* The mean duration of something is cycles for each, not all cycles. */
static cm_status check_duration(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    size_t events = 0;
    const char *last = strrchr(formula->info.metric, ' ');
    if (strcmp(check->formulas->format, "likwid") != 0 || formula->shape != CM_FORMULA_LINEAR || last == NULL ||
        (strcasecmp(last, " duration") != 0 && strcasestr(formula->info.metric, " duration [cyc") == NULL))
        return CM_OK;
    size_t cycles = count_events(check->formulas, &formula->numerator, is_duration, &events);
    return cycles > 0 && cycles == events ? add_quantity_fault(check, "all cycles together, not those of each") : CM_OK;
}

/* ---- pairs of metrics ---- */

/* The level of the cache that a name begins with, '0' if none. */
static char level_of(const char *metric)
{
    return (metric[0] == 'L' || metric[0] == 'l') && isdigit((unsigned char)metric[1]) ? metric[1] : '0';
}

bool cm_lint_is_traffic(const char *metric)
{
    return strcasestr(metric, "bandwidth") != NULL || strcasestr(metric, "volume") != NULL;
}

/* The bandwidth of one level, and the volume of another, of the same events. */
static cm_status check_level(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    char level = level_of(formula->info.metric);
    if (level == '0' || !cm_lint_is_traffic(formula->info.metric))
        return CM_OK;
    for (const cm_formula *other = check->formulas->formulas; other < formula; other++) {
        char beside = level_of(other->info.metric);
        if (beside == '0' || beside == level || !cm_lint_is_traffic(other->info.metric) ||
            strcmp(other->info.metric + 2, formula->info.metric + 2) == 0 ||
            !are_proportional(&other->numerator, &formula->numerator))
            continue;
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                           "computed from the events of '%.100s', which is another level", other->info.metric);
    }
    return CM_OK;
}

static bool is_part(const cm_quantity *quantity, const cm_linear_form *form, const cm_quantity *quantities)
{
    bool found = quantity->kind != CM_QUANTITY_EVENT;
    for (size_t i = 0; i < form->count && !found; i++)
        found = &quantities[form->quantities[i]] == quantity;
    return found;
}

/* A rate of operations leaves out events of another that is a part of it by its name: MFlops/s, and AVX MFlops/s. */
static cm_status check_parts(const cm_quantity_check *check)
{
    const cm_unit *unit = &check->unit;
    const cm_formula *whole = check->formula;
    const cm_quantity *quantities = check->formulas->quantities;
    size_t length = strlen(whole->info.metric);
    if (!unit->operations || whole->shape == CM_FORMULA_OTHER)
        return CM_OK;
    for (size_t i = 0; i < check->formulas->count; i++) {
        const cm_formula *part = &check->formulas->formulas[i];
        size_t more = strlen(part->info.metric);
        if (more <= length || part->info.metric[more - length - 1] != ' ' || part->shape == CM_FORMULA_OTHER ||
            strcmp(part->info.metric + more - length, whole->info.metric) != 0)
            continue;
        for (size_t k = 0; k < part->numerator.count; k++) {
            const cm_quantity *quantity = &quantities[part->numerator.quantities[k]];
            if (!is_part(quantity, &whole->numerator, quantities))
                return cm_lint_add(check->lint, CM_FAULT_QUANTITY, whole->info.line, whole->info.column, &whole->info,
                                   "leaves out %.100s, which '%.100s' counts", quantity->name, part->info.metric);
        }
    }
    return CM_OK;
}

/* Whether the formula names an event of a unit outside the cores, which metrics distinguish by options, without any. */
static bool lacks_options(const cm_formulas *formulas, const cm_formula *formula)
{
    for (size_t i = 0; i < cm_expression_name_count(formula->expression); i++) {
        const char *name = formulas->quantities[cm_expression_name_index(formula->expression, i)].name;
        if (strchr(name, '/') != NULL && strncmp(name, "cpu", 3) != 0 && strchr(name, '=') == NULL)
            return true;
    }
    return false;
}

/* The formula of another metric, word by word, of an event that lost its options. */
static cm_status check_same(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula, *all = check->formulas->formulas;
    if (strcmp(check->formulas->format, "perf") != 0 || !lacks_options(check->formulas, formula))
        return CM_OK;
    for (const cm_formula *other = all; other < all + check->formulas->count; other++)
        if (strcmp(other->info.metric, formula->info.metric) != 0 && strcmp(other->info.text, formula->info.text) == 0)
            return cm_lint_add(
                check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                "the formula of '%.100s', word by word: options that distinguish their events are missing",
                other->info.metric);
    return CM_OK;
}

/* The number of sources of an event that the formula does not count: of perf's, which counts it besides. */
static cm_status check_sources(const cm_quantity_check *check)
{
    static const char function[] = "source_count(";
    const cm_expression *expression = check->formula->expression;
    for (size_t i = 0; i < cm_expression_name_count(expression); i++) {
        const char *name = check->formulas->quantities[cm_expression_name_index(expression, i)].name;
        const char *event = name + strlen(function);
        if (strncmp(name, function, strlen(function)) != 0)
            continue;
        bool counted = false;
        for (size_t k = 0; k < cm_expression_name_count(expression) && !counted; k++) {
            const char *other = check->formulas->quantities[cm_expression_name_index(expression, k)].name;
            counted = strncasecmp(other, event, strlen(event) - 1) == 0 && other[strlen(event) - 1] == '\0';
        }
        if (!counted)
            return cm_lint_add(check->lint, CM_FAULT_QUANTITY, check->formula->info.line, check->formula->info.column,
                               &check->formula->info, "%.160s is of an event that the formula does not count", name);
    }
    return CM_OK;
}

cm_status cm_lint_check_quantities(cm_lint *lint, const cm_formulas *formulas, cm_error *error)
{
    static cm_status (*const checks[])(const cm_quantity_check *) = {
        check_cpi,          check_misses,   check_prefix,         check_rate,           check_level,
        check_parts,        check_twice,    check_conditions,     check_constant,       check_same,
        check_sources,      check_duration, cm_lint_check_ratios, cm_lint_check_clocks, cm_lint_check_presets,
        cm_lint_check_words};
    cm_vocabulary *vocabulary = NULL;
    cm_dimension *dimensions = NULL;
    cm_status status = cm_vocabulary_create(&vocabulary, error);
    CM_THEN(status, cm_dimensions_create(formulas, vocabulary, &dimensions));
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &formulas->formulas[i];
        const cm_quantity_check check = {lint,       formulas,       formula,
                                         vocabulary, &dimensions[i], cm_unit_of(&formula->info, vocabulary)};
        for (size_t k = 0; k < CM_COUNT_OF(checks) && status == CM_OK; k++)
            status = checks[k](&check);
    }
    cm_vocabulary_free(vocabulary);
    free(dimensions);
    return status;
}
